/** What invoices are checked for, and what checking them finds. */
import { safeText } from "../contract/safe-text.ts"
import { toPointer } from "../json/pointer.ts"
import type { Overview } from "./overview.ts"
import type { Edit, Finding, Fix, Severity } from "./library-types.d.ts"

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
}

/**
 * The right answer to an error, where there is one. It is safe when it says nothing that the document does not say;
 * otherwise a person has to agree.
 */
export type Answer = { safety: Fix["safety"] } & (
  | {
      /** JSON text that takes the place of the value. */
      value: string
    }
  | {
      /** The name that a field was given, and its own. The finding's pointer is of their object. */
      rename: readonly [from: string, to: string]
    }
  | {
      /** The edit itself, of what is not JSON yet. */
      edit: Edit
    }
  | {
      /** Remove the value and its name; put the value into a list; or take it out of a list of one. */
      does: "remove" | "wrap" | "unwrap"
    }
)

/** How to fix something: in words, and as the answer that the words are about. */
export interface Advice {
  hint?: string | undefined
  answer?: Answer | undefined
}

/** The words of a finding: what is wrong, and how to fix it where that is plain. */
export interface Explanation extends Advice {
  message: string
}

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
