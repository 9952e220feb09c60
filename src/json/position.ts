/** Where things stand in a text, as editors count it. */
import { Buffer } from "node:buffer"
import widthOf from "fast-string-width"
import { safeText } from "../contract/safe-text.ts"

export interface Position {
  /** From 1. Lines end with LF, CRLF or CR. */
  line: number
  /** From 1, in characters: an emoji is one. */
  column: number
  /** From 0, in UTF-16 code units of the text, or in bytes where bytes were given. */
  offset: number
}

/** What breaks the rules of JSON, whatever the text is meant to hold. */
export interface JsonError extends Position {
  rule: "json/syntax" | "json/duplicate-key"
  message: string
  hint?: string
  /** The object that repeats a name; for syntax the whole document. */
  pointer: string
  /** The repeated name. */
  property?: string
  /** What the hint says, where it leaves no choice. */
  repair?: Repair
}

/** A replacement that makes a text JSON, as far as one error goes. Offset and length in UTF-16 code units. */
export interface Repair {
  offset: number
  length: number
  text: string
}

export function toSyntaxError(
  position: Position,
  message: string,
  hint?: string,
  repair?: Repair,
): JsonError {
  return {
    rule: "json/syntax",
    message,
    ...(hint && { hint }),
    ...position,
    pointer: "",
    ...(repair && { repair }),
  }
}

const LINE_END = /\r\n?|\n/g
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/
const SURROGATE_PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g

/** Reads a text once, as far as it is asked about; an offset in what was read is found in logarithmic time. */
export function createPositionFinder(text: string): (offset: number) => Position {
  const lineStarts = [0]
  /** The second halves of surrogate pairs: code units that are not a character of their own. */
  const halves: number[] = []
  const lineEnds = text.includes("\r") ? /\r\n?|\n/g : /\n/g
  const pairs = SURROGATE_PAIR.test(text) ? text.matchAll(SURROGATE_PAIRS) : []
  for (const { index } of pairs) halves.push(index + 1)
  let isRead = false
  return (offset) => {
    while (!isRead && (lineStarts.at(-1) ?? 0) <= offset) {
      if (lineEnds.test(text)) lineStarts.push(lineEnds.lastIndex)
      else isRead = true
    }
    const line = countUpTo(lineStarts, offset)
    const start = lineStarts[line - 1] ?? 0
    const extra = countUpTo(halves, offset - 1) - countUpTo(halves, start)
    return { line, column: offset - start - extra + 1, offset }
  }
}

/** One position, for which only the text before it is read. */
export function findPosition(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  const lines = before.includes("\r") ? before.split(LINE_END) : before.split("\n")
  const last = lines.at(-1) ?? ""
  const halves = last.match(SURROGATE_PAIRS)?.length ?? 0
  return { line: lines.length, column: last.length - halves + 1, offset }
}

/**
 * Columns in bytes of UTF-8, from 1, of offsets in UTF-16 code units. Counts on from the offset that it was last asked
 * about, so that a long line with many places is read once.
 * @param mark bytes before the text, in its first line
 */
export function createByteColumnFinder(text: string, mark: number): (offset: number) => number {
  let known = { offset: 0, column: mark + 1 }
  const findColumn = (offset: number): number => {
    const isAhead = offset >= known.offset
    const between = isAhead ? text.slice(known.offset, offset) : text.slice(offset, known.offset)
    if (!/[\r\n]/.test(between)) return known.column + (isAhead ? 1 : -1) * Buffer.byteLength(between)
    const start = findLineStart(text, offset)
    return (start === 0 ? mark : 0) + Buffer.byteLength(text.slice(start, offset)) + 1
  }
  return (offset) => {
    known = { offset, column: findColumn(offset) }
    return known.column
  }
}

function findLineStart(text: string, offset: number): number {
  if (offset === 0) return 0
  const start = text.lastIndexOf("\n", offset - 1) + 1
  // The carriage return of CRLF belongs to the line that it ends.
  const end = text[offset] === "\n" ? offset - 1 : offset
  return start + text.slice(start, end).lastIndexOf("\r") + 1
}

/** How many bytes of its line come before a byte. */
export function countLineBytes(bytes: Buffer, offset: number): number {
  const before = bytes.subarray(0, offset)
  return offset - 1 - Math.max(before.lastIndexOf(10), before.lastIndexOf(13))
}

/** `line 3, column 7` */
export function formatPosition({ line, column }: Position): string {
  return `line ${line}, column ${column}`
}

/** How many of the ascending numbers are at most `limit`. */
export function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

const EXCERPT_LENGTH = 72

/**
 * The line at an offset, and a caret under the place. Tabs become single spaces, other control characters show as `�`,
 * and of a line longer than `length` characters the part around the place is shown.
 * @param offset in UTF-16 code units
 */
export function formatExcerpt(text: string, offset: number, length = EXCERPT_LENGTH): string {
  // Two code units a character suffice; more of a long line is not looked at.
  const before = Array.from(/[^\r\n]*$/.exec(text.slice(Math.max(0, offset - 2 * length), offset))?.[0] ?? "")
  const after = Array.from(/^[^\r\n]*/.exec(text.slice(offset, offset + 2 * length))?.[0] ?? "")
  const fits = before.length + after.length <= length
  const lead = fits ? before.length : Math.max(Math.floor(length / 2), length - after.length)
  const head = before.length > lead ? ["…", ...before.slice(1 - lead)] : before
  const room = length - head.length
  const tail = after.length > room ? [...after.slice(0, room - 1), "…"] : after
  const shown = (characters: string[]) => characters.map((character) => safeText(character)).join("")
  return `${shown(head)}${shown(tail)}\n${" ".repeat(widthOf(shown(head)))}^`
}
