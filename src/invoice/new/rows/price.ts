/** Quantity, unit price and sums of a line, from whichever amounts its row has. */
import type { CellFinding } from "../../../input/index.ts"
import {
  type Amount,
  add,
  CENT,
  formatMoney,
  formatPlain,
  getMagnitude,
  GST_PERCENT,
  HALF_CENT,
  isWithin,
  multiply,
  roundToCents,
  subtract,
  takePercent,
  times,
  ZERO,
} from "../../accounting/amounts.ts"
import { agreesWithPrice } from "../../accounting/lines.ts"
import { addTax } from "../draft.ts"
import type { NewLine } from "../texts.ts"
import { divideRounded, takeOff } from "./quotients.ts"
import { type ColumnOf, errorAt, FILL_IN, leaveOut } from "./errors.ts"

type RowAmounts = ReadonlyMap<string, Amount>

type PricedLine = Pick<NewLine, "quantity" | "unitPrice" | "taxRate"> & Required<Pick<NewLine, "sums">>

/** Prices of one, those whose heading does not say whether GST is in them first. */
export const UNIT_PRICES: readonly string[] = ["price", "unitPrice", "unitPriceIncGst"]
/** The fields that can price a line. */
export const PRICES: readonly string[] = [...UNIT_PRICES, "subtotal", "amountIncGst", "amount"]

/** The row does not say whether its amount includes GST. */
export const AMBIGUOUS_AMOUNT = "ambiguous-amount"

const DOLLAR = times(CENT, 100)

/**
 * Calculates the missing amounts of a row, and checks redundant ones. The sums are exact; the unit price is rounded to
 * at most four decimals.
 * @param columnOf the heading of a field's column
 * @returns `isAssumed` if no column states the tax, and GST is added
 */
export function priceLine(
  amounts: RowAmounts,
  columnOf: ColumnOf,
): { line: PricedLine; isAssumed: boolean } | { finding: CellFinding } {
  const fail = (field: string, rule: string, message: string, hint: string) => ({
    finding: errorAt(columnOf, field, rule, message, hint),
  })
  const quantity = amounts.get("quantity")
  if (quantity === undefined) return fail("quantity", "required", "quantity is missing", FILL_IN)
  if (PRICES.every((field) => !amounts.has(field)))
    return fail(
      UNIT_PRICES.find((field) => columnOf(field) !== undefined) ?? "price",
      "required",
      "price is missing",
      FILL_IN,
    )

  const given = amounts.get("taxRate")
  const saysTax = amounts.has("taxAmount") || (amounts.has("subtotal") && amounts.has("amountIncGst"))
  const rates = given !== undefined ? [given] : saysTax ? [GST_PERCENT, ZERO] : [GST_PERCENT]
  const attempts = listReadings(amounts, "price", ["unitPrice", "unitPriceIncGst"]).map((priced) =>
    listReadings(priced, "amount", ["subtotal", "amountIncGst"]).flatMap((known) =>
      rates.map((rate) => readAmounts(known, quantity, rate, given === undefined)),
    ),
  )
  // A price is taken as excluding GST unless the rest of the row contradicts that.
  const found =
    attempts
      .map((each) => each.flatMap((read) => ("line" in read ? [read.line] : [])))
      .find((lines) => lines.length > 0) ?? []
  const [first] = found
  if (!first) {
    const { field: wrong, message, hint } = explainMismatch(attempts.flat(), amounts)
    const field = columnOf(wrong) === undefined ? (WITHOUT_BASIS[wrong] ?? wrong) : wrong
    const compare = `compare it with the invoice, or ${leaveOut(columnOf, field)}`
    return fail(field, "amounts", message, hint ?? compare)
  }
  if (found.some(({ sums }) => sums.subtotal !== first.sums.subtotal)) {
    const column = columnOf("amount")
    const hint = `--map "${column}=subtotal" if it is not, --map "${column}=amountIncGst" if it is`
    return fail("amount", AMBIGUOUS_AMOUNT, "nothing says whether GST is in it", hint)
  }
  // The tax of a few cents is 0 at both rates.
  const line = found.find(({ taxRate }) => taxRate === ZERO) ?? first
  return { line, isAssumed: given === undefined && !saysTax }
}

/** Possible meanings of a heading of an amount that does not say whether GST is in it. */
const WITHOUT_BASIS: Readonly<Record<string, string>> = {
  ...{ unitPrice: "price", unitPriceIncGst: "price" },
  ...{ subtotal: "amount", amountIncGst: "amount" },
}

