/** Amounts of an invoice as exact decimals, and as people read them. */
import { grouped } from "../../contract/counted.ts"
import { add, type Decimal, decimalOf, unitsAt } from "../../contract/decimal.ts"

export const ZERO: Decimal = { units: 0n, places: 0 }
/** The rounding that is allowed: this much for each line (or part) whose amount had to be rounded to the cent. */
export const HALF_CENT: Decimal = { units: 5n, places: 3 }
/** The rate of the goods and services tax, in percent. */
export const GST_PERCENT: Decimal = { units: 10n, places: 0 }

/** Amounts with more digits than this, or a greater exponent, are nobody's money: they are left alone. */
const MOST_DIGITS = 40

/** Reads a number as it is written. Undefined for what is no number, and for one of more than forty digits. */
export function amountOf(text: string): Decimal | undefined {
  const [, whole = "", fraction = "", exponent = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text.trim()) ?? []
  const digits = whole.length + fraction.length
  if (digits === 0 || digits + Math.abs(Number(exponent)) > MOST_DIGITS) return undefined
  return decimalOf(text)
}

export function negate({ units, places }: Decimal): Decimal {
  return { units: -units, places }
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b))
}

export function magnitude(amount: Decimal): Decimal {
  return amount.units < 0n ? negate(amount) : amount
}

export function equal(a: Decimal, b: Decimal): boolean {
  return a.places === b.places ? a.units === b.units : subtract(a, b).units === 0n
}

export function times({ units, places }: Decimal, count: number): Decimal {
  return { units: units * BigInt(count), places }
}

/** `percent` of an amount: 10 of 59.97 is 5.997. */
export function percentOf(amount: Decimal, percent: Decimal): Decimal {
  return { units: amount.units * percent.units, places: amount.places + percent.places + 2 }
}

/** Whether two amounts differ by at most `most`. */
export function within(a: Decimal, b: Decimal, most: Decimal): boolean {
  return equal(a, b) || subtract(magnitude(subtract(a, b)), most).units <= 0n
}

/** To the cent, halves away from zero. */
export function toCents(amount: Decimal): Decimal {
  return { units: unitsAt(amount, 2), places: 2 }
}

/** The shortest way to write a value, the same for 30 and 30.0. */
export function canonical(
  { units, places }: Decimal,
  fewest = 0,
): { negative: boolean; digits: string; places: number } {
  let [left, kept] = [units < 0n ? -units : units, places]
  while (kept > fewest && left % 10n === 0n) [left, kept] = [left / 10n, kept - 1]
  const digits = String(kept < fewest ? left * 10n ** BigInt(fewest - kept) : left)
  const shown = Math.max(kept, fewest)
  return { negative: units < 0n, digits: digits.padStart(shown + 1, "0"), places: shown }
}

/** An amount as people read it: 1204.5 → `1,204.50`; further decimals stay. */
export function money(amount: Decimal): string {
  return written(amount, 2, grouped)
}

/** A quantity or a percentage as people read it: 1200.50 → `1,200.5`. */
export function plain(amount: Decimal): string {
  return written(amount, 0, grouped)
}

/** An amount as it goes into the file: 1204.5 → `1204.50`. */
export function literal(amount: Decimal): string {
  return written(amount, 2, (digits) => digits)
}

function written(amount: Decimal, fewest: number, shown: (digits: string) => string): string {
  const { negative, digits, places } = canonical(amount, fewest)
  const cut = digits.length - places
  return `${negative ? "-" : ""}${shown(digits.slice(0, cut))}${places > 0 ? `.${digits.slice(cut)}` : ""}`
}
