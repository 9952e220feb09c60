/** Threads that share the work. The main thread is one of them, and works alone until more are worth their start. */
import { Buffer } from "node:buffer"
import type { Worker } from "node:worker_threads"
import { isGzip } from "../../terminal/unzip.ts"
import { reasonOf } from "../../system.ts"
import { type CheckSettings, createChecker, createPart, type PartOfFile, shiftPart } from "../check.ts"
import type { Input } from "../sources/files.ts"
import { PIECE, Reader } from "../sources/reading.ts"

export type Task =
  /** Whole files, one after the other; those behind very large ones are given back. */
  | { kind: "files"; inputs: readonly Input[] }
  /** The lines of a file that start in a range of its bytes. */
  | { kind: "range"; file: string; start: number; end: number }
  /** Bytes of a stream: some of its lines, or all there is. */
  | { kind: "bytes"; file: string; buffer: ArrayBuffer; length: number; whole: boolean }

/** Bytes of files that one thread checks at a time: those behind are for another. */
const ENOUGH = 4 * PIECE

/**
 * @param yieldToEventLoop as `createChecker` takes it
 * @returns performs one task after the other; why a file cannot be read is in its part, not thrown
 */
export function createPerformer(
  settings: CheckSettings,
  yieldToEventLoop?: () => Promise<void>,
): (task: Task) => Promise<PartOfFile[]> {
  const checker = createChecker(settings, yieldToEventLoop)
  const reader = new Reader(settings.input)

  async function checkInput({ file, unreadable, stream, isEmpty }: Input): Promise<PartOfFile> {
    const part = createPart(file)
    if (unreadable !== undefined) return { ...part, unreadable }
    if (isEmpty) return part
    if (stream) return { ...part, rest: "stream" }
    const read = attempt(() => reader.whole(file))
    if ("unreadable" in read) return { ...part, ...read }
    if (!Buffer.isBuffer(read.value)) return { ...part, rest: read.value }
    return isGzip(read.value) ? { ...part, rest: "stream" } : checker.whole(file, read.value)
  }

  async function checkFiles(inputs: readonly Input[]): Promise<PartOfFile[]> {
    const parts: PartOfFile[] = []
    let bytes = 0
    for (const [index, input] of inputs.entries()) {
      if (bytes > ENOUGH) {
        parts.push({ ...createPart(input.file), rest: { later: inputs.slice(index) } })
        break
      }
      const part = await checkInput(input)
      parts.push(part)
      bytes += part.bytes
    }
    return parts
  }

  async function checkRange(file: string, start: number, end: number): Promise<PartOfFile> {
    const read = attempt(() => reader.range(file, start, end))
    if ("unreadable" in read) return { ...createPart(file, true), ...read }
    const part = await checker.lines(file, read.value.bytes)
    shiftPart(part, read.value.before, 0, read.value.skipped)
    return { ...part, lines: read.value.lines(part.lines), bytes: end - start }
  }

  return async (task) => {
    if (task.kind === "files") return checkFiles(task.inputs)
    if (task.kind === "range") return [await checkRange(task.file, task.start, task.end)]
    const bytes = Buffer.from(task.buffer, 0, task.length)
    return [await checker[task.whole ? "whole" : "lines"](task.file, bytes)]
  }
}

function attempt<T>(read: () => T): { value: T } | { unreadable: string } {
  try {
    return { value: read() }
  } catch (error) {
    return { unreadable: reasonOf(error) }
  }
}

interface Pool {
  /** How many tasks may be under way, done ones that wait for their turn included. */
  readonly room: number
  run(task: Task): Promise<PartOfFile[]>
  /** From now on all threads are used. */
  grow(): Promise<void>
  close(): Promise<void>
}

/** What a thread sends back; the first reply, without parts, says that it is ready. */
export interface Reply {
  parts?: PartOfFile[]
  /** A stream's buffer that may be filled again. */
  buffer?: ArrayBuffer
}

interface Job {
  task: Task
  resolve(parts: PartOfFile[]): void
  reject(error: unknown): void
}

interface Thread {
  worker: Worker
  isReady: boolean
  jobs: Job[]
}

/** Tasks that a thread holds, so that it need not wait for the next one. */
const AHEAD = 2
const ROOM_PER_THREAD = 4

/**
 * @param threads how many at most, the main one included
 * @param program what a thread runs: a file, or source text
 * @param release takes back the buffer of a stream's piece
 * @param yieldToEventLoop lets the main thread do other things between tasks; what it throws ends the work
 */
export function createPool(
  settings: CheckSettings,
  threads: number,
  program: URL | string,
  release: (buffer: ArrayBuffer) => void,
  yieldToEventLoop: () => Promise<void>,
): Pool {
  const perform = createPerformer(settings, yieldToEventLoop)
  const queue: Job[] = []
  const others: Thread[] = []
  let isWorking = false

  async function work(): Promise<void> {
    if (isWorking) return
    isWorking = true
    for (let job = queue.shift(); job; job = queue.shift()) {
      const { task, resolve, reject } = job
      await perform(task).then(resolve, reject)
      if (task.kind === "bytes") release(task.buffer)
      await yieldToEventLoop().catch(() => {})
    }
    isWorking = false
  }

  function assignJobs(): void {
    for (let held = 0; held < AHEAD; held++)
      for (const thread of others) {
        if (!thread.isReady || thread.jobs.length > held) continue
        const job = queue.shift()
        if (!job) return
        thread.jobs.push(job)
        thread.worker.postMessage(job.task, job.task.kind === "bytes" ? [job.task.buffer] : [])
      }
    void work()
  }

  function takeReply(thread: Thread, { parts, buffer }: Reply): void {
    thread.isReady = true
    if (buffer) release(buffer)
    if (parts) thread.jobs.shift()?.resolve(parts)
    assignJobs()
  }

  return {
    get room() {
      return ROOM_PER_THREAD * (others.length + 1)
    },
    run: (task) =>
      new Promise((resolve, reject) => {
        queue.push({ task, resolve, reject })
        assignJobs()
      }),
    async grow() {
      if (threads < 2 || others.length > 0) return
      const { Worker } = await import("node:worker_threads")
      while (others.length < threads - 1) {
        const worker = new Worker(program, { workerData: settings, eval: typeof program === "string" })
        const thread: Thread = { worker, isReady: false, jobs: [] }
        others.push(thread)
        worker.on("message", (reply: Reply) => takeReply(thread, reply))
        worker.on("error", (error) => {
          for (const job of thread.jobs.splice(0)) job.reject(error)
          thread.isReady = false
        })
      }
    },
    async close() {
      await Promise.all(others.map(({ worker }) => worker.terminate()))
    },
  }
}
