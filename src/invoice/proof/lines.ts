/** Line items as the accounting rules see them, in cents: sums, and whether each line is right in itself. */
import { amountOf, valueAt } from "./cells"
import { Line } from "./tables"

/** Amounts up to a thousand million dollars: products of them with rates stay exact in doubles. */
export const MOST_CENTS: f64 = 1e11
/** 10 %, in hundredths of a percent. */
export const GST: f64 = 1000
/** A cent, in the unit of quantity × price, and of amount × rate: ten thousandths of a cent. */
export const PARTS: f64 = 10_000
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991

const REFERENCES = Line.poLineReferenceBit | Line.asnLineReferenceBit | Line.uniqueLineKeyBit

/** Sums over the lines of the document. */
export let subtotals: f64 = 0
export let taxes: f64 = 0
export let shippings: f64 = 0
export let discounts: f64 = 0
/** Lines whose subtotal is not exactly quantity × price. */
export let roundedSubtotals: f64 = 0
/** Lines whose tax is not exactly the rate of the subtotal. */
export let roundedTaxes: f64 = 0
export let everyHasTax = true
export let anyHasShipping = false
export let anyNegative = false
export let anyPositive = false
export let everyHasReference = true
let isFirst = true
let lineNumber: f64 = 0

export function beginLines(): void {
  subtotals = taxes = shippings = discounts = 0
  roundedSubtotals = roundedTaxes = 0
  everyHasTax = everyHasReference = isFirst = true
  anyHasShipping = anyNegative = anyPositive = false
}

/** Adds a line; false when it is not certainly right. */
export function addLine(seen: u32): bool {
  const subtotal = valueAt(Line.subtotal)
  const tax = amountOf(seen, Line.taxAmountBit, Line.taxAmount)
  const shipping = amountOf(seen, Line.shippingAmountBit, Line.shippingAmount)
  const discount = amountOf(seen, Line.discountAmountBit, Line.discountAmount)
  if (abs(subtotal) >= MOST_CENTS || abs(tax) >= MOST_CENTS) return false
  if (abs(shipping) >= MOST_CENTS || abs(discount) >= MOST_CENTS) return false
  subtotals += subtotal
  taxes += tax
  shippings += shipping
  discounts += discount
  if (subtotal < 0) anyNegative = true
  else if (subtotal > 0) anyPositive = true
  if ((seen & Line.taxAmountBit) === 0) everyHasTax = false
  if ((seen & Line.shippingAmountBit) !== 0) anyHasShipping = true
  if ((seen & REFERENCES) === 0) everyHasReference = false
  return (
    isNext(valueAt(Line.invoiceLineNumber)) &&
    isProduct(subtotal) &&
    isTaxed(seen, subtotal, tax, shipping, discount) &&
    addsUp(seen, subtotal, tax, shipping, discount)
  )
}

/** Numbers that rise are all different; others are left to the examiner. */
function isNext(number: f64): bool {
  const rises = isFirst || number > lineNumber
  isFirst = false
  lineNumber = number
  return rises
}

function isProduct(subtotal: f64): bool {
  const product = valueAt(Line.quantity) * valueAt(Line.unitPrice)
  const difference = abs(product - subtotal * PARTS)
  if (difference !== 0) roundedSubtotals++
  return difference <= PARTS / 2 && abs(product) < MAX_SAFE_INTEGER
}

function isTaxed(seen: u32, subtotal: f64, tax: f64, shipping: f64, discount: f64): bool {
  if ((seen & Line.taxRateBit) === 0) {
    roundedTaxes++
    return true
  }
  const rate = valueAt(Line.taxRate)
  if (rate !== 0 && rate !== GST) return false
  const hasTax = (seen & Line.taxAmountBit) !== 0
  if (!hasTax || subtotal * rate !== tax * PARTS) roundedTaxes++
  return (
    !hasTax ||
    isRateOf(tax, subtotal, rate) ||
    isRateOf(tax, subtotal + shipping, rate) ||
    isRateOf(tax, subtotal - discount, rate) ||
    isRateOf(tax, subtotal - discount + shipping, rate)
  )
}

function addsUp(seen: u32, subtotal: f64, tax: f64, shipping: f64, discount: f64): bool {
  const before = subtotal + tax + shipping
  // A line that does not state its tax may have the tax of its rate, or none.
  const untold = (seen & Line.taxAmountBit) === 0 ? amountOf(seen, Line.taxRateBit, Line.taxRate) : 0
  const gross = amountOf(seen, Line.grossAmountBit, Line.grossAmount)
  const hasGross = (seen & Line.grossAmountBit) !== 0
  if (hasGross && gross !== before && !isRateOf(gross - before, subtotal, untold)) return false
  if ((seen & Line.netAmountBit) === 0) return true
  const net = valueAt(Line.netAmount) + discount
  return hasGross ? net === gross : net === before || isRateOf(net - before, subtotal, untold)
}

/** Whether an amount is the rate of a base to within half a cent; at a rate of nought it is nothing. */
export function isRateOf(amount: f64, base: f64, rate: f64): bool {
  return abs(amount * PARTS - base * rate) <= PARTS / 2
}
