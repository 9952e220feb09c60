/** Lays out findings for a terminal: colours, padding, hanging lines. */
import { counted, grouped } from "../../contract/counted.ts"
import { safeText } from "../../contract/safe-text.ts"
import { widthOf, wrap } from "../../terminal/width.ts"
import { formatFileName, type RulePlaces, type Severity, type Summary } from "../finding.ts"

/** What the terminal, or whatever takes the text, can show. */
export interface ReportLayout {
  colour: boolean
  /** Whether characters beyond ASCII can be shown. */
  unicode: boolean
  /** Width in characters. */
  columns: number
}

export const COLOURS = { error: "red", warning: "yellow" } as const satisfies Record<Severity, string>

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

/** The fix of a finding after an arrow, where there is one. */
export function formatHint(indent: string, hint: string | undefined, layout: ReportLayout): string[] {
  const arrow = layout.unicode ? "→" : "->"
  return hint ? hangText(`${indent}${arrow} `, toShownWords(hint, layout), layout.columns) : []
}

/** `2 errors, 1 warning`; empty where there are none. */
export function countFindings({ errors, warnings }: { errors: number; warnings: number }): string {
  return [errors > 0 && counted(errors, "error"), warnings > 0 && counted(warnings, "warning")]
    .filter(Boolean)
    .join(", ")
}

/** What to do about findings that have one right answer. */
export function describeFixable({ fixable = 0, errors, warnings }: Summary): string[] {
  if (fixable === 0) return []
  const isAll = errors + warnings === fixable
  const which = isAll ? (fixable === 1 ? "this" : "all of these") : `${grouped(fixable)} of these`
  return [`--fix fixes ${which}: it shows the changes and asks.`]
}

/** How often each rule was broken and where, the most frequent first. */
export function countByRule({
  byRule,
  places = {},
}: Pick<Summary, "byRule" | "places">): { rule: string; count: string; where: string }[] {
  return Object.entries(byRule)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([rule, count]) => ({
      rule: safeText(rule),
      count: grouped(count),
      where: describePlaces(places[rule]),
    }))
}

/** `in 12 files: a.json, b.json, c.json, …`; of one file of many documents, their indexes. */
function describePlaces(places: RulePlaces | undefined): string {
  if (!places) return ""
  const { files, documents, firstFiles, firstIndexes } = places
  const name = (count: number, thing: string, names: readonly (string | number)[]) =>
    `in ${counted(count, thing)}: ${names.join(", ")}${count > names.length ? ", …" : ""}`
  if (files === 1 && firstIndexes.length > 0)
    return `${name(
      documents,
      "document",
      firstIndexes.map((index) => `index ${index}`),
    )} of ${formatFileName(firstFiles[0] ?? "")}`
  return files === 1
    ? `in ${formatFileName(firstFiles[0] ?? "")}`
    : name(files, "file", firstFiles.map(formatFileName))
}
