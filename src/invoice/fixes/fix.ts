/** Fixes documents as far as there is one right answer, and no further. */
import type { Buffer } from "node:buffer"
import { findElements, type JsonDocument, readJson, type Span } from "../../input/index.ts"
import { collectBroken } from "../accounting/books.ts"
import { AMOUNT_RULES } from "../accounting/rules.ts"
import { workOutTotals } from "../accounting/totals.ts"
import { decodeText, findShape, type InputKind, readLines } from "../documents.ts"
import { examineDocument, type LocatedFinding } from "../examine.ts"
import type { Edit, ExamineOptions } from "../finding.ts"
import { chooseEdits, createByteCounter, findEdits, insertMember, replaceValue } from "./edits.ts"
import { applyEdits, composeEdits } from "./splice.ts"

export interface FixSettings {
  examine: ExamineOptions
  /** Whether the totals of the summary are worked out from the lines too. */
  totals: boolean
}

/**
 * Fixes the documents of a file: one, a list of them, or one on each line.
 * @param input what the file holds, if a person said so
 * @returns edits of the file, in bytes and in order
 */
export function fixFile(
  file: string,
  bytes: Buffer,
  settings: FixSettings,
  input: InputKind | undefined,
): Edit[] {
  const shape = findShape(file, bytes, input)
  const edits: Edit[] = []
  for (const read of shape === "lines" ? readLines(bytes) : [decodeText(bytes)]) {
    if (!("text" in read)) continue
    const { text, before } = read
    const toBytes = createByteCounter(text, before.bytes + before.mark)
    const documents = shape === "list" ? findSoundElements(text) : undefined
    for (const { start, end } of documents ?? [{ start: 0, end: text.length }])
      for (const edit of fixDocument(text.slice(start, end), settings))
        edits.push(toBytes({ ...edit, offset: start + edit.offset }))
  }
  return edits
}

/** The documents of a list. In invalid JSON the end of a document is unknown. */
function findSoundElements(text: string): Span[] | undefined {
  const elements = findElements(text)
  return elements?.every(({ start, end }) => !readJson(text.slice(start, end)).syntaxError)
    ? elements
    : undefined
}

/** A fix may reveal other errors: a field that is renamed, then the amount in it. */
const MAX_ROUNDS = 20

/** @returns edits of the text in UTF-16 code units, in order; empty if there is nothing to fix */
export function fixDocument(text: string, { examine, totals }: FixSettings): Edit[] {
  let fixed = text
  let edits: Edit[] = []
  const make = (next: readonly Edit[]): void => {
    edits = composeEdits(edits, next, text.length)
    fixed = applyEdits(fixed, next)
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const document = readJson(fixed)
    const findings = examineDocument(document, examine)
    const safe = findSafeEdits(document, findings)
    const wrong = safe.length > 0 || !totals ? [] : findWrongTotals(document, findings)
    if (safe.length === 0 && wrong.length === 0) break
    make(safe)
    for (const { field, literal } of wrong) make(writeTotal(readJson(fixed), field, literal))
  }
  return edits
}

function findSafeEdits(document: JsonDocument, findings: readonly LocatedFinding[]): Edit[] {
  return chooseEdits(
    findings.flatMap((finding) =>
      finding.answer?.safety === "safe" ? [findEdits(finding, finding.answer, document)] : [],
    ),
  )
}

const LINES = "/data/lineItems"
const SUMMARY = "/data/invoiceSummary"

/** All missing or wrong totals. Empty if the amounts of the lines are wrong themselves. */
function findWrongTotals(
  document: JsonDocument,
  findings: readonly LocatedFinding[],
): ReturnType<typeof workOutTotals> {
  const isDoubtful = findings.some(({ rule, pointer }) => {
    if (rule.startsWith("json/")) return true
    const isAboutAmounts = rule.startsWith("contract/") || AMOUNT_RULES.has(rule)
    return isAboutAmounts && `${pointer}/`.startsWith(`${LINES}/`)
  })
  if (isDoubtful) return []
  const broken = collectBroken(findings.filter(({ rule }) => rule.startsWith("contract/")))
  return workOutTotals(document, broken)
}

function writeTotal(document: JsonDocument, field: string, literal: string): Edit[] {
  const value = document.findSpan(`${SUMMARY}/${field}`)
  return value
    ? [replaceValue(value, literal)]
    : insertMember(document, SUMMARY, `${JSON.stringify(field)}: ${literal}`)
}
