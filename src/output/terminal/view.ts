/**
 * Prints a result in the format that was asked for. Standard output carries the data; notes go to standard error.
 * JSON has one shape for every list, and the API's names; it is the same on a terminal and in a pipe.
 */

import { markFormula, safeText } from "../../base/safe-text.ts"
import { turns } from "../../base/turns.ts"
import { type Column, columnValue, tableColumns } from "./columns.ts"
import { jsonText } from "./json-text.ts"
import {
  addAround,
  chooseLines,
  dropLists,
  isPaged,
  ITEMS,
  pickJson,
  pickRow,
  type Printed,
  splitFields,
} from "./pick.ts"
import { capital } from "./sanitize.ts"
import type { Detail } from "./details.ts"
import type { MeasuredRow } from "./table.ts"
import type { OutputStream, Terminal } from "./terminal.ts"
import { fitLine } from "./width.ts"

/** Formats of every command that prints rows. */
export const FORMATS = ["table", "json", "ndjson", "csv", "xlsx", "value"] as const
export type Format = (typeof FORMATS)[number]

/** Formats of a command that prints a whole document. */
export const JSON_FORMATS = ["table", "json", "ndjson"] as const satisfies readonly Format[]
/** Formats of `printJson`: one value with parts, which no row holds. */
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
  /** Warnings until now, which lists and objects contain, too. */
  warnings: readonly string[]
  /** Ends the writing of a long list. */
  signal?: AbortSignal | undefined
}

/** Every list, as JSON. Fields about the whole stand beside these. */
export interface List<Item> {
  items: readonly Item[]
  /** All items that there are, also those that are not in this page. */
  total: number
  /** Start of the next page; null if there is none. */
  nextOffset: number | null
  /** Warnings on standard error. */
  warnings: readonly string[]
}

/** A page of a longer list. */
type Page = Pick<List<unknown>, "total" | "nextOffset">

interface Rows<Row> {
  columns: readonly Column<Row>[]
  /** More rows of an answer that was begun: CSV has no second header. */
  isContinued?: boolean
  /** The text in place of a table without rows. */
  empty?: string | (() => Promise<string>)
  /** Rows to show dimmed in a table. */
  dim?: (row: Row) => boolean
}

interface ToldAfter {
  /** Warnings that follow the output. */
  warnings?: readonly string[]
}

interface WholeRows<Row> extends Rows<Row>, ToldAfter {
  /** One row per thing, as table, CSV, workbook and NDJSON print it. */
  rows: readonly Row[]
  /** The text for people in place of a table of all columns. */
  text?: () => string | Promise<string>
}

/** The parts of a list besides its rows. */
interface ListParts {
  /** Its items, if they are not the rows; NDJSON has a line for each. */
  items?: readonly object[]
  /** The path of the rows in each item that contains them: `tracking.events`. */
  rowsAt?: string
  /** Values about the whole list: `totals`. */
  summary?: object
  /** Set for one page of several. */
  page?: Page
  single?: never
  json?: never
  reply?: never
}

/** One thing: its JSON is an object. */
interface SingleParts {
  single: true
  /** The object, if it is more than the row. */
  json?: object
  /** The path of the rows in it. */
  rowsAt?: string
  items?: never
  summary?: never
  page?: never
  reply?: never
}

/** A request, a document or a reply, which is printed as it is. */
interface ReplyParts {
  reply: unknown
  /** The path of the rows in it. */
  rowsAt?: string | undefined
  items?: never
  summary?: never
  page?: never
  single?: never
  json?: never
}

export type View<Row> = WholeRows<Row> & (ListParts | SingleParts | ReplyParts)

/** Writes a view to standard output, in every format and with the requested fields: every command prints with it. */
export async function print<Row>(writing: Writing, view: View<Row>): Promise<void> {
  const { terminal, output, signal } = writing
  const { stdout } = terminal
  const { format } = output
  if (format === "json") {
    const printed = toPrinted(writing, view)
    const value = output.fields ? pickJson(printed, output.fields) : printed.json
    if (Array.isArray(value)) await writeJsonArray(stdout, inPages(value, signal))
    else if (hasLongList(value)) await writeJsonObject(stdout, value, signal)
    else await stdout.write(jsonText(value, 2))
    return stdout.write("\n")
  }
  const printed = toLines(writing, view)
  const fields = output.fields?.map((field) => nameInLine(view, field))
  if (format === "ndjson") {
    for await (const item of eachRow(
      inPages(fields ? pickEach(printed, fields) : listLines(view, printed), signal),
    ))
      await stdout.write(`${jsonText(item)}\n`)
    return
  }
  const isTable = format === "table"
  if (isTable && view.rows.length === 0) return printEmpty(terminal, view)
  if (isTable && view.text && !fields) return stdout.write(await view.text())
  const chosen = fields ? chooseLines(printed, fields) : undefined
  const { rows, columns } = (chosen ?? view) as Pick<View<unknown>, "rows" | "columns">
  const { dim, isContinued, empty, single } = view
  await writeLines(writing, {
    ...(isContinued && { isContinued }),
    ...(empty !== undefined && { empty }),
    ...(single && { single }),
    ...(dim && rows === view.rows && { dim: dim as (row: unknown) => boolean }),
    columns,
    pages: () => inPages(rows, signal),
  })
}

