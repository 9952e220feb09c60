/** What is said of each breach of the contract: the place, what is there, what is expected, and the fix if it is plain. */
import { grouped } from "../contract/counted.ts"
import { suggest } from "../contract/suggest.ts"
import { decimalOf, unitsAt } from "../contract/decimal.ts"
import { safeText } from "../contract/safe-text.ts"
import { type Breach, type Clause, LONGEST, MOST_CHOICES, quoted, type Said } from "./breach.ts"
import { COMMON_UNITS, choiceFor } from "./choices.ts"
import { serialDay } from "./dates.ts"
import { FORMATS } from "./formats.ts"
import { placeInWords } from "./place.ts"
import { placesOf } from "./schema.ts"
import { missing, asObject, unknownField, unsaid } from "./words-fields.ts"
import { LIMIT_CLAUSES } from "./words-limits.ts"

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object in { }",
  array: "a list in [ ]",
}

const CLAUSES: Readonly<Record<string, (breach: Breach) => Clause>> = {
  required: missing,
  additionalProperties: unknownField,
  type: mistyped,
  enum: notAChoice,
  const: (breach) => ({
    clause: onlyOne(breach, breach.schema.const),
    hint: isBlank(breach.value) ? unsaid(breach.pointer) : `write ${quoted(breach.schema.const)}`,
  }),
  multipleOf: tooPrecise,
  format: ({ schema, value, pointer }) => {
    const fault = FORMATS[schema.format ?? ""]?.(String(value))
    const hint = isBlank(value) ? unsaid(pointer) : fault?.hint
    return { clause: fault?.message ?? "has the wrong form", hint }
  },
  maxLength: ({ schema: { maxLength = 0 }, value }) => {
    const length = charactersIn(String(value))
    const most = grouped(maxLength)
    return {
      clause: `${grouped(length)} characters are more than the ${most} allowed`,
      hint: `shorten it by ${grouped(length - maxLength)}`,
    }
  },
  minItems: ({ value, params }) =>
    Array.isArray(value) && value.length > 0
      ? { clause: `${value.length} entries are fewer than ${params.limit}`, hint: "add what is missing" }
      : { clause: "the list is empty", hint: "put at least one entry into it" },
  ...LIMIT_CLAUSES,
}

/** Words for one breach. */
export function wordsFor(breach: Breach): Said {
  const { clause, hint } = CLAUSES[breach.keyword]?.(breach) ?? {
    clause: `breaks the contract's rule ${breach.keyword}`,
  }
  return { message: `${placeInWords(breach.pointer)}: ${clause}`, ...(hint !== undefined && { hint }) }
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
  if (type === "object") return breach.pointer === "" ? undefined : asObject(breach.schema)
  if (type === "string" && typeof value === "number" && breach.schema.format) return fromSheet(breach, value)
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) {
    const written = breach.source()
    const digits = breach.pointer.endsWith("/postalCode") && /^\d+$/.test(written) ? 4 : 0
    return written.length > LONGEST
      ? "put it in double quotes"
      : `write it in quotes: "${written.padStart(digits, "0")}"`
  }
  if (type === "boolean") {
    const answer = /^(?:(true|yes|y|1)|false|no|n|0)$/i.exec(String(value).trim())
    return answer ? `write ${answer[1] !== undefined} without quotes` : undefined
  }
  if (typeof value !== "string") return undefined
  const number = type === "number" || type === "integer" ? plainNumber(value) : undefined
  return number && (type === "number" || !number.includes(".")) ? `write ${number} without quotes` : undefined
}

/** A number in the place of a date: spreadsheets count days and show them as dates. */
function fromSheet({ schema: { format } }: Breach, value: number): string | undefined {
  const day = serialDay(value)
  if (!day || !(format === "date" || format === "date-time")) return undefined
  return `in a spreadsheet this number is ${day}: write "${day}${format === "date" ? "" : "T09:30:00+10:00"}"`
}

/** Signs of the money or the percent; blanks that group digits, also those that do not break lines. */
const SIGNS = /^(?:AUD|AU\$|A?\$)|(?:AUD|%)$|[\s\u00a0\u202f']/gi

/** The number in a text such as `$1,204.50`, `1.204,50`, `(19.99)` or `19,99`; none where it could be another. */
function plainNumber(text: string): string | undefined {
  const trimmed = text.slice(0, LONGEST + 1).trim()
  const [, bracketed, trailing] = /^\((.*)\)$|^([^-]*)-$/.exec(trimmed) ?? []
  const unsigned = bracketed ?? trailing
  const bare = (unsigned ?? trimmed.replace("-", "")).replace(SIGNS, "").replace(SIGNS, "")
  const negative =
    unsigned !== undefined || trimmed.replace(SIGNS, "").startsWith("-") || trimmed.startsWith("-")
  const forms: readonly (readonly [RegExp, string])[] = [
    [/^\d{1,3}(?:,\d{3})+(?:\.\d{1,15})?$/, bare.replaceAll(",", "")],
    [/^(?:\d{1,15})(?:\.\d{1,15})?$/, bare],
    [/^\d{1,3}(?:\.\d{3})+,\d{1,2}$|^\d{1,15},\d{1,2}$/, bare.replaceAll(".", "").replace(",", ".")],
  ]
  const number = forms.find(([form]) => form.test(bare))?.[1].replace(/^0+(?=\d)/, "")
  return number && `${negative ? "-" : ""}${number}`
}

/** Why there is but one choice. */
const ONLY: Readonly<Record<string, string>> = {
  AUD: "all amounts are in Australian dollars",
  AU: "the contract knows Australia only",
  ABN: "the contract knows the ABN only",
}

function notAChoice(breach: Breach): Clause {
  const { enum: choices = [] } = breach.schema
  const meant = isBlank(breach.value) ? unsaid(breach.pointer) : undefined
  const [only = ""] = choices
  if (choices.length === 1)
    return {
      clause: onlyOne(breach, only),
      hint: meant ?? didYouMean(breach.value, choices) ?? ONLY[only],
    }
  if (choices.length > MOST_CHOICES)
    return {
      clause: `${shown(breach)} is none of the ${choices.length} codes that may stand here`,
      hint: meant ?? didYouMean(breach.value, choices) ?? `common codes are ${COMMON_UNITS}`,
    }
  return {
    clause: `${shown(breach)} is not one of ${choices.map(quoted).join(", ")}`,
    hint: meant ?? didYouMean(breach.value, choices),
  }
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === ""
}

function onlyOne(breach: Breach, only: string | undefined): string {
  return `${shown(breach)} is not allowed, only ${quoted(only)} is`
}

function didYouMean(value: unknown, choices: readonly string[]): string | undefined {
  const meant = choiceMeant(value, choices)
  return meant && `did you mean ${quoted(meant)}?`
}

/** The choice that was meant: another case, a slip, in people's words, or the only one that begins like it. */
function choiceMeant(value: unknown, choices: readonly string[]): string | undefined {
  if (typeof value !== "string") return undefined
  const text = value.trim().toLowerCase()
  const begun = choices.filter((choice) => text !== "" && choice.toLowerCase().startsWith(text))
  return choiceFor(text, choices) ?? suggest(text, choices) ?? (begun.length === 1 ? begun[0] : undefined)
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
