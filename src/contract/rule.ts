/** What a contract rule reports: the shape of a schema problem, so that both stand in one list. */
import type { Problem } from "./check.ts"
import { fieldPath } from "./words.ts"

/** `code` is the contract's own error code, where it names one. */
export type RuleProblem = Problem & { code?: string }

/** An error breaks the contract and must not be sent; a warning is for the user to judge. */
export interface Findings {
  errors: RuleProblem[]
  warnings: RuleProblem[]
}

/** Field names and list positions, from the root of the request. */
export type Path = readonly (string | number)[]

type Advice = Pick<RuleProblem, "hint" | "code">

/**
 * A problem with the value at `path`.
 * @param rule stands where a schema problem has its keyword
 * @param says goes after the field's path to make the message: `is 17:30, after…`
 */
export function problemAt(path: Path, rule: string, says: string, advice: Advice = {}): RuleProblem {
  const shown = path.reduce<string>(
    (parent, key) => (typeof key === "number" ? `${parent}[${key}]` : fieldPath(parent, key)),
    "",
  )
  return { pointer: pointerOf(path), path: shown, keyword: rule, message: `${shown} ${says}`, ...advice }
}

/** A problem with the field at `path` not being there: the pointer is that of the object that lacks it. */
export function missingAt(path: Path, rule: string, says: string, advice: Advice = {}): RuleProblem {
  const pointer = pointerOf(path.slice(0, -1))
  return { ...problemAt(path, rule, says, advice), pointer, property: String(path.at(-1)) }
}

/** No name in the contracts holds a character that a pointer must escape. */
function pointerOf(path: Path): string {
  return path.map((key) => `/${key}`).join("")
}
