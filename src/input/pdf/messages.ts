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

/** Texts of a page, as they are drawn, and of its lines; the densest page has some 10,000, where each letter is one. */
export const MAX_PIECES = 50_000
/**
 * Limits for all pages. Words, letters and lines are handed over: those of 500 full pages are enough, and bound the memory and the
 * time of the process that finds tables in them. Texts are counted as they are drawn: watermarks, and what the edge cuts, are
 * in no line and take as long. The library drops what is beside a page.
 */
export const PDF_LIMITS = {
  ...{ words: 500_000, letters: 5_000_000, lines: 60_000 },
  pieces: 3_000_000,
} as const

/** A page that was read. */
export interface PageLines {
  /** From 1. */
  page: number
  /** How many there are. */
  pages: number
  /** Whether anything is written on it, if only a watermark, which stands in no line. */
  hasText: boolean
  lines: readonly Line[]
}

export type Refusal = "encrypted" | "damaged" | "memory" | "time" | "long" | "dense"

export type LastMessage = { done: true } | { refused: Refusal; pages?: number }
export type PageMessage = PageLines | LastMessage

/** Why there are no pages. */
export type Unread = { refused: Refusal } | { ended: string }

/** Hears of each page that was read. */
export type OnPage = (page: Pick<PageLines, "page" | "pages">) => Promise<void>

/** Reads the pages of a PDF. @throws the signal's reason when that is aborted */
export type ReadPages = (
  pdf: Uint8Array,
  signal: AbortSignal,
  onPage?: OnPage,
) => Promise<PageLines[] | Unread>
