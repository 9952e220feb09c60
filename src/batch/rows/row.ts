/** A row of a batch: what reading and checking hand over to running. Types only. */
import type { Limits, Order, ServiceWish } from "../../booking/offer.ts"
import type { JsonObject } from "../../booking/schema-fields.ts"
import type { BookingAddress, ConnectorSummary } from "../../contract/generated/types.ts"

/** Why a row cannot be booked, or what was repaired in it. */
export interface RowNote {
  /** Counts the rows that hold data, from 1. */
  row: number
  /** Line in the file on which the row begins, from 1. */
  line: number
  /** Header of the column, or key of the object, as it is written. */
  column?: string
  /** What kind of thing it is, for grouping: `lost-zero`, `blanks`, `required`. */
  rule: string
  message: string
  /** The mend. */
  hint?: string
  severity: "error" | "repaired" | "warning"
}

/**
 * The booking as far as a row says it: everything but service, rate and quote. Rows share what holds for all of them:
 * copy it before changing it.
 */
export type RowBooking = Order["booking"]

/** What every row has, good or not. */
interface AnyRow {
  row: number
  line: number
  /** The ledger key: its reference, unique in the file. Empty when the row has none, which is an error of the row. */
  reference: string
  /** Every input column as it was written, in order, for the results. */
  cells: readonly (readonly [column: string, text: string])[]
  /** Whether each end is a home: a rate request says it, a booking has no field for it. */
  residential: Order["residential"]
  /**
   * In the file's order of columns. A reference that was used before puts two errors here: one on this row, and one
   * whose `row` is the earlier row, which was handed out before anyone could know.
   */
  notes: readonly RowNote[]
}

/** A row without errors. */
export type GoodRow = AnyRow & {
  booking: RowBooking
  wish: ServiceWish
  /** Errors in its collection times: they count while it is not booked, for what is booked ages. */
  late: readonly RowNote[]
}

/** `booking` is undefined when the row has an error. */
export type Row = GoodRow | (AnyRow & { booking: undefined; wish: ServiceWish | undefined })

/** Where rows come from. It is opened once for each pass. */
export interface BatchSource {
  /** As messages name it: the file, or `standard input`. */
  name: string
  /** The bytes from the start. */
  chunks(): AsyncIterable<Uint8Array>
}

/** What holds for every row that does not say otherwise. */
export interface RowDefaults {
  /** `--map COLUMN=FIELD`, as typed; nothing after the `=` leaves the column out. */
  map: readonly string[]
  /** Leave out columns that mean nothing here, instead of refusing the file. */
  ignoreUnknown: boolean
  /** Fields of the booking, from flags and profile. A party is taken whole, or not at all when the row has any of it. */
  booking: JsonObject
  /** Ready time of rows that give only a day: `10:00:00`. */
  readyTime: string | undefined
  /** A service code, `cheapest` or `fastest`. */
  service: string | undefined
  limits: Limits
  /** A saved address by its name. @throws FreightError when there is none, or it is not good */
  address(name: string): BookingAddress
  /** The connectors, where they are known: services and carriers are then checked and filled in. */
  connectors: readonly ConnectorSummary[] | undefined
  /** The template's example row may be booked. */
  sandbox: boolean
  /** When the rows are judged, in milliseconds since the epoch. */
  nowMs: number
  /** Take collection times that have passed. */
  allowPast?: boolean
}
