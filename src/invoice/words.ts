/** The message for each breach of the contract: the place, what is there, what is expected, and the fix if it is plain. */
import { grouped } from "../contract/counted.ts"
import { decimalOf, unitsAt } from "../contract/money.ts"
import { safeText } from "../contract/safe-text.ts"
import { mostSlips, suggest } from "../contract/suggest.ts"
import { type Breach, type Clause, LONGEST, MOST_CHOICES, quoted, type Said } from "./breach.ts"
import { COMMON_UNITS, choiceFor } from "./choices.ts"
import { serialDay, serialTime } from "./dates.ts"
import { FORMATS } from "./formats.ts"
import { placeInWords } from "./place.ts"
import { placesOf } from "./schema.ts"
import { explainMissingField, explainUnknownField, hintForBlank, hintForObject } from "./words-fields.ts"
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
  required: explainMissingField,
  additionalProperties: explainUnknownField,
  type: explainType,
  enum: explainChoice,
  const: (breach) => ({
    clause: describeOnlyChoice(breach, breach.schema.const),
    hint: isBlank(breach.value) ? hintForBlank(breach.pointer) : `write ${quoted(breach.schema.const)}`,
  }),
  multipleOf: explainDecimals,
  format: ({ schema, value, pointer }) => {
    const fault = FORMATS[schema.format ?? ""]?.(String(value))
    const hint = isBlank(value) ? hintForBlank(pointer) : fault?.hint
    return { clause: fault?.message ?? "has the wrong form", hint }
  },
  maxLength: ({ schema: { maxLength = 0 }, value }) => {
    const length = countCharacters(String(value))
    const most = grouped(maxLength)
    return {
      clause: `${grouped(length)} characters are more than the ${most} allowed`,
      hint: `shorten it by ${grouped(length - maxLength)}`,
    }
  },
  minItems: ({ value, params }) =>
    Array.isArray(value) && value.length > 0
      ? { clause: `${value.length} entries are fewer than ${params.limit}`, hint: "add what is missing" }
      : { clause: "the list is empty", hint: "add at least one entry" },
  ...LIMIT_CLAUSES,
}

/** Words for one breach. */
export function wordsFor(breach: Breach): Said {
  const { clause, hint } = CLAUSES[breach.keyword]?.(breach) ?? {
    clause: `breaks the contract's rule ${breach.keyword}`,
  }
  return { message: `${placeInWords(breach.pointer)}: ${clause}`, ...(hint !== undefined && { hint }) }
}

function explainType(breach: Breach): Clause {
  const { schema, value } = breach
  const { type = "" } = schema
  return {
    clause: `${TYPES[type]} is expected, not ${showValue(breach)}`,
    hint: hintForType(type, breach, value),
  }
}

/** How to write a value of the wrong type, if it is plain what was meant. */
function hintForType(type: string, breach: Breach, value: unknown): string | undefined {
  if (value === null) return breach.pointer === "" ? undefined : hintForBlank(breach.pointer)
  if (Array.isArray(value)) {
    if (value.length === 1) return "there is only one: remove the [ and ] around it"
    return type === "object" ? "there can be only one: keep one, without [ ]" : undefined
  }
  if (type === "array")
    return typeof value === "object" ? "put it in [ ], even when there is only one" : undefined
  if (type === "object") return breach.pointer === "" ? undefined : hintForObject(breach.schema)
  if (typeof value === "object") return undefined
  if (type === "string" && (typeof value === "number" || typeof value === "boolean"))
    return hintForText(breach, value)
  if (type === "boolean") {
    const answer = /^(?:(true|yes|y|1)|false|no|n|0)$/i.exec(String(value).trim())
    return answer ? `write ${answer[1] !== undefined} without quotes` : undefined
  }
  if (typeof value !== "string") return undefined
  const number = type === "number" || type === "integer" ? readAmount(value, breach.pointer) : undefined
  return number && (type === "number" || !number.includes(".")) ? `write ${number} without quotes` : undefined
}