/** A view as JSON. */
function toPrinted<Row>(writing: Pick<Writing, "warnings">, view: View<Row>): Printed<Row> {
  const { rows, columns, rowsAt, single } = view
  if (view.reply !== undefined) return { json: view.reply, rowsAt, rows, columns }
  const warnings = [...writing.warnings, ...(view.warnings ?? [])]
  if (single) return { json: { ...(view.json ?? rows[0]), warnings }, single, rowsAt, rows, columns }
  const { items = rows, page = { total: items.length, nextOffset: null }, summary } = view
  return {
    json: { items, ...page, ...summary, warnings },
    rowsAt: rowsAt === undefined ? ITEMS : `${ITEMS}.${rowsAt}`,
    ...(view.items &&
      (rowsAt === undefined ? { itemOf: mapItems(rows, view.items) } : { objects: view.items })),
    rows,
    columns,
  }
}

/** A view as lines: items that contain rows are separate. */
function toLines<Row>(writing: Pick<Writing, "warnings">, view: View<Row>): Printed<Row> {
  const { items, rows, columns, rowsAt } = view
  if (!items || rowsAt === undefined) return toPrinted(writing, view)
  return { json: items, rowsAt, objects: items, rows, columns }
}

function mapItems<Row>(rows: readonly Row[], items: readonly object[]): (row: Row) => unknown {
  let byRow: Map<Row, object | undefined> | undefined
  return (row) => {
    byRow ??= new Map(rows.map((each, at) => [each, items[at]]))
    return byRow.get(row)
  }
}

function listLines<Row>(
  { items, rows, single, rowsAt }: View<Row>,
  printed: Printed<Row>,
): readonly unknown[] {
  return items ?? (single && rowsAt === undefined ? [printed.json] : rows)
}

/** A JSON name in a line, if the items are separate. */
function nameInLine<Row>({ items, rowsAt }: View<Row>, field: string): string {
  return items && rowsAt !== undefined && field.startsWith(`${ITEMS}.`)
    ? field.slice(ITEMS.length + 1)
    : field
}

