/** A stream cut into pieces that threads can check. */
import { Buffer } from "node:buffer"
import { type InputKind, type Shape, shapeSoFar } from "./documents-shape.ts"
import { LONGEST_LINE, PIECE } from "./sources-reader.ts"

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

const LINE_FEED = 10
const LATE = "late"

/**
 * Lines are handed on in pieces, in constant memory: when a piece is full, or when lines have waited; one document or
 * one list only when it is all there. Of a stream that breaks off the whole lines come before the error.
 * @throws what the stream throws; Error when a line, or what is not lines, is longer than a text can be
 */
export async function* piecesOf(
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
  const cut = () => (shape === "lines" && length > 0 ? bytes.lastIndexOf(LINE_FEED, length - 1) + 1 : 0)
  /** The bytes up to there; the rest moves to a new buffer. */
  function pieceTo(end: number): Piece {
    const full = bytes
    bytes = length - end < size ? Buffer.from(take()) : twice(length - end)
    length = full.copy(bytes, 0, end, length)
    return { buffer: full.buffer, length: end, whole: false }
  }

  const source = chunks[Symbol.asyncIterator]()
  try {
    for (let next = source.next(); ; ) {
      const came = await (late ? Promise.race([next, late]) : next)
      if (came === LATE) {
        late = undefined
        const end = cut()
        if (end > 0) yield pieceTo(end)
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
          shape = shapeSoFar(file, bytes.subarray(0, length), input)
        if (length < bytes.length) continue
        const end = cut()
        if (end > 0) yield pieceTo(end)
        else {
          const full = bytes
          bytes = twice(full.length)
          full.copy(bytes)
        }
      }
      if (!late && chunk.includes(LINE_FEED) && cut() > 0) late = lateness()
      next = source.next()
    }
  } catch (error) {
    const end = cut()
    if (end > 0) yield pieceTo(end)
    throw error
  } finally {
    waits.abort()
  }
  // What never filled a buffer is small enough to be checked as a whole.
  if (length > 0 || shape !== "lines") yield { buffer: bytes.buffer, length, whole: shape !== "lines" }

  function lateness(): Promise<typeof LATE> {
    const over = (): typeof LATE => LATE
    return wait(waits.signal).then(over, over)
  }
}

function twice(size: number): Buffer<ArrayBuffer> {
  if (size >= LONGEST_LINE)
    throw new Error("it has more than 512 MB without a break; give one document on each line")
  return Buffer.from(new ArrayBuffer(Math.min(2 * size, LONGEST_LINE)))
}