/** The amounts of a row, with each field that one of them may be whose heading does not say. */
function listReadings(amounts: RowAmounts, name: string, fields: readonly string[]): RowAmounts[] {
  const value = amounts.get(name)
  if (value === undefined) return [amounts]
  return fields
    .filter((field) => (amounts.get(field) ?? value) === value)
    .map((field) => new Map([...amounts, [field, value]]))
}

interface Mismatch {
  field: string
  message: string
  hint?: string
}

/** A line at this rate, or the amount that does not fit the others. */
function readAmounts(
  known: RowAmounts,
  quantity: Amount,
  taxRate: Amount,
  isRateOpen: boolean,
): { line: PricedLine } | { mismatch: Mismatch } {
  const get = (field: string) => known.get(field)
  const [price, priceIncGst] = [get("unitPrice"), get("unitPriceIncGst")]
  const [subtotal, total, tax] = [get("subtotal"), get("amountIncGst"), get("taxAmount")]
  /** The amount of a quantity at a price, less the discount. */
  const charge = (each: Amount | undefined) =>
    each === undefined ? undefined : takeDiscount(multiply(quantity, each), known)
  const [list, listIncGst] = [charge(price), charge(priceIncGst)]
  const sums = calculateAmounts({ subtotal, total, tax, list, listIncGst }, taxRate)
  if (!sums) return { mismatch: { field: "price", message: "price is missing" } }

  const shown = (each: Amount, sum: Amount) =>
    `${formatPlain(quantity)} × ${formatMoney(each)}${describeDiscount(known)} = ${formatMoney(roundToCents(sum))}`
  const mismatch = (field: string, message: string) => ({ mismatch: { field, message } })
  if (price !== undefined && list !== undefined) {
    const line = { quantity, unitPrice: price }
    if (!agreesWithPrice(line, sums.subtotal, list))
      return mismatch("subtotal", `${formatMoney(sums.subtotal)} is not ${shown(price, list)}`)
  }
  const right = takePercent(sums.subtotal, taxRate)
  const percent = `${formatPlain(taxRate)}%`
  if (!isWithin(sums.tax, right, HALF_CENT)) {
    const [before, gst] = [sums.subtotal, roundToCents(right)].map(formatMoney)
    if (tax === undefined && total !== undefined) {
      const after = formatMoney(add(sums.subtotal, roundToCents(right)))
      return mismatch("amountIncGst", `${formatMoney(total)} is not ${before} + ${gst} GST = ${after}`)
    }
    const zero = isRateOpen ? ", nor 0" : ""
    return mismatch(
      "taxAmount",
      `${formatMoney(sums.tax)} is not ${percent} of ${before}, which is ${gst}${zero}`,
    )
  }
  const after = add(sums.subtotal, sums.tax)
  const added = `${formatMoney(sums.subtotal)} + ${formatMoney(sums.tax)} GST = ${formatMoney(after)}`
  if (total !== undefined && total !== after)
    return mismatch("amountIncGst", `${formatMoney(total)} is not ${added}`)
  if (priceIncGst !== undefined && listIncGst !== undefined) {
    // Beside a price without GST, it is rounded to the cent.
    const units = getMagnitude(quantity)
    const isNear =
      price === undefined
        ? agreesWithPrice({ quantity, unitPrice: priceIncGst }, after, listIncGst)
        : isWithin(times(subtract(after, listIncGst), 200), ZERO, units > DOLLAR ? units : DOLLAR)
    if (!isNear) return mismatch("unitPriceIncGst", `${shown(priceIncGst, listIncGst)} is not ${added}`)
  }
  const each = [
    price === undefined ? undefined : discountEach(price, known),
    priceIncGst === undefined ? undefined : discountEach(takeGstOff(priceIncGst, taxRate), known),
    divideRounded(sums.subtotal, quantity, PRICE_PLACES),
  ]
  const unitPrice = each
    .map((one) => (one === undefined ? undefined : divideRounded(one, DOLLAR, PRICE_PLACES)))
    .find(
      (one) =>
        one !== undefined &&
        agreesWithPrice({ quantity, unitPrice: one }, sums.subtotal, multiply(quantity, one)),
    )
  if (unitPrice !== undefined) return { line: { quantity, unitPrice, taxRate, sums } }
  const field = PRICES.find((one) => known.has(one)) ?? "amount"
  const message = `${formatMoney(get(field) ?? ZERO)} for ${formatPlain(quantity)} gives no unit price of at most 4 decimals`
  return { mismatch: { field, message, hint: "add a column with the unit price without GST" } }
}

