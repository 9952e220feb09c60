/** Numbers judged by their decimal text, as they are written in a document: a double would round them first. */

const ZERO = 0x30
const POINT = 0x2e

/**
 * Whether a JSON number is a multiple of 10^−`places`: `1.10` and `1E2` are of two places, `1e-3` is not.
 * Takes any length and exponent in time linear in the text.
 */
export function isMultiple(text: string, places: number): boolean {
  const exponentAt = text.search(/e/i)
  const end = exponentAt === -1 ? text.length : exponentAt
  let last = end - 1
  while (last >= 0 && (text.charCodeAt(last) === ZERO || text.charCodeAt(last) === POINT)) last--
  if (last < 0 || text[last] === "-") return true
  const pointAt = text.indexOf(".")
  // The power of ten that the last digit other than 0 counts. An exponent too long for a double is an infinity.
  const power = (pointAt === -1 ? end : pointAt) - last - (pointAt !== -1 && last > pointAt ? 0 : 1)
  return power + Number(text.slice(end + 1)) >= -places
}

/** Whether a JSON number is whole: `30.0` and `3e1` are. */
export function isWhole(text: string): boolean {
  return isMultiple(text, 0)
}
