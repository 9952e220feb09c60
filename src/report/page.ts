/** A report as one HTML page. */
import type { Column } from "../terminal/columns.ts"
import { createHtmlPage, createHtmlTable, type Html, html } from "../terminal/html.ts"

interface Page<Row> {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** What the report rests on, a sentence each. */
  notes: readonly string[]
  /** Said instead of the notes where there are no rows. */
  empty: string
  plots?(): Html[]
}

export function buildPage<Row>({ title, rows, columns, notes, empty, plots }: Page<Row>): string {
  const { begin, end } = createHtmlPage(title)
  const table = createHtmlTable(columns)
  const told = (rows.length === 0 ? [empty] : notes).map(
    (note) => html`<p>${note}</p>
`,
  )
  const body =
    rows.length === 0 ? html`` : html`${plots?.() ?? []}${table.begin}${rows.map(table.row)}${table.end}`
  return `${begin}${html`${told}`}${body}${end}`
}
