/** A CSV file or the sheet of a workbook as a table: its headings with their fields, and the records below them. */
import { counted, grouped } from "../../contract/counted.ts"
import { quoted } from "../../contract/parsed.ts"
import { FreightError } from "../../errors.ts"
import { LONGEST_CELL } from "../../limits.ts"
import { type CsvRecord, csvRecords, findHeader } from "./csv.ts"
import { type CellFinding, errorFinding } from "./findings.ts"
import { checkWidth, findWatched, type Header, readHeader, unusedNote } from "../columns/header.ts"
import { plainHeader } from "../columns/headings.ts"
import type { Mapping } from "../columns/mapping.ts"
import type { ColumnField } from "../columns/notation.ts"

interface Table<Field> extends Header<Field> {
  /** Trimmed; a nameless column has an empty one. */
  headers: readonly string[]
  records: AsyncIterable<CsvRecord>
}

/** The records of a sheet, opened once for each pass. */
export interface SheetRecords {
  records(): AsyncGenerator<CsvRecord>
  /** Cells that are one, and the rows they are in: only the first has a value. */
  merged: readonly { name: string; first: number; last: number }[]
  /** What else a person has to know. */
  notes: readonly string[]
}

/** A text whose lines end in LF, or a sheet. */
export type TableInput = { text: AsyncIterator<string> } | { sheet: SheetRecords }

/** Rows that are read before columns are judged: what they hold tells what a heading means. */
const SAMPLE_ROWS = 200

export interface TableOptions {
  ignoreUnknown: boolean
  /** Rows to read ahead; none where each is to be handled as it comes. */
  sampleRows?: number | undefined
  /** Nothing will be sent: columns that are not clear are set aside. */
  isLookUp?: boolean | undefined
  /** @param isDetail nothing that a person has to know every day */
  tell(note: string, isDetail?: boolean): Promise<void>
}

/**
 * Reads the headings of a table, and tells what stands above them and which columns are not used.
 * @throws FreightError `input` for an empty file, or for columns that are not clear
 */
export async function openTable<Field extends ColumnField>(
  name: string,
  input: TableInput,
  mapping: Mapping<Field>,
  { ignoreUnknown, tell, sampleRows = SAMPLE_ROWS, isLookUp = false }: TableOptions,
): Promise<Table<Field>> {
  const known = (header: string) => "field" in mapping.meaning(header)
  const records = "sheet" in input ? input.sheet.records() : csvRecords(name, input.text, known)
  const { above, header, below } = await findHeader(records, known)
  if (!header) throw new FreightError("input", `${name} is empty`)
  const headers = header.cells.map((each) => each.trim())
  checkWidth(name, headers.length)
  async function* rest() {
    for (const record of below) if (!repeatsHeadings(record.cells, headers)) yield record
    for await (const record of records) if (!repeatsHeadings(record.cells, headers)) yield record
  }
  const { first, all } = await readAhead(rest(), sampleRows)
  const sample = first.map(({ cells }) => cells)
  const read = await closeOnError(records, () =>
    readHeader(name, header, headers, mapping, { ignoreUnknown, isLookUp, sample }),
  )
  for (const { row, cells } of above)
    await tell(
      `row ${row}: ${quoted(cells.find((cell) => cell.trim() !== "") ?? "")} is above the headings and is left out`,
    )
  if ("sheet" in input) for (const note of listNotes(name, input.sheet, header.row)) await tell(note)
  // A shop's export always has them.
  if (read.unused.length > 0 && !ignoreUnknown)
    await tell(unusedNote(name, read.unused), read.shop !== undefined)
  return { ...read, headers, records: all }
}

/** Closes what the records come from where the work fails. */
async function closeOnError<Result>(records: AsyncGenerator<unknown>, work: () => Result): Promise<Result> {
  try {
    return work()
  } catch (error) {
    await records.return(undefined)
    throw error
  }
}

/** Reads the first of some records, and gives all of them. */
export async function readAhead<Each>(
  records: AsyncGenerator<Each>,
  count: number,
): Promise<{ first: readonly Each[]; all: AsyncGenerator<Each> }> {
  const first: Each[] = []
  while (first.length < count) {
    const { value, done } = await records.next()
    if (done) break
    first.push(value)
  }
  async function* all() {
    try {
      yield* first
      yield* records
    } finally {
      await records.return(undefined)
    }
  }
  return { first, all: all() }
}

