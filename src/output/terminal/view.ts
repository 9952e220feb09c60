/**
 * Prints a result in the format that was asked for. Standard output carries the data; notes go to standard error.
 * JSON is the API's own shape wherever the API has one, the same on a terminal and in a pipe.
 */

import { FreightError } from "../../base/errors.ts"
import { markFormula, safeText } from "../../base/safe-text.ts"
import { turns } from "../../base/turns.ts"
import { type Column, columnValue, tableColumns } from "./columns.ts"
import { jsonText } from "./json-text.ts"
import { addAround, chooseLines, dropLists, isPaged, pickJson, pickRow, splitFields } from "./pick.ts"
import { capital } from "./sanitize.ts"
import type { Detail } from "./details.ts"
import type { MeasuredRow } from "./table.ts"
import type { OutputStream, Terminal } from "./terminal.ts"
import { fitLine } from "./width.ts"

/** What every command that prints rows can write. */
export const FORMATS = ["table", "json", "ndjson", "csv", "xlsx", "value"] as const
export type Format = (typeof FORMATS)[number]

/** What a command can write that prints a document, whole. */
export const JSON_FORMATS = ["table", "json", "ndjson"] as const satisfies readonly Format[]
/** What `printJson` can write: one value with parts, which no row holds. */
export const OBJECT_FORMATS: readonly Format[] = [...JSON_FORMATS, "value"]

export interface Output {
  format: Format
  /** Dotted names to keep, in this order. */
  fields?: readonly string[]
  /** CSV has no line of names. */
  isHeadless?: boolean
}

/** Whether the output is a table as a command shows it by itself, beside which a person reads sentences. */
export function isForPeople({ format, fields }: Output): boolean {
  return format === "table" && !fields
}

export interface Writing {
  terminal: Terminal
  output: Output
  /** Ends the writing of a long list. */
  signal?: AbortSignal | undefined
}

export interface View<Row> {
  /** The whole answer, as `json` prints it, where that is more than the rows. */
  json?: unknown
  /** Where the rows stand in that, or in each object of it if it is a list: `shipments`, `tracking.events`. */
  rowsAt?: string | undefined
  /** One row per thing, as table, CSV, workbook and NDJSON print it. */
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** What NDJSON has a line for, where that is not the rows. */
  objects?: readonly object[]
  /** More rows of an answer that was begun: CSV has no second header. */
  isContinued?: boolean
  /** The answer is one thing, not a list: its JSON is an object. */
  single?: boolean
  /** What a person sees instead of a table of all columns. */
  text?: () => string | Promise<string>
  /** What a table says when there are no rows. */
  empty?: string | (() => Promise<string>)
  /** Rows to show dimmed in a table. */
  dim?: (row: Row) => boolean
}

/** Writes a view to standard output, in every format and with the fields that were asked for: what every command prints. */
export async function print<Row>(writing: Writing, view: View<Row>): Promise<void> {
  const { terminal, output, signal } = writing
  const { stdout } = terminal
  const { format, fields } = output
  if (format === "json") {
    const value = fields ? pickJson(view, fields) : getJson(view)
    if (Array.isArray(value)) await writeJsonArray(stdout, inPages(value, signal))
    else if (hasLongList(value)) await writeJsonObject(stdout, value, signal)
    else await stdout.write(jsonText(value, 2))
    return stdout.write("\n")
  }
  if (format === "ndjson") {
    for await (const item of eachRow(
      inPages(fields ? pickEach(view, fields) : (view.objects ?? view.rows), signal),
    ))
      await stdout.write(`${jsonText(item)}\n`)
    return
  }
  const isTable = format === "table"
  if (isTable && view.rows.length === 0) return printEmpty(terminal, view)
  if (isTable && view.text && !fields) return stdout.write(await view.text())
  const chosen = fields ? chooseLines(view, fields) : undefined
  const { rows, columns } = (chosen ?? view) as Pick<View<unknown>, "rows" | "columns">
  const { dim, ...others } = view
  await writeLines(writing, {
    ...others,
    ...(rows === view.rows && { dim: dim as (row: unknown) => boolean }),
    columns,
    pages: () => inPages(rows, signal),
  })
}

/** Writes one value that is no row: as JSON for people too, unless it is asked for otherwise. */
export async function printJson({ terminal, output }: Writing, value: object): Promise<void> {
  const text = () => `${jsonText(value, 2)}\n`
  await print({ terminal, output }, { rows: [value], columns: [], single: true, text })
}

/** Writes the lines of a table, of CSV or a workbook, or bare values. */
async function writeLines<Row>(writing: Writing, view: LinesView<Row>): Promise<void> {
  const { terminal, output } = writing
  const { stdout } = terminal
  const { columns, pages } = view
  switch (output.format) {
    case "xlsx":
      return writeSheet(stdout, columns, eachRow(pages()))
    case "csv": {
      if (!view.isContinued && !output.isHeadless) await stdout.write(await csv(columns, []))
      for await (const rows of pages()) await stdout.write(await csv(columns, rows, false))
      return
    }
    case "value":
      for await (const rows of pages())
        await stdout.write(
          rows
            .map((row) => `${columns.map((column) => bareText(columnValue(column, row))).join("\t")}\n`)
            .join(""),
        )
      return
    default:
      return printTable(terminal, output.fields ? columns : tableColumns(columns), view)
  }
}

