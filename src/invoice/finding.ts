/** What invoices are checked for, and what checking them finds. */
import type { AddressJudge } from "../contract/place-doubts.ts"
import type { Answer } from "../contract/explain/advice.ts"
import { safeText } from "../base/safe-text.ts"
import { toPointer } from "../input/json/pointer.ts"
import type { Edit, Finding, Fix, Severity } from "./library-types.d.ts"
import type { Overview } from "./overview.ts"
import type { KnownSupplier } from "./accounting/known-supplier.ts"

export type { Edit, Finding, Fix, Severity } from "./library-types.d.ts"

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
  /** The list of places, where it is loaded; without it addresses are not judged. */
  places?: AddressJudge | undefined
  /** The day of the check, such as `2026-11-20`: drafts are compared with it. Without it no date is. */
  today?: string | undefined
  /** The saved suppliers, with whose bank accounts those of documents are compared. */
  suppliers?: readonly KnownSupplier[] | undefined
}

/** The right answer to a finding: of the contract or accounting, or the edit of what is not JSON yet. */
export type FindingAnswer = Answer | { safety: Fix["safety"]; edit: Edit }

/** A finding as reports show it; its column counts bytes where the report asks for that. */
export interface ReportedFinding extends Finding {
  /** Only where the report asks for it; with regions, where it asks for those. */
  fix?: Omit<Fix, "edits"> & { edits: (Edit & { region?: Region })[] }
  /** The line of the place and a mark under it, as two lines; only where the report asks for it. */
  excerpt?: string
}

/** Where an edit starts and ends: from 1, columns as those of the finding. */
export interface Region {
  startLine: number
  startColumn: number
  endLine: number
  endColumn: number
}

/** The place of a finding as one pointer: a missing, unknown or repeated property has one too. */
export function getFullPointer({ pointer, property }: Pick<Finding, "pointer" | "property">): string {
  return property === undefined ? pointer : pointer + toPointer([property])
}

/** The name of an input as people read it. */
export function formatFileName(file: string): string {
  return file === "-" ? "standard input" : safeText(file, 1000)
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
  /** Which invoice it is about, with the overview. */
  identity?: { supplierId: string; invoiceNumber: string; isUpdate?: true; isDeletion?: true }
}

/** Where a rule was broken: how many files and documents, and the first of them. */
export interface RulePlaces {
  files: number
  documents: number
  firstFiles: readonly string[]
  /** Of documents in files that hold several. */
  firstIndexes: readonly number[]
}

/** The counts of a whole run. */
export interface Summary {
  documents: number
  /** How many of them are empty files. */
  empty: number
  valid: number
  invalid: number
  /** How many were checked as drafts. */
  drafts: number
  errors: number
  warnings: number
  /** How many findings each rule has. */
  byRule: Record<string, number>
  /** Where each rule was broken. */
  places?: Readonly<Record<string, RulePlaces>>
  /** How many findings have one right answer, which `--fix` writes. */
  fixable?: number
  /** Inputs that could not be read, and why. */
  unreadable: { file: string; reason: string }[]
  /** Of a list: how many documents another one takes the place of, and what is said of them. */
  replaced?: { documents: number; notes: readonly string[] }
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
  /** What follows where the report is not text: a workbook. */
  rest?(): AsyncIterable<Uint8Array>
}
