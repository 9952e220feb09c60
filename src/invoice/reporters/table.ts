/** Findings for people: place, error, line and fix; and a summary at the end. */
import { counted, grouped } from "../../base/counted.ts"
import { safeText } from "../../base/safe-text.ts"
import {
  formatHint,
  hangText,
  padText,
  paint,
  type ReportLayout,
  SEVERITY_COLOURS,
  toShownWords,
  widthOf,
} from "../../output/index.ts"
import {
  type DocumentResult,
  formatFileName,
  type ReportedFinding,
  type Reporter,
  type Summary,
} from "../finding.ts"
import { countByRule, countFindings, describeFixable } from "./layout.ts"

const INDENT = "  "
const SOME_AMONG_ERRORS = "There are too many warnings to show them all last: some are among the errors."

/** Characters of warnings that are held back for the end of a report. */
const MAX_HELD = 2 ** 23

/**
 * A report of several inputs shows documents with errors first, then those with warnings only. A report of one input
 * keeps its order, and shows findings at once.
 * @param mostHeld characters of warnings held back; further ones are shown at once
 */
export function createTableReporter(layout: ReportLayout, areSeveral = false, mostHeld = MAX_HELD): Reporter {
  /** A line of the source keeps its width, for the caret below it. */
  const shownLine = (text: string) => (layout.unicode ? text : text.replaceAll("…", "~"))
  /** Names the document when it is the only one. */
  let first: DocumentResult | undefined
  const held: string[] = []
  /** Characters; below 0 once something had no room. */
  let room = mostHeld

  const formatFinding = (result: DocumentResult, finding: ReportedFinding): string[] => {
    const { line, column, severity, rule, message, hint } = finding
    const { invoiceNumber } = result.overview ?? {}
    const names = [
      result.index === undefined ? "" : `index ${result.index}`,
      safeText(invoiceNumber ?? "", 40),
    ]
    const named = names.filter((name) => name !== "").join(", ")
    const which = named && ` (${named})`
    const place = `${formatFileName(result.file)}:${line}:${column}`
    const ruleName = safeText(rule)
    const fits = widthOf(`${place}${which}  ${severity}  ${ruleName}`) <= layout.columns
    const lines = [
      `${paint(layout, "bold", place)}${which}  ${paint(layout, ["bold", SEVERITY_COLOURS[severity]], severity)}` +
        (fits ? `  ${paint(layout, "dim", ruleName)}` : ""),
      ...(fits ? [] : [INDENT + paint(layout, "dim", ruleName)]),
      ...hangText(INDENT, toShownWords(message, layout), layout.columns),
    ]
    const [text, caret] = shownLine(finding.excerpt ?? "").split("\n")
    if (text?.trim() && caret !== undefined)
      lines.push(
        paint(layout, "dim", `${INDENT}  ${text}`),
        `${INDENT}  ${paint(layout, SEVERITY_COLOURS[severity], caret)}`,
      )
    return [...lines, ...formatHint(INDENT, hint, layout)]
  }

  const describeVerdict = (summary: Summary): string[] => {
    if (summary.documents === 0)
      return summary.unreadable.length > 0 ? [] : ["There is no invoice in the input."]
    const found = countFindings(summary)
    if (summary.documents === 1 && first) {
      const word = first.valid ? paint(layout, "green", "valid") : paint(layout, "red", "not valid")
      return [`${formatFileName(first.file)}: ${word}${found ? `, ${found}` : ""}`]
    }
    const seconds = (summary.milliseconds / 1000).toFixed(1)
    return [
      `${counted(summary.documents, "document")} in ${seconds} s: ` +
        `${paint(layout, "green", `${grouped(summary.valid)} valid`)}, ` +
        paint(layout, summary.invalid > 0 ? "red" : "dim", `${grouped(summary.invalid)} not valid`),
      ...(found ? [`${found}:`] : []),
      ...countByRule(summary).flatMap(({ rule, count, where }, _, all) => {
        const width = Math.max(...all.map((each) => each.count.length))
        const longest = Math.max(...all.map((each) => each.rule.length))
        const lead = `${INDENT}${padText(count, width, "right")}  ${where ? padText(rule, longest) : rule}`
        return where ? hangText(`${lead}  `, toShownWords(where, layout), layout.columns) : [lead]
      }),
    ]
  }

  const listUnreadable = ({ unreadable }: Summary): string[] => {
    if (unreadable.length === 0) return []
    const lines = unreadable.flatMap(({ file, reason }) =>
      hangText(INDENT, `${formatFileName(file)}: ${safeText(reason)}`, layout.columns),
    )
    return [
      paint(layout, ["bold", "red"], `${counted(unreadable.length, "input")} could not be read:`),
      ...lines,
    ]
  }

  return {
    *document(result) {
      first ??= result
      const isLast = areSeveral && result.valid
      for (const finding of result.findings) {
        const text = `${formatFinding(result, finding).join("\n")}\n\n`
        if (isLast && room >= 0) room -= text.length
        if (isLast && room >= 0) held.push(text)
        else yield text
      }
    },
    end(summary) {
      const lines = [
        ...(room < 0 ? hangText("", SOME_AMONG_ERRORS, layout.columns) : []),
        ...describeVerdict(summary),
        ...listUnreadable(summary),
        ...describeFixable(summary),
      ]
      return held.join("") + lines.map((line) => `${line}\n`).join("")
    },
  }
}
