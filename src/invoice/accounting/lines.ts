/** Arithmetic within a line. */
import { groupBy } from "../../base/grouping.ts"
import {
  type Amount,
  add,
  GST_PERCENT,
  HALF_CENT,
  isWithin,
  formatMoney,
  takePercent,
  formatPlain,
  getMagnitude,
  isWhole,
  roundBothWays,
  roundToCents,
  subtract,
  times,
  ZERO,
} from "./amounts.ts"
import { type Books, type Line, getProduct, getTaxByRate } from "./books.ts"
import { agreesWithFormula, type Formula, type Glance } from "./glance.ts"
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
  {
    id: "accounting/whole-pieces",
    title: "pieces are whole",
    about:
      "A quantity of pieces (EA, C62) is a whole number. Time, length and weight that is counted in pieces is left alone where the description names it.",
    basis: "UN/ECE Recommendation 20: EA and C62 count units.",
    judges: "references",
    mayBeMeant: true,
    needs: ["line.unitOfMeasure"],
    passes: ({ lines }) =>
      lines.every(({ quantity, unitOfMeasure }) => !PIECES.has(unitOfMeasure) || Number.isInteger(quantity)),
    checkLine: checkPieces,
  },
  {
    id: "accounting/repeated-line",
    title: "no line is there twice",
    about:
      "Two lines that differ in nothing but their number may be one that was entered twice. Lines that say which order line, serial number or batch they are of are told apart by that.",
    basis: "The contract: each line is one item of the invoice.",
    judges: "references",
    mayBeMeant: true,
    passes: ({ lines }) =>
      areDistinct(lines, ({ subtotal }) => subtotal) ||
      areDistinct(lines, ({ quantity, unitPrice, subtotal, description, supplierItemId, buyerItemId }) =>
        [quantity, unitPrice, subtotal, description, supplierItemId, buyerItemId].join(" "),
      ),
    check: checkRepeatedLines,
  },
  {
    id: "accounting/line-figures",
    title: "a line's figures make sense together",
    about:
      "A line with a price has a quantity; what is on back order has none, and says so. A negative quantity at a negative price asks for money. A discount is not more than what it is taken off.",
    basis: "The contract: subtotal is the line's amount before tax and adjustments.",
    judges: "references",
    mayBeMeant: true,
    passes: ({ lines }) =>
      lines.every(
        ({ quantity, unitPrice, discountAmount }) =>
          Number(quantity) > 0 && Number(unitPrice) >= 0 && discountAmount === undefined,
      ),
    checkLine: checkLineFigures,
  },
  {
    id: "accounting/order-line",
    title: "different goods are of different lines of the order",
    about:
      "Two lines with different item ids of the supplier refer to one line of the purchase order. Charges such as freight and fees are left alone.",
    basis: "The contract: poLineReference is the purchase order line number.",
    judges: "references",
    mayBeMeant: true,
    purposes: new Set(["standard"]),
    needs: ["line.poLineReference", "line.supplierItemId"],
    passes: ({ lines }) => areDistinct(lines, ({ poLineReference }) => poLineReference),
    check: checkOrderLines,
  },
]

/** Units that count whole things. */
export const PIECES: ReadonlySet<unknown> = new Set(["EA", "C62"])
/** Goods that are counted in parts, whatever their unit. */
const DIVISIBLE =
  /\b(?:h(?:ou)?rs?|days?|weeks?|months?|labou?r|time|hire|rental|lease|consult\w*|services|servicing|service (?:call|charge|fee)|support|travel|kms?|kilomet\w+|met(?:re|er)s?|m[23]|kgs?|kilos?|tonnes?|lit(?:re|er)s?|lm|sqm|ft|feet|yards?|(?<!\d ?)[gt]b|half|part (?:of|pallet|day|load)|pro[\s-]?rata|progress|claim|retainer|design|advice|legal|bookkeep\w*|account(?:ing|ancy)|photograph\w*|clean\w*|train\w*|tuition|coaching|lessons?|sessions?|management|install\w*|repairs?|maintenance|inspection|survey|draft\w*|edit\w*|writing|translat\w*|programming|development|audit|storage|hosting|fabric|cloth|cable|carpet|timber|pine|rope|pipe|hose|chain|wire|turf|sand|soil|gravel|mulch|concrete|cheese|meat|fish|per ?cent)\b|\d\s?(?:m|cm|mm|kg|g|l|ml)\b|%/i

