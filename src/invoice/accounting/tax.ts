/** Tax: totals, the breakdown by rate, and the rates there are. */
import {
  add,
  type Amount,
  CENT,
  GST_PERCENT,
  HALF_CENT,
  isWithin,
  formatMoney,
  negate,
  takePercent,
  formatPlain,
  subtract,
  times,
  ZERO,
} from "./amounts.ts"
import { adviseLiteral } from "../words/advice.ts"
import { type Books, type Part, getTaxByRate, sumField } from "./books.ts"
import { checkLineTax } from "./lines.ts"
import { collectFindings, type DocumentRule, GST_ACT, NO_FINDINGS, type RuleFinding } from "./rule.ts"
import { sumCorrected, reportMismatch, getLineClues } from "./sums.ts"

export const TAX_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/summary-tax",
    title: "tax is the sum of the lines' tax",
    about:
      "Adds up the tax of all lines, when each states it. Half a cent of rounding is allowed for each line whose tax is not exactly its rate of its subtotal. GST on shipping, handling or a discount that only the summary has may come on top.",
    basis: "The contract: the summary's taxAmount is the total tax.",
    check: checkSummaryTax,
  },
  {
    id: "accounting/tax-part",
    title: "each part of the tax is its rate of the taxable amount",
    about:
      "Works out each part of the tax breakdown from its rate and its taxable amount. Half a cent of rounding is allowed for each line whose tax was rounded, and half a cent for the part itself.",
    basis: "The contract: a part of taxBreakdown states a percentage, a taxable amount and a tax amount.",
    check: (books) => books.summary.parts("taxBreakdown").flatMap((part) => checkPart(part, books)),
  },
  {
    id: "accounting/tax-breakdown",
    title: "the tax breakdown adds up to the tax",
    about:
      "Adds up the tax of all parts of the breakdown, when each states it. Half a cent of rounding is allowed for each part.",
    basis: "The contract: taxBreakdown divides the total tax of the summary.",
    check: checkBreakdown,
  },
  {
    id: "accounting/gst-rate",
    title: "GST is 10% or nothing",
    about:
      "Goods and services are taxed at 10%, or they are free of GST. A line may have another rate when the tax breakdown has that rate for another tax.",
    basis: `${GST_ACT}, section 9-70 (10% of the value) and Division 38 (GST-free supplies).`,
    check: checkRates,
  },
]

export function checkSummaryTax(books: Books): RuleFinding[] {
  const { summary, lines } = books
  const stated = summary.amount("taxAmount")
  const total = books.total("taxAmount")
  if (stated === undefined || total === undefined || stated === total || !books.everyLineHas("taxAmount"))
    return []
  const allowed = times(HALF_CENT, Math.max(1, books.roundedTaxes))
  const corrected = sumCorrected(lines, "taxAmount", (line) => checkLineTax(line, books), getTaxByRate)
  const totals = [total, corrected ?? total]
  const besides = listTaxesBesides(books)
  // Not to be judged: how much shipping, handling or discount there is.
  if (!besides) return []
  if (totals.some((each) => besides.some((more) => isWithin(stated, add(each, more), allowed)))) return []
  return reportMismatch(
    summary,
    "taxAmount",
    "the lines' tax adds up to",
    total,
    getLineClues(lines, "taxAmount"),
  )
}

/**
 * What GST the summary may hold besides the lines': on its own shipping, handling and discount, each or none. Undefined
 * when one of these cannot be counted with.
 */
function listTaxesBesides(books: Books): Amount[] | undefined {
  const { summary } = books
  const [shipping, handling, discount] = ["shippingAmount", "specialHandlingAmount", "discountAmount"].map(
    (field) => summary.amountOrZero(field),
  )
  const [lineShipping, lineDiscount] = [books.total("shippingAmount"), books.total("discountAmount")]
  if (shipping === undefined || handling === undefined || discount === undefined) return undefined
  if (lineShipping === undefined || lineDiscount === undefined) return undefined
  const choices = [
    [ZERO, subtract(shipping, lineShipping), shipping],
    [ZERO, handling],
    [ZERO, subtract(lineDiscount, discount), negate(discount)],
  ]
  const bases = choices.reduce<Amount[]>(
    (sums, next) => sums.flatMap((sum) => next.map((each) => add(sum, each))),
    [ZERO],
  )
  return bases.map((base) => takePercent(base, GST_PERCENT))
}

function checkPart(part: Part, books: Books): RuleFinding[] {
  const right = getPartTax(part)
  const tax = part.amount("taxAmount")
  if (right === undefined || tax === undefined || isWithin(tax, right, HALF_CENT)) return []
  if (isWithin(tax, right, times(HALF_CENT, 1 + books.roundedTaxes))) return []
  const [rate, taxable] = [part.amount("taxRate") ?? ZERO, part.amount("taxableAmount") ?? ZERO]
  return reportMismatch(part, "taxAmount", `${formatPlain(rate)}% of ${formatMoney(taxable)} is`, right)
}

/** The tax that a part's rate makes of its taxable amount; undefined where the rate is reported as wrong. */
function getPartTax(part: Part): Amount | undefined {
  const [rate, taxable] = [part.amount("taxRate"), part.amount("taxableAmount")]
  if (rate === undefined || taxable === undefined || (isGst(part) && !isGstRate(rate))) return undefined
  return takePercent(taxable, rate)
}

function checkBreakdown(books: Books): RuleFinding[] {
  const { summary } = books
  const parts = summary.parts("taxBreakdown")
  if (parts.length === 0 || !parts.every((part) => part.has("taxAmount"))) return []
  const stated = summary.amount("taxAmount")
  const total = sumField(parts, "taxAmount")
  if (stated === undefined || total === undefined) return []
  const totals = [
    total,
    sumCorrected(parts, "taxAmount", (part) => checkPart(part, books), getPartTax) ?? total,
  ]
  // A tax that the lines contradict is reported already, and is not held against the breakdown.
  const linesSay = checkSummaryTax(books).length > 0 ? books.total("taxAmount") : undefined
  const taxes = linesSay === undefined ? [stated] : [stated, linesSay]
  const allowed = times(HALF_CENT, parts.length)
  if (taxes.some((tax) => totals.some((each) => isWithin(tax, each, allowed)))) return []
  return reportMismatch(summary, "taxAmount", "the tax breakdown adds up to", total)
}

function checkRates(books: Books): RuleFinding[] {
  const gst = books.summary.parts("taxBreakdown").filter(isGst)
  return [
    ...collectFindings(books.lines, (line) => checkRate(line, line.taxRate, (rate) => books.knowsRate(rate))),
    ...gst.flatMap((part) => checkRate(part, part.amount("taxRate"), isGstRate)),
  ]
}

function isGst(part: Part): boolean {
  return part.text("taxType") === "GST"
}

function isGstRate(rate: Amount): boolean {
  return rate === ZERO || rate === GST_PERCENT
}

function checkRate(
  part: Part,
  rate: Amount | undefined,
  isAllowed: (rate: Amount) => boolean,
): readonly RuleFinding[] {
  if (rate === undefined || isAllowed(rate)) return NO_FINDINGS
  const isFraction = rate === times(CENT, 10)
  return [
    {
      pointer: part.at("taxRate"),
      message: `GST is 10% or nothing, not ${formatPlain(rate)}%`,
      ...(isFraction
        ? adviseLiteral("10", { safety: "suggestion", more: " for 10 percent" })
        : { hint: "write 10, or 0 for what is free of GST" }),
    },
  ]
}
