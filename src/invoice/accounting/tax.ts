/** Tax: totals, the breakdown by rate, and the rates there are. */
import { adviseLiteral, adviseText } from "../../contract/index.ts"
import { quoted } from "../../base/parsed.ts"
import {
  type Amount,
  add,
  CENT,
  formatMoney,
  formatPlain,
  GST_PERCENT,
  getMagnitude,
  HALF_CENT,
  isWithin,
  negate,
  roundToCents,
  subtract,
  takePercent,
  takeShare,
  times,
  ZERO,
} from "./amounts.ts"
import { type Books, getTaxByRate, isGst, Line, MARGIN_SCHEME, type Part, sumField } from "./books.ts"
import { type Glance, toCents } from "./glance.ts"
import { checkLineSubtotal, checkLineTax, findTaxByRate, isOnMargin } from "./lines.ts"
import { type DocumentRule, GST_ACT, type RuleFinding } from "./rule.ts"
import { getLineClues, reportMismatch, sumCorrected } from "./sums.ts"

export const TAX_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/summary-tax",
    title: "tax is the sum of the lines' tax",
    about:
      "Adds up the tax of all lines, when each states it or the rate that it is worked out from. Half a cent of rounding is allowed for each line whose tax is not exactly its rate of its subtotal, and for each charge. GST on shipping, handling or a discount that only the summary has may come on top.",
    basis: "The contract: the summary's taxAmount is the total tax.",
    judges: "amounts",
    needs: [["line.taxAmount", "line.taxRate"]],
    passes: ({ summary, taxes }) => toCents(summary.taxAmount) === taxes,
    check: checkSummaryTax,
  },
  {
    id: "accounting/tax-limit",
    title: "tax is no more than 10% of what can be taxed",
    about:
      "GST is at most 10% of the subtotal with shipping and handling, whatever the lines say of it. Less is lawful where some lines are free of GST, so it is reported only where there is one line, or where the tax is exactly 1/11 of the subtotal: that is 10% of a price that includes GST.",
    basis: `${GST_ACT}, section 9-70 (10% of the value) and section 9-75 (the value is 10/11 of the price).`,
    judges: "amounts",
    passes: isTaxWithinLimit,
    check: checkTaxLimit,
  },
  {
    id: "accounting/tax-part",
    title: "each part of the tax is its rate of the taxable amount",
    about:
      "Works out each part of the tax breakdown from its rate and its taxable amount. Half a cent of rounding is allowed for each line whose tax was rounded, and half a cent for the part itself.",
    basis: "The contract: a part of taxBreakdown states a percentage, a taxable amount and a tax amount.",
    judges: "amounts",
    needs: ["summary.taxBreakdown"],
    check: (books) => books.taxParts.flatMap((part) => checkPart(part, books)),
  },
  {
    id: "accounting/tax-breakdown",
    title: "the tax breakdown adds up to the tax",
    about:
      "Adds up the tax of all parts of the breakdown, when each states it. Half a cent of rounding is allowed for each part.",
    basis: "The contract: taxBreakdown divides the total tax of the summary.",
    judges: "amounts",
    needs: ["summary.taxBreakdown"],
    check: checkBreakdown,
  },
  {
    id: "accounting/tax-coverage",
    title: "the tax breakdown covers the subtotal",
    about:
      "The taxable amounts of all parts, when each states one, add up to at least the subtotal less discounts. What is free of GST has a part of its own at 0%, or its lines say so.",
    basis: "The contract: taxBreakdown divides the total tax of the summary by rate and taxable amount.",
    judges: "amounts",
    needs: ["summary.taxBreakdown"],
    check: checkCoverage,
  },
  {
    id: "accounting/gst-rate",
    title: "GST is 10% or nothing",
    about:
      "Goods and services are taxed at 10%, or they are free of GST; a long stay may have 5.5%. A line may have another rate when the tax breakdown has that rate for another tax.",
    basis: `${GST_ACT}, section 9-70 (10% of the value), Division 38 (GST-free supplies) and Division 87 (long-term accommodation).`,
    judges: "amounts",
    needs: [["line.taxRate", "summary.taxBreakdown"]],
    passes: ({ areRatesGst, summary }) => areRatesGst && summary.taxBreakdown === undefined,
    check: checkRates,
  },
  {
    id: "accounting/margin-scheme",
    title: "the GST of a margin scheme is not 10% of the price",
    about:
      "A line that is sold under the margin scheme has the GST of the margin in its price. It is reported where 10% of the price is added.",
    basis: `${GST_ACT}, Division 75 and Division 66.`,
    judges: "references",
    mayBeMeant: true,
    needs: ["line.taxAmount"],
    passes: ({ words }) => !words.match(/\bmargin scheme\b/i),
    checkLine: checkMarginScheme,
  },
  {
    id: "accounting/rate-decimals",
    title: "a rate of tax has at most two decimals",
    about:
      "A rate of more than two decimals, such as 29.125, is told where it is that of another tax than GST. GST has no such rate, which its own rule says.",
    basis:
      "The contract: taxRate is a percentage. It asks for hundredths of money, quantities and line amounts; for a percentage it may ask for them or not.",
    judges: "references",
    mayBeMeant: true,
    needs: [["line.taxRate", "summary.taxBreakdown"]],
    passes: ({ areRatesGst, summary }) => areRatesGst && summary.taxBreakdown === undefined,
    check: checkRateDecimals,
  },
  {
    id: "accounting/charge-gst",
    title: "shipping of taxed goods is taxed",
    about:
      "Where every line has 10% GST, the supplier's shipping and handling have it too. It is reported where the tax is the lines' tax alone, or leaves out one of the two.",
    basis: `${GST_ACT}, sections 9-5 and 9-70; the ATO's GSTR 2001/8: delivery of goods is a part of their supply.`,
    judges: "amounts",
    needs: [["summary.shippingAmount", "summary.specialHandlingAmount"], "line.taxRate"],
    check: checkChargeGst,
  },
  {
    id: "accounting/freight-line-gst",
    title: "a line of freight for taxed goods is taxed",
    about:
      "A line that bills freight, delivery or postage has no GST, while all other lines have 10%. Delivery of goods is a part of their supply. International freight is free of GST, and is not reported where the line names it.",
    basis: `${GST_ACT}, sections 9-5 and 9-70; the ATO's GSTR 2001/8: delivery of goods is a part of their supply.`,
    judges: "references",
    mayBeMeant: true,
    needs: ["line.taxRate"],
    passes: ({ lines }) => !lines.some(({ taxRate }) => taxRate === 0),
    check: checkFreightLines,
  },
  {
    id: "accounting/same-goods-tax",
    title: "the same goods have one tax",
    about: "Two lines have the same description and price, and one has GST and the other none.",
    basis: `${GST_ACT}: whether a supply is taxed depends on what it is.`,
    judges: "references",
    mayBeMeant: true,
    needs: ["line.taxRate"],
    passes: ({ lines }) => lines.every(({ taxRate }) => taxRate === lines[0]?.taxRate),
    check: checkSameGoods,
  },
  {
    id: "accounting/tax-type",
    title: "the tax is one that Australia has",
    about:
      "Australia has no value added tax by that name and no sales tax: it is GST, or one of the few others, such as excise or wine equalisation tax.",
    basis: `${GST_ACT}; sales tax ended with it on 1 July 2000.`,
    judges: "references",
    needs: ["summary.taxBreakdown"],
    check: checkTaxTypes,
  },
  {
    id: "accounting/jurisdiction",
    title: "GST is a tax of Australia",
    about:
      "A part of GST whose jurisdiction is another country, such as New Zealand, which has a GST of its own.",
    basis: `${GST_ACT}.`,
    judges: "references",
    mayBeMeant: true,
    needs: ["summary.taxBreakdown"],
    passes: ({ summary: { taxBreakdown } }) =>
      Array.isArray(taxBreakdown) &&
      taxBreakdown.every((part) => {
        const { jurisdiction } = Object(part) as Record<string, unknown>
        return jurisdiction === undefined || jurisdiction === "AU"
      }),
    check: ({ taxParts }) =>
      taxParts.flatMap((part) => {
        const jurisdiction = part.text("jurisdiction")?.trim() ?? ""
        if (!isGst(part) || !ABROAD.test(jurisdiction)) return []
        return [
          {
            pointer: part.at("jurisdiction"),
            message: `${quoted(jurisdiction)} is not in Australia, but the tax is its GST`,
            hint: "write AU, or leave it out",
          },
        ]
      }),
  },
]

