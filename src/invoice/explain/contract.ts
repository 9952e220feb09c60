/** Explanations of contract errors that only invoices have: other words, blanks, codes, and the place of a field. */
import { quoted } from "../../base/parsed.ts"
import {
  type Advice,
  adviseCode,
  adviseLiteral,
  adviseText,
  type DocumentKind,
  type ErrorInContext,
  explainError,
  type Explanation,
  MAX_CHOICES,
} from "../../contract/index.ts"
import { isNoValue } from "../../base/nothing.ts"
import { safeText } from "../../base/safe-text.ts"
import { describeField, describePlace } from "../labels.ts"
import { getField, getSchemaAt } from "../schema.ts"
import type { ContractError } from "../violations.ts"
import { COMMON_UNITS, findMeantChoice, findUnit } from "./choices.ts"
import { formatSerialDay, formatSerialTime } from "./dates.ts"
import {
  adviseBlank,
  explainMissingField,
  explainUnknownField,
  hintForObject,
  writeSample,
} from "./fields.ts"
import { FORMATS } from "./formats.ts"

/** The finding for an error. @param source the value as it is written */
export function explainContractError(
  error: ContractError,
  value: unknown,
  source: () => string,
): Explanation {
  const { keyword, pointer, property = "", params } = error
  const { type, properties = {} } = getSchemaAt(pointer)
  const place = describePlace(pointer)
  return explainError({
    keyword,
    pointer,
    property,
    value,
    source,
    // For ajv a whole number is a number, and it does not list the known names.
    params: { ...params, ...(keyword === "type" && { type }), known: Object.keys(properties) },
    place: {
      say: (says) => `${place}: ${says}`,
      sayMissing: (name) =>
        `${place}: ${describeField(name) || "the invoice itself"} ${isList(pointer, name) ? "are" : "is"} missing`,
      sayUnknown: (name) => `${place}: there is no field ${quoted(name)} here`,
    },
    kind: INVOICE,
  })
}

function isList(pointer: string, name: string): boolean {
  return getField(getSchemaAt(pointer), name)?.type === "array"
}

const INVOICE: DocumentKind = {
  keywords: {
    required: explainMissingField,
    dependentRequired: explainMissingField,
    additionalProperties: explainUnknownField,
    format: explainFormat,
    minItems: explainFewItems,
  },
  adviseAbsent,
  adviseType,
  findMeantChoice,
  adviseAnyChoice(choices, value) {
    if (typeof value === "string" && /^adjustments?$/i.test(value.trim()) && choices.includes("creditMemo"))
      return {
        hint: 'write "creditMemo" where it reduces an earlier invoice, "debitMemo" where it increases one',
      }
    const [only = "", ...others] = choices
    if (others.length === 0) return { hint: ONLY[only] }
    return choices.length > MAX_CHOICES ? { hint: `common codes are ${COMMON_UNITS}` } : undefined
  },
}

/** Why there is only one choice. */
const ONLY: Readonly<Record<string, string>> = {
  AUD: 'all amounts are in Australian dollars: convert them, then write "AUD"',
  AU: "the contract allows Australia only",
  ABN: "the contract allows the ABN only",
}

function explainFormat(error: ErrorInContext): Explanation {
  const found = FORMATS[String(error.params.format)]?.(String(error.value))
  const { message, ...advice } = found ?? { message: "has the wrong form" }
  return { message: error.place.say(message), ...(adviseAbsent(error) ?? advice) }
}

function explainFewItems({ value, params, place, pointer }: ErrorInContext): Explanation {
  if (Array.isArray(value) && value.length > 0)
    return {
      message: place.say(`${value.length} entries are fewer than ${params.limit}`),
      hint: "add what is missing",
    }
  const { items } = getSchemaAt(pointer)
  const sample = items ? `: ${writeSample(items, true)}` : ""
  return { message: place.say("the list is empty"), hint: `write at least one entry in it${sample}` }
}

