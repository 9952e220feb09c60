/** From bytes to verdicts: one document, a list of them, or one a line. */
import { type Buffer, isUtf8 } from "node:buffer"
import type { Invoice } from "../contract/generated/types.ts"
import { decodeJsonBytes } from "../json/bytes.ts"
import { excerpt } from "../json/excerpt.ts"
import { type Place, placeAt, placesIn } from "../json/place.ts"
import { type JsonDocument, readJson } from "../json/read.ts"
import { elementsOf } from "./documents-list.ts"
import { type InputKind, isBlank, markLength, shapeOf } from "./documents-shape.ts"
import { examineDocument, type LocatedFinding } from "./examine.ts"
import type { ReportedFinding } from "./finding.ts"
import type { ExamineOptions } from "./options.ts"
import type { Input } from "./sources.ts"

export interface CheckSettings {
  examine: ExamineOptions
  /** Whether each finding has the line that it stands in. */
  excerpts: boolean
  /** Whether invoice numbers are collected, to be compared over the whole run. */
  numbers: boolean
  /** What all inputs hold, where it is not to be guessed from each. */
  input?: InputKind | undefined
}

/** A document that has findings. */
export interface Judged {
  /** Position among the documents of the file, from 0. */
  index: number
  findings: ReportedFinding[]
}

/** The number of an invoice, to be compared with those of the other documents of a run. */
export interface InvoiceNumber {
  supplierId: string
  invoiceNumber: string
  /** Of its document in the file. */
  index: number
  /** From 1. */
  line: number
  column: number
}

/** The verdict on a file, or on a piece of one. It crosses threads: documents without findings are only counted. */
export interface Part {
  file: string
  /** Index of its first document in the file. */
  first: number
  documents: number
  /** Whether the file holds several documents, each with its index. */
  several: boolean
  judged: Judged[]
  /** How many lines end in the piece. */
  lines: number
  bytes: number
  numbers: InvoiceNumber[]
  /** Why the file could not be read. */
  unreadable?: string
  /** Nothing was checked yet: the file is so many bytes of lines, or a stream, or others came before these files. */
  rest?: { lines: number } | "stream" | { later: readonly Input[] }
}

interface Checker {
  /** A whole file. */
  whole(file: string, bytes: Buffer): Promise<Part>
  /** Bytes that begin and end with a line, a document on each. */
  lines(file: string, bytes: Buffer): Promise<Part>
}

/** A document with more findings than this is beyond correcting by excerpts. */
const MOST_EXCERPTS = 200

/** A part without any document. */
export function emptyPart(file: string, several = false, bytes = 0): Part {
  return { file, first: 0, documents: 0, several, judged: [], lines: 0, bytes, numbers: [] }
}

/** A document in the text that it was read from. */
interface DocumentText {
  document: JsonDocument
  text: string
  /** Where the document starts and ends in the text, in UTF-16 code units. */
  start: number
  end: number
  /** How many lines end before the text. */
  lines: number
  /** Where an offset of the document stands in the text. */
  placeOf(offset: number): Place
}

