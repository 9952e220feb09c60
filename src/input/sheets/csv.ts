/** Records of tables, and CSV as spreadsheets save it: four delimiters, quotes, empty lines. */
import { Readable } from "node:stream"
import { type CsvError, type Info, parse } from "csv-parse"
import { grouped } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { MAX_ROW_LENGTH, MAX_COLUMNS } from "../../base/limits.ts"

export interface CsvRecord {
  line: number
  /** As a spreadsheet numbers it: empty rows count, line breaks in cells do not. */
  row: number
  cells: string[]
  /** The page of a PDF, from 1: `line` is the line on that page, from the top. */
  page?: number
  /** It repeats the headings of its table. */
  isHeadings?: true
  /** Cells of a workbook whose value cannot be read. Their text is empty. */
  unreadable?: readonly UnreadableCell[]
  /** Columns of a workbook's cells that are numbers with three decimals, which as texts would have two readings. */
  exact?: readonly number[]
}

/** The place of a record, for people. */
export function describePlace({ page, line, row }: Pick<CsvRecord, "page" | "line" | "row">): string {
  return page === undefined ? `row ${row}` : `page ${page}, line ${line}`
}

export interface UnreadableCell {
  index: number
  rule: string
  message: string
  hint: string
}

const DELIMITERS = [",", ";", "\t", "|"] as const

/**
 * The records of a text whose lines end in LF, the header first. Records without any text are left out.
 * @param known whether a header has a meaning, which decides the delimiter and the row of the headers
 * @param headerRow the row of the headers, if it is known
 */
export function csvRecords(
  name: string,
  text: AsyncIterator<string>,
  known: (header: string) => boolean,
  headerRow?: number,
): AsyncGenerator<CsvRecord> {
  return fillBlocks(parseRecords(name, text, known, headerRow))
}

/** Excel writes this many rows at once, without the last columns if they are empty in all of them. */
const BLOCK_ROWS = 16

/** Gives the rows of a block that is shorter than those before it the cells that they lack. */
async function* fillBlocks(records: AsyncIterable<CsvRecord>): AsyncGenerator<CsvRecord> {
  let width = 0
  let block = 0
  let held: CsvRecord[] = []
  const filled = () =>
    held.map((each) => ({ ...each, cells: [...each.cells, ...Array(width - each.cells.length).fill("")] }))
  for await (const record of records) {
    const { length } = record.cells
    const own = Math.floor((record.row - 1) / BLOCK_ROWS)
    const begins = own !== block
    const [first] = held
    if (first && (begins || length !== first.cells.length)) {
      yield* begins ? filled() : held
      held = []
    }
    block = own
    if (held.length > 0 || (begins && length < width)) held.push(record)
    else {
      width = Math.max(width, length)
      yield record
    }
  }
  yield* filled()
}

async function* parseRecords(
  name: string,
  text: AsyncIterator<string>,
  known: (header: string) => boolean,
  headerRow: number | undefined,
): AsyncGenerator<CsvRecord> {
  const { start, ended } = await firstLines(text, headerRow === undefined ? known : () => false)
  const sep = /^"?sep=(.)"?(?:\n|$)/i.exec(start)
  const body = sep ? start.slice(sep[0].length) : start
  const headers =
    headerRow === undefined
      ? body
      : body
          .split("\n")
          .slice(headerRow - 1 - Number(sep !== null))
          .join("\n")
  const delimiter =
    sep?.[1] ?? findDelimiter((headers.trim() === "" ? body : headers).replace(/^\n+/, ""), known)
  const before = sep ? 1 : 0

  async function* pieces() {
    yield body
    if (!ended) yield* { [Symbol.asyncIterator]: () => text }
  }
  /** Line of the last complete record: the parser may not emit records before an error. */
  let last = before
  const parser = parse({
    delimiter,
    record_delimiter: "\n",
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
    on_record(record, { lines }) {
      last = lines + before
      return record
    },
  })
  const source = Readable.from(pieces())
  source.once("error", (error) => parser.destroy(error))
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<{
      record: string[]
      info: Info
    }>) {
      if (record.every((cell) => cell.trim() === "")) continue
      const row = info.records + info.empty_lines
      const broken = endings(record)
      const line = info.lines + before - broken
      if (broken > 0 && holdsRows(record, delimiter)) throw createTakenInError(name, line, line + broken)
      yield { line, row, cells: record }
    }
  } catch (error) {
    if (!isCsvError(error)) throw error
    throw createUnclosedError(name, last + 1, error.code === "CSV_MAX_RECORD_SIZE")
  } finally {
    source.destroy()
  }
}

/** Maximum number of rows above the headers, such as a title. */
const MAX_ABOVE = 10