const ABROAD =
  /^(?:NZ|NZL|New Zealand|SG|SGP|Singapore|CA|CAN|Canada|IN|IND|India|MY|Malaysia|GB|UK|United Kingdom|US|USA|United States|CN|China|HK|Hong Kong)$/i

const CHARGES = ["shippingAmount", "specialHandlingAmount"] as const

function checkChargeGst(books: Books): RuleFinding[] {
  const { summary, lines } = books
  const stated = summary.amount("taxAmount")
  const isTaxed = lines.length > 0 && lines.every(({ taxRate }) => taxRate === GST_PERCENT)
  if (!stated || !isTaxed || checkSummaryTax(books).length > 0) return []
  if (books.anyLineHas("shippingAmount") || books.anyLineHas("discountAmount")) return []
  if (summary.has("discountAmount") && summary.amount("discountAmount") !== ZERO) return []
  const total = addLineTaxes(books)
  const [shipping, handling] = CHARGES.map((field) => summary.amountOrZero(field))
  if (total === undefined || shipping === undefined || handling === undefined) return []
  const charges = add(shipping, handling)
  if (charges === ZERO || lines.some((line) => checkLineTax(line, books).length > 0)) return []
  const missing = subtract(add(total, takePercent(charges, GST_PERCENT)), stated)
  const allowed = times(HALF_CENT, lines.length + 1)
  if (missing < ZERO !== stated < ZERO || isWithin(missing, ZERO, allowed)) return []
  const right = add(stated, missing)
  return [
    {
      pointer: summary.at("taxAmount"),
      message: `all goods are taxed, but ${formatMoney(roundToCents(missing))} of GST on ${handling === ZERO ? "the shipping" : "shipping and handling"} is missing`,
      hint: `write ${formatMoney(roundToCents(right))} and correct the totals, or leave it if the freight is free of GST`,
    },
  ]
}