function checkPieces(line: Line): readonly RuleFinding[] {
  const { quantity } = line
  if (quantity === undefined || !PIECES.has(line.value("unitOfMeasure"))) return NO_FINDINGS
  if (isWhole(quantity) || DIVISIBLE.test(line.text("description") ?? "")) return NO_FINDINGS
  return [
    {
      pointer: line.at("quantity"),
      message: `${formatPlain(quantity)} is not a whole number of pieces (${line.text("unitOfMeasure")})`,
      hint: "correct the quantity, or the unit: HUR for hours, KGM for kilograms, MTR for metres",
    },
  ]
}

/** Whether no two lines have the same value. Values that ascend, as numbers of lines do, need no set. */
function areDistinct(lines: Glance["lines"], read: (line: Glance["lines"][number]) => unknown): boolean {
  let last = Number.NEGATIVE_INFINITY
  let isAscending = true
  for (const line of lines) {
    const value = read(line)
    isAscending &&= typeof value === "number" && value > last
    if (!isAscending) break
    last = value as number
  }
  return isAscending || new Set(lines.map(read)).size === lines.length
}

const DOCKET =
  /\b(?:docket|ticket|delivery note|con ?note|con|consignment|job|timesheet)s? (?:no\.? |number )?#?[A-Z]*-?\d{3,}/i

/** The fields that distinguish a line from one that is like it. */
const NO_NUMBER = { invoiceLineNumber: 0, uniqueLineKey: "" }

const NAMES = ["description", "supplierItemId", "buyerItemId"]

function checkRepeatedLines({ lines }: Books): RuleFinding[] {
  const asking = [...lines.entries()].filter(
    // A line that asks for nothing costs nothing twice; serial numbers have a rule of their own.
    ([, line]) => line.subtotal && !line.has("serialNumbers") && NAMES.some((name) => line.has(name)),
  )
  // Doubles may hold two amounts as one.
  const alike = groupBy(asking, ([, line]) =>
    [line.quantity, line.unitPrice, line.subtotal, ...NAMES.map((name) => line.text(name))].join(" "),
  )
  return [...alike.values()].flatMap((some) => (some.length < 2 ? [] : listRepeated(some)))
}

/** Finds lines that differ in nothing, among lines with the same goods and amounts. */
function listRepeated(alike: readonly [index: number, line: Line][]): RuleFinding[] {
  const same = groupBy(alike, ([, line]) => {
    // A docket is billed once, whichever line of the order it is of.
    const told = DOCKET.test(`${line.text("description") ?? ""}; ${line.text("comments") ?? ""}`)
      ? { ...NO_NUMBER, poLineReference: 0 }
      : NO_NUMBER
    return JSON.stringify(Object.entries({ ...line.fields, ...told }).sort())
  })
  return [...same.values()].flatMap(([first, second, ...more]) => {
    if (!first || !second) return []
    const others =
      more.length === 0 ? "" : `, and so ${more.length === 1 ? "is 1 more line" : `are ${more.length} more`}`
    return [
      {
        pointer: second[1].pointer,
        message: `this line is line item ${first[0] + 1} once more: the same goods, quantity and price${others}`,
        hint: "take one of the two out and correct the totals; if both are meant, say in a comment what the second is for",
      },
    ]
  })
}

const SUPPLIED_LATER =
  /\b(?:back[\s-]?order\w*|to follow|out of stock|on order|next delivery|cancelled|n\/?a|nil|not supplied|included)\b/i

