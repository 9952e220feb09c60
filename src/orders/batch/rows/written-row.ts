/** A row of a batch as it is written, before its cells are read. */
import type { Json } from "../../../base/json.ts"
import type { BatchField } from "../columns/fields.ts"
import type { Unit } from "../../../base/units.ts"
import type { CellFinding, StatusMeaning, UnreadableCell } from "../../../input/index.ts"

export interface Cell {
  column: string
  field: BatchField
  value: Json
  source(): string
  unit?: Unit | undefined
  /** Why a cell of a workbook has no value. */
  unreadable?: UnreadableCell
}

/** A row's texts as they were written, each in its column; the rows of a table share the columns. */
export interface WrittenCells {
  columns: readonly string[]
  texts: readonly string[]
}

/** Cells of a row by headings that were asked for, which its columns may spell otherwise. */
export type KeptCells = Readonly<Record<string, string>>

export interface OrderItem {
  /** As written; empty if the shop has none. */
  readonly sku: string
  readonly column: string
  /** NaN if the cell is not a number. */
  readonly pieces: number
}

export interface UnusedCell {
  readonly column: string
  readonly text: string
}

export interface OrderNumber {
  readonly column: string
  readonly text: string
}

export interface OrderStatus {
  column: string
  status: string
  means: StatusMeaning | "unknown"
}

/** Why an order is not sent now, although the row may be right. */
export interface ShopHold extends OrderStatus {
  means: Exclude<OrderStatus["means"], "ship">
}

export interface WrittenRow {
  line: number
  /** As a spreadsheet numbers it; in JSON the rows are counted from 1. */
  row: number
  written: WrittenCells
  cells: readonly Cell[]
  unused?: readonly UnusedCell[]
  findings: readonly CellFinding[]
  statuses: readonly OrderStatus[]
  /** The shop's order number, besides the reference. */
  orderNumber?: OrderNumber
  shippingMethod?: string
  items?: readonly OrderItem[]
  /** For each item, the cells that `RowDefaults.keep` asks for. */
  kept?: readonly KeptCells[]
}