const FREIGHT =
  /\b(?:freight|frt|deliver(?:y|ies)|shipping|postage|courier|cartage|carriage|transport (?:charge|fee|cost)s?|p ?& ?h|(?<!manual )handling(?! course)|fuel (?:levy|surcharge)|(?:credit )?card (?:surcharge|fee))\b/i
const FREIGHT_ABROAD =
  /\b(?:GST|export|overseas|international|abroad|import|disbursement|at cost|toll|customs|duty)\b/i

function checkFreightLines({ lines }: Books): RuleFinding[] {
  const isFreight = (line: Line) => FREIGHT.test(line.text("description") ?? "")
  const goods = lines.filter((line) => !isFreight(line))
  if (goods.length === 0 || !goods.every(({ taxRate }) => taxRate === GST_PERCENT)) return []
  return lines
    .filter(
      (line) =>
        line.taxRate === ZERO &&
        line.subtotal !== undefined &&
        line.subtotal > ZERO &&
        isFreight(line) &&
        !FREIGHT_ABROAD.test(line.text("description") ?? ""),
    )
    .map((line) => ({
      pointer: line.at("taxRate"),
      message: `all goods are taxed, but this ${/\bcard\b/i.test(line.text("description") ?? "") ? "surcharge" : "line of freight"} is not`,
      hint: "write 10 and correct the totals, or leave it if this charge is free of GST",
    }))
}

function checkMarginScheme(line: Line): readonly RuleFinding[] {
  const { subtotal, taxAmount } = line
  if (!subtotal || !taxAmount || !MARGIN_SCHEME.test(line.text("description") ?? "")) return []
  if (!isWithin(taxAmount, takePercent(subtotal, GST_PERCENT), HALF_CENT)) return []
  return [
    {
      pointer: line.at("taxAmount"),
      message: "it is sold under the margin scheme, but GST of 10% of its price is added",
      hint: "write 0 and correct the totals, or take the words out",
    },
  ]
}

const FOREIGN_TAXES: ReadonlySet<unknown> = new Set(["VAT", "salesTax"])

