import type { Api } from "../contract/index.ts"
import type { Trigger } from "./triggers.ts"
import type { Carrier, ConsignmentBookingRequest, PickupBookingRequest } from "../contract/generated/types.ts"

/**
 * An event as the journal keeps it, one a line. `at` is sandbox time, milliseconds since the epoch. State is a fold over
 * events, so an event has everything that cannot be derived again.
 */
export type SandboxEvent =
  | QuoteEvent
  | ShipmentEvent
  | PickupEvent
  | PrintEvent
  | ClockEvent
  | RevocationEvent
  | ListingEvent

/** A price, in cents. Only carrier B states GST. */
export interface Price {
  exGstMinor: number
  gstMinor?: number
  incGstMinor?: number
  currency: string
}

/** The parts of a price that are added to the carriage, in cents. */
export interface Surcharges {
  residentialPickup?: number
  residentialDelivery?: number
  dangerousGoods?: number
}

export interface OfferedRate {
  connectorId: string
  serviceCode: string
  price: Price
  /** A journal of an earlier version has none. */
  surcharges?: Surcharges
  eta: string | null
  transitDays: number | null
}

/** A rate call. The n-th rate's id is `stem` and n: see `rates.ts`. */
export interface QuoteEvent {
  type: "quote"
  stem: string
  quoteId: string
  at: number
  tenantId: string
  rates: OfferedRate[]
}

export interface RecordedRate {
  source: "rate" | "reported"
  price?: Partial<Price>
  surcharges?: Surcharges
  eta?: string | null
  transitDays?: number | null
}

/**
 * The state of a pickup at the carrier: booked, refused, or booked and then not recorded by the service.
 * Each but the refused is a real pickup.
 */
export type PickupOutcome = "BOOKED" | "FAILED" | "UNRECORDED"

export interface Made {
  readonly id: string
  readonly tenantId: string
  readonly connectorId: string
  readonly carrier: Carrier
}

export interface ShipmentEvent extends Made {
  type: "shipment"
  at: number
  request: ConsignmentBookingRequest
  rate: RecordedRate
  /** The key it was booked with; undefined when not over the API, and in a journal of an earlier version. */
  keyName?: string
  /** The connector's auto-book-pickup setting at work. */
  autoPickup?: { id: string; outcome: PickupOutcome }
  cancelled?: boolean
  slow?: boolean
  /** Where it was booked, when not over the API. */
  source?: "PORTAL"
  /** Words that are not in its booking, and work as if they were: see `faults.ts`. */
  planted?: Trigger[]
}

export interface PickupEvent extends Made {
  type: "pickup"
  at: number
  request: PickupBookingRequest
  outcome: PickupOutcome
  error?: { code: string; message: string }
}

export interface PrintEvent {
  type: "print"
  id: string
  at: number
  tenantId: string
  deviceId: string
  api: Api
  shipmentId: string | null
  bytes: number
}

/** Sandbox time is the clock's time plus this. */
interface ClockEvent {
  type: "clock"
  offsetMs: number
}

interface RevocationEvent {
  type: "revocation"
  what: "device" | "key" | "connector"
  id: string
  revoked: boolean
}

/** Delays shipments in listings by this much after their booking. */
interface ListingEvent {
  type: "listing"
  delayMs: number
}
