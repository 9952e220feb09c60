/** Explains errors of the contract: the place, what is there, what is expected, and the fix if it is plain. */
import { grouped } from "../../contract/counted.ts"
import { decimalOf, unitsAt } from "../../contract/money.ts"
import { safeText } from "../../contract/safe-text.ts"
import { mostSlips, suggest } from "../../contract/suggest.ts"
import { countCharacters } from "../../json/position.ts"
import type { Advice, Explanation, Fix } from "../finding.ts"
import { formatDecimal } from "../accounting/amounts.ts"
import { adviseChoice, adviseLiteral, adviseText, LONGEST_QUOTE, MOST_CHOICES, quoteShort } from "./advice.ts"
import { readAmount, readTwoWays } from "./amounts.ts"
import { countDecimals, describePlace, type ErrorInContext } from "../schema.ts"
import { COMMON_UNITS, findMeantChoice, findUnit } from "./choices.ts"
import { formatSerialDay, formatSerialTime } from "./dates.ts"
import {
  explainMissingField,
  explainUnknownField,
  adviseBlank,
  hintForObject,
  isWritable,
  writeSample,
} from "./fields.ts"
import { FORMATS } from "./formats.ts"
import { describePattern } from "./patterns.ts"

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object in { }",
  array: "a list in [ ]",
}

/** By keyword. The messages follow the place. */
const EXPLAINERS: Readonly<Record<string, (error: ErrorInContext) => Explanation>> = {
  required: explainMissingField,
  dependentRequired: explainMissingField,
  additionalProperties: explainUnknownField,
  type: explainType,
  enum: explainChoice,
  const: (error) => ({
    message: describeOnlyChoice(error, error.schema.const),
    ...(adviseNoValue(error) ?? adviseOnlyChoice(error.value, error.schema.const)),
  }),
  multipleOf: explainStep,
  pattern: ({ schema, value, params }) => {
    const [example] = schema.examples ?? []
    const form = describePattern(String(params.pattern))
    const hint = example ? `write it like ${quoteShort(example)}` : form && `write ${form}`
    return {
      message: `${quoteShort(String(value))} does not have the form that is asked for`,
      hint: hint ?? `it must match the pattern ${params.pattern}`,
    }
  },
  format: (error) => {
    const { message, ...advice } = FORMATS[error.schema.format ?? ""]?.(String(error.value)) ?? {
      message: "has the wrong form",
    }
    return { message, ...(adviseNoValue(error) ?? advice) }
  },
  maxLength: ({ schema: { maxLength = 0 }, value }) => {
    const length = countCharacters(String(value))
    const most = grouped(maxLength)
    return {
      message: `${grouped(length)} characters are more than the ${most} allowed`,
      hint: `shorten it by ${grouped(length - maxLength)}`,
    }
  },
  minItems: ({ schema, value, params }) =>
    Array.isArray(value) && value.length > 0
      ? { message: `${value.length} entries are fewer than ${params.limit}`, hint: "add what is missing" }
      : {
          message: "the list is empty",
          hint: `write at least one entry in it${schema.items ? `: ${writeSample(schema.items, true)}` : ""}`,
        },
  uniqueItems: ({ params }) => ({
    message: `entries ${Number(params.j) + 1} and ${Number(params.i) + 1} are the same`,
    hint: "keep one of them",
  }),
}

/** Limits that the contract does not have today, but its schema may have tomorrow. */
const LIMITS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  minimum: ["VALUE is less than LIMIT", "write LIMIT or more"],
  maximum: ["VALUE is more than LIMIT", "write LIMIT or less"],
  exclusiveMinimum: ["VALUE is not more than LIMIT", "write more than LIMIT"],
  exclusiveMaximum: ["VALUE is not less than LIMIT", "write less than LIMIT"],
  minLength: ["VALUE is shorter than LIMIT characters", "write it in full"],
  maxItems: ["there are more than LIMIT entries", "keep LIMIT at most"],
  minProperties: ["fewer than LIMIT fields are given", "add what is missing"],
  maxProperties: ["more than LIMIT fields are given", "leave out what is not needed"],
}