function checkTaxTypes({ taxParts }: Books): RuleFinding[] {
  return taxParts
    .filter((part) => FOREIGN_TAXES.has(part.text("taxType")))
    .map((part) => ({
      pointer: part.at("taxType"),
      message: `Australia has no tax of the type ${part.text("taxType")}`,
      ...adviseText("GST", { safety: "suggestion", more: ", or other for a tax that is not GST" }),
    }))
}

/** The stated tax of a line, or the tax by its rate; undefined if it has neither, or one that is reported as wrong. */
function findLineTax(line: Line, books: Books): Amount | undefined {
  if (line.has("taxAmount")) return line.taxAmount
  return checkLineSubtotal(line).length > 0 ? undefined : findTaxByRate(line, books)
}

/** The tax of all lines, not rounded if it is calculated from a rate; undefined if a line does not state its own. */
export function addLineTaxes(books: Books): Amount | undefined {
  if (books.lines.length === 0) return undefined
  let total = ZERO
  for (const line of books.lines) {
    const tax = findLineTax(line, books)
    if (tax === undefined) return undefined
    total = add(total, tax)
  }
  return total
}

/** How many charges of the whole invoice may have a tax of their own, which is rounded too. */
function countCharges({ summary }: Books): number {
  return [...CHARGES, "discountAmount"].filter((field) => summary.amount(field)).length
}

/** The lines' tax by their rates, not rounded; undefined if a line has no rate or a wrong tax. */
function addExactTaxes(lines: readonly Line[]): Amount | undefined {
  let total = ZERO
  for (const line of lines) {
    const exact = getTaxByRate(line)
    if (exact === undefined || (line.taxAmount !== undefined && !isWithin(line.taxAmount, exact, HALF_CENT)))
      return undefined
    total = add(total, exact)
  }
  return total
}

export function checkSummaryTax(books: Books): RuleFinding[] {
  const { summary, lines } = books
  const stated = summary.amount("taxAmount")
  const total = stated === undefined ? undefined : addLineTaxes(books)
  if (stated === undefined || total === undefined || stated === total) return []
  const allowed = times(HALF_CENT, Math.max(1, books.roundedTaxes + countCharges(books)))
  const corrected = sumCorrected(
    lines,
    "taxAmount",
    (line) => checkLineTax(line, books).length > 0,
    getTaxByRate,
  )
  const totals = [total, corrected ?? total]
  const besides = listTaxesBesides(books)
  // Not to be checked: how much shipping, handling or discount there is.
  if (!besides) return []
  if (totals.some((each) => besides.some((more) => isWithin(stated, add(each, more), allowed)))) return []
  // Lines and total may be rounded in opposite directions at half a cent.
  const exact = addExactTaxes(lines)
  if (exact !== undefined && besides.some((more) => isWithin(stated, add(exact, more), HALF_CENT))) return []
  return reportMismatch(
    summary,
    "taxAmount",
    "the lines' tax adds up to",
    total,
    getLineClues(lines, "taxAmount"),
  )
}

/**
 * The GST that the summary may hold besides the lines': on its own shipping, handling and discount, each or none. Undefined
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
  const section = summary.has("shippingAmount") ? ZERO : books.data.part("shipping").amountOrZero("amount")
  if (section === undefined) return undefined
  const choices = [
    [ZERO, subtract(shipping, lineShipping), shipping, ...(shipping === ZERO ? [lineShipping, section] : [])],
    [ZERO, handling],
    [ZERO, subtract(lineDiscount, discount), negate(discount === ZERO ? lineDiscount : discount)],
  ]
  const bases = choices.reduce<Amount[]>(
    (sums, next) => sums.flatMap((sum) => [...new Set(next)].map((each) => add(sum, each))),
    [ZERO],
  )
  return [
    ...bases.map((base) => takePercent(base, GST_PERCENT)),
    ...listShares(books, [shipping, handling, add(shipping, handling)]),
  ]
}

/** Whether the tax is zero, or that of lines whose rates are stated, or 10% of a subtotal whose lines state none. */
function isTaxWithinLimit(glance: Glance): boolean {
  const { summary, subtotals, taxes, lines } = glance
  const tax = toCents(summary.taxAmount)
  if (tax === 0) return true
  if (!lines.some(({ taxRate }) => taxRate !== undefined)) return Math.abs(tax * 10 - subtotals) <= 5
  const isPriceWithGst = Math.abs(tax * 11 - subtotals) <= 6
  const isByRate = tax === taxes && glance.areTaxesRight && glance.areRatesGst
  return isByRate && !isPriceWithGst && lines.every(({ taxRate }) => taxRate !== undefined)
}

