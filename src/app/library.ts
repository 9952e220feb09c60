/**
 * Books freight from a program, with the guarantee of the command line: whatever happens to the process, the network or
 * the service, no order is booked twice. It is the commands of `freight` as functions, over the same settings and the
 * same ledger, so that a program and a person at the command line do not book one order twice either.
 *
 * Lengths are in cm, weights in kg, prices in whole units of their currency. Times of a collection are on the clock of
 * the collection address, without a zone. "Clause" in the comments names the part of the contract of the freight API
 * (0.1.0) that a function follows.
 */
import { FreightError } from "../base/errors.ts"
import { programHost } from "../machine/index.ts"
import { type Freight, openOn } from "./library-calls.ts"
import type { OpenOptions } from "./library-given.ts"

export type { ErrorCode, ErrorDetail, ErrorKind } from "../base/errors.ts"
export type {
  Address,
  BookingAddress,
  Carrier,
  ConsignmentBookingRequest,
  Items,
  Package,
  Payer,
  PickupBookingRequest,
  RatedService,
  RateRequest,
  TrackingEvent,
  TrackingInfo,
  TrackingPod,
} from "../contract/generated/types.ts"
export type {
  BookAllOptions,
  BookedOrder,
  Booking,
  Connector,
  Freight,
  List,
  OrderState,
  Pickup,
  PrintedLabel,
  PrintedPdf,
  PrintJob,
  Rate,
  Rates,
  Settled,
  Shipment,
  ShipmentName,
  Tracked,
} from "./library-calls.ts"
export type {
  Allowances,
  BookOptions,
  LabelOptions,
  ListedOrder,
  OpenOptions,
  Order,
  OrderAllowances,
  PickupOptions,
  Place,
  PrintOptions,
  ReturnOrder,
  ServicePreferences,
  ShipmentsOptions,
  Signal,
  TrackOptions,
} from "./library-given.ts"
export { FreightError }

/**
 * Opens nothing yet: settings, keys and ledger are read by each call.
 * @throws FreightError `usage` for an option that cannot be used: nothing falls back to the profile's
 */
export function openFreight(options?: OpenOptions): Freight {
  return openOn(programHost, options)
}
