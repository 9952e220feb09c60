import { safeText } from "../contract/safe-text.ts"
import type { Column } from "./columns.ts"
import { columnValue } from "./columns.ts"
import { paint } from "./style.ts"
import type { Terminal } from "./terminal.ts"
import type { View } from "./view.ts"
import { widthOf } from "./width.ts"

const GAP = "  "

/** A column with the width of what it holds. */
interface Laid<Row> {
  column: Column<Row>
  width: number
}

/**
 * Not cli-table3: it takes 7.6 s for 5,000 rows (this, 0.2 s), 15 ms to load, and has emoji since 2020 too narrow.
 *
 * Rows as aligned columns under a heading; one row a line, values made safe for the terminal. On a terminal that is
 * too narrow, columns that can be spared are left out; in a pipe nothing is.
 */
export function table<Row>(
  terminal: Pick<Terminal, "stdout">,
  columns: readonly Column<Row>[],
  { rows, dim }: Pick<View<Row>, "rows" | "dim">,
): string {
  const laid = createTable(terminal, columns, dim)
  laid.measure(rows)
  return laid.heading() + laid.lines(rows)
}

/** A table that is written in parts: all rows are measured before the first part is. */
export function createTable<Row>(
  { stdout }: Pick<Terminal, "stdout">,
  columns: readonly Column<Row>[],
  dim: View<Row>["dim"],
): { measure(rows: readonly Row[]): void; heading(): string; lines(rows: readonly Row[]): string } {
  const all = columns.map((column): Laid<Row> => ({ column, width: widthOf(column.title) }))
  let kept: Laid<Row>[] | undefined
  const line = (textOf: (column: Column<Row>) => string, style: "bold" | "dim" | undefined) => {
    kept ??= stdout.isTTY ? within(all, stdout.columns) : all
    const cells = kept.map(({ column, width }) => {
      const text = textOf(column)
      const padding = " ".repeat(Math.max(width - widthOf(text), 0))
      const painted = style ? paint(stdout, style, text) : text
      return column.align === "right" ? padding + painted : painted + padding
    })
    return `${cells.join(GAP).trimEnd()}\n`
  }
  return {
    measure(rows) {
      for (const each of all)
        for (const row of rows) each.width = Math.max(each.width, widthOf(shown(each.column, row)))
    },
    heading: () => line(({ title }) => title, "bold"),
    lines: (rows) =>
      rows.map((row) => line((column) => shown(column, row), dim?.(row) ? "dim" : undefined)).join(""),
  }
}

/** The columns that fit, those that can be spared most left out first. */
function within<Row>(all: Laid<Row>[], most: number): Laid<Row>[] {
  const width = all.reduce((sum, each) => sum + each.width, GAP.length * (all.length - 1))
  const sparest = Math.max(...all.map(({ column }) => column.spare ?? 0))
  if (width <= most || sparest === 0) return all
  return within(
    all.filter(({ column }) => column.spare !== sparest),
    most,
  )
}

function shown<Row>(column: Column<Row>, row: Row): string {
  const value = column.show ? column.show(row) : columnValue(column, row)
  if (value === undefined || value === null || value === "") return "-"
  return safeText(typeof value === "object" ? JSON.stringify(value) : String(value))
}
