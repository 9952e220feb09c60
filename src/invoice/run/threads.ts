/** Checks a large file of lines in several threads, including the main one. */
import { on } from "node:events"
import type { Worker } from "node:worker_threads"
import { reasonOf } from "../../base/system.ts"
import { type Checker, createPart, type PartOfFile } from "../check.ts"
import type { CheckSettings } from "../checked.ts"
import { cutAtLines, type FileRange } from "../sources/reading.ts"
import { checkRange } from "./pieces.ts"

/**
 * Bytes that a thread checks at once, at most. What the others find waits in memory until the ranges before are done.
 * A file that is not larger is checked sooner than further threads have started and warmed up.
 */
const RANGE_BYTES = 2 ** 25

interface Threads {
  /** The parts of a file of lines, with positions in the part. */
  check(file: string, size: number): AsyncGenerator<PartOfFile>
  close(): Promise<void>
}

/**
 * @param checker of the main thread
 * @param jobs maximum number of threads
 * @param program code of the other threads: a file, or source text
 * @param rangeBytes maximum size of the range that a thread checks at once
 */
export function createThreads(
  checker: Checker,
  settings: CheckSettings,
  jobs: number,
  program: URL | string,
  rangeBytes = RANGE_BYTES,
): Threads {
  const workers = new Set<Worker>()
  /** Workers that have answered. */
  const started = new WeakSet<Worker>()

  async function startWorkers(): Promise<void> {
    const { Worker } = await import("node:worker_threads")
    while (workers.size < jobs - 1) {
      const worker = new Worker(program, { workerData: settings, eval: typeof program === "string" })
      worker.on("error", () => workers.delete(worker))
      workers.add(worker)
    }
  }

  /** Starts at once. If a thread cannot be started, the main thread does its work. */
  function checkElsewhere(worker: Worker, range: FileRange): AsyncGenerator<PartOfFile> {
    const messages = on(worker, "message")
    worker.postMessage(range)
    return (async function* () {
      try {
        for await (const [part] of messages) {
          started.add(worker)
          if (part === undefined) return
          yield part
        }
      } catch (error) {
        if (started.has(worker)) throw error
        yield* checkRange(checker, range)
      }
    })()
  }

  return {
    async *check(file, size) {
      if (size > rangeBytes) await startWorkers()
      const threads = workers.size + 1
      let ranges: FileRange[]
      try {
        ranges = cutAtLines(file, size, threads * Math.ceil(size / (threads * rangeBytes)))
      } catch (error) {
        yield { ...createPart(file), unreadable: reasonOf(error) }
        return
      }
      while (ranges.length > 0) {
        const [first, ...others] = ranges.splice(0, workers.size + 1)
        const free = [...workers]
        const found = others.flatMap((range, index) =>
          free[index] ? [checkElsewhere(free[index], range)] : [],
        )
        if (first) yield* checkRange(checker, first)
        for (const parts of found) yield* parts
      }
    },
    async close() {
      await Promise.all([...workers].map((worker) => worker.terminate()))
    },
  }
}
