/** Makes edits, and makes one list of edits out of two that follow each other. */
import { Buffer } from "node:buffer"
import type { Edit } from "../finding.ts"

/** @param edits in order; they do not overlap */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return cutAround(edits, text.length)
    .map((piece) => ("text" in piece ? piece.text : text.slice(piece.start, piece.end)))
    .join("")
}

/** The same for bytes, whose edits count bytes. */
export function applyToBytes(bytes: Uint8Array, edits: readonly Edit[]): Buffer {
  return Buffer.concat(
    cutAround(edits, bytes.length).map((piece) =>
      "text" in piece ? Buffer.from(piece.text) : bytes.subarray(piece.start, piece.end),
    ),
  )
}

/** An unchanged stretch, by its position before the edits, or an inserted text. */
type Piece = { start: number; end: number } | { text: string }

function cutAround(edits: readonly Edit[], end: number): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  for (const { offset, length, text } of edits) {
    pieces.push({ start, end: offset }, { text })
    start = offset + length
  }
  return [...pieces, { start, end }]
}

/**
 * The edits of a text that equal `first` followed by `second`.
 * @param second edits of the result of the first ones
 * @param length of the text before any edit
 */
export function composeEdits(first: readonly Edit[], second: readonly Edit[], length: number): Edit[] {
  if (first.length === 0) return [...second]
  const take = createTaker(cutAround(first, length))
  const pieces = second.flatMap((edit): Piece[] => {
    const before = take(edit.offset)
    take(edit.offset + edit.length)
    return [...before, { text: edit.text }]
  })
  pieces.push(...take(Number.POSITIVE_INFINITY))
  const composed: Edit[] = []
  let kept = 0
  let text = ""
  for (const piece of [...pieces, { start: length, end: length }]) {
    if ("text" in piece) {
      text += piece.text
      continue
    }
    // A stretch without length between two edits does not divide them, but the end does.
    if (piece.start === piece.end && piece.start !== length) continue
    if (text !== "" || piece.start > kept) composed.push({ offset: kept, length: piece.start - kept, text })
    text = ""
    kept = piece.end
  }
  return composed
}

/** Takes pieces in order. @returns the content from the last end up to an offset */
function createTaker(pieces: readonly Piece[]): (to: number) => Piece[] {
  let index = 0
  /** The start of the piece in the content of all pieces, and the length taken from it. */
  let start = 0
  let from = 0
  return (to) => {
    const taken: Piece[] = []
    for (let piece = pieces[index]; piece; piece = pieces[index]) {
      const length = "text" in piece ? piece.text.length : piece.end - piece.start
      const end = Math.min(to - start, length)
      if (from < end)
        taken.push(
          "text" in piece
            ? { text: piece.text.slice(from, end) }
            : { start: piece.start + from, end: piece.start + end },
        )
      from = end
      if (end < length) break
      start += length
      from = 0
      index++
    }
    return taken
  }
}
