/**
 * Explains all schema errors: message, hint and fix by keyword, for requests, rows, replies and invoices. A keyword of
 * the request schemas without an entry here does not compile.
 */
import { readYesNo } from "../../base/yes-no.ts"
import { quoted } from "../../base/parsed.ts"
import { countCharacters, counted, grouped } from "../../base/counted.ts"
import type { Keyword } from "../generated/types.ts"
import { decimalOf, formatDecimal, unitsAt } from "../../base/money.ts"
import { safeText } from "../../base/safe-text.ts"
import { getMaxEdits, suggest } from "../../base/suggest.ts"
import {
  type Advice,
  adviseChoice,
  adviseLiteral,
  adviseText,
  type Explanation,
  MAX_QUOTE_LENGTH,
  MAX_CHOICES,
  type Safety,
} from "./advice.ts"
import { readAmount, readTwoWays } from "./amounts.ts"
import { adviseCode } from "./codes.ts"
import { correctForm } from "./forms.ts"

export interface ErrorInContext {
  keyword: string
  /** The keyword's parameters, as ajv names them: `{limit: 500}`. */
  params: Readonly<Record<string, unknown>>
  /** The schema's own words for the error: `must be four digits`. */
  words?: string | undefined
  /** JSON pointer of the value; of its object if a property is missing or unknown. */
  pointer: string
  property: string
  value: unknown
  source(): string
  /** The names of places in this kind of document. */
  place: FieldWording
  kind: DocumentKind
}

/** Sentences about one place. */
export interface FieldWording {
  /** @param says follows the name of the place: `must be a number, not "5 kg"` */
  say(says: string): string
  sayMissing(property: string): string
  sayUnknown(property: string): string
}

/** Hooks of a kind of document. A hook that returns undefined leaves the error to the general rules. */
export interface DocumentKind {
  /** Explanations that replace the general ones, by keyword. */
  keywords?: Readonly<Record<string, (error: ErrorInContext) => Explanation>>
  /** Advice for a value that means no value: `null`, an empty text, `n/a`. */
  adviseAbsent(error: ErrorInContext): Advice | undefined
  /** Advice for a value of the wrong type that has a meaning in one field only. */
  adviseType?(type: string, error: ErrorInContext): Advice | undefined
  /** The choice that another word means: `kg` → `KGM`. */
  findMeantChoice?(word: string, choices: readonly string[]): MeantChoice | undefined
  /** Advice where no choice comes close to the value. */
  adviseAnyChoice?(choices: readonly string[], value: unknown): Advice | undefined
}

export interface MeantChoice {
  choice: string
  safety: Safety
}

type Explain = (error: ErrorInContext) => Explanation

const KEYWORDS = {
  required: (error) => ({
    message: `${error.place.sayMissing(error.property)}${error.words ? `: ${error.words}` : ""}`,
  }),
  additionalProperties: explainUnknownField,
  unevaluatedProperties: explainUnknownField,
  type: explainType,
  enum: explainChoice,
  const: explainChoice,
  multipleOf: explainStep,
  minimum: limitOf("at least"),
  maximum: limitOf("at most"),
  exclusiveMinimum: limitOf("more than"),
  exclusiveMaximum: limitOf("less than"),
  minLength: leastOf("character"),
  minItems: leastOf("entry", "entries"),
  minProperties: inOwnWords(leastOf("field")),
  maxLength: mostOf("character", (value) => countCharacters(String(value))),
  maxItems: mostOf("entry", (value) => Object.keys(Object(value)).length, "entries"),
  maxProperties: inOwnWords(mostOf("field", (value) => Object.keys(Object(value)).length)),
  uniqueItems: ({ params, place }) => ({
    message: place.say(`has the same entry twice: ${Number(params.j) + 1} and ${Number(params.i) + 1}`),
    hint: "keep one of them",
  }),
  pattern: (error) => ({
    message: error.place.say(`${error.words ?? `must match ${error.params.pattern}`}, ${notThis(error)}`),
    ...correctForm(String(error.params.pattern), error),
  }),
  not: ({ place, words }) => ({ message: place.say(`is not allowed${words ? `: ${words}` : ""}`) }),
} satisfies Record<Exclude<Keyword, "if">, Explain> & Record<string, Explain>

/** Explains an error: the place, the fault, and the fix if one is obvious. */
export function explainError(error: ErrorInContext): Explanation {
  const { keyword, kind, place } = error
  const explain = kind.keywords?.[keyword] ?? (KEYWORDS as Readonly<Record<string, Explain>>)[keyword]
  return explain?.(error) ?? { message: place.say(`breaks the contract's rule ${keyword}`) }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
}

