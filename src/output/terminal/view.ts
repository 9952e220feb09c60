/**
 * Prints a result in the format that was asked for. Standard output carries the data; notes go to standard error.
 * JSON is the API's own shape wherever the API has one, the same on a terminal and in a pipe.
 */

import { markFormula, safeText } from "../../base/safe-text.ts"
import { turns } from "../../base/turns.ts"
import { anyColumn, type Column, columnValue, tableColumns } from "./columns.ts"
import { jsonText } from "./json-text.ts"
import { capital } from "./sanitize.ts"
import type { Detail } from "./details.ts"
import type { MeasuredRow } from "./table.ts"
import type { OutputStream, Terminal } from "./terminal.ts"
import { fitLine } from "./width.ts"

export const FORMATS = ["table", "json", "ndjson", "csv", "xlsx"] as const
export type Format = (typeof FORMATS)[number]

/** Whether a format is a table for spreadsheets, which holds rows only. */
export function isSpreadsheet(format: Format): boolean {
  return format === "csv" || format === "xlsx"
}

export interface Output {
  format: Format
  /** Dotted names to keep, in this order. */
  fields?: readonly string[]
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
  /** One row per thing, as table, CSV, workbook and NDJSON print it. */
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** More rows of an answer that was begun: CSV has no second header. */
  isContinued?: boolean
  /** The answer is one thing, not a list: JSON with fields is an object. */
  single?: boolean
  /** What a person sees instead of a table of all columns. */
  text?: () => string | Promise<string>
  /** What a table says when there are no rows. */
  empty?: string | (() => Promise<string>)
  /** Rows to show dimmed in a table. */
  dim?: (row: Row) => boolean
}

/** Writes a view to standard output. */
export async function print<Row>({ terminal, output, signal }: Writing, view: View<Row>): Promise<void> {
  const columns = output.fields ? chosenColumns(output.fields, view) : view.columns
  const { stdout } = terminal
  switch (output.format) {
    case "json": {
      const value = output.fields ? picked(columns, view) : getJson(view)
      if (Array.isArray(value)) await writeJsonArray(stdout, inPages(value, signal))
      else if (hasLongList(value)) await writeJsonObject(stdout, value, signal)
      else await stdout.write(jsonText(value, 2))
      await stdout.write("\n")
      return
    }
    case "ndjson":
      for await (const row of eachRow(inPages(view.rows, signal)))
        await stdout.write(`${jsonText(output.fields ? pick(columns, row) : row)}\n`)
      return
    case "csv": {
      let hasHeader = view.isContinued === true
      for await (const rows of inPages(view.rows, signal)) {
        await stdout.write(await csv(columns, rows, !hasHeader))
        hasHeader = true
      }
      return
    }
    case "xlsx":
      await writeSheet(stdout, columns, eachRow(inPages(view.rows, signal)))
      return
    case "table": {
      if (view.rows.length === 0) {
        await printEmpty(terminal, view)
        return
      }
      if (view.text && !output.fields) {
        await stdout.write(await view.text())
        return
      }
      const columnsShown = output.fields ? columns : tableColumns(columns)
      await printTable(terminal, columnsShown, {
        ...view,
        pages: () => inPages(view.rows, signal),
      })
      return
    }
  }
}

/** Writes one value as JSON, whatever format is asked for. */
export async function printJson({ terminal }: Pick<Writing, "terminal">, value: object): Promise<void> {
  await terminal.stdout.write(`${jsonText(value, 2)}\n`)
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

function isPaged(value: unknown): value is AsyncIterable<readonly unknown[]> {
  return Symbol.asyncIterator in Object(value)
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
export interface PagedView<Row> extends Omit<View<Row>, "json" | "rows" | "single" | "text"> {
  /** All rows, from the first, as often as they are asked for. */
  pages(): AsyncIterable<readonly Row[]>
  /** JSON has the columns' values too, instead of the rows themselves. */
  isJsonOfColumns?: true
  /** The whole answer, as `json` prints it, where that is more than the rows: a list in it may be pages. */
  json?: () => object
}

/** Writes a list to standard output page by page, in constant memory. */
export async function printPages<Row>(writing: Writing, view: PagedView<Row>): Promise<void> {
  const { stdout } = writing.terminal
  const { format, fields } = writing.output
  const columns = fields ? chosenColumns(fields, view) : view.columns
  if (format === "table") return printTable(writing.terminal, fields ? columns : tableColumns(columns), view)
  if (format === "xlsx") return writeSheet(stdout, columns, eachRow(view.pages()))
  async function* pagesOfValues() {
    for await (const rows of view.pages())
      yield fields || view.isJsonOfColumns ? rows.map((row) => pick(columns, row)) : rows
  }
  if (format === "json") {
    if (view.json && !fields) await writeJsonObject(stdout, view.json(), writing.signal)
    else await writeJsonArray(stdout, pagesOfValues())
    return stdout.write("\n")
  }
  if (format === "ndjson") {
    for await (const values of pagesOfValues())
      await stdout.write(values.map((value) => `${jsonText(value)}\n`).join(""))
    return
  }
  let isEmpty = true
  for await (const rows of view.pages()) {
    await stdout.write(await csv(columns, rows, isEmpty))
    isEmpty = false
  }
  if (isEmpty) await stdout.write(await csv(columns, []))
}

/** Rows kept in memory before the table is read a second time. */
const ROWS_KEPT = 10_000

async function printTable<Row>(
  terminal: Terminal,
  columns: readonly Column<Row>[],
  { pages, dim, single, ...view }: Omit<PagedView<Row>, "json"> & Pick<View<Row>, "single">,
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

/** A field that is no column is a field of the rows: `check-outputs.ts` has refused others. */
function chosenColumns<Row>(
  fields: readonly string[],
  { columns }: Pick<View<Row>, "columns">,
): Column<Row>[] {
  return fields.map((field) => columns.find(({ key }) => key === field) ?? anyColumn(field, field))
}

function picked<Row>(columns: readonly Column<Row>[], view: View<Row>): unknown {
  const rows = view.rows.map((row) => pick(columns, row))
  return view.single ? (rows[0] ?? null) : rows
}

function pick<Row>(columns: readonly Column<Row>[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column.key, columnValue(column, row) ?? null]))
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