function explainLimit({ keyword, value, source, params }: ErrorInContext): Explanation | undefined {
  const fill = (text: string) =>
    text.replace(/VALUE|LIMIT/g, (word) => {
      if (word === "LIMIT") return String(params.limit)
      return typeof value === "string" ? quoteShort(value) : source()
    })
  const [message, hint] = LIMITS[keyword] ?? []
  return message && hint ? { message: fill(message), hint: fill(hint) } : undefined
}

/** What is reported for an error: the place and what is wrong there, and the fix where it is plain. */
export function explainContractError(error: ErrorInContext): Explanation {
  const { message, ...advice } = EXPLAINERS[error.keyword]?.(error) ??
    explainLimit(error) ?? { message: `breaks the contract's rule ${error.keyword}` }
  return { message: `${describePlace(error.pointer)}: ${message}`, ...advice }
}

function explainType(error: ErrorInContext): Explanation {
  const { schema, value } = error
  const { type = "" } = schema
  return {
    message: `${TYPES[type]} is expected, not ${showValue(error)}`,
    ...adviseType(type, error, value),
  }
}

/** How to write a value of the wrong type, if it is plain what was meant. */
function adviseType(type: string, error: ErrorInContext, value: unknown): Advice | undefined {
  if (value === null || isEmptyList(value))
    return error.pointer === "" ? undefined : adviseBlank(error.pointer)
  const none = adviseNoValue(error)
  if (none) return none
  if (Array.isArray(value)) {
    if (value.length === 1)
      return isWritable(value[0], error.schema, error.pointer)
        ? {
            hint: "there is only one: remove the [ and ] around it",
            answer: { safety: "safe", does: "unwrap" },
          }
        : undefined
    if (error.pointer === "")
      return { hint: "give each invoice as a document of its own, without [ ] around it" }
    return type === "object" ? { hint: "there can be only one: keep one, without [ ]" } : undefined
  }
  if (type === "array")
    return typeof value === "object"
      ? { hint: "put it in [ ], even when there is only one", answer: { safety: "safe", does: "wrap" } }
      : adviseList(error, value)
  if (type === "object")
    return error.pointer === ""
      ? undefined
      : (adviseTerms(error, value) ?? { hint: hintForObject(error.schema) })
  if (typeof value === "object") return undefined
  if (type === "string" && (typeof value === "number" || typeof value === "boolean"))
    return adviseQuotes(error, value)
  if (type === "boolean") {
    const answer = /^(?:(true|yes|y|1)|false|no|n|0)$/i.exec(String(value).trim())
    return answer ? adviseLiteral(String(answer[1] !== undefined), { more: " without quotes" }) : undefined
  }
  if (typeof value !== "string" || (type !== "number" && type !== "integer")) return undefined
  const { number, safety, condition } = readAmount(value, error.pointer) ?? {}
  if (number !== undefined && safety && (type === "number" || !number.includes(".")))
    return adviseLiteral(number, {
      // Whether the sums agree decides it.
      safety: type === "number" && condition === undefined ? "safe" : safety,
      ...(condition !== undefined && { lead: `if ${condition}, write` }),
      more: " without quotes",
    })
  const either = type === "number" ? readTwoWays(value) : undefined
  if (either) return { hint: `write ${either.join(" or ")}, without quotes: it can be either` }
  const [, count, unit = ""] = /^(\d{1,9}(?:\.\d{1,2})?)\s*(\p{L}[\p{L}\d.²³]*)$/u.exec(value.trim()) ?? []
  if (count !== undefined && error.pointer.endsWith("/quantity") && findUnit(unit) !== undefined)
    return adviseLiteral(count, {
      safety: "suggestion",
      more: " without quotes, and the unit in unitOfMeasure",
    })
  return undefined
}