/** A value as messages quote it: short, and safe for a terminal. */
function showValue({ value, source }: ErrorInContext): string {
  if (typeof value === "string") return quoted(value)
  if (typeof value === "number") {
    const written = source()
    const plain = expandExponent(written)
    return (
      safeText(written, MAX_QUOTE_LENGTH) + (plain === undefined || plain === written ? "" : ` (${plain})`)
    )
  }
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}

function notThis(error: ErrorInContext): string {
  return `not ${showValue(error)}`
}

function limitOf(words: string): Explain {
  return (error) => ({
    message: error.place.say(`must be ${words} ${error.params.limit}, ${notThis(error)}`),
  })
}

function leastOf(one: string, several?: string): Explain {
  return ({ place, params }) => {
    const least = Number(params.limit)
    return {
      message: place.say(least === 1 ? "is empty" : `must have at least ${counted(least, one, several)}`),
    }
  }
}

function mostOf(one: string, count: (value: unknown) => number, several?: string): Explain {
  return ({ place, params, value }) => {
    const most = Number(params.limit)
    const there = count(value)
    return {
      message: place.say(`must have at most ${counted(most, one, several)}, and has ${grouped(there)}`),
      hint: one === "character" ? `shorten it by ${grouped(there - most)}` : "leave out what is not needed",
    }
  }
}

/**
 * The schema's own words, if it has any. They may be about another keyword of the same value, so few explanations use
 * them.
 */
function inOwnWords(explain: Explain): Explain {
  return (error) => (error.words ? { message: error.place.say(error.words) } : explain(error))
}

function explainUnknownField({ place, property, params, value }: ErrorInContext): Explanation {
  const known = params.known as readonly string[]
  const meant = suggest(
    property,
    known.filter((field) => !Object.hasOwn(Object(value), field)),
  )
  const message = place.sayUnknown(property)
  if (meant) return { message, hint: `did you mean "${meant}"?` }
  return known.length > MAX_CHOICES
    ? { message }
    : { message, hint: `the fields here are ${known.join(", ")}` }
}

function explainType(error: ErrorInContext): Explanation {
  const types = [error.params.type].flat().map(String)
  const [type = ""] = types
  return {
    message: error.place.say(`must be ${types.map((each) => TYPES[each]).join(" or ")}, ${notThis(error)}`),
    ...(error.kind.adviseAbsent(error) ?? error.kind.adviseType?.(type, error) ?? adviseType(type, error)),
  }
}

function adviseType(type: string, error: ErrorInContext): Advice | undefined {
  const { value, pointer } = error
  if (Array.isArray(value)) {
    const [only, ...others] = value
    if (value.length === 0) return undefined
    if (others.length > 0)
      return type === "object" ? { hint: "there can be only one: keep one, without [ ]" } : undefined
    const unwrapped = { hint: "there is only one: remove the [ and ] around it" }
    return isWritable(only, type, pointer)
      ? { ...unwrapped, answer: { safety: "safe", does: "unwrap" } }
      : undefined
  }
  if (type === "array" && typeof value === "object")
    return { hint: "put it in [ ], even when there is only one", answer: { safety: "safe", does: "wrap" } }
  if (type === "string" && (typeof value === "number" || typeof value === "boolean"))
    return adviseCode(error.source(), pointer)
  if (type === "boolean" && typeof value !== "object") {
    const answer = readYesNo(String(value))
    return answer === undefined ? undefined : adviseLiteral(String(answer), { more: " without quotes" })
  }
  if (typeof value === "string" && (type === "number" || type === "integer"))
    return adviseNumber(value, type, pointer)
  return undefined
}

function adviseNumber(text: string, type: "number" | "integer", pointer: string): Advice | undefined {
  const { number, safety, condition } = readAmount(text, pointer) ?? {}
  if (number !== undefined && safety && (type === "number" || !number.includes(".")))
    return adviseLiteral(number, {
      // The sums decide, if they agree.
      safety: type === "number" && condition === undefined ? "safe" : safety,
      ...(condition !== undefined && { lead: `if ${condition}, write` }),
      more: " without quotes",
    })
  const either = type === "number" ? readTwoWays(text) : undefined
  return either && { hint: `write ${either.join(" or ")}, without quotes: it can be either` }
}

/** Whether a value has a type, or is a text with an amount where a number is needed. */
export function isWritable(value: unknown, type: string | undefined, pointer: string): boolean {
  if (type === "array") return Array.isArray(value)
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value)
  if (type !== "number" && type !== "integer") return typeof value === type
  return typeof value === "number" || (typeof value === "string" && readAmount(value, pointer) !== undefined)
}

function explainChoice(error: ErrorInContext): Explanation {
  const { keyword, params, kind, place, value } = error
  const choices = (params.allowedValues ?? [params.allowedValue]) as readonly (string | boolean)[]
  const [only = ""] = choices
  const which =
    choices.length === 1
      ? JSON.stringify(only)
      : `one of ${choices.length > MAX_CHOICES ? `${choices.length} codes` : choices.join(", ")}`
  const advise = keyword === "const" ? adviseOnlyChoice : adviseChoices
  return {
    message: place.say(`must be ${which}, ${notThis(error)}`),
    ...(kind.adviseAbsent(error) ?? advise(value, choices.map(String), kind)),
  }
}

