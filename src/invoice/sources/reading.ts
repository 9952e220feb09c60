/** Files into memory that is used again, whole or by ranges of lines. */
import { Buffer } from "node:buffer"
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { isGzip } from "../../terminal/unzip.ts"
import { type InputKind, type Shape, findShapeSoFar } from "../documents.ts"

/** Bytes of lines that one thread checks at a time: enough to make the hand-over cheap, few enough for the cache. */
export const PIECE = 2 ** 18
/** A file of lines larger than this is checked by pieces. */
const LARGE = 4 * PIECE
/** Longer than any text can be: who decodes it says that it is too large. */
export const LONGEST_LINE = 2 ** 29 + 2 ** 16
const LONGEST_FILE = 2 ** 31 - 1
/** A range is read with so much of what follows, where its last line probably ends. */
const BEYOND = 2 ** 16
/** Few files are larger. */
const USUAL = 2 ** 18
const LINE_FEED = 10

/** The lines that start in a range. */
interface LineRange {
  bytes: Buffer
  /** Bytes of the range before the first of these. */
  skipped: number
  /** How many lines end in the range before the first of these. */
  before: number
  /** How many lines end in the range. */
  lines: (ending: number) => number
}

function withFile<T>(file: string, read: (fd: number) => T): T {
  const fd = openSync(file, "r")
  try {
    return read(fd)
  } finally {
    closeSync(fd)
  }
}

/** What it reads is valid until it reads again: files are read into the same memory, one after the other. */
export class Reader {
  readonly #input: InputKind | undefined
  readonly #memory = Buffer.allocUnsafeSlow(2 * PIECE)

  /** @param input what all files hold, where a person said so */
  constructor(input?: InputKind) {
    this.#input = input
  }

