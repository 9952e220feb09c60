/** The elements of a JSON array, cut out of its text. */
import { endOfQuoted } from "../json/survey.ts"

/** Where an element is, with the blanks around it: offsets in UTF-16 code units. */
interface Element {
  start: number
  end: number
}

/**
 * What stands between the brackets and commas of an array; whether that is JSON is for others to find out. Undefined for
 * a text without the brackets.
 */
export function elementsOf(text: string): Element[] | undefined {
  const [, before = ""] = /^(\s*\[)/.exec(text) ?? []
  const closing = text.trimEnd().length - 1
  if (before === "" || text[closing] !== "]" || closing < before.length) return undefined
  if (text.slice(before.length, closing).trim() === "") return []
  const elements: Element[] = []
  let start = before.length
  let depth = 0
  for (let at = start; at < closing; at++) {
    const char = text[at]
    if (char === '"') at = endOfQuoted(text, at) - 1
    else if (char === "[" || char === "{") depth++
    else if (char === "]" || char === "}") depth--
    else if (char === "," && depth === 0) {
      elements.push({ start, end: at })
      start = at + 1
    }
  }
  return [...elements, { start, end: closing }]
}
