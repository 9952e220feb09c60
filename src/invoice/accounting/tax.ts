/** Tax: totals, the breakdown by rate, and the rates there are. */
import { add, type Decimal } from "../../contract/decimal.ts"
import {
  equal,
  GST_PERCENT,
  HALF_CENT,
  money,
  percentOf,
  plain,
  subtract,
  times,
  within,
  ZERO,
} from "./amounts.ts"
import { type Books, type Part, totalOf } from "./books.ts"
import { rateTax, taxRemarks } from "./lines.ts"
import type { DocumentRule, Remark } from "./rule.ts"
import { disagreement, lineClues } from "./slips.ts"
import { mendedTotal } from "./sums.ts"

const GST_ACT = "A New Tax System (Goods and Services Tax) Act 1999"

export const TAX_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/summary-tax",
    title: "tax is the sum of the lines' tax",
    about:
      "Adds up the tax of all lines, when each states it. Half a cent of rounding is allowed for each line whose tax is not exactly its rate of its subtotal. GST on shipping, handling or a discount that only the summary has may come on top.",
    basis: "The contract: the summary's taxAmount is the total tax.",
    check: summaryTaxRemarks,
  },
  {
    id: "accounting/tax-part",
    title: "each part of the tax is the rate of what is taxed",
    about:
      "Works out each part of the tax breakdown from its rate and its taxable amount. Half a cent of rounding is allowed for each line whose tax was rounded, and half a cent for the part itself.",
    basis: "The contract: a part of taxBreakdown states a percentage, a taxable amount and a tax amount.",
    check: (books) => books.summary.parts("taxBreakdown").flatMap((part) => partRemarks(part, books)),
  },
  {
    id: "accounting/tax-breakdown",
    title: "the tax breakdown adds up to the tax",
    about:
      "Adds up the tax of all parts of the breakdown, when each states it. Half a cent of rounding is allowed for each part.",
    basis: "The contract: taxBreakdown divides the total tax of the summary.",
    check: breakdownRemarks,
  },
  {
    id: "accounting/gst-rate",
    title: "GST is 10% or nothing",
    about:
      "Goods and services are taxed at 10%, or they are free of GST. A line may have another rate when the tax breakdown has that rate for another tax.",
    basis: `${GST_ACT}, section 9-70 (10% of the value) and Division 38 (GST-free supplies).`,
    check: rateRemarks,
  },
]

export function summaryTaxRemarks(books: Books): Remark[] {
  const { summary, lines } = books
  const [said, total] = [summary.amount("taxAmount"), books.total("taxAmount")]
  if (!said || !total || !books.everyLineHas("taxAmount") || equal(said, total)) return []
  const allowed = times(HALF_CENT, Math.max(1, books.roundedTaxes()))
  const totals = [total, mendedTotal(lines, "taxAmount", taxRemarks, rateTax) ?? total]
  const besides = taxesBesides(books)
  if (totals.some((each) => besides.some((more) => within(said, add(each, more), allowed)))) return []
  return disagreement(summary, "taxAmount", "the lines' tax adds up to", total, lineClues(lines, "taxAmount"))
}

/** What GST the summary may hold besides the lines': on its own shipping, handling and discount, each or none. */
function taxesBesides(books: Books): Decimal[] {
  const { summary } = books
  const amount = (field: string) => summary.amount(field) ?? ZERO
  const besidesLines = (field: string) => subtract(amount(field), books.total(field) ?? ZERO)
  const choices = [
    [ZERO, besidesLines("shippingAmount"), amount("shippingAmount")],
    [ZERO, amount("specialHandlingAmount")],
    [ZERO, subtract(ZERO, besidesLines("discountAmount")), subtract(ZERO, amount("discountAmount"))],
  ]
  const bases = choices.reduce(
    (sums, next) => sums.flatMap((sum) => next.map((each) => add(sum, each))),
    [ZERO],
  )
  return bases.map((base) => percentOf(base, GST_PERCENT))
}

function partRemarks(part: Part, books: Books): Remark[] {
  const [rate, taxable, tax] = [
    part.amount("taxRate"),
    part.amount("taxableAmount"),
    part.amount("taxAmount"),
  ]
  const right = partTax(part)
  if (!rate || !taxable || !tax || !right || within(tax, right, HALF_CENT)) return []
  if (within(tax, right, times(HALF_CENT, 1 + books.roundedTaxes()))) return []
  return disagreement(part, "taxAmount", `${plain(rate)}% of ${money(taxable)} is`, right)
}

/** The tax that a part's rate makes of its taxable amount. */
function partTax(part: Part): Decimal | undefined {
  const [rate, taxable] = [part.amount("taxRate"), part.amount("taxableAmount")]
  return rate && taxable && percentOf(taxable, rate)
}

function breakdownRemarks(books: Books): Remark[] {
  const { summary } = books
  const parts = summary.parts("taxBreakdown")
  const [said, total] = [summary.amount("taxAmount"), totalOf(parts, "taxAmount")]
  if (!said || !total || parts.length === 0 || !parts.every((part) => part.has("taxAmount"))) return []
  const totals = [
    total,
    mendedTotal(parts, "taxAmount", (part) => partRemarks(part, books), partTax) ?? total,
  ]
  // A tax that the lines contradict is reported already, and is not held against the breakdown.
  const linesSay = summaryTaxRemarks(books).length > 0 ? books.total("taxAmount") : undefined
  const taxes = linesSay ? [said, linesSay] : [said]
  const allowed = times(HALF_CENT, parts.length)
  if (taxes.some((tax) => totals.some((each) => within(tax, each, allowed)))) return []
  return disagreement(summary, "taxAmount", "the tax breakdown adds up to", total)
}

function rateRemarks({ summary, lines }: Books): Remark[] {
  const parts = summary.parts("taxBreakdown")
  const [gst, others] = [parts.filter(isGst), parts.filter((part) => !isGst(part))]
  const otherRates = others.flatMap((part) => part.amount("taxRate") ?? [])
  const remarks = (part: Part, allowed: readonly Decimal[]): Remark[] => {
    const rate = part.amount("taxRate")
    if (!rate || [ZERO, GST_PERCENT, ...allowed].some((each) => equal(each, rate))) return []
    const fraction = equal(rate, { units: 1n, places: 1 })
    return [
      {
        pointer: part.at("taxRate"),
        message: `GST is 10% or nothing, not ${plain(rate)}%`,
        hint: fraction ? "write 10 for 10 percent" : "write 10, or 0 for what is free of GST",
      },
    ]
  }
  return [...lines.flatMap((line) => remarks(line, otherRates)), ...gst.flatMap((part) => remarks(part, []))]
}

function isGst(part: Part): boolean {
  return part.text("taxType") === "GST"
}
