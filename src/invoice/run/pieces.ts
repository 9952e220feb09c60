/** Checks input in pieces: a stream, or whole lines of a large file. */
import { createReadStream } from "node:fs"
import { reasonOf } from "../../base/system.ts"
import { type Checker, createPart, type PartOfFile } from "../check.ts"
import { cutIntoPieces, type CutOptions, type FileRange, PIECE } from "../sources/reading.ts"

/**
 * @returns a part for each piece as it comes, with positions in the piece. Why the stream cannot be opened, or breaks
 * off, is in the last part and not thrown.
 */
export async function* checkPieces(
  checker: Checker,
  file: string,
  open: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
  options: CutOptions,
): AsyncGenerator<PartOfFile> {
  let unreadable: string | undefined
  async function* readPieces() {
    try {
      yield* cutIntoPieces(await open(), options)
    } catch (error) {
      unreadable = reasonOf(error)
    }
  }
  for await (const { bytes, whole } of readPieces()) yield checker[whole ? "whole" : "lines"](file, bytes)
  if (unreadable !== undefined) yield { ...createPart(file), unreadable }
}

export function checkRange(checker: Checker, { file, start, end }: FileRange): AsyncGenerator<PartOfFile> {
  const open = () => createReadStream(file, { start, end: end - 1, highWaterMark: PIECE })
  return checkPieces(checker, file, open, { findShape: () => "lines" })
}
