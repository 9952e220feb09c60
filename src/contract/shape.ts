/**
 * Reads replies row by row. The contract does not say that its sets of values are closed, nor which fields later
 * versions add: null is absent, an unknown value is kept, a field of another type is left out, and a row of a list
 * without its needed fields is set aside. The schemas declare both: `x-needed` for fields without which an object means
 * nothing, and `x-else` for the default of an absent field.
 */
import { getOwn, isObject, type Json } from "../base/json.ts"

/** How a value is read. */
export type Shape = { readonly isNullable?: true } & (
  | { readonly is: "text"; readonly choices?: readonly string[] }
  | { readonly is: "number" | "integer" | "boolean" }
  | { readonly is: "list"; readonly of: Shape }
  | ObjectShape
)

/** The shape of an object with a type of its own. */
export type ReplyShape<T> = Shape & { readonly type?: T }

interface ObjectShape {
  readonly is: "object"
  readonly fields: Readonly<Record<string, Shape>>
  /** The fields that the contract always requires. */
  readonly required: readonly string[]
  /** Without one of these, the object cannot be read. */
  readonly needed: readonly string[]
  /** The default of an absent field: a value, or another field's value. */
  readonly otherwise: Readonly<Record<string, { readonly from: string } | { readonly value: Json }>>
}

/** A difference between a reply and the contract. */
export interface Deviation {
  /** `shipments[3].status`; empty for the reply itself. */
  path: string
  is: "missing" | "null" | "mistyped" | "unlisted" | "additional"
  /** As in `shipments[3].status is a number, not text`. */
  text: string
  /** The value that was found: `a number`. */
  found?: string
  /** A value that the contract's list does not have. */
  value?: string
}

/** A row of a list that was set aside. */
export interface UnreadRow {
  /** `shipments[3]` */
  path: string
  /** `shipments[3].id is missing` */
  why: string
  /** Number of rows in the list. */
  of: number
  row: unknown
}

/** A reply as far as it could be read. */
export interface ReadReply {
  /** Changed in place; undefined if it cannot be read at all. */
  value: unknown
  /** Why it cannot be read. */
  why?: string
  unread: UnreadRow[]
  deviations: Deviation[]
}

/** Upper limit of amounts, weights and lengths; in cents, a double still has each of its digits. */
const MOST = 1e13
const MAX_DEVIATIONS = 1_000
/** A list with more unreadable rows is not such a list. */
const MAX_UNREAD = 1_000

/** @param value a reply's JSON, which is changed in place */
export function readShape(shape: Shape, value: unknown): ReadReply {
  const unread: UnreadRow[] = []
  const deviations: Deviation[] = []

  /** Undefined if it cannot be read; `deviations` then has the reason at `path` or below. */
  const read = (part: Shape, given: Json, path: string): Json | undefined => {
    switch (part.is) {
      case "object":
        return isObject(given) ? readObject(part, given, path) : refuse(part, given, path)
      case "list":
        return Array.isArray(given) ? readList(part.of, given, path) : refuse(part, given, path)
      case "text":
        if (typeof given !== "string") return refuse(part, given, path)
        if (part.choices && !part.choices.includes(given))
          deviations.push({
            path,
            is: "unlisted",
            text: `${path} has a value that is not known`,
            found: "text",
            value: given,
          })
        return given
      case "boolean":
        return typeof given === "boolean" ? given : refuse(part, given, path)
      case "integer":
        return Number.isSafeInteger(given) ? given : refuse(part, given, path)
      case "number":
        return typeof given === "number" && Math.abs(given) <= MOST ? given : refuse(part, given, path)
    }
  }

  const refuse = ({ is }: Shape, given: Json, path: string): undefined => {
    const text = `${path || "it"} is ${describeType(given)}, not ${NAMES[is]}`
    deviations.push({ path, is: given === null ? "null" : "mistyped", text, found: describeType(given) })
  }

  const noteAdditional = (path: string, value: Json | undefined) => {
    const found = describeType(value ?? null)
    deviations.push({ path, is: "additional", text: `${path} is not in the contract`, found })
  }

  const readObject = (part: ObjectShape, given: Record<string, Json>, path: string): Json | undefined => {
    const { fields, required, needed, otherwise } = part
    let [present, readable] = [0, 0]
    for (const [name, field] of Object.entries(fields)) {
      const at = path === "" ? name : `${path}.${name}`
      const before = getOwn(given, name)
      if (before === undefined) {
        if (required.includes(name)) deviations.push({ path: at, is: "missing", text: `${at} is missing` })
        continue
      }
      present++
      const value =
        before === null ? (field.isNullable ? null : refuse(field, null, at)) : read(field, before, at)
      if (value === undefined) delete given[name]
      else readable++
    }
    // An object of another kind has no readable field.
    if (present > 1 && readable === 0) return undefined
    for (const name of Object.keys(given))
      if (!Object.hasOwn(fields, name)) noteAdditional(path === "" ? name : `${path}.${name}`, given[name])
    for (const [name, other] of Object.entries(otherwise))
      if (getOwn(given, name) === undefined)
        given[name] = structuredClone("from" in other ? (getOwn(given, other.from) ?? "") : other.value)
    const lacking = needed.find((name) => (getOwn(given, name) ?? "") === "")
    if (lacking === undefined) return given
    const at = path === "" ? lacking : `${path}.${lacking}`
    if (getOwn(given, lacking) === "") deviations.push({ path: at, is: "missing", text: `${at} is empty` })
    return undefined
  }

  const readList = (part: Shape, given: Json[], path: string): Json | undefined => {
    const first = unread.length
    const of = given.length
    let kept = 0
    for (const [n, row] of given.entries()) {
      const at = `${path}[${n}]`
      const before = deviations.length
      const value = read(part, row, at)
      if (value !== undefined) given[kept++] = value
      else unread.push({ path: at, why: findCause(deviations.slice(before), at, part), of, row })
      if (unread.length - first > MAX_UNREAD) {
        const [{ why } = { why: "" }] = unread.splice(first)
        deviations.push({ path, is: "mistyped", text: why })
        return undefined
      }
      // The first deviations are enough.
      if (before >= MAX_DEVIATIONS) deviations.length = before
    }
    given.length = kept
    return given
  }

  const readValue = value === undefined ? undefined : read(shape, value as Json, "")
  return {
    value: readValue,
    ...(readValue === undefined && { why: findCause(deviations, "", shape) }),
    unread,
    deviations,
  }
}

/** The deviation that makes a value unreadable: its own, or that of a field that it needs. */
function findCause(deviations: readonly Deviation[], path: string, shape: Shape): string {
  const needed =
    shape.is === "object" ? shape.needed.map((name) => (path === "" ? name : `${path}.${name}`)) : []
  const cause = deviations.find((each) => each.path === path || needed.includes(each.path))
  return cause?.text ?? `${path || "it"} cannot be read`
}

const NAMES = {
  object: "an object",
  list: "a list",
  text: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
} as const satisfies Record<Shape["is"], string>

function describeType(value: Json): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "string") return "text"
  if (typeof value === "number") return Math.abs(value) <= MOST ? "a number" : "a number that is too large"
  return typeof value === "boolean" ? String(value) : "an object"
}
