/** A new invoice: its parts put together, and all totals worked out in exact decimals. */
import type {
  Invoice,
  InvoiceAddress,
  InvoiceData,
  LineItem,
  ShipmentDetails,
} from "../../contract/generated/types.ts"
import { counted } from "../../base/counted.ts"
import type { JsonObject } from "../../base/json.ts"
import { assignFields, type Assignment } from "../../contract/index.ts"
import { FreightError } from "../../base/errors.ts"
import {
  type Amount,
  formatLiteral,
  formatMoney,
  GST_PERCENT,
  multiply,
  negate,
  roundToCents,
  sum,
  takePercent,
  toAmount,
  ZERO,
} from "../accounting/amounts.ts"
import { BUYER_IDENTITY } from "../accounting/identifiers.ts"
import { examine } from "../examine.ts"
import { MEANT_RULES } from "../accounting/rules.ts"
import type { Finding } from "../finding.ts"
import { CREDITS } from "../kind.ts"
import {
  findDueDate,
  parseContact,
  parseTerms,
  type PaymentTexts,
  readChecked,
  toBankDetails,
} from "./payment.ts"
import type { NewLine, ShippingCharge } from "./texts.ts"

export const NEW_PURPOSES = [
  "standard",
  "creditMemo",
  "debitMemo",
  "lineLevelCreditMemo",
  "lineLevelDebitMemo",
] as const satisfies readonly InvoiceData["purpose"][]

export interface NewInvoice extends PaymentTexts {
  number: string
  po: string
  date: string
  due?: string
  purpose: (typeof NEW_PURPOSES)[number]
  /** Number of the earlier invoice that a memo changes. */
  refersTo?: string
  supplierId: string
  supplierName: string
  abn?: string
  supplierAddress?: InvoiceAddress
  contact?: string
  billTo: InvoiceAddress
  shipTo?: InvoiceAddress
  soldTo?: InvoiceAddress
  /** The payment recipient, besides the bank account. */
  remitTo?: InvoiceAddress
  comments?: string
  lines: readonly NewLine[]
  /** Orders that are billed besides `po`. */
  otherOrders?: readonly string[]
  /** Id of the shipment that is billed, or ids. */
  shipmentId?: string
  shipmentDetails?: ShipmentDetails
  shipping?: ShippingCharge
  specialHandling?: ShippingCharge
  /** Already paid: deducted from the amount due. */
  deposit?: Amount
  /** The amount due as another program worked it out: the draft has to come to the same. */
  statedDue?: Amount
  /** Other fields of the document; they override calculated values. */
  assignments?: readonly Assignment[]
}

/** The document as a sender holds it: without the fields that the service fills in. */
export type InvoiceDraft = Pick<Invoice, "metadata" | "data">

/** A taxed part: a line, or shipping. */
export interface Charge {
  /** Before tax. */
  subtotal: Amount
  /** In percent. */
  taxRate: Amount
  tax: Amount
}

type PricedLine = NewLine & Charge

/**
 * The draft of an invoice. On a credit memo quantities, and so all amounts, are negative, and no payment is requested.
 * @param userAgent the program that wrote it: `freight-cli/1.0.0`
 */
