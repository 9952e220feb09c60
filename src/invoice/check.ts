/** Checks bytes: one document, a list of them, or one on each line. */
import type { Buffer } from "node:buffer"
import type { Invoice } from "../contract/generated/types.ts"
import { countMarkBytes, decodeJsonBytes } from "../json/bytes.ts"
import {
  type ColumnUnit,
  countLineBytes,
  createPositionFinder,
  formatExcerpt,
  type Position,
} from "../json/position.ts"
import { type JsonDocument, readJson } from "../json/read.ts"
import { findElements } from "../json/skip.ts"
import type { InvoiceNumber } from "./accounting/duplicates.ts"
import {
  decodeText,
  findOtherRequest,
  findShape,
  hasBracketAlone,
  type InputKind,
  isBlank,
  isBlankLine,
  readLines,
  type TextOfFile,
} from "./documents.ts"
import { examineDocument, isDraft } from "./examine.ts"
import type { Answer, Edit, ExamineOptions, Finding, ReportedFinding } from "./finding.ts"
import { createByteCounter, findEdits, joinEdits } from "./fixes/edits.ts"
import { type Overview, readOverview } from "./overview.ts"

export interface CheckSettings {
  examine: ExamineOptions
  /** Whether each finding has the line that it stands in. */
  excerpts: boolean
  /**
   * Whether each finding has its fix, with offsets in bytes; and with lines and columns besides; and joined into one
   * edit, which keeps what is between.
   */
  fixes?: "edits" | "regions" | "joined" | undefined
  /** What columns count; bytes with a byte order mark. */
  columns?: ColumnUnit | undefined
  /** Whether invoice numbers are collected, to be compared over the whole run. */
  numbers: boolean
  /** Of which documents an overview is wanted: of all, or of those with findings. */
  overviews?: "all" | "found" | undefined
  /** What all inputs hold, where it is not to be guessed from each. */
  input?: InputKind | undefined
}

/** The verdict on a file, or on a piece of one. It crosses threads: documents without findings are only counted. */
export interface PartOfFile {
  file: string
  /** Index of its first document in the file. */
  first: number
  documents: number
  /** Whether the file holds several documents, each with its index. */
  several: boolean
  /** The documents of which there is more to say than that they are valid, in order. */
  judged: JudgedDocument[]
  /** How many findings have one right answer. */
  fixable: number
  /** How many lines end in the piece. */
  lines: number
  bytes: number
  /** The file, or the piece, has nothing in it but blanks. */
  isBlank?: true
  /** Why the file could not be read. */
  unreadable?: string
}

/** What is known of one document. */
export interface JudgedDocument {
  /** From 0, in its file. */
  index: number
  findings?: readonly ReportedFinding[]
  /** It was checked as a draft. */
  draft?: true
  /** Where it is wanted, and the document is JSON. */
  overview?: Overview
  /** Where it is wanted, and the invoice has one. */
  number?: InvoiceNumber
}

export interface Checker {
  /** A whole file. */
  whole(file: string, bytes: Buffer): Promise<PartOfFile>
  /** Bytes that begin and end with a line, a document on each. */
  lines(file: string, bytes: Buffer): Promise<PartOfFile>
}

/** A document with more findings than this is beyond correcting by excerpts. */
const MOST_EXCERPTS = 200
/** The first of several texts that are indented: up to a closing bracket at the start of a line. */
const FIRST_SPREAD = /^.*?\n[\]}](?=[ \t]*\r?\n)/s

export function createPart(file: string, several = false, bytes = 0): PartOfFile {
  return {
    file,
    first: 0,
    documents: 0,
    several,
    judged: [],
    fixable: 0,
    lines: 0,
    bytes,
  }
}

/** A document, with its positions in the file or the piece of it that is read, and the text that it was read from. */
interface DocumentText {
  document: JsonDocument
  text: string
  /** Where the document starts and ends in the text, in UTF-16 code units. */
  start: number
  end: number
  /** The edit of the text as one of the file, or of the piece of it that is read. */
  toBytes(edit: Edit): Edit
}

