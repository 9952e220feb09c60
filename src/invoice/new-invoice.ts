/** A new invoice: its parts put together, and all totals worked out in exact decimals. */
import { add, type Decimal, decimalOf, multiply, numberOf, sum } from "../contract/money.ts"
import type { Invoice, InvoiceAddress, InvoiceData, LineItem } from "../contract/generated/types.ts"
import { FreightError } from "../errors.ts"
import {
  formatLiteral,
  formatMoney,
  isSameDecimal,
  negateDecimal,
  percentOfDecimal,
  roundToCents,
} from "./decimals.ts"
import type { NewLine } from "./new-invoice-words.ts"

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

interface Amounts extends NewLine {
  subtotal: Decimal
  tax: Decimal
}

/**
 * The draft of an invoice. On a credit memo quantities, and with them all amounts, are negative.
 * @param userAgent what wrote it: `freight-cli/1.0.0`
 * @throws FreightError `input` for amounts of more digits than a JSON number can be trusted with
 */
export function draftInvoice(parts: NewInvoice, userAgent: string): InvoiceDraft {
  const lines = parts.lines.map((line) => counted(line, parts.purpose === "creditMemo"))
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
    lineItems: lines.map(lineItem),
    invoiceSummary: {
      subtotal: exact(subtotal),
      taxAmount: exact(tax),
      taxBreakdown: taxBreakdown(lines),
      grossAmount: exact(due),
      dueAmount: exact(due),
      currency: "AUD",
    },
  }
  return { metadata: { sourceLanguage: "json", sourceVersion: "1.0", userAgent }, data }
}

function counted(line: NewLine, credit: boolean): Amounts {
  const quantity = credit ? negateDecimal(line.quantity) : line.quantity
  const subtotal = roundToCents(multiply(quantity, line.unitPrice))
  return { ...line, quantity, subtotal, tax: roundToCents(percentOfDecimal(subtotal, line.taxRate)) }
}

function lineItem(line: Amounts, index: number): LineItem {
  return {
    invoiceLineNumber: index + 1,
    description: line.description,
    quantity: exact(line.quantity),
    ...(line.unitOfMeasure && {
      unitOfMeasure: line.unitOfMeasure as NonNullable<LineItem["unitOfMeasure"]>,
    }),
    unitPrice: exact(line.unitPrice),
    subtotal: exact(line.subtotal),
    taxAmount: exact(line.tax),
    taxRate: exact(line.taxRate),
    currency: "AUD",
  }
}

/** A part for each rate, in the order of the lines. */
function taxBreakdown(lines: readonly Amounts[]) {
  const rates = new Map(lines.map(({ taxRate }) => [formatLiteral(taxRate), taxRate]))
  return [...rates.values()].map((rate) => {
    const same = lines.filter(({ taxRate }) => isSameDecimal(taxRate, rate))
    return {
      taxType: "GST" as const,
      taxRate: exact(rate),
      taxableAmount: exact(sum(same.map((line) => line.subtotal))),
      taxAmount: exact(sum(same.map((line) => line.tax))),
    }
  })
}

/** The decimal as a number that is written with the very same digits. */
function exact(amount: Decimal): number {
  const number = numberOf(amount)
  if (Number.isFinite(number) && isSameDecimal(decimalOf(number), amount)) return number
  throw new FreightError(
    "input",
    `${formatMoney(amount)} has more digits than a number in JSON can be trusted with`,
  )
}
