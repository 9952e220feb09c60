/** The row of a batch: an order, from what a person wrote until its result is written. */
import type { Offer, Order } from "../../booking/order.ts"
import type { JsonObject } from "../../../base/json.ts"
import type { Limits, ServicePreference } from "../../booking/preferences.ts"
import type { Allowances, Knowledge } from "../../../contract/collection-times.ts"
import type { BookingAddress, ConnectorSummary, Package } from "../../../contract/generated/types.ts"
import type { HeldOrder, OrderStatus } from "../shipping.ts"
import type { OrderNumber } from "./join.ts"
import type { RowFinding } from "../../../input/sheets/findings.ts"
import type { Outcome } from "../result.ts"

/** A booking without service, rate and quote. Rows share objects with the defaults: copy before changing. */
export type RowBooking = Order["booking"]

/** A row's texts as they were written, each in its column; the rows of a table share the columns. */
export interface WrittenCells {
  columns: readonly string[]
  texts: readonly string[]
}

/** Cells of a row by headings that were asked for, which its columns may spell otherwise. */
export type KeptCells = Readonly<Record<string, string>>

export function listCells({ columns, texts }: WrittenCells): (readonly [column: string, text: string])[] {
  return columns.map((column, index) => [column, texts[index] ?? ""] as const)
}

/** How far a row has got. */
interface Progress {
  /** What is known of it; undefined before the ledger was asked. */
  outcome?: Outcome
  /** Neither the ledger nor its shop keeps it from being sent; undefined before they were asked. */
  isFree?: boolean
  /** Why it is not sent all the same: its day has passed, or another row has its reference. */
  bad?: string
  /** What it would be booked with, where that is known before it is sent. */
  offer?: Offer | undefined
}

interface AnyRow extends Progress, Omit<Order, "booking" | "wish"> {
  row: number
  line: number
  /** Unique in the file. Empty if the row has none, which is an error. */
  reference: string
  /** Its ledger key: the reference, but for a second consignment of an order that was booked. */
  key: string
  cells: WrittenCells
  /** Of each of its items, what `RowDefaults.keep` asks for. */
  kept?: readonly KeptCells[]
  /** What a shop says of the order. */
  statuses?: readonly OrderStatus[]
  /** What a shop numbers the order by besides its reference. */
  orderNumber?: OrderNumber
  /** What the customer has chosen in the shop, where nothing says which service that is. */
  openMethod?: string
  /** Pieces of an order of which nothing says how they are packed: they go as `--package` says. */
  openPieces?: { readonly pieces: number; readonly sku: string }
  /** Why it is not sent now, by what the shop says; the ledger comes before it. Its own errors do not matter then. */
  held?: HeldOrder
  /** The order as the row has it: see `compareOrder`. */
  written: NonNullable<Order["written"]>
  /**
   * In the order of columns. A repeated reference adds two errors here: one for this row, and one whose `row` is the
   * earlier row, which was handed out before.
   */
  findings: readonly RowFinding[]
}

/** A row that is whole: an order. */
export type GoodRow = AnyRow &
  Order & {
    /** Errors of its collection times, places and densities. Ignored if the row is already booked. */
    late: readonly RowFinding[]
  }

export type BatchRow = GoodRow | (AnyRow & { booking: undefined; wish: ServicePreference | undefined })

/** Whether a second consignment of an order is meant. */
export function isSecond({ key, reference }: Pick<BatchRow, "key" | "reference">): boolean {
  return key !== reference
}

/** Whether it is sent when the batch is booked, as far as is known. */
export function isToSend(row: BatchRow): row is GoodRow {
  return row.isFree === true && row.bad === undefined && row.booking !== undefined
}

/** The columns of the input, in the order in which rows have them. */
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

export interface RowDefaults {
  /** `--map COLUMN=FIELD` as typed; an empty FIELD ignores the column. */
  map: readonly string[]
  /** Ignore unknown columns: no note, and no error for those that are probably misspelt. */
  ignoreUnknown: boolean
  /** Rows to read ahead for judging the columns; none where each row is to be booked as it comes. */
  sampleRows?: number
  /** Nothing will be sent: columns that are not clear are set aside. */
  isLookUp?: boolean
  /** Headings whose cells are kept of each item of an order; all others are kept of its first row alone. */
  keep?: readonly string[]
  /** Notes on the file as a whole; each pass gives the same. A detail is told with `--verbose` only. */
  tell(note: string, isDetail?: boolean): Promise<void>
  /** Booking fields from flags and profile. A party is used as a whole, or not at all if the row has any of it. */
  booking: JsonObject
  /** Ready time of rows that give only a day: `10:00:00`. */
  readyTime: string | undefined
  /** Of rows that do not say it. */
  residential: Order["residential"]
  service: string | undefined
  limits: Limits
  /** `--map-service`, by `plainStatus` of the shipping method; undefined: as rows without one. */
  services?: ReadonlyMap<string, (Pick<ServicePreference, "connectorId"> & { service: string }) | undefined>
  /** One piece of each SKU as a package, by `plainSku`; undefined: it goes along in the package of another. */
  skuPackages?: ReadonlyMap<string, Package | undefined>
  /** @throws FreightError for an unknown or invalid address */
  address(name: string): BookingAddress
  /** If known, services and carriers are checked and filled in. */
  connectors: readonly ConnectorSummary[] | undefined
  /** What a person has said of rows with one reference, by row number: its own, or none where it is left out. */
  numbers?: ReadonlyMap<number, string>
  /** Allows the template's example row. */
  sandbox: boolean
  nowMs: number
  allowed?: Allowances
  knowledge?: Knowledge
  /** `--fix-places` */
  fixesPlaces?: boolean
}
