/** Arithmetic within a line. */
import {
  type Amount,
  GST_PERCENT,
  HALF_CENT,
  isWithin,
  money,
  percentOf,
  plain,
  roundings,
  ZERO,
} from "./amounts.ts"
import { type Books, type Line, type Part, productOf, rateTaxOf } from "./books.ts"
import { collectRemarks, type DocumentRule, NO_REMARKS, type Remark } from "./rule.ts"
import { disagreement } from "./slips.ts"
import {
  minus,
  plus,
  type Sum,
  settled,
  settledOrNone,
  settledSum,
  singleTermSums,
  statedSum,
  sumRemarks,
  term,
  totalOfSum,
} from "./sums.ts"

export const LINE_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/line-subtotal",
    title: "line subtotal is quantity × unit price",
    about:
      "Multiplies each line's quantity by its unit price. The subtotal may differ by up to half a cent, which is what rounding to the cent can do.",
    basis: "The contract: subtotal is the line's amount before tax and adjustments.",
    check: ({ lines }) => collectRemarks(lines, subtotalRemarks),
  },
  {
    id: "accounting/line-tax",
    title: "line tax is the rate of its subtotal",
    about:
      "Works out each line's tax from its rate, to within half a cent. The rate may be taken of the subtotal, with the line's shipping added or its discount taken off.",
    basis: "The contract: taxAmount is the line's tax, taxRate its percentage.",
    check: (books) => collectRemarks(books.lines, (line) => taxRemarks(line, books)),
  },
  {
    id: "accounting/line-gross",
    title: "line gross is subtotal + tax + shipping",
    about:
      "Adds up each line that states a gross amount. A line without a tax amount is taxed by its rate, or not at all.",
    basis: "The contract: grossAmount is subtotal plus tax plus shipping, before discounts.",
    check: (books) =>
      collectRemarks(books.lines, (line) =>
        line.grossAmount === undefined
          ? NO_REMARKS
          : sumRemarks(line, "grossAmount", statedGross, () => grossSums(line, books)),
      ),
  },
  {
    id: "accounting/line-net",
    title: "line net is gross less discount",
    about:
      "Takes each line's discount off its gross amount. Where the gross is not stated, it is worked out.",
    basis: "The contract: netAmount is gross minus discounts.",
    check: (books) =>
      collectRemarks(books.lines, (line) =>
        line.netAmount === undefined
          ? NO_REMARKS
          : sumRemarks(line, "netAmount", statedNet, () => netSums(line, books)),
      ),
  },
]

export function subtotalRemarks(line: Line): readonly Remark[] {
  const product = productOf(line)
  const { subtotal } = line
  if (product === undefined || subtotal === undefined || isWithin(subtotal, product, HALF_CENT))
    return NO_REMARKS
  const amount = (field: string) => line.amount(field) ?? ZERO
  const leads = `${plain(amount("quantity"))} × ${money(amount("unitPrice"))} is`
  return disagreement(line, "subtotal", leads, product, [
    { amount: amount("taxAmount"), over: "the tax was added in" },
    { amount: amount("shippingAmount"), over: "the shipping was added in" },
    { amount: amount("discountAmount"), short: "the discount was taken off already" },
  ])
}

/** The subtotal as it is stated, and as it should be where that is wrong. */
function subtotals(line: Line): Sum[] {
  const product = productOf(line)
  const right = singleTermSums("subtotal", product === undefined ? [] : roundings(product))
  return settled(line, "subtotal", right, subtotalRemarks(line).length > 0)
}

/** Says nothing where the rate is reported as wrong: the tax may be right. */
export function taxRemarks(line: Line, books: Books): readonly Remark[] {
  const byRate = taxByRate(line, books)
  const { taxAmount: tax, subtotal = ZERO, taxRate: rate = ZERO } = line
  if (byRate === undefined || tax === undefined || isWithin(tax, byRate, HALF_CENT)) return NO_REMARKS
  const maybe = (field: string) => [...singleTermSums(field, [ZERO]), ...term(line, field)]
  const bases = minus(plus(subtotals(line), maybe("shippingAmount")), maybe("discountAmount"))
  if (bases.some((base) => isWithin(tax, percentOf(totalOfSum(base), rate), HALF_CENT))) return NO_REMARKS
  const leads = `${plain(rate)}% of ${money(subtotal)} is`
  const isGst = isWithin(tax, percentOf(subtotal, GST_PERCENT), HALF_CENT)
  const hint = isGst ? `correct the rate: the tax is ${plain(GST_PERCENT)}% of the subtotal` : undefined
  return disagreement(line, "taxAmount", leads, byRate, [], hint)
}

/** As `rateTaxOf`, and undefined where there is no such rate. */
export function taxByRate(line: Line, books: Books): Amount | undefined {
  const rate = line.taxRate
  return rate !== undefined && books.knowsRate(rate) ? rateTaxOf(line) : undefined
}

/** None where a tax that is not stated cannot be worked out, since the rate or the subtotal is wrong. */
function taxes(line: Line, books: Books): Sum[] {
  const byRate = taxByRate(line, books)
  if (byRate === undefined && line.has("taxRate") && !line.has("taxAmount")) return []
  const right = singleTermSums("taxAmount", byRate === undefined ? [] : roundings(byRate))
  return settledOrNone(line, "taxAmount", right, taxRemarks(line, books).length > 0)
}

function statedGross(line: Part): Amount | undefined {
  return statedSum(line, ["subtotal", "taxAmount", "shippingAmount"])
}

function statedNet(line: Part): Amount | undefined {
  return line.has("grossAmount")
    ? statedSum(line, ["grossAmount"], ["discountAmount"])
    : statedSum(line, ["subtotal", "taxAmount", "shippingAmount"], ["discountAmount"])
}

function grossSums(line: Line, books: Books): Sum[] {
  return plus(subtotals(line), taxes(line, books), term(line, "shippingAmount"))
}

function netSums(line: Line, books: Books): Sum[] {
  return minus(
    settledSum(line, "grossAmount", statedGross, () => grossSums(line, books)),
    term(line, "discountAmount"),
  )
}
