/** The amounts of a corrected document: totals change by the corrections only. */
import type { InvoiceData, LineItem } from "../../contract/generated/types.ts"
import { FreightError } from "../../base/errors.ts"
import {
  type Amount,
  add,
  CENT,
  formatMoney,
  GST_PERCENT,
  HALF_CENT,
  isWithin,
  multiply,
  negate,
  roundToCents,
  subtract,
  sum,
  times,
  toAmount,
  ZERO,
} from "../accounting/amounts.ts"
import { addTax, toNumber } from "../new/draft.ts"
import type { ShippingCharge } from "../new/texts.ts"

/** An amount of a document, exactly; an absent one counts zero. */
export function exact(value: number | undefined): Amount {
  const amount = value === undefined ? ZERO : toAmount(value, String(value))
  if (amount === undefined)
    throw new FreightError("input", `${value} has more digits than freight can count with`)
  return amount
}

/** The tax of a line in percent; undefined if the document does not state it. */
function findRate(line: LineItem, data: InvoiceData): Amount | undefined {
  const { invoiceSummary } = data
  if (line.taxRate !== undefined) return exact(line.taxRate)
  if (line.taxAmount !== undefined)
    return [GST_PERCENT, ZERO].find((rate) =>
      isWithin(addTax(exact(line.subtotal), rate).tax, exact(line.taxAmount), CENT),
    )
  const [part, ...others] = invoiceSummary.taxBreakdown ?? []
  if (part?.taxRate !== undefined && others.length === 0) return exact(part.taxRate)
  return findCommonRate(data)
}

/** The rate of all lines, if the tax is only in the summary: GST on everything, or none. */
function findCommonRate({ invoiceSummary, lineItems }: InvoiceData): Amount | undefined {
  const tax = exact(invoiceSummary.taxAmount)
  if (tax === ZERO) return ZERO
  if (lineItems.some(({ taxRate, taxAmount }) => taxRate !== undefined || taxAmount !== undefined))
    return undefined
  const [subtotal, shipping] = [exact(invoiceSummary.subtotal), exact(invoiceSummary.shippingAmount)]
  const discount = exact(invoiceSummary.discountAmount)
  const bases = [subtotal, add(subtotal, shipping)].flatMap((base) => [base, subtract(base, discount)])
  const rounding = times(HALF_CENT, lineItems.length + 1)
  return bases.some((base) => isWithin(addTax(base, GST_PERCENT).tax, tax, rounding))
    ? GST_PERCENT
    : undefined
}

function requireRate(line: LineItem, data: InvoiceData, how: string): Amount {
  const rate = findRate(line, data)
  if (rate !== undefined) return rate
  throw new FreightError(
    "usage",
    `line ${line.invoiceLineNumber} does not say at which rate it is taxed: ${how}`,
  )
}

/** The taxed parts of a line besides its subtotal. */
export interface TaxBase {
  withShipping: boolean
  lessDiscount: boolean
}

const BASES: readonly TaxBase[] = [false, true].flatMap((lessDiscount) =>
  [false, true].map((withShipping) => ({ withShipping, lessDiscount })),
)

/** The base of a line's tax: the first that gives the stated tax; its subtotal if none does. */
function findTaxBase(line: LineItem, rate: Amount): TaxBase {
  const stated = line.taxAmount === undefined ? undefined : exact(line.taxAmount)
  const found = BASES.find((base) => addTax(getTaxed(line, base), rate).tax === stated)
  return found ?? { withShipping: false, lessDiscount: false }
}

function getTaxed(line: LineItem, { withShipping, lessDiscount }: TaxBase): Amount {
  const shipping = withShipping ? exact(line.shippingAmount) : ZERO
  const discount = lessDiscount ? exact(line.discountAmount) : ZERO
  return subtract(add(exact(line.subtotal), shipping), discount)
}

export interface LineCharge {
  subtotal: Amount
  base: TaxBase
  taxed: Amount
  rate: Amount
  tax: Amount
  shipping: Amount
  discount: Amount
}

/** @param asIn the line before the change: its tax shows which amounts are taxed */
export function chargeOf(line: LineItem, data: InvoiceData, how: string, asIn = line): LineCharge {
  const rate = requireRate(line, data, how)
  const base = findTaxBase(asIn, findRate(asIn, data) ?? rate)
  const taxed = getTaxed(line, base)
  return {
    subtotal: exact(line.subtotal),
    base,
    taxed,
    rate,
    tax: line.taxAmount === undefined ? addTax(taxed, rate).tax : exact(line.taxAmount),
    shipping: exact(line.shippingAmount),
    discount: exact(line.discountAmount),
  }
}

