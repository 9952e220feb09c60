/** A line of a text with a mark under one place, for terminals. */
import { safeText } from "../contract/safe-text.ts"
import { BOM } from "./place.ts"

const LENGTH = 72
const LINE_BREAK = /\r\n?|\n/g
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

/**
 * Two lines: the one that the place is in, and a caret under the place. Tabs become single spaces, other control
 * characters show as `�`, and of a line that is longer than `length` characters the part around the place is shown.
 * @param place as `locate` and problems give it: line and column from 1, columns in characters
 */
export function excerpt(text: string, place: { line: number; column: number }, length = LENGTH): string {
  const line = lineOf(text, place.line)
  const at = offsetOf(line, place.column)
  // Two code units a character suffice; more of a long line is not looked at.
  const before = Array.from(line.slice(Math.max(0, at - 2 * length), at))
  const after = Array.from(line.slice(at, at + 2 * length))
  const fits = before.length + after.length <= length
  const lead = fits ? before.length : Math.max(Math.floor(length / 2), length - after.length)
  const head = before.length > lead ? ["…", ...before.slice(1 - lead)] : before
  const room = length - head.length
  const tail = after.length > room ? [...after.slice(0, room - 1), "…"] : after
  const shownHead = head.map((character) => safeText(character))
  const indent = shownHead.reduce((columns, character) => columns + widthOf(character), 0)
  return `${shownHead.join("")}${tail.map((character) => safeText(character)).join("")}\n${" ".repeat(indent)}^`
}

function lineOf(text: string, line: number): string {
  let start = text.startsWith(BOM) ? 1 : 0
  let number = 1
  for (const { 0: found, index } of text.matchAll(LINE_BREAK)) {
    if (number === line) return text.slice(start, index)
    start = index + found.length
    number++
  }
  return text.slice(start)
}

/** The offset of a column that is counted in characters. */
function offsetOf(line: string, column: number): number {
  let at = 0
  for (let passed = 1; passed < column && at < line.length; passed++)
    at += (line.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

/** How many columns of a terminal a character takes. */
function widthOf(character: string): number {
  if (/^\p{M}$/u.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