/** The texts of a list that stand in one text: `A1, A2`. */
function adviseList({ schema }: ErrorInContext, value: unknown): Advice | undefined {
  if (typeof value !== "string" || schema.items?.type !== "string" || value.length > LONGEST_LIST)
    return undefined
  const texts = value.split(/[,;|\r\n]/).flatMap((text) => text.trim() || [])
  const list = `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`
  return adviseLiteral(list, { safety: texts.length === 1 ? "safe" : "suggestion" })
}

/** A text is quoted whole up to this many characters where it is taken apart. */
const LONGEST_LIST = 200

/** Payment terms in words. */
function adviseTerms({ pointer }: ErrorInContext, value: unknown): Advice | undefined {
  if (typeof value !== "string" || pointer !== "/data/paymentTerms") return undefined
  const days = /^\s*(?:net\s+)?(\d{1,3})(?:\s*days?)?(?:\s+net)?\s*$/i.exec(value)?.[1]
  const terms = days === undefined ? `"description": ${JSON.stringify(value)}` : `"netDays": ${Number(days)}`
  return adviseLiteral(safeText(`{ ${terms} }`, LONGEST_LIST), { safety: "suggestion" })
}

/** What people write where there is no value. */
const NO_VALUE = /^(?:n\/?a|none|nil|null|undefined|tb[ac]|[-–—]+)$/i

/** What to do about a text that says that there is no value. */
function adviseNoValue({ value, pointer }: ErrorInContext): Advice | undefined {
  if (pointer === "") return undefined
  if (isBlank(value)) return adviseBlank(pointer)
  if (typeof value !== "string" || !NO_VALUE.test(value.trim())) return undefined
  const { hint, answer } = adviseBlank(pointer)
  // Someone may have meant to fill it in.
  return answer
    ? { hint, answer: { ...answer, safety: "suggestion" } }
    : { hint: "write the value: the contract needs this field" }
}

/** How to write a number, or true or false, that stands in the place of a text. */
function adviseQuotes(error: ErrorInContext, value: number | boolean): Advice | undefined {
  const { schema, pointer } = error
  if (schema.const !== undefined) return adviseOnlyChoice(value, schema.const)
  if (schema.enum) return adviseAnyChoice(schema.enum)
  const written = error.source()
  if (schema.format)
    return (
      (typeof value === "number" ? adviseSerialDay(schema.format, value) : undefined) ??
      getAdvice(FORMATS[schema.format]?.(written))
    )
  if (written.length > LONGEST_QUOTE) return { hint: "put it in double quotes" }
  // Spreadsheets write long codes with an exponent, and drop digits.
  if (/\de/i.test(written)) return { hint: "write it in quotes, with all its digits and without an exponent" }
  return adviseCode(written, pointer.slice(pointer.lastIndexOf("/") + 1))
}

function getAdvice({ hint, answer }: Advice = {}): Advice {
  return { hint, answer }
}

/** For a number in the place of a date: spreadsheets count days and show them as dates. */
function adviseSerialDay(format: string, value: number): Advice | undefined {
  const day = formatSerialDay(value)
  if (!day || !(format === "date" || format === "date-time")) return undefined
  if (format === "date")
    return adviseText(day, { safety: "suggestion", lead: `in a spreadsheet this number is ${day}: write` })
  const time = formatSerialTime(value)
  return {
    hint: `in a spreadsheet this number is ${time ? `${day} ${time}: write it with its` : `${day}: write it with a time and its`} offset, such as "${day}T${time ?? "09:30:00"}+10:00"`,
  }
}