function checkLineFigures(line: Line, { purpose }: Books): readonly RuleFinding[] {
  const { quantity, unitPrice, subtotal, discountAmount } = line
  if (quantity === undefined || unitPrice === undefined) return NO_FINDINGS
  const words = `${line.text("description") ?? ""} ${line.text("comments") ?? ""}`
  if (quantity === ZERO && unitPrice > ZERO && !SUPPLIED_LATER.test(words))
    return [
      {
        pointer: line.at("quantity"),
        message: `nothing is billed of what costs ${formatMoney(unitPrice)}`,
        hint: "write how many there are, take the line out, or say that it is on back order",
      },
    ]
  if (quantity < ZERO && unitPrice < ZERO && purpose === "standard")
    return [
      {
        pointer: line.at("quantity"),
        message: "a negative quantity at a negative price asks for money",
        hint: "write both without a minus sign, or one of them for a credit",
      },
    ]
  if (
    discountAmount === undefined ||
    subtotal === undefined ||
    subtotal <= ZERO ||
    discountAmount <= subtotal
  )
    return NO_FINDINGS
  const shipping = line.shippingAmount ?? ZERO
  if (discountAmount <= add(subtotal, add(shipping, line.taxAmount ?? ZERO))) return NO_FINDINGS
  return [
    {
      pointer: line.at("discountAmount"),
      message: `a discount of ${formatMoney(discountAmount)} is more than the ${formatMoney(subtotal)} that it is taken off`,
      hint: "correct the discount and the totals",
    },
  ]
}

const CHARGE =
  /\b(?:freight|delivery|shipping|postage|fee|levy|surcharge|charge|handling|deposit|discount|rebate|install\w*|labou?r|kit|part|set|spare)\b/i

function checkOrderLines({ lines }: Books): RuleFinding[] {
  const first = new Map<unknown, [index: number, line: Line]>()
  return lines.flatMap((line, index) => {
    const [reference, item] = [line.value("poLineReference"), line.text("supplierItemId")]
    if (reference === undefined || item === undefined || CHARGE.test(line.text("description") ?? ""))
      return []
    const [at, before] = first.get(reference) ?? []
    if (at === undefined || !before) {
      first.set(reference, [index, line])
      return []
    }
    if (before.text("supplierItemId") === item || before.text("description") === line.text("description"))
      return []
    return [
      {
        pointer: line.at("poLineReference"),
        message: `line ${reference} of the order is billed by line item ${at + 1}, too, with other goods`,
        hint: "correct the line of the order that is wrong",
      },
    ]
  })
}

/** The declaration of a rule that holds a field of each line to its formula. */
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

/** Whether a subtotal differs from quantity × unit price, even if a rounded price may explain it. */
export function isOffPrice(line: Line): boolean {
  const product = getProduct(line)
  const { subtotal } = line
  return product !== undefined && subtotal !== undefined && !isWithin(subtotal, product, HALF_CENT)
}

/** Half of the fourth decimal of a unit price: this many make 1. */
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

/** The subtotal as stated, and the right one if that is wrong. */
function findSubtotals(line: Line): Sum[] {
  const product = getProduct(line)
  const right = singleTermSums("subtotal", product === undefined ? [] : roundBothWays(product))
  return settleField(line, "subtotal", right, checkLineSubtotal(line).length > 0)
}

/** No finding if the rate is reported as wrong: the tax may be right. */
export function checkLineTax(line: Line, books: Books): readonly RuleFinding[] {
  const byRate = findTaxByRate(line, books)
  const { taxAmount: tax, subtotal = ZERO, taxRate: rate = ZERO } = line
  if (byRate === undefined || tax === undefined || isWithin(tax, byRate, HALF_CENT)) return NO_FINDINGS
  if (isOnMargin(tax, byRate, books)) return NO_FINDINGS
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

/** Whether a tax is of a margin only: no more than its rate makes of the whole price. */
export function isOnMargin(tax: Amount, byRate: Amount, books: Books): boolean {
  return tax >= ZERO && tax <= byRate && books.isMarginScheme
}

/** As `getTaxByRate`, but also undefined if no tax has the rate. */
export function findTaxByRate(line: Line, books: Books): Amount | undefined {
  const rate = line.taxRate
  return rate !== undefined && books.knowsRate(rate) ? getTaxByRate(line) : undefined
}

/** Empty if a tax that is not stated cannot be calculated, because the rate or the subtotal is wrong. */
function findTaxes(line: Line, books: Books): Sum[] {
  const byRate = findTaxByRate(line, books)
  if (byRate === undefined && line.has("taxRate") && !line.has("taxAmount")) return []
  const right = singleTermSums("taxAmount", byRate === undefined ? [] : roundBothWays(byRate))
  return settleOptionalField(line, "taxAmount", right, checkLineTax(line, books).length > 0)
}
