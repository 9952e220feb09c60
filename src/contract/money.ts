/** Money in integer cents. Amounts are taken by their decimal text, so 1.15 is 115 cents and not 114.99… */
import { FreightError } from "../errors.ts"
import { grouped } from "./counted.ts"
import { type Decimal, decimalOf, unitsAt } from "./decimal.ts"
import { quoted } from "./parsed.ts"

/**
 * An amount in cents, as the booking's `quoted…Minor` fields want it. Beyond two decimals it rounds half away from
 * zero by the written digits: 1.005 → 101. Throws `input` on what is not a number or too large to count in cents; `badReply` on a number, which is of a reply.
 */
export function centsOf(amount: number | string): number {
  return safeCents(decimalOf(amount), String(amount), typeof amount === "number")
}

/** Cents as an amount for JSON: 115 → 1.15. */
export function amountOf(cents: number): number {
  return cents / 100
}

/** Cents as people read them: 123450 → `1,234.50`. */
export function formatCents(cents: number | bigint): string {
  const sign = cents < 0 ? "-" : ""
  const digits = String(cents).replace("-", "").padStart(3, "0")
  return `${sign}${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`
}

/** An amount as people read it, whatever its size: 1234.5 and `AUD` → `AUD 1,234.50`. */
export function formatMoney(amount: number | string, currency: string): string {
  return `${currency} ${formatCents(unitsAt(decimalOf(amount), 2))}`
}

function safeCents(decimal: Decimal, text: string, isOfReply: boolean): number {
  const cents = Number(unitsAt(decimal, 2))
  if (Number.isSafeInteger(cents)) return cents
  // People's amounts are texts; a number is of a reply.
  throw isOfReply
    ? new FreightError("badReply", `the service gave an amount that is too large: ${text}`)
    : new FreightError("input", `${quoted(text)} is too large an amount`)
}