/** The GST on charges of a mixed supply, in proportion to the lines that are taxed. */
function listShares(books: Books, charges: readonly Amount[]): Amount[] {
  const whole = books.total("subtotal")
  const taxed = sumField(
    books.lines.filter((line) => findTaxByRate(line, books) || line.taxAmount),
    "subtotal",
  )
  if (!whole || !taxed || taxed === whole) return []
  return charges
    .filter((charge) => charge !== ZERO)
    .map((charge) => roundToCents(takeShare(takePercent(charge, GST_PERCENT), taxed, whole)))
}

export function checkTaxLimit(books: Books): RuleFinding[] {
  const found = findTaxBeyondLimit(books)
  // An error that is already reported may be why the tax is wrong.
  if (found.length === 0 || checkSummaryTax(books).length > 0 || books.isMarginScheme) return []
  return books.lines.some((line) => isTaxDoubtful(line, books)) ? [] : found
}

function findTaxBeyondLimit(books: Books): RuleFinding[] {
  const { summary, lines } = books
  const stated = summary.amount("taxAmount")
  const subtotal = books.everyLineHas("subtotal") ? books.total("subtotal") : undefined
  if (!stated || subtotal === undefined) return []
  const allowed = times(HALF_CENT, lines.length + 1 + countCharges(books))
  const isRateStated = books.anyLineHas("taxRate")
  if (!isRateStated && isWithin(stated, takePercent(subtotal, GST_PERCENT), allowed)) return []
  const isPriceWithGst = isWithin(times(stated, 11), subtotal, times(HALF_CENT, 11))
  const isBeyond = ([lowest, highest]: readonly [Amount, Amount]) =>
    stated > add(highest, allowed) || stated < subtract(lowest, allowed)
  // Nearly all taxes are within the limits of the lines alone, and other taxes only widen them.
  if (!isBeyond(findTaxLimits(books, [])) && !isPriceWithGst && lines.length > 1) return []
  const besides = listTaxesBesides(books)
  const others = sumField(books.otherTaxParts, "taxAmount")
  if (!besides || others === undefined) return []
  // GST is taken of a price that has the other taxes in it.
  const withGst = add(others, takePercent(others, GST_PERCENT))
  const [lowest, highest] = findTaxLimits(books, [...besides, others, withGst])
  if (isBeyond([lowest, highest])) {
    const limit = stated > highest ? highest : lowest
    const hint = lines.length === 1 ? undefined : "correct the tax, or the amounts that it is taken of"
    return reportMismatch(summary, "taxAmount", "10% of all that can be taxed is", limit, [], hint)
  }
  if (!isPriceWithGst && lines.length > 1) return []
  const isLawful = (base: Amount) =>
    besides.some((more) => isWithin(stated, add(takePercent(base, GST_PERCENT), more), allowed))
  if (others !== ZERO || lines.some((line) => line.taxRate)) return []
  if (listTaxedBases(books, subtotal).some(isLawful)) return []
  if (isPriceWithGst)
    return [
      {
        pointer: summary.at("taxAmount"),
        message: `${formatMoney(stated)} is 1/11 of ${formatMoney(subtotal)}, which is 10% of a price that includes GST`,
        hint: `write the subtotal, and the lines', without GST; or the tax as ${formatMoney(roundToCents(takePercent(subtotal, GST_PERCENT)))} if they are without it`,
      },
    ]
  return reportMismatch(
    summary,
    "taxAmount",
    `10% of ${formatMoney(subtotal)} is`,
    takePercent(subtotal, GST_PERCENT),
  )
}

/** Whether something else is reported of a line that its tax rests on. */
function isTaxDoubtful(line: Line, books: Books): boolean {
  if (checkLineSubtotal(line).length > 0 || checkLineTax(line, books).length > 0) return true
  return line.has("taxRate") && (line.taxRate === undefined || !books.knowsRate(line.taxRate))
}