/** The other value may be meant: then the document is of another kind than it seems. */
function adviseOnlyChoice(value: unknown, choices: readonly string[], kind: DocumentKind): Advice {
  const [only = ""] = choices
  if (only === "true" || only === "false") return adviseLiteral(only, { safety: "suggestion" })
  return adviseText(only, { safety: findChoice(value, choices, kind)?.safety ?? "suggestion" })
}

function adviseChoices(value: unknown, choices: readonly string[], kind: DocumentKind): Advice | undefined {
  const found = findChoice(value, choices, kind)
  return found ? adviseChoice(found.choice, found.safety) : kind.adviseAnyChoice?.(choices, value)
}

const MIN_WORD_LENGTH = 5

/** The choice that was probably meant: in another case or other words, by its beginning, or with a typing error. */
function findChoice(value: unknown, choices: readonly string[], kind: DocumentKind): MeantChoice | undefined {
  if (typeof value !== "string") return undefined
  const text = value.trim().toLowerCase()
  const same = choices.find((choice) => choice.toLowerCase() === text)
  if (same !== undefined) return { choice: same, safety: "safe" }
  const meant = kind.findMeantChoice?.(value, choices)
  if (meant) return meant
  // Among short codes, one letter changes the meaning: DAT is not DAF, and PAL is not PL.
  const words = choices.filter((choice) => choice.length >= MIN_WORD_LENGTH)
  const begun = text.length >= 3 ? words.filter((choice) => choice.toLowerCase().startsWith(text)) : []
  const choice = begun.length === 1 ? begun[0] : suggest(text, words, getMaxEdits(text))
  return choice === undefined ? undefined : { choice, safety: "suggestion" }
}

/** Number of decimals that a step allows: 2 for multiples of 0.01; undefined for multiples of 0.25 or 5. */
function countDecimals(step: number): number | undefined {
  const places = Math.round(-Math.log10(step))
  return places >= 0 && step === Number(`1e-${places}`) ? places : undefined
}

/** Explains a step such as 0.25 or 5, with the two nearest multiples. */
function explainStep(error: ErrorInContext): Explanation {
  const size = Number(error.params.multipleOf ?? error.params.limit)
  const decimals = countDecimals(size)
  if (decimals !== undefined) return explainDecimals(error, decimals)
  const step = decimalOf(size)
  const message = error.place.say(`${showValue(error)} is not a multiple of ${size}`)
  const plain = expandExponent(error.source()) ?? ""
  if (!/^-?\d{1,40}(?:\.\d{1,40})?$/.test(plain)) return { message }
  const value = decimalOf(plain)
  const places = value.places + step.places
  const [units, unitsOfStep] = [unitsAt(value, places), unitsAt(step, places)]
  const below = units / unitsOfStep - (units < 0n ? 1n : 0n)
  const [one, other] = [below, below + 1n].map((count) =>
    formatDecimal({ units: count * step.units, places: step.places }, step.places),
  )
  return { message, hint: `write ${one} or ${other}` }
}

/** Amounts are written with their cents. */
const CENTS = 2

function explainDecimals(error: ErrorInContext, places: number): Explanation {
  const plain = expandExponent(error.source()) ?? ""
  const isShort = /^-?\d{1,40}\.\d{1,40}$/.test(plain)
  const rounded = () =>
    formatDecimal({ units: unitsAt(decimalOf(plain), places), places }, Math.min(places, CENTS))
  return {
    message: error.place.say(`${showValue(error)} has more than ${places} decimals`),
    ...(isShort &&
      adviseLiteral(rounded(), {
        safety: isNoise(plain, places) ? "safe" : "suggestion",
        lead: "round it to",
      })),
  }
}

/** Whether the extra decimals come from binary arithmetic: 19.990000000000002, 40.14999999999999. */
function isNoise(written: string, places: number): boolean {
  const [, fraction = ""] = written.split(".")
  return fraction.length >= 12 && /^(?:0{6,}|9{6,})/.test(fraction.slice(places))
}

/** A number as written, or `12345E-3` as 12.345; undefined if it has too many digits. */
function expandExponent(written: string): string | undefined {
  const [, exponent] = /e([+-]?\d+)$/i.exec(written) ?? []
  if (exponent === undefined) return written
  if (written.length > MAX_QUOTE_LENGTH || Math.abs(Number(exponent)) > MAX_QUOTE_LENGTH) return undefined
  const decimal = decimalOf(written)
  return formatDecimal(decimal, decimal.places)
}
