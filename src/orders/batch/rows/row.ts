/** The row of a batch: an order, from what a person wrote until its result is written. */
import type { ShopHold, KeptCells, OrderNumber, OrderStatus, WrittenCells } from "./written-row.ts"
import type { SelectedRate, Order, Source, WrittenSource } from "../../booking/order.ts"
import type { ServicePreference } from "../../booking/preferences.ts"
import type { RowFinding } from "../../../input/index.ts"
import type { Outcome } from "../outcome.ts"

/** A booking without service, rate and quote. Rows share objects with the defaults: copy before changing. */
export type RowBooking = Order["request"]

export function listCells({ columns, texts }: WrittenCells): (readonly [column: string, text: string])[] {
  return columns.map((column, index) => [column, texts[index] ?? ""] as const)
}

interface Progress {
  /** Undefined before the ledger was asked. */
  outcome?: Outcome
  /** Neither the ledger nor its shop keeps it from being sent; undefined before they were asked. */
  isFree?: boolean
  /** Why it is not sent although it is free: its day has passed, or another row has its reference. */
  bad?: string
  selected?: SelectedRate | undefined
}

interface AnyRow extends Progress, Omit<Order, "request" | "wish"> {
  row: number
  line: number
  /** Unique in the file. Empty if the row has none, which is an error. */
  reference: string
  /** Its ledger key: the reference, but for a second consignment of an order that was booked. */
  key: string
  cells: WrittenCells
  /** For each of its items, the cells that `RowDefaults.keep` asks for. */
  kept?: readonly KeptCells[]
  statuses?: readonly OrderStatus[]
  /** The shop's order number, besides the reference. */
  orderNumber?: OrderNumber
  /** The shipping method that the customer chose, if it is mapped to no service. */
  openMethod?: string
  /** Pieces without packing information: they are packed as `--package` says. */
  openPieces?: { readonly pieces: number; readonly sku: string }
  /** Why the shop says not to send it now. The ledger goes before this, and this before the row's own errors. */
  held?: ShopHold
  /** `written` is the order as the row has it. */
  source: WrittenSource
  /**
   * In column order. A repeated reference adds two errors here: one for this row, and one whose `row` is the earlier row,
   * which was yielded before.
   */
  findings: readonly RowFinding[]
}

export type GoodRow = AnyRow &
  Order & {
    /** Errors of its collection times, places and densities. Ignored if the row is already booked. */
    late: readonly RowFinding[]
  }

export type BatchRow = GoodRow | (AnyRow & { request: undefined; wish: ServicePreference | undefined })

export function sourceOf(written: WrittenSource["written"], allowed: Source["allowed"]): WrittenSource {
  return { isRow: true, written, allowed, isKeyGenerated: false, again: false, replaces: false }
}

export function isSecond({ key, reference }: Pick<BatchRow, "key" | "reference">): boolean {
  return key !== reference
}

/** Whether it is sent when the batch is booked, as far as is known. */
export function isToSend(row: BatchRow): row is GoodRow {
  return row.isFree === true && row.bad === undefined && row.request !== undefined
}

export function listColumns(rows: Iterable<Pick<BatchRow, "cells">>): string[] {
  const found = new Set<string>()
  let above: readonly string[] = []
  for (const {
    cells: { columns },
  } of rows) {
    if (columns === above) continue
    for (const column of columns) found.add(column)
    above = columns
  }
  return [...found]
}