/** How to write a number, or true or false, that stands in the place of a text. */
function hintForText(breach: Breach, value: number | boolean): string | undefined {
  const { schema, pointer } = breach
  if (schema.const !== undefined) return `write ${quoted(schema.const)}`
  if (schema.enum) return hintForChoices(schema.enum)
  const written = breach.source()
  if (schema.format)
    return (
      (typeof value === "number" ? hintForSerialDay(schema.format, value) : undefined) ??
      FORMATS[schema.format]?.(written)?.hint
    )
  if (written.length > LONGEST) return "put it in double quotes"
  // Spreadsheets write long codes with an exponent, and drop digits.
  if (/\de/i.test(written)) return "write it in quotes, with all its digits and without an exponent"
  const code = hintForCode(written, pointer.slice(pointer.lastIndexOf("/") + 1))
  return code === undefined ? `write it in quotes: "${written}"` : code
}

/** For a number in the place of a date: spreadsheets count days and show them as dates. */
function hintForSerialDay(format: string, value: number): string | undefined {
  const day = serialDay(value)
  if (!day || !(format === "date" || format === "date-time")) return undefined
  if (format === "date") return `in a spreadsheet this number is ${day}: write "${day}"`
  const time = serialTime(value)
  return `in a spreadsheet this number is ${time ? `${day} ${time}: write it with its` : `${day}: write it with a time and its`} offset, such as "${day}T${time ?? "09:30:00"}+10:00"`
}

/** Hints for codes of digits, which lose their leading zeros as numbers. Zeros are added where only one code fits. */
function hintForCode(written: string, field: string): string | undefined {
  const inQuotes = (code: string) => `write it in quotes: "${code}"`
  if (field === "postalCode" && /^\d{1,3}$/.test(written))
    return written.length === 3 ? inQuotes(`0${written}`) : "write its four digits in quotes"
  if (field === "bsb")
    return /^[1-9]\d{4,5}$/.test(written)
      ? inQuotes(written.padStart(6, "0").replace(/^.../, "$&-"))
      : "write it in quotes: three digits, a hyphen, three digits"
  if (field === "phone") {
    // Area codes are 02, 03, 07 and 08, and mobile numbers start with 04.
    if (/^[23478]\d{8}$/.test(written)) return inQuotes(`0${written}`)
    if (/^61[23478]\d{8}$/.test(written)) return inQuotes(`+${written}`)
  }
  if (field === "accountNumber" && /^\d+$/.test(written))
    return `${inQuotes(written)}, with any zeros that it starts with`
  return undefined
}

