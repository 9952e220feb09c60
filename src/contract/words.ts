/**
 * Describes the validators' errors, with an entry for each keyword. A new keyword in the schemas without an entry
 * here does not compile.
 */
import type { Keyword } from "./generated/types.ts"
import { safeText } from "./safe-text.ts"
import { suggest } from "./suggest.ts"

interface Params {
  additionalProperties: { additionalProperty: string; known: string[] }
  unevaluatedProperties: { unevaluatedProperty: string; known: string[] }
  required: { missingProperty: string }
  type: { type: TypeName | TypeName[] }
  enum: { allowedValues: unknown[] }
  const: { allowedValue: unknown }
  minimum: Limit
  maximum: Limit
  exclusiveMinimum: Limit
  minLength: Limit
  maxLength: Limit
  minItems: Limit
  minProperties: Limit
  maxProperties: Limit
  pattern: { pattern: string }
  not: object
}

interface Limit {
  limit: number
}

/** `if` only repeats that its branch failed. */
type DescribedKeyword = Exclude<Keyword, "if">

interface SchemaErrorOf<K extends Keyword> {
  keyword: K
  instancePath: string
  params: K extends DescribedKeyword ? Params[K] : object
  message?: string | null
}

export type SchemaError = { [K in Keyword]: SchemaErrorOf<K> }[Keyword]
export type DescribedError = { [K in DescribedKeyword]: SchemaErrorOf<K> }[DescribedKeyword]

type TypeName = keyof typeof TYPES

interface Place {
  /** Path for people; empty for the whole document. */
  path: string
  value: unknown
}

interface Description {
  message: string
  hint?: string | undefined
  property?: string
}

const TYPES = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
} as const

const WORDS: { [K in DescribedKeyword]: (error: SchemaErrorOf<K>, place: Place) => Description } = {
  additionalProperties: ({ params }, place) => unknownField(params.additionalProperty, params.known, place),
  unevaluatedProperties: ({ params }, place) => unknownField(params.unevaluatedProperty, params.known, place),
  required: ({ params, message }, { path }) => ({
    property: params.missingProperty,
    message: `${fieldPath(path, params.missingProperty)} is missing${message ? `: ${message}` : ""}`,
  }),
  type: ({ params }, place) => {
    const wanted = [params.type].flat()
    const message = `${named(place)} must be ${wanted.map((type) => TYPES[type]).join(" or ")}, not ${shown(place.value)}`
    return { message, hint: retyped(wanted, place) }
  },
  enum: ({ params }, place) => ({
    message: `${named(place)} must be one of ${params.allowedValues.join(", ")}, not ${shown(place.value)}`,
    hint: didYouMean(place.value, params.allowedValues.map(String)),
  }),
  const: ({ params }, place) => ({
    message: `${named(place)} must be ${shown(params.allowedValue)}, not ${shown(place.value)}`,
  }),
  minimum: ({ params }, place) => ({
    message: `${named(place)} must be at least ${params.limit}, not ${shown(place.value)}`,
  }),
  maximum: ({ params }, place) => ({
    message: `${named(place)} must be at most ${params.limit}, not ${shown(place.value)}`,
  }),
  exclusiveMinimum: ({ params }, place) => ({
    message: `${named(place)} must be more than ${params.limit}, not ${shown(place.value)}`,
  }),
  minLength: ({ params }, place) => tooSmall(params.limit, "characters", place),
  maxLength: ({ params }, place) => ({
    message: `${named(place)} must have at most ${params.limit} characters, and has ${[...String(place.value)].length}`,
  }),
  minItems: ({ params }, place) => tooSmall(params.limit, "entries", place),
  minProperties: ({ params, message }, place) =>
    message ? { message: `${named(place)} ${message}` } : tooSmall(params.limit, "fields", place),
  maxProperties: ({ params, message }, place) => ({
    message: `${named(place)} ${message ?? `must have at most ${params.limit} fields`}`,
  }),
  pattern: ({ params, message }, place) => ({
    message: `${named(place)} ${message ?? `must match ${params.pattern}`}, not ${shown(place.value)}`,
    hint: rewritten(params.pattern, place),
  }),
  not: ({ message }, place) => ({
    message: `${named(place)} is not allowed${message ? `: ${message}` : ""}`,
  }),
}

export function describeError<K extends DescribedKeyword>(
  error: SchemaErrorOf<K>,
  place: Place,
): Description {
  return WORDS[error.keyword](error, place)
}

