/** What a contract rule reports, in the same shape as a schema error. */
import type { Finding } from "./check.ts"
import { fieldPath } from "./words.ts"

/** `code` is the contract's own error code, where it names one. */
export type RuleFinding = Finding & { code?: string }

/** Errors break the contract; warnings are for the user to judge. */
export interface Findings {
  errors: RuleFinding[]
  warnings: RuleFinding[]
}

/** Field names and list positions, from the root of the request. */
export type Path = readonly (string | number)[]

type Advice = Pick<RuleFinding, "hint" | "code">

/**
 * A finding with the value at `path`.
 * @param rule stands where a schema finding has its keyword
 * @param says goes after the field's path to make the message: `is 17:30, after…`
 */
export function findingAt(path: Path, rule: string, says: string, advice: Advice = {}): RuleFinding {
  const shown = path.reduce<string>(
    (parent, key) => (typeof key === "number" ? `${parent}[${key}]` : fieldPath(parent, key)),
    "",
  )
  return { pointer: pointerOf(path), path: shown, keyword: rule, message: `${shown} ${says}`, ...advice }
}

/** A missing field at `path`: the pointer is its object's. */
export function missingFieldAt(path: Path, rule: string, says: string, advice: Advice = {}): RuleFinding {
  const pointer = pointerOf(path.slice(0, -1))
  return { ...findingAt(path, rule, says, advice), pointer, property: String(path.at(-1)) }
}

// Contract names need no escaping in a pointer.
function pointerOf(path: Path): string {
  return path.map((key) => `/${key}`).join("")
}