/** @param yieldToEventLoop called between documents; may throw to abort */
export function createChecker(settings: CheckSettings, yieldToEventLoop?: () => Promise<void>): Checker {
  function check(part: PartOfFile, read: DocumentText): void {
    const { document, text, start } = read
    const other = part.several ? undefined : findOtherRequest(document.value, part.file)
    if (other) {
      part.unreadable = `it is ${other.kind}${other.next ? `: ${other.next}` : ", not an invoice"}`
      return
    }
    const index = part.documents++
    const draft = isDraft(document, settings.examine.stage)
    const number = settings.numbers ? findInvoiceNumber(read) : undefined
    const findings = examineDocument(document, settings.examine).map(({ offset, answer, ...finding }, at) => {
      if (answer?.safety === "safe") part.fixable++
      return {
        ...finding,
        ...(settings.fixes && answer && locateFix(read, finding, answer)),
        ...(settings.excerpts && at < MOST_EXCERPTS && { excerpt: formatExcerpt(text, start + offset) }),
      }
    })
    const isFound = findings.length > 0
    const isShown = settings.overviews === "all" || (settings.overviews === "found" && isFound)
    const overview = isShown && !document.syntaxError ? readOverview(document) : undefined
    if (!isFound && !draft && !overview && !number) return
    part.judged.push({
      index,
      ...(isFound && { findings }),
      ...(draft && { draft }),
      ...(overview && { overview }),
      ...(number && { number }),
    })
  }

  /** The edits of a document, as they are made in the file. */
  function locateFix(read: DocumentText, finding: Finding, answer: Answer) {
    const { document, start, toBytes } = read
    const found = findEdits(finding, answer, document)
    const edits = (settings.fixes === "joined" ? joinEdits(document.text, found) : found).map((edit) => {
      const inBytes = toBytes({ ...edit, offset: start + edit.offset })
      if (settings.fixes === "edits") return inBytes
      const first = document.findPosition(edit.offset)
      const last = document.findPosition(edit.offset + edit.length)
      const region = {
        startLine: first.line,
        startColumn: first.column,
        endLine: last.line,
        endColumn: last.column,
      }
      return { ...inBytes, region }
    })
    return edits.length > 0 ? { fix: { safety: answer.safety, edits } } : undefined
  }

  function checkText(part: PartOfFile, read: TextOfFile): void {
    const { before } = read
    if ("text" in read) {
      const { text } = read
      const document = readJson(text, { findPosition: createFinder(text, before) })
      const toBytes = createByteCounter(text, before.bytes + before.mark)
      check(part, { document, text, start: 0, end: text.length, toBytes })
      return
    }
    const { offset, ...error } = read.error
    const column = settings.columns === "bytes" ? countLineBytes(read.bytes, offset) + 1 : error.column
    const finding = { severity: "error" as const, ...error, line: error.line + before.lines, column }
    part.judged.push({ index: part.documents++, findings: [finding] })
  }

  function createFinder(text: string, { lines, mark }: TextOfFile["before"]) {
    return createPositionFinder(text, { columns: settings.columns, lines, mark })
  }

  function checkOne(file: string, bytes: Buffer): PartOfFile {
    const part = createPart(file, false, bytes.length)
    if (isBlank(bytes, countMarkBytes(bytes))) return { ...part, isBlank: true }
    checkText(part, decodeText(bytes))
    return part
  }

  async function checkLines(file: string, bytes: Buffer): Promise<PartOfFile> {
    const part = createPart(file, true, bytes.length)
    for (const line of readLines(bytes)) {
      if (!isBlankLine(line)) checkText(part, line)
      part.lines = line.before.lines
      await yieldToEventLoop?.()
    }
    return part.documents === 0 ? { ...part, isBlank: true } : part
  }

  /** Of a list that is not JSON the first error is all that can be reported. */
  async function checkList(file: string, bytes: Buffer): Promise<PartOfFile> {
    const read = decodeText(bytes)
    const elements = "text" in read ? findElements(read.text) : undefined
    if (!("text" in read) || !elements) return checkOne(file, bytes)
    const { text, before } = read
    const part = createPart(file, true, bytes.length)
    const findInText = createFinder(text, before)
    const toBytes = createByteCounter(text, before.mark)
    for (const { start, end } of elements) {
      const find = (offset: number): Position => ({ ...findInText(start + offset), offset })
      const document = readJson(text.slice(start, end), { findPosition: find })
      if (document.syntaxError) return checkOne(file, bytes)
      check(part, { document, text, start, end, toBytes })
      await yieldToEventLoop?.()
    }
    return part
  }

  /** Documents over several lines in a file for one a line are one error, and not one for each of their lines. */
  function findSpread(file: string, bytes: Buffer): PartOfFile | undefined {
    if (!hasBracketAlone(bytes)) return undefined
    const decoded = decodeJsonBytes(bytes)
    if (!("text" in decoded)) return undefined
    const isOne = !readJson(decoded.text).syntaxError
    const [first = ""] = isOne ? [] : (FIRST_SPREAD.exec(decoded.text) ?? [])
    if (!isOne && readJson(first).syntaxError) return undefined
    const finding = {
      rule: "json/syntax",
      severity: "error" as const,
      pointer: "",
      line: 1,
      column: 1,
      message: `${isOne ? "this is one JSON text" : "these are JSON texts"} over several lines, in a file with a document on each line`,
      hint: isOne
        ? "use --input json, or name the file .json"
        : "write each of them on one line, or put them into a list: [ ]",
    }
    const part = createPart(file, true, bytes.length)
    return { ...part, documents: 1, judged: [{ index: 0, findings: [finding] }] }
  }

  return {
    async whole(file, bytes) {
      await yieldToEventLoop?.()
      const shape = findShape(file, bytes, settings.input)
      if (shape === "one") return checkOne(file, bytes)
      return shape === "list" ? checkList(file, bytes) : (findSpread(file, bytes) ?? checkLines(file, bytes))
    },
    lines: checkLines,
  }
}

