/** What is said of each breach of the contract: the place, what is there, what is expected, and the fix if it is plain. */
import { suggest } from "../contract/suggest.ts"
import { decimalOf, unitsAt } from "../contract/decimal.ts"
import { safeText } from "../contract/safe-text.ts"
import { pointerOf, segmentsOf } from "../json/pointer.ts"
import { FORMATS } from "./formats.ts"
import { fieldInWords, placeInWords } from "./place.ts"
import { fieldOf, placesOf, type SchemaNode, schemaAt } from "./schema.ts"
import { COMMON_UNITS, unitFor } from "./units.ts"

/** A breach with what can be known about it. */
export interface Breach {
  keyword: string
  pointer: string
  /** The field that is missing or unknown. */
  property?: string
  /** What the contract asks of the value. */
  schema: SchemaNode
  value: unknown
  /** The value as it is written. */
  source(): string
}

export interface Said {
  /** One sentence that begins with the place. */
  message: string
  hint?: string
}

/** What is said after the place. */
interface Clause {
  clause: string
  hint?: string | undefined
}

/** Longest text that a message quotes, in characters. */
const LONGEST = 40
/** Choices beyond this many are not listed in a sentence. */
const MOST_CHOICES = 16
const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
}

const CLAUSES: Readonly<Record<string, (breach: Breach) => Clause>> = {
  required: missing,
  additionalProperties: unknownField,
  type: mistyped,
  enum: notAChoice,
  const: (breach) => ({
    clause: `${shown(breach)} stands where only ${quoted(breach.schema.const)} may`,
    hint: `write ${quoted(breach.schema.const)}`,
  }),
  multipleOf: tooPrecise,
  format: ({ schema, value }) => {
    const fault = FORMATS[schema.format ?? ""]?.(String(value))
    return { clause: fault?.message ?? "has the wrong form", hint: fault?.hint }
  },
  maxLength: ({ schema: { maxLength = 0 }, value }) => {
    const length = charactersIn(String(value))
    const most = maxLength.toLocaleString("en")
    return {
      clause: `${length.toLocaleString("en")} characters are more than the ${most} allowed`,
      hint: `shorten it by ${(length - maxLength).toLocaleString("en")}`,
    }
  },
  minItems: () => ({ clause: "the list is empty", hint: "put at least one entry into it" }),
}

/** Words for one breach. */
export function wordsFor(breach: Breach): Said {
  const { clause, hint } = CLAUSES[breach.keyword]?.(breach) ?? {
    clause: `breaks the contract's rule ${breach.keyword}`,
  }
  return { message: `${placeInWords(breach.pointer)}: ${clause}`, ...(hint !== undefined && { hint }) }
}

function missing({ schema, property = "" }: Breach): Clause {
  const field = fieldOf(schema, property) ?? {}
  const name = fieldInWords(property) || "the invoice itself"
  const clause = `${name} ${field.type === "array" ? "are" : "is"} missing`
  if (field["x-managed"])
    return { clause, hint: "use --draft to check a document before the service completes it" }
  return { clause, hint: `add "${property}"${wanted(field)}` }
}

/** How a field that is missing is to be written, after its name. */
function wanted({ type = "", enum: choices = [], format, required = [] }: SchemaNode): string {
  if (choices.length === 1) return `: ${quoted(choices[0])}`
  if (choices.length > 1 && choices.length <= MOST_CHOICES)
    return `, one of ${choices.map(quoted).join(", ")}`
  if (format === "date-time") return ': a date with time and offset, such as "2026-11-20T09:30:00+10:00"'
  if (type === "string") return ", a text in double quotes"
  if (type === "array") return ", a list in [ ]"
  if (type === "object") return `, an object with ${required.map(quoted).join(", ")}`
  return `, ${TYPES[type]} without quotes`
}

function unknownField({ schema, value, property = "" }: Breach): Clause {
  const known = Object.keys(schema.properties ?? {})
  const close = suggest(property, known)
  const taken = close !== undefined && Object.hasOwn(Object(value), close)
  const free = taken
    ? suggest(
        property,
        known.filter((name) => !Object.hasOwn(Object(value), name)),
      )
    : close
  return {
    clause: `there is no field ${quoted(property)} here`,
    hint: free
      ? `did you mean ${quoted(free)}?`
      : taken
        ? `${quoted(close)} is here already: remove this one`
        : `remove it, or put it into data.extrinsics${known.length > MOST_CHOICES ? "" : `; the fields here are ${known.join(", ")}`}`,
  }
}

function mistyped(breach: Breach): Clause {
  const { schema, value } = breach
  const { type = "" } = schema
  return { clause: `${TYPES[type]} is expected, not ${shown(breach)}`, hint: retyped(type, breach, value) }
}

