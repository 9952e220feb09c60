/** The request schemas in tests: a good example with one field changed, and the problems that are seen then. */
import { findErrors, type Validator } from "../../src/contract/check.ts"
import * as requests from "../../src/contract/generated/requests.js"
import { changed, REQUEST_EXAMPLES } from "./schemas-examples.ts"

export type Name = keyof typeof requests
export type Path = readonly (string | number)[]

export const validators: Record<Name, Validator> = requests

/** The problems of a good request whose value at `path` is `field`; `undefined` leaves it out. */
export function problems(name: Name, path: Path, field: unknown) {
  return findErrors(validators[name], changed(REQUEST_EXAMPLES[name], path, field))
}

/** A path as messages write it: `packages[0].count`. */
export const pathOf = (path: Path) =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1)

/** A path as a JSON pointer: `/packages/0/count`. */
export const pointerOf = (path: Path) => path.map((key) => `/${key}`).join("")

/** One broken rule: where it is, what it is called, and what is said of it. */
export type Broken = [Name, Path, unknown, keyword: string, message: string, hint?: string]

/** A broken rule by name, as a row of a table of tests. */
export const named = ([name, path, field, keyword, message, hint]: Broken) => ({
  name,
  path,
  field,
  keyword,
  message,
  hint,
})