/** Moves a part behind so many lines, documents and bytes of the same file. */
export function shiftPart(part: PartOfFile, lines: number, documents: number, bytes: number): void {
  part.first += documents
  for (const judged of part.judged) {
    judged.index += documents
    if (judged.number) judged.number.line += lines
    for (const finding of judged.findings ?? []) {
      finding.line += lines
      for (const edit of finding.fix?.edits ?? []) {
        edit.offset += bytes
        if (!edit.region) continue
        edit.region.startLine += lines
        edit.region.endLine += lines
      }
    }
  }
}

/** Documents that change or withdraw an invoice have its number, and are not a second one. */
const NO_NEW_INVOICE = new Set<unknown>(["update", "delete"])

const NUMBER_NAME = '"invoiceNumber"'
const COLON = /\s*:\s*/y

/** The number of the invoice, when it is one that counts among the others of a run. */
function findInvoiceNumber(read: DocumentText): InvoiceNumber | undefined {
  const { document, text, start, end } = read
  const { data } = Object(document.value) as Partial<Invoice>
  const { invoiceNumber, supplier, operation, invoiceSummary } = Object(data) as Partial<Invoice["data"]>
  const { id: supplierId } = Object(supplier) as Partial<Invoice["data"]["supplier"]>
  if (typeof supplierId !== "string" || typeof invoiceNumber !== "string") return undefined
  if (NO_NEW_INVOICE.has(operation)) return undefined
  // Found by its name where that stands once, which spares nearly all documents a search for all positions.
  const at = text.indexOf(NUMBER_NAME, start)
  COLON.lastIndex = at + NUMBER_NAME.length
  const next = text.indexOf(NUMBER_NAME, at + 1)
  const isOnly = at >= 0 && (next < 0 || next >= end) && COLON.test(text)
  const position = isOnly
    ? document.findPosition(COLON.lastIndex - start)
    : document.locate("/data/invoiceNumber")
  if (!position) return undefined
  const { dueAmount } = Object(invoiceSummary) as Partial<Invoice["data"]["invoiceSummary"]>
  const due = typeof dueAmount === "number" ? { due: String(dueAmount) } : undefined
  const { line, column } = position
  return { supplierId, invoiceNumber, ...due, line, column }
}
