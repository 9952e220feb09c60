/** Laying out text for a terminal: colours, filling up, hanging lines. */
import { styleText } from "node:util"
import { widthOf, wrap } from "../../terminal/width.ts"

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

/** Fills up with blanks to a width. */
export function padded(text: string, width: number, side: "left" | "right" = "left"): string {
  const blanks = " ".repeat(Math.max(0, width - widthOf(text)))
  return side === "left" ? text + blanks : blanks + text
}

/** Wrapped, the first line after `lead` and the others below its text. */
export function hanging(lead: string, text: string, columns: number): string[] {
  const indent = " ".repeat(widthOf(lead))
  const room = Math.max(20, columns - indent.length)
  return wrap(text, room).map((line, index) => (index === 0 ? lead : indent) + line)
}
