/** Exact decimals, and money in integer cents: 1.15 is 115 cents, not 114.99… */
import { FreightError } from "./errors.ts"
import { grouped } from "./counted.ts"
import { type Parsed, parsed, quoted, refused } from "./parsed.ts"

/** `units` × 10^−`places`; `places` is never negative. */
export interface Decimal {
  units: bigint
  places: number
}

const DECIMAL = /^([+-]?)(?=\.?\d)(\d{0,400})(?:\.(\d{0,400}))?(?:e([+-]?\d{1,3}))?$/i

/** Parses a decimal: 1.15 is 115 × 10^−2. @throws FreightError `input` for anything but a finite number */
export function decimalOf(value: number | string): Decimal {
  const match = DECIMAL.exec(String(value).trim())
  if (!match) throw new FreightError("input", `${quoted(String(value))} is not a number`)
  const [, sign, whole = "", fraction = "", exponent = "0"] = match
  const magnitude = BigInt(whole + fraction)
  const units = sign === "-" ? -magnitude : magnitude
  const places = fraction.length - Number(exponent)
  return places >= 0 ? { units, places } : { units: units * 10n ** BigInt(-places), places: 0 }
}

export function add(a: Decimal, b: Decimal): Decimal {
  const places = Math.max(a.places, b.places)
  return { units: unitsAt(a, places) + unitsAt(b, places), places }
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, places: a.places + b.places }
}

export function sum(decimals: readonly Decimal[]): Decimal {
  return decimals.reduce(add, { units: 0n, places: 0 })
}

/** The value in units of 10^−`places`, rounded half away from zero. */
export function unitsAt(decimal: Decimal, places: number): bigint {
  if (places >= decimal.places) return decimal.units * 10n ** BigInt(places - decimal.places)
  const divisor = 10n ** BigInt(decimal.places - places)
  const half = decimal.units < 0n ? -divisor / 2n : divisor / 2n
  return (decimal.units + half) / divisor
}

/** Digits with a point, without zeros at its end, but with at least `fewest` decimals. */
export function formatDecimal(
  { units, places }: Decimal,
  fewest: number,
  group = (digits: string) => digits,
): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0")
  const cut = digits.length - places
  const decimals = digits
    .slice(cut)
    .replace(/(?<!0)0+$/, "")
    .padEnd(fewest, "0")
  return `${units < 0n ? "-" : ""}${group(digits.slice(0, cut))}${decimals && `.${decimals}`}`
}

export function numberOf({ units, places }: Decimal): number {
  return Number(`${units}e-${places}`)
}

/**
 * An amount in cents, for the booking's `quoted…Minor` fields. Rounds half away from zero by the written digits:
 * 1.005 → 101.
 * @throws FreightError `input` for what is not a number, and for a text that is too large; `badReply` for a number that
 * is too large, as it comes from a reply
 */
export function centsOf(amount: number | string): number {
  return toSafeCents(decimalOf(amount), String(amount), typeof amount === "number")
}

/** 115 → 1.15 */
export function amountOf(cents: number): number {
  return cents / 100
}

/** 123450 → `1,234.50` */
export function formatCents(cents: number | bigint): string {
  const sign = cents < 0 ? "-" : ""
  const digits = String(cents).replace("-", "").padStart(3, "0")
  return `${sign}${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`
}

/** 1234.5 and `AUD` → `AUD 1,234.50`; any size. In a price of a reply, either may be unknown. */
export function formatMoney(amount: number | string | undefined, currency: string | undefined): string {
  if (amount === undefined) return "price not known"
  const text = formatCents(unitsAt(decimalOf(amount), 2))
  return currency === undefined ? text : `${currency} ${text}`
}

function toSafeCents(decimal: Decimal, text: string, isOfReply: boolean): number {
  const cents = Number(unitsAt(decimal, 2))
  if (Number.isSafeInteger(cents)) return cents
  // People's amounts are texts; numbers come from replies.
  throw isOfReply
    ? new FreightError("badReply", `the service gave an amount that is too large: ${text}`)
    : new FreightError("input", `${quoted(text)} is too large an amount`)
}

/** Reads an amount of money as cents. @throws FreightError `usage` naming the flag */
export function parseAmount(text: string, flag: string): number {
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text.trim()))
    throw new FreightError("usage", `${flag} takes an amount such as 1250 or 19.95, not ${quoted(text)}`)
  return centsOf(text.trim())
}

/** `2%` or `0.5%`. */
export function parsePercent(text: string): Parsed<number> {
  const percent = /^(\d{1,3}(?:\.\d{1,3})?) ?%$/.exec(text.trim())?.[1]
  return percent === undefined
    ? refused(`${quoted(text)} is not a percentage: write it as 2%`)
    : parsed(Number(percent))
}

/**
 * Reads the suffix of a number, as accountants and shops write it: `50` and `CR` are `-50` if CR is a credit.
 * @param number digits with a point and decimals, or without
 */
export function readAccountingSuffix(
  number: string,
  word: string,
): { number: string; condition: string } | undefined {
  if (/^cr$/i.test(word) && !number.startsWith("-"))
    return { number: `-${number}`, condition: "CR is a credit" }
  if (/^dr$/i.test(word)) return { number, condition: "DR is a debit" }
  if (!/^(?:c|¢|cents?)$/i.test(word) || !/^\d{1,4}$/.test(number)) return undefined
  const cents = number.padStart(3, "0")
  return { number: `${Number(cents.slice(0, -2))}.${cents.slice(-2)}`, condition: "these are cents" }
}

/** Splits a sum by weights into whole cents that add up to it. */
export function share(sum: number, weights: readonly number[]): number[] {
  const all = weights.reduce((total, weight) => total + weight, 0)
  if (all === 0) return weights.map((_, at) => (at === 0 ? sum : 0))
  let [passed, given] = [0, 0]
  return weights.map((weight) => {
    passed += weight
    const part = Math.round(sum * (passed / all)) - given
    given += part
    // Not -0.
    return part + 0
  })
}

/** Rounds to whole cents, half a cent away from zero: credits and charges are rounded alike. */
export const roundCents = (cents: number): number => Math.sign(cents) * Math.round(Math.abs(cents)) + 0

/** Cents of GST of cents without it, at its rate of a tenth. */
export const toGst = (exGst: number): number => roundCents(exGst / 10)

/** Cents with GST of cents without it. */
export const toIncGst = (exGst: number): number => exGst + toGst(exGst)

/** Cents without GST of cents with it, at its rate of a tenth. */
export const toExGst = (incGst: number): number => roundCents(incGst / 1.1)
