/** From a file's bytes to text: JSON is UTF-8 (RFC 8259, section 8.1), and anything else is named. */
import { Buffer, constants, isUtf8 } from "node:buffer"
import { grouped } from "../../base/counted.ts"
import { createPositionFinder, type JsonError, toSyntaxError } from "./position.ts"

const BEGINS_JSON = /^[\s{[]/
const START = { line: 1, column: 1, offset: 0 }

/**
 * The text of a JSON file, without its byte order mark if it has one.
 * An error's `offset` counts bytes here, its line and column characters as always.
 */
export function decodeJsonBytes(bytes: Uint8Array): { text: string } | { error: JsonError } {
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    const message = `this is too large to read at once (${grouped(bytes.length)} bytes)`
    return { error: toSyntaxError(START, message, "split it") }
  }
  const wide = wideEncoding(bytes)
  if (wide) return { error: toSyntaxError(START, `this is ${wide}, not UTF-8`, "save it as UTF-8") }
  if (!isUtf8(bytes)) return { error: describeKind(bytes) ?? describeBadByte(bytes) }
  const text = toText(bytes.subarray(countMarkBytes(bytes)))
  const error = BEGINS_JSON.test(text) ? undefined : describeKind(bytes)
  return error ? { error } : { text }
}

/** Length of a byte order mark in UTF-8. */
export const MARK_BYTES = 3

/** Length of the byte order mark that a text may begin with. */
export function countMarkBytes(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? MARK_BYTES : 0
}

/** A file of two or four bytes a character shows in its mark, or in a zero beside its first character. */
export function wideEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "UTF-32" : "UTF-16"
  if (a === 0xfe && b === 0xff) return "UTF-16"
  if (a === 0 && b === 0) return "UTF-32"
  if (a !== undefined && b !== undefined && (a === 0) !== (b === 0))
    return c === 0 && d === 0 ? "UTF-32" : "UTF-16"
  return undefined
}

/**
 * Output of Windows PowerShell's redirection: UTF-16 with a mark, here in UTF-8. Other bytes stay as they are. Not
 * for invoices: their contract asks for UTF-8.
 */
export function fromRedirection(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0xff || bytes[1] !== 0xfe || wideEncoding(bytes) !== "UTF-16") return bytes
  return Buffer.from(new TextDecoder("utf-16le").decode(bytes), "utf8")
}

export const TABLE_HINT =
  "export it as JSON; freight batch book and freight invoice new --lines-from take tables"

/** How a web page begins, or a report of an error that was saved as one. */
export const WEB_PAGE_START = /^\s*<(?:!doctype\s+html|!--|html|head|body|meta|script)\b/i

export interface FileKind {
  kind: string
  hint: string
}

const WORKBOOK: FileKind = {
  kind: "a workbook (.xlsx) or another office document",
  hint: TABLE_HINT,
}

export const WEB_PAGE: FileKind = {
  kind: "a web page",
  hint: "save the file itself, not the page that shows it or asks you to log in",
}

/** File types that people take for text, by their first bytes. */
const SIGNATURES: Readonly<Record<string, FileKind>> = {
  "25504446": { kind: "a PDF", hint: "export it as JSON" },
  "504b0304": { kind: "a zip archive", hint: "unpack it first" },
  d0cf11e0: {
    kind: "an old workbook (.xls) or document",
    hint: `save it as .xlsx: ${TABLE_HINT.replace(/^.*; /, "")}`,
  },
  "1f8b": { kind: "a compressed file (.gz)", hint: "unpack it first" },
}

/** Names at the start of a zip archive from an office program. */
const OFFICE = /\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|mimetypeapplication/
const OFFICE_START = 4096
/** Bytes of a zip archive before the name of its first file. Nobody sends fewer. */
const ZIP_HEADER = 30

/** The type of a file that is not text; undefined for one that is or may be. */
export function identifyFile(bytes: Uint8Array): FileKind | undefined {
  const start = Buffer.from(bytes.subarray(0, OFFICE_START)).toString("latin1")
  if (WEB_PAGE_START.test(start)) return WEB_PAGE
  const signature = Buffer.from(start.slice(0, 4), "latin1").toString("hex")
  const found = Object.entries(SIGNATURES).find(([begin]) => signature.startsWith(begin))?.[1]
  const isOffice = start.length < ZIP_HEADER || OFFICE.test(start)
  return found === SIGNATURES["504b0304"] && isOffice ? WORKBOOK : found
}

function describeKind(bytes: Uint8Array): JsonError | undefined {
  const found = identifyFile(bytes)
  return found && toSyntaxError(START, `this is ${found.kind}, not JSON`, found.hint)
}

function describeBadByte(bytes: Uint8Array): JsonError {
  const offset = validUtf8Length(bytes)
  const before = toText(bytes.subarray(0, offset))
  const byte = `0x${(bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, "0")}`
  return toSyntaxError(
    { ...createPositionFinder(before)(before.length), offset },
    `byte ${offset + 1} (${byte}) is not UTF-8`,
    "save the file as UTF-8; it may have been saved as Windows-1252 (ANSI)",
  )
}

/** How many bytes come before the first that breaks UTF-8. */
export function validUtf8Length(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0
    const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    if (size > 1 && !isUtf8(bytes.subarray(at, at + size))) return at
    at += size
  }
  return at
}

/** @param bytes of UTF-8 */
export function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
}