/** The advice for a placeholder; an empty list is how PHP writes an object without fields. */
function adviseAbsent({ value, pointer }: ErrorInContext): Advice | undefined {
  if (pointer === "") return undefined
  const isEmpty = Array.isArray(value) ? value.length === 0 : value === null
  if (isEmpty || (typeof value === "string" && value.trim() === "")) return adviseBlank(pointer)
  if (typeof value !== "string" || !isNoValue(value)) return undefined
  const { hint, answer } = adviseBlank(pointer)
  // The field may have been meant to be filled in.
  return answer
    ? { hint, answer: { ...answer, safety: "suggestion" } }
    : { hint: "write the value: the contract needs this field" }
}

/** How to write a value of the wrong type, if that depends on the field. */
function adviseType(type: string, error: ErrorInContext): Advice | undefined {
  const { value, pointer } = error
  if (Array.isArray(value))
    return pointer === "" && value.length > 1
      ? { hint: "give each invoice as a document of its own, without [ ] around it" }
      : undefined
  if (type === "object" && pointer !== "")
    return adviseTerms(error) ?? { hint: hintForObject(getSchemaAt(pointer)) }
  if (typeof value === "string") {
    if (type === "array") return adviseList(error, value)
    return type === "number" && pointer.endsWith("/quantity") ? adviseQuantity(value) : undefined
  }
  return type === "string" && (typeof value === "number" || typeof value === "boolean")
    ? adviseQuotes(error, value)
    : undefined
}

/** `12 kg` in the place of a quantity. */
function adviseQuantity(text: string): Advice | undefined {
  const [, count, unit = ""] = /^(\d{1,9}(?:\.\d{1,2})?)\s*(\p{L}[\p{L}\d.²³]*)$/u.exec(text.trim()) ?? []
  if (count === undefined || findUnit(unit) === undefined) return undefined
  return adviseLiteral(count, {
    safety: "suggestion",
    more: " without quotes, and the unit in unitOfMeasure",
  })
}

/** A list written as one text: `A1, A2`. */
function adviseList({ pointer }: ErrorInContext, text: string): Advice | undefined {
  if (getSchemaAt(pointer).items?.type !== "string" || text.length > MAX_LIST_LENGTH) return undefined
  const texts = text.split(/[,;|\r\n]/).flatMap((each) => each.trim() || [])
  const list = `[${texts.map((each) => JSON.stringify(each)).join(", ")}]`
  return adviseLiteral(list, { safety: texts.length === 1 ? "safe" : "suggestion" })
}

/** Longer texts are not quoted when they are split. */
const MAX_LIST_LENGTH = 200

function adviseTerms({ pointer, value }: ErrorInContext): Advice | undefined {
  if (typeof value !== "string" || pointer !== "/data/paymentTerms") return undefined
  const days = /^\s*(?:net\s+)?(\d{1,3})(?:\s*days?)?(?:\s+net)?\s*$/i.exec(value)?.[1]
  const terms = days === undefined ? `"description": ${JSON.stringify(value)}` : `"netDays": ${Number(days)}`
  return adviseLiteral(safeText(`{ ${terms} }`, MAX_LIST_LENGTH), { safety: "suggestion" })
}

/** How to write a number, or true or false, in the place of a text that is one of some, a date or an id. */
function adviseQuotes({ pointer, source }: ErrorInContext, value: number | boolean): Advice | undefined {
  const {
    const: only,
    enum: choices = only === undefined ? [] : [String(only)],
    format,
  } = getSchemaAt(pointer)
  const [first = "", ...others] = choices
  if (choices.length > MAX_CHOICES) return { hint: `common codes are ${COMMON_UNITS}` }
  if (others.length > 0) return { hint: `write one of ${choices.map(quoted).join(", ")}` }
  if (choices.length > 0) return adviseText(first, { safety: "suggestion" })
  if (format === undefined) return adviseCode(source(), pointer)
  const { hint, answer } = FORMATS[format]?.(source()) ?? {}
  return (typeof value === "number" ? adviseSerialDay(format, value) : undefined) ?? { hint, answer }
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
