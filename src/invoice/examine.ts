/** Finds everything that is wrong with one invoice document, and puts it into words. */
import {
  getValueAt,
  isIn,
  type JsonDocument,
  type JsonError,
  parsePointer,
  readJson,
} from "../input/index.ts"
import type { RuleFinding } from "./accounting/rule.ts"
import { explainContractError } from "./explain/contract.ts"
import { explainOtherDocument } from "./explain/whole.ts"
import type { ExamineOptions, Finding, FindingAnswer, Severity } from "./finding.ts"
import { isAgreed, keepAgreed } from "./fixes/agreement.ts"
import { findEdits } from "./fixes/edits.ts"
import { applyEdits } from "./fixes/splice.ts"
import { describePlace } from "./labels.ts"
import { EDITOR_SCHEMA } from "./schema.ts"
import { type ContractError, findViolations, type Violations } from "./violations.ts"

export interface LocatedFinding extends Finding {
  /** In the document's text, from 0, in UTF-16 code units. */
  offset: number
  /** The fix of the hint, if it can be put into the text. */
  answer?: FindingAnswer
}

/**
 * The findings of a document in the order of its text, each once. A text that is not JSON has one finding, its first error.
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

/**
 * The findings of a document that has been read. Without findings, nothing is located or put into words.
 * @param violations of the document, if they are known
 */
export function examineDocument(
  document: JsonDocument,
  options: ExamineOptions,
  violations = findViolations(document, options),
): readonly LocatedFinding[] {
  const examineNext = (next: JsonDocument) => describeViolations(next, options, findViolations(next, options))
  if (!document.syntaxError)
    return keepAgreed(document, describeViolations(document, options, violations), examineNext)
  const { repaired, starts } = repairSyntax(document) ?? {}
  const isSafe = repaired !== undefined && isAgreed(repaired, starts ?? [], examineNext)
  return document.findErrors().map((error) => toFinding(error, isSafe))
}

/** The findings of a document; its statements about an amount are believed. */
function describeViolations(
  document: JsonDocument,
  options: ExamineOptions,
  violations: Violations | undefined,
): LocatedFinding[] {
  if (!violations) return []
  const { stage, jsonErrors, contractErrors, warnings } = violations
  const jsonFindings = jsonErrors.map((error) => toFinding(error))
  if (document.syntaxError) return jsonFindings
  const other = contractErrors.length === 0 ? undefined : explainOtherDocument(document.value)
  if (other) {
    const { keyword, ...explained } = other
    const whole = { rule: `contract/${keyword}`, severity: "error", pointer: "", ...explained } as const
    return [locate(document, whole), ...jsonFindings]
  }
  const found = [
    ...jsonFindings,
    ...contractErrors.map((error): LocatedFinding => {
      const { keyword, pointer, property } = error
      const value = getValueAt(document.value, parsePointer(pointer))
      const explained = explainContractError(error, value, () => document.sourceOf(pointer) ?? "")
      const named = property === undefined ? {} : { property }
      const isWarning = stage === "draft" && !options.strict && namesEditorSchema(error, value)
      const severity = isWarning ? "warning" : "error"
      return locate(document, { rule: `contract/${keyword}`, severity, pointer, ...named, ...explained })
    }),
    ...warnings.flatMap((warning) => {
      const severity = getSeverity(warning.rule, options)
      return severity === "off" ? [] : [locate(document, { ...warning, severity })]
    }),
  ]
  if (jsonErrors.length > 0) dropDoubtfulAnswers(found, jsonErrors)
  return found.sort((one, other) => one.offset - other.offset)
}

/** People write drafts in editors, which read the schema from this field. It has to go before the draft is sent. */
function namesEditorSchema({ pointer, property }: ContractError, document: unknown): boolean {
  return pointer === "" && property === EDITOR_SCHEMA && typeof Object(document)[EDITOR_SCHEMA] === "string"
}

/** In an object that repeats a name, it is unknown which of the two counts. */
function dropDoubtfulAnswers(found: LocatedFinding[], repetitions: readonly JsonError[]): void {
  const places = new Set(repetitions.map(({ pointer }) => pointer))
  for (const finding of found) if (isIn(finding.pointer, places)) delete finding.answer
}

/** A rule that is set by name keeps its level, with or without `strict`. */
function getSeverity(
  rule: string,
  { rules, strict }: Pick<ExamineOptions, "rules" | "strict">,
): Severity | "off" {
  return (Object.hasOwn(rules, rule) ? rules[rule] : undefined) ?? (strict ? "error" : "warning")
}

/** Syntax errors of one text that are repaired, at most. */
const MAX_REPAIRS = 20

/**
 * Repairs the syntax errors of a JSON text, and gives the offsets of the repaired numbers. Undefined if that fails: the
 * first error may then mean something else.
 */
function repairSyntax(document: JsonDocument): { repaired: JsonDocument; starts: number[] } | undefined {
  const starts: number[] = []
  let next = document
  for (let repairs = 0; next.syntaxError; repairs++) {
    const { repair } = next.syntaxError
    if (!repair || repairs === MAX_REPAIRS) return undefined
    // Errors come in the order of the text, so later repairs move none of these.
    if (/^-?\d/.test(repair.text)) starts.push(repair.offset)
    next = readJson(applyEdits(next.text, [repair]))
  }
  return { repaired: next, starts }
}

/** @param isSafe whether the repair of a syntax error, if there is one, leaves no choice */
function toFinding({ message, property, repair, ...error }: JsonError, isSafe = false): LocatedFinding {
  const safety = isSafe ? "safe" : "suggestion"
  const answer = repair && { answer: { safety, edit: repair } as const }
  if (property === undefined) return { severity: "error", ...error, message, ...answer }
  return { severity: "error", ...error, property, message: `${describePlace(error.pointer)}: ${message}` }
}

function locate(
  document: JsonDocument,
  {
    hint,
    answer,
    ...finding
  }: Omit<Finding, "line" | "column" | "hint"> & Pick<RuleFinding, "hint" | "answer">,
): LocatedFinding {
  const position = document.locate(finding.pointer, finding.property)
  return {
    ...finding,
    ...(hint !== undefined && { hint }),
    ...(answer && { answer }),
    ...(position ?? { line: 1, column: 1, offset: 0 }),
  }
}
