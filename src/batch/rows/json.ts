/** JSON rows: a list of objects, or objects one after another. */
import type { Json, JsonObject } from "../../booking/schema-fields.ts"
import { quoted } from "../../contract/parsed.ts"
import { grouped } from "../../contract/counted.ts"
import { FreightError } from "../../errors.ts"
import { LONGEST_ROW } from "../../limits.ts"
import { type JsonDocument, readJson } from "../../json/read.ts"

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

/**
 * The rows of a text that begins with `[` or `{`. Invalid JSON spoils only its own row.
 * @throws FreightError `input` for a list that is unclosed, has a gap, or is followed by something
 */
export async function* jsonRecords(name: string, text: AsyncIterable<string>): AsyncGenerator<JsonRecord> {
  for await (const { line, text: value } of splitValues(name, text)) yield toRecord(line, value)
}

function toRecord(line: number, text: string): JsonRecord {
  const document = readJson(text)
  const [problem] = document.findErrors()
  if (problem) {
    const place = problem.line > 1 ? ` (line ${line + problem.line - 1})` : ` (column ${problem.column})`
    return { line, text, error: `${problem.message}${place}${problem.hint ? `: ${problem.hint}` : ""}` }
  }
  const { value } = document
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { line, text, error: `${quoted(text)} is not a row: each is an object, {"reference":"…",…}` }
  return { line, members: [...membersOf(document, value as JsonObject, [])] }
}

function* membersOf(document: JsonDocument, value: JsonObject, above: readonly string[]): Generator<Member> {
  for (const [key, each] of Object.entries(value)) {
    const path = [...above, key]
    if (typeof each === "object" && each !== null && !Array.isArray(each))
      yield* membersOf(document, each, path)
    else {
      const pointer = path.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
      yield { name: path.join("."), value: each, source: () => document.sourceOf(pointer) ?? String(each) }
    }
  }
}

/** Cuts the text into values; its first line tells the shape. */
async function* splitValues(name: string, pieces: AsyncIterable<string>): AsyncGenerator<Cut> {
  const text = pieces[Symbol.asyncIterator]()
  let start = ""
  let ended = false
  while (!ended && start.length < LONGEST_ROW) {
    const begun = start.trimStart()
    if (begun.startsWith("[") || begun.includes("\n")) break
    const next = await text.next()
    if (next.done) ended = true
    else start += next.value
  }
  async function* all() {
    yield start
    if (!ended) yield* { [Symbol.asyncIterator]: () => text }
  }
  const [first = ""] = start.trimStart().split("\n", 1)
  // Only a value that continues below ends its line like this.
  if (first.startsWith("[")) yield* splitByBrackets(name, all(), 1)
  else if (/[{[,:]\s*$/.test(first)) yield* splitByBrackets(name, all(), 0)
  else yield* lines(name, all())
}

async function* lines(name: string, pieces: AsyncIterable<string>): AsyncGenerator<Cut> {
  let line = 1
  let rest = ""
  for await (const piece of pieces) {
    const cut = `${rest}${piece}`.split("\n")
    rest = cut.pop() ?? ""
    for (const text of cut) {
      if (text.trim() !== "") yield { line, text }
      line++
    }
    if (rest.length > LONGEST_ROW) throw tooLong(name, line)
  }
  if (rest.trim() !== "") yield { line, text: rest }
}

/**
 * Values by their brackets.
 * @param base how deep a value stands: 1 in a list, 0 on its own
 */
async function* splitByBrackets(
  name: string,
  pieces: AsyncIterable<string>,
  base: 0 | 1,
): AsyncGenerator<Cut> {
  let [line, start, depth, count] = [1, 1, 0, 0]
  let [inString, escaped, closed] = [false, false, false]
  let value = ""
  /** Whether the value has begun, so that blanks belong to it. */
  let begun = false
  const take = (): Cut => {
    const cut = { line: start, text: value }
    value = ""
    begun = false
    count++
    return cut
  }
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; at++) {
      const mark = piece.charAt(at)
      if (mark === "\n") line++
      if (inString) {
        // JSON strings hold no line breaks: recover after a broken one.
        inString = mark !== "\n" && (mark !== '"' || escaped)
        escaped = mark === "\\" && !escaped
      } else if (mark === '"') inString = true
      else if (mark === "{" || mark === "[") {
        depth++
        if (base === 1 && depth === 1) {
          if (closed) throw afterList(name, line)
          continue
        }
      } else if (mark === "}" || mark === "]") depth = Math.max(0, depth - 1)
      if (closed && mark.trim() !== "") throw afterList(name, line)
      const ends = !inString && (base === 1 ? isEndInList(mark, depth) : isEndAlone(mark, depth, begun))
      if (base === 1 && ends) {
        closed = depth === 0
        if (begun) yield take()
        else if (!closed || count > 0)
          throw new FreightError("input", `${name}, line ${line}: there is a comma too many in the list`)
        continue
      }
      if (!begun && mark.trim() === "") continue
      if (!begun) start = line
      begun = true
      value += mark
      if (ends) yield take()
      if (value.length > LONGEST_ROW) throw tooLong(name, start)
    }
  if (base === 1 && !closed) throw notClosed(name, start, value)
  if (begun) yield take()
}

function isEndInList(mark: string, depth: number): boolean {
  return (mark === "," && depth === 1) || (mark === "]" && depth === 0)
}

function isEndAlone(mark: string, depth: number, begun: boolean): boolean {
  return depth === 0 && (mark === "}" || mark === "]" || (mark === "\n" && begun))
}

/** An error in the last row explains more than an unclosed list. */
function notClosed(name: string, line: number, rest: string): FreightError {
  const record = rest === "" ? undefined : toRecord(line, rest)
  const why =
    record && "error" in record ? `row on line ${line}: ${record.error}` : "the list is not closed with ]"
  return new FreightError("input", `${name}: ${why}`, { hint: "The file may be cut off." })
}

function afterList(name: string, line: number): FreightError {
  return new FreightError("input", `${name}, line ${line}: there is something after the end of the list`)
}

function tooLong(name: string, line: number): FreightError {
  return new FreightError(
    "input",
    `${name}: the row on line ${line} has more than ${grouped(LONGEST_ROW)} characters`,
  )
}
