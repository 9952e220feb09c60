/** Many documents over all cores: parts come in the order of the inputs, in constant memory. */
import { createReadStream } from "node:fs"
import { fileTrouble } from "../terminal/files.ts"
import { type CheckSettings, emptyPart, type Part, shift } from "./documents.ts"
import { createPool } from "./run-pool.ts"
import type { Task } from "./run-tasks.ts"
import { type Input, STDIN } from "./sources.ts"
import { PIECE } from "./sources-reader.ts"
import { piecesOf } from "./sources-stream.ts"

export interface RunOptions {
  check: CheckSettings
  /** Threads at most. */
  jobs: number
  stdin: (signal: AbortSignal) => AsyncIterable<Uint8Array>
  /** Milliseconds, of any clock. */
  now: () => number
  signal: AbortSignal
  /** The program of a further thread. */
  program?: URL
}

/** Files that one thread checks at a time. */
const BATCH = 32
/** From so many files, or after so many milliseconds, further threads are worth their start. */
const MANY = 200
const LONG_MS = 50

/**
 * Checks all inputs, some at a time. A file of several documents may come in several parts; findings and indexes count from its start.
 * @throws the reason of `signal` when it is aborted
 */
export async function* checked(inputs: Iterable<Input>, options: RunOptions): AsyncGenerator<Part[]> {
  const free: ArrayBuffer[] = []
  const pool = createPool(
    options.check,
    options.jobs,
    options.program ?? new URL("./invoice-worker.cjs", import.meta.url),
    (buffer) => {
      if (buffer.byteLength === PIECE) free.push(buffer)
    },
  )
  const began = options.now()

  async function* inOrder(tasks: AsyncIterable<Task> | Iterable<Task>): AsyncGenerator<Part[]> {
    const waiting: Promise<Part[]>[] = []
    for await (const task of tasks) {
      options.signal.throwIfAborted()
      if (options.now() - began > LONG_MS) await pool.grow()
      const parts = pool.run(task)
      // A failure is thrown when its turn comes.
      parts.catch(() => {})
      waiting.push(parts)
      while (waiting.length >= pool.room) yield (await waiting.shift()) ?? []
    }
    for (const parts of waiting) yield await parts
  }

  async function* batches(): AsyncGenerator<Task> {
    let batch: Input[] = []
    let files = 0
    for (const input of inputs) {
      if (++files === MANY) await pool.grow()
      if (batch.push(input) < BATCH) continue
      yield { kind: "files", inputs: batch }
      batch = []
    }
    if (batch.length > 0) yield { kind: "files", inputs: batch }
  }

  /** The pieces of a stream; what breaks it off is told at its end. */
  async function* pieces(file: string, told: { trouble?: string }): AsyncGenerator<Task> {
    const { signal } = options
    const chunks = file === STDIN ? options.stdin(signal) : createReadStream(file, { signal })
    try {
      for await (const piece of piecesOf(file, chunks, () => free.pop() ?? new ArrayBuffer(PIECE)))
        yield { kind: "bytes", file, ...piece }
    } catch (error) {
      signal.throwIfAborted()
      told.trouble = fileTrouble(error)
    }
  }

  async function* rest(file: string, of: NonNullable<Part["rest"]>): AsyncGenerator<Part[]> {
    const told: { trouble?: string } = {}
    let tasks: AsyncIterable<Task> | Iterable<Task> = pieces(file, told)
    if (of !== "stream") {
      await pool.grow()
      tasks = ranges(file, of.lines)
    }
    let lines = 0
    let documents = 0
    for await (const parts of inOrder(tasks)) {
      for (const part of parts) {
        shift(part, lines, documents)
        lines += part.lines
        documents += part.documents
      }
      yield parts
    }
    if (told.trouble !== undefined) yield [{ ...emptyPart(file), trouble: told.trouble }]
  }

  try {
    for await (const parts of inOrder(batches())) {
      let from = 0
      for (const [at, part] of parts.entries()) {
        if (!part.rest) continue
        yield parts.slice(from, at)
        yield* rest(part.file, part.rest)
        from = at + 1
      }
      yield parts.slice(from)
    }
  } finally {
    await pool.close()
  }
}

function* ranges(file: string, size: number): Generator<Task> {
  for (let start = 0; start < size; start += PIECE)
    yield { kind: "range", file, start, end: Math.min(size, start + PIECE) }
}