/** How to write a value of the wrong type, when it is plain what was meant. */
function retyped(type: string, breach: Breach, value: unknown): string | undefined {
  if (value === null) return breach.pointer === "" ? undefined : unsaid(breach.pointer)
  if (Array.isArray(value)) {
    if (value.length === 1) return "there is only one: remove the [ and ] around it"
    return type === "object" ? "there can be only one: keep one, without [ ]" : undefined
  }
  if (type === "array")
    return typeof value === "object" ? "put it in [ ], even when there is only one" : undefined
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) {
    const written = breach.source()
    const digits = breach.pointer.endsWith("/postalCode") && /^\d+$/.test(written) ? 4 : 0
    return written.length > LONGEST
      ? "put it in double quotes"
      : `write it in quotes: "${written.padStart(digits, "0")}"`
  }
  if (typeof value !== "string") return undefined
  if (type === "boolean") {
    const answer = /^(?:(true|yes|y)|false|no|n)$/i.exec(value.trim())
    return answer ? `write ${answer[1] !== undefined} without quotes` : undefined
  }
  const number = type === "number" || type === "integer" ? plainNumber(value) : undefined
  return number && (type === "number" || !number.includes(".")) ? `write ${number} without quotes` : undefined
}

/** What to do about a null: it is not the same as leaving a field out. */
function unsaid(pointer: string): string | undefined {
  const segments = segmentsOf(pointer)
  const name = segments.pop() ?? ""
  const holder = schemaAt(pointerOf(segments))
  if (holder.items) return "remove it"
  return holder.required?.includes(name)
    ? "it may not be empty: fill it in"
    : "leave it out when there is nothing to say"
}

/** The number in a text such as `$1,204.50`: digits grouped by thousands, and the sign of the money or the percent. */
function plainNumber(text: string): string | undefined {
  const match = /^(-?)\s*(?:AUD|A?\$)?\s*(-?)(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,15})?\s*(?:AUD|%)?$/i.exec(
    text.slice(0, LONGEST + 1).trim(),
  )
  if (!match) return undefined
  const [, outer = "", inner = "", whole = "", fraction = ""] = match
  return `${outer || inner}${whole.replaceAll(",", "").replace(/^0+(?=\d)/, "")}${fraction}`
}

function notAChoice(breach: Breach): Clause {
  const { enum: choices = [] } = breach.schema
  if (choices.length > MOST_CHOICES)
    return {
      clause: `${shown(breach)} is none of the ${choices.length} codes that may stand here`,
      hint: didYouMean(breach.value, choices) ?? `common codes are ${COMMON_UNITS}`,
    }
  const clause =
    choices.length === 1
      ? `${shown(breach)} stands where only ${quoted(choices[0])} may`
      : `${shown(breach)} is not one of ${choices.map(quoted).join(", ")}`
  return { clause, hint: didYouMean(breach.value, choices) }
}

/** The choice that was meant: another case, a slip, a unit in words, or the only one that begins like it. */
function didYouMean(value: unknown, choices: readonly string[]): string | undefined {
  if (typeof value !== "string") return undefined
  const text = value.trim().toLowerCase()
  const unit = unitFor(text)
  const begun = choices.filter((choice) => text !== "" && choice.toLowerCase().startsWith(text))
  const close =
    (unit !== undefined && choices.includes(unit) ? unit : undefined) ??
    suggest(text, choices) ??
    (begun.length === 1 ? begun[0] : undefined)
  return close && `did you mean ${quoted(close)}?`
}

/** Counted one by one: a list of a huge text's characters could be too large to make. */
function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function tooPrecise(breach: Breach): Clause {
  const places = placesOf(breach.schema)
  const written = breach.source()
  return {
    clause: `${shown(breach)} has more than ${places} decimals`,
    hint: /^-?\d{1,20}\.\d{1,40}$/.test(written) ? `rounded, it is ${rounded(written, places)}` : undefined,
  }
}

function rounded(written: string, places: number): string {
  const units = String(unitsAt(decimalOf(written), places))
    .replace("-", "")
    .padStart(places + 1, "0")
  const sign = written.startsWith("-") && /[1-9]/.test(units) ? "-" : ""
  return `${sign}${units.slice(0, -places)}.${units.slice(-places)}`
}

/** A value as a message quotes it: short, and harmless on a terminal. */
function shown({ value, source }: Breach): string {
  if (typeof value === "string") return `the text ${quoted(value)}`
  if (typeof value === "number") return safeText(source(), LONGEST)
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

function quoted(text: string | undefined): string {
  return `"${safeText(text ?? "", LONGEST)}"`
}
