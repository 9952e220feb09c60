/** Arithmetic within a line. */
import { type Decimal, multiply } from "../../contract/decimal.ts"
import { GST_PERCENT, HALF_CENT, money, percentOf, plain, toCents, within, ZERO } from "./amounts.ts"
import type { Part } from "./books.ts"
import type { DocumentRule, Remark } from "./rule.ts"
import { disagreement } from "./slips.ts"
import {
  alone,
  minus,
  plus,
  type Sum,
  settled,
  settledOrNone,
  settledSum,
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
    check: ({ lines }) => lines.flatMap(subtotalRemarks),
  },
  {
    id: "accounting/line-tax",
    title: "line tax is the rate of its subtotal",
    about:
      "Works out each line's tax from its rate, to within half a cent. The rate may be taken of the subtotal, with the line's shipping added or its discount taken off.",
    basis: "The contract: taxAmount is the line's tax, taxRate its percentage.",
    check: ({ lines }) => lines.flatMap(taxRemarks),
  },
  {
    id: "accounting/line-gross",
    title: "line gross is subtotal + tax + shipping",
    about:
      "Adds up each line that states a gross amount. A line without a tax amount is taxed by its rate, or not at all.",
    basis: "The contract: grossAmount is subtotal plus tax plus shipping, before discounts.",
    check: ({ lines }) => lines.flatMap((line) => sumRemarks(line, "grossAmount", () => grossSums(line))),
  },
  {
    id: "accounting/line-net",
    title: "line net is gross less discount",
    about:
      "Takes each line's discount off its gross amount. Where the gross is not stated, it is worked out.",
    basis: "The contract: netAmount is gross minus discounts.",
    check: ({ lines }) => lines.flatMap((line) => sumRemarks(line, "netAmount", () => netSums(line))),
  },
]

/** Quantity × unit price, not rounded; undefined where one of them cannot be counted with. */
export function productOf(line: Part): Decimal | undefined {
  const [quantity, price] = [line.amount("quantity"), line.amount("unitPrice")]
  return quantity && price && multiply(quantity, price)
}

export function subtotalRemarks(line: Part): Remark[] {
  const [quantity, price, subtotal] = [
    line.amount("quantity"),
    line.amount("unitPrice"),
    line.amount("subtotal"),
  ]
  const product = productOf(line)
  if (!quantity || !price || !product || !subtotal || within(subtotal, product, HALF_CENT)) return []
  const amount = (field: string) => line.amount(field) ?? ZERO
  return disagreement(line, "subtotal", `${plain(quantity)} × ${money(price)} is`, product, [
    { amount: amount("taxAmount"), over: "the tax was added in" },
    { amount: amount("shippingAmount"), over: "the shipping was added in" },
    { amount: amount("discountAmount"), short: "the discount was taken off already" },
  ])
}

/** The subtotal as it is stated, and as it should be where that is wrong. */
function subtotals(line: Part): Sum[] {
  const product = productOf(line)
  const right = alone("subtotal", product ? [toCents(product)] : [])
  return settled(line, "subtotal", right, subtotalRemarks(line).length > 0)
}

export function taxRemarks(line: Part): Remark[] {
  const [subtotal, rate, tax] = [line.amount("subtotal"), line.amount("taxRate"), line.amount("taxAmount")]
  if (!subtotal || !rate || !tax || within(tax, percentOf(subtotal, rate), HALF_CENT)) return []
  const maybe = (field: string) => [...alone(field, [ZERO]), ...term(line, field)]
  const bases = minus(plus(subtotals(line), maybe("shippingAmount")), maybe("discountAmount"))
  if (bases.some((base) => within(tax, percentOf(totalOfSum(base), rate), HALF_CENT))) return []
  const leads = `${plain(rate)}% of ${money(subtotal)} is`
  const atGst = within(tax, percentOf(subtotal, GST_PERCENT), HALF_CENT)
  const hint = atGst ? `correct the rate: the tax is ${plain(GST_PERCENT)}% of the subtotal` : undefined
  return disagreement(line, "taxAmount", leads, percentOf(subtotal, rate), [], hint)
}

/** The tax that the rate makes; none where there is no rate. */
export function rateTax(line: Part): Decimal | undefined {
  const [subtotal, rate] = [line.amount("subtotal"), line.amount("taxRate")]
  return subtotal && rate && percentOf(subtotal, rate)
}

function grossSums(line: Part): Sum[] {
  const byRate = rateTax(line)
  const right = alone("taxAmount", byRate ? [toCents(byRate)] : [])
  return plus(
    subtotals(line),
    settledOrNone(line, "taxAmount", right, taxRemarks(line).length > 0),
    term(line, "shippingAmount"),
  )
}

function netSums(line: Part): Sum[] {
  return minus(
    settledSum(line, "grossAmount", () => grossSums(line)),
    term(line, "discountAmount"),
  )
}
