/** A line of a text with a mark under one place, for terminals. */
import { safeText } from "../contract/safe-text.ts"

const LENGTH = 72
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

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
  const indent = shownHead.reduce((columns, character) => columns + widthOf(character), 0)
  return `${shownHead.join("")}${tail.map((character) => safeText(character)).join("")}\n${" ".repeat(indent)}^`
}

/** How many columns of a terminal a character takes. */
function widthOf(character: string): number {
  if (/^\p{M}$/u.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
