/** Threads that share the work. The main thread is one of them, and works alone until more are worth their start. */
import type { Worker } from "node:worker_threads"
import type { CheckSettings, Part } from "./documents.ts"
import { createTasks, type Task } from "./run-tasks.ts"

interface Pool {
  /** How many tasks may be under way, done ones that wait for their turn included. */
  readonly room: number
  run(task: Task): Promise<Part[]>
  /** From now on all threads are used. */
  grow(): Promise<void>
  close(): Promise<void>
}

/** What a thread answers; the first answer, without parts, says that it is ready. */
export interface Answer {
  parts?: Part[]
  /** A stream's buffer that may be filled again. */
  buffer?: ArrayBuffer
}

interface Job {
  task: Task
  resolve(parts: Part[]): void
  reject(error: unknown): void
}

interface Thread {
  worker: Worker
  ready: boolean
  jobs: Job[]
}

/** Tasks that a thread holds, so that it need not wait for the next one. */
const AHEAD = 2
const ROOM_PER_THREAD = 4

/**
 * @param threads how many at most, the main one included
 * @param program the file that a thread runs
 * @param release takes back the buffer of a stream's piece
 * @param breathe lets the main thread do other things in the middle of its work; what it throws ends the work
 */
export function createPool(
  settings: CheckSettings,
  threads: number,
  program: URL,
  release: (buffer: ArrayBuffer) => void,
  breathe: () => Promise<void>,
): Pool {
  const perform = createTasks(settings, breathe)
  const queue: Job[] = []
  const others: Thread[] = []
  let working = false

  async function work(): Promise<void> {
    if (working) return
    working = true
    for (let job = queue.shift(); job; job = queue.shift()) {
      const { task, resolve, reject } = job
      await perform(task).then(resolve, reject)
      if (task.kind === "bytes") release(task.buffer)
      await breathe().catch(() => {})
    }
    working = false
  }

  function deal(): void {
    for (let held = 0; held < AHEAD; held++)
      for (const thread of others) {
        if (!thread.ready || thread.jobs.length > held) continue
        const job = queue.shift()
        if (!job) return
        thread.jobs.push(job)
        thread.worker.postMessage(job.task, job.task.kind === "bytes" ? [job.task.buffer] : [])
      }
    void work()
  }

  function answered(thread: Thread, { parts, buffer }: Answer): void {
    thread.ready = true
    if (buffer) release(buffer)
    if (parts) thread.jobs.shift()?.resolve(parts)
    deal()
  }

  return {
    get room() {
      return ROOM_PER_THREAD * (others.length + 1)
    },
    run: (task) =>
      new Promise((resolve, reject) => {
        queue.push({ task, resolve, reject })
        deal()
      }),
    async grow() {
      if (threads < 2 || others.length > 0) return
      const { Worker } = await import("node:worker_threads")
      while (others.length < threads - 1) {
        const worker = new Worker(program, { workerData: settings })
        const thread: Thread = { worker, ready: false, jobs: [] }
        others.push(thread)
        worker.on("message", (answer: Answer) => answered(thread, answer))
        worker.on("error", (error) => {
          for (const job of thread.jobs.splice(0)) job.reject(error)
          thread.ready = false
        })
      }
    },
    async close() {
      await Promise.all(others.map(({ worker }) => worker.terminate()))
    },
  }
}
