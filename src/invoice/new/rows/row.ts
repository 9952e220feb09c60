/** The rows of a file with the lines of invoices. */
import type { RowValues } from "./cells.ts"
import type { RowFinding } from "../../../input/index.ts"
import type { ColumnOf } from "./errors.ts"

export interface InvoiceRow extends RowValues {
  /** The value of the column of `--per`; empty without one. */
  group: string
}

export interface InvoiceRows {
  name: string
  /** Whether `--per` tells one invoice from another. */
  isGrouped: boolean
  rows: readonly InvoiceRow[]
  /** Rows of the file, including unreadable ones and without totals. */
  rowCount: number
  findings: readonly RowFinding[]
  columnOf: ColumnOf
  /** The words above the headings that make it a credit note; undefined if there are none. */
  creditNote?: string | undefined
}
