/** The rows of a CSV, NDJSON or JSON source as written. */
import { counted, grouped } from "../../contract/counted.ts"
import { quoted } from "../../contract/parsed.ts"
import { FreightError } from "../../errors.ts"
import { LONGEST_CELL } from "../../limits.ts"
import type { BatchSource, Row, RowDefaults } from "./row.ts"
import { type CsvRecord, csvRecords } from "./csv.ts"
import { type Cell, type CellFinding, errorFinding } from "./cells.ts"
import {
  checkWidth,
  headerFields,
  type Mapping,
  sortUnknown,
  type Unknown,
  unknownTogether,
} from "../columns/header.ts"
import { type JsonRecord, jsonRecords } from "./json.ts"
import { decodeText } from "./source.ts"

export interface WrittenRow {
  line: number
  written: Row["cells"]
  cells: readonly Cell[]
  findings: readonly CellFinding[]
}

/** @throws FreightError `input` if the source is not a batch */
export async function* readWrittenRows(
  source: BatchSource,
  mapping: Mapping,
  defaults: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const { isJson, text } = await detectFormat(source)
  yield* (isJson ? fromJson : fromCsv)(source.name, text, mapping, defaults)
}

/** Peeks at the first characters. @throws FreightError `input` for an empty source */
async function detectFormat(source: BatchSource): Promise<{ isJson: boolean; text: AsyncGenerator<string> }> {
  const text = decodeText(source)
  let start = ""
  while (start.trim() === "") {
    const { value, done } = await text.next()
    if (done) throw new FreightError("input", `${source.name} is empty`)
    start += value
  }
  async function* all() {
    yield start
    yield* text
  }
  return { isJson: /^\s*[[{]/.test(start), text: all() }
}

async function* fromCsv(
  name: string,
  text: AsyncGenerator<string>,
  mapping: Mapping,
  { ignoreUnknown }: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const records = csvRecords(name, text, (header) => "field" in mapping.meaning(header))
  const first: CsvRecord | undefined = (await records.next()).value
  if (!first) throw new FreightError("input", `${name} is empty`)
  const headers = first.cells.map((header: string) => header.trim())
  checkWidth(name, headers.length)
  const fields = headerFields(name, first.line, headers, mapping, ignoreUnknown)
  for await (const { line, cells } of records) {
    const known = fields.flatMap((field, index) => {
      const value = cells[index] ?? ""
      return field ? [{ column: headers[index] ?? "", field, value, source: () => value }] : []
    })
    yield {
      line,
      written: headers.map((header, index) => [header, cells[index] ?? ""]),
      cells: known,
      findings: [...checkCellCount(headers, cells), ...checkCellLengths(headers, cells)],
    }
  }
}

/** Rows with too many or too few cells: it is uncertain which value belongs where. */
function checkCellCount(headers: readonly string[], cells: readonly string[]): CellFinding[] {
  const named = headers.findLastIndex((header) => header !== "") + 1
  const last = cells.findLastIndex((cell) => cell.trim() !== "") + 1
  const nameless = headers.findIndex((header, index) => header === "" && (cells[index] ?? "").trim() !== "")
  if (last > headers.length || cells.length < named) {
    const message = `has ${counted(cells.length, "cell")}, and the first line has ${counted(headers.length, "column")}`
    return [errorFinding("ragged", message, { hint: HINT })]
  }
  if (nameless < 0) return []
  const message = `cell ${nameless + 1} holds ${quoted(cells[nameless] ?? "")}, and its column has no name`
  return [errorFinding("nameless", message, { hint: "name the column in the first line" })]
}

/** Cells longer than a spreadsheet's: they have probably swallowed other cells. */
function checkCellLengths(headers: readonly string[], cells: readonly string[]): CellFinding[] {
  return cells.flatMap((text, index) =>
    text.length > LONGEST_CELL ? [tooLong(headers[index] ?? "", text.length)] : [],
  )
}

function tooLong(column: string, length: number): CellFinding {
  const message = `has ${grouped(length)} characters, and freight reads at most ${grouped(LONGEST_CELL)} of a cell`
  return errorFinding("long", message, { column })
}

const HINT = "a cell that holds the delimiter or a line break must stand in quotes"

async function* fromJson(
  name: string,
  text: AsyncGenerator<string>,
  mapping: Mapping,
  { ignoreUnknown }: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const meanings = new Map<string, ReturnType<Mapping["meaning"]>>()
  const meaning = (header: string) => {
    const known = meanings.get(header) ?? mapping.meaning(header)
    // Limited: a hostile file can have any number of names.
    if (meanings.size < 1000) meanings.set(header, known)
    return known
  }
  for await (const record of jsonRecords(name, text)) yield jsonInput(record, meaning, ignoreUnknown)
}

function jsonInput(record: JsonRecord, meaning: Mapping["meaning"], ignoreUnknown: boolean): WrittenRow {
  const { line } = record
  if ("error" in record)
    return { line, written: [], cells: [], findings: [errorFinding("json", record.error)] }
  checkWidth(`the row on line ${line}`, record.members.length)
  const cells: Cell[] = []
  const findings: CellFinding[] = []
  const unknown: (Unknown & { column: string })[] = []
  const taken = new Map<string, string>()
  for (const { name: column, value, source } of record.members) {
    const means = meaning(column)
    if ("error" in means) {
      if (!ignoreUnknown || means.open) unknown.push({ ...means, column })
    } else if (means.field) {
      const { field } = means
      const before = taken.get(field.name)
      taken.set(field.name, column)
      if (before === undefined) cells.push({ column, field, value, source })
      else {
        const message = `${quoted(before)} and ${quoted(column)} both mean ${field.name}`
        findings.push(errorFinding("twice", message, { column, hint: "leave one of them out" }))
      }
    }
  }
  findings.push(...unknownColumnFindings(unknown))
  const cellTexts = record.members.map(({ name, value, source }) => {
    const text =
      typeof value === "string" ? value : typeof value === "number" ? source() : JSON.stringify(value)
    return [name, text] as const
  })
  for (const [column, { length }] of cellTexts)
    if (length > LONGEST_CELL) findings.push(tooLong(column, length))
  return { line, written: cellTexts, cells, findings }
}

function unknownColumnFindings(unknown: readonly (Unknown & { column: string })[]): CellFinding[] {
  const { together, apart } = sortUnknown(unknown)
  const many = together.map(({ column }) => column)
  return [
    ...(many.length > 0 ? [errorFinding("unknown", unknownTogether(many))] : []),
    ...apart.map(({ column, error, hint }) => errorFinding("unknown", error, { column, hint: hint() })),
  ]
}
