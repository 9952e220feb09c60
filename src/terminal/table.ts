import { stripVTControlCharacters } from "node:util"
import Table from "cli-table3"
import { safeText } from "../contract/safe-text.ts"
import type { Column } from "./columns.ts"
import { columnValue } from "./columns.ts"
import { paint } from "./style.ts"
import type { Terminal } from "./terminal.ts"
import type { View } from "./view.ts"

const NO_BORDERS = Object.fromEntries(
  [
    ..."top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right".split(" "),
    ..."left left-mid mid mid-mid right right-mid".split(" "),
  ].map((name) => [name, ""]),
)

/**
 * Rows as aligned columns under a heading; one row a line, values made safe for the terminal. On a terminal that is
 * too narrow, columns that can be spared are left out; in a pipe nothing is.
 */
export function table<Row>(terminal: Terminal, columns: readonly Column<Row>[], view: View<Row>): string {
  const whole = layOut(terminal, columns, view)
  const { isTTY, columns: width } = terminal.stdout
  const widest = () => Math.max(...whole.split("\n").map((line) => stripVTControlCharacters(line).length))
  if (!isTTY || widest() <= width) return whole
  const sparest = Math.max(...columns.map(({ spare }) => spare ?? 0))
  if (sparest === 0) return whole
  return table(
    terminal,
    columns.filter(({ spare }) => spare !== sparest),
    view,
  )
}

function layOut<Row>({ stdout }: Terminal, columns: readonly Column<Row>[], view: View<Row>): string {
  const out = new Table({
    head: columns.map(({ title }) => paint(stdout, "bold", title)),
    colAligns: columns.map(({ align }) => align ?? "left"),
    chars: { ...NO_BORDERS, middle: "  " },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  })
  for (const row of view.rows) {
    const cells = columns.map((column) => shown(column, row))
    out.push(view.dim?.(row) ? cells.map((text) => paint(stdout, "dim", text)) : cells)
  }
  const lines = out.toString().split("\n")
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`
}

function shown<Row>(column: Column<Row>, row: Row): string {
  const value = column.show ? column.show(row) : columnValue(column, row)
  if (value === undefined || value === null || value === "") return "-"
  return safeText(typeof value === "object" ? JSON.stringify(value) : String(value))
}