/** Signs of the money or the percent; blanks that group digits, also those that do not break lines. */
const SIGNS = /^(?:AUD|AU\$|A?\$)|(?:AUD|%)$|[\s\u00a0\u202f']/gi
const RATES = /(?:Rate|Percent)$/
const AMOUNTS = /(?:amount|price|total)$/i

/** The number in a text such as `$1,204.50`, `1.204,50`, `(19.99)` or `19,99`; undefined where it could be another. */
function readAmount(text: string, pointer: string): string | undefined {
  const trimmed = text.slice(0, LONGEST + 1).trim()
  // A percentage is not an amount of dollars, nor the other way round.
  if (/%/.test(trimmed) && !RATES.test(pointer)) return undefined
  if (/\$|AUD/i.test(trimmed) && !AMOUNTS.test(pointer)) return undefined
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

/** Why there is only one choice. */
const ONLY: Readonly<Record<string, string>> = {
  AUD: "all amounts are in Australian dollars",
  AU: "the contract allows Australia only",
  ABN: "the contract allows the ABN only",
}

function explainChoice(breach: Breach): Clause {
  const { enum: choices = [] } = breach.schema
  const meant = isBlank(breach.value) ? hintForBlank(breach.pointer) : undefined
  const [only = ""] = choices
  if (choices.length === 1)
    return {
      clause: describeOnlyChoice(breach, only),
      hint: meant ?? suggestChoice(breach.value, choices) ?? ONLY[only],
    }
  if (choices.length > MOST_CHOICES)
    return {
      clause: `${showValue(breach)} is not one of the ${choices.length} codes allowed here`,
      hint: meant ?? suggestChoice(breach.value, choices) ?? hintForChoices(choices),
    }
  return {
    clause: `${showValue(breach)} is not one of ${choices.map(quoted).join(", ")}`,
    hint: meant ?? suggestChoice(breach.value, choices),
  }
}

function hintForChoices(choices: readonly string[]): string {
  const [only, ...others] = choices
  if (others.length === 0) return `write ${quoted(only)}`
  return choices.length > MOST_CHOICES
    ? `common codes are ${COMMON_UNITS}`
    : `write one of ${choices.map(quoted).join(", ")}`
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === ""
}

function describeOnlyChoice(breach: Breach, only: string | undefined): string {
  return `${showValue(breach)} is not allowed, only ${quoted(only)} is`
}

function suggestChoice(value: unknown, choices: readonly string[]): string | undefined {
  const meant = findChoice(value, choices)
  return meant && `did you mean ${quoted(meant)}?`
}

/** The choice that was meant: in another case or other words, by its beginning, or with a slip of the finger. */
function findChoice(value: unknown, choices: readonly string[]): string | undefined {
  if (typeof value !== "string") return undefined
  const text = value.trim().toLowerCase()
  const same = choices.find((choice) => choice.toLowerCase() === text) ?? choiceFor(value, choices)
  if (same) return same
  // Among short codes, one letter makes another meaning: DAT is not DAF, and PAL is not PL.
  const words = choices.filter((choice) => choice.length >= SHORTEST_WORD)
  const begun = text.length >= 3 ? words.filter((choice) => choice.toLowerCase().startsWith(text)) : []
  return begun.length === 1 ? begun[0] : suggest(text, words, mostSlips(text))
}

const SHORTEST_WORD = 5

/** Counted one by one: a list of a huge text's characters could be too large to make. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function explainDecimals(breach: Breach): Clause {
  const places = placesOf(breach.schema)
  const plain = expandExponent(breach.source())
  return {
    clause: `${showValue(breach)} has more than ${places} decimals`,
    hint: /^-?\d{1,40}\.\d{1,40}$/.test(plain ?? "")
      ? `rounded, it is ${roundTo(plain ?? "", places)}`
      : undefined,
  }
}

/** A number as it is written, or `12345E-3` as 12.345; undefined for too many digits to be read. */
function expandExponent(written: string): string | undefined {
  const [, exponent] = /e([+-]?\d+)$/i.exec(written) ?? []
  if (exponent === undefined) return written
  if (written.length > LONGEST || Math.abs(Number(exponent)) > LONGEST) return undefined
  const { units, places } = decimalOf(written)
  const digits = String(units)
    .replace("-", "")
    .padStart(places + 1, "0")
  const decimals = places > 0 ? `.${digits.slice(-places)}` : ""
  return `${units < 0n ? "-" : ""}${places > 0 ? digits.slice(0, -places) : digits}${decimals}`
}

function roundTo(written: string, places: number): string {
  const units = String(unitsAt(decimalOf(written), places))
    .replace("-", "")
    .padStart(places + 1, "0")
  const sign = written.startsWith("-") && /[1-9]/.test(units) ? "-" : ""
  return `${sign}${units.slice(0, -places)}.${units.slice(-places)}`
}

/** A value as a message quotes it: short, and harmless on a terminal. */
function showValue({ value, source }: Breach): string {
  if (typeof value === "string") return `the text ${quoted(value)}`
  if (typeof value === "number") {
    const written = source()
    const plain = expandExponent(written)
    return safeText(written, LONGEST) + (plain === undefined || plain === written ? "" : ` (${plain})`)
  }
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" && value !== null ? "an object" : String(value)
}
