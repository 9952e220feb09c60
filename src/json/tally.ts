/** What can be counted about a JSON text at a fraction of the cost of reading it with positions. */
import { BACKSLASH, QUOTE } from "./tokens.ts"

interface Tally {
  /** How deep brackets nest. */
  deepest: number
  /** How many names the objects have, repeated ones included. */
  members: number
  /**
   * Whether no number has an exponent or more than fifteen digits: then each is just what `String` makes of its value,
   * apart from noughts that may be left out.
   */
  plainNumbers: boolean
}

/** A double gives back so many digits as they were read. */
const EXACT_DIGITS = 15

/** Exact for JSON; for anything else the numbers mean nothing. */
export function tally(text: string): Tally {
  let depth = 0
  let deepest = 0
  let members = 0
  let digits = 0
  let plainNumbers = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) {
      if (++digits > EXACT_DIGITS) plainNumbers = false
      continue
    }
    if (code === 0x2e) continue
    if (digits > 0 && (code | 0x20) === 0x65) plainNumbers = false
    digits = 0
    if (code === QUOTE) at = endOfQuoted(text, at)
    else if (code === 0x3a) members++
    else if ((code | 0x20) === 0x7b) deepest = Math.max(deepest, ++depth)
    else if ((code | 0x20) === 0x7d) depth--
  }
  return { deepest, members, plainNumbers }
}

/** How many properties the objects of a value have: fewer than the text has names when a name is repeated. */
export function propertiesIn(value: unknown): number {
  let count = 0
  const todo = [value]
  const look = (child: unknown) => {
    if (typeof child === "object" && child !== null) todo.push(child)
  }
  while (todo.length > 0) {
    const container = todo.pop()
    if (Array.isArray(container)) for (const element of container) look(element)
    else {
      const object = container as Record<string, unknown>
      for (const name in object) {
        count++
        look(object[name])
      }
    }
  }
  return count
}

/** The closing quote of a string that opens at `at`; the text's length when there is none. */
function endOfQuoted(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--
    if ((end - escapes) % 2 === 0) return end
  }
  return text.length
}
