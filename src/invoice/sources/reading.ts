/** Whole files into memory that is used again, and streams in pieces. */
import { Buffer } from "node:buffer"
import { closeSync, fstatSync, readSync } from "node:fs"
import { openToRead } from "../../base/system.ts"
import { isGzip } from "../../output/index.ts"
import { type InputKind, type Shape, findShapeSoFar } from "../documents.ts"

/** Bytes of lines that are checked at a time. */
export const PIECE = 2 ** 18
/** A file of lines larger than this is checked by pieces. */
const LARGE = 4 * PIECE
/** Longer than any text can be: decoding it reports that it is too large. */
const MAX_LINE_LENGTH = 2 ** 29 + 2 ** 16
const MAX_FILE_BYTES = 2 ** 31 - 1
const LINE_FEED = 10

function withFile<T>(file: string, read: (fd: number) => T): T {
  const fd = openToRead(file)
  try {
    return read(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * @param input what all files hold, if a person said so
 * @returns a function that reads a whole plain file, valid until the next is read; for a large file of lines, it
 * returns the size instead; of a packed file it reads only the start. It throws the file system's errors.
 */
export function createReader(input?: InputKind): (file: string) => Buffer | { lines: number } {
  const memory = Buffer.allocUnsafeSlow(2 * PIECE)

  /** As many bytes from the start as there are, up to `size`. */
  function read(fd: number, size: number): Buffer {
    const buffer = size <= memory.length ? memory : Buffer.allocUnsafeSlow(size)
    let length = readSync(fd, buffer, 0, size, 0)
    // A short read of a plain file is its end, save that none gives more than 2 GB.
    for (let count = length; count > 0 && length < size && length >= PIECE; length += count)
      count = readSync(fd, buffer, length, size - length, length)
    return buffer.subarray(0, length)
  }

  return (file) =>
    withFile(file, (fd) => {
      const start = read(fd, PIECE)
      if (start.length < PIECE || isGzip(start)) return start
      const { size } = fstatSync(fd)
      if (size > LARGE && findShapeSoFar(file, start, input) === "lines") return { lines: size }
      if (size > MAX_FILE_BYTES)
        throw new Error("it has more than 2 GB; only files with one document on each line can be so large")
      return read(fd, Math.max(size, PIECE))
    })
}

/** Whole lines of a file, from one byte up to another. */
export interface FileRange {
  file: string
  start: number
  end: number
}

/** Cuts a file of lines into at most this many ranges of about the same size. */
export function cutAtLines(file: string, size: number, count: number): FileRange[] {
  const step = Math.ceil(size / count)
  return withFile(file, (fd) => {
    const ranges: FileRange[] = []
    for (let start = 0; start < size; ) {
      const end = Math.min(size, findLineEnd(fd, start + step))
      ranges.push({ file, start, end })
      start = end
    }
    return ranges
  })
}

/** The end of the line with the byte before this one; the end of the file if there is none. */
function findLineEnd(fd: number, from: number): number {
  const bytes = Buffer.allocUnsafe(PIECE)
  for (let at = from - 1; ; ) {
    const count = readSync(fd, bytes, 0, bytes.length, at)
    const found = bytes.subarray(0, count).indexOf(LINE_FEED)
    if (found >= 0) return at + found + 1
    if (count === 0) return Number.POSITIVE_INFINITY
    at += count
  }
}

/** Valid until the next one is asked for. */
interface Piece {
  bytes: Buffer
  /** All there is, of whatever shape; otherwise some whole lines. */
  whole: boolean
}

export interface CutOptions {
  /** Decides the shape from the bytes read so far; undefined when more are needed. */
  findShape: (bytes: Buffer) => Shape | undefined
  /** Waits as long as lines may that could be checked; rejects when the signal is aborted. */
  wait?: (signal: AbortSignal) => Promise<void>
  /** Bytes of a piece, unless a line is longer. */
  size?: number
}

const LATE = "late"

/**
 * Passes lines on in pieces, in constant memory: when a piece is full, or when lines have waited; a single document or
 * list only when it is complete. If a stream breaks off, its complete lines come before the error.
 * @throws the stream's errors; Error when a line or a document is longer than a text can be
 */
export async function* cutIntoPieces(
  chunks: AsyncIterable<Uint8Array>,
  { findShape, wait, size = PIECE }: CutOptions,
): AsyncGenerator<Piece> {
  let bytes = Buffer.allocUnsafeSlow(size)
  let length = 0
  let shape: Shape | undefined
  let late: Promise<typeof LATE> | undefined
  const waits = new AbortController()

  /** The lines that are whole; then the rest moves to the front. */
  function* takeLines(): Generator<Piece> {
    const end = shape === "lines" && length > 0 ? bytes.lastIndexOf(LINE_FEED, length - 1) + 1 : 0
    if (end === 0) return
    yield { bytes: bytes.subarray(0, end), whole: false }
    const rest = bytes.subarray(end, length)
    if (bytes.length > size && rest.length < size) bytes = Buffer.allocUnsafeSlow(size)
    length = rest.copy(bytes)
  }

  const source = chunks[Symbol.asyncIterator]()
  try {
    for (let next = source.next(); ; ) {
      const came = await (late ? Promise.race([next, late]) : next)
      if (came === LATE) {
        late = undefined
        yield* takeLines()
        continue
      }
      if (came.done) break
      const chunk = came.value
      for (let done = 0; done < chunk.length; ) {
        const copied = Math.min(chunk.length - done, bytes.length - length)
        bytes.set(chunk.subarray(done, done + copied), length)
        done += copied
        length += copied
        // Only a line's end can change the answer: a long line is not searched again and again.
        if (!shape && (length <= chunk.length || chunk.includes(LINE_FEED)))
          shape = findShape(bytes.subarray(0, length))
        if (length < bytes.length) continue
        yield* takeLines()
        if (length === bytes.length) bytes = copyToTwice(bytes)
      }
      if (wait && !late && shape === "lines" && chunk.includes(LINE_FEED)) late = waitForMore(wait)
      next = source.next()
    }
  } catch (error) {
    yield* takeLines()
    throw error
  } finally {
    waits.abort()
  }
  // A file that never filled a buffer is small enough to be checked as a whole.
  if (length > 0 || shape !== "lines") yield { bytes: bytes.subarray(0, length), whole: shape !== "lines" }

  function waitForMore(until: NonNullable<typeof wait>): Promise<typeof LATE> {
    const over = (): typeof LATE => LATE
    return until(waits.signal).then(over, over)
  }
}

function copyToTwice(bytes: Buffer): Buffer<ArrayBuffer> {
  if (bytes.length >= MAX_LINE_LENGTH)
    throw new Error("it has more than 512 MB without a break; give one document on each line")
  const larger = Buffer.allocUnsafeSlow(Math.min(2 * bytes.length, MAX_LINE_LENGTH))
  bytes.copy(larger)
  return larger
}