/**
 * A line with its amounts worked out from quantity, price, tax and discount. It has the fields that it had.
 * @param before the line as it was
 */
export function priceLine(line: LineItem, before: LineItem, data: InvoiceData): LineItem {
  const subtotal = roundToCents(multiply(exact(line.quantity), exact(line.unitPrice)))
  const priced: LineItem = { ...line, subtotal: toNumber(subtotal) }
  const rate =
    line.taxRate === undefined
      ? requireRate(before, data, `--change-line "${line.invoiceLineNumber}=tax 10"`)
      : exact(line.taxRate)
  const base = findTaxBase(before, findRate(before, data) ?? rate)
  const { tax } = addTax(getTaxed(priced, base), rate)
  if (line.taxAmount !== undefined) priced.taxAmount = toNumber(tax)
  return addUpLine(priced, tax)
}

/** A line with its gross and net amounts, if it states them. */
export function addUpLine(line: LineItem, tax: Amount): LineItem {
  const gross = sum([exact(line.subtotal), tax, exact(line.shippingAmount)])
  return {
    ...line,
    ...(line.grossAmount !== undefined && { grossAmount: toNumber(gross) }),
    ...(line.netAmount !== undefined && { netAmount: toNumber(subtract(gross, exact(line.discountAmount))) }),
  }
}

interface Moves {
  subtotal: Amount
  shipping: Amount
  tax: Amount
  discount: Amount
  deposit: Amount
  /** Taxed amounts and their tax, by the rate in percent. */
  byRate: Map<Amount, { taxed: Amount; tax: Amount }>
}

function addMove({ byRate }: Moves, rate: Amount, taxed: Amount, tax: Amount): void {
  const before = byRate.get(rate) ?? { taxed: ZERO, tax: ZERO }
  byRate.set(rate, { taxed: add(before.taxed, taxed), tax: add(before.tax, tax) })
}

/**
 * Adjusts the totals of the summary to the new lines, shipping and deposit. A total that agrees does not change, and
 * totals that were not stated are not added, except shipping.
 * @param before the document before the change
 * @param pairs each line before and after, or one of the two
 * @param shipping the new shipping
 */
export function moveTotals(
  before: InvoiceData,
  after: InvoiceData,
  pairs: readonly { before?: LineItem | undefined; after?: LineItem | undefined }[],
  shipping: ShippingCharge | undefined,
): InvoiceData {
  const moves: Moves = {
    subtotal: ZERO,
    shipping: ZERO,
    tax: ZERO,
    discount: ZERO,
    deposit: subtract(exact(after.invoiceSummary.depositAmount), exact(before.invoiceSummary.depositAmount)),
    byRate: new Map(),
  }
  const moveBy = (charge: LineCharge, isTaken: boolean) => {
    const signed = (amount: Amount) => (isTaken ? negate(amount) : amount)
    moves.subtotal = add(moves.subtotal, signed(charge.subtotal))
    moves.shipping = add(moves.shipping, signed(charge.shipping))
    moves.tax = add(moves.tax, signed(charge.tax))
    moves.discount = add(moves.discount, signed(charge.discount))
    addMove(moves, charge.rate, signed(charge.taxed), signed(charge.tax))
  }
  for (const pair of pairs) {
    if (pair.before === pair.after) continue
    const how = (line: LineItem) => `--change-line "${line.invoiceLineNumber}=tax 10"`
    if (pair.before) moveBy(chargeOf(pair.before, before, how(pair.before)), true)
    if (pair.after) moveBy(chargeOf(pair.after, before, how(pair.after), pair.before), false)
  }
  const moved = shipping ? moveShipping(before, after, shipping, moves) : after
  return { ...moved, invoiceSummary: moveSummary(moved.invoiceSummary, moves) }
}

