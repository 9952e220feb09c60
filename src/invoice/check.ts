/** Checks bytes: one document, a list of them, or one on each line. */
import type { Buffer } from "node:buffer"
import type { Invoice } from "../contract/generated/types.ts"
import {
  countMarkBytes,
  createPositionFinder,
  decodeJsonBytes,
  findElements,
  readJson,
} from "../input/index.ts"
import type { InvoiceNumber } from "./accounting/duplicates.ts"
import type { describeDocument } from "./describe.ts"
import {
  decodeText,
  findOtherRequest,
  findShape,
  hasBracketAlone,
  isBlank,
  isBlankLine,
  readLines,
  type TextOfFile,
} from "./documents.ts"
import { hasAddress } from "./accounting/addresses.ts"
import { readStep } from "./steps.ts"
import { findViolations, isDraft } from "./violations.ts"
import type { CheckSettings, CheckedDocument, DocumentText } from "./checked.ts"

/** The verdict on a file, or on a piece of one. It crosses threads: documents without findings are only counted. */
export interface PartOfFile {
  file: string
  /** Index of its first document in the file. */
  first: number
  documents: number
  /** Whether the file holds several documents, each with its index. */
  several: boolean
  /** The documents with something to report besides being valid, in order. */
  checked: CheckedDocument[]
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

export interface Checker {
  whole(file: string, bytes: Buffer): Promise<PartOfFile>
  /** Bytes that begin and end with a line, a document on each. */
  lines(file: string, bytes: Buffer): Promise<PartOfFile>
}

/** The first of several texts that are indented: up to a closing bracket at the start of a line. */
const FIRST_SPREAD = /^.*?\n[\]}](?=[ \t]*\r?\n)/s

export function createPart(file: string, several = false, bytes = 0): PartOfFile {
  return {
    file,
    first: 0,
    documents: 0,
    several,
    checked: [],
    fixable: 0,
    lines: 0,
    bytes,
  }
}

/** @param yieldToEventLoop called between documents; may throw to abort */
export function createChecker(settings: CheckSettings, yieldToEventLoop?: () => Promise<void>): Checker {
  let describe: typeof describeDocument | undefined
  let { examine } = settings

  async function check(part: PartOfFile, read: DocumentText): Promise<void> {
    const { document } = read
    const other = part.several ? undefined : findOtherRequest(document.value, part.file)
    if (other) {
      part.unreadable = `it is ${other.kind}${other.next ? `: ${other.next}` : ", not an invoice"}`
      return
    }
    const index = part.documents++
    const draft = isDraft(document, settings.examine.stage)
    const number = settings.numbers ? findInvoiceNumber(read, settings.steps) : undefined
    if (examine.accounting && !examine.places && hasAddress(document.value)) {
      const { loadAddressJudge } = await import("./places.ts")
      examine = { ...examine, places: await loadAddressJudge() }
    }
    const violations = findViolations(document, examine)
    const checked: CheckedDocument = { index, ...(draft && { draft }), ...(number && { number }) }
    if (violations || settings.overviews === "all") {
      describe ??= (await import("./describe.ts")).describeDocument
      const { fixable, ...described } = describe(read, { ...settings, examine }, violations)
      part.fixable += fixable
      Object.assign(checked, described)
    }
    if (Object.keys(checked).length > 1) part.checked.push(checked)
  }

  async function checkText(part: PartOfFile, read: TextOfFile): Promise<void> {
    const { before } = read
    if ("text" in read) {
      const { text } = read
      const document = readJson(text, { findPosition: createFinder(text, before) })
      const bytesBefore = before.bytes + before.mark
      return check(part, { document, text, start: 0, end: text.length, bytesBefore })
    }
    const { offset, ...error } = read.error
    const column = settings.columns === "bytes" ? countLineBytes(read.bytes, offset) + 1 : error.column
    const finding = { severity: "error" as const, ...error, line: error.line + before.lines, column }
    part.checked.push({ index: part.documents++, findings: [finding] })
  }

  function createFinder(text: string, { lines, mark }: TextOfFile["before"]) {
    return createPositionFinder(text, { columns: settings.columns, lines, mark })
  }

  async function checkOne(file: string, bytes: Buffer): Promise<PartOfFile> {
    const part = createPart(file, false, bytes.length)
    if (isBlank(bytes, countMarkBytes(bytes))) return { ...part, isBlank: true }
    await checkText(part, decodeText(bytes))
    return part
  }

  async function checkLines(file: string, bytes: Buffer): Promise<PartOfFile> {
    const part = createPart(file, true, bytes.length)
    for (const line of readLines(bytes)) {
      if (!isBlankLine(line)) await checkText(part, line)
      part.lines = line.before.lines
      await yieldToEventLoop?.()
    }
    return part.documents === 0 ? { ...part, isBlank: true } : part
  }

  /** For a list that is not JSON, only the first error can be reported. */
  async function checkList(file: string, bytes: Buffer): Promise<PartOfFile> {
    const read = decodeText(bytes)
    const elements = "text" in read ? findElements(read.text) : undefined
    if (!("text" in read) || !elements) return checkOne(file, bytes)
    const { text, before } = read
    const part = createPart(file, true, bytes.length)
    const findInText = createFinder(text, before)
    for (const { start, end } of elements) {
      const find = (offset: number) => ({ ...findInText(start + offset), offset })
      const document = readJson(text.slice(start, end), { findPosition: find })
      if (document.syntaxError) return checkOne(file, bytes)
      await check(part, { document, text, start, end, bytesBefore: before.mark })
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
    return { ...part, documents: 1, checked: [{ index: 0, findings: [finding] }] }
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

/** Moves a part by this many lines, documents and bytes of the same file. */
export function shiftPart(part: PartOfFile, lines: number, documents: number, bytes: number): void {
  part.first += documents
  for (const checked of part.checked) {
    checked.index += documents
    if (checked.number) checked.number.line += lines
    for (const finding of checked.findings ?? []) {
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

const NUMBER_NAME = '"invoiceNumber"'
const COLON = /\s*:\s*/y

/** The number of the invoice, when it is one that counts among the others of a run, or with steps of earlier ones. */
function findInvoiceNumber(read: DocumentText, withStep = false): InvoiceNumber | undefined {
  const { document, text, start, end } = read
  const { data } = Object(document.value) as Partial<Invoice>
  const { invoiceNumber, supplier, operation, invoiceSummary } = Object(data) as Partial<Invoice["data"]>
  const { id: supplierId } = Object(supplier) as Partial<Invoice["data"]["supplier"]>
  if (typeof supplierId !== "string" || typeof invoiceNumber !== "string") return undefined
  if (operation === "delete" && !withStep) return undefined
  // Found by its name if that occurs once: this spares nearly all documents a search for all positions.
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
  return {
    supplierId,
    invoiceNumber,
    ...due,
    ...(operation === "update" && { isUpdate: true as const }),
    ...(operation === "delete" && { isDeletion: true as const }),
    ...(withStep && { step: readStep(data) }),
    line,
    column,
  }
}

/** How many bytes of its line come before a byte. */
function countLineBytes(bytes: Buffer, offset: number): number {
  const before = bytes.subarray(0, offset)
  return offset - 1 - Math.max(before.lastIndexOf(10), before.lastIndexOf(13))
}
