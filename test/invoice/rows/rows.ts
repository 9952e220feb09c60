/** Invoices from CSV in tests: text in; parts, findings and notes out. */
import type { InvoiceTexts } from "../../../src/invoice/new/ask.ts"
import { gatherInvoices, writeDrafts } from "../../../src/invoice/new/rows/invoices.ts"
import { type RowsOptions, readInvoiceRows } from "../../../src/invoice/new/rows/read.ts"
import { FreightError } from "../../../src/base/errors.ts"

/** Friday, in the morning in Sydney. */
const NOW = Date.parse("2026-11-20T00:00:00Z")
const TODAY = "2026-11-20"

/** Default texts of an invoice in tests. */
export const GIVEN: InvoiceTexts = {
  purpose: "standard",
  number: "INV-1",
  po: "PO-7",
  supplierId: "S-1",
  supplierName: "Harbour Lighting",
  abn: "51824753556",
  billTo: "1 Harbour Street, Sydney NSW 2000",
}

export interface Given {
  texts?: Partial<InvoiceTexts>
  options?: Partial<RowsOptions>
}

export async function readRows(csv: string | Uint8Array, options: Partial<RowsOptions> = {}) {
  const notes: string[] = []
  const source = {
    name: "lines.csv",
    async *chunks() {
      yield typeof csv === "string" ? Buffer.from(csv) : csv
    },
  }
  const rows = await readInvoiceRows(source, {
    map: [],
    per: undefined,
    ignoreUnknown: false,
    nowMs: NOW,
    signal: new AbortController().signal,
    tell: async (note) => void notes.push(note),
    ...options,
  })
  const said = (severity: string) =>
    rows.findings
      .filter((finding) => finding.severity === severity)
      .map(({ row, column, message }) => `row ${row}, ${column}: ${message}`)
  return { rows, notes, warned: said("warning"), repaired: said("repaired") }
}

/** The drafts of a file, which have no finding. */
export async function draftsOf(csv: string | Uint8Array, { texts, options }: Given = {}) {
  const read = await readRows(csv, options)
  const { invoices, isTaxAssumed } = await gatherInvoices(read.rows, { ...GIVEN, ...texts }, TODAY)
  const drafts = writeDrafts(read.rows, invoices, "freight-cli/1.0.0", (draft) => JSON.stringify(draft))
  return { ...read, isTaxAssumed, drafts: drafts.map(({ draft }) => draft.data) }
}

/** The lines of the one draft that a file is. */
export async function linesOf(csv: string, given?: Given) {
  const { drafts } = await draftsOf(csv, given)
  if (drafts.length !== 1) throw new Error(`${drafts.length} drafts`)
  return drafts[0]?.lineItems ?? []
}

/** The error of a file: its message, and each single one. */
export async function refusalOf(csv: string | Uint8Array, given?: Given): Promise<string[]> {
  try {
    await draftsOf(csv, given)
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    return [error.message, ...(error.errors ?? []).map(({ message }) => message)]
  }
  throw new Error("it was not refused")
}
