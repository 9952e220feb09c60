/** A line of a text with a mark under one place, for terminals. */
import widthOf from "fast-string-width"
import { safeText } from "../contract/safe-text.ts"

const LENGTH = 72

/**
 * Two lines: the one that the place is in, and a caret under the place. Tabs become single spaces, other control
 * characters show as `�`, and of a line that is longer than `length` characters the part around the place is shown.
 * @param offset of the place, in UTF-16 code units
 */
export function excerpt(text: string, offset: number, length = LENGTH): string {
  // Two code units a character suffice; more of a long line is not looked at.
  const before = Array.from(/[^\r\n]*$/.exec(text.slice(Math.max(0, offset - 2 * length), offset))?.[0] ?? "")
  const after = Array.from(/^[^\r\n]*/.exec(text.slice(offset, offset + 2 * length))?.[0] ?? "")
  const fits = before.length + after.length <= length
  const lead = fits ? before.length : Math.max(Math.floor(length / 2), length - after.length)
  const head = before.length > lead ? ["…", ...before.slice(1 - lead)] : before
  const room = length - head.length
  const tail = after.length > room ? [...after.slice(0, room - 1), "…"] : after
  const shownHead = head.map((character) => safeText(character))
  const indent = widthOf(shownHead.join(""))
  return `${shownHead.join("")}${tail.map((character) => safeText(character)).join("")}\n${" ".repeat(indent)}^`
}
