/** A CSV file or the sheet of a workbook as a table: its headings with their fields, and the records below them. */
import { counted, grouped } from "../../base/counted.ts"
import { quoted } from "../../base/parsed.ts"
import { createStep } from "../../base/turns.ts"
import { FreightError } from "../../base/errors.ts"
import { MAX_CELL_LENGTH, MAX_COLUMNS } from "../../base/limits.ts"
import { type CsvRecord, csvRecords } from "./csv.ts"
import { type CellFinding, errorFinding } from "./findings.ts"
import { findHeadingLines, repeatsHeadings } from "./heading-lines.ts"
import { checkWidth, findWatched, type Header, readHeader, unusedNote } from "../columns/header.ts"
import { listColumnNames, type Mapping } from "../columns/mapping.ts"
import { type ColumnQuestion, UnclearColumns } from "../columns/questions.ts"
import { judgeWritings } from "../columns/writings.ts"
import type { ColumnField, Meaning } from "../columns/notation.ts"

export interface OpenedTable<Field> extends Header<Field> {
  /** Trimmed; a nameless column has an empty one. */
  headers: readonly string[]
  /** As `--map` tells columns with one heading apart. */
  names: readonly string[]
  above: readonly CsvRecord[]
  /** The first records without headings that repeat; they are among all. */
  sample: readonly CsvRecord[]
  records: AsyncIterable<CsvRecord>
}

/** The records of a sheet, opened once for each pass. */
export interface SheetRecords {
  records(): AsyncGenerator<CsvRecord>
  /** Cells that are one, and the rows they are in: only the first has a value. */
  merged: readonly { name: string; first: number; last: number }[]
  notes: readonly string[]
  /** Rows around a table are expected, and cause no message. */
  isQuiet?: boolean
}

/** A text whose lines end in LF, or a sheet. */
export type TableInput = ({ text: AsyncIterator<string> } | { sheet: SheetRecords }) & {
  /** The row of the headings, as a spreadsheet numbers it, if a person says so. */
  headerRow?: number | undefined
}

/** Rows read before columns are judged: their cells decide the meaning of headings. */
const SAMPLE_ROWS = 200

export interface TableOptions {
  ignoreUnknown: boolean
  /** Rows to read ahead; 0 if each is handled as it comes. */
  sampleRows?: number | undefined
  /** Nothing will be sent: columns that are not clear are set aside. */
  isLookUp?: boolean | undefined
  /** False if the caller reports unused columns, after reading all rows. */
  tellsUnused?: boolean | undefined
  /** Receives the questions about columns: the table is read as far as possible, and the caller asks. */
  questions?: ColumnQuestion[] | undefined
  /** Headings that repeat are among the records: below another table they begin the first again. */
  keepsHeadings?: boolean | undefined
  /** Ends the reading between two rows. */
  signal: AbortSignal
  /** @param isDetail nothing that a person has to know every day */
  tell(note: string, isDetail?: boolean): Promise<void>
}

interface Preparing<Field extends ColumnField> {
  /** Chooses by the first records how the columns are mapped, and which row has the headings. */
  prepare?: ((start: readonly CsvRecord[]) => Promise<Prepared<Field> | undefined>) | undefined
}

export interface Prepared<Field extends ColumnField> {
  mapping: Mapping<Field>
  headerRow?: number | undefined
}

function isKnown(meaning: Meaning<ColumnField>): boolean {
  return "field" in meaning || "byCells" in meaning
}

/**
 * Reads the headings of a table, and reports the rows above them and the unused columns.
 * @throws FreightError `input` for an empty file, and for headings that cannot be read or are not clear; `usage` where
 * the row of the headings is to be named, or is named and has nothing
 */
