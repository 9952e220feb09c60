/** Code 128 (ISO/IEC 15417) by sets B and C: all printable ASCII, pairs of digits at half the width. */

/** Bars and gaps of each symbol value, in modules; 103 to 105 are the starts, 106 is the stop with its last bar. */
const PATTERNS = (
  "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 " +
  "123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 " +
  "232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 " +
  "313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 " +
  "111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 " +
  "111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 " +
  "114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112"
).split(" ")

type CodeSet = "B" | "C"

const START = { B: 104, C: 105 }
/** The value that changes to a set from the other one. */
const CHANGE_TO = { B: 100, C: 99 }
const STOP = 106
const CHECK_MODULUS = 103

/** Modules that must stay blank before and after a symbol. */
export const QUIET_ZONE = 10

/**
 * The symbol of a text: widths in modules, a bar first, then gap and bar by turns, without the quiet zones.
 * No other coding by sets B and C is shorter.
 * @throws RangeError when the text is empty or has a character that is not printable ASCII
 */
export function encodeCode128(text: string): number[] {
  if (!/^[ -~]+$/.test(text))
    throw new RangeError(`Code 128 holds printable ASCII, at least one character: ${JSON.stringify(text)}`)
  const values = symbolValues(text)
  const check = values.reduce((sum, value, index) => sum + value * Math.max(index, 1), 0) % CHECK_MODULUS
  return [...values, check, STOP].flatMap((value) => Array.from(PATTERNS[value] ?? "", Number))
}

/** The start and the data of a text, by the fewest symbols. */
function symbolValues(text: string): number[] {
  const left = symbolsLeft(text)
  let set: CodeSet = left("C", 0) < left("B", 0) ? "C" : "B"
  const values = [START[set]]
  for (let at = 0; at < text.length; at += set === "B" ? 1 : 2) {
    const other = set === "B" ? "C" : "B"
    if (left(other, at) + 1 < left(set, at)) {
      set = other
      values.push(CHANGE_TO[set])
    }
    values.push(set === "B" ? text.charCodeAt(at) - " ".charCodeAt(0) : Number(text.slice(at, at + 2)))
  }
  return values
}

/** How many symbols the text from an offset takes when the next one is of a given set; reckoned from the end. */
function symbolsLeft(text: string): (set: CodeSet, at: number) => number {
  const fewest: Record<CodeSet, number[]> = { B: [], C: [] }
  const left = (set: CodeSet, at: number) => fewest[set][at] ?? 0
  for (let at = text.length - 1; at >= 0; at--) {
    fewest.B[at] = 1 + Math.min(left("B", at + 1), left("C", at + 1) + 1)
    const pair = /^\d\d$/.test(text.slice(at, at + 2))
    fewest.C[at] = pair ? 1 + Math.min(left("C", at + 2), left("B", at + 2) + 1) : Number.POSITIVE_INFINITY
  }
  return left
}
