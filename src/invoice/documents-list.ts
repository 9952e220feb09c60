/** The elements of a JSON array, cut out of its text. */
import { surveyText } from "../json/survey.ts"

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
  const [, before = "", inner] = /^(\s*\[)(.*)\]\s*$/s.exec(text) ?? []
  if (inner === undefined) return undefined
  if (inner.trim() === "") return []
  const end = before.length + inner.length
  const cuts = [before.length - 1, ...surveyText(text).commas, end]
  return cuts.slice(1).map((cut, index) => ({ start: (cuts[index] ?? 0) + 1, end: cut }))
}
