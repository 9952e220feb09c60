/** Findings about a request or a reply: errors of the schema, and of rules that no schema can state. */
import { withHint } from "../base/parsed.ts"
import { safeText } from "../base/safe-text.ts"

export interface Finding {
  /** JSON pointer of the value; of its object if a field is missing or unknown. */
  pointer: string
  /** For people, including the missing or unknown field: `packages[0].lengthCm`. */
  path: string
  property?: string
  /** The JSON Schema keyword or contract rule that was violated. */
  keyword: string
  message: string
  /** The fix, if one is obvious. */
  hint?: string
}

/** `code` is the contract's own error code, if there is one. */
export type RuleFinding = Finding & { code?: string }

export function inWords({ message, hint }: Pick<Finding, "message" | "hint">): string {
  return withHint(message, hint)
}

/** Errors break the contract; warnings are for the user to judge. */
export interface Findings {
  errors: RuleFinding[]
  warnings: RuleFinding[]
}

/** Field names and list positions, from the root of the request. */
export type Path = readonly (string | number)[]

type Advice = Pick<RuleFinding, "hint" | "code">

/**
 * A finding about the value at `path`.
 * @param rule takes the place of a schema's keyword
 * @param says follows the field's path in the message: `is 17:30, after…`
 */
export function findingAt(path: Path, rule: string, says: string, advice: Advice = {}): RuleFinding {
  const shown = path.reduce<string>(
    (parent, key) => (typeof key === "number" ? `${parent}[${key}]` : fieldPath(parent, key)),
    "",
  )
  return { pointer: toPointer(path), path: shown, keyword: rule, message: `${shown} ${says}`, ...advice }
}

/** A missing field at `path`: the pointer is its object's. */
export function missingFieldAt(path: Path, rule: string, says: string, advice: Advice = {}): RuleFinding {
  const pointer = toPointer(path.slice(0, -1))
  return { ...findingAt(path, rule, says, advice), pointer, property: String(path.at(-1)) }
}

// Contract names need no escaping in a pointer.
function toPointer(path: Path): string {
  return path.map((key) => `/${key}`).join("")
}

const MAX_NAME_LENGTH = 40

/** `receiver` and `postcode` make `receiver.postcode`; other names are quoted in brackets. */
export function fieldPath(parent: string, name: string): string {
  if (!/^[$\w]+$/.test(name)) return `${parent}["${safeText(name, MAX_NAME_LENGTH)}"]`
  return parent === "" ? name : `${parent}.${name}`
}
