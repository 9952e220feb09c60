/** The content of a page, apart from how it is drawn: on a terminal, as HTML or as PDF. */
import { type Column, tableColumns } from "../terminal/columns.ts"
import { NONE, shown, titleOf } from "../terminal/table.ts"
import type { Logo } from "./logo.ts"

export interface Page<B extends Block = Block> {
  title: string
  /** Its subject: after the title on a terminal, below it on paper. */
  about?: string
  /** Opposite the title on paper. */
  corner?: readonly [main: string, more?: string]
  /** At the right of the title, in place of a corner; a terminal shows none. */
  logo?: Logo
  /** JSON pointers of the values in the title. */
  shows?: readonly string[]
  /** Sentences below the title. */
  notes?: readonly Fact[]
  blocks: readonly B[]
  aside?: Aside
  /** At the foot of each sheet of paper. */
  foot?: { text: string; warning?: string }
}

export type Block = Facts | Beside | Table | Plot | Signatures

/** Blocks that every medium can draw. */
export type PlainBlock = Facts | Beside | Table

/** A value, with its name if it has one. One without text is not drawn, except for a name in small letters. */
export interface Fact {
  name?: string
  /** May have several lines. */
  text: string
  style?: "strong" | "small"
  /** JSON pointers of its values: remarks on them are shown below it. */
  shows?: readonly string[]
}

export interface Facts {
  kind: "facts"
  title?: string
  facts: readonly Fact[]
  /** Below a table and at its right. */
  layout?: "sums"
  /** Begins below the aside of the page. */
  isWide?: boolean
  shows?: readonly string[]
}

export interface Beside {
  kind: "beside"
  columns: readonly (readonly Facts[])[]
}

/** At the right side of the first sheet of paper; after everything else on a terminal. */
export interface Aside {
  /** A PDF whose first page is drawn in place of the first facts. */
  picture?: Uint8Array
  facts: readonly Facts[]
}

export interface Table {
  kind: "table"
  columns: readonly TableColumn[]
  rows: readonly TableRow[]
  /** The text if there are no rows. */
  empty?: string
  /** Below the last row: a cell for each column. */
  totals?: readonly string[]
  /** On paper each row has a box to tick. */
  isChecklist?: boolean
  shows?: readonly string[]
}

export interface TableColumn extends Pick<Column<never>, "title" | "align" | "gives" | "isState"> {
  /** On paper, in millimetres; columns without a width share the rest, and words take three shares. */
  width?: number
}

export interface TableRow {
  cells: readonly TableCell[]
  shows?: readonly string[]
}

/** `below` is small; marked text is emphasised. */
export type TableCell = string | { text: string; below?: string; isMarked?: boolean }

/** Horizontal bars from a common zero. */
export interface Plot {
  kind: "plot"
  title: string
  bars: readonly Bar[]
  /** The value of the longest bar; by default that of the largest. */
  most?: number
}

interface Bar {
  label: string
  /** From 0. */
  value: number
  text: string
}

/** Lines for signatures: at the bottom of the last sheet, beside a row of the table before it. */
export interface Signatures {
  kind: "signatures"
  claim: string
  sides: readonly [string, string]
}

export function isGiven({ text, name, style }: Fact): boolean {
  return text !== "" || (name !== undefined && style === "small")
}

export function toNotes(texts: readonly string[]): Fact[] {
  return texts.map((text) => ({ text }))
}

/** The heading of the columns that a table has by default. */
export function toHeading<Row>(columns: readonly Column<Row>[]): TableColumn[] {
  return tableColumns(columns).map((column) => ({ ...column, title: titleOf(column) }))
}

/** A row of those columns. */
export function toTableRow<Row>(columns: readonly Column<Row>[], row: Row): TableRow {
  const cells = tableColumns(columns).map((column) => shown(column, row))
  return { cells: cells.map((text) => (text === NONE ? "" : text)) }
}

export function cellText(cell: TableCell | undefined): string {
  return typeof cell === "object" ? cell.text : (cell ?? "")
}

export function cellBelow(cell: TableCell | undefined): string {
  return typeof cell === "object" ? (cell.below ?? "") : ""
}
