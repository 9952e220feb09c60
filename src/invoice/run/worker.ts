/** The program of a thread that checks ranges of files, one after the other. */
import { parentPort, workerData } from "node:worker_threads"
import { createChecker } from "../check.ts"
import type { FileRange } from "../sources/reading.ts"
import { checkRange } from "./pieces.ts"

const checker = createChecker(workerData)

parentPort?.on("message", async (range: FileRange) => {
  for await (const part of checkRange(checker, range)) parentPort?.postMessage(part)
  // No part: that was the last.
  parentPort?.postMessage(undefined)
})
