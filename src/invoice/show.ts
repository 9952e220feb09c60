/** A document as the invoice that it stands for, with what is wrong in its place. */
import { counted } from "../contract/counted.ts"
import type { JsonDocument } from "../json/read.ts"
import type { Finding } from "./finding.ts"
import { type Look, painter } from "./reporters/layout.ts"
import { lineRows } from "./show-lines.ts"
import { BLANK, type Cell, cell, columnWidth, type Row, renderPage } from "./show-page.ts"
import { addressRows, factCells, supplierCells } from "./show-parties.ts"
import { DATA, Reading } from "./show-reading.ts"
import { footerCells, sectionRows } from "./show-sections.ts"
import { totalRows } from "./show-totals.ts"

/**
 * The document on a page of at most 100 columns; of a broken one, as much as can be read.
 * @param document what `readJson` gave
 * @param findings what `examine` found in it
 */
export function renderInvoice(
  document: Pick<JsonDocument, "value" | "sourceOf">,
  findings: readonly Finding[],
  look: Look,
): string {
  const reading = new Reading(document)
  const rule: Row = [
    [{ shows: [], lines: [(look.unicode ? "─" : "-").repeat(columnWidth(look, 1))], style: "dim" }],
  ]
  const rows: Row[] = [
    [titleCells(reading, look)],
    rule,
    [factCells(reading, look), supplierCells(reading, look)],
    BLANK,
    ...addressRows(reading, look),
    ...lineRows(reading, look, rule),
    ...totalRows(reading, look),
    ...sectionRows(reading, look),
    BLANK,
    [footerCells(reading, look)],
  ]
  return `${renderPage(rows, findings, look)}\n${verdict(findings, look)}\n`
}

const TITLES: Readonly<Record<string, string>> = {
  creditMemo: "CREDIT MEMO",
  debitMemo: "DEBIT MEMO",
  lineLevelCreditMemo: "CREDIT MEMO, BY LINE",
  lineLevelDebitMemo: "DEBIT MEMO, BY LINE",
}
const OPERATIONS: Readonly<Record<string, string>> = {
  update: "Changes an invoice that was sent before.",
  delete: "Cancels an invoice that was sent before.",
}

function titleCells(reading: Reading, look: Look): Cell[] {
  const width = columnWidth(look, 1)
  const purpose = reading.text(`${DATA}/purpose`)
  const taxed = !["", "0.00"].includes(reading.money(`${DATA}/invoiceSummary/taxAmount`))
  const title = TITLES[purpose] ?? (taxed ? "TAX INVOICE" : "INVOICE")
  const number = reading.text(`${DATA}/invoiceNumber`) || "(no number)"
  const notes: (readonly [text: string, name: string])[] = [
    [OPERATIONS[reading.text(`${DATA}/operation`)] ?? "", "operation"],
    [reading.value(`${DATA}/isInformationOnly`) === true ? "For information only." : "", "isInformationOnly"],
    [reading.value(`${DATA}/isERS`) === true ? "Evaluated receipt settlement." : "", "isERS"],
    [reading.text(`${DATA}/invoiceOrigin`) === "buyer" ? "Made by the buyer." : "", "invoiceOrigin"],
  ]
  return [
    cell(`${title}  ${number}`, width, [`${DATA}/invoiceNumber`, `${DATA}/purpose`], "bold"),
    ...notes.map(([text, name]) => ({
      shows: [`${DATA}/${name}`],
      lines: text === "" ? [] : [text],
    })),
  ]
}

function verdict(findings: readonly Finding[], look: Look): string {
  const paint = painter(look)
  const errors = findings.filter(({ severity }) => severity === "error").length
  const warnings = findings.length - errors
  const told = [errors > 0 && counted(errors, "error"), warnings > 0 && counted(warnings, "warning")]
  const found = told.filter(Boolean).join(", ")
  if (errors > 0) return paint("red", `  Not valid: ${found}.`)
  return paint(warnings > 0 ? "yellow" : "green", `  Valid${found && `, with ${found}`}.`)
}
