/** Splits a file that holds one document, a list of them, or one on each line, and finds the place of each document. */
import { Buffer, isUtf8 } from "node:buffer"
import { nextCommand } from "../base/command-line.ts"
import {
  countMarkBytes,
  createPositionFinder,
  decodeJsonBytes,
  findElements,
  type JsonDocument,
  type JsonError,
  MARK_BYTES,
  readJson,
  type Span,
} from "../input/index.ts"
import { isTooDeep } from "../base/limits.ts"

export type Shape = "one" | "list" | "lines"

/** The content of the inputs as the person states it: one document or a list, or a document on each line. */
export type InputKind = "json" | "ndjson"

export interface DocumentsOfFile {
  count: number
  /** Whether the file is a list, or lines, of documents. */
  several: boolean
  /** @param index from 0 */
  read(index: number): JsonDocument
  /** The text of the file, in which the positions are. */
  text: string
}

/** The documents of a file, to be read one at a time, with positions in the file; or why the bytes are not text. */
export function findDocuments(file: string, bytes: Buffer): DocumentsOfFile | { error: JsonError } {
  const decoded = decodeJsonBytes(bytes)
  if ("error" in decoded) return decoded
  const { text } = decoded
  const shape = findShape(file, bytes)
  const spans = shape === "list" ? findElements(text) : shape === "lines" ? findLines(text) : undefined
  const findPosition = createPositionFinder(text)
  return {
    count: spans?.length ?? 1,
    several: spans !== undefined,
    text,
    read(index) {
      const { start, end } = spans?.[index] ?? { start: 0, end: text.length }
      return readJson(text.slice(start, end), { findPosition: (offset) => findPosition(start + offset) })
    },
  }
}

function findLines(text: string): Span[] {
  return Array.from(text.matchAll(/[^\n]*[^\s][^\n]*/g), ({ 0: line, index }) => ({
    start: index,
    end: index + line.length,
  }))
}

/** A text of a file or of a piece of one, or bytes of it that are not text; and how much of the file comes before. */
export type TextOfFile = {
  before: {
    lines: number
    bytes: number
    /** Further bytes: those of a byte order mark. */
    mark: number
  }
} & ({ text: string } | { error: JsonError; bytes: Buffer })

/** @param before lines and bytes of the file that come before these */
export function decodeText(bytes: Buffer, before = { lines: 0, bytes: 0 }): TextOfFile {
  const decoded = decodeJsonBytes(bytes)
  return {
    before: { ...before, mark: countMarkBytes(bytes) },
    ...("text" in decoded ? decoded : { ...decoded, bytes }),
  }
}

/** The lines of a file that have a document each. Where some are not UTF-8, or have zeros and may be UTF-16, the others are read. */
export function* readLines(bytes: Buffer): Generator<TextOfFile> {
  const before = { lines: 0, bytes: 0 }
  if (isUtf8(bytes) && !bytes.includes(0)) {
    for (const line of bytes.toString("utf8").split("\n")) {
      // Files that were put together may each have brought a byte order mark.
      const mark = line.startsWith("\ufeff") ? MARK_BYTES : 0
      yield { text: mark ? line.slice(1) : line, before: { ...before, mark } }
      before.lines++
      before.bytes += Buffer.byteLength(line) + 1
    }
    return
  }
  for (; ; before.lines++) {
    const feed = bytes.indexOf(LINE_FEED, before.bytes)
    const line = bytes.subarray(before.bytes, feed < 0 ? bytes.length : feed)
    yield isBlank(line) ? { text: "", before: { ...before, mark: 0 } } : decodeText(line, { ...before })
    if (feed < 0) return
    before.bytes = feed + 1
  }
}

export function isBlankLine(line: TextOfFile): boolean {
  return "text" in line && !/[^ \t\r\ufeff]/.test(line.text)
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}

export function isBlank(bytes: Buffer, from = 0, to = bytes.length): boolean {
  let at = from
  while (at < to && isSpace(bytes[at])) at++
  return at >= to
}

function isNamedAsLines(file: string): boolean {
  return /\.(ndjson|jsonl)(\.gz)?$/i.test(file)
}