export function createDraft(parts: NewInvoice, userAgent: string): InvoiceDraft {
  const isCredit = CREDITS.has(parts.purpose)
  const lines = parts.lines.map((line) => priceLine(line, isCredit))
  const shipping = priceShipping(parts.shipping, lines, isCredit)
  const handling = priceShipping(parts.specialHandling, lines, isCredit)
  const charges = [...lines, ...(shipping ? [shipping] : []), ...(handling ? [handling] : [])]
  const deposit = parts.deposit !== undefined && isCredit ? negate(parts.deposit) : parts.deposit
  const payment: Pick<NewInvoice, keyof PaymentTexts | "remitTo"> = isCredit ? {} : parts
  const bankDetails = toBankDetails(payment, parts.supplierName)
  const paymentTerms = readChecked(parseTerms, payment.terms)
  const dueDate = parts.due ?? (paymentTerms && findDueDate(paymentTerms, parts.date))
  const contact = readChecked(parseContact, parts.contact)
  const data: CountedData = {
    invoiceNumber: parts.number,
    poNumber: parts.po,
    invoiceDate: parts.date,
    ...(dueDate !== undefined && { dueDate }),
    purpose: parts.purpose,
    ...(parts.otherOrders && {
      poReferences: [...new Set([parts.po, ...parts.otherOrders])].map((poNumber) => ({ poNumber })),
    }),
    ...(parts.shipmentId !== undefined && { asnReference: { shipmentId: parts.shipmentId } }),
    ...(parts.refersTo !== undefined && { documentReference: { invoiceId: parts.refersTo } }),
    supplier: {
      id: parts.supplierId,
      name: parts.supplierName,
      ...(parts.abn !== undefined && { taxRegistrations: { type: "ABN", value: parts.abn } }),
      ...(contact && { contact }),
      ...(parts.supplierAddress && { address: parts.supplierAddress }),
    },
    billTo: parts.billTo,
    ...(parts.soldTo && { soldTo: parts.soldTo }),
    ...(parts.shipTo && { shipTo: parts.shipTo }),
    ...((payment.remitTo || bankDetails) && {
      remitTo: { ...payment.remitTo, ...(bankDetails && { bankDetails }) },
    }),
    ...(shipping && { shipping: { amount: toNumber(shipping.subtotal), currency: "AUD" } }),
    ...(parts.shipmentDetails && { shipmentDetails: parts.shipmentDetails }),
    ...(paymentTerms && { paymentTerms }),
    ...(parts.comments !== undefined && { comments: parts.comments }),
    lineItems: lines.map(toLineItem),
    invoiceSummary: {
      subtotal: toNumber(sum(lines.map((line) => line.subtotal))),
      ...(shipping && { shippingAmount: toNumber(shipping.subtotal) }),
      ...(handling && { specialHandlingAmount: toNumber(handling.subtotal) }),
      taxAmount: toNumber(sum(charges.map(({ tax }) => tax))),
      taxBreakdown: breakDownTax(charges),
      ...(deposit !== undefined && { depositAmount: toNumber(deposit) }),
      currency: "AUD",
    },
  }
  const draft = { metadata: createMetadata(userAgent), data }
  const assigned = assignFields(draft as unknown as JsonObject, parts.assignments ?? [])
  return completeDraft(assigned as unknown as Pick<Invoice, "metadata"> & { data: CountedData })
}

/** Its totals may be left to be worked out. */
type CountedData = Omit<InvoiceData, "invoiceSummary"> & {
  invoiceSummary: Omit<InvoiceData["invoiceSummary"], "dueAmount"> & { dueAmount?: number }
}

/** Adds calculated fields that it does not state: gross, net, due, and the main order's number. */
function completeDraft(draft: Pick<Invoice, "metadata"> & { data: CountedData }): InvoiceDraft {
  const { data } = draft
  // A summary that is set as a whole is complete.
  if (data.invoiceSummary === undefined) return draft as InvoiceDraft
  const [main, ...others] = data.poReferences ?? []
  const { grossAmount, netAmount, depositAmount, dueAmount, currency, ...counted } = data.invoiceSummary
  const { discountAmount } = counted
  const gross =
    grossAmount ??
    addNumbers(counted.subtotal, counted.shippingAmount, counted.specialHandlingAmount, counted.taxAmount)
  const net = netAmount ?? addNumbers(gross, reverseSign(discountAmount))
  const invoiceSummary = {
    ...counted,
    grossAmount: gross,
    ...((discountAmount ?? netAmount) !== undefined && { netAmount: net }),
    ...(depositAmount !== undefined && { depositAmount }),
    dueAmount: dueAmount ?? addNumbers(net, reverseSign(depositAmount)),
    currency,
  }
  // For the main order, only its version or date may be given.
  const poReferences = main && [{ ...{ poNumber: data.poNumber }, ...main }, ...others]
  return { ...draft, data: { ...data, ...(poReferences && { poReferences }), invoiceSummary } }
}

function addNumbers(...numbers: readonly (number | undefined)[]): number {
  return toNumber(sum(numbers.map((number) => toAmount(Number(number ?? 0)) ?? ZERO)))
}

function reverseSign(number = 0): number {
  return 0 - number
}

/** @param userAgent as the document names the program that wrote it: `freight-cli/1.2.3` */
export function createMetadata(userAgent: string): InvoiceDraft["metadata"] {
  return { sourceLanguage: "json", sourceVersion: "1.0", userAgent }
}

