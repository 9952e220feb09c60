/** From the right answer to the edits that put it into the text. */
import { Buffer } from "node:buffer"
import { COMMA, type JsonDocument, parsePointer, skipSpace, type Span, toPointer } from "../../input/index.ts"
import type { Edit, Finding, FindingAnswer } from "../finding.ts"
import { applyEdits } from "./splice.ts"

/**
 * The edits for an answer, in the order of the text, without overlaps. Offsets are in UTF-16 code units of the
 * document's text. Empty if the document has no such place.
 */
export function findEdits(
  { pointer, property }: Pick<Finding, "pointer" | "property">,
  answer: FindingAnswer,
  document: JsonDocument,
): Edit[] {
  if ("edit" in answer) return [answer.edit]
  if ("rename" in answer) {
    const [from, to] = answer.rename
    const name = document.findSpan(pointer, from)
    return name ? [replaceValue(name, JSON.stringify(to))] : []
  }
  const place = property === undefined ? pointer : pointer + toPointer([property])
  const value = document.findSpan(place)
  if (!value) return []
  if ("value" in answer) return [replaceValue(value, answer.value)]
  if (answer.does === "wrap") return [insertAt(value.start, "["), insertAt(value.end, "]")]
  if (answer.does === "remove") return removeMember(document, place, value)
  const inner = document.findSpan(`${place}/0`)
  if (!inner) return []
  return [
    replaceValue({ start: value.start, end: inner.start }, ""),
    replaceValue({ start: inner.end, end: value.end }, ""),
  ]
}

export function replaceValue({ start, end }: Span, text: string): Edit {
  return { offset: start, length: end - start, text }
}

/** Joins edits into one. @param edits of the text, in order */
export function joinEdits(text: string, edits: readonly Edit[]): Edit[] {
  const [first] = edits
  const last = edits.at(-1)
  if (!first || !last || first === last) return [...edits]
  const span = { start: first.offset, end: last.offset + last.length }
  const moved = edits.map((edit) => ({ ...edit, offset: edit.offset - span.start }))
  return [replaceValue(span, applyEdits(text.slice(span.start, span.end), moved))]
}

/**
 * The compatible edits of fixes, each once. If two fixes put different texts in the same place, there is no single
 * right answer, and neither is made; other overlapping edits wait for the next round.
 */
export function chooseEdits(fixes: readonly (readonly Edit[])[]): Edit[] {
  const all = fixes.flatMap((edits, fix) => edits.map((edit) => ({ edit, fix })))
  all.sort((one, other) => one.edit.offset - other.edit.offset || one.edit.length - other.edit.length)
  const leftOut = new Set<number>()
  let last: (typeof all)[number] | undefined
  for (const each of all) {
    const isSame = last?.edit.offset === each.edit.offset && last.edit.length === each.edit.length
    if (last && isSame) {
      leftOut.add(each.fix)
      if (last.edit.text !== each.edit.text) leftOut.add(last.fix)
    } else if (last && each.edit.offset < last.edit.offset + last.edit.length) leftOut.add(each.fix)
    else last = each
  }
  return all.filter(({ fix }) => !leftOut.has(fix)).map(({ edit }) => edit)
}

function insertAt(offset: number, text: string): Edit {
  return { offset, length: 0, text }
}

/** Writes a member in front of the others of an object, with the blanks that they have. */
export function insertMember(document: JsonDocument, pointer: string, member: string): Edit[] {
  const { text } = document
  const holder = document.findSpan(pointer)
  if (!holder) return []
  const inside = holder.start + 1
  const first = skipSpace(text, inside)
  const isEmpty = first >= holder.end - 1
  return [insertAt(inside, isEmpty ? member : `${text.slice(inside, first)}${member},`)]
}

/** Takes a member or an element out, with the comma behind it, or else the one before it. */
function removeMember(document: JsonDocument, place: string, value: Span): Edit[] {
  const { text } = document
  const holder = parsePointer(place)
  const last = holder.pop()
  const name = document.findSpan(toPointer(holder), last)
  const start = name?.start ?? value.start
  const next = skipSpace(text, value.end)
  if (text.charCodeAt(next) === COMMA) return [replaceValue({ start, end: skipSpace(text, next + 1) }, "")]
  const before = text.slice(0, start).trimEnd().length
  const isLast = text.charCodeAt(before - 1) === COMMA
  return [replaceValue({ start: isLast ? before - 1 : start, end: value.end }, "")]
}

/**
 * From offsets in UTF-16 code units to offsets in bytes of UTF-8. A text is counted once up to ascending offsets;
 * earlier ones are counted again.
 * @param base bytes before the text
 */
export function createByteCounter(text: string, base: number): (edit: Edit) => Edit {
  let known = { offset: 0, bytes: base }
  const countTo = (offset: number): number => {
    if (offset < known.offset) known = { offset: 0, bytes: base }
    known = { offset, bytes: known.bytes + Buffer.byteLength(text.slice(known.offset, offset)) }
    return known.bytes
  }
  return (edit) => {
    const offset = countTo(edit.offset)
    return { ...edit, offset, length: countTo(edit.offset + edit.length) - offset }
  }
}
