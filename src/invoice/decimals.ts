/** Decimals of an invoice: read as they are written, and shown as people read them. */
import { grouped } from "../contract/counted.ts"
import { add, type Decimal, decimalOf, unitsAt } from "../contract/money.ts"

/** Numbers with more digits than this, or a greater exponent, are nobody's money: they are left as they are. */
const MOST_DIGITS = 40

/** Reads a number as it is written. Undefined for what is not a number, and for one of more than forty digits. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, whole = "", fraction = "", exponent = "0"] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text.trim()) ?? []
  const digits = whole.length + fraction.length
  if (digits === 0 || digits + Math.abs(Number(exponent)) > MOST_DIGITS) return undefined
  return decimalOf(text)
}

export function negateDecimal({ units, places }: Decimal): Decimal {
  return { units: -units, places }
}

export function isSameDecimal(a: Decimal, b: Decimal): boolean {
  return a.places === b.places ? a.units === b.units : add(a, negateDecimal(b)).units === 0n
}

/** `percent` of an amount: 10 of 59.97 is 5.997. */
export function percentOfDecimal(amount: Decimal, percent: Decimal): Decimal {
  return { units: amount.units * percent.units, places: amount.places + percent.places + 2 }
}

/** To the cent, halves away from zero. */
export function roundToCents(amount: Decimal): Decimal {
  return { units: unitsAt(amount, 2), places: 2 }
}

/** The shortest way to write a value, the same for 30 and 30.0. */
export function shortestDigits(
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
export function formatMoney(amount: Decimal): string {
  return format(amount, 2, grouped)
}

/** A quantity or a percentage as people read it: 1200.50 → `1,200.5`. */
export function formatPlain(amount: Decimal): string {
  return format(amount, 0, grouped)
}

/** An amount as it goes into the file: 1204.5 → `1204.50`. */
export function formatLiteral(amount: Decimal): string {
  return format(amount, 2, (digits) => digits)
}

function format(amount: Decimal, fewest: number, group: (digits: string) => string): string {
  const { negative, digits, places } = shortestDigits(amount, fewest)
  const cut = digits.length - places
  return `${negative ? "-" : ""}${group(digits.slice(0, cut))}${places > 0 ? `.${digits.slice(cut)}` : ""}`
}
