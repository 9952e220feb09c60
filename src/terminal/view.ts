/**
 * Prints a result in the format that was asked for. Standard output carries the data; notes go to standard error.
 * JSON is the API's own shape wherever the API has one, the same on a terminal and in a pipe.
 */

import { safeText } from "../contract/safe-text.ts"
import { suggest } from "../contract/suggest.ts"
import { FreightError } from "../errors.ts"
import { type Column, columnValue, valueAt } from "./columns.ts"
import { jsonText } from "./json-text.ts"
import type { Terminal } from "./terminal.ts"

export const FORMATS = ["table", "json", "ndjson", "csv"] as const
export type Format = (typeof FORMATS)[number]

export interface Output {
  format: Format
  /** Dotted names to keep, in this order. */
  fields?: readonly string[]
}

export interface View<Row> {
  /** The whole answer, as `json` prints it. */
  json: unknown
  /** One row per thing, as table, CSV and NDJSON print it. */
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** More rows of an answer that was begun: CSV has no second header, and the fields were checked. */
  isContinued?: boolean
  /** The answer is one thing, not a list: JSON with fields is an object. */
  single?: boolean
  /** What a table says when there are no rows. */
  empty?: string
  /** Rows to show dimmed in a table. */
  dim?: (row: Row) => boolean
}

/**
 * Writes a view to standard output.
 * @throws FreightError `usage` for a field that no row has.
 */
export async function print<Row>(terminal: Terminal, output: Output, view: View<Row>): Promise<void> {
  const columns = output.fields ? chosenColumns(output.fields, view) : view.columns
  const { stdout } = terminal
  switch (output.format) {
    case "json":
      await stdout.write(`${jsonText(output.fields ? picked(columns, view) : view.json, 2)}\n`)
      return
    case "ndjson":
      for (const row of view.rows)
        await stdout.write(`${jsonText(output.fields ? pick(columns, row) : row)}\n`)
      return
    case "csv":
      await stdout.write(await csv(columns, view))
      return
    case "table": {
      if (view.rows.length === 0) {
        if (view.empty) await terminal.stderr.write(`${view.empty}\n`)
        return
      }
      const shown = output.fields ? columns : columns.filter((column) => !column.hidden)
      const { table } = await import("./table.ts")
      await stdout.write(table(terminal, shown, view))
      return
    }
  }
}

function chosenColumns<Row>(fields: readonly string[], view: View<Row>): Column<Row>[] {
  return fields.map((field) => {
    const column = view.columns.find(({ key }) => key === field)
    if (column) return column
    if (
      view.isContinued ||
      view.rows.length === 0 ||
      view.rows.some((row) => valueAt(row, field) !== undefined)
    )
      return { key: field, title: field }
    const known = [...new Set([...view.columns.map(({ key }) => key), ...topKeys(view.rows[0])])]
    const near = suggest(field, known)
    throw new FreightError("usage", `--fields: there is no field '${safeText(field, 60)}' here`, {
      hint: near ? `Did you mean '${near}'?` : `The fields are: ${known.join(", ")}.`,
    })
  })
}

function topKeys(row: unknown): string[] {
  return typeof row === "object" && row !== null ? Object.keys(row) : []
}

function picked<Row>(columns: readonly Column<Row>[], view: View<Row>): unknown {
  const rows = view.rows.map((row) => pick(columns, row))
  return view.single ? (rows[0] ?? null) : rows
}

function pick<Row>(columns: readonly Column<Row>[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map((column) => [column.key, columnValue(column, row) ?? null]))
}

async function csv<Row>(columns: readonly Column<Row>[], { rows, isContinued }: View<Row>): Promise<string> {
  const { stringify } = await import("csv-stringify/sync")
  const cells = rows.map((row) => columns.map((column) => cell(columnValue(column, row))))
  return stringify(isContinued ? cells : [columns.map(({ key }) => key), ...cells])
}

/** A spreadsheet runs a cell that begins like a formula: an apostrophe keeps it text. One row stays one line. */
export function cell(value: unknown): string {
  if (value === undefined || value === null) return ""
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  const text = safeText(typeof value === "string" ? value : JSON.stringify(value), Number.POSITIVE_INFINITY)
  return /^\s*[=+\-@]/.test(text) ? `'${text}` : text
}
