import type { Place } from "./place.ts"

/** Something wrong with a text as JSON, whatever it is meant to hold. */
export interface JsonProblem extends Place {
  rule: "json/syntax" | "json/duplicate-key"
  message: string
  /** What to do about it. */
  hint?: string
  /** The object that repeats a name; for syntax the whole document. */
  pointer: string
  /** The repeated name. */
  property?: string
}

/** What keeps a text from being JSON. */
export function syntaxProblem(place: Place, message: string, hint?: string): JsonProblem {
  return { rule: "json/syntax", message, ...(hint && { hint }), ...place, pointer: "" }
}