/** The total of the lines so far: `3 lines, 69.98 and 4.00 GST, 73.98 in all`, with shipping if it is billed. */
export function describeTotal(lines: readonly NewLine[], shipping?: ShippingCharge): string {
  const priced = lines.map((line) => priceLine(line, false))
  const charge = priceShipping(shipping, priced, false)
  const subtotal = sum(priced.map((line) => line.subtotal))
  const tax = sum([...priced, ...(charge ? [charge] : [])].map((each) => each.tax))
  const due = sum([subtotal, charge?.subtotal ?? ZERO, tax])
  const besides = charge ? `, shipping ${formatMoney(charge.subtotal)}` : ""
  return `${counted(lines.length, "line")}, ${formatMoney(subtotal)}${besides} and ${formatMoney(tax)} GST, ${formatMoney(due)} in all`
}

/** The note about a memo without a reason. */
export const NO_REASON = "It gives no reason: --comments does."

/** How to name the buyer whom a tax invoice has to name. */
export const NAME_BUYER = 'begin --bill-to with it: "NAME; STREET; SUBURB STATE POSTCODE"'

/**
 * Findings in the text of a draft, as `invoice validate` finds them. A draft is written although its buyer has no
 * name yet.
 */
export function examineDraft(text: string): {
  wrong: Finding[]
  /** Findings that may be intentional: they are shown, and the draft is written. */
  doubts: Finding[]
  nameless: Finding | undefined
} {
  const findings = examine(text, { stage: "draft", accounting: true, strict: false, rules: {} })
  const nameless = findings.find(({ rule }) => rule === BUYER_IDENTITY)
  const wrong = findings.filter((finding) => finding !== nameless && !MEANT_RULES.has(finding.rule))
  return { wrong, doubts: findings.filter(({ rule }) => MEANT_RULES.has(rule)), nameless }
}

function priceLine(line: NewLine, isCredit: boolean): PricedLine {
  const signed = isCredit ? reverseLine(line) : line
  return { ...signed, ...chargeLine(signed) }
}

export function reverseLine(line: NewLine): NewLine {
  const { quantity, sums } = line
  return {
    ...line,
    quantity: negate(quantity),
    ...(sums && { sums: { subtotal: negate(sums.subtotal), tax: negate(sums.tax) } }),
  }
}

export function chargeLine({
  quantity,
  unitPrice,
  taxRate,
  sums,
}: Pick<NewLine, "quantity" | "unitPrice" | "taxRate" | "sums">): Charge {
  return sums ? { ...sums, taxRate } : addTax(roundToCents(multiply(quantity, unitPrice)), taxRate)
}

/** Shipping of goods that are all free of GST is free of it too. */
function priceShipping(
  shipping: ShippingCharge | undefined,
  lines: readonly Charge[],
  isCredit: boolean,
): Charge | undefined {
  if (!shipping) return undefined
  const { amount, taxRate = lines.some((line) => line.taxRate !== ZERO) ? GST_PERCENT : ZERO } = shipping
  return addTax(isCredit ? negate(amount) : amount, taxRate)
}

export function addTax(subtotal: Amount, taxRate: Amount): Charge {
  return { subtotal, taxRate, tax: roundToCents(takePercent(subtotal, taxRate)) }
}

/** @param index of the line, from 0: its number is one more */
export function toLineItem(line: PricedLine, index: number): LineItem {
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
export function breakDownTax(charges: readonly Charge[]) {
  const rates = new Set(charges.map(({ taxRate }) => taxRate))
  return [...rates].map((rate) => {
    const same = charges.filter(({ taxRate }) => taxRate === rate)
    return {
      taxType: "GST" as const,
      taxRate: toNumber(rate),
      taxableAmount: toNumber(sum(same.map(({ subtotal }) => subtotal))),
      taxAmount: toNumber(sum(same.map(({ tax }) => tax))),
    }
  })
}

/** The amount as a number that is written with the very same digits. */
export function toNumber(amount: Amount): number {
  const number = Number(formatLiteral(amount))
  if (toAmount(number, String(number)) === amount) return number
  throw new FreightError(
    "input",
    `${formatMoney(amount)} has more digits than a JSON number can hold exactly`,
  )
}
