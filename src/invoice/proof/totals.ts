/** The invoice summary as the accounting rules see it, in cents: against the lines, and against itself. */
import { amountOf, valueAt } from "./cells"
import {
  anyHasShipping,
  discounts,
  everyHasTax,
  GST,
  isRateOf,
  MOST_CENTS,
  PARTS,
  roundedSubtotals,
  roundedTaxes,
  shippings,
  subtotals,
  taxes,
} from "./lines"
import { Shipping, Summary, TaxPart, TaxType } from "./tables"

let parts: f64 = 0
let taxOfParts: f64 = 0
let everyPartHasTax = true
/** The most that a part differs from its rate, in ten thousandths of a cent. */
let difference: f64 = 0

/** What the shipping may be. */
let fromLines: f64 = 0
let fromSection: f64 = 0
let fromBoth: f64 = 0
let fromNothing: f64 = 0

let base: f64 = 0
let gross: f64 = NaN
let discount: f64 = 0
let otherDiscount: f64 = 0

export function beginTotals(): void {
  parts = taxOfParts = difference = 0
  everyPartHasTax = true
}

/** Adds a part of the tax breakdown; false when it is not certainly right. */
export function addPart(seen: u32): bool {
  const rate = amountOf(seen, TaxPart.taxRateBit, TaxPart.taxRate)
  const isGst = (seen & TaxPart.taxTypeBit) !== 0 && valueAt(TaxPart.taxType) === TaxType.GST
  if (isGst && rate !== 0 && rate !== GST) return false
  const tax = amountOf(seen, TaxPart.taxAmountBit, TaxPart.taxAmount)
  const taxable = amountOf(seen, TaxPart.taxableAmountBit, TaxPart.taxableAmount)
  if (abs(taxable) >= MOST_CENTS || abs(tax) >= MOST_CENTS || abs(rate) > PARTS) return false
  parts++
  taxOfParts += tax
  if ((seen & TaxPart.taxAmountBit) === 0) everyPartHasTax = false
  const needed = TaxPart.taxAmountBit | TaxPart.taxableAmountBit | TaxPart.taxRateBit
  if ((seen & needed) === needed) difference = max(difference, abs(tax * PARTS - taxable * rate))
  return true
}

/**
 * Whether the summary agrees with the lines and with itself.
 * @param seen the summary's properties
 * @param seenSection those of the shipping section
 */
export function totalsAgree(seen: u32, seenSection: u32): bool {
  const subtotal = amountOf(seen, Summary.subtotalBit, Summary.subtotal)
  const tax = amountOf(seen, Summary.taxAmountBit, Summary.taxAmount)
  const shipping = amountOf(seen, Summary.shippingAmountBit, Summary.shippingAmount)
  const handling = amountOf(seen, Summary.specialHandlingAmountBit, Summary.specialHandlingAmount)
  const net = amountOf(seen, Summary.netAmountBit, Summary.netAmount)
  const deposit = amountOf(seen, Summary.depositAmountBit, Summary.depositAmount)
  const due = amountOf(seen, Summary.dueAmountBit, Summary.dueAmount)
  const hasGross = (seen & Summary.grossAmountBit) !== 0
  discount = amountOf(seen, Summary.discountAmountBit, Summary.discountAmount)
  gross = hasGross ? valueAt(Summary.grossAmount) : NaN
  if (abs(subtotal) >= MOST_CENTS || abs(tax) >= MOST_CENTS || abs(shipping) >= MOST_CENTS) return false
  if (abs(handling) >= MOST_CENTS || abs(discount) >= MOST_CENTS || abs(gross) >= MOST_CENTS) return false
  if (abs(net) >= MOST_CENTS || abs(deposit) >= MOST_CENTS || abs(due) >= MOST_CENTS) return false

  if (2 * abs(subtotal - subtotals) > roundedSubtotals) return false
  if (!taxAgrees(tax, shipping, handling) || !discountAgrees(seen)) return false
  if (!readShipping(seen, shipping, seenSection)) return false
  base = subtotal + tax + handling
  otherDiscount = (seen & Summary.discountAmountBit) !== 0 ? discount : discounts
  if (hasGross && !isSum(gross)) return false
  const paid = due + deposit
  return (seen & Summary.netAmountBit) !== 0 ? isNet(net) && paid === net : isNet(paid)
}

function taxAgrees(tax: f64, shipping: f64, handling: f64): bool {
  if (difference > (PARTS / 2) * (1 + roundedTaxes)) return false
  if (parts > 0 && everyPartHasTax && 2 * abs(tax - taxOfParts) > parts) return false
  if (!everyHasTax) return true
  const more = tax - taxes
  const extra = shipping - shippings
  // GST on shipping and handling that only the summary has may come on top.
  return (
    2 * abs(more) <= max(1, roundedTaxes) ||
    (more !== 0 &&
      (isRateOf(more, extra, GST) || isRateOf(more, handling, GST) || isRateOf(more, extra + handling, GST)))
  )
}

/** The discount holds at least those of the lines. */
function discountAgrees(seen: u32): bool {
  if ((seen & Summary.discountAmountBit) === 0 || discounts === 0) return true
  return discounts > 0 ? discount >= discounts : discount <= discounts
}

/** Notes what the shipping may be; false when the summary's differs from the lines' and the section's. */
function readShipping(seen: u32, said: f64, seenSection: u32): bool {
  const section = amountOf(seenSection, Shipping.amountBit, Shipping.amount)
  if (abs(section) >= MOST_CENTS) return false
  const hasSection = (seenSection & Shipping.amountBit) !== 0
  fromLines = anyHasShipping ? shippings : section
  fromSection = hasSection ? section : shippings
  fromBoth = hasSection && anyHasShipping ? section + shippings : fromLines
  fromNothing = 0
  if ((seen & Summary.shippingAmountBit) === 0) return true
  const agrees = said === fromLines || said === fromSection || said === fromBoth
  fromLines = fromSection = fromBoth = fromNothing = said
  return agrees || !(hasSection || anyHasShipping)
}

function isSum(amount: f64): bool {
  const rest = amount - base
  return rest === fromLines || rest === fromSection || rest === fromBoth || rest === fromNothing
}

/** Gross, net and due follow, with what is not stated taken from the lines or for nought. */
function isNet(net: f64): bool {
  return isGross(net + discount) || isGross(net + otherDiscount)
}

function isGross(amount: f64): bool {
  return Number.isNaN(gross) ? isSum(amount) : amount === gross
}
