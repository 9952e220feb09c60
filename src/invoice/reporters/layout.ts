/** Laying out text for a terminal: colours, widths, wrapping. Apart from `terminal/width.ts`, which help pages load too. */
import { styleText } from "node:util"

/** What the terminal, or whatever takes the text, can show. */
export interface Look {
  colour: boolean
  /** Whether characters beyond ASCII can be shown. */
  unicode: boolean
  /** Width in characters. */
  columns: number
}

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** Colours a text where there is colour. */
export function painter({ colour }: Pick<Look, "colour">): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text)
}

/** Words as the terminal can show them. */
export function shownWords(text: string, { unicode }: Pick<Look, "unicode">): string {
  return unicode ? text : text.replaceAll("×", "x").replaceAll("…", "...")
}

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

/** How many columns of a terminal a text without escape sequences takes. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) if (!/\p{M}/u.test(character)) width += WIDE.test(character) ? 2 : 1
  return width
}

/** Fills up with blanks to a width. */
export function padded(text: string, width: number, side: "left" | "right" = "left"): string {
  const blanks = " ".repeat(Math.max(0, width - widthOf(text)))
  return side === "left" ? text + blanks : blanks + text
}

/** Breaks a text into lines of at most `width` columns, between words where it can; there is at least one line. */
export function wrap(text: string, width: number): string[] {
  const lines = [""]
  for (const word of text.split(" ").flatMap((each) => pieces(each, width))) {
    const last = lines.length - 1
    const joined = lines[last] ? `${lines[last]} ${word}` : word
    if (widthOf(joined) <= width) lines[last] = joined
    else lines.push(word)
  }
  return lines
}

/** Wrapped, the first line after `lead` and the others below its text. */
export function hanging(lead: string, text: string, columns: number): string[] {
  const indent = " ".repeat(widthOf(lead))
  const room = Math.max(20, columns - indent.length)
  return wrap(text, room).map((line, index) => (index === 0 ? lead : indent) + line)
}

/** A word in parts that fit. */
function pieces(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const parts = [""]
  for (const character of word) {
    const last = parts.length - 1
    if (widthOf(`${parts[last]}${character}`) <= width) parts[last] += character
    else parts.push(character)
  }
  return parts
}
