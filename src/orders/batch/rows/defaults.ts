/** How the rows of a batch are read. Own fields and permissions apply to rows without their own. */
import type { BegunReturn } from "../../booking/request.ts"
import type { Source } from "../../booking/order.ts"
import type { FindSize, Knowledge, Own, SavedAddress } from "../../../contract/index.ts"
import type { ConnectorSummary, Package } from "../../../contract/generated/types.ts"
import type { JsonObject } from "../../../base/json.ts"
import type { Limits, ServicePreference } from "../../booking/preferences.ts"

export interface RowDefaults extends Pick<Source, "allowed"> {
  /** Own fields from flags; preferences of the profile are only in the limits. */
  own: Own
  /** `--map COLUMN=FIELD` as typed; an empty FIELD ignores the column. */
  map: readonly string[]
  /** Ignore unknown columns: no note, and no error for those that are probably misspelt. */
  ignoreUnknown: boolean
  /** Rows to read ahead for judging the columns; none where each row is to be booked as it comes. */
  sampleRows?: number
  /** Nothing will be sent: columns that are not clear are set aside. */
  isLookUp?: boolean
  /** Headings whose cells are kept for each item; others are kept from an order's first row only. */
  keep?: readonly string[]
  signal: AbortSignal
  /** Notes on the file as a whole; each pass gives the same. Details are shown with `--verbose` only. */
  tell(note: string, isDetail?: boolean): Promise<void>
  /** Booking fields from flags and profile. A party is used as a whole, or not at all if the row has any of it. */
  booking: JsonObject
  filledIn?: readonly string[]
  /** Ready time of rows that give only a day: `10:00:00`. */
  readyTime: string | undefined
  service: string | undefined
  limits: Limits
  /** `--map-service`, by `plainStatus` of the shipping method; undefined: as rows without one. */
  services?: ReadonlyMap<string, (Pick<ServicePreference, "connectorId"> & { service: string }) | undefined>
  /** One piece of each SKU as a package, by `plainSku`; undefined: it is packed with another item. */
  skuPackages?: ReadonlyMap<string, Package | undefined>
  address(name: string): SavedAddress
  /** Without it, the packages of rows are written out. */
  findSize?: FindSize
  /** If known, services and carriers are checked and filled in. */
  connectors: readonly ConnectorSummary[] | undefined
  /** References that a person gave to rows that share one, by row number; empty for rows to leave out. */
  numbers?: ReadonlyMap<number, string>
  /** A person's answer: whether receivers are homes if their notes suggest it. */
  areNotedHomes?: boolean | undefined
  /** Allows the template's example row. */
  sandbox: boolean
  nowMs: number
  knowledge?: Knowledge
  /** The return of an order, as a booking to begin with; absent if orders are only looked up. */
  findReturn?(order: string): Promise<Pick<BegunReturn, "file">>
  /** `--fix-places` */
  fixesPlaces?: boolean
}
