/** A report as a page. */
import { type Page, type Plot, type Table, toHeading, toNotes, toTableRow } from "../output/pages/model.ts"
import type { Column } from "../output/terminal/columns.ts"

interface Report<Row> {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** What the report rests on, a sentence each. */
  notes: readonly string[]
  /** The note if there are no rows. */
  empty: string
  plots: readonly Omit<Plot, "kind">[]
}

/** Notes, plots of what is known, and a table. */
export function describeReport<Row>({
  title,
  rows,
  columns,
  notes,
  empty,
  plots,
}: Report<Row>): Page<Plot | Table> {
  if (rows.length === 0) return { title, notes: toNotes([empty]), blocks: [] }
  const table: Table = {
    kind: "table",
    columns: toHeading(columns),
    rows: rows.map((row) => toTableRow(columns, row)),
  }
  const drawn = plots.filter(({ bars }) => bars.length > 0).map((plot): Plot => ({ kind: "plot", ...plot }))
  return { title, notes: toNotes(notes), blocks: [...drawn, table] }
}

/**
 * The same as HTML in pieces, without plots, so that a list of any length is not held.
 * @param notes with what is said where there are no rows
 */
export async function* drawReport<Row>(
  { title, columns, notes }: Pick<Report<Row>, "title" | "columns" | "notes">,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const { createHtmlPage, createHtmlTable } = await import("../output/pages/html.ts")
  const page = createHtmlPage({ title, notes: toNotes(notes) })
  const table = createHtmlTable(toHeading(columns))
  let hasRows = false
  yield `${page.begin}`
  for await (const rows of pages) {
    if (!hasRows && rows.length > 0) yield `${table.begin}`
    hasRows ||= rows.length > 0
    yield rows.map((row) => `${table.row(toTableRow(columns, row))}`).join("")
  }
  yield `${hasRows ? table.end : ""}${page.end}`
}