/** The least and the most tax that there can be: each line at its rate, or between none and 10%. @param more taxes besides */
function findTaxLimits(books: Books, more: readonly Amount[]): readonly [Amount, Amount] {
  const limits: [Amount, Amount] = [ZERO, ZERO]
  const widen = (tax: Amount) => {
    const side = tax < ZERO ? 0 : 1
    limits[side] = add(limits[side], tax)
  }
  for (const { subtotal = ZERO, taxRate = GST_PERCENT } of books.lines) widen(takePercent(subtotal, taxRate))
  widen(more.reduce((least, tax) => (tax < least ? tax : least), ZERO))
  widen(more.reduce((most, tax) => (tax > most ? tax : most), ZERO))
  return limits
}

/** The amounts that may lawfully be taxed with 10%: nothing; all; the lines whose tax is stated and not zero; all but one; one. */
function listTaxedBases(books: Books, subtotal: Amount): Amount[] {
  const { lines } = books
  const taxed = lines.filter(({ taxAmount }) => taxAmount !== undefined && taxAmount !== ZERO)
  const known = books.everyLineHas("taxAmount") ? (sumField(taxed, "subtotal") ?? ZERO) : ZERO
  const alone = lines.length > 1 ? lines.map((line) => line.subtotal ?? ZERO) : []
  return [ZERO, subtotal, known, ...alone, ...alone.map((each) => subtract(subtotal, each))]
}

function checkCoverage(books: Books): RuleFinding[] {
  const { summary, lines } = books
  const parts = books.taxParts
  const [stated, total] = [summary.amount("subtotal"), books.total("subtotal")]
  if (parts.length === 0 || stated === undefined || total === undefined) return []
  if (!parts.every((part) => part.has("taxableAmount"))) return []
  const covered = sumField(parts, "taxableAmount")
  const freeLines = sumField(
    lines.filter((line) => line.taxRate === ZERO || line.taxAmount === ZERO),
    "subtotal",
  )
  const discounts = [summary.amountOrZero("discountAmount"), books.total("discountAmount")]
  if (covered === undefined || freeLines === undefined || discounts.includes(undefined)) return []
  const off = discounts.reduce<Amount>((most, each = ZERO) => (isMore(each, most) ? each : most), ZERO)
  const least = isMore(total, stated) ? stated : total
  // Credits without tax need no further part.
  const free = freeLines < ZERO === least < ZERO ? freeLines : ZERO
  const needed = subtract(subtract(least, free), off)
  const allowed = times(HALF_CENT, lines.length + parts.length)
  if (needed < ZERO !== least < ZERO || !isMore(needed, covered) || isWithin(needed, covered, allowed))
    return []
  if (parts.some((part) => checkPart(part, books).length > 0) || checkBreakdown(books).length > 0) return []
  if (checkSummaryTax(books).length > 0) return []
  return [
    {
      pointer: summary.at("taxBreakdown"),
      message: `its taxable amounts add up to ${formatMoney(covered)}, which does not cover ${
        needed === stated
          ? `the subtotal of ${formatMoney(stated)}`
          : `the ${formatMoney(needed)} of the subtotal less what is free of GST and what is taken off`
      }`,
      hint: "add a part for the rest, at 0% if that is free of GST",
    },
  ]
}

/** Whether an amount is larger, whatever its sign. */
function isMore(one: Amount, other: Amount): boolean {
  return getMagnitude(one) > getMagnitude(other)
}

function checkPart(part: Part, books: Books): RuleFinding[] {
  const right = getPartTax(part, books)
  const tax = part.amount("taxAmount")
  if (right === undefined || tax === undefined || isWithin(tax, right, HALF_CENT)) return []
  if (isWithin(tax, right, times(HALF_CENT, 1 + books.roundedTaxes)) || isOnMargin(tax, right, books))
    return []
  const [rate, taxable] = [part.amount("taxRate") ?? ZERO, part.amount("taxableAmount") ?? ZERO]
  return reportMismatch(part, "taxAmount", `${formatPlain(rate)}% of ${formatMoney(taxable)} is`, right)
}

/** The tax of a part by its rate; undefined if the rate is reported as wrong. */
function getPartTax(part: Part, books: Books): Amount | undefined {
  const [rate, taxable] = [part.amount("taxRate"), part.amount("taxableAmount")]
  if (rate === undefined || taxable === undefined || (isGst(part) && !books.isGstRate(rate))) return undefined
  return takePercent(taxable, rate)
}

