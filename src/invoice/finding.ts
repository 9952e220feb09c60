/** What invoices are checked for, and what checking them finds. */
import { toPointer } from "../json/pointer.ts"
import type { Overview } from "./overview.ts"
import type { Finding, Severity } from "./library-types.d.ts"

export type { Finding, Severity } from "./library-types.d.ts"

export interface ExamineOptions {
  /**
   * A canonical document is whole; a draft may lack what the service fills in. With `auto`, one that has nothing of
   * that is checked as a draft.
   */
  stage: "canonical" | "draft" | "auto"
  /** Whether the accounting rules are checked too. */
  accounting: boolean
  /** Makes every warning an error. */
  strict: boolean
  /** Severities that differ from the usual, by rule: `accounting/abn` → `off`. */
  rules: Readonly<Record<string, Severity | "off">>
}

/** What people are told of a place: what is wrong, and how to fix it where that is plain. */
export interface Explanation {
  message: string
  hint?: string | undefined
}

/** A finding as a report on a terminal shows it. */
export interface ReportedFinding extends Finding {
  /** The line of the place and a mark under it, as two lines; only where the report asks for it. */
  excerpt?: string
}

/** The place of a finding as one pointer: a missing, unknown or repeated property has one too. */
export function getFullPointer({ pointer, property }: Pick<Finding, "pointer" | "property">): string {
  return property === undefined ? pointer : pointer + toPointer([property])
}

/** The verdict on one document. */
export interface DocumentResult {
  file: string
  /** Its position, from 0, in a file that holds several. */
  index?: number
  /** Whether it has no error; warnings may remain. */
  valid: boolean
  /** It was checked as a draft. */
  draft?: true
  findings: readonly ReportedFinding[]
  /** Only where the report asks for it, and of what is JSON. */
  overview?: Overview
}

/** The counts of a whole run. */
export interface Summary {
  documents: number
  valid: number
  invalid: number
  /** How many were checked as drafts. */
  drafts: number
  errors: number
  warnings: number
  /** How many findings each rule has. */
  byRule: Record<string, number>
  /** Inputs that could not be read, and why. */
  unreadable: { file: string; reason: string }[]
  /** There were more invoices than whose numbers can be compared. */
  uncompared?: true
  milliseconds: number
}

/** Writes a report in one format. Called once for each document, in order; prints nothing itself. */
export interface Reporter {
  begin?(): string
  /** In chunks, so that a document with very many findings need not be put together in memory. */
  document(result: DocumentResult): Iterable<string>
  end(summary: Summary): string
}
