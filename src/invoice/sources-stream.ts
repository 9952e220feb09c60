/** A stream cut into pieces that threads can check. */
import { Buffer } from "node:buffer"
import { type Shape, shapeOf } from "./documents-shape.ts"
import { LONGEST_LINE, PIECE } from "./sources-reader.ts"

export interface Piece {
  buffer: ArrayBuffer
  length: number
  /** All there is, of whatever shape; otherwise some whole lines. */
  whole: boolean
}

/**
 * Lines are handed on in pieces, in constant memory; one document or one list only when it is all there.
 * @param take gives a buffer of `PIECE` bytes
 * @throws Error when a line, or what is not lines, is longer than a text can be
 */
export async function* piecesOf(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  take: () => ArrayBuffer,
): AsyncGenerator<Piece> {
  let bytes: Buffer<ArrayBuffer> = Buffer.from(take())
  let length = 0
  let shape: Shape | undefined
  for await (const chunk of chunks) {
    for (let done = 0; done < chunk.length; ) {
      const copied = Math.min(chunk.length - done, bytes.length - length)
      bytes.set(chunk.subarray(done, done + copied), length)
      done += copied
      length += copied
      if (length < bytes.length) continue
      shape ??= shapeOf(file, bytes)
      const cut = shape === "lines" ? bytes.lastIndexOf(10) + 1 : 0
      const full = bytes
      bytes = cut > 0 && length - cut < PIECE ? Buffer.from(take()) : larger(bytes.length)
      length = full.copy(bytes, 0, cut)
      if (cut > 0) yield { buffer: full.buffer, length: cut, whole: false }
    }
  }
  // What never filled a buffer is small enough to be checked as a whole.
  if (length > 0 || shape !== "lines") yield { buffer: bytes.buffer, length, whole: shape !== "lines" }
}

function larger(size: number): Buffer<ArrayBuffer> {
  if (size > LONGEST_LINE)
    throw new Error("it has more than 512 MB without a break; give one document on each line")
  return Buffer.from(new ArrayBuffer(size * 2))
}
