/** Validates values against the contract and describes the errors for a clerk. */
import { type DescribedError, describeError, fieldPath, type SchemaError } from "./words.ts"

/** A generated validator; `errors` is set after it returns false. */
export interface Validator<T = unknown> {
  (value: unknown): value is T
  errors?: readonly SchemaError[] | null
}

export interface Finding {
  /** JSON pointer of the value; of the object if a field is missing or unknown. */
  pointer: string
  /** For people, including the missing or unknown field: `packages[0].lengthCm`. */
  path: string
  property?: string
  /** The JSON Schema keyword or contract rule that is broken. */
  keyword: string
  message: string
  /** How to fix it, when that is plain. */
  hint?: string
}

/** All findings, or the first thousand or so, each once, in document order; empty for a valid value. */
export function findErrors(validate: Validator, value: unknown): Finding[] {
  if (validate(value)) return []
  const errors = withoutEchoes(validate.errors ?? [])
  const position = positions()
  return errors
    .map((error) => placeError(error, value, position))
    .sort((one, other) => inOrder(one.rank, other.rank))
    .map(({ finding }) => finding)
}

/**
 * Drops errors that repeat others: a condition's wrapper, consequences of a wrong type or a misspelt choice, errors
 * inside forbidden fields, and duplicates.
 */
function withoutEchoes(errors: readonly SchemaError[]): DescribedError[] {
  const mistyped = listPlaces("type", errors)
  const misspelt = listPlaces("additionalProperties", errors)
  const forbidden = listPlaces("not", errors)
  const distinct = new Map<string, DescribedError>()
  for (const error of errors) {
    const { keyword, instancePath, params } = error
    if (keyword === "if") continue
    if (keyword !== "not" && [...forbidden].some((place) => `${instancePath}/`.startsWith(`${place}/`)))
      continue
    if (keyword !== "type" && keyword !== "not" && mistyped.has(instancePath)) continue
    if (keyword === "maxProperties" && misspelt.has(instancePath)) continue
    distinct.set(JSON.stringify([instancePath, keyword, params]), error)
  }
  return [...distinct.values()]
}

function listPlaces(keyword: SchemaError["keyword"], errors: readonly SchemaError[]): Set<string> {
  return new Set(errors.filter((error) => error.keyword === keyword).map((error) => error.instancePath))
}

interface Placed {
  finding: Finding
  /** Position in each object or list on the way down, for sorting. */
  rank: number[]
}

function placeError(error: DescribedError, root: unknown, position: Position): Placed {
  let value = root
  let path = ""
  const rank: number[] = []
  for (const token of error.instancePath.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~")
    path = Array.isArray(value) ? `${path}[${name}]` : fieldPath(path, name)
    rank.push(position(value, name))
    value = Object(value)[name]
  }
  const { property, message, hint } = describeError(error, { path, value })
  if (property !== undefined) {
    path = fieldPath(path, property)
    if (Object.hasOwn(Object(value), property)) rank.push(position(value, property))
  }
  return {
    rank,
    finding: {
      pointer: error.instancePath,
      path,
      ...(property !== undefined && { property }),
      keyword: error.keyword,
      message,
      ...(hint !== undefined && { hint }),
    },
  }
}

type Position = (parent: unknown, name: string) => number

/** Finds the position of a name in a list or object; an object's names are indexed once. */
function positions(): Position {
  const counted = new Map<unknown, Map<string, number>>()
  return (parent, name) => {
    if (Array.isArray(parent)) return Number(name)
    const order =
      counted.get(parent) ?? new Map(Object.keys(Object(parent)).map((key, index) => [key, index]))
    counted.set(parent, order)
    return order.get(name) ?? -1
  }
}

/** Document order; a value comes before what it contains. */
function inOrder(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((position, depth) => position !== other[depth])
  if (differs === -1) return one.length - other.length
  return (one[differs] ?? 0) - (other[differs] ?? -1)
}

/** `code` is the contract's own error code, where it names one. */
export type RuleFinding = Finding & { code?: string }

/** A problem in a line: what is wrong with which field, and the fix. */
export function inWords({ message, hint }: Pick<Finding, "message" | "hint">): string {
  return hint ? `${message}: ${hint}` : message
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
