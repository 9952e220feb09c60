/** What a file holds: one document, a list of them, or one on each line. */
import type { Buffer } from "node:buffer"

export type Shape = "one" | "list" | "lines"

/** What a person says that the inputs hold: one document or a list; or a document on each line. */
export type InputKind = "json" | "ndjson"

/** What separates values in JSON. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}

export function isBlank(bytes: Buffer, from: number, to: number): boolean {
  let at = from
  while (at < to && isSpace(bytes[at])) at++
  return at >= to
}

/** Length of the byte order mark that a text may begin with. */
export function markLength(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

function hasLinesByName(file: string): boolean {
  return /\.(ndjson|jsonl)$/i.test(file)
}

/**
 * By its name, or by how it begins: `[` opens a list; a line that is a whole object, with more to follow, is a
 * document. Of the first two lines one may be broken.
 * @param bytes the whole file
 * @param input what the file holds, where a person said so
 */
export function shapeOf(file: string, bytes: Buffer, input?: InputKind): Shape {
  if (input === "ndjson") return "lines"
  const start = firstMark(bytes)
  const end = lineEnd(bytes, start) ?? bytes.length
  const isAlone = bytes[start] !== OPENING_BRACKET && isBlank(bytes, end, bytes.length)
  if (isAlone && (input === "json" || !hasLinesByName(file))) return "one"
  return shapeByStart(file, bytes, input, bytes.length) ?? "one"
}

/**
 * The same of what has come of a stream, where a line that is a whole object is a document although nothing may follow:
 * its verdict need not wait for the next. Undefined when more is needed to tell.
 */
export function shapeSoFar(file: string, bytes: Buffer, input?: InputKind): Shape | undefined {
  if (input === "ndjson") return "lines"
  return bytes.length < WIDEST ? undefined : shapeByStart(file, bytes, input)
}

const OPENING_BRACKET = 0x5b
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** Bytes of a character of UTF-32. */
const WIDEST = 4
/** A line that a value must follow. */
const CONTINUED = /[{[,:]\s*$/

/** @param last where the last line ends, when it ends without a line feed */
function shapeByStart(
  file: string,
  bytes: Buffer,
  input: InputKind | undefined,
  last?: number,
): Shape | undefined {
  // UTF-16 and UTF-32 have a mark or zeros at the front: no lines to cut at.
  if (bytes.subarray(0, WIDEST).includes(0) || (bytes[0] ?? 0) >= 0xfe) return "one"
  if (input !== "json" && hasLinesByName(file)) return "lines"
  const start = firstMark(bytes)
  if (bytes[start] === OPENING_BRACKET) return "list"
  if (input === "json") return "one"
  const end = lineEnd(bytes, start) ?? last
  if (end === undefined) return undefined
  if (isWholeObject(bytes, start, end)) return "lines"
  if (bytes[start] !== OPENING_BRACE || CONTINUED.test(bytes.toString("latin1", start, end))) return "one"
  const next = lineEnd(bytes, end + 1) ?? last
  if (next === undefined) return undefined
  return isWholeObject(bytes, end + 1, next) ? "lines" : "one"
}

/** Where the text begins, behind blanks. */
function firstMark(bytes: Buffer): number {
  let start = markLength(bytes)
  while (isSpace(bytes[start])) start++
  return start
}

function lineEnd(bytes: Buffer, from: number): number | undefined {
  const end = bytes.indexOf(10, from)
  return end < 0 ? undefined : end
}

function isWholeObject(bytes: Buffer, from: number, to: number): boolean {
  let last = to - 1
  while (last > from && isSpace(bytes[last])) last--
  if (bytes[from] !== OPENING_BRACE || bytes[last] !== CLOSING_BRACE) return false
  try {
    JSON.parse(bytes.toString("utf8", from, to))
    return true
  } catch {
    return false
  }
}
