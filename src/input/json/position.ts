/** Positions in a text, as editors count them. */
import { Buffer } from "node:buffer"
import widthOf from "fast-string-width"
import { countCharacters } from "../../base/counted.ts"
import { UNSAFE } from "../../base/safe-text.ts"

export interface Position {
  /** From 1. Lines end with LF, CRLF or CR. */
  line: number
  /** From 1, in characters: an emoji is one. */
  column: number
  /** From 0, in UTF-16 code units of the text, or in bytes if bytes were given. */
  offset: number
}

/** A violation of the syntax of JSON. */
export interface JsonError extends Position {
  rule: "json/syntax" | "json/duplicate-key"
  message: string
  hint?: string
  /** The object that repeats a name; for syntax the whole document. */
  pointer: string
  property?: string
  /** The fix of the hint, if there is only one. */
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

/** The unit of columns: characters, or bytes of UTF-8. */
export type ColumnUnit = "characters" | "bytes"

interface PositionOptions {
  columns?: ColumnUnit | undefined
  /** Lines that come before the text. */
  lines?: number
  /** Bytes that come before the text in its first line: those of a byte order mark. Characters do not count it. */
  mark?: number
}

/** Reads a text once, as far as positions are requested; an offset in the part already read is found in logarithmic time. */
export function createPositionFinder(
  text: string,
  { columns = "characters", lines = 0, mark = 0 }: PositionOptions = {},
): (offset: number) => Position {
  const lineStarts = [0]
  const hasReturns = text.includes("\r")
  let isRead = false
  const count = columns === "bytes" ? (part: string) => Buffer.byteLength(part) : countCharacters
  /** The place that was asked about last: columns are counted on from there, so that a long line is read once. */
  let known = { line: 0, column: 0, offset: 0 }
  return (offset) => {
    for (let last = lineStarts.at(-1) ?? 0; !isRead && last <= offset; ) {
      last = hasReturns ? findLineAfter(text, last) : text.indexOf("\n", last) + 1
      if (last > 0) lineStarts.push(last)
      else isRead = true
    }
    const line = countUpTo(lineStarts, offset)
    if (known.line !== line) {
      const isMarked = line === 1 && columns === "bytes"
      known = { line, column: isMarked ? mark + 1 : 1, offset: lineStarts[line - 1] ?? 0 }
    }
    const column =
      offset < known.offset
        ? known.column - count(text.slice(offset, known.offset))
        : known.column + count(text.slice(known.offset, offset))
    // Counting on from the middle of a surrogate pair would count it twice.
    if (!isLowSurrogate(text.charCodeAt(offset))) known = { line, column, offset }
    return { line: line + lines, column, offset }
  }
}

const LINE_END = /\r\n?|\n/g

/** The start of the line after an offset; 0 if there is none. */
function findLineAfter(text: string, offset: number): number {
  LINE_END.lastIndex = offset
  return LINE_END.test(text) ? LINE_END.lastIndex : 0
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00
}

/** `on line 3, column 7`; `in column 7` for a place on the same line as `from`, whose number in the file may be another. */
export function formatPosition({ line, column }: Position, from: Position): string {
  return line === from.line ? `in column ${column}` : `on line ${line}, column ${column}`
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

const MAX_EXCERPT_LENGTH = 72

/**
 * The line at an offset, and a caret under the place. Tabs become single spaces, other control characters show as `�`,
 * and of a line longer than `length` characters the part around the place is shown.
 * @param offset in UTF-16 code units
 */
export function formatExcerpt(text: string, offset: number, length = MAX_EXCERPT_LENGTH): string {
  // Two code units a character suffice; more of a long line is not looked at.
  const before = Array.from(/[^\r\n]*$/.exec(text.slice(Math.max(0, offset - 2 * length), offset))?.[0] ?? "")
  const after = Array.from(/^[^\r\n]*/.exec(text.slice(offset, offset + 2 * length))?.[0] ?? "")
  const fits = before.length + after.length <= length
  const lead = fits ? before.length : Math.max(Math.floor(length / 2), length - after.length)
  const head = before.length > lead ? ["…", ...before.slice(1 - lead)] : before
  const room = length - head.length
  const tail = after.length > room ? [...after.slice(0, room - 1), "…"] : after
  // One symbol for each, so that the caret is below its own.
  const shown = (characters: string[]) =>
    characters
      .join("")
      .replace(/[\t\v\f]/g, " ")
      .replace(UNSAFE, "�")
  return `${shown(head)}${shown(tail)}\n${" ".repeat(widthOf(shown(head)))}^`
}
