/** The shape of a checked file of invoices, and the facts about each document. */
import type { ExamineOptions, ReportedFinding } from "./finding.ts"
import type { ColumnUnit, JsonDocument } from "../input/index.ts"
import type { InputKind } from "./documents.ts"
import type { Overview } from "./overview.ts"
import type { InvoiceNumber } from "./accounting/duplicates.ts"

export interface CheckSettings {
  examine: ExamineOptions
  /** Whether each finding includes its line. */
  excerpts: boolean
  /**
   * The fix of each finding: with offsets in bytes; with lines and columns too; or joined into one edit, which keeps
   * the text between.
   */
  fixes?: "edits" | "regions" | "joined" | undefined
  /** The unit of columns; bytes with a byte order mark. */
  columns?: ColumnUnit | undefined
  /** Whether invoice numbers are collected, to be compared over the whole run. */
  numbers: boolean
  /** Whether each document's step on an invoice is collected with its number, for the register. */
  steps?: boolean | undefined
  /** The documents that need an overview: all, or those with findings. */
  overviews?: "all" | "found" | undefined
  /** The content of all inputs, if it is not to be guessed for each. */
  input?: InputKind | undefined
}

export interface CheckedDocument {
  /** From 0, in its file. */
  index: number
  findings?: readonly ReportedFinding[]
  /** It was checked as a draft. */
  draft?: true
  /** If requested, and the document is JSON. */
  overview?: Overview
  /** If requested, and the invoice has one. */
  number?: InvoiceNumber
}

/** A document, with its positions in the file or the piece of it that is read, and the text that it was read from. */
export interface DocumentText {
  document: JsonDocument
  text: string
  /** The span of the document in the text, in UTF-16 code units. */
  start: number
  end: number
  /** Bytes of the file, or the piece of it that is read, before the text. */
  bytesBefore: number
}