const LINE_FEED = 10
const OPENING_BRACKET = 0x5b
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** Bytes of a character of UTF-32. */
const MAX_WIDTH = 4
/** A line that a value must follow. */
const CONTINUED = /[{[,:]\s*$/

/**
 * Decides by the name, or by the beginning: `[` starts a list; a line that is a whole object, with more to follow, is a
 * document. One of the first two lines may be broken.
 * @param bytes the whole file
 * @param input what the file holds, if a person said so
 */
export function findShape(file: string, bytes: Buffer, input?: InputKind): Shape {
  if (input === "ndjson") return "lines"
  const start = skipMark(bytes)
  const end = findLineEnd(bytes, start) ?? bytes.length
  const isAlone = bytes[start] !== OPENING_BRACKET && isBlank(bytes, end)
  if (isAlone && (input === "json" || !isNamedAsLines(file))) return "one"
  return guessShape(file, bytes, input, bytes.length) ?? "one"
}

/**
 * The same for the first part of a stream. A line that is a whole object is a document even if nothing follows, so that
 * its verdict need not wait for the next. Undefined when more bytes are needed. If the text should be lines but starts
 * with a bracket alone on one, it is read as a whole, so that it is reported as one error.
 */
export function findShapeSoFar(file: string, bytes: Buffer, input?: InputKind): Shape | undefined {
  if (bytes.length < MAX_WIDTH) return undefined
  if (input === "ndjson" || (input !== "json" && isNamedAsLines(file))) {
    const start = skipMark(bytes)
    if (hasBracketAlone(bytes)) return "one"
    return bytes.length - start < MAX_BRACKET_LENGTH && findLineEnd(bytes, start) === undefined
      ? undefined
      : "lines"
  }
  return guessShape(file, bytes, input)
}

/** Bytes of a line with a bracket and some blanks, at most. */
const MAX_BRACKET_LENGTH = 100

/** Whether the first line is an opening bracket, so that the document goes on below. */
export function hasBracketAlone(bytes: Buffer): boolean {
  const start = skipMark(bytes)
  return /^[{[][ \t]*\r?\n/.test(bytes.toString("latin1", start, start + MAX_BRACKET_LENGTH))
}

/** @param last the end of the last line, if it has no line feed */
function guessShape(
  file: string,
  bytes: Buffer,
  input: InputKind | undefined,
  last?: number,
): Shape | undefined {
  // UTF-16 and UTF-32 have a mark or zeros at the front: no lines to cut at.
  if (bytes.subarray(0, MAX_WIDTH).includes(0) || (bytes[0] ?? 0) >= 0xfe) return "one"
  if (input !== "json" && isNamedAsLines(file)) return "lines"
  const start = skipMark(bytes)
  if (bytes[start] === OPENING_BRACKET) return "list"
  if (input === "json") return "one"
  const end = findLineEnd(bytes, start) ?? last
  if (end === undefined) return undefined
  if (isWholeObject(bytes, start, end)) return "lines"
  if (bytes[start] !== OPENING_BRACE || CONTINUED.test(bytes.toString("latin1", start, end))) return "one"
  const next = findLineEnd(bytes, end + 1) ?? last
  if (next === undefined) return undefined
  return isWholeObject(bytes, end + 1, next) ? "lines" : "one"
}

/** The start of the text, after a byte order mark and blanks. */
function skipMark(bytes: Buffer): number {
  let start = countMarkBytes(bytes)
  while (isSpace(bytes[start])) start++
  return start
}

function findLineEnd(bytes: Buffer, from: number): number | undefined {
  const end = bytes.indexOf(LINE_FEED, from)
  return end < 0 ? undefined : end
}

function isWholeObject(bytes: Buffer, from: number, to: number): boolean {
  let last = to - 1
  while (last > from && isSpace(bytes[last])) last--
  if (bytes[from] !== OPENING_BRACE || bytes[last] !== CLOSING_BRACE) return false
  const text = bytes.toString("utf8", from, to)
  if (isTooDeep(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Fields that no invoice has, and the command for documents with all of them. */
const REQUESTS: readonly { fields: readonly string[]; kind: string; command: string }[] = [
  { fields: ["from", "to"], kind: "a rate request", command: "rate-shop" },
  { fields: ["receiver"], kind: "a booking", command: "book" },
  { fields: ["sender", "packages"], kind: "a booking", command: "book" },
]

const INVOICE_FIELDS = ["data", "docType", "invoiceNumber"]

/** The kind of a document that is a request and not an invoice, and the command that takes it. */
export function findOtherRequest(
  value: unknown,
  file: string,
): { kind: string; next: string | undefined } | undefined {
  const fields: object = Object(value)
  const has = (name: string) => Object.hasOwn(fields, name)
  if (INVOICE_FIELDS.some(has)) return undefined
  const request = REQUESTS.find((each) => each.fields.every(has))
  return request && { kind: request.kind, next: nextCommand("freight", request.command, "--file", file).next }
}