/** For codes of digits, which lose their leading zeros as numbers. Zeros are added where only one code fits. */
function adviseCode(written: string, field: string): Advice {
  const inQuotes = (code: string, safety: Fix["safety"], more = "") =>
    adviseText(code, { safety, lead: "write it in quotes:", more })
  // Programs that take the column for numbers write 2041 as 2041.0.
  const digits = /^(\d+)(?:\.0+)?$/.exec(written)?.[1] ?? ""
  const usual = digits === written ? "safe" : "suggestion"
  if (field === "postalCode") {
    if (digits.length === 4) return inQuotes(digits, usual)
    // Postcodes that start with 0 are those of Canberra, 02, and of the Northern Territory, 08 and 09.
    return digits.length === 3
      ? inQuotes(`0${digits}`, /^[289]/.test(digits) ? usual : "suggestion")
      : { hint: "write its four digits in quotes" }
  }
  if (field === "bsb")
    return /^[1-9]\d{4,5}$/.test(digits)
      ? inQuotes(digits.padStart(6, "0").replace(/^.../, "$&-"), digits.length === 6 ? usual : "suggestion")
      : { hint: "write it in quotes: three digits, a hyphen, three digits" }
  if (field === "phone" && digits) {
    // Area codes are 02, 03, 07 and 08, and mobile numbers start with 04.
    if (/^[23478]\d{8}$/.test(digits)) return inQuotes(`0${digits}`, "suggestion")
    if (/^61[23478]\d{8}$/.test(digits)) return inQuotes(`+${digits}`, "suggestion")
    return inQuotes(digits, usual)
  }
  if (field === "accountNumber" && digits)
    return inQuotes(digits, "suggestion", ", with any zeros that it starts with")
  return inQuotes(written, /^-?\d/.test(written) ? "safe" : "suggestion")
}

/** Why there is only one choice. */
const ONLY: Readonly<Record<string, string>> = {
  AUD: 'all amounts are in Australian dollars: convert them, then write "AUD"',
  AU: "the contract allows Australia only",
  ABN: "the contract allows the ABN only",
}

function explainChoice(error: ErrorInContext): Explanation {
  const { enum: choices = [] } = error.schema
  const [only = ""] = choices
  const advice = adviseNoValue(error) ?? adviseMeantChoice(error.value, choices)
  if (choices.length === 1)
    return { message: describeOnlyChoice(error, only), ...(advice ?? { hint: ONLY[only] }) }
  if (choices.length > MOST_CHOICES)
    return {
      message: `${showValue(error)} is not one of the ${choices.length} codes allowed here`,
      ...(advice ?? adviseAnyChoice(choices)),
    }
  return { message: `${showValue(error)} is not one of ${choices.map(quoteShort).join(", ")}`, ...advice }
}

function adviseAnyChoice(choices: readonly string[]): Advice {
  const [only = "", ...others] = choices
  if (others.length === 0) return adviseOnlyChoice(undefined, only)
  return {
    hint:
      choices.length > MOST_CHOICES
        ? `common codes are ${COMMON_UNITS}`
        : `write one of ${choices.map(quoteShort).join(", ")}`,
  }
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === ""
}

/** How PHP writes an object without fields. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function describeOnlyChoice(error: ErrorInContext, only: string | boolean | undefined): string {
  const shown = typeof only === "boolean" ? String(only) : quoteShort(only)
  return `${showValue(error)} is not allowed, only ${shown} is`
}

/** What else stands there may be meant: then the whole document is another than it seems. */
function adviseOnlyChoice(value: unknown, only: string | boolean = ""): Advice {
  if (typeof only === "boolean") return adviseLiteral(String(only), { safety: "suggestion" })
  return adviseText(only, { safety: findChoice(value, [only])?.safety ?? "suggestion" })
}

function adviseMeantChoice(value: unknown, choices: readonly string[]): Advice | undefined {
  if (typeof value === "string" && /^adjustments?$/i.test(value.trim()) && choices.includes("creditMemo"))
    return {
      hint: 'write "creditMemo" where it reduces an earlier invoice, "debitMemo" where it increases one',
    }
  const { choice, safety } = findChoice(value, choices) ?? {}
  return choice !== undefined && safety ? adviseChoice(choice, safety) : undefined
}