/** Writes a request or a document as it is: as JSON for people too, unless it is asked for otherwise. */
export async function printJson(writing: Writing, value: object): Promise<void> {
  const text = () => `${jsonText(value, 2)}\n`
  await print(writing, { rows: [value], columns: [], reply: value, text })
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

/** The objects that get a line in NDJSON, with their fields. */
function pickEach<Row>(printed: Printed<Row>, fields: readonly string[]): readonly unknown[] {
  const { objects, json, rows, columns, itemOf } = printed
  if (objects) return [pickJson(printed, fields)].flat()
  const names = splitFields(printed, fields)
  const ofRows = names.flatMap(({ inRow }) => inRow ?? [])
  const lines =
    ofRows.length > 0 ? rows.map((row) => pickRow(itemOf?.(row) ?? row, row, columns, ofRows)) : [{}]
  return lines.map((line) => addAround(line, json, names))
}

/** Rows written between two turns of the event loop, in which a signal is heard. */
const ROWS_AT_ONCE = 1_000

/** At least one page, which may be empty. */
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

/** Writes a JSON object, the lists in it page by page. What a list counts is read after it. */
async function writeJsonObject(
  stdout: OutputStream,
  value: object,
  signal: AbortSignal | undefined,
): Promise<void> {
  let isFirst = true
  for (const name of Object.keys(value)) {
    const part: unknown = value[name as never]
    if (part === undefined) continue
    await stdout.write(`${isFirst ? "{" : ","}\n  ${jsonText(name)}: `)
    isFirst = false
    if (isPaged(part)) await writeJsonArray(stdout, part, "  ")
    else if (Array.isArray(part)) await writeJsonArray(stdout, inPages(part, signal), "  ")
    else await stdout.write(jsonText(part, 2).replaceAll("\n", "\n  "))
  }
  await stdout.write("\n}")
}

async function printEmpty({ stderr }: Terminal, { empty }: Pick<Rows<unknown>, "empty">): Promise<void> {
  if (empty) await stderr.write(`${fitLine(stderr, typeof empty === "string" ? empty : await empty())}\n`)
}

/** A list of any length. */
export interface PagedView<Row> extends Rows<Row>, Pick<ListParts, "summary">, ToldAfter {
  /** All rows, from the first, as often as they are asked for. */
  pages(): AsyncIterable<readonly Row[]>
  /** A row as JSON, if that differs from the row itself. */
  toItem?: (row: Row) => object
}

interface LinesView<Row> extends Rows<Row> {
  pages(): AsyncIterable<readonly Row[]>
  single?: true
}

/** Writes a list to standard output page by page, in constant memory. */
export async function printPages<Row>(writing: Writing, view: PagedView<Row>): Promise<void> {
  const { stdout } = writing.terminal
  const { format, fields } = writing.output
  const { columns, pages, summary } = view
  // The list itself is named: all of its rows, whole.
  const isWhole = fields?.includes(ITEMS) === true
  const others = fields?.filter((field) => field !== ITEMS)
  if (isWhole && format !== "json") {
    const { fields: _, ...output } = writing.output
    return printPages({ ...writing, output: { ...output, ...(others?.length && { fields: others }) } }, view)
  }
  const warnings = [...writing.warnings, ...(view.warnings ?? [])]
  const shape = { items: pages(), total: 0, nextOffset: null, ...summary, warnings }
  const names = others && splitFields({ json: shape, rowsAt: ITEMS, rows: [], columns }, others)
  // A row that is named by its place (`items.0.row`) is found in the list as a whole.
  if (names?.some(({ field, inRow }) => inRow === undefined && field.startsWith(`${ITEMS}.`))) {
    const rows = await readPages(pages())
    return print(writing, { ...view, rows, ...(view.toItem && { items: rows.map(view.toItem) }) })
  }
  const ofRows = names?.flatMap(({ inRow }) => inRow ?? [])
  const isTotalNamed = names?.some(({ field, inRow }) => inRow === undefined && field === "total")
  const around = {
    total: isTotalNamed ? await countRows(pages()) : 0,
    nextOffset: null,
    ...summary,
    warnings,
  }
  if (ofRows?.length === 0 && !isWhole) return print(writing, { reply: around, rows: [around], columns: [] })
  let count = 0
  async function* pagesOfValues() {
    for await (const rows of pages()) {
      const items = view.toItem ? rows.map(view.toItem) : rows
      count += rows.length
      yield ofRows && !isWhole ? rows.map((row, at) => pickRow(items[at], row, columns, ofRows)) : items
    }
  }
  if (format === "json") {
    const isAround = names?.some(({ field, inRow }) => inRow === undefined || field.startsWith(`${ITEMS}.`))
    const rest = !names ? { ...summary, warnings } : isAround || isWhole ? {} : dropLists({ ...summary })
    const list = {
      items: pagesOfValues(),
      get total() {
        return count
      },
      nextOffset: null,
    }
    const named = isAround && names ? Object(addAround({}, around, names)) : undefined
    await writeJsonObject(
      stdout,
      named || isWhole
        ? { items: list.items, ...named }
        : Object.defineProperties(list, Object.getOwnPropertyDescriptors(rest)),
      writing.signal,
    )
    return stdout.write("\n")
  }
  if (format === "ndjson") {
    for await (const values of pagesOfValues())
      await stdout.write(
        values.map((value) => `${jsonText(names ? addAround(value, around, names) : value)}\n`).join(""),
      )
    return
  }
  const lines = { json: { ...around, items: pages() }, rowsAt: ITEMS, rows: [], columns, itemOf: view.toItem }
  const chosen = fields && chooseLines(lines, fields).columns
  await writeLines(writing, { ...view, columns: (chosen as Column<Row>[] | undefined) ?? columns })
}

async function readPages<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

async function countRows(pages: AsyncIterable<readonly unknown[]>): Promise<number> {
  let count = 0
  for await (const rows of pages) count += rows.length
  return count
}

/** A table is laid out by its first rows, so that a long one starts at once. */
const ROWS_MEASURED = 1_000

async function printTable<Row>(
  terminal: Terminal,
  columns: readonly Column<Row>[],
  { pages, dim, single, ...view }: LinesView<Row>,
): Promise<void> {
  const { createTable, MAX_ROWS_DRAWN, NONE, titleOf } = await import("./table.ts")
  const { stdout } = terminal
  const table = createTable(terminal, columns, dim)
  const measured: MeasuredRow[] = []
  let isBegun = false
  /** Writes the measured rows, below the heading. */
  const begin = async () => {
    isBegun = true
    const isDrawn = stdout.isTTY && measured.length <= MAX_ROWS_DRAWN
    const draw = isDrawn ? (await import("./grid.ts")).drawGrid : undefined
    await stdout.write(table.heading(draw) + table.lines(measured, draw))
  }
  for await (const rows of pages()) {
    const page = table.measure(rows)
    if (isBegun) await stdout.write(table.lines(page))
    else if (measured.push(...page) >= ROWS_MEASURED) await begin()
  }
  if (isBegun) return
  const [first] = measured
  if (!first) return printEmpty(terminal, view)
  if (single && !table.fits()) {
    const { details } = await import("./details.ts")
    const lines = columns.map(
      (column, at): Detail => [capital(titleOf(column).toLowerCase()), first.cells[at]?.text],
    )
    const present = lines.filter(([, text]) => text !== NONE)
    return stdout.write(details(terminal, present))
  }
  await begin()
}

/** A row by its columns; null for missing values. */
export function toObject<Row>(columns: readonly Column<Row>[], row: Row): Record<string, unknown> {
  const read = (column: Column<Row>) => {
    const value = columnValue(column, row) ?? null
    return value === "" ? null : value
  }
  return Object.fromEntries(columns.map((column) => [column.key, read(column)]))
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