export async function openTable<Field extends ColumnField>(
  name: string,
  input: TableInput,
  given: Mapping<Field>,
  {
    ignoreUnknown,
    tell,
    sampleRows = SAMPLE_ROWS,
    isLookUp = false,
    tellsUnused = true,
    keepsHeadings = false,
    questions,
    signal,
    prepare,
  }: TableOptions & Preparing<Field>,
): Promise<OpenedTable<Field>> {
  const known = (header: string) => isKnown(given.meaning(header))
  const raw = "sheet" in input ? input.sheet.records() : csvRecords(name, input.text, known, input.headerRow)
  const start = prepare ? await readAhead(raw, SAMPLE_ROWS) : undefined
  const prepared = start && (await closeOnError(raw, () => prepare?.(start.first)))
  const { mapping = given, headerRow = input.headerRow } = prepared ?? {}
  const records = start?.all ?? raw
  const lines = await closeOnError(records, () =>
    findHeadingLines(
      name,
      records,
      {
        isKnown: (cell) => isKnown(mapping.meaning(cell)),
        hasMeaning: (cell) => !("likely" in mapping.meaning(cell)),
        // Headings of a table that is too wide are not looked up: it is refused below.
        isHeadings: (cells) =>
          cells.length <= MAX_COLUMNS &&
          cells.filter((cell) => isKnown(mapping.meaning(cell))).length >= 2 &&
          !holdsFacts(cells, mapping),
      },
      headerRow,
    ),
  )
  const { above, header, below, second, likelyRow } = lines
  if (!header) throw noHeader(name, headerRow)
  await closeOnError(records, () => refuseStruck(name, header))
  const headers = header.cells.map((each) => each.trim())
  checkWidth(name, headers.length)
  const step = createStep(signal)
  function* keep(record: CsvRecord): Generator<CsvRecord> {
    if (!repeatsHeadings(record.cells, headers)) yield record
    else if (keepsHeadings) yield { ...record, isHeadings: true }
  }
  async function* rest() {
    for (const record of below) yield* keep(record)
    for await (const record of records) {
      await step()
      yield* keep(record)
    }
  }
  const ahead = await readAhead(rest(), sampleRows)
  const sample = listSample(ahead.first, headers.length)
  const read = await closeOnError(records, () =>
    readHeader(name, header, headers, mapping, {
      ignoreUnknown,
      sample,
      likelyRow,
    }),
  )
  const names = listColumnNames(headers)
  const written = { headers, names, fields: read.fields }
  const writings = judgeWritings(mapping, written, (at) =>
    ahead.first.flatMap(({ cells, isHeadings, exact }) =>
      isHeadings || exact?.includes(at) ? [] : [cells[at] ?? ""],
    ),
  )
  // Columns whose field is asked about may be none of numbers or days: how they write them is asked after that.
  const asked = [...read.questions, ...writings.listQuestions()]
  const ask = (found: readonly ColumnQuestion[]) => {
    if (questions) questions.push(...found)
    else if (found.length > 0 && !isLookUp) {
      const { help, fields } = mapping.columns
      throw new UnclearColumns(name, found, header.line, help.next, fields)
    }
  }
  await closeOnError(records, () => ask(asked))
  for (const note of writings.notes) await tell(`${name}: ${note}`)
  const first = ahead.first.map((record) => writings.settle(record))
  async function* settled() {
    let at = 0
    for await (const record of ahead.all) yield first[at++] ?? writings.settle(record)
    // Rows that were taken as they came cannot be read again.
    if (sampleRows > 0)
      ask(writings.listQuestions().filter(({ column }) => !asked.some((each) => each.column === column)))
  }
  const isQuiet = "sheet" in input && input.sheet.isQuiet
  for (const { row, cells } of isQuiet ? [] : above.filter((each) => !holdsFacts(each.cells, mapping)))
    await tell(
      `row ${row}: ${quoted(cells.find((cell) => cell.trim() !== "") ?? "")} is above the headings and is left out`,
    )
  if (second) await tell(`${name}: row ${second.row} is read with the headings above it`)
  if ("sheet" in input) for (const note of listNotes(name, input.sheet, header.row)) await tell(note)
  // A shop's export always has them.
  if (read.unused.length > 0 && !ignoreUnknown && tellsUnused)
    await tell(unusedNote(name, read.unused), read.shop !== undefined)
  const rows = first.filter(({ isHeadings }) => !isHeadings)
  return { ...read, headers, names, above, sample: rows, records: settled() }
}

/** The cells of the first rows, without those of rows that are too wide: they are under other headings. */
function listSample(records: readonly CsvRecord[], width: number): (readonly string[])[] {
  const rows = records.flatMap(({ cells, isHeadings }) => (isHeadings ? [] : [cells]))
  const fitting = rows.filter((cells) => cells.slice(width).every((cell) => cell.trim() === ""))
  return fitting.length > 0 ? fitting : rows
}

/** A heading that a person cannot read as one would leave its column out. */
function refuseStruck(name: string, { row, unreadable = [] }: CsvRecord): void {
  const struck = unreadable.filter(({ rule }) => rule === "struck")
  const [first] = struck
  if (!first) return
  throw new FreightError("input", `${name}: the headings in row ${row} cannot be read`, {
    errors: struck.map(({ message }) => ({ message })),
    hint: `${first.hint.charAt(0).toUpperCase()}${first.hint.slice(1)}.`,
  })
}

function noHeader(name: string, headerRow: number | undefined): FreightError {
  if (headerRow === undefined) return new FreightError("input", `${name} is empty`)
  return new FreightError(
    "usage",
    `${name} has nothing in row ${headerRow}, which --header-row says are the headings`,
  )
}

/** Whether cells are facts with their values beside them, such as `Invoice, NL-20881, Date, 30/11/2026`, and no headings. */
function holdsFacts<Field extends ColumnField>(
  cells: readonly string[],
  { columns, isMapped }: Mapping<Field>,
): boolean {
  const { facts = [] } = columns
  if (facts.length === 0) return false
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "")
  return filled.some((cell, at) => {
    if (isMapped(cell)) return false
    const label = /^([^:]{2,30}):/.exec(cell)?.[1] ?? cell
    const meaning = columns.meaning(label)
    const name = "field" in meaning ? meaning.field?.name : undefined
    const isFact = name !== undefined && (facts.includes(name) || /^date$/i.test(label))
    const own = cell.slice(label.length + 1).trim()
    const value = own === "" ? (filled[at + 1] ?? "") : own
    // No heading is a day, has a long number in it, or is `INV-1`.
    return (
      isFact && /\d{3,}|\d[/.-]\d|^\W*[A-Z]{1,5}[-/ ]?\d+$/.test(value) && !isKnown(columns.meaning(value))
    )
  })
}

