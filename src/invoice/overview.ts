/** An invoice in one line of a list. */
import type { JsonDocument } from "../input/index.ts"
import { type Amount, formatLiteral, sum } from "./accounting/amounts.ts"
import { asksNothing, findKind, type InvoiceKind } from "./kind.ts"
import { Reading } from "./show/reading.ts"

/** Values of the document, right or wrong; null for missing ones. Amounts are numbers. */
export interface Overview {
  invoiceNumber: string | null
  /** As written: an ISO 8601 date-time. */
  invoiceDate: string | null
  supplier: string | null
  poNumber: string | null
  /** Its kind: nothing is due for a document that cancels or only informs. */
  type: InvoiceKind | null
  gst: number | null
  /** Gross amount as stated; otherwise subtotal, tax, shipping and handling added up. */
  amount: number | null
  /** Amount due as stated; 0 for cancellations and information-only documents. */
  dueAmount: number | null
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
  const type = data.value === undefined ? null : findKind(Object(data.value))
  const due = number(summary.amount("dueAmount"))
  return {
    invoiceNumber: text("invoiceNumber"),
    invoiceDate: text("invoiceDate"),
    supplier: text("supplier/name", "supplier/id"),
    poNumber: text("poNumber"),
    type,
    gst: number(summary.amount("taxAmount")),
    amount: number(summary.amount("grossAmount") ?? added),
    dueAmount: due !== null && type !== null && asksNothing(type) ? 0 : due,
    currency: summary.text("currency") || null,
  }
}
