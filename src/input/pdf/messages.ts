/** What the process that reads a PDF says, and its limits. */

/** Longer PDFs are refused. */
export const MOST_PAGES = 500
/** Resident memory of the process. */
export const MOST_MEMORY_BYTES = 500 * 2 ** 20
/** How long the process may take (ms). */
export const MOST_MS = 60_000

/** The program of the process, as `findProgram` has it. */
export const READER = "dist/pdf-reader.cjs"

/** A piece of text where it stands: the start of its baseline, in points from the top left corner of the visible page. */
export interface TextItem {
  text: string
  x: number
  y: number
  width: number
  /** Of its letters. */
  height: number
  /** Degrees clockwise by which it is turned. */
  turn: number
}

export interface PageText {
  /** From 1. */
  page: number
  width: number
  height: number
  items: readonly TextItem[]
}

export type Refusal = "encrypted" | "damaged" | "memory" | "time" | "long"

export type PageMessage = PageText | { done: true } | { refused: Refusal; pages?: number }
