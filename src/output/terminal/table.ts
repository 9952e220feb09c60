import { safeText } from "../../base/safe-text.ts"
import { type Column, columnValue } from "./columns.ts"
import { paint, type Style, stateStyle } from "./style.ts"
import type { Terminal } from "./terminal.ts"
import { cut, widthOf, wrap } from "./width.ts"

/** Between two columns. */
export const GAP = "  "
/** Text is not cut below this many characters: a column that could only show less is left out. */
const MIN_TEXT_WIDTH = 12
const MIN_WORDS_WIDTH = 18

/** The cells of a measured row. The row itself is not kept: there may be many. */
export interface MeasuredRow {
  cells: readonly Cell[]
  isDim: boolean
}

interface Cell {
  text: string
  width: number
}

interface MeasuredColumn<Row> {
  column: Column<Row>
  /** Its place in the texts of a row. */
  at: number
  full: number
  /** In the short form that it has, if it has one. */
  brief: number
  isEmpty: boolean
}

interface LaidColumn<Row> {
  column: Column<Row>
  at: number
  width: number
  isBrief: boolean
}

type TableTerminal = Pick<Terminal, "stdout" | "unicode">

/** A cell as it is drawn: its lines fit the column. */
export interface FittedCell {
  lines: readonly Cell[]
  paint(text: string): string
}

/** Draws rows of fitted cells below each other. @returns lines, each with its line break and no space before it */
export type DrawRows = (
  rows: readonly (readonly FittedCell[])[],
  columns: readonly { width: number; align: "left" | "right" }[],
) => string

/**
 * Rows as aligned columns under a heading, with values made safe for the terminal. On a terminal no line is longer than
 * its width; in a pipe nothing is shortened. It is written in parts: the first measured rows decide the columns. A
 * later cell that is too wide is cut on a terminal, unless its column must not be; then its line is longer.
 */
export function createTable<Row>(
  { stdout, unicode }: TableTerminal,
  columns: readonly Column<Row>[],
  dim: ((row: Row) => boolean) | undefined,
): {
  measure(rows: readonly Row[]): MeasuredRow[]
  /** Whether all that was measured is shown whole. */
  fits(): boolean
  heading(draw?: DrawRows): string
  lines(rows: readonly MeasuredRow[], draw?: DrawRows): string
} {
  const all = columns.map((column, at): MeasuredColumn<Row> => {
    const width = widthOf(titleOf(column))
    return { column, at, full: width, brief: width, isEmpty: true }
  })
  const room = () => (stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY)
  const ellipsis = unicode ? "…" : "..."
  let layout: LaidColumn<Row>[] | undefined
  const layOut = () => {
    layout ??= lay(all, room())
    return layout
  }
  const isCut = ({ column }: LaidColumn<Row>) => stdout.isTTY && (layOut().length === 1 || givesWay(column))
  const toFitted = (each: LaidColumn<Row>, cell: Cell, style: Style | undefined): FittedCell => ({
    lines: isCut(each) ? fitCell(cell, each, ellipsis) : [cell],
    paint: (text) => (style && text !== "" ? paint(stdout, style, text) : text),
  })
  const toDrawn = () => layOut().map(({ column: { align = "left" }, width }) => ({ width, align }))
  return {
    measure(rows) {
      return rows.map((row) => {
        const cells = columns.map((column) => measureText(shown(column, row)))
        for (const each of all) {
          const { text, width } = cells[each.at] ?? NO_CELL
          each.full = Math.max(each.full, width)
          each.brief = Math.max(each.brief, each.column.brief ? widthOf(each.column.brief(text)) : width)
          each.isEmpty &&= text === NONE
        }
        return { cells, isDim: dim?.(row) === true }
      })
    },
    fits: () => total(all.map(({ full }) => full)) <= room(),
    heading(draw = joinCells) {
      const titles = layOut().map((each) => toFitted(each, measureText(titleOf(each.column)), "bold"))
      return draw([titles], toDrawn())
    },
    lines(rows, draw = joinCells) {
      const fitted = rows.map(({ cells, isDim }) =>
        layOut().map((each) => {
          const { column, at, isBrief } = each
          const whole = cells[at] ?? NO_CELL
          const cell = isBrief && column.brief ? measureText(column.brief(whole.text)) : whole
          return toFitted(each, cell, isDim ? "dim" : column.isState ? stateStyle(cell.text) : undefined)
        }),
      )
      return draw(fitted, toDrawn())
    },
  }
}