/** The choice that was meant: in another case or other words, by its beginning, or with a typing mistake. */
function findChoice(
  value: unknown,
  choices: readonly string[],
): { choice: string; safety: Fix["safety"] } | undefined {
  if (typeof value !== "string") return undefined
  const text = value.trim().toLowerCase()
  const same = choices.find((choice) => choice.toLowerCase() === text)
  if (same !== undefined) return { choice: same, safety: "safe" }
  const meant = findMeantChoice(value, choices)
  if (meant) return meant
  // Among short codes, one letter makes another meaning: DAT is not DAF, and PAL is not PL.
  const words = choices.filter((choice) => choice.length >= SHORTEST_WORD)
  const begun = text.length >= 3 ? words.filter((choice) => choice.toLowerCase().startsWith(text)) : []
  const choice = begun.length === 1 ? begun[0] : suggest(text, words, mostSlips(text))
  return choice === undefined ? undefined : { choice, safety: "suggestion" }
}

const SHORTEST_WORD = 5

/** Of steps that are not one, a tenth, a hundredth: with the two that it lies between. */
function explainStep(error: ErrorInContext): Explanation {
  const places = countDecimals(error.schema)
  if (places !== undefined) return explainDecimals(error, places)
  const step = decimalOf(error.schema.multipleOf ?? 1)
  const message = `${showValue(error)} is not a multiple of ${error.schema.multipleOf}`
  const plain = expandExponent(error.source()) ?? ""
  if (!/^-?\d{1,40}(?:\.\d{1,40})?$/.test(plain)) return { message }
  const value = decimalOf(plain)
  const [units, size] = [
    unitsAt(value, value.places + step.places),
    unitsAt(step, value.places + step.places),
  ]
  const below = units / size - (units < 0n ? 1n : 0n)
  const [one, other] = [below, below + 1n].map((count) =>
    formatDecimal({ units: count * step.units, places: step.places }, step.places),
  )
  return { message, hint: `write ${one} or ${other}` }
}

function explainDecimals(error: ErrorInContext, places: number): Explanation {
  const plain = expandExponent(error.source()) ?? ""
  const isShort = /^-?\d{1,40}\.\d{1,40}$/.test(plain)
  return {
    message: `${showValue(error)} has more than ${places} decimals`,
    ...(isShort &&
      adviseLiteral(roundTo(plain, places), {
        safety: isNoise(plain, places) ? "safe" : "suggestion",
        lead: "round it to",
      })),
  }
}

/** Whether the decimals beyond those allowed come from binary arithmetic: 19.990000000000002, 40.14999999999999. */
function isNoise(written: string, places: number): boolean {
  const [, fraction = ""] = written.split(".")
  return fraction.length >= 12 && /^(?:0{6,}|9{6,})/.test(fraction.slice(places))
}

/** A number as it is written, or `12345E-3` as 12.345; undefined for too many digits to be read. */
function expandExponent(written: string): string | undefined {
  const [, exponent] = /e([+-]?\d+)$/i.exec(written) ?? []
  if (exponent === undefined) return written
  if (written.length > LONGEST_QUOTE || Math.abs(Number(exponent)) > LONGEST_QUOTE) return undefined
  const decimal = decimalOf(written)
  return formatDecimal(decimal, decimal.places)
}

/** Amounts are written with their cents. */
const CENTS = 2

function roundTo(written: string, places: number): string {
  return formatDecimal({ units: unitsAt(decimalOf(written), places), places }, Math.min(places, CENTS))
}

/** A value as a message quotes it: short, and harmless on a terminal. */
function showValue({ value, source }: ErrorInContext): string {
  if (typeof value === "string") return `the text ${quoteShort(value)}`
  if (typeof value === "number") {
    const written = source()
    const plain = expandExponent(written)
    return safeText(written, LONGEST_QUOTE) + (plain === undefined || plain === written ? "" : ` (${plain})`)
  }
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}
