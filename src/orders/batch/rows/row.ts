/** Types that reading and checking rows hand over to booking. */
import type { Order } from "../../booking/order.ts"
import type { JsonObject } from "../../../base/json.ts"
import type { Limits, ServicePreference } from "../../booking/preferences.ts"
import type { Allowances, Knowledge } from "../../../contract/collection-times.ts"
import type { BookingAddress, ConnectorSummary, Package } from "../../../contract/generated/types.ts"
import type { HeldOrder, OrderStatus } from "../shipping.ts"
import type { OrderNumber } from "./join.ts"
import type { WrittenOrder } from "../../../ledger/order.ts"
import type { RowFinding } from "../../../input/sheets/findings.ts"

/** A booking without service, rate and quote. Rows share objects with the defaults: copy before changing. */
export type RowBooking = Order["booking"]

interface AnyRow {
  row: number
  line: number
  /** Its ledger key, unless `key` is another: unique in the file. Empty if the row has none, which is an error. */
  reference: string
  /** Input columns as written, in order. */
  cells: readonly (readonly [column: string, text: string])[]
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
  written: WrittenOrder
  /** Its ledger key, where that is not the reference: a second consignment of an order that was booked. */
  key?: string
  residential: Order["residential"]
  /**
   * In the order of columns. A repeated reference adds two errors here: one for this row, and one whose `row` is the
   * earlier row, which was handed out before.
   */
  findings: readonly RowFinding[]
}

/** Its ledger key. */
export function getKey({ key, reference }: Pick<AnyRow, "key" | "reference">): string {
  return key ?? reference
}

export type GoodRow = AnyRow & {
  booking: RowBooking
  wish: ServicePreference
  /** Errors of its collection times, places and densities. Ignored if the row is already booked. */
  late: readonly RowFinding[]
  allowed?: Allowances | undefined
}

/** The order of a row, under the row's own key. */
export function toOrder(row: GoodRow): Order {
  const { booking, wish, residential, written, allowed } = row
  return { booking, wish, residential, written, allowed, key: getKey(row) }
}

export type BatchRow = GoodRow | (AnyRow & { booking: undefined; wish: ServicePreference | undefined })

export interface RowDefaults {
  /** `--map COLUMN=FIELD` as typed; an empty FIELD ignores the column. */
  map: readonly string[]
  /** Ignore unknown columns: no note, and no error for those that are probably misspelt. */
  ignoreUnknown: boolean
  /** Rows to read ahead for judging the columns; none where each row is to be booked as it comes. */
  sampleRows?: number
  /** Nothing will be sent: columns that are not clear are set aside. */
  isLookUp?: boolean
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
