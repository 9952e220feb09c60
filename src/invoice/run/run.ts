/** Checks many documents: parts come in the order of the inputs, in constant memory. */
import { setImmediate as turn } from "node:timers/promises"
import { findProgram } from "../../base/assets.ts"
import type { Clock } from "../../base/ports.ts"
import { reasonOf } from "../../base/system.ts"
import { isGzip, openStream, unzipStream } from "../../output/index.ts"
import { createChecker, createPart, type PartOfFile, shiftPart } from "../check.ts"
import type { CheckSettings } from "../checked.ts"
import { findShapeSoFar } from "../documents.ts"
import { type Input, isStdin } from "../sources/files.ts"
import { createReader } from "../sources/reading.ts"
import { checkPieces } from "./pieces.ts"
import { createThreads } from "./threads.ts"

interface RunOptions {
  check: CheckSettings
  jobs: number
  stdin: (signal: AbortSignal) => AsyncIterable<Uint8Array>
  clock: Clock
  signal: AbortSignal
  /** The program of a further thread. */
  program?: URL | string
  /** Bytes of a file that a thread checks at once, at most. */
  rangeBytes?: number
}

/** Bytes of small files that are reported at a time. */
const BATCH = 2 ** 20
/** Lines of a stream wait this long (ms) for more, so that slow input is checked as it arrives. */
const LINGER_MS = 20
/** After this much work (ms) the main thread looks for answers of other threads, for input, and for Ctrl-C. */
const YIELD_MS = 2

/** Checks all inputs. Input that is read in pieces comes in several parts; findings and indexes count from the file's start. */
export async function* checkInputs(
  inputs: Iterable<Input>,
  options: RunOptions,
): AsyncGenerator<PartOfFile[]> {
  const { check, clock, signal } = options
  let yieldedAt = clock.now()
  async function yieldToEventLoop(): Promise<void> {
    if (clock.now() - yieldedAt < YIELD_MS) return
    await turn()
    yieldedAt = clock.now()
    signal.throwIfAborted()
  }
  const checker = createChecker(check, yieldToEventLoop)
  const read = createReader(check.input)
  const program = options.program ?? findProgram("dist/invoice-worker.cjs")
  const threads = createThreads(checker, check, options.jobs, program, options.rangeBytes)

  /** The part of a small file; or the parts of one that is read in pieces. */
  async function checkInput(input: Input): Promise<PartOfFile | AsyncGenerator<PartOfFile>> {
    const { file } = input
    const part = createPart(file)
    if (input.unreadable !== undefined) return { ...part, unreadable: input.unreadable }
    if (input.isEmpty) return part
    if (input.stream) return checkStream(file)
    let content: ReturnType<typeof read>
    try {
      content = read(file)
    } catch (error) {
      return { ...part, unreadable: reasonOf(error) }
    }
    if ("lines" in content) return threads.check(file, content.lines)
    return isGzip(content) ? checkStream(file) : checker.whole(file, content)
  }

  async function* checkStream(file: string): AsyncGenerator<PartOfFile> {
    // A stream that is not read to its end would keep the process alive.
    const left = new AbortController()
    const until = AbortSignal.any([signal, left.signal])
    const open = async () => unzipStream(isStdin(file) ? options.stdin(until) : await openStream(file, until))
    try {
      yield* checkPieces(checker, file, open, {
        findShape: (bytes) => findShapeSoFar(file, bytes, check.input),
        wait: (waits) => clock.sleep(LINGER_MS, waits),
      })
    } finally {
      left.abort()
    }
  }

  try {
    let batch: PartOfFile[] = []
    let bytes = 0
    for (const input of inputs) {
      signal.throwIfAborted()
      const checked = await checkInput(input)
      if (!(Symbol.asyncIterator in checked)) {
        batch.push(checked)
        bytes += checked.bytes
        if (bytes < BATCH) continue
        yield batch
      } else {
        yield batch
        const shift = createShift()
        for await (const part of checked) {
          signal.throwIfAborted()
          yield [shift(part)]
        }
      }
      batch = []
      bytes = 0
    }
    yield batch
  } finally {
    await threads.close()
  }
}

/** @returns moves each part of a file behind those that it was given before */
function createShift(): (part: PartOfFile) => PartOfFile {
  const before = { lines: 0, documents: 0, bytes: 0 }
  return (part) => {
    shiftPart(part, before.lines, before.documents, before.bytes)
    before.lines += part.lines
    before.documents += part.documents
    before.bytes += part.bytes
    return part
  }
}
