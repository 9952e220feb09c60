/** Finds and words everything that is wrong with one invoice document. */
import { pointerOf } from "../json/pointer.ts"
import { type JsonDocument, type JsonProblem, readJson } from "../json/read.ts"
import { accountingFindings } from "./accounting/rules.ts"
import { contractProblems } from "./contract-check.ts"
import type { Finding, Severity } from "./finding.ts"
import type { ExamineOptions } from "./options.ts"
import { placeInWords } from "./place.ts"

interface Located extends Finding {
  /** From 0, in UTF-16 code units. */
  offset: number
}

/**
 * The findings of a document in the order of its text, each once. What is not JSON has one finding, its first fault.
 * Never throws, whatever the text.
 */
export function examine(text: string, options: ExamineOptions): Finding[] {
  return examineDocument(readJson(text), options)
}

/** The findings of a document that has been read. */
export function examineDocument(document: JsonDocument, options: ExamineOptions): Finding[] {
  if (document.problems.length > 0) return inOrder(document.problems.map(jsonFinding))
  const breaches = contractProblems(document, options.stage)
  const broken = new Set(breaches.map(placeOf))
  const contract = breaches.map(({ keyword, ...breach }) =>
    located(document, { rule: `contract/${keyword}`, severity: "error", ...breach }),
  )
  const source = {
    text: (pointer: string) => (document.plainNumbers ? undefined : document.sourceOf(pointer)),
  }
  const remarks = options.accounting ? accountingFindings(document.value, source) : []
  const accounting = remarks.flatMap((remark) => {
    const severity = severityOf(remark.rule, options)
    return severity === "off" || isWithin(placeOf(remark), broken)
      ? []
      : [located(document, { ...remark, severity })]
  })
  return inOrder([...document.duplicateKeys().map(jsonFinding), ...contract, ...accounting])
}

function inOrder(found: Located[]): Finding[] {
  return found
    .sort((one, other) => one.offset - other.offset)
    .map(({ offset: _offset, ...finding }) => finding)
}

/** A rule that is set by name keeps what it is set to, `strict` or not. */
function severityOf(rule: string, { rules, strict }: ExamineOptions): Severity | "off" {
  return (Object.hasOwn(rules, rule) ? rules[rule] : undefined) ?? (strict ? "error" : "warning")
}

function placeOf({ pointer, property }: Pick<Finding, "pointer" | "property">): string {
  return property === undefined ? pointer : pointer + pointerOf([property])
}

/** Whether a place is, or lies in, one that breaks the contract: what the accounts say of it only follows from that. */
function isWithin(place: string, broken: ReadonlySet<string>): boolean {
  let at = place
  while (at !== "" && !broken.has(at)) at = at.slice(0, at.lastIndexOf("/"))
  return broken.has(at)
}

function jsonFinding({ message, property, ...problem }: JsonProblem): Located {
  const named = property !== undefined
  return {
    severity: "error",
    ...problem,
    ...(named && { property }),
    message: named ? `${placeInWords(problem.pointer)}: ${message}` : message,
  }
}

function located(document: JsonDocument, finding: Omit<Finding, "line" | "column">): Located {
  const place = document.locate(finding.pointer, finding.property)
  return { ...finding, ...(place ?? { line: 1, column: 1, offset: 0 }) }
}
