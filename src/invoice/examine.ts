/** Finds everything that is wrong with one invoice document, and puts it into words. */
import { getValueAt, isIn, parsePointer } from "../json/pointer.ts"
import { type JsonDocument, type JsonError, readJson } from "../json/read.ts"
import { checkAccounting } from "./accounting/rules.ts"
import {
  type Advice,
  type Answer,
  type ExamineOptions,
  type Finding,
  getFullPointer,
  type Severity,
} from "./finding.ts"
import { isAgreed, keepAgreed } from "./fixes/agreement.ts"
import { findEdits } from "./fixes/edits.ts"
import { applyEdits } from "./fixes/splice.ts"
import { CanonicalInvoice, DraftInvoice } from "./generated/validators.js"
import type { SchemaError } from "./judge.ts"
import { type ContractError, describePlace, EDITOR_SCHEMA, getSchemaAt, MANAGED_FIELDS } from "./schema.ts"
import { explainContractError } from "./words/contract.ts"
import { explainOtherDocument } from "./words/whole.ts"

export interface LocatedFinding extends Finding {
  /** In the document's text, from 0, in UTF-16 code units. */
  offset: number
  /** What the hint says, where it can be put into the text. */
  answer?: Answer
}

const NO_ERRORS: readonly ContractError[] = []
const NO_POINTERS: ReadonlySet<string> = new Set()

/**
 * The findings of a document in the order of its text, each once. What is not JSON has one finding, its first error.
 * Never throws, whatever the text.
 * @param mark characters before the document: 1 for a byte order mark
 */
export function examine(
  text: string,
  options: ExamineOptions,
  mark = text.startsWith("\ufeff") ? 1 : 0,
): Finding[] {
  const document = readJson(text.slice(mark))
  return examineDocument(document, options).map(({ offset: _, answer, ...finding }) => {
    const edits = answer ? findEdits(finding, answer, document) : []
    if (!answer || edits.length === 0) return finding
    const moved = edits.map((edit) => ({ ...edit, offset: edit.offset + mark }))
    return { ...finding, fix: { safety: answer.safety, edits: moved } }
  })
}

/** The findings of a document that has been read. Of one without findings nothing is located or put into words. */
export function examineDocument(document: JsonDocument, options: ExamineOptions): readonly LocatedFinding[] {
  const examineNext = (next: JsonDocument) => findAll(next, options)
  if (!document.syntaxError) return keepAgreed(document, findAll(document, options), examineNext)
  const { repaired, starts } = repairSyntax(document) ?? {}
  const isSafe = repaired !== undefined && isAgreed(repaired, starts ?? [], examineNext)
  return document.findErrors().map((error) => toFinding(error, isSafe))
}

/** The findings of a document; what it says of an amount is believed. */
function findAll(document: JsonDocument, options: ExamineOptions): LocatedFinding[] {
  const jsonErrors = document.findErrors()
  if (document.syntaxError) return jsonErrors.map((error) => toFinding(error))
  const stage = isDraft(document, options.stage) ? "draft" : "canonical"
  const errors = findContractErrors(document, stage)
  const wrong = jsonErrors.length === 0 ? errors : [...errors, ...jsonErrors]
  const broken = wrong.length === 0 ? NO_POINTERS : new Set(wrong.map(getFullPointer))
  const warnings = options.accounting ? checkAccounting(document, broken, stage === "draft") : []
  if (errors.length === 0 && warnings.length === 0 && jsonErrors.length === 0) return []
  const other = errors.length === 0 ? undefined : explainOtherDocument(document.value)
  if (other) {
    const { keyword, ...told } = other
    const whole = { rule: `contract/${keyword}`, severity: "error", pointer: "", ...told } as const
    return [locate(document, whole), ...jsonErrors.map((error) => toFinding(error))]
  }
  const found = [
    ...jsonErrors.map((error) => toFinding(error)),
    ...errors.map((error): LocatedFinding => {
      const { keyword, pointer, property } = error
      const value = getValueAt(document.value, parsePointer(pointer))
      const said = explainContractError({
        ...error,
        schema: getSchemaAt(pointer),
        value,
        source: () => document.sourceOf(pointer) ?? "",
      })
      const named = property === undefined ? {} : { property }
      const isWarning = stage === "draft" && !options.strict && namesEditorSchema(error, value)
      const severity = isWarning ? "warning" : "error"
      return locate(document, { rule: `contract/${keyword}`, severity, pointer, ...named, ...said })
    }),
    ...warnings.flatMap((warning) => {
      const severity = getSeverity(warning.rule, options)
      return severity === "off" ? [] : [locate(document, { ...warning, severity })]
    }),
  ]
  if (jsonErrors.length > 0) dropDoubtfulAnswers(found, jsonErrors)
  return found.sort((one, other) => one.offset - other.offset)
}