/** Whether these cells are the headers, and not a title above them. */
function isHeader(cells: readonly string[], known: (header: string) => boolean): boolean {
  return cells.filter(known).length >= 2
}

/**
 * The headers, and the text read to find them.
 * @param headerRow their row, if it is known; nothing is found if it is empty
 */
export async function findHeader(
  records: AsyncGenerator<CsvRecord>,
  isHeaders: (cells: readonly string[]) => boolean,
  headerRow?: number,
): Promise<{ above: CsvRecord[]; header: CsvRecord | undefined; below: CsvRecord[] }> {
  const above: CsvRecord[] = []
  while (headerRow !== undefined || above.length < MAX_ABOVE) {
    const { value, done } = await records.next()
    if (done) break
    if (headerRow === undefined ? isHeaders(value.cells) : value.row === headerRow)
      return { above, header: value, below: [] }
    above.push(value)
  }
  if (headerRow !== undefined) return { above, header: undefined, below: [] }
  const [header, ...below] = above
  return { above: [], header, below }
}

/** Text up to the end of the headers' line. A stream is not held up for more than that. */
async function firstLines(
  text: AsyncIterator<string>,
  known: (header: string) => boolean,
): Promise<{ start: string; ended: boolean }> {
  let start = ""
  while (start.length < MAX_ROW_LENGTH && !hasHeader(start, known)) {
    const { value, done } = await text.next()
    if (done) return { start, ended: true }
    start += value
  }
  return { start, ended: false }
}

function hasHeader(start: string, known: (header: string) => boolean): boolean {
  const lines = start.split("\n").slice(0, -1)
  return (
    lines.filter((line) => line.trim() !== "").length > MAX_ABOVE ||
    lines.some((line) => DELIMITERS.some((delimiter) => isHeader(headersBy(delimiter, line), known)))
  )
}

/** The delimiter of the headers, or of the first line if none are found. */
function findDelimiter(start: string, known: (header: string) => boolean): string {
  let rest = start
  for (let above = 0; above < MAX_ABOVE && rest !== ""; above++) {
    const [best] = rankDelimiters(rest, known)
    if (best && best.known >= 2) return best.delimiter
    rest = rest.slice(rest.indexOf("\n") + 1 || rest.length).replace(/^\n+/, "")
  }
  return rankDelimiters(start, known)[0]?.delimiter ?? ","
}

function rankDelimiters(start: string, known: (header: string) => boolean) {
  return DELIMITERS.map((delimiter) => {
    const headers = headersBy(delimiter, start)
    return { delimiter, known: headers.filter(known).length, count: headers.length }
  }).sort((one, other) => other.known - one.known || other.count - one.count)
}

function headersBy(delimiter: string, start: string): string[] {
  const headers = [""]
  let inQuotes = false
  for (const character of start) {
    if (character === '"') inQuotes = !inQuotes
    else if (character === "\n" && !inQuotes) break
    else if (character === delimiter && !inQuotes) {
      // A line with more is refused, whatever they are.
      if (headers.length > MAX_COLUMNS) break
      headers.push("")
    } else headers[headers.length - 1] += character
  }
  return headers
}

/** A row of fewer marks could be an address of several lines. */
const MIN_MARKS = 5

/** Whether a cell, line by line, has as many delimiters as the rest of its row and the start of another one. */
function holdsRows(record: readonly string[], delimiter: string): boolean {
  const marks = record.length - 1
  const countMarks = (line = "") => line.split(delimiter).length - 1
  return (
    marks >= MIN_MARKS &&
    record.some((cell, index) => {
      const lines = cell.split("\n")
      return lines.length > 1 && countMarks(lines[0]) === marks - index && countMarks(lines.at(-1)) === index
    })
  )
}

function endings(record: readonly string[]): number {
  return record.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0)
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("CSV_")
}

const QUOTES_HINT = 'A quote inside a quoted cell is written twice: "12"" pipe".'

/** The rows in such a cell would be lost, and its own row would end as another one does. */
function createTakenInError(name: string, line: number, last: number): FreightError {
  return new FreightError(
    "input",
    `${name}: a quote on line ${line} takes in what seem to be rows of their own, up to line ${last}`,
    { hint: `Close it, or remove it. ${QUOTES_HINT}` },
  )
}

function createUnclosedError(name: string, line: number, tooLong: boolean): FreightError {
  const closed = `a quote opened on line ${line} or after it is never closed`
  const long = `the row on line ${line} or after it has more than ${grouped(MAX_ROW_LENGTH)} characters: perhaps a quote is not closed`
  return new FreightError("input", `${name}: ${tooLong ? long : closed}`, {
    hint: `Close it. ${QUOTES_HINT}`,
  })
}