function moveShipping(
  before: InvoiceData,
  after: InvoiceData,
  { amount, taxRate }: ShippingCharge,
  moves: Moves,
): InvoiceData {
  const { lineItems, invoiceSummary } = before
  if (lineItems.some((line) => exact(line.shippingAmount) !== ZERO))
    throw new FreightError("usage", "--shipping-amount: the shipping of this invoice is on its lines", {
      hint: "Cancel the invoice, and write a new one.",
    })
  const billed = exact(invoiceSummary.shippingAmount ?? before.shipping?.amount)
  const rateBefore = billed === ZERO ? ZERO : findShippingRate(before, billed)
  const isTaxed = after.lineItems.some((line) => findRate(line, before) !== ZERO)
  const rate = taxRate ?? (billed !== ZERO ? rateBefore : isTaxed ? GST_PERCENT : ZERO)
  const charge = addTax(amount, rate)
  const earlier = addTax(billed, rateBefore)
  moves.shipping = add(moves.shipping, subtract(amount, billed))
  moves.tax = add(moves.tax, subtract(charge.tax, earlier.tax))
  addMove(moves, rateBefore, negate(billed), negate(earlier.tax))
  addMove(moves, rate, amount, charge.tax)
  return { ...after, shipping: { ...after.shipping, amount: toNumber(amount), currency: "AUD" } }
}

/** The rate by which the tax of the summary is that of the lines and the shipping. */
function findShippingRate(data: InvoiceData, billed: Amount): Amount {
  const { invoiceSummary, lineItems } = data
  const ofLines = sum(lineItems.map((line) => chargeOf(line, data, "write a new invoice").tax))
  const rest = subtract(exact(invoiceSummary.taxAmount), ofLines)
  const handling = exact(invoiceSummary.specialHandlingAmount)
  const rates = [GST_PERCENT, ZERO].filter((rate) =>
    [GST_PERCENT, ZERO].some((other) =>
      isWithin(rest, add(addTax(billed, rate).tax, addTax(handling, other).tax), CENT),
    ),
  )
  const [rate] = rates
  if (rates.length === 1 && rate !== undefined) return rate
  throw new FreightError(
    "usage",
    `--shipping-amount: nothing shows how the shipping of ${formatMoney(billed)} was taxed`,
    { hint: "Cancel the invoice, and write a new one." },
  )
}

function moveSummary(summary: InvoiceData["invoiceSummary"], moves: Moves): InvoiceData["invoiceSummary"] {
  const { subtotal, shipping, tax, discount, deposit, byRate } = moves
  const gross = sum([subtotal, shipping, tax])
  const net = subtract(gross, discount)
  const moved = { ...summary }
  const move = (field: "subtotal" | "taxAmount" | "dueAmount" | Optional, by: Amount, isAdded = false) => {
    if (summary[field] !== undefined || (isAdded && by !== ZERO))
      moved[field] = toNumber(add(exact(summary[field]), by))
  }
  move("subtotal", subtotal)
  move("shippingAmount", shipping, true)
  move("taxAmount", tax)
  move("discountAmount", discount, true)
  move("grossAmount", gross)
  move("netAmount", net)
  move("dueAmount", subtract(net, deposit))
  if (summary.taxBreakdown) moved.taxBreakdown = moveParts(summary.taxBreakdown, byRate)
  return moved
}

type Optional = "shippingAmount" | "discountAmount" | "grossAmount" | "netAmount"
type TaxParts = NonNullable<InvoiceData["invoiceSummary"]["taxBreakdown"]>

function moveParts(parts: TaxParts, byRate: Moves["byRate"]): TaxParts {
  const left = new Map(byRate)
  const moved = parts.flatMap((part) => {
    const rate = part.taxRate === undefined ? undefined : exact(part.taxRate)
    const by = rate === undefined ? undefined : left.get(rate)
    if (!by || rate === undefined) return [part]
    left.delete(rate)
    if (by.taxed === ZERO && by.tax === ZERO) return [part]
    const [taxed, tax] = [add(exact(part.taxableAmount), by.taxed), add(exact(part.taxAmount), by.tax)]
    return taxed === ZERO && tax === ZERO
      ? []
      : [{ ...part, taxableAmount: toNumber(taxed), taxAmount: toNumber(tax) }]
  })
  const added = [...left].filter(([, { taxed, tax }]) => taxed !== ZERO || tax !== ZERO)
  return [
    ...moved,
    ...added.map(([rate, { taxed, tax }]) => ({
      taxType: "GST" as const,
      taxRate: toNumber(rate),
      taxableAmount: toNumber(taxed),
      taxAmount: toNumber(tax),
    })),
  ]
}
