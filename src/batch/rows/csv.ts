/** CSV as spreadsheets save it: four delimiters, quotes, empty lines. */
import { Readable } from "node:stream"
import { type CsvError, type Info, parse } from "csv-parse"
import { grouped } from "../../contract/counted.ts"
import { FreightError } from "../../errors.ts"
import { LONGEST_ROW } from "../../limits.ts"

export interface CsvRecord {
  line: number
  cells: string[]
}

const DELIMITERS = [",", ";", "\t", "|"] as const

/**
 * The records of a text whose lines end in LF, the header first. Records without any text are left out.
 * @param known whether a header means something, which tells the delimiter
 * @throws FreightError `input` when a quote is not closed
 */
export async function* csvRecords(
  name: string,
  text: AsyncIterator<string>,
  known: (header: string) => boolean,
): AsyncGenerator<CsvRecord> {
  const { start, ended } = await firstLines(text)
  const sep = /^"?sep=(.)"?(?:\n|$)/i.exec(start)
  const body = sep ? start.slice(sep[0].length) : start
  const delimiter = sep?.[1] ?? delimiterOf(body.replace(/^\n+/, ""), known)
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
    max_record_size: LONGEST_ROW,
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
      yield { line: info.lines + before - endings(record), cells: record }
    }
  } catch (error) {
    if (!isCsvError(error)) throw error
    throw notClosed(name, last + 1, error.code === "CSV_MAX_RECORD_SIZE")
  } finally {
    source.destroy()
  }
}

/** Text up to the end of the second line that is not empty. */
async function firstLines(text: AsyncIterator<string>): Promise<{ start: string; ended: boolean }> {
  let start = ""
  while (start.length < LONGEST_ROW && start.trimStart().split("\n", 3).length < 3) {
    const { value, done } = await text.next()
    if (done) return { start, ended: true }
    start += value
  }
  return { start, ended: false }
}

function delimiterOf(start: string, known: (header: string) => boolean): string {
  const ranked = DELIMITERS.map((delimiter) => {
    const headers = headersBy(delimiter, start)
    return { delimiter, known: headers.filter(known).length, count: headers.length }
  })
  ranked.sort((one, other) => other.known - one.known || other.count - one.count)
  return ranked[0]?.delimiter ?? ","
}

function headersBy(delimiter: string, start: string): string[] {
  const headers = [""]
  let inQuotes = false
  for (const character of start) {
    if (character === '"') inQuotes = !inQuotes
    else if (character === "\n" && !inQuotes) break
    else if (character === delimiter && !inQuotes) headers.push("")
    else headers[headers.length - 1] += character
  }
  return headers
}

function endings(record: readonly string[]): number {
  return record.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0)
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("CSV_")
}

function notClosed(name: string, line: number, tooLong: boolean): FreightError {
  const closed = `a quote opened on line ${line} or after it is never closed`
  const long = `the row on line ${line} or after it has more than ${grouped(LONGEST_ROW)} characters: perhaps a quote is not closed`
  return new FreightError("input", `${name}: ${tooLong ? long : closed}`, {
    hint: 'Close it. A quote inside a quoted cell is written twice: "12"" pipe".',
  })
}
