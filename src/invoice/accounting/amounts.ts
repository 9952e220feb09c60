/** Exact arithmetic on the amounts of an invoice, as quick as plain numbers while they are small enough for it. */
import { grouped } from "../../base/counted.ts"
import { type Decimal, decimalOf, formatDecimal, unitsAt } from "../../base/money.ts"

/**
 * An exact number of millionths: of a dollar, a unit or a percent. A number while it is a safe integer, a bigint
 * beyond, so that equal amounts are `===`. Six decimals hold all that is worked out: quantities and amounts have two,
 * unit prices four, and a product or a percentage of them at most six.
 */
export type Amount = number | bigint

const PLACES = 6
export const ONE = 10 ** PLACES

export const ZERO: Amount = 0
export const CENT: Amount = ONE / 100
/** The rounding that is allowed: this much for each line (or part) whose amount had to be rounded to the cent. */
export const HALF_CENT: Amount = ONE / 200
/** The rate of the goods and services tax, in percent. */
export const GST_PERCENT: Amount = 10 * ONE

/** Upper limit for amounts and quantities. */
export const ABSURD = 1e12

/** Below this the double nearest to a number of four decimals, times a million, rounds to the right integer. */
const MAX_QUICK = 1e9
/** Numbers with more digits than this, or a greater exponent, are not counted with. */
const MAX_DIGITS = 40

/** A number in a text, with or without thousands commas: `1,234.50`; NaN for another text. */
export function readFigure(text = ""): number {
  return Number(text.replaceAll(",", ""))
}

/** The amount of such a number; undefined if there is none. */
export function readAmount(text: string | undefined): Amount | undefined {
  return text === undefined ? undefined : toAmount(readFigure(text))
}

/** The nearest double, for rough comparisons. */
export function toPlain(amount: Amount): number {
  return Number(amount) / ONE
}

/**
 * @param written the number's text, where a double may not hold it
 * @returns undefined for a number of more than forty digits, or more than six decimals
 */
export function toAmount(value: number, written?: string): Amount | undefined {
  if (written === undefined && value < MAX_QUICK && value > -MAX_QUICK) {
    const units = Math.round(value * ONE)
    return units / ONE === value ? units : undefined
  }
  const text = written ?? String(value)
  const [, whole = "", fraction = "", exponent = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? []
  const digits = whole.length + fraction.length
  if (digits === 0 || digits + Math.abs(Number(exponent)) > MAX_DIGITS) return undefined
  const decimal = decimalOf(text)
  const units = unitsAt(decimal, PLACES)
  const isExact = decimal.places <= PLACES || units * 10n ** BigInt(decimal.places - PLACES) === decimal.units
  return isExact ? normalize(units) : undefined
}

function normalize(units: bigint): Amount {
  const number = Number(units)
  return Number.isSafeInteger(number) ? number : units
}

export function add(a: Amount, b: Amount): Amount {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return normalize(BigInt(a) + BigInt(b))
}

export function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce(add, ZERO)
}

export function negate(amount: Amount): Amount {
  return typeof amount === "number" ? 0 - amount : -amount
}

export function subtract(a: Amount, b: Amount): Amount {
  return add(a, negate(b))
}

export function getMagnitude(amount: Amount): Amount {
  return amount < 0 ? negate(amount) : amount
}

export function times(amount: Amount, count: number): Amount {
  const product = typeof amount === "number" ? amount * count : Number.NaN
  return Number.isSafeInteger(product) ? product : normalize(BigInt(amount) * BigInt(count))
}

/** Quantity × unit price, not rounded. The quantity has at most two decimals, the price at most four. */
export function multiply(quantity: Amount, price: Amount): Amount {
  return scaleProduct(quantity, 1e4, price, 1e2)
}

/** `percent` of an amount: 10 of 59.97 is 5.997. Exact where both have at most two decimals, otherwise to the millionth. */
export function takePercent(amount: Amount, percent: Amount): Amount {
  return scaleProduct(amount, 1e4, percent, 1e4)
}

/** The part of an amount that `part` is of `whole`, to the millionth. */
export function takeShare(amount: Amount, part: Amount, whole: Amount): Amount {
  return whole === ZERO ? ZERO : normalize((BigInt(amount) * BigInt(part)) / BigInt(whole))
}

/** The product of a ÷ `aStep` and b ÷ `bStep`. */
function scaleProduct(a: Amount, aStep: number, b: Amount, bStep: number): Amount {
  if (typeof a === "number" && typeof b === "number") {
    const product = (a / aStep) * (b / bStep)
    if (Number.isSafeInteger(product)) return product
  }
  return normalize((BigInt(a) * BigInt(b)) / (BigInt(aStep) * BigInt(bStep)))
}

export function isAbsurd(amount: Amount): boolean {
  return getMagnitude(amount) >= ABSURD * ONE
}

/** Whether two amounts differ by at most `most`. */
export function isWithin(a: Amount, b: Amount, most: Amount): boolean {
  return a === b || getMagnitude(subtract(a, b)) <= most
}

/** To the cent, halves away from zero. */
export function roundToCents(amount: Amount): Amount {
  return times(normalize(unitsAt(toDecimal(amount), 2)), Number(CENT))
}

/** To the cent; at half a cent both ways, since both are defensible. The first is away from zero. */
export function roundBothWays(amount: Amount): Amount[] {
  const rounded = roundToCents(amount)
  const over = subtract(rounded, amount)
  if (getMagnitude(over) !== HALF_CENT) return [rounded]
  return [rounded, over > 0 ? subtract(rounded, CENT) : add(rounded, CENT)]
}

function toDecimal(amount: Amount): Decimal {
  return { units: BigInt(amount), places: PLACES }
}

/** An amount as people read it: 1204.5 → `1,204.50`; further decimals stay. */
export function formatMoney(amount: Amount): string {
  return formatDecimal(toDecimal(amount), 2, grouped)
}

/** A quantity or a percentage as people read it: 1200.50 → `1,200.5`. */
export function formatPlain(amount: Amount): string {
  return formatDecimal(toDecimal(amount), 0, grouped)
}

/** An amount as it goes into the file: 1204.5 → `1204.50`. */
export function formatLiteral(amount: Amount): string {
  return formatDecimal(toDecimal(amount), 2)
}

/** The digits of an amount without its sign and point, at least `fewest` of them decimals. */
export function getDigits(amount: Amount, fewest = 0): string {
  return formatDecimal(toDecimal(getMagnitude(amount)), fewest).replace(".", "")
}

export function isWhole(amount: Amount): boolean {
  return typeof amount === "number" ? amount % ONE === 0 : amount % BigInt(ONE) === 0n
}
