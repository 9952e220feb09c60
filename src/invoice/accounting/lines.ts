/** Arithmetic within a line. */
import {
  type Amount,
  GST_PERCENT,
  HALF_CENT,
  isWithin,
  formatMoney,
  takePercent,
  formatPlain,
  getMagnitude,
  roundBothWays,
  roundToCents,
  subtract,
  times,
  ZERO,
} from "./amounts.ts"
import { type Books, type Line, getProduct, getTaxByRate } from "./books.ts"
import { agreesWithFormula, type Formula } from "./glance.ts"
import { type Declaration, type DocumentRule, type LineCheck, NO_FINDINGS, type RuleFinding } from "./rule.ts"
import {
  checkFormula,
  getTerm,
  minus,
  plus,
  reportMismatch,
  settleField,
  settleOptionalField,
  singleTermSums,
  type Sum,
  getTotal,
} from "./sums.ts"

const GROSS: Formula = { field: "grossAmount", added: ["subtotal", "taxAmount", "shippingAmount"] }
const NET: Formula = { field: "netAmount", base: GROSS, takenOff: ["discountAmount"] }

export const LINE_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/line-subtotal",
    title: "line subtotal is quantity × unit price",
    about:
      "Multiplies each line's quantity by its unit price. The subtotal may differ by up to half a cent, which is what rounding to the cent can do. A unit price of three or four decimals may itself be rounded: then it may differ by half of the fourth decimal for each unit, where that is more.",
    basis: "The contract: subtotal is the line's amount before tax and adjustments.",
    judges: "amounts",
    passes: ({ areProductsRight }) => areProductsRight,
    checkLine: checkLineSubtotal,
  },
  {
    id: "accounting/line-tax",
    title: "line tax is its rate of the subtotal",
    about:
      "Works out each line's tax from its rate, to within half a cent. The rate may be taken of the subtotal, with the line's shipping added or its discount taken off.",
    basis: "The contract: taxAmount is the line's tax, taxRate its percentage.",
    judges: "amounts",
    needs: ["line.taxRate"],
    passes: ({ areTaxesRight, areRatesGst }) => areTaxesRight && areRatesGst,
    checkLine: checkLineTax,
  },
  {
    id: "accounting/line-gross",
    title: "line gross is subtotal + tax + shipping",
    about:
      "Adds up each line that states a gross amount. A line without a tax amount is taxed by its rate, or not at all.",
    basis: "The contract: grossAmount is subtotal plus tax plus shipping, before discounts.",
    judges: "amounts",
    ...followsFormula(GROSS),
  },
  {
    id: "accounting/line-net",
    title: "line net is gross less discount",
    about:
      "Takes each line's discount off its gross amount. Where the gross is not stated, it is worked out.",
    basis: "The contract: netAmount is gross minus discounts.",
    judges: "amounts",
    ...followsFormula(NET),
  },
]

/** What a rule is that holds a field of each line to its formula. */
function followsFormula(formula: Formula): Pick<Declaration, "needs" | "passes"> & LineCheck {
  return {
    needs: [`line.${formula.field}`],
    passes: ({ lines }) => lines.every((line) => agreesWithFormula(line, formula)),
    checkLine: (line, books) =>
      checkFormula(line, formula, (field) => {
        if (field === "subtotal") return findSubtotals(line)
        return field === "taxAmount" ? findTaxes(line, books) : getTerm(line, field)
      }),
  }
}

/** Whether a subtotal is quantity × unit price, as far as the rounding of the subtotal or of the price allows. */
export function agreesWithPrice(
  { quantity = ZERO, unitPrice = ZERO }: Pick<Line, "quantity" | "unitPrice">,
  subtotal: Amount,
  product: Amount,
): boolean {
  if (isWithin(subtotal, product, HALF_CENT)) return true
  if (roundToCents(unitPrice) === unitPrice) return false
  const units = getMagnitude(quantity)
  return isWithin(times(subtract(subtotal, product), PRICE_STEPS), ZERO, units)
}

/** Whether a subtotal is not quantity × unit price, also where that may come of a rounded price. */
export function isOffPrice(line: Line): boolean {
  const product = getProduct(line)
  const { subtotal } = line
  return product !== undefined && subtotal !== undefined && !isWithin(subtotal, product, HALF_CENT)
}

/** Half of the fourth decimal of a unit price, of which so many make 1. */
const PRICE_STEPS = 20_000

export function checkLineSubtotal(line: Line): readonly RuleFinding[] {
  const product = getProduct(line)
  const { subtotal } = line
  if (product === undefined || subtotal === undefined || agreesWithPrice(line, subtotal, product))
    return NO_FINDINGS
  const amount = (field: string) => line.amount(field) ?? ZERO
  const leads = `${formatPlain(amount("quantity"))} × ${formatMoney(amount("unitPrice"))} is`
  return reportMismatch(line, "subtotal", leads, product, [
    { amount: amount("taxAmount"), over: "the tax was added in" },
    { amount: amount("shippingAmount"), over: "the shipping was added in" },
    { amount: amount("discountAmount"), short: "the discount was taken off already" },
  ])
}

/** The subtotal as it is stated, and as it should be where that is wrong. */
function findSubtotals(line: Line): Sum[] {
  const product = getProduct(line)
  const right = singleTermSums("subtotal", product === undefined ? [] : roundBothWays(product))
  return settleField(line, "subtotal", right, checkLineSubtotal(line).length > 0)
}

/** Says nothing where the rate is reported as wrong: the tax may be right. */
export function checkLineTax(line: Line, books: Books): readonly RuleFinding[] {
  const byRate = findTaxByRate(line, books)
  const { taxAmount: tax, subtotal = ZERO, taxRate: rate = ZERO } = line
  if (byRate === undefined || tax === undefined || isWithin(tax, byRate, HALF_CENT)) return NO_FINDINGS
  const [shipping, discount] = [line.amountOrZero("shippingAmount"), line.amountOrZero("discountAmount")]
  if (shipping === undefined || discount === undefined) return NO_FINDINGS
  const bases = minus(
    plus(findSubtotals(line), singleTermSums("shippingAmount", [ZERO, shipping])),
    singleTermSums("discountAmount", [ZERO, discount]),
  )
  if (bases.some((base) => isWithin(tax, takePercent(getTotal(base), rate), HALF_CENT))) return NO_FINDINGS
  const leads = `${formatPlain(rate)}% of ${formatMoney(subtotal)} is`
  const isGst = isWithin(tax, takePercent(subtotal, GST_PERCENT), HALF_CENT)
  const hint = isGst ? `correct the rate: the tax is ${formatPlain(GST_PERCENT)}% of the subtotal` : undefined
  return reportMismatch(line, "taxAmount", leads, byRate, [], hint)
}

/** As `getTaxByRate`; also undefined where no tax has the rate. */
export function findTaxByRate(line: Line, books: Books): Amount | undefined {
  const rate = line.taxRate
  return rate !== undefined && books.knowsRate(rate) ? getTaxByRate(line) : undefined
}

/** None where a tax that is not stated cannot be worked out, since the rate or the subtotal is wrong. */
function findTaxes(line: Line, books: Books): Sum[] {
  const byRate = findTaxByRate(line, books)
  if (byRate === undefined && line.has("taxRate") && !line.has("taxAmount")) return []
  const right = singleTermSums("taxAmount", byRate === undefined ? [] : roundBothWays(byRate))
  return settleOptionalField(line, "taxAmount", right, checkLineTax(line, books).length > 0)
}
