/** Many documents over all cores: parts come in the order of the inputs, in constant memory. */
import { setImmediate as turn } from "node:timers/promises"
import { findProgram } from "../../assets.ts"
import type { Clock } from "../../ports.ts"
import { reasonOf } from "../../system.ts"
import { type CheckSettings, createPart, type PartOfFile, shiftPart } from "../check.ts"
import { createPool, type Task } from "./pool.ts"
import { type Input, isStdin } from "../sources/files.ts"
import { PIECE, cutIntoPieces } from "../sources/reading.ts"
import { openStream } from "../../terminal/open-stream.ts"
import { unzipStream } from "../../terminal/unzip.ts"

interface RunOptions {
  check: CheckSettings
  /** Threads at most. */
  jobs: number
  stdin: (signal: AbortSignal) => AsyncIterable<Uint8Array>
  clock: Clock
  signal: AbortSignal
  /** The program of a further thread. */
  program?: URL | string
}

/** Files that one thread checks at a time. */
const BATCH = 256
/**
 * A further thread has to start and to warm up, at the cost of the one that works: it is worth that after so many
 * milliseconds, or for a file of so many bytes. (5,000 files on two cores: 1.0 s by one thread, 1.4 s by two.)
 */
const LONG_MS = 1000
const MANY_BYTES = 128 * PIECE
/** So long lines of a stream wait for more of them, so that what comes slowly is checked as it comes. */
const LINGER_MS = 20
/** After so many milliseconds of work the main thread looks for answers of the others, for input, and for Ctrl-C. */
const YIELD_MS = 2

/**
 * Checks all inputs, some at a time. A file of several documents may come in several parts; findings and indexes count from its start.
 * @throws the reason of `signal` when it is aborted
 */
export async function* checkInputs(
  inputs: Iterable<Input>,
  options: RunOptions,
): AsyncGenerator<PartOfFile[]> {
  const { clock, signal } = options
  const free: ArrayBuffer[] = []
  const program = options.program ?? findProgram("dist/invoice-worker.cjs")
  const began = clock.now()
  let yieldedAt = began
  const pool = createPool(
    options.check,
    options.jobs,
    program,
    (buffer) => {
      if (buffer.byteLength === PIECE) free.push(buffer)
    },
    async () => {
      if (clock.now() - yieldedAt < YIELD_MS) return
      await turn()
      yieldedAt = clock.now()
      signal.throwIfAborted()
    },
  )

  /** Passes on what is done while the next task is awaited. */
  async function* runInOrder(tasks: AsyncGenerator<Task>): AsyncGenerator<PartOfFile[]> {
    const waiting: Promise<PartOfFile[]>[] = []
    let next: Promise<IteratorResult<Task>> | undefined = handleLater(tasks.next())
    while (next || waiting.length > 0) {
      const hasRoom = waiting.length < pool.room
      const came = await Promise.race([...(next && hasRoom ? [next] : []), ...waiting.slice(0, 1)])
      signal.throwIfAborted()
      if (Array.isArray(came)) {
        waiting.shift()
        yield came
      } else if (came.done) next = undefined
      else {
        if (clock.now() - began > LONG_MS) await pool.grow()
        waiting.push(handleLater(pool.run(came.value)))
        next = handleLater(tasks.next())
      }
    }
  }

  async function* createBatches(): AsyncGenerator<Task> {
    let batch: Input[] = []
    for (const input of inputs) {
      if (batch.push(input) < BATCH) continue
      yield { kind: "files", inputs: batch }
      batch = []
    }
    if (batch.length > 0) yield { kind: "files", inputs: batch }
  }

  /** The pieces of a stream; why it broke off is in `told`. */
  async function* createPieces(
    file: string,
    told: { unreadable?: string },
    until: AbortSignal,
  ): AsyncGenerator<Task> {
    const cut = {
      input: options.check.input,
      take: () => free.pop() ?? new ArrayBuffer(PIECE),
      wait: (waits: AbortSignal) => clock.sleep(LINGER_MS, waits),
    }
    try {
      const chunks = isStdin(file) ? options.stdin(until) : await openStream(file, until)
      for await (const piece of cutIntoPieces(file, unzipStream(chunks), cut))
        yield { kind: "bytes", file, ...piece }
    } catch (error) {
      told.unreadable = reasonOf(error)
    }
  }

  async function* runRest(file: string, of: NonNullable<PartOfFile["rest"]>): AsyncGenerator<PartOfFile[]> {
    if (of !== "stream" && "later" in of) return yield* runAll(createSingles(of.later))
    const told: { unreadable?: string } = {}
    // A stream that is not read to its end would keep the process alive.
    const left = new AbortController()
    if (of !== "stream" && of.lines > MANY_BYTES) await pool.grow()
    const tasks =
      of === "stream"
        ? createPieces(file, told, AbortSignal.any([signal, left.signal]))
        : createRanges(file, of.lines)
    let lines = 0
    let documents = 0
    let bytes = 0
    try {
      for await (const parts of runInOrder(tasks)) {
        for (const part of parts) {
          shiftPart(part, lines, documents, bytes)
          lines += part.lines
          documents += part.documents
          bytes += part.bytes
        }
        yield parts
      }
    } finally {
      left.abort()
    }
    if (told.unreadable !== undefined) yield [{ ...createPart(file), unreadable: told.unreadable }]
  }

  /** What was not checked yet is, in its turn. */
  async function* runAll(tasks: AsyncGenerator<Task>): AsyncGenerator<PartOfFile[]> {
    for await (const parts of runInOrder(tasks)) {
      let from = 0
      for (const [at, part] of parts.entries()) {
        if (!part.rest) continue
        yield parts.slice(from, at)
        yield* runRest(part.file, part.rest)
        from = at + 1
      }
      yield parts.slice(from)
    }
  }

  try {
    yield* runAll(createBatches())
  } finally {
    await pool.close()
  }
}

async function* createSingles(inputs: readonly Input[]): AsyncGenerator<Task> {
  for (const input of inputs) yield { kind: "files", inputs: [input] }
}

/** An error is thrown when its turn comes; until then it counts as handled. */
function handleLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

async function* createRanges(file: string, size: number): AsyncGenerator<Task> {
  for (let start = 0; start < size; start += PIECE)
    yield { kind: "range", file, start, end: Math.min(size, start + PIECE) }
}
