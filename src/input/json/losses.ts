/**
 * Values that `JSON.parse` changes silently: digits beyond a double's, exponents beyond its range, and all but the last
 * of a repeated name. A quick look tells whether the text may have lost anything. It may report a loss that is none,
 * and the text is then examined completely, but it never misses one.
 */

/** The text of numbers, by the array or object that they are in and their index or name. */
export type WrittenNumbers = ReadonlyMap<object, ReadonlyMap<string, string>>

/** Digits that a double holds exactly. */
const EXACT_DIGITS = 15

/** Whether a number can be judged by its value as well as by its text. */
export function isPlainNumber(source: string): boolean {
  return !/e/i.test(source) && source.replace(/[-.]/g, "").length <= EXACT_DIGITS
}

/**
 * How a number is written; undefined if its value says it.
 * @param numbers undefined when the document has none but plain ones
 */
export function findWrittenNumber(
  numbers: WrittenNumbers | undefined,
  holder: unknown,
  name: string | number,
): string | undefined {
  return numbers?.get(holder as object)?.get(String(name))
}

/** More characters of digits and points in a row than a double holds digits. */
const LONG_NUMBER = "[\\d.]".repeat(EXACT_DIGITS + 1)
/** Digits, an E and digits before the end of a value. */
const EXPONENT = /\d[eE][-+]?\d+(?:[\s,\]}]|$)/

const HAS_LONG_NUMBER = new RegExp(LONG_NUMBER)
/** Outside of strings, a number follows a blank, a colon, a comma or a bracket. In strings, codes are in quotes. */
const LONG_VALUE = new RegExp(`(?:^|[\\s:,[])-?${LONG_NUMBER}`)

/** Whether a number may have an exponent, or more digits than a double holds. */
export function mayHaveInexactNumbers(text: string): boolean {
  return EXPONENT.test(text) || (HAS_LONG_NUMBER.test(text) && LONG_VALUE.test(text))
}

const QUOTE = 0x22

/**
 * How many names the objects of a text have, or more: each colon behind a quote counts, also in a string. When an
 * object repeats a name, that is more than the value has properties.
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

/**
 * How many properties the objects of a value have.
 * @param value an array or object; other values have none
 */
export function countProperties(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === "object") count += countProperties(element)
  } else {
    for (const name in value) {
      const member = (value as Record<string, unknown>)[name]
      count += typeof member === "object" ? 1 + countProperties(member) : 1
    }
  }
  return count
}
