/** How the rows of a batch are read. What is known beside a request, and what is allowed, is of rows that do not say it. */
import type { BegunReturn } from "../../booking/request.ts"
import type { Source } from "../../booking/order.ts"
import type { FindSize, Knowledge, Own, SavedAddress } from "../../../contract/index.ts"
import type { ConnectorSummary, Package } from "../../../contract/generated/types.ts"
import type { JsonObject } from "../../../base/json.ts"
import type { Limits, ServicePreference } from "../../booking/preferences.ts"

export interface RowDefaults extends Pick<Source, "allowed"> {
  /** What flags say beside the request; wishes of the profile are in the limits alone. */
  own: Own
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
  /** Ends the reading between two rows. */
  signal: AbortSignal
  /** Notes on the file as a whole; each pass gives the same. A detail is told with `--verbose` only. */
  tell(note: string, isDetail?: boolean): Promise<void>
  /** Booking fields from flags and profile. A party is used as a whole, or not at all if the row has any of it. */
  booking: JsonObject
  /** Those of them that nobody said: freight has them from the profile. */
  filledIn?: readonly string[]
  /** Ready time of rows that give only a day: `10:00:00`. */
  readyTime: string | undefined
  service: string | undefined
  limits: Limits
  /** `--map-service`, by `plainStatus` of the shipping method; undefined: as rows without one. */
  services?: ReadonlyMap<string, (Pick<ServicePreference, "connectorId"> & { service: string }) | undefined>
  /** One piece of each SKU as a package, by `plainSku`; undefined: it goes along in the package of another. */
  skuPackages?: ReadonlyMap<string, Package | undefined>
  address(name: string): SavedAddress
  /** Without it, the packages of rows are written out. */
  findSize?: FindSize
  /** If known, services and carriers are checked and filled in. */
  connectors: readonly ConnectorSummary[] | undefined
  /** What a person has said of rows with one reference, by row number: its own, or none where it is left out. */
  numbers?: ReadonlyMap<number, string>
  /** Whether receivers are homes by whose notes it seems so, where a person was asked. */
  areNotedHomes?: boolean | undefined
  /** Allows the template's example row. */
  sandbox: boolean
  nowMs: number
  knowledge?: Knowledge
  /** What brings an order back, as a booking to begin with; absent where orders are only looked up. */
  findReturn?(order: string): Promise<Pick<BegunReturn, "file">>
  /** `--fix-places` */
  fixesPlaces?: boolean
}