function checkBreakdown(books: Books): RuleFinding[] {
  const { summary, taxParts: parts } = books
  if (parts.length === 0 || !parts.every((part) => part.has("taxAmount"))) return []
  const stated = summary.amount("taxAmount")
  const total = sumField(parts, "taxAmount")
  if (stated === undefined || total === undefined) return []
  const totals = [
    total,
    sumCorrected(
      parts,
      "taxAmount",
      (part) => checkPart(part, books).length > 0,
      (part) => getPartTax(part, books),
    ) ?? total,
  ]
  // A tax that the lines contradict is reported already, and is not held against the breakdown.
  const linesSay = checkSummaryTax(books).length > 0 ? books.total("taxAmount") : undefined
  const taxes = linesSay === undefined ? [stated] : [stated, linesSay]
  const allowed = times(HALF_CENT, parts.length)
  if (taxes.some((tax) => totals.some((each) => isWithin(tax, each, allowed)))) return []
  return reportMismatch(summary, "taxAmount", "the tax breakdown adds up to", total)
}

function checkRates(books: Books): readonly RuleFinding[] {
  const wrong = books.lines.filter(({ taxRate }) => taxRate !== undefined && !books.knowsRate(taxRate))
  const wrongParts = books.taxParts.filter((part) => {
    const rate = part.amount("taxRate")
    return rate !== undefined && isGst(part) && !books.isGstRate(rate)
  })
  return [...wrong, ...wrongParts].map(reportRate)
}

function checkRateDecimals(books: Books): readonly RuleFinding[] {
  const parts = [...books.lines, ...books.taxParts]
  return parts.filter(hasFineRate).flatMap((part) => {
    const rate = part.amount("taxRate")
    // As a rate of GST it is reported for that.
    const isToldAsGst = rate !== undefined && (isGst(part) || part instanceof Line) && !books.knowsRate(rate)
    if (isToldAsGst || part.isBroken("taxRate")) return []
    return [
      {
        pointer: part.at("taxRate"),
        message: `${rate === undefined ? "the rate" : `${formatPlain(rate)}%`} has more than two decimals`,
        hint: "write a percentage of at most two decimals: 10 for ten percent",
      },
    ]
  })
}

function hasFineRate(part: Part): boolean {
  const [value, rate] = [part.value("taxRate"), part.amount("taxRate")]
  if (typeof value !== "number") return false
  return rate === undefined || Math.round(value * 100) / 100 !== value
}

function reportRate(part: Part): RuleFinding {
  const rate = part.amount("taxRate") ?? ZERO
  const isFraction = rate === times(CENT, 10)
  return {
    pointer: part.at("taxRate"),
    message: `GST is 10% or nothing, not ${formatPlain(rate)}%`,
    ...(isFraction
      ? adviseLiteral("10", { safety: "suggestion", more: " for 10 percent" })
      : { hint: "write 10, or 0 for what is free of GST" }),
  }
}

function checkSameGoods({ lines }: Books): RuleFinding[] {
  const first = new Map<string, [index: number, line: Line]>()
  return lines.flatMap((line, index): RuleFinding[] => {
    const { taxRate, subtotal = ZERO } = line
    const description = line.text("description")?.trim().toLowerCase() ?? ""
    // One word may mean several things.
    if (taxRate === undefined || subtotal === ZERO || !/\S\s+\S/.test(description)) return []
    const key = `${line.unitPrice}\n${description}`
    const [at, before] = first.get(key) ?? []
    if (at === undefined || !before) {
      first.set(key, [index, line])
      return []
    }
    if (before.taxRate === taxRate || /\b(?:gst|export|disbursement)/i.test(description)) return []
    if (![before.taxRate, taxRate].includes(ZERO) || (before.subtotal ?? ZERO) < ZERO !== subtotal < ZERO)
      return []
    return [
      {
        pointer: line.at("taxRate"),
        message: `${formatPlain(taxRate)}% is not the ${formatPlain(before.taxRate ?? ZERO)}% of line item ${at + 1}, which has the same goods`,
        hint: "correct the rate that is wrong and the totals",
      },
    ]
  })
}
