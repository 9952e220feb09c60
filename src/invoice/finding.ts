/** Options of the checks of invoices, and their findings. */
import type { AddressJudge, Advice } from "../contract/index.ts"
import { safeText } from "../base/safe-text.ts"
import { toPointer } from "../input/index.ts"
import type { Overview } from "./overview.ts"
import type { KnownSupplier } from "./accounting/known-supplier.ts"

/**
 * An error breaks the contract; a warning breaks a rule of accounting that the contract does not state. One field that
 * breaks the contract is a warning in a draft: `$schema`, which is for editors.
 */
export type Severity = "error" | "warning"

/** One replacement in the input. */
export interface Edit {
  /** From 0. UTF-16 code units of a text; bytes of bytes and of files, a byte order mark included. */
  offset: number
  /** Length of the replaced text, in the same unit; 0 for an insertion. */
  length: number
  /** JSON that takes its place. */
  text: string
}

/** How a program can fix a finding: make all of its edits, or none. */
export interface Fix {
  /** `safe`: the document determines the one right answer. `suggestion`: a person has to agree. */
  safety: "safe" | "suggestion"
  /** In the order of the text; they do not overlap. Two findings may have the same edits: make those once. */
  edits: Edit[]
}

/** One error or warning in a document, with its place. */
export interface Finding {
  /** `contract/KEYWORD` (a JSON Schema keyword), `json/syntax`, `json/duplicate-key` or `accounting/NAME`. */
  rule: string
  severity: Severity
  /** JSON Pointer of the offending value; of its object if a property is missing, unknown or repeated. */
  pointer: string
  /** The property that is missing, unknown or repeated. */
  property?: string
  /** From 1. */
  line: number
  /** From 1, in characters. */
  column: number
  /** One sentence that begins with the place in words: `line item 3, unit price: …`. */
  message: string
  /** How to fix it, if that is known. */
  hint?: string
  /** The fix of the hint, for a program. */
  fix?: Fix
}

export interface ExamineOptions {
  /**
   * A canonical document is complete; a draft may lack what the service fills in. With `auto`, a document without any
   * of that is checked as a draft.
   */
  stage: "canonical" | "draft" | "auto"
  /** Whether the accounting rules are checked too. */
  accounting: boolean
  strict: boolean
  /** Severities that differ from the usual, by rule: `accounting/abn` → `off`. */
  rules: Readonly<Record<string, Severity | "off">>
  /** The list of places, if it is loaded; without it addresses are not checked. */
  places?: AddressJudge | undefined
  /** The day of the check, such as `2026-11-20`: drafts are compared with it. Without it no date is. */
  today?: string | undefined
  /** The saved suppliers, with whose bank accounts those of documents are compared. */
  suppliers?: readonly KnownSupplier[] | undefined
}

/** The right answer to a finding: from the contract or accounting, or the edit of invalid JSON. */
export type FindingAnswer = NonNullable<Advice["answer"]> | { safety: Fix["safety"]; edit: Edit }

/** A finding in reports; its column is in bytes if the report requests that. */
export interface ReportedFinding extends Finding {
  /** Only if the report requests it; with regions if it requests those. */
  fix?: Omit<Fix, "edits"> & { edits: (Edit & { region?: Region })[] }
  /** The line and a mark below it, as two lines; only if the report requests it. */
  excerpt?: string
}

/** Start and end of an edit: from 1, columns as those of the finding. */
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
  /** Only if the report requests it, and the document is JSON. */
  overview?: Overview
  /** The invoice's identity, with the overview. */
  identity?: { supplierId: string; invoiceNumber: string; isUpdate?: true; isDeletion?: true }
}

/** The places of a rule's findings: number of files and documents, and the first of them. */
export interface RulePlaces {
  files: number
  documents: number
  firstFiles: readonly string[]
  /** Indexes of the first documents of files that hold several. */
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
  /** The places of each rule's findings. */
  places?: Readonly<Record<string, RulePlaces>>
  /** How many findings have one right answer, which `--fix` writes. */
  fixable?: number
  /** Inputs that could not be read, and why. */
  unreadable: { file: string; reason: string }[]
  /** For a list: how many documents are replaced by a later one, and notes about them. */
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
  /** The rest of a report that is not text: a workbook. */
  rest?(): AsyncIterable<Uint8Array>
}
