/** JSON rows: a list of objects, or objects one after another. */
import type { Json, JsonObject } from "../../../base/json.ts"
import { quoted } from "../../../base/parsed.ts"
import { grouped } from "../../../base/counted.ts"
import { FreightError } from "../../../base/errors.ts"
import { MAX_ROW_LENGTH } from "../../../base/limits.ts"
import { COMMA, type JsonDocument, readJson, skipValue } from "../../../input/index.ts"

export type JsonRecord = {
  /** Line on which the value begins, from 1. */
  line: number
} & ({ members: readonly Member[] } | { error: string; text: string })

/** A value of a row, named by its path: `receiver.suburb`. Lists are kept whole. */
export interface Member {
  name: string
  value: Json
  /** The value as written: `1.50`, and all digits of a long number. */
  source(): string
}

interface Cut {
  line: number
  text: string
}

/** The rows of a text that begins with `[` or `{`. Invalid JSON spoils only its own row. */
export async function* jsonRecords(name: string, text: AsyncIterable<string>): AsyncGenerator<JsonRecord> {
  for await (const { line, text: value } of splitValues(name, text)) yield toRecord(line, value)
}

function toRecord(line: number, written: string): JsonRecord {
  // Files that were put together have one before any of their rows.
  const text = written.replace(/^\s*(?=\S)/, (blanks) => blanks.replaceAll("\ufeff", ""))
  const document = readJson(text)
  const [problem] = document.findErrors()
  if (problem) {
    const place = problem.line > 1 ? ` (line ${line + problem.line - 1})` : ` (column ${problem.column})`
    return { line, text, error: `${problem.message}${place}${problem.hint ? `: ${problem.hint}` : ""}` }
  }
  const { value } = document
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { line, text, error: `${quoted(text)} is not a row: each is an object, {"reference":"…",…}` }
  // Editors want a $schema; it is not part of the row.
  const { $schema: _, ...row } = value as JsonObject
  return { line, members: [...listMembers(document, row, [])] }
}

function* listMembers(
  document: JsonDocument,
  value: JsonObject,
  above: readonly string[],
): Generator<Member> {
  for (const [key, each] of Object.entries(value)) {
    const path = [...above, key]
    if (typeof each === "object" && each !== null && !Array.isArray(each))
      yield* listMembers(document, each, path)
    else {
      const pointer = path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
      yield { name: path.join("."), value: each, source: () => document.sourceOf(pointer) ?? String(each) }
    }
  }
}

/** A text that comes in pieces; pieces are dropped once they are used. */
class Incoming {
  text = ""
  /** Line on which the text begins, from 1. */
  line = 1
  readonly #name: string
  readonly #pieces: AsyncIterator<string>

  constructor(name: string, pieces: AsyncIterable<string>) {
    this.#name = name
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Waits for more text. @returns false at the end */
  async hasMore(): Promise<boolean> {
    if (this.text.length > MAX_ROW_LENGTH) throw createTooLongError(this.#name, this.line)
    const next = await this.#pieces.next()
    if (!next.done) this.text += next.value
    return !next.done
  }

  /** Waits until `find` finds a place before the text's end. @returns undefined when the text ends first */
  async find(find: (text: string) => number): Promise<number | undefined> {
    for (;;) {
      const at = find(this.text)
      if (at < this.text.length) return at
      if (!(await this.hasMore())) return undefined
    }
  }

  /**
   * Drops blanks.
   * @param keepsLine keeps those on the line on which the next value begins: columns are counted from there
   * @returns false if nothing else comes
   */
  async skipSpace(keepsLine = false): Promise<boolean> {
    for (;;) {
      const start = this.text.search(/\S|$/)
      const begins = start < this.text.length
      this.take(keepsLine ? this.text.lastIndexOf("\n", start) + 1 : start)
      if (begins) return true
      if (!(await this.hasMore())) return false
    }
  }

  take(end: number): Cut {
    const cut = { line: this.line, text: this.text.slice(0, end) }
    this.text = this.text.slice(end)
    for (let at = cut.text.indexOf("\n"); at >= 0; at = cut.text.indexOf("\n", at + 1)) this.line++
    return cut
  }
}

async function* splitValues(name: string, pieces: AsyncIterable<string>): AsyncGenerator<Cut> {
  const incoming = new Incoming(name, pieces)
  if (!(await incoming.skipSpace(true))) return
  if (incoming.text.trimStart().startsWith("[")) return yield* splitList(name, incoming)
  const end = await incoming.find(findLineEnd)
  const first = incoming.text.slice(0, end)
  // Only a value that continues below ends its line like this.
  yield* splitStream(incoming, /[{[,:]\s*$/.test(first) ? findValueEnd : findLineEnd)
}

async function* splitList(name: string, incoming: Incoming): AsyncGenerator<Cut> {
  await incoming.skipSpace()
  incoming.take(1)
  for (let isFirst = true, isOpen = true; isOpen; isFirst = false) {
    const begun = await incoming.skipSpace()
    const end = begun ? await incoming.find(findElementEnd) : undefined
    if (end === undefined) throw createUnclosedError(name, incoming.line, incoming.text)
    isOpen = incoming.text.charCodeAt(end) === COMMA
    if (end > 0) yield incoming.take(end)
    else if (isOpen || !isFirst)
      throw new FreightError("input", `${name}, line ${incoming.line}: there is an extra comma in the list`)
    incoming.take(1)
  }
  if (await incoming.skipSpace())
    throw new FreightError("input", `${name}, line ${incoming.line}: there is text after the end of the list`)
}

async function* splitStream(incoming: Incoming, findEnd: (text: string) => number): AsyncGenerator<Cut> {
  while (await incoming.skipSpace(findEnd === findLineEnd)) {
    const end = await incoming.find(findEnd)
    yield incoming.take(end ?? incoming.text.length)
  }
}

/**
 * Position of the comma that ends an element, or of the bracket that ends the list. An extra brace spoils its own row
 * only.
 */
function findElementEnd(text: string): number {
  let end = skipValue(text, 0)
  while (text[end] === "}") end = skipValue(text, end + 1)
  return end
}

/** Position after the bracket that closes a value, or after its line if it has none. */
function findValueEnd(text: string): number {
  if (text[0] !== "{" && text[0] !== "[") return findLineEnd(text)
  let end = skipValue(text, 1)
  while (text.charCodeAt(end) === COMMA) end = skipValue(text, end + 1)
  return end + 1
}

function findLineEnd(text: string): number {
  const end = text.indexOf("\n")
  return end < 0 ? text.length : end
}

/** An error in the last row explains more than an unclosed list. */
function createUnclosedError(name: string, line: number, rest: string): FreightError {
  const record = rest === "" ? undefined : toRecord(line, rest)
  const why =
    record && "error" in record ? `row on line ${line}: ${record.error}` : "the list is not closed with ]"
  return new FreightError("input", `${name}: ${why}`, { hint: "The file may be cut off." })
}

function createTooLongError(name: string, line: number): FreightError {
  return new FreightError(
    "input",
    `${name}: the row on line ${line} has more than ${grouped(MAX_ROW_LENGTH)} characters`,
  )
}
