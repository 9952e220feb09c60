/** Finds and words everything that is wrong with one invoice document. */
import { type JsonDocument, type JsonProblem, readJson } from "../json/read.ts"
import { accountingFindings } from "./accounting/rules.ts"
import { describeContractError, findContractErrors } from "./contract-check.ts"
import { type Finding, placeOf, type Severity } from "./finding.ts"
import type { ExamineOptions } from "./options.ts"
import { placeInWords } from "./place.ts"

export interface LocatedFinding extends Finding {
  /** In the document's text, from 0, in UTF-16 code units. */
  offset: number
}

const NO_PLACES: ReadonlySet<string> = new Set()

/**
 * The findings of a document in the order of its text, each once. What is not JSON has one finding, its first error.
 * Never throws, whatever the text. A byte order mark may come first.
 */
export function examine(text: string, options: ExamineOptions): Finding[] {
  return examineDocument(readJson(text.replace(/^\ufeff/, "")), options).map(
    ({ offset: _offset, ...finding }) => finding,
  )
}

/** The findings of a document that has been read. Of one without findings nothing is located or put into words. */
export function examineDocument(document: JsonDocument, options: ExamineOptions): LocatedFinding[] {
  if (document.problems.length > 0) return inOrder(document.problems.map(toFinding))
  const repeated = document.duplicateKeys()
  const errors = findContractErrors(document, options.stage)
  const broken = errors.length === 0 ? NO_PLACES : new Set(errors.map(placeOf))
  const remarks = options.accounting ? accountingFindings(document, broken) : []
  if (errors.length === 0 && remarks.length === 0 && repeated.length === 0) return []
  return inOrder([
    ...repeated.map(toFinding),
    ...errors.map((error): LocatedFinding => {
      const { keyword, pointer, property } = error
      const named = property === undefined ? {} : { property }
      const said = describeContractError(document, error)
      return located(document, { rule: `contract/${keyword}`, severity: "error", pointer, ...named, ...said })
    }),
    ...remarks.flatMap((remark) => {
      const severity = severityOf(remark.rule, options)
      return severity === "off" ? [] : [located(document, { ...remark, severity })]
    }),
  ])
}

function inOrder(found: LocatedFinding[]): LocatedFinding[] {
  return found.sort((one, other) => one.offset - other.offset)
}

/** A rule that is set by name keeps what it is set to, `strict` or not. */
function severityOf(rule: string, { rules, strict }: ExamineOptions): Severity | "off" {
  return (Object.hasOwn(rules, rule) ? rules[rule] : undefined) ?? (strict ? "error" : "warning")
}

function toFinding({ message, property, ...problem }: JsonProblem): LocatedFinding {
  const named = property !== undefined
  return {
    severity: "error",
    ...problem,
    ...(named && { property }),
    message: named ? `${placeInWords(problem.pointer)}: ${message}` : message,
  }
}

function located(document: JsonDocument, finding: Omit<Finding, "line" | "column">): LocatedFinding {
  const place = document.locate(finding.pointer, finding.property)
  return { ...finding, ...(place ?? { line: 1, column: 1, offset: 0 }) }
}
