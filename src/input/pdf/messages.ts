/** Messages and limits of the process that reads a PDF. */
import type { Line } from "./lines.ts"

/** Longer PDFs are refused. */
export const MAX_PAGES = 500
/** Resident memory of the process. */
export const MAX_MEMORY_BYTES = 500 * 2 ** 20
/** Processor time of the process (ms): a machine that has other work reads the same PDFs. */
export const MAX_MS = 60_000

/** The program of the process, as `findProgram` has it. */
export const READER = "dist/pdf-reader.cjs"

/** Maximum number of drawn texts, and of texts in lines, on a page; the densest page has some 10,000, one for each letter. */
export const MAX_PIECES = 50_000
/**
 * Limits for all pages. Words, letters and lines are passed on: those of 500 full pages are enough, and limit the
 * memory and time of the process that finds tables in them. Drawn texts are counted separately: watermarks and clipped
 * texts are in no line but take as long. The library drops texts beside the page.
 */
export const PDF_LIMITS = {
  ...{ words: 500_000, letters: 5_000_000, lines: 60_000 },
  pieces: 3_000_000,
} as const

/** A page that was read. */
export interface PageLines {
  /** From 1. */
  page: number
  pages: number
  /** Whether it has any text, even just a watermark, which is in no line. */
  hasText: boolean
  lines: readonly Line[]
}

export type Refusal = "encrypted" | "damaged" | "memory" | "time" | "long" | "dense"

export type LastMessage = { done: true } | { refused: Refusal; pages?: number }
export type PageMessage = PageLines | LastMessage

export type Unread = { refused: Refusal } | { ended: string }

/** Hears of each page that was read. */
export type OnPage = (page: Pick<PageLines, "page" | "pages">) => Promise<void>

/** Reads the pages of a PDF. @throws the signal's reason when that is aborted */
export type ReadPages = (
  pdf: Uint8Array,
  signal: AbortSignal,
  onPage?: OnPage,
) => Promise<PageLines[] | Unread>
