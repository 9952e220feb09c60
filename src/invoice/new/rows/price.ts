/** Quantity, unit price and tax of a line, from whichever amounts its row has. */
import type { CellFinding } from "../../../input/sheets/findings.ts"
import {
  type Amount,
  add,
  CENT,
  divideExactly,
  formatMoney,
  formatPlain,
  GST_PERCENT,
  roundToCents,
  subtract,
  takePercent,
  times,
  ZERO,
} from "../../accounting/amounts.ts"
import { addTax, chargeLine } from "../draft.ts"
import type { NewLine } from "../texts.ts"
import { type ColumnOf, errorAt, FILL_IN, leaveOut } from "./errors.ts"

/** The amounts that a row has, by field. */
type RowAmounts = ReadonlyMap<string, Amount>

type PricedLine = Pick<NewLine, "quantity" | "unitPrice" | "taxRate">

/** What a line may be priced by. */
export const PRICES = ["unitPrice", "unitPriceIncGst", "subtotal", "amountIncGst", "amount"]
const DOLLAR = times(CENT, 100)

/**
 * Works out what a row does not say, exactly or not at all, and checks what it says twice.
 * @param columnOf the heading of a field's column
 * @returns `isAssumed` where nothing says what the tax is, and GST is added
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
    return fail("unitPrice", "required", "price is missing", FILL_IN)

  const given = amounts.get("taxRate")
  const saysTax = amounts.has("taxAmount") || (amounts.has("subtotal") && amounts.has("amountIncGst"))
  const rates = given !== undefined ? [given] : saysTax ? [GST_PERCENT, ZERO] : [GST_PERCENT]
  const readings = rates.flatMap((rate) => findReadings(amounts, quantity, rate))
  const [first] = readings
  if (!first) {
    const { field, message, hint } = explainMismatch(amounts, quantity, given)
    const compare = `compare it with the invoice, or ${leaveOut(columnOf, field)}`
    return fail(field, "amounts", message, hint ?? compare)
  }
  if (readings.some(({ unitPrice }) => unitPrice !== first.unitPrice)) {
    const column = columnOf("amount")
    const hint = `--map "${column}=subtotal" if it is not, --map "${column}=amountIncGst" if it is`
    return fail("amount", "ambiguous-amount", "nothing says whether GST is in it", hint)
  }
  // The tax of a few cents is 0 at both rates.
  const line = readings.find(({ taxRate }) => taxRate === ZERO) ?? first
  return { line, isAssumed: given === undefined && !saysTax }
}

/** What the row can be at this rate, with its `amount` without GST and with it. */
function findReadings(amounts: RowAmounts, quantity: Amount, taxRate: Amount): PricedLine[] {
  const unclear = amounts.get("amount")
  return (unclear === undefined ? ["subtotal"] : ["subtotal", "amountIncGst"]).flatMap((field) => {
    const known = new Map(amounts)
    if (unclear !== undefined && !known.has(field)) known.set(field, unclear)
    const unitPrice = findUnitPrice(known, quantity, taxRate)
    if (unitPrice === undefined) return []
    const { subtotal, tax, total } = addUp({ quantity, unitPrice, taxRate })
    const agrees = (name: string, amount: Amount) => (known.get(name) ?? amount) === amount
    const fits = agrees("subtotal", subtotal) && agrees("taxAmount", tax) && agrees("amountIncGst", total)
    const fitsUnclear = unclear === undefined || unclear === (field === "subtotal" ? subtotal : total)
    return fits && fitsUnclear ? [{ quantity, unitPrice, taxRate }] : []
  })
}

/** With at most four decimals; undefined where it would have to be rounded. */
function findUnitPrice(amounts: RowAmounts, quantity: Amount, taxRate: Amount): Amount | undefined {
  const price = amounts.get("unitPrice")
  if (price !== undefined) return price
  const withGst = amounts.get("unitPriceIncGst")
  if (withGst !== undefined) return divideExactly(withGst, add(DOLLAR, takePercent(DOLLAR, taxRate)), 4)
  const total = amounts.get("amountIncGst")
  const subtotal = amounts.get("subtotal") ?? (total === undefined ? undefined : takeTaxOff(total, taxRate))
  return subtotal === undefined ? undefined : divideExactly(subtotal, quantity, 4)
}

/** The amount that comes to the total with its tax; undefined where none does to the cent. */
function takeTaxOff(total: Amount, taxRate: Amount): Amount | undefined {
  if (taxRate === ZERO) return total
  const near = roundToCents((BigInt(total) * 10n) / 11n)
  return [near, add(near, CENT), subtract(near, CENT)].find(
    (amount) => add(amount, addTax(amount, taxRate).tax) === total,
  )
}

function addUp(line: PricedLine) {
  const { subtotal, tax } = chargeLine(line)
  return { subtotal, tax, total: add(subtotal, tax) }
}

const NAME_PRICE = "add a column with the unit price without GST"

/** Which amount of a row does not fit the others, and what would. */
function explainMismatch(
  amounts: RowAmounts,
  quantity: Amount,
  given: Amount | undefined,
): { field: string; message: string; hint?: string } {
  const rate = given ?? GST_PERCENT
  const percent = `${formatPlain(rate)}%`
  const [subtotal, tax, total, unclear] = ["subtotal", "taxAmount", "amountIncGst", "amount"].map((field) =>
    amounts.get(field),
  )
  const price =
    findUnitPrice(amounts, quantity, rate) ??
    (unclear === undefined ? undefined : divideExactly(unclear, quantity, 4))
  if (price === undefined) {
    const field = PRICES.find((each) => amounts.has(each)) ?? "amount"
    const amount = formatMoney(amounts.get(field) ?? ZERO)
    const isTotal = field === "unitPriceIncGst" || field === "amountIncGst"
    const message = `${amount}${isTotal ? ` with ${percent} GST in it` : ""} for ${field === "unitPriceIncGst" ? "one" : formatPlain(quantity)} gives no unit price of at most 4 decimals`
    return { field, message, hint: NAME_PRICE }
  }
  const sums = addUp({ quantity, unitPrice: price, taxRate: rate })
  const [before, gst, after] = [formatMoney(sums.subtotal), formatMoney(sums.tax), formatMoney(sums.total)]
  const worked = `${formatPlain(quantity)} × ${formatMoney(price)} = ${before}`
  if (subtotal !== undefined && subtotal !== sums.subtotal)
    return { field: "subtotal", message: `${formatMoney(subtotal)} is not ${worked}` }
  if (tax !== undefined && tax !== sums.tax) {
    const zero = given === undefined ? ", nor 0" : ""
    const message = `${formatMoney(tax)} is not ${percent} of ${before}, which is ${gst}${zero}`
    return { field: "taxAmount", message }
  }
  if (total !== undefined && total !== sums.total) {
    const message = `${formatMoney(total)} is not ${before} + ${gst} GST = ${after}`
    return { field: "amountIncGst", message }
  }
  const amount = formatMoney(unclear ?? ZERO)
  const message =
    after === before
      ? `${amount} is not ${worked}`
      : `${amount} is neither ${worked} nor that with GST, ${after}`
  return { field: "amount", message }
}
