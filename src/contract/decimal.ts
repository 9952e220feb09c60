/** Exact decimal arithmetic, so that no sum of weights or prices shows the slips of binary floating point. */
import { FreightError } from "../errors.ts"
import { quoted } from "./parsed.ts"

/** `units` × 10^−`places`; `places` is never negative. */
export interface Decimal {
  units: bigint
  places: number
}

const DECIMAL = /^([+-]?)(?=\.?\d)(\d{0,400})(?:\.(\d{0,400}))?(?:e([+-]?\d{1,3}))?$/i

/** Reads a number as it is written in decimal: 1.15 is 115 × 10^−2. Throws `input` on what is no finite number. */
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

/** The value in units of 10^−`places`; what lies beyond is rounded, halves away from zero. */
export function unitsAt(decimal: Decimal, places: number): bigint {
  if (places >= decimal.places) return decimal.units * 10n ** BigInt(places - decimal.places)
  const divisor = 10n ** BigInt(decimal.places - places)
  const half = decimal.units < 0n ? -divisor / 2n : divisor / 2n
  return (decimal.units + half) / divisor
}

/** The number nearest to the decimal. */
export function numberOf({ units, places }: Decimal): number {
  return Number(`${units}e-${places}`)
}