/** What NDJSON has a line for, with its fields. */
function pickEach<Row>(view: View<Row>, fields: readonly string[]): readonly unknown[] {
  const { objects, json, rows, columns } = view
  if (objects) return [pickJson({ ...view, json: objects }, fields)].flat()
  const names = splitFields(view, fields)
  const ofRows = names.flatMap(({ inRow }) => inRow ?? [])
  const lines = ofRows.length > 0 ? rows.map((row) => pickRow(row, row, columns, ofRows)) : [{}]
  return lines.map((line) => addAround(line, json, names))
}

/** Rows written between two turns of the event loop, in which a signal is heard. */
const ROWS_AT_ONCE = 1_000

/** At least one page, which may be empty. @throws the signal's reason */
async function* inPages<Row>(rows: readonly Row[], signal: AbortSignal | undefined) {
  yield rows.slice(0, ROWS_AT_ONCE)
  for (let from = ROWS_AT_ONCE; from < rows.length; from += ROWS_AT_ONCE) {
    await turns(1)
    signal?.throwIfAborted()
    yield rows.slice(from, from + ROWS_AT_ONCE)
  }
}

/** Writes one JSON array page by page. @param indent of the line in which it begins */
async function writeJsonArray(
  stdout: OutputStream,
  pages: AsyncIterable<readonly unknown[]>,
  indent = "",
): Promise<void> {
  let isEmpty = true
  for await (const rows of pages) {
    if (rows.length === 0) continue
    // The brackets of each page's array are left out, for all pages are one.
    const lines = jsonText(rows, 2).slice(1, -2).replaceAll("\n", `\n${indent}`)
    await stdout.write((isEmpty ? "[" : ",") + lines)
    isEmpty = false
  }
  await stdout.write(isEmpty ? "[]" : `\n${indent}]`)
}

function hasLongList(value: unknown): value is object {
  return Object.values(Object(value)).some((part) => Array.isArray(part) && part.length > ROWS_AT_ONCE)
}

/** Writes a JSON object, the lists in it page by page. */
async function writeJsonObject(
  stdout: OutputStream,
  value: object,
  signal: AbortSignal | undefined,
): Promise<void> {
  const parts = Object.entries(value).filter(([, part]) => part !== undefined)
  for (const [at, [name, part]] of parts.entries()) {
    await stdout.write(`${at === 0 ? "{" : ","}\n  ${jsonText(name)}: `)
    if (isPaged(part)) await writeJsonArray(stdout, part, "  ")
    else if (Array.isArray(part)) await writeJsonArray(stdout, inPages(part, signal), "  ")
    else await stdout.write(jsonText(part, 2).replaceAll("\n", "\n  "))
  }
  await stdout.write("\n}")
}

async function printEmpty({ stderr }: Terminal, { empty }: Pick<View<unknown>, "empty">): Promise<void> {
  if (empty) await stderr.write(`${fitLine(stderr, typeof empty === "string" ? empty : await empty())}\n`)
}

function getJson<Row>({ json, rows, single }: View<Row>): unknown {
  return json ?? (single ? rows[0] : rows)
}

/** A list of any length, as a table, CSV, NDJSON or a JSON array of the same rows. */
export interface PagedView<Row> extends Omit<View<Row>, "json" | "rows" | "objects" | "single" | "text"> {
  /** All rows, from the first, as often as they are asked for. */
  pages(): AsyncIterable<readonly Row[]>
  /** JSON has the columns' values too, instead of the rows themselves. */
  isJsonOfColumns?: true
  /** The whole answer, as `json` prints it, where that is more than the rows, which are pages at `rowsAt`. */
  json?: () => object
}

type LinesView<Row> = Omit<PagedView<Row>, "json"> & Pick<View<Row>, "single">