/** Titles above the headings are often merged, and mean nothing. */
function listNotes(name: string, { merged, notes }: SheetRecords, headings: number): string[] {
  const ranges = merged.filter(({ last }) => last >= headings).map((each) => each.name)
  if (ranges.length === 0) return [...notes]
  const shown = ranges.slice(0, MOST_RANGES).join(", ")
  const more = ranges.length > MOST_RANGES ? ` and ${grouped(ranges.length - MOST_RANGES)} more` : ""
  return [
    ...notes,
    `${name}: merged cells (${shown}${more}) count for their first cell only; the others are empty`,
  ]
}

const MOST_RANGES = 10

/** Whether a record is the headings again, as on each page of a printed bill. */
function repeatsHeadings(cells: readonly string[], headers: readonly string[]): boolean {
  const filled = cells.flatMap((cell, index) => (cell.trim() === "" ? [] : [[cell, headers[index]] as const]))
  const plain = (text = "") => plainHeader(text) || text.trim()
  return filled.length >= 2 && filled.every(([cell, header]) => plain(cell) === plain(header))
}

/** Whether a record is a note between the others: a few words in one cell, and nothing else. */
export function isNote(cells: readonly string[]): boolean {
  const [text, ...others] = cells.map((cell) => cell.trim()).filter((cell) => cell !== "")
  return text !== undefined && others.length === 0 && /^[^\p{L}\r\n\u2028\u2029]*\p{L}.*\s\S/mu.test(text)
}

/** Cells of a workbook that have no value, in columns that are used. */
export function checkUnreadable<Field>(
  { headers, fields }: Pick<Table<Field>, "headers" | "fields">,
  { unreadable = [] }: Pick<CsvRecord, "unreadable">,
) {
  return unreadable
    .filter(({ index }) => fields[index] !== undefined)
    .map(({ index, rule, message, hint }) => ({
      ...errorFinding(rule, message, { hint }),
      column: headers[index] ?? "",
    }))
}

/** What is wrong with a record as a whole; where its cells are too many or too few, values may belong elsewhere. */
export function checkRecord<Field>(
  {
    headers,
    fields,
    watched,
  }: Pick<Table<Field>, "headers" | "fields"> & Partial<Pick<Header<Field>, "watched">>,
  record: Pick<CsvRecord, "cells" | "unreadable">,
): CellFinding[] {
  const { cells } = record
  const failed = checkUnreadable({ headers, fields }, record)
  if (failed.length > 0) return failed
  const long = [
    ...cells.flatMap((text, index) =>
      text.length > LONGEST_CELL ? [tooLong(headers[index] ?? "", text.length)] : [],
    ),
    ...(watched ? checkWatched(watched, cells) : []),
  ]
  const named = headers.findLastIndex((header) => header !== "") + 1
  const last = cells.findLastIndex((cell) => cell.trim() !== "") + 1
  const nameless = headers.findIndex((header, index) => header === "" && (cells[index] ?? "").trim() !== "")
  if (last > headers.length || cells.length < named) {
    const message = `has ${counted(cells.length, "cell")}, and the first line has ${counted(headers.length, "column")}`
    return [errorFinding("ragged", message, { hint: HINT }), ...long]
  }
  if (nameless < 0) return long
  const message = `cell ${nameless + 1} holds ${quoted(cells[nameless] ?? "")}, and its column has no name`
  return [errorFinding("nameless", message, { hint: "name the column in the first line" }), ...long]
}

/** The errors of a row in columns that were left out by the first rows. */
export function checkWatched(watched: Header<unknown>["watched"], cells: readonly string[]): CellFinding[] {
  const hint = "say what the column is with --map COLUMN=FIELD, or leave it out with --map COLUMN="
  return findWatched(watched, cells).map(({ column, why }) => errorFinding("column", why, { column, hint }))
}

export function tooLong(column: string, length: number): CellFinding {
  const message = `has ${grouped(length)} characters, but freight reads at most ${grouped(LONGEST_CELL)} of a cell`
  return errorFinding("long", message, { column })
}

const HINT = "a cell that holds the delimiter or a line break must stand in quotes"