/** `receiver` and `postcode` make `receiver.postcode`; other names are quoted in brackets. */
export function fieldPath(parent: string, name: string): string {
  if (!/^[$\w]+$/.test(name)) return `${parent}["${safeText(name, LONGEST)}"]`
  return parent === "" ? name : `${parent}.${name}`
}

/** Characters of a value that a message quotes. */
const LONGEST = 40

function named({ path }: Place): string {
  return path || "the top level"
}

/** A value as messages quote it: short and safe for a terminal. */
function shown(value: unknown): string {
  if (typeof value === "string") return `"${safeText(value, LONGEST)}"`
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

function tooSmall(limit: number, what: string, place: Place): Description {
  return { message: `${named(place)} ${limit === 1 ? "is empty" : `must have at least ${limit} ${what}`}` }
}

function unknownField(name: string, known: string[], { path, value }: Place): Description {
  const free = known.filter((field) => !Object.hasOwn(Object(value), field))
  return {
    property: name,
    message: `unknown field '${fieldPath(path, name)}'`,
    hint:
      didYouMean(name, free) ?? (known.length <= 12 ? `the fields here are ${known.join(", ")}` : undefined),
  }
}

function didYouMean(value: unknown, candidates: readonly string[]): string | undefined {
  const close = typeof value === "string" ? suggest(value, candidates) : undefined
  return close && `did you mean '${close}'?`
}

/** Four-digit fields that lose a leading 0 when they become numbers. */
const FOUR_DIGITS = /(?:^|\.)(?:postcode|unNumber|collectionCloseTime)$/

/** How to write a value of the wrong type, if its meaning is plain. */
function retyped(wanted: readonly TypeName[], { path, value }: Place): string | undefined {
  if (value === null) return path === "" ? undefined : "leave the field out if it has no value"
  if (wanted.includes("string") && typeof value === "number")
    return `write it in quotes: "${String(value).padStart(FOUR_DIGITS.test(path) ? 4 : 0, "0")}"`
  if (wanted.includes("array") && typeof value === "object")
    return "put it in [ ], even when there is only one"
  if (typeof value !== "string") return undefined
  if (wanted.includes("boolean")) {
    const answer = /^(?:(true|yes|y)|false|no|n)$/i.exec(value.trim())
    return answer ? `write ${answer[1] !== undefined} without quotes` : undefined
  }
  const digits = /^\s*(-?\d{1,15}(?:\.\d{1,15})?)\s*(?:kg|cm)?\s*$/i.exec(value)?.[1]
  if (digits === undefined) return undefined
  if (wanted.includes("number") || (wanted.includes("integer") && Number.isInteger(Number(digits))))
    return `write ${Number(digits)} without quotes`
  return undefined
}

type Repair = readonly [found: RegExp, becomes: string]

/** Usual forms and their corrections. */
const REPAIRS: readonly Repair[] = [
  [/^UN ?/i, ""],
  [/^class ?/i, ""],
  [/^(\d\d)[/.-](\d\d)[/.-](\d{4})/, "$3-$2-$1"],
  [/^http:/, "https:"],
]

const TIMES = /(?:time|cutoff|eta)$/i
const TIME_REPAIRS: readonly Repair[] = [
  [/^(.{10}) /, "$1T"],
  [/^(\d):/, "0$1:"],
  [/:/g, ""],
  [/$/, ":00"],
  [/^(?=\d{3}$)/, "0"],
  [/^(\d\d)(\d\d)$/, "$1:$2"],
]
/** Zeros that a spreadsheet removed. */
const NUMBER_REPAIRS: readonly Repair[] = [
  [/^(?=\d{3}$)/, "0"],
  [/^(?=\d{2}$)/, "00"],
  [/^(?=\d$)/, "000"],
]

/** The first correction, or pair of corrections, that makes the text valid. */
function rewritten(pattern: string, { path, value }: Place): string | undefined {
  if (typeof value !== "string" || value.length > LONGEST) return undefined
  const right = new RegExp(pattern, "u")
  const own = TIMES.test(path) ? TIME_REPAIRS : FOUR_DIGITS.test(path) ? NUMBER_REPAIRS : []
  const repairs = [...own, ...REPAIRS]
  const once = repairs.map(([found, becomes]) => value.trim().replace(found, becomes))
  const twice = once.flatMap((text) => repairs.map(([found, becomes]) => text.replace(found, becomes)))
  const good = [value.trim(), ...once, ...twice].find((text) => right.test(text))
  return good === undefined ? undefined : `write "${good}"`
}
