/** Shows a document as an invoice on a page, with each finding beside what it is about. */
import { paint } from "../../terminal/style.ts"
import type { Finding } from "../finding.ts"
import { countFindings, type ReportLayout } from "../reporters/layout.ts"
import { createLines } from "./lines.ts"
import { BLANK, type Cell, createCell, getColumnWidth, type Row, renderPage } from "./page.ts"
import { Reading, type ShownDocument } from "./reading.ts"
import {
  createAddresses,
  createFacts,
  createFooter,
  createSections,
  createSupplier,
  createTotals,
  findTitle,
} from "./sections.ts"

/**
 * The document on a page of at most 100 columns; of a broken one, as much as can be read.
 * @param findings what `examine` found in it
 */
export function renderInvoice(
  document: ShownDocument,
  findings: readonly Finding[],
  layout: ReportLayout,
): string {
  const whole = new Reading(document)
  const data = whole.part("data")
  const rule: Row = [
    [{ shows: [], lines: [(layout.unicode ? "─" : "-").repeat(getColumnWidth(layout, 1))], style: "dim" }],
  ]
  const rows: Row[] = [
    [createTitle(data, layout)],
    rule,
    [createFacts(data, layout), createSupplier(data, layout)],
    BLANK,
    ...createAddresses(data, layout),
    ...createLines(data, layout, rule),
    ...createTotals(data, layout),
    ...createSections(data, layout),
    BLANK,
    [createFooter(whole, layout)],
  ]
  return `${renderPage(rows, findings, layout)}\n${describeVerdict(findings, layout)}\n`
}

const OPERATIONS: Readonly<Record<string, string>> = {
  update: "Changes an invoice that was sent before.",
  delete: "Cancels an invoice that was sent before.",
}

function createTitle(data: Reading, layout: ReportLayout): Cell[] {
  const title = findTitle(data)
  const number = data.text("invoiceNumber") || "(no number)"
  const notes = {
    operation: OPERATIONS[data.text("operation")] ?? "",
    isInformationOnly: data.part("isInformationOnly").value === true ? "For information only." : "",
    isERS: data.part("isERS").value === true ? "Evaluated receipt settlement." : "",
    invoiceOrigin: data.text("invoiceOrigin") === "buyer" ? "Made by the buyer." : "",
  }
  const shows = [data.at("invoiceNumber"), data.at("purpose")]
  return [
    createCell(`${title}  ${number}`, getColumnWidth(layout, 1), shows, "bold"),
    ...Object.entries(notes).map(([name, text]) => ({
      shows: [data.at(name)],
      lines: text === "" ? [] : [text],
    })),
  ]
}

function describeVerdict(findings: readonly Finding[], layout: ReportLayout): string {
  const errors = findings.filter(({ severity }) => severity === "error").length
  const warnings = findings.length - errors
  const found = countFindings({ errors, warnings })
  if (errors > 0) return paint(layout, "red", `  Not valid: ${found}.`)
  return paint(layout, warnings > 0 ? "yellow" : "green", `  Valid${found && `, with ${found}`}.`)
}
