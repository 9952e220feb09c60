/** From bytes to verdicts: one document, a list of them, or one a line. */
import { type Buffer, isUtf8 } from "node:buffer"
import type { Lead } from "./documents-examined.ts"
import { PLACE, type PackedNumbers, packedNumber } from "./documents-numbers.ts"
import { hasLinesByName, isBlank, markLength, shapeOf } from "./documents-shape.ts"
import type { Finding } from "./finding.ts"
import type { ExamineOptions } from "./options.ts"
import type { Input } from "./sources.ts"
import { createVerifier } from "./verify.ts"

export interface CheckSettings {
  examine: ExamineOptions
  /** Whether the lines that findings stand in are kept. */
  excerpts: boolean
  /** Whether invoice numbers are kept, to be compared over the whole run. */
  numbers: boolean
}

/** A document that has findings. */
export interface Judged {
  /** Position among the documents of the file, from 0. */
  index: number
  findings: Finding[]
  /** For each finding the line it stands in, as `excerpt` gives it; fewer where there are very many findings. */
  excerpts: string[]
}

/** What came of a file, or of a piece of one. It crosses threads: documents without findings are only counted. */
export interface Part {
  file: string
  /** Instead of `file`: several of one document each, without findings. */
  files?: string[]
  /** Index of its first document in the file. */
  first: number
  documents: number
  /** Whether the file holds several documents, each with its index. */
  several: boolean
  judged: Judged[]
  /** How many lines end in the piece. */
  lines: number
  bytes: number
  numbers?: PackedNumbers[]
  /** Why the file could not be read. */
  trouble?: string
  /** Nothing was checked yet: the file is so many bytes of lines, or a stream, or others came before these files. */
  rest?: { lines: number } | "stream" | { later: readonly Input[] }
}

interface Checker {
  /** Memory into which files are best read. */
  room(size: number): Buffer
  /** Takes the whole of a file, the first `length` bytes, when it is one document without findings: at once. */
  takes(file: string, bytes: Buffer, length: number): boolean
  /** Those that were taken since the last time. */
  taken(): Part | undefined
  /** The whole of a file that was not taken. */
  whole(file: string, bytes: Buffer): Promise<Part>
  /** Bytes that begin and end with a line, a document on each. */
  lines(file: string, bytes: Buffer): Promise<Part>
}

/** Bytes before a document in its line that may be quoted with it. */
const LEAD = 400

/** The file of a document of a part. */
export function fileOf({ file, files }: Part, index: number): string {
  return files?.[index] ?? file
}

/** A part without any document. */
export function emptyPart(file: string, several = false, bytes = 0): Part {
  return { file, first: 0, documents: 0, several, judged: [], lines: 0, bytes }
}

/**
 * A checker keeps scratch space: one thing after the other. The examiner is loaded when the verifier first hesitates.
 * @param breathe awaited before each document that takes long; what it throws ends the check
 */
export function createChecker(settings: CheckSettings, breathe?: () => Promise<void>): Checker {
  const verify = createVerifier(settings.examine)
  let clean: (Part & { files: string[] }) | undefined
  let numbers: PackedNumbers[] = []
  let loaded: typeof import("./documents-examined.ts") | undefined

  /**
   * Whether the document between two offsets is free of findings; if so it is counted.
   * @param line how many lines end before it
   * @param indent how many characters stand before it in the line that it starts in
   */
  function isProven(part: Part, bytes: Buffer, from: number, to: number, line: number, indent = 0): boolean {
    if (!verify(bytes, from, to)) return false
    if (settings.numbers) verify.note(part.documents, line, indent)
    part.documents++
    return true
  }

  async function examine(part: Part, bytes: Buffer, line: number, lead?: Lead): Promise<Judged | undefined> {
    await breathe?.()
    loaded ??= await import("./documents-examined.ts")
    const { findings, excerpts, numbered } = loaded.examineBytes(bytes, settings, lead)
    const index = part.documents++
    for (const finding of findings) finding.line += line
    if (numbered) {
      const { name, line: within, column } = numbered
      numbers.push(...verify.noted(), packedNumber(name, index, line + within, column))
    }
    if (findings.length === 0) return undefined
    const judged = { index, findings, excerpts }
    part.judged.push(judged)
    return judged
  }

  function finished(part: Part): Part {
    if (settings.numbers) part.numbers = noted()
    return part
  }

  /** The numbers since the last time. */
  function noted(): PackedNumbers[] {
    const all = [...numbers, ...verify.noted()]
    numbers = []
    return all
  }

  function takes(file: string, bytes: Buffer, length: number): boolean {
    if (hasLinesByName(file)) return false
    clean ??= { ...emptyPart(file), files: [] }
    if (!isProven(clean, bytes, markLength(bytes), length, 0)) return false
    clean.files.push(file)
    clean.bytes += length
    return true
  }

  function taken(): Part | undefined {
    const part = clean
    clean = undefined
    return part && part.documents > 0 ? finished(part) : undefined
  }

  async function one(file: string, bytes: Buffer): Promise<Part> {
    const part = emptyPart(file, false, bytes.length)
    await examine(part, bytes, 0)
    return finished(part)
  }

  async function lines(file: string, bytes: Buffer): Promise<Part> {
    const part = emptyPart(file, true, bytes.length)
    for (let at = 0; at < bytes.length; ) {
      const found = bytes.indexOf(10, at)
      const end = found < 0 ? bytes.length : found
      if (!isBlank(bytes, at, end) && !isProven(part, bytes, at, end, part.lines))
        await examine(part, bytes.subarray(at, end), part.lines)
      if (found >= 0) part.lines++
      at = end + 1
    }
    return finished(part)
  }

  async function list(file: string, bytes: Buffer): Promise<Part> {
    const { elementsOf } = await import("./documents-list.ts")
    const elements = isUtf8(bytes) ? elementsOf(bytes) : undefined
    if (!elements) return one(file, bytes)
    const part = emptyPart(file, true, bytes.length)
    for (const { start, end, line, lineStart, indent } of elements) {
      if (isProven(part, bytes, start, end, line, indent)) continue
      const text = bytes.toString("utf8", Math.max(lineStart, start - LEAD), start)
      const judged = await examine(part, bytes.subarray(start, end), line, { indent, text })
      // Where one element is no JSON the whole list is none, and the first fault is all that can be told.
      if (judged?.findings.some(({ rule }) => rule === "json/syntax")) {
        noted()
        return one(file, bytes)
      }
    }
    return finished(part)
  }

  const ways = { one, list, lines }
  return {
    room: verify.room,
    takes,
    taken,
    whole: (file, bytes) => ways[shapeOf(file, bytes)](file, bytes),
    lines,
  }
}

/** Moves a part behind so many lines and documents of the same file. */
export function shift(part: Part, lines: number, documents: number): void {
  part.first += documents
  for (const judged of part.judged) {
    judged.index += documents
    for (const finding of judged.findings) finding.line += lines
  }
  for (const { places } of part.numbers ?? [])
    for (let at = 0; at < places.length; at += PLACE) {
      places[at] = (places[at] ?? 0) + documents
      places[at + 1] = (places[at + 1] ?? 0) + lines
    }
}
