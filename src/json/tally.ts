/** What can be counted about a JSON text at a fraction of the cost of reading it with positions. */
import { BACKSLASH, QUOTE } from "./tokens.ts"

/**
 * How deep the brackets of a text nest, and how many names its objects have, repeated ones included.
 * Exact for JSON; for anything else the numbers mean nothing.
 */
export function tally(text: string): { deepest: number; members: number } {
  let depth = 0
  let deepest = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfQuoted(text, at)
    else if (code === 0x3a) members++
    else if ((code | 0x20) === 0x7b) deepest = Math.max(deepest, ++depth)
    else if ((code | 0x20) === 0x7d) depth--
  }
  return { deepest, members }
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
