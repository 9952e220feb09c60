/** Threads, with programs that work, that break and that are not there. */
import { once } from "node:events"
import path from "node:path"
import { Worker } from "node:worker_threads"
import { describe, expect, it, onTestFinished } from "vitest"
import { createChecker, type PartOfFile } from "../../src/invoice/check.ts"
import { createThreads } from "../../src/invoice/run/threads.ts"
import type { FileRange } from "../../src/invoice/sources/reading.ts"
import { brokenLine, EXAMINE, folderOf, line, PROGRAM } from "./runs.ts"

const SETTINGS = { examine: EXAMINE, excerpts: false, numbers: false }

function fileOf(text: string): string {
  return path.join(folderOf({ "in.ndjson": text }), "in.ndjson")
}

describe("the program of a thread", () => {
  it("answers each range with its parts, and then with nothing", async () => {
    const worker = new Worker(PROGRAM, { workerData: SETTINGS })
    onTestFinished(async () => void (await worker.terminate()))
    const first = `${line(1)}\n${line(2)}\n`
    const file = fileOf(`${first}${brokenLine(3)}\n`)
    const ask = async (range: FileRange): Promise<PartOfFile> => {
      worker.postMessage(range)
      const [part] = await once(worker, "message")
      expect(await once(worker, "message")).toEqual([undefined])
      return part
    }
    expect(await ask({ file, start: 0, end: first.length })).toMatchObject({ documents: 2, checked: [] })
    const rest = { file, start: first.length, end: Number.MAX_SAFE_INTEGER }
    expect(await ask(rest)).toMatchObject({ documents: 1, checked: [{ index: 0 }] })
    expect(await ask({ file: "/nowhere", start: 0, end: 9 })).toMatchObject({
      unreadable: "there is no such file",
    })
  })
})

describe("threads", () => {
  async function documentsOf(program: URL, text: string): Promise<number> {
    const threads = createThreads(createChecker(SETTINGS), SETTINGS, 3, program, 1000)
    onTestFinished(() => threads.close())
    let documents = 0
    for await (const part of threads.check(fileOf(text), text.length)) documents += part.documents
    return documents
  }
  const text = Array.from({ length: 40 }, (_, number) => `${line(number)}\n`).join("")

  it("check each document once", async () => {
    expect(await documentsOf(PROGRAM, text)).toBe(40)
  })

  it("that cannot be started leave their work to the main one", async () => {
    expect(await documentsOf(new URL("file:///nowhere/worker.cjs"), text)).toBe(40)
  })

  it("that break end the run", async () => {
    const breaking = `import { parentPort } from "node:worker_threads"
      let isSecond = false
      parentPort.on("message", () => {
        if (isSecond) throw new Error("broken")
        isSecond = true
        parentPort.postMessage(undefined)
      })`
    const program = new URL(`data:text/javascript,${encodeURIComponent(breaking)}`)
    await expect(documentsOf(program, text)).rejects.toThrow("broken")
  })
})
