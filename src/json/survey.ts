/**
 * A quick look at a JSON text, to see whether `JSON.parse` keeps all that it says. It loses three things without a word:
 * digits beyond a double's, exponents beyond its range, and all but the last of a repeated name. What is asked here may
 * see a loss where there is none, and then the text is looked at in full; it never misses one.
 */
import { EXACT_DIGITS } from "./written-numbers.ts"

/** More characters of digits and points in a row than a double holds digits. */
const LONG_NUMBER = "[\\d.]".repeat(EXACT_DIGITS + 1)
/** Digits, an E and digits before the end of a value. */
const EXPONENT = /\d[eE][-+]?\d+(?:[\s,\]}]|$)/

const HAS_LONG_NUMBER = new RegExp(LONG_NUMBER)
/** Outside of strings, a number stands behind a blank, a colon, a comma or a bracket. In strings, codes are in quotes. */
const LONG_VALUE = new RegExp(`(?:^|[\\s:,[])-?${LONG_NUMBER}`)

/** Whether a number may have an exponent, or more digits than a double holds. */
export function mayHaveInexactNumbers(text: string): boolean {
  return EXPONENT.test(text) || (HAS_LONG_NUMBER.test(text) && LONG_VALUE.test(text))
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * How many names the objects of a text have, repeated ones included, or more: each colon behind a quote counts, and a
 * string may have some. When an object repeats a name, that is more than the value has properties.
 */
export function countNames(text: string): number {
  let names = 0
  for (let colon = text.indexOf(":"); colon !== -1; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1
    while (isSpace(text.charCodeAt(before))) before--
    if (text.charCodeAt(before) === QUOTE) names++
  }
  return names
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Past the closing quote of a string that opens at `start`; the text's length when there is none. */
export function endOfQuoted(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--
    if ((end - escapes) % 2 === 0) return end + 1
  }
  return text.length
}

/**
 * How many properties the objects of a value have; `NaN` when arrays and objects nest deeper than so many levels.
 * @param value an array or object; other values have none
 */
export function countProperties(value: unknown, levels: number): number {
  if (typeof value !== "object" || value === null) return 0
  if (levels === 0) return Number.NaN
  let count = 0
  if (Array.isArray(value)) {
    for (const element of value)
      if (typeof element === "object") count += countProperties(element, levels - 1)
  } else {
    for (const name in value) {
      const member = (value as Record<string, unknown>)[name]
      count += typeof member === "object" ? 1 + countProperties(member, levels - 1) : 1
    }
  }
  return count
}
