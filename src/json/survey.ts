/** One look at a JSON text, to see whether `JSON.parse` keeps all that it says. */
import { EXACT_DIGITS } from "./written-numbers.ts"

const QUOTE = 0x22
const BACKSLASH = 0x5c

export interface Survey {
  /** How deep arrays and objects nest. */
  depth: number
  /** How many names the objects have, repeated ones included. */
  names: number
  /** Where the commas of the outermost array or object are. */
  commas: number[]
  /**
   * Whether each number has at most fifteen digits, which a double holds exactly, and no exponent: such a number is
   * judged the same by its value as by its text.
   */
  hasPlainNumbers: boolean
}

/**
 * `JSON.parse` loses three things without a word: digits beyond a double's, exponents beyond its range, and all but
 * the last of a repeated name. Outside of strings a digit belongs to a number, a colon to a name, and an E after a
 * digit to an exponent; a repeated name shows when the value has fewer properties than the text has names.
 * Exact for JSON; for other text the result means nothing.
 */
export function surveyText(text: string): Survey {
  let depth = 0
  let deepest = 0
  let names = 0
  const commas: number[] = []
  let digits = 0
  let hasPlainNumbers = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) {
      if (++digits > EXACT_DIGITS) hasPlainNumbers = false
      continue
    }
    if (code === 0x2e) continue
    if (digits > 0 && (code | 0x20) === 0x65) hasPlainNumbers = false
    digits = 0
    if (code === QUOTE) at = endOfQuoted(text, at) - 1
    else if (code === 0x3a) names++
    else if (code === 0x2c) {
      if (depth === 1) commas.push(at)
    }
    // In ASCII { and [ differ in one bit, and so do } and ].
    else if ((code | 0x20) === 0x7b) deepest = Math.max(deepest, ++depth)
    else if ((code | 0x20) === 0x7d) depth--
  }
  return { depth: deepest, names, commas, hasPlainNumbers }
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

/** How many properties the objects of a value have. */
export function countProperties(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0
  let count = 0
  const todo: object[] = [value]
  for (let container = todo.pop(); container; container = todo.pop()) {
    if (Array.isArray(container)) {
      for (const element of container) if (typeof element === "object" && element !== null) todo.push(element)
    } else {
      for (const name in container) {
        count++
        const member = (container as Record<string, unknown>)[name]
        if (typeof member === "object" && member !== null) todo.push(member)
      }
    }
  }
  return count
}