  /**
   * A whole plain file; or, of many lines, how large it is. Of a packed file only its start.
   * @throws what the file system says
   */
  whole(file: string): Buffer | { lines: number } {
    return withFile(file, (fd) => {
      const start = this.#read(fd, USUAL, 0)
      if (start.length < USUAL || isGzip(start)) return start
      const { size } = fstatSync(fd)
      if (size > LARGE && findShapeSoFar(file, this.#read(fd, PIECE, 0), this.#input) === "lines")
        return { lines: size }
      if (size > LONGEST_FILE)
        throw new Error("it has more than 2 GB; only files with one document on each line can be so large")
      return this.#read(fd, Math.max(size, USUAL), 0)
    })
  }

  /** The lines that start at `start` or later, and before `end`. The last may reach far beyond. @throws as `whole` */
  range(file: string, start: number, end: number): LineRange {
    return withFile(file, (fd) => {
      // The byte before tells whether a line starts at the very start.
      const from = Math.max(0, start - 1)
      const last = end - 1 - from
      let bytes = this.#read(fd, last + 1 + BEYOND, from)
      const found = start === 0 ? -1 : bytes.indexOf(LINE_FEED)
      const first = found + 1
      if (first > last || (start > 0 && found < 0)) {
        const ends = bytes[last] === LINE_FEED ? 1 : 0
        return { bytes: bytes.subarray(0, 0), skipped: 0, before: 0, lines: () => ends }
      }
      let stop = bytes.indexOf(LINE_FEED, last)
      for (let size = last + 1 + BEYOND; stop < 0 && bytes.length === size && size < LONGEST_LINE; ) {
        size *= 2
        bytes = this.#read(fd, size, from)
        stop = bytes.indexOf(LINE_FEED, last)
      }
      const before = found > 0 ? 1 : 0
      // A line that ends beyond the range is counted by the range that it ends in.
      const beyond = stop > last ? 1 : 0
      return {
        bytes: bytes.subarray(first, stop < 0 ? bytes.length : stop + 1),
        skipped: from + first - start,
        before,
        lines: (ending) => before + ending - beyond,
      }
    })
  }

  /** As many bytes as there are, up to `size`. */
  #read(fd: number, size: number, from: number): Buffer {
    const buffer = size <= this.#memory.length ? this.#memory : Buffer.allocUnsafeSlow(size)
    let length = readSync(fd, buffer, 0, size, from)
    // A short read of a plain file is its end, save that none gives more than 2 GB.
    for (let count = length; count > 0 && length < size && length >= PIECE; length += count)
      count = readSync(fd, buffer, length, size - length, from + length)
    return buffer.subarray(0, length)
  }
}

interface Piece {
  buffer: ArrayBuffer
  length: number
  /** All there is, of whatever shape; otherwise some whole lines. */
  whole: boolean
}

interface CutOptions {
  /** What the stream holds, where a person said so. */
  input?: InputKind | undefined
  /** Gives a buffer of `size` bytes. */
  take: () => ArrayBuffer
  /** Waits as long as lines may that could be checked; rejects when the signal is aborted. */
  wait: (signal: AbortSignal) => Promise<void>
  /** Bytes of a piece, unless a line is longer. */
  size?: number
}

const LATE = "late"

/**
 * Lines are handed on in pieces, in constant memory: when a piece is full, or when lines have waited; one document or
 * one list only when it is all there. Of a stream that breaks off the whole lines come before the error.
 * @throws what the stream throws; Error when a line, or what is not lines, is longer than a text can be
 */
export async function* cutIntoPieces(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  { input, take, wait, size = PIECE }: CutOptions,
): AsyncGenerator<Piece> {
  let bytes: Buffer<ArrayBuffer> = Buffer.from(take())
  let length = 0
  let shape: Shape | undefined
  let late: Promise<typeof LATE> | undefined
  const waits = new AbortController()

  /** Where the lines end that are whole. */
  const findCut = () => (shape === "lines" && length > 0 ? bytes.lastIndexOf(LINE_FEED, length - 1) + 1 : 0)
  /** The bytes up to there; the rest moves to a new buffer. */
  function takePiece(end: number): Piece {
    const full = bytes
    bytes = length - end < size ? Buffer.from(take()) : allocateTwice(length - end)
    length = full.copy(bytes, 0, end, length)
    return { buffer: full.buffer, length: end, whole: false }
  }

  const source = chunks[Symbol.asyncIterator]()
  try {
    for (let next = source.next(); ; ) {
      const came = await (late ? Promise.race([next, late]) : next)
      if (came === LATE) {
        late = undefined
        const end = findCut()
        if (end > 0) yield takePiece(end)
        continue
      }
      if (came.done) break
      const chunk = came.value
      for (let done = 0; done < chunk.length; ) {
        const copied = Math.min(chunk.length - done, bytes.length - length)
        bytes.set(chunk.subarray(done, done + copied), length)
        done += copied
        length += copied
        // Without a line's end nothing new can be told, and a long line is not looked through again and again.
        if (!shape && (length <= chunk.length || chunk.includes(LINE_FEED)))
          shape = findShapeSoFar(file, bytes.subarray(0, length), input)
        if (length < bytes.length) continue
        const end = findCut()
        if (end > 0) yield takePiece(end)
        else {
          const full = bytes
          bytes = allocateTwice(full.length)
          full.copy(bytes)
        }
      }
      if (!late && chunk.includes(LINE_FEED) && findCut() > 0) late = waitForMore()
      next = source.next()
    }
  } catch (error) {
    const end = findCut()
    if (end > 0) yield takePiece(end)
    throw error
  } finally {
    waits.abort()
  }
  // What never filled a buffer is small enough to be checked as a whole.
  if (length > 0 || shape !== "lines") yield { buffer: bytes.buffer, length, whole: shape !== "lines" }

  function waitForMore(): Promise<typeof LATE> {
    const over = (): typeof LATE => LATE
    return wait(waits.signal).then(over, over)
  }
}

function allocateTwice(size: number): Buffer<ArrayBuffer> {
  if (size >= LONGEST_LINE)
    throw new Error("it has more than 512 MB without a break; give one document on each line")
  return Buffer.from(new ArrayBuffer(Math.min(2 * size, LONGEST_LINE)))
}