/** Writes a list to standard output page by page, in constant memory. */
export async function printPages<Row>(writing: Writing, view: PagedView<Row>): Promise<void> {
  const { stdout } = writing.terminal
  const { format, fields } = writing.output
  const { rowsAt, columns, pages } = view
  const json = view.json?.()
  // The list itself is named: all of its rows, whole.
  const isWhole = rowsAt !== undefined && fields?.includes(rowsAt) === true
  const others = fields?.filter((field) => field !== rowsAt)
  if (isWhole && format !== "json") {
    const { fields: _, ...output } = writing.output
    return printPages({ ...writing, output: { ...output, ...(others?.length && { fields: others }) } }, view)
  }
  const names = others && splitFields({ json, rowsAt, rows: [], columns }, others)
  const placed = names?.find(({ field, inRow }) => inRow === undefined && field.startsWith(`${rowsAt}.`))
  if (placed)
    throw new FreightError(
      "usage",
      `--fields: ${placed.field} names a row by its place, in a list that is read in pages`,
      {
        hint: "Name what each row has, without its place.",
      },
    )
  const ofRows = names?.flatMap(({ inRow }) => inRow ?? [])
  if (ofRows?.length === 0 && json && !isWhole) return print(writing, { json, rows: [json], columns: [] })
  async function* pagesOfValues() {
    for await (const rows of pages()) {
      const items = view.isJsonOfColumns ? rows.map((row) => toObject(columns, row)) : rows
      yield ofRows ? rows.map((row, at) => pickRow(items[at], row, columns, ofRows)) : items
    }
  }
  if (format === "json") {
    const around = fields && rowsAt !== undefined && pickPaged(json, rowsAt, fields, names ?? [])
    if (around)
      await writeJsonObject(
        stdout,
        { ...around, [rowsAt]: isWhole ? pages() : pagesOfValues() },
        writing.signal,
      )
    else if (json && !fields) await writeJsonObject(stdout, json, writing.signal)
    else await writeJsonArray(stdout, pagesOfValues())
    return stdout.write("\n")
  }
  if (format === "ndjson") {
    for await (const values of pagesOfValues())
      await stdout.write(
        values.map((value) => `${jsonText(names ? addAround(value, json, names) : value)}\n`).join(""),
      )
    return
  }
  const chosen = fields && chooseLines({ json, rowsAt, rows: [], columns }, fields).columns
  const { json: _, ...lines } = view
  await writeLines(writing, { ...lines, columns: (chosen as Column<Row>[] | undefined) ?? columns })
}

/** What is around pages of rows, as far as the fields name it, or all but lists where they name rows only. */
function pickPaged(
  json: unknown,
  rowsAt: string,
  fields: readonly string[],
  names: Parameters<typeof addAround>[2],
): object {
  const isLong = fields.some((field) => `${field}.`.startsWith(`${rowsAt}.`))
  return Object(
    isLong || names.some(({ inRow }) => inRow === undefined) ? addAround({}, json, names) : dropLists(json),
  )
}

/** Rows kept in memory before the table is read a second time. */
const ROWS_KEPT = 10_000

async function printTable<Row>(
  terminal: Terminal,
  columns: readonly Column<Row>[],
  { pages, dim, single, ...view }: LinesView<Row>,
): Promise<void> {
  const { createTable, MAX_ROWS_DRAWN, NONE, titleOf } = await import("./table.ts")
  const table = createTable(terminal, columns, dim)
  const kept: MeasuredRow[][] = []
  let count = 0
  for await (const rows of pages()) {
    const measured = table.measure(rows)
    count += rows.length
    if (count <= ROWS_KEPT) kept.push(measured)
  }
  if (count === 0) return printEmpty(terminal, view)
  const [[first] = []] = kept
  if (single && first && !table.fits()) {
    const { details } = await import("./details.ts")
    const lines = columns.map(
      (column, at): Detail => [capital(titleOf(column).toLowerCase()), first.cells[at]?.text],
    )
    const present = lines.filter(([, text]) => text !== NONE)
    return terminal.stdout.write(details(terminal, present))
  }
  const isDrawn = terminal.stdout.isTTY && count <= MAX_ROWS_DRAWN
  const draw = isDrawn ? (await import("./grid.ts")).drawGrid : undefined
  await terminal.stdout.write(table.heading(draw))
  if (count <= ROWS_KEPT) for (const page of kept) await terminal.stdout.write(table.lines(page, draw))
  else for await (const rows of pages()) await terminal.stdout.write(table.lines(table.measure(rows), draw))
}

function toObject<Row>(columns: readonly Column<Row>[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column.key, columnValue(column, row) ?? null]))
}

/** A value alone: a line has one row, so that no text begins another. */
function bareText(value: unknown): string {
  if (value === undefined || value === null) return ""
  return safeText(typeof value === "object" ? JSON.stringify(value) : String(value), Number.POSITIVE_INFINITY)
}

async function csv<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  hasHeading = true,
): Promise<string> {
  const { stringify } = await import("csv-stringify/sync")
  const cells = rows.map((row) => columns.map((column) => cell(columnValue(column, row))))
  return stringify([...(hasHeading ? [columns.map(({ key }) => key)] : []), ...cells])
}

async function writeSheet<Row>(
  stdout: OutputStream,
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
): Promise<void> {
  async function* values() {
    for await (const row of rows) yield columns.map((column) => columnValue(column, row))
  }
  const { writeWorkbook } = await import("./workbook.ts")
  const headed = columns.map(({ key, isMoney }) => ({ heading: key, isMoney }))
  for await (const piece of writeWorkbook(headed, values())) await stdout.write(piece)
}

async function* eachRow<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const rows of pages) yield* rows
}

/** A cell of a CSV file: formulas are marked as text, and one row stays one line. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ""
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  return markFormula(
    safeText(typeof value === "string" ? value : JSON.stringify(value), Number.POSITIVE_INFINITY),
  )
}