const PRICE_PLACES = 4

interface Known {
  subtotal: Amount | undefined
  total: Amount | undefined
  tax: Amount | undefined
  /** Quantity × unit price without GST, and with it. */
  list: Amount | undefined
  listIncGst: Amount | undefined
}

/** The amount before tax and the tax, in cents: given or calculated. */
function calculateAmounts(
  { subtotal, total, tax, list, listIncGst }: Known,
  taxRate: Amount,
): { subtotal: Amount; tax: Amount } | undefined {
  if (subtotal === undefined && list === undefined) {
    const whole = total ?? (listIncGst === undefined ? undefined : roundToCents(listIncGst))
    if (whole === undefined) return undefined
    const inIt = tax ?? subtract(whole, roundToCents(takeGstOff(whole, taxRate)))
    return { subtotal: subtract(whole, inIt), tax: inIt }
  }
  const both = total !== undefined && tax !== undefined ? subtract(total, tax) : undefined
  const worked = list === undefined ? ZERO : roundToCents(list)
  const before =
    subtotal ?? (both !== undefined && list !== undefined && isWithin(both, list, HALF_CENT) ? both : worked)
  const whole =
    total ?? (list === undefined && listIncGst !== undefined ? roundToCents(listIncGst) : undefined)
  return {
    subtotal: before,
    tax: tax ?? (whole === undefined ? addTax(before, taxRate).tax : subtract(whole, before)),
  }
}

/** An amount with GST in it without that, to the millionth. */
function takeGstOff(amount: Amount, taxRate: Amount): Amount {
  return divideRounded(amount, add(DOLLAR, takePercent(DOLLAR, taxRate)), 6) ?? ZERO
}

function takeDiscount(list: Amount, known: RowAmounts): Amount {
  const [percent, amount] = [known.get("discountPercent"), known.get("discountAmount")]
  const less = percent === undefined ? list : takeOff(list, percent)
  if (amount === undefined) return less
  return list < ZERO ? add(less, getMagnitude(amount)) : subtract(less, getMagnitude(amount))
}

/** The price of one after a percentage discount; undefined if the discount is an amount for the whole line. */
function discountEach(price: Amount, known: RowAmounts): Amount | undefined {
  if (known.get("discountAmount")) return undefined
  const percent = known.get("discountPercent")
  return percent === undefined ? price : takeOff(price, percent)
}

/** ` less 10%` */
export function describeDiscount(known: RowAmounts): string {
  const [percent, amount] = [known.get("discountPercent"), known.get("discountAmount")]
  const off = [percent && `${formatPlain(percent)}%`, amount && formatMoney(getMagnitude(amount))].filter(
    Boolean,
  )
  return off.map((each) => ` less ${each}`).join("")
}

/** Names the amount of a row that does not fit the others, and the one that would. */
function explainMismatch(attempts: readonly ReturnType<typeof readAmounts>[], amounts: RowAmounts): Mismatch {
  const [first] = attempts.flatMap((each) => ("mismatch" in each ? [each.mismatch] : []))
  const unclear = amounts.get("amount")
  const price = UNIT_PRICES.map((field) => amounts.get(field)).find((each) => each !== undefined)
  const quantity = amounts.get("quantity") ?? ZERO
  if (
    first &&
    (first.field !== "subtotal" || unclear === undefined || price === undefined || amounts.has("subtotal"))
  )
    return unclear !== undefined && first.field === "subtotal" && !amounts.has("subtotal")
      ? { ...first, field: "amount" }
      : first
  const rate = amounts.get("taxRate") ?? GST_PERCENT
  const worked = takeDiscount(multiply(quantity, price ?? ZERO), amounts)
  const before = roundToCents(worked)
  const after = add(before, addTax(before, rate).tax)
  const sum = `${formatPlain(quantity)} × ${formatMoney(price ?? ZERO)}${describeDiscount(amounts)} = ${formatMoney(before)}`
  const amount = formatMoney(unclear ?? ZERO)
  const message =
    after === before
      ? `${amount} is not ${sum}`
      : `${amount} is neither ${sum} nor that with GST, ${formatMoney(after)}`
  return { field: "amount", message }
}