/** Tables of more rows than a person reads are joined: cli-table3 takes ten times as long. */
export const MAX_ROWS_DRAWN = 500

/** Draws in a pipe, and tables that are longer. */
export const joinCells: DrawRows = (rows, columns) =>
  rows
    .map((cells) => {
      const height = Math.max(...cells.map(({ lines }) => lines.length))
      return Array.from({ length: height }, (_, line) => {
        const parts = cells.map(({ lines, paint }, at) => {
          const { text, width } = lines[line] ?? NO_CELL
          const { width: room = 0, align } = columns[at] ?? {}
          const padding = " ".repeat(Math.max(room - width, 0))
          return align === "right" ? padding + paint(text) : paint(text) + padding
        })
        return `${parts.join(GAP).trimEnd()}\n`
      }).join("")
    })
    .join("")

const NO_CELL: Cell = { text: "", width: 0 }

function measureText(text: string): Cell {
  return { text, width: widthOf(text) }
}

/** The lines of a cell in its column: a text that is too wide is broken between words or cut. */
function fitCell<Row>(cell: Cell, { column, width }: LaidColumn<Row>, ellipsis: string): readonly Cell[] {
  if (cell.width <= width) return [cell]
  const lines = column.gives === "words" ? wrap(cell.text, width) : [cut(cell.text, width, ellipsis)]
  return lines.map(measureText)
}

/**
 * Fits the columns: first the last ones take their short form, then columns that are empty in all rows are left out,
 * then the widest explanations and other texts become narrower, then the last ones are left out.
 */
function lay<Row>(all: readonly MeasuredColumn<Row>[], room: number): LaidColumn<Row>[] {
  const layout = all.map(({ column, at, full }) => ({ column, at, width: full, isBrief: false }))
  const isOver = () => total(layout.map(({ width }) => width)) > room
  for (let last = all.length - 1; last >= 0 && isOver(); last--) {
    const each = all[last]
    if (each?.column.brief)
      layout[last] = { column: each.column, at: each.at, width: each.brief, isBrief: true }
  }
  const filled = all.filter(({ isEmpty }) => !isEmpty)
  if (isOver() && filled.length > 0 && filled.length < all.length) return lay(filled, room)
  const least = all.map((each, at) =>
    getMinimumWidth(each, layout[at]?.width ?? 0, all.length === 1 ? room : 0),
  )
  while (isOver()) {
    const over = total(layout.map(({ width }) => width)) - room
    const shrinkable = layout.filter(({ width }, at) => width > (least[at] ?? 0))
    // A break between words loses nothing.
    const words = shrinkable.filter(({ column }) => column.gives === "words")
    const [widest, next] = (words.length > 0 ? words : shrinkable).sort((a, b) => b.width - a.width)
    if (!widest) break
    const reduced = Math.max(
      least[layout.indexOf(widest)] ?? 0,
      widest.width - over,
      next && next.width < widest.width ? next.width : 0,
    )
    widest.width = reduced
  }
  return isOver() ? lay(all.slice(0, -1), room) : layout
}

/** Minimum width of a column. @param only the room, if it is the only one */
function getMinimumWidth<Row>({ column }: MeasuredColumn<Row>, width: number, only: number): number {
  if (only > 0) return Math.min(width, only)
  if (!givesWay(column)) return width
  const least = column.gives === "words" ? MIN_WORDS_WIDTH : MIN_TEXT_WIDTH
  return Math.min(width, Math.max(widthOf(titleOf(column)), least))
}

/** False if it must keep its width, and for amounts: cutting one would change it. */
export function givesWay({ gives, align }: Pick<Column<never>, "gives" | "align">): boolean {
  return gives !== "nothing" && align !== "right"
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1))
}

/** It may come from a server: a currency, the names in any reply. */
export function titleOf<Row>({ title }: Column<Row>): string {
  return safeText(title, 100)
}

export const NONE = "-"

/** The cells of a row, safe for the terminal; `-` for an empty one. */
export function shown<Row>(column: Column<Row>, row: Row): string {
  const value = column.show ? column.show(row) : columnValue(column, row)
  if (value === undefined || value === null || value === "") return NONE
  return safeText(typeof value === "object" ? JSON.stringify(value) : String(value))
}
