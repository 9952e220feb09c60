/** From a file's bytes to text: JSON is UTF-8 (RFC 8259, section 8.1), and anything else is named. */
import { Buffer, constants, isUtf8 } from "node:buffer"
import { grouped } from "../contract/counted.ts"
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

/** What people take for text by mistake, by its first bytes. */
const SIGNATURES: Readonly<Record<string, string>> = {
  "25504446": "a PDF",
  "504b0304": "a workbook (.xlsx) or another zip archive",
  d0cf11e0: "an old workbook (.xls) or document",
  "1f8b": "a compressed file (.gz)",
}

/** What a file is that is not text; undefined for what is or may be. */
export function identifyFile(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 4)).toString("hex")
  return Object.entries(SIGNATURES).find(([signature]) => start.startsWith(signature))?.[1]
}

function describeKind(bytes: Uint8Array): JsonError | undefined {
  const kind = identifyFile(bytes)
  return kind === undefined
    ? undefined
    : toSyntaxError(START, `this is ${kind}, not JSON`, "export it as JSON")
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

function toText(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString("utf8")
}