/** @param yieldToEventLoop called between documents; may throw to abort */
export function createChecker(settings: CheckSettings, yieldToEventLoop?: () => Promise<void>): Checker {
  function check(part: Part, read: DocumentText): void {
    const index = part.documents++
    const findings = examineDocument(read.document, settings.examine)
    if (settings.numbers) part.numbers.push(...numberIn(read, index))
    if (findings.length > 0) part.judged.push({ index, findings: reported(findings, read) })
  }

  function reported(findings: LocatedFinding[], { text, start, lines }: DocumentText): ReportedFinding[] {
    return findings.map(({ offset, ...finding }, index) => ({
      ...finding,
      line: finding.line + lines,
      ...(settings.excerpts && index < MOST_EXCERPTS && { excerpt: excerpt(text, start + offset) }),
    }))
  }

  function checkText(part: Part, text: string, lines: number): void {
    const placeOf = (offset: number) => placeAt(text, offset)
    check(part, { document: readJson(text), text, start: 0, end: text.length, lines, placeOf })
  }

  function checkBytes(part: Part, bytes: Buffer, lines: number): void {
    const decoded = decodeJsonBytes(bytes)
    if ("text" in decoded) checkText(part, decoded.text, lines)
    else {
      const { offset: _, ...problem } = decoded.problem
      const finding = { severity: "error" as const, ...problem, line: problem.line + lines }
      part.judged.push({ index: part.documents++, findings: [finding] })
    }
  }

  function one(file: string, bytes: Buffer): Part {
    const part = emptyPart(file, false, bytes.length)
    if (!isBlank(bytes, markLength(bytes), bytes.length)) checkBytes(part, bytes, 0)
    return part
  }

  async function lines(file: string, bytes: Buffer): Promise<Part> {
    const part = emptyPart(file, true, bytes.length)
    for (const line of linesIn(bytes)) {
      if (typeof line !== "string") checkBytes(part, line, part.lines)
      // Files that were put together may each have brought a byte order mark.
      else if (/[^ \t\r\ufeff]/.test(line)) checkText(part, line.replace(/^\ufeff/, ""), part.lines)
      part.lines++
      await yieldToEventLoop?.()
    }
    // What follows the last line feed is not a line that ends.
    part.lines--
    return part
  }

  async function list(file: string, bytes: Buffer): Promise<Part> {
    const decoded = decodeJsonBytes(bytes)
    const elements = "text" in decoded ? elementsOf(decoded.text) : undefined
    if (!("text" in decoded) || !elements) return one(file, bytes)
    const { text } = decoded
    const part = emptyPart(file, true, bytes.length)
    let places: ((offset: number) => Place) | undefined
    for (const { start, end } of elements) {
      const placeOf = (offset: number): Place => {
        places ??= placesIn(text)
        return { ...places(start + offset), offset }
      }
      const document = readJson(text.slice(start, end), { placeOf })
      // Where one element is not JSON the whole list is not, and its first error is all that can be reported.
      if (document.problems.length > 0) return one(file, bytes)
      check(part, { document, text, start, end, lines: 0, placeOf })
      await yieldToEventLoop?.()
    }
    return part
  }

  /** A document over several lines in a file for one a line is one error, and not one for each of its lines. */
  function findSpread(file: string, bytes: Buffer): Part | undefined {
    if (!/^\s*[{[][ \t]*\r?\n/.test(bytes.toString("latin1", markLength(bytes), 100))) return undefined
    const decoded = decodeJsonBytes(bytes)
    if (!("text" in decoded) || readJson(decoded.text).problems.length > 0) return undefined
    const message = "this is one JSON text over several lines, in a file with a document on each line"
    const hint = "use --input json, or name the file .json"
    const finding = {
      rule: "json/syntax",
      severity: "error" as const,
      pointer: "",
      line: 1,
      column: 1,
      message,
      hint,
    }
    const judged = [{ index: 0, findings: [finding] }]
    return { ...emptyPart(file, true, bytes.length), documents: 1, judged }
  }

  const ways = {
    one,
    list,
    lines: (file: string, bytes: Buffer) => findSpread(file, bytes) ?? lines(file, bytes),
  }
  return {
    async whole(file, bytes) {
      await yieldToEventLoop?.()
      return ways[shapeOf(file, bytes, settings.input)](file, bytes)
    },
    lines,
  }
}

/** Each line as text; or as bytes, where some are not UTF-8, or have zeros and may be UTF-16. */
function* linesIn(bytes: Buffer): Generator<string | Buffer> {
  if (isUtf8(bytes) && !bytes.includes(0)) return yield* bytes.toString("utf8").split("\n")
  for (let start = 0; ; ) {
    const end = bytes.indexOf(10, start)
    const line = bytes.subarray(start, end < 0 ? bytes.length : end)
    yield isBlank(line, 0, line.length) ? "" : line
    if (end < 0) return
    start = end + 1
  }
}

/** Moves a part behind so many lines and documents of the same file. */
export function shift(part: Part, lines: number, documents: number): void {
  part.first += documents
  for (const judged of part.judged) {
    judged.index += documents
    for (const finding of judged.findings) finding.line += lines
  }
  for (const number of part.numbers) {
    number.index += documents
    number.line += lines
  }
}

/** Documents that change or withdraw an invoice have its number, and are not a second one. */
const NO_NEW_INVOICE = new Set<unknown>(["update", "delete"])

const NUMBER_NAME = '"invoiceNumber"'
const COLON = /\s*:\s*/y

/** The number of the invoice, when it is one that counts among the others of a run. */
function numberIn(read: DocumentText, index: number): InvoiceNumber[] {
  const { document, text, start, end, lines, placeOf } = read
  const { data } = Object(document.value) as Partial<Invoice>
  const { invoiceNumber, supplier, operation } = Object(data) as Partial<Invoice["data"]>
  const { id: supplierId } = Object(supplier) as Partial<Invoice["data"]["supplier"]>
  if (typeof supplierId !== "string" || typeof invoiceNumber !== "string") return []
  if (NO_NEW_INVOICE.has(operation)) return []
  // Found by its name where that stands once, which spares nearly all documents a search for all positions.
  const at = text.indexOf(NUMBER_NAME, start)
  COLON.lastIndex = at + NUMBER_NAME.length
  const next = text.indexOf(NUMBER_NAME, at + 1)
  const isOnly = at >= 0 && (next < 0 || next >= end) && COLON.test(text)
  const place = isOnly ? placeOf(COLON.lastIndex - start) : document.locate("/data/invoiceNumber")
  if (!place) return []
  return [{ supplierId, invoiceNumber, index, line: place.line + lines, column: place.column }]
}
