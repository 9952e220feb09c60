/**
 * Functions called by the generated validators; the build registers them with ajv instead of its own checks. Numbers
 * are checked as they are written: 19.99 is a multiple of 0.01, and 1.005 is not, whatever their doubles are.
 */
import type { SchemaError } from "../contract/index.ts"
import { findWrittenNumber, type WrittenNumbers } from "../input/index.ts"

export { mayHaveInexactNumbers } from "../input/index.ts"
export { FORMAT_CHECKS } from "./formats.ts"

interface NumbersOfDocument {
  /** How those numbers are written that a double may not hold; undefined when there are none. */
  numbers: WrittenNumbers | undefined
}

/**
 * A validator generated from the schema, called with the document as `this`; if it returns false, `errors` has the
 * reasons. The keyword `wholeNumber` replaces the type `integer`.
 */
export interface InvoiceValidator {
  (this: NumbersOfDocument, value: unknown): boolean
  errors?: readonly SchemaError[] | null
}

/** Adds the errors of one validator to those of its caller. */
export function appendErrors(errors: SchemaError[], more: readonly SchemaError[]): SchemaError[] {
  for (const error of more) errors.push(error)
  return errors
}

/**
 * Whether a number satisfies a keyword.
 * @param limit the keyword's value in the schema; 1 for whole numbers
 * @param document the document with the number
 * @param holder the array or object with the number, under `name`
 */
type NumberCheck = (
  value: number,
  limit: number,
  document: NumbersOfDocument,
  holder: unknown,
  name: string | number,
) => boolean

/** By keyword. `wholeNumber` is the build's name for `"type": "integer"`. */
export const NUMBER_CHECKS = {
  multipleOf: keepsMultiple,
  wholeNumber: keepsMultiple,
  minimum: createComparison((order) => order >= 0),
  maximum: createComparison((order) => order <= 0),
  exclusiveMinimum: createComparison((order) => order > 0),
  exclusiveMaximum: createComparison((order) => order < 0),
} as const satisfies Readonly<Record<string, NumberCheck>>

/** Below this a product with a power of ten up to 10,000 is exact enough to be rounded to the right integer. */
const MAX_QUICK = 1e10

function keepsMultiple(
  value: number,
  divisor: number,
  { numbers }: NumbersOfDocument,
  holder: unknown,
  name: string | number,
): boolean {
  const written = findWrittenNumber(numbers, holder, name)
  if (written === undefined && value < MAX_QUICK && value > -MAX_QUICK) {
    if (divisor === 1) return value % 1 === 0
    const parts = divisor === 0.01 ? 100 : divisor === 0.0001 ? 10_000 : 0
    // Among numbers with at most fifteen digits, each double belongs to only one.
    if (parts > 0) return Math.round(value * parts) / parts === value
  }
  return isMultiple(written ?? String(value), String(divisor))
}

function createComparison(isKept: (order: number) => boolean): NumberCheck {
  return (value, limit, { numbers }, holder, name) =>
    isKept(compareDecimals(findWrittenNumber(numbers, holder, name) ?? String(value), String(limit)))
}

/** The number 0.DIGITS × 10^exponent. */
interface Digits {
  isNegative: boolean
  /** Without zeros at either end; empty for zero. */
  digits: string
  exponent: number
}

function parseDigits(text: string): Digits {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? []
  const all = whole + fraction
  const digits = all.replace(/^0+/, "")
  // By hand: a regular expression takes quadratic time on many zeros in the middle.
  let end = digits.length
  while (digits[end - 1] === "0") end--
  return {
    isNegative: sign === "-" && digits !== "",
    digits: digits.slice(0, end),
    // An exponent that is too long for a double counts as an infinity, which compares right.
    exponent: whole.length - (all.length - digits.length) + Number(exponent),
  }
}

/** The digits of a step have fewer factors of 2 or 5 than this. */
const MAX_FACTORS = 64

/** Whether a number is a multiple of another: of any length, in time linear in the texts. */
export function isMultiple(text: string, divisor: string): boolean {
  const number = parseDigits(text)
  const step = parseDigits(divisor)
  if (number.digits === "") return true
  // Both as integers, in units of the step's last digit.
  const zeros = number.exponent - number.digits.length - (step.exponent - step.digits.length)
  if (zeros < 0) return false
  const modulus = Number(step.digits)
  let rest = 0
  for (const digit of number.digits) rest = (rest * 10 + Number(digit)) % modulus
  // After as many zeros as the step can have factors of 2 or 5, further ones change nothing.
  for (let left = Math.min(zeros, MAX_FACTORS); left > 0; left--) rest = (rest * 10) % modulus
  return rest === 0
}

/** Below zero when the first number is the smaller one, above when it is the larger, 0 when they are equal. */
export function compareDecimals(one: string, other: string): number {
  const [a, b] = [parseDigits(one), parseDigits(other)]
  if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1
  const sign = a.isNegative ? -1 : 1
  if (a.digits === "" || b.digits === "") return sign * (Number(a.digits !== "") - Number(b.digits !== ""))
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -sign : sign
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -sign : sign
}
