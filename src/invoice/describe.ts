/** The findings of a document as reports show them. Loaded for documents with findings only. */
import { formatExcerpt } from "../input/index.ts"
import type { CheckSettings, DocumentText, CheckedDocument } from "./checked.ts"
import { examineDocument } from "./examine.ts"
import type { Finding, FindingAnswer } from "./finding.ts"
import { createByteCounter, findEdits, joinEdits } from "./fixes/edits.ts"
import { readOverview } from "./overview.ts"
import type { Violations } from "./violations.ts"

/** A document with more findings than this is beyond correcting by excerpts. */
const MAX_EXCERPTS = 200

/** @returns the report on a document, and how many of its findings have one right answer */
export function describeDocument(
  read: DocumentText,
  settings: CheckSettings,
  violations: Violations | undefined,
): Pick<CheckedDocument, "findings" | "overview"> & { fixable: number } {
  const { document, text, start, bytesBefore } = read
  const { fixes, excerpts, overviews } = settings
  const toBytes = fixes && createByteCounter(text, bytesBefore)
  /** The edits of a document, as they are made in the file. */
  const locateFix = (finding: Finding, answer: FindingAnswer) => {
    const found = findEdits(finding, answer, document)
    const edits = (fixes === "joined" ? joinEdits(document.text, found) : found).map((edit) => {
      const moved = { ...edit, offset: start + edit.offset }
      const inBytes = toBytes?.(moved) ?? moved
      if (fixes === "edits") return inBytes
      const first = document.findPosition(edit.offset)
      const last = document.findPosition(edit.offset + edit.length)
      const [startLine, startColumn] = [first.line, first.column]
      return { ...inBytes, region: { startLine, startColumn, endLine: last.line, endColumn: last.column } }
    })
    return edits.length > 0 ? { fix: { safety: answer.safety, edits } } : undefined
  }
  const located = violations ? examineDocument(document, settings.examine, violations) : []
  const findings = located.map(({ offset, answer, ...finding }, at) => ({
    ...finding,
    ...(fixes && answer && locateFix(finding, answer)),
    ...(excerpts && at < MAX_EXCERPTS && { excerpt: formatExcerpt(text, start + offset) }),
  }))
  const isShown = overviews === "all" || (overviews === "found" && findings.length > 0)
  return {
    ...(findings.length > 0 && { findings }),
    ...(isShown && !document.syntaxError && { overview: readOverview(document) }),
    fixable: located.filter(({ answer }) => answer?.safety === "safe").length,
  }
}
