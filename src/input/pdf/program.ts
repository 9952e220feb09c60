/**
 * The program of the process that reads the lines of a PDF: bytes on standard input, a page as JSON on each line of standard
 * output; its last argument is the processor time that it may take (ms). Its main thread only watches, so that it can end
 * the process while the other thread reads.
 */
import { Buffer } from "node:buffer"
import { writeSync } from "node:fs"
import { getAsset, isSea } from "node:sea"
import process from "node:process"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { MAX_MEMORY_BYTES, MAX_MS, type PageMessage, READER } from "./messages.ts"
import { readPages } from "./pages.ts"

/** How often memory and processor time are looked at (ms). */
const WATCH_MS = 50
const STDOUT = 1

function send(message: PageMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let at = 0; at < bytes.length; )
    try {
      at += writeSync(STDOUT, bytes, at)
    } catch (error) {
      // The pipe is full until its reader takes something.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") process.exit(1)
    }
}

function end(message: PageMessage): never {
  send(message)
  process.exit(0)
}

async function watch(): Promise<void> {
  const most = Number(process.argv.at(-1)) || MAX_MS
  setInterval(() => {
    const { user, system } = process.cpuUsage()
    if (user + system > most * 1000) end({ refused: "time" })
    if (process.memoryUsage.rss() > MAX_MEMORY_BYTES) end({ refused: "memory" })
  }, WATCH_MS)
  const pieces: Uint8Array[] = []
  for await (const piece of process.stdin) pieces.push(piece)
  const pdf = new Uint8Array(Buffer.concat(pieces))
  const worker = new Worker(isSea() ? getAsset(READER, "utf8") : __filename, {
    eval: isSea(),
    workerData: pdf,
    transferList: [pdf.buffer],
    // The library's own output is of no use.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_BYTES / 2 ** 20 },
  })
  worker.on("message", (message: PageMessage) => {
    if ("page" in message) send(message)
    else end(message)
  })
  worker.on("error", (error: NodeJS.ErrnoException) =>
    end({ refused: error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "damaged" }),
  )
  worker.on("exit", () => end({ refused: "damaged" }))
}

if (isMainThread) void watch()
else
  readPages(workerData, (page) => parentPort?.postMessage(page)).then(
    (message) => parentPort?.postMessage(message),
    () => parentPort?.postMessage({ refused: "damaged" }),
  )