/** People write drafts in editors, which want to be told the schema; it has to go before the draft is sent. */
function namesEditorSchema({ pointer, property }: ContractError, document: unknown): boolean {
  return pointer === "" && property === EDITOR_SCHEMA && typeof Object(document)[EDITOR_SCHEMA] === "string"
}

/** In an object that repeats a name, it is unknown which of the two counts. */
function dropDoubtfulAnswers(found: LocatedFinding[], repetitions: readonly JsonError[]): void {
  const places = new Set(repetitions.map(({ pointer }) => pointer))
  for (const finding of found) if (isIn(finding.pointer, places)) delete finding.answer
}

/** Whether a document is checked as a draft. */
export function isDraft({ value }: Pick<JsonDocument, "value">, stage: ExamineOptions["stage"]): boolean {
  if (stage !== "auto") return stage === "draft"
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  return !MANAGED_FIELDS.some((name) => Object.hasOwn(value, name))
}

/** A rule that is set by name keeps what it is set to, `strict` or not. */
export function getSeverity(
  rule: string,
  { rules, strict }: Pick<ExamineOptions, "rules" | "strict">,
): Severity | "off" {
  return (Object.hasOwn(rules, rule) ? rules[rule] : undefined) ?? (strict ? "error" : "warning")
}

/** Syntax errors of one text that are repaired, at most. */
const MOST_REPAIRS = 20

/**
 * A text as JSON once its syntax errors are repaired, and where in it the numbers start that were repaired. Undefined
 * where that cannot be done: then the first error may mean something else.
 */
function repairSyntax(document: JsonDocument): { repaired: JsonDocument; starts: number[] } | undefined {
  const starts: number[] = []
  let next = document
  for (let repairs = 0; next.syntaxError; repairs++) {
    const { repair } = next.syntaxError
    if (!repair || repairs === MOST_REPAIRS) return undefined
    // Errors come in the order of the text, so later repairs move none of these.
    if (/^-?\d/.test(repair.text)) starts.push(repair.offset)
    next = readJson(applyEdits(next.text, [repair]))
  }
  return { repaired: next, starts }
}

/** @param isSafe whether the repair of a syntax error, where there is one, leaves no choice */
function toFinding({ message, property, repair, ...error }: JsonError, isSafe = false): LocatedFinding {
  const safety = isSafe ? "safe" : "suggestion"
  const answer = repair && { answer: { safety, edit: repair } as const }
  if (property === undefined) return { severity: "error", ...error, message, ...answer }
  return { severity: "error", ...error, property, message: `${describePlace(error.pointer)}: ${message}` }
}

function locate(
  document: JsonDocument,
  { hint, answer, ...finding }: Omit<Finding, "line" | "column" | "hint"> & Advice,
): LocatedFinding {
  const position = document.locate(finding.pointer, finding.property)
  return {
    ...finding,
    ...(hint !== undefined && { hint }),
    ...(answer && { answer }),
    ...(position ?? { line: 1, column: 1, offset: 0 }),
  }
}

/**
 * Everything in a document that the contract does not allow, each once and in no particular order. A value of the
 * wrong type is reported for its type alone.
 * @param document one that is JSON
 */
export function findContractErrors(
  document: JsonDocument,
  stage: "canonical" | "draft",
): readonly ContractError[] {
  const validate = stage === "draft" ? DraftInvoice : CanonicalInvoice
  if (validate.call(document, document.value)) return NO_ERRORS
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "if").map(toContractError)
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === "type").map(({ pointer }) => pointer))
  const found = new Map<string, ContractError>()
  for (const error of errors) {
    const { keyword, pointer, property } = error
    if (keyword === "type" || !mistyped.has(pointer)) found.set(`${keyword} ${pointer} ${property}`, error)
  }
  return [...found.values()]
}

/** How ajv names the property that a keyword is about. */
const PROPERTY_PARAMS: Readonly<Record<string, string>> = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  additionalProperties: "additionalProperty",
}

function toContractError({ keyword, instancePath: pointer, params }: SchemaError): ContractError {
  if (keyword === "wholeNumber") return { keyword: "type", pointer, params }
  const property = params[PROPERTY_PARAMS[keyword] ?? ""]
  return { keyword, pointer, params, ...(typeof property === "string" && { property }) }
}
