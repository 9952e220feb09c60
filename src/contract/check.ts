/** Validates values against the contract and explains the errors for a clerk. */
import { quoted } from "../base/parsed.ts"
import { type ErrorInContext, explainError, type DocumentKind } from "./explain/explain.ts"
import { fieldPath, type Finding } from "./findings.ts"
import { listErrors, type PlacedError, type Validator } from "./schema-errors.ts"
import { suggest } from "../base/suggest.ts"

/** All findings, or the first thousand or so, each once, in document order; empty for a valid value. */
export function findErrors(validate: Validator, value: unknown): Finding[] {
  if (validate(value)) return []
  const position = positions()
  return listErrors(validate.errors ?? [])
    .map((error) => placeError(error, value, position))
    .sort((one, other) => comparePositions(one.rank, other.rank))
    .map(({ finding }) => finding)
}

/** Bodies of requests and replies leave out fields without a value. */
const BODY: DocumentKind = {
  adviseAbsent: ({ value, pointer }) =>
    value === null && pointer !== "" ? { hint: "leave the field out when it has no value" } : undefined,
  findMeantChoice(word, choices) {
    const choice = suggest(word, choices)
    return choice === undefined ? undefined : { choice, safety: "suggestion" }
  },
}

interface Placed {
  finding: Finding
  /** Position in each object or list on the way down, for sorting. */
  rank: number[]
}

function placeError(error: PlacedError, root: unknown, position: Position): Placed {
  let value = root
  let path = ""
  const rank: number[] = []
  for (const token of error.instancePath.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~")
    path = Array.isArray(value) ? `${path}[${name}]` : fieldPath(path, name)
    rank.push(position(value, name))
    value = Object(value)[name]
  }
  const { keyword, instancePath: pointer, params, property } = error
  const place: ErrorInContext["place"] = {
    say: (says) => `${path || "the top level"} ${says}`,
    sayMissing: (name) => `${fieldPath(path, name)} is missing`,
    sayUnknown: (name) => `unknown field ${quoted(fieldPath(path, name))}`,
  }
  const source = () => String(value)
  const words = error.message ?? undefined
  const context = {
    keyword,
    params,
    words,
    pointer,
    property: property ?? "",
    value,
    source,
    place,
    kind: BODY,
  }
  const { message, hint } = explainError(context)
  if (property !== undefined && Object.hasOwn(Object(value), property)) rank.push(position(value, property))
  return {
    rank,
    finding: {
      pointer,
      path: property === undefined ? path : fieldPath(path, property),
      ...(property !== undefined && { property }),
      keyword,
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

/** Document order; a value comes before its parts. */
function comparePositions(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((position, depth) => position !== other[depth])
  if (differs === -1) return one.length - other.length
  return (one[differs] ?? 0) - (other[differs] ?? -1)
}
