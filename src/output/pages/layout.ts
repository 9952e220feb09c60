/** Text laid out in lines: padding, hanging lines, colours of errors. */
import { safeText } from "../../base/safe-text.ts"
import { widthOf, wrap } from "../terminal/width.ts"

/** Capabilities of the terminal, or of another reader of the text. */
export interface ReportLayout {
  colour: boolean
  /** Whether characters beyond ASCII can be shown. */
  unicode: boolean
  /** Width in characters. */
  columns: number
  /** The folder that names of files start from on GitHub, whatever folder a step runs in. */
  checkout?: string | undefined
}

export type Severity = "error" | "warning"

export const SEVERITY_COLOURS = { error: "red", warning: "yellow" } as const satisfies Record<
  Severity,
  string
>

/** Words of a document as the terminal can show them. */
export function toShownWords(text: string, { unicode }: ReportLayout): string {
  const safe = safeText(text, 2000)
  return unicode ? safe : safe.replaceAll("×", "x").replaceAll("…", "...")
}

/** Fills up with blanks to a width. */
export function padText(text: string, width: number, side: "left" | "right" = "left"): string {
  const blanks = " ".repeat(Math.max(0, width - widthOf(text)))
  return side === "left" ? text + blanks : blanks + text
}

/** Wrapped, the first line after `lead` and the others below its text. */
export function hangText(lead: string, text: string, columns: number): string[] {
  const indent = " ".repeat(widthOf(lead))
  const room = Math.max(20, columns - indent.length)
  return wrap(text, room).map((line, index) => (index === 0 ? lead : indent) + line)
}

/** The fix of a finding after an arrow, if there is one. */
export function formatHint(indent: string, hint: string | undefined, layout: ReportLayout): string[] {
  const arrow = layout.unicode ? "→" : "->"
  return hint ? hangText(`${indent}${arrow} `, toShownWords(hint, layout), layout.columns) : []
}
