import { once } from "node:events"
import path from "node:path"
import { setImmediate as turn } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { describe, expect, it, onTestFinished } from "vitest"
import { type Reply, createPool, type Task } from "../../src/invoice/run/pool.ts"
import { brokenLine, EXAMINE, folderOf, line, PROGRAM } from "./runs.ts"

const SETTINGS = { examine: EXAMINE, excerpts: false, numbers: false }

function bytesTask(text: string): Extract<Task, { kind: "bytes" }> {
  const { buffer } = Uint8Array.from(Buffer.from(text))
  return { kind: "bytes", file: "-", buffer, length: buffer.byteLength, whole: false }
}

describe("the program of a thread", () => {
  function thread() {
    const worker = new Worker(PROGRAM, { workerData: SETTINGS })
    onTestFinished(async () => void (await worker.terminate()))
    const answers = (async function* () {
      for (;;) yield (await once(worker, "message"))[0] as Reply
    })()
    return { worker, next: async () => (await answers.next()).value }
  }

  it("says that it is ready, and answers tasks one after the other", async () => {
    const file = path.join(folderOf({ "a.json": brokenLine(1) }), "a.json")
    const { worker, next } = thread()
    expect(await next()).toEqual({})
    worker.postMessage({ kind: "files", inputs: [{ file }] } satisfies Task)
    const answer = await next()
    expect(answer?.parts?.map(({ documents, judged }) => [documents, judged.length])).toEqual([[1, 1]])
    worker.postMessage({ kind: "files", inputs: [{ file: "/nowhere" }] } satisfies Task)
    expect((await next())?.parts?.[0]?.unreadable).toBe("there is no such file")
  })

  it("gives back the buffer that it was handed", async () => {
    const { worker, next } = thread()
    await next()
    const task = bytesTask(`${line(1)}\n${line(2)}\n`)
    worker.postMessage(task, [task.buffer])
    const answer = await next()
    expect(answer?.parts?.[0]?.documents).toBe(2)
    expect(answer?.buffer?.byteLength).toBe(task.length)
  })
})

describe("a pool", () => {
  function pool(threads: number, program = PROGRAM) {
    const released: ArrayBuffer[] = []
    const made = createPool(
      SETTINGS,
      threads,
      program,
      (buffer) => released.push(buffer),
      // As in a run: without a turn of the event loop no thread could ever answer.
      () => turn(),
    )
    onTestFinished(() => made.close())
    return { ...made, run: made.run, room: () => made.room, released }
  }

  it("of one thread stays alone", async () => {
    const { grow, room } = pool(1)
    const before = room()
    await grow()
    expect(room()).toBe(before)
  })

  it("has room for more tasks when it has grown", async () => {
    const { grow, room } = pool(3)
    const before = room()
    await grow()
    expect(room()).toBe(3 * before)
  })

  it("does every task once, and gives every buffer back", async () => {
    const { grow, run, released } = pool(3)
    await grow()
    const tasks = Array.from({ length: 40 }, (_, number) => bytesTask(`${line(number)}\n`.repeat(number)))
    const parts = await Promise.all(tasks.map((task) => run(task)))
    expect(parts.map(([part]) => part?.documents)).toEqual(tasks.map((_, number) => number))
    expect(released).toHaveLength(40)
  })

  it("works alone when no thread can be started", async () => {
    const { grow, run } = pool(2, new URL("file:///nowhere/worker.cjs"))
    await grow()
    const parts = await Promise.all(Array.from({ length: 20 }, () => run(bytesTask(`${line(1)}\n`))))
    expect(parts).toHaveLength(20)
  })

  it("fails the tasks of a thread that breaks", async () => {
    const breaking = `import { parentPort } from "node:worker_threads"
      parentPort.on("message", () => { throw new Error("broken") })
      parentPort.postMessage({})`
    const { grow, run } = pool(2, new URL(`data:text/javascript,${encodeURIComponent(breaking)}`))
    await grow()
    // Those that the thread was handed, sooner or later, since it says that it is ready.
    const tasks = async () => {
      for (;;) await Promise.all([run(bytesTask("x\n")), run(bytesTask("y\n"))])
    }
    await expect(tasks()).rejects.toThrow("broken")
  })
})
