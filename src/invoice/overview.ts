/** An invoice in one line of a list. */
import type { JsonDocument } from "../input/json/read.ts"
import { type Amount, formatLiteral, sum } from "./accounting/amounts.ts"
import { Reading } from "./show/reading.ts"

/** What stands in the document, right or wrong; null where nothing does. Amounts are numbers. */
export interface Overview {
  number: string | null
  /** As written: an ISO 8601 date-time. */
  date: string | null
  supplier: string | null
  po: string | null
  gst: number | null
  /** Gross amount as stated; otherwise subtotal, tax, shipping and handling added up. */
  total: number | null
  due: number | null
  currency: string | null
}

export function readOverview(document: JsonDocument): Overview {
  const data = new Reading(document).part("data")
  const summary = data.part("invoiceSummary")
  const text = (...names: string[]) => data.texts(...names)[0] ?? null
  const number = (value: Amount | undefined) => (value === undefined ? null : Number(formatLiteral(value)))
  const parts = ["subtotal", "taxAmount", "shippingAmount", "specialHandlingAmount"].map((name) =>
    summary.amount(name),
  )
  const added = parts[0] === undefined ? undefined : sum(parts.filter((part) => part !== undefined))
  return {
    number: text("invoiceNumber"),
    date: text("invoiceDate"),
    supplier: text("supplier/name", "supplier/id"),
    po: text("poNumber"),
    gst: number(summary.amount("taxAmount")),
    total: number(summary.amount("grossAmount") ?? added),
    due: number(summary.amount("dueAmount")),
    currency: summary.text("currency") || null,
  }
}
