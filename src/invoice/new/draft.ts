/** A new invoice: its parts put together, and all totals worked out in exact decimals. */
import type { Invoice, InvoiceAddress, InvoiceData, LineItem } from "../../contract/generated/types.ts"
import { FreightError } from "../../errors.ts"
import {
  type Amount,
  add,
  formatLiteral,
  formatMoney,
  multiply,
  negate,
  roundToCents,
  sum,
  takePercent,
  toAmount,
} from "../accounting/amounts.ts"
import type { NewLine } from "./texts.ts"

export const NEW_PURPOSES = ["standard", "creditMemo", "debitMemo"] as const

export interface NewInvoice {
  number: string
  po: string
  /** Date-times. */
  date: string
  due?: string
  purpose: (typeof NEW_PURPOSES)[number]
  /** Number of the earlier invoice that a memo changes. */
  refersTo?: string
  supplierId: string
  supplierName: string
  abn?: string
  billTo: InvoiceAddress
  shipTo?: InvoiceAddress
  comments?: string
  lines: readonly NewLine[]
}

/** What a sender holds: all but what the service fills in. */
type InvoiceDraft = Pick<Invoice, "metadata" | "data">

interface PricedLine extends NewLine {
  subtotal: Amount
  tax: Amount
}

/**
 * The draft of an invoice. On a credit memo quantities, and with them all amounts, are negative.
 * @param userAgent what wrote it: `freight-cli/1.0.0`
 * @throws FreightError `input` for amounts of more digits than a JSON number can be trusted with
 */
export function createDraft(parts: NewInvoice, userAgent: string): InvoiceDraft {
  const lines = parts.lines.map((line) => priceLine(line, parts.purpose === "creditMemo"))
  const subtotal = sum(lines.map((line) => line.subtotal))
  const tax = sum(lines.map((line) => line.tax))
  const due = add(subtotal, tax)
  const data: InvoiceData = {
    invoiceNumber: parts.number,
    poNumber: parts.po,
    invoiceDate: parts.date,
    ...(parts.due !== undefined && { dueDate: parts.due }),
    purpose: parts.purpose,
    ...(parts.refersTo !== undefined && { documentReference: { invoiceId: parts.refersTo } }),
    supplier: {
      id: parts.supplierId,
      name: parts.supplierName,
      ...(parts.abn !== undefined && { taxRegistrations: { type: "ABN", value: parts.abn } }),
    },
    billTo: parts.billTo,
    ...(parts.shipTo && { shipTo: parts.shipTo }),
    ...(parts.comments !== undefined && { comments: parts.comments }),
    lineItems: lines.map(toLineItem),
    invoiceSummary: {
      subtotal: toNumber(subtotal),
      taxAmount: toNumber(tax),
      taxBreakdown: breakDownTax(lines),
      grossAmount: toNumber(due),
      dueAmount: toNumber(due),
      currency: "AUD",
    },
  }
  return { metadata: { sourceLanguage: "json", sourceVersion: "1.0", userAgent }, data }
}

/** What the lines come to so far: `3 lines, 69.98 and 4.00 GST, 73.98 in all`. */
export function describeTotal(lines: readonly NewLine[]): string {
  const priced = lines.map((line) => priceLine(line, false))
  const subtotal = sum(priced.map((line) => line.subtotal))
  const tax = sum(priced.map((line) => line.tax))
  const count = `${lines.length} ${lines.length === 1 ? "line" : "lines"}`
  return `${count}, ${formatMoney(subtotal)} and ${formatMoney(tax)} GST, ${formatMoney(add(subtotal, tax))} in all`
}

function priceLine(line: NewLine, isCredit: boolean): PricedLine {
  const quantity = isCredit ? negate(line.quantity) : line.quantity
  const subtotal = roundToCents(multiply(quantity, line.unitPrice))
  return { ...line, quantity, subtotal, tax: roundToCents(takePercent(subtotal, line.taxRate)) }
}

function toLineItem(line: PricedLine, index: number): LineItem {
  return {
    invoiceLineNumber: index + 1,
    ...line.more,
    description: line.description,
    quantity: toNumber(line.quantity),
    ...(line.unitOfMeasure && {
      unitOfMeasure: line.unitOfMeasure as NonNullable<LineItem["unitOfMeasure"]>,
    }),
    unitPrice: toNumber(line.unitPrice),
    subtotal: toNumber(line.subtotal),
    taxAmount: toNumber(line.tax),
    taxRate: toNumber(line.taxRate),
    currency: "AUD",
  }
}

/** A part for each rate, in the order of the lines. */
function breakDownTax(lines: readonly PricedLine[]) {
  const rates = new Set(lines.map(({ taxRate }) => taxRate))
  return [...rates].map((rate) => {
    const same = lines.filter(({ taxRate }) => taxRate === rate)
    return {
      taxType: "GST" as const,
      taxRate: toNumber(rate),
      taxableAmount: toNumber(sum(same.map((line) => line.subtotal))),
      taxAmount: toNumber(sum(same.map((line) => line.tax))),
    }
  })
}

/** The amount as a number that is written with the very same digits. */
function toNumber(amount: Amount): number {
  const number = Number(formatLiteral(amount))
  if (toAmount(number, String(number)) === amount) return number
  throw new FreightError(
    "input",
    `${formatMoney(amount)} has more digits than a number in JSON can be trusted with`,
  )
}
