/** Shows a document as an invoice on a page, with each finding beside its value. */
import { paint, renderTerminal, type ReportLayout } from "../../output/index.ts"
import { type Finding, getFullPointer } from "../finding.ts"
import { countFindings } from "../reporters/layout.ts"
import { describeInvoice } from "./page.ts"
import type { ShownDocument } from "./reading.ts"

const MAX_COLUMNS = 100

/**
 * The document on a page of at most 100 columns; for a broken one, as much as can be read.
 * @param findings from `examine`
 */
export function renderInvoice(
  document: ShownDocument,
  findings: readonly Finding[],
  layout: ReportLayout,
): string {
  const remarks = findings.map((finding) => ({
    pointer: getFullPointer(finding),
    severity: finding.severity,
    text: finding.message,
    hint: finding.hint,
  }))
  const columns = Math.min(layout.columns, MAX_COLUMNS)
  const page = renderTerminal(describeInvoice(document, "checker"), { ...layout, columns }, remarks)
  return `${page}\n${describeVerdict(findings, layout)}\n`
}

function describeVerdict(findings: readonly Finding[], layout: ReportLayout): string {
  const errors = findings.filter(({ severity }) => severity === "error").length
  const warnings = findings.length - errors
  const found = countFindings({ errors, warnings })
  if (errors > 0) return paint(layout, "red", `  Not valid: ${found}.`)
  return paint(layout, warnings > 0 ? "yellow" : "green", `  Valid${found && `, with ${found}`}.`)
}