/** Closes the source of the records if the work fails. */
async function closeOnError<Result>(
  records: AsyncGenerator<unknown>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work()
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
  const shown = ranges.slice(0, MAX_RANGES).join(", ")
  const more = ranges.length > MAX_RANGES ? ` and ${grouped(ranges.length - MAX_RANGES)} more` : ""
  return [
    ...notes,
    `${name}: merged cells (${shown}${more}) count for their first cell only; the others are empty`,
  ]
}

const MAX_RANGES = 10

/** Whether a record is a note between the others: a few words in one cell, and nothing else. */
export function isNote(cells: readonly string[]): boolean {
  const [text, ...others] = cells.map((cell) => cell.trim()).filter((cell) => cell !== "")
  return text !== undefined && others.length === 0 && /^[^\p{L}\r\n\u2028\u2029]*\p{L}.*\s\S/mu.test(text)
}

/** Cells of a workbook that have no value, in columns that are used. */
export function checkUnreadable<Field>(
  { headers, fields }: Pick<OpenedTable<Field>, "headers" | "fields">,
  { unreadable = [] }: Pick<CsvRecord, "unreadable">,
) {
  return unreadable
    .filter(({ index }) => fields[index] !== undefined)
    .map(({ index, rule, message, hint }) => ({
      ...errorFinding(rule, message, { hint }),
      column: headers[index] ?? "",
    }))
}

interface Shape {
  /** Whether a cell would be misread under another heading after a missing or additional cell; by default every cell. */
  isAmount?: (text: string) => boolean
  /** The row sums others, and missing cells in it mean nothing. */
  isLoose?: boolean
}

/** Errors of a record as a whole; with too many or too few cells, values may belong elsewhere. */
export function checkRecord<Field>(
  {
    headers,
    fields,
    watched,
  }: Pick<OpenedTable<Field>, "headers" | "fields"> & Partial<Pick<Header<Field>, "watched">>,
  record: Pick<CsvRecord, "cells" | "unreadable">,
  { isAmount, isLoose = false }: Shape = {},
): CellFinding[] {
  const { cells } = record
  const failed = checkUnreadable({ headers, fields }, record)
  if (failed.length > 0) return failed
  const long = [
    ...cells.flatMap((text, index) =>
      text.length > MAX_CELL_LENGTH ? [tooLong(headers[index] ?? "", text.length)] : [],
    ),
    ...(watched ? checkWatched(watched, cells) : []),
  ]
  const named = headers.findLastIndex((header) => header !== "") + 1
  const last = cells.findLastIndex((cell) => cell.trim() !== "") + 1
  const matters = (text: string) => (isAmount ? !isLoose && isAmount(text) : text.trim() !== "")
  const nameless = headers.findIndex((header, index) => header === "" && matters(cells[index] ?? ""))
  // An unquoted thousands comma makes two cells of an amount, neither of which has to look like one.
  const isSplit = isAmount !== undefined && cells.length > headers.length && cells.some(endsThousands)
  const isLong = isSplit || (last > headers.length && (!isAmount || cells.some(isAmount)))
  if (isLong || (cells.length < named && (!isAmount || cells.some(matters)))) {
    const message = `has ${counted(cells.length, "cell")}, and the first line has ${counted(headers.length, "column")}`
    return [errorFinding("ragged", message, { hint: HINT }), ...long]
  }
  if (nameless < 0) return long
  const message = `cell ${nameless + 1} holds ${quoted(cells[nameless] ?? "")}, and its column has no name`
  return [errorFinding("nameless", message, { hint: "name the column in the first line" }), ...long]
}

/** Whether a cell is the end of an amount whose comma was taken for the delimiter. */
function endsThousands(text: string, at: number, cells: readonly string[]): boolean {
  return (
    /^\d{3}(?:\.\d\d)?$/.test(text.trim()) &&
    /^[-(]?(?:A?\$ ?)?[1-9]\d{0,2}$/.test((cells[at - 1] ?? "").trim())
  )
}

/** The errors of a row in columns that were left out by the first rows. */
export function checkWatched(watched: Header<unknown>["watched"], cells: readonly string[]): CellFinding[] {
  const hint = "say what the column is with --map COLUMN=FIELD, or leave it out with --map COLUMN="
  return findWatched(watched, cells).map(({ column, why }) => errorFinding("column", why, { column, hint }))
}

export function tooLong(column: string, length: number): CellFinding {
  const message = `has ${grouped(length)} characters, but freight reads at most ${grouped(MAX_CELL_LENGTH)} of a cell`
  return errorFinding("long", message, { column })
}

const HINT = "a cell that holds the delimiter or a line break must be in quotes"
