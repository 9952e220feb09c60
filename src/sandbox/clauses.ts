/**
 * The sandbox's own reading of the contract's clauses about each carrier, and about payers, quotes and zones. It does not
 * use the client's rules: a clause that the client misreads fails against it.
 */
import type { Carrier, ConsignmentBookingRequest, Payer } from "../contract/generated/types.ts"
import { minutesOfDay, parseTimeOfDay, parseWallClock } from "../base/wall-clock.ts"
import type { ErrorEntry } from "./reply.ts"

/** Minutes of a day; both ends belong to it. */
type Minutes = readonly [first: number, last: number]

interface Clauses {
  /** Freight API behaviour 4. */
  readonly collects?: { readonly ready: Minutes; readonly close: Minutes; readonly apart: number }
  /** Booking rule 6: the error's code for a payer of type ThirdParty. */
  readonly noThirdParty?: string
  /** Payer `accountNumber`: billed for any payer, not only for those other than the sender. */
  readonly billsAnyAccount: boolean
  /** Payer `subAccount`, and BookingRequest `businessUnit` with a range of references (`carrierBookingRef`). */
  readonly hasBusinessUnits: boolean
  /** BookingAddress `email`. */
  readonly wantsCollectionEmail: boolean
  /** PickupBookingRequest `serviceCode`. */
  readonly pickupNeedsService: boolean
  /** RatedService `priceGst`, `priceIncGst`; BookingRequest `quotedGstMinor`, `quotedPriceIncGstMinor`. */
  readonly tellsGst: boolean
  /** RatedService: which of `eta` and `transitDays` is given. */
  readonly arrival: "eta" | "transitDays"
  /** RateRequest `timezone` and `localDateTime`. */
  readonly readsClock: boolean
  /** RateRequest `isDocument`. */
  readonly hasDocumentRate: boolean
  /** BookingResponse `barcodes`. */
  readonly hasItemBarcodes: boolean
  /** TrackingInfo `pod`. */
  readonly provesDelivery: boolean
  /** The sandbox's own: states that it does not deliver to. */
  readonly notServed: readonly string[]
}

export const CLAUSES: Readonly<Record<Carrier, Clauses>> = {
  CARRIER_A_AU: {
    collects: { ready: [7 * 60, 17 * 60], close: [13 * 60, 19 * 60], apart: 2 * 60 },
    noThirdParty: "CARRIER_A_THIRD_PARTY_UNSUPPORTED",
    billsAnyAccount: true,
    hasBusinessUnits: false,
    wantsCollectionEmail: false,
    pickupNeedsService: true,
    tellsGst: false,
    arrival: "eta",
    readsClock: true,
    hasDocumentRate: true,
    hasItemBarcodes: false,
    provesDelivery: true,
    notServed: [],
  },
  CARRIER_B_AU: {
    billsAnyAccount: false,
    hasBusinessUnits: false,
    wantsCollectionEmail: false,
    pickupNeedsService: false,
    tellsGst: true,
    arrival: "eta",
    readsClock: false,
    hasDocumentRate: false,
    hasItemBarcodes: true,
    provesDelivery: false,
    notServed: ["NT"],
  },
  CARRIER_C_AU: {
    billsAnyAccount: false,
    hasBusinessUnits: true,
    wantsCollectionEmail: true,
    pickupNeedsService: true,
    tellsGst: false,
    arrival: "transitDays",
    readsClock: false,
    hasDocumentRate: false,
    hasItemBarcodes: false,
    provesDelivery: false,
    notServed: [],
  },
}

/** Errors of a payer (Booking rule 6), which may be any value with wrong types. */
export function findPayerErrors(payer: unknown, carrier: Carrier): ErrorEntry[] {
  if (!isPayer(payer) || payer.type === "Sender") return []
  const { type, accountNumber } = payer
  const code = CLAUSES[carrier].noThirdParty
  return [
    ...(accountNumber?.trim()
      ? []
      : [
          {
            field: "payer.accountNumber",
            message: `is needed where ${type} pays`,
            code: "PAYER_ACCOUNT_REQUIRED",
          },
        ]),
    ...(code !== undefined && type === "ThirdParty"
      ? [{ field: "payer.type", message: "is ThirdParty, which this carrier refuses", code }]
      : []),
  ]
}

/** Checks only the parts of a payer that its rules read. */
function isPayer(value: unknown): value is Payer {
  if (typeof value !== "object" || value === null || !("type" in value)) return false
  const account = "accountNumber" in value ? value.accountNumber : undefined
  return typeof value.type === "string" && (account === undefined || typeof account === "string")
}

/** Errors of the collection times of a booking that keeps the schema (freight API behaviour 4). */
export function findTimeErrors(booking: ConsignmentBookingRequest, carrier: Carrier): ErrorEntry[] {
  const { collects } = CLAUSES[carrier]
  const [ready, close] = [
    parseWallClock(booking.collectionDateTime),
    parseTimeOfDay(booking.collectionCloseTime),
  ].map((time) => (time.ok ? minutesOfDay(time.value) : undefined))
  if (!collects || ready === undefined || close === undefined) return []
  const isOutside = (time: number, [first, last]: Minutes) => time < first || time > last
  return [
    ...(isOutside(ready, collects.ready)
      ? [{ field: "collectionDateTime", message: "is not a time at which this carrier collects" }]
      : []),
    ...(isOutside(close, collects.close)
      ? [{ field: "collectionCloseTime", message: "is not a closing time that this carrier accepts" }]
      : []),
    ...(close - ready < collects.apart
      ? [{ field: "collectionCloseTime", message: `is not ${collects.apart} minutes after the ready time` }]
      : []),
  ]
}

/** Booking rule 2. */
const QUOTE_LIFETIME_HOURS = 48

/** Whether a rate can no longer be booked; times in milliseconds since the epoch. */
export function isQuoteTooOld(quotedAt: number, now: number): boolean {
  return now - quotedAt > QUOTE_LIFETIME_HOURS * 3_600_000
}

/** RateRequest `timezone`: any other is ignored. */
export const ZONES: readonly string[] = [
  "Adelaide",
  "Brisbane",
  "Darwin",
  "Hobart",
  "Melbourne",
  "Perth",
  "Sydney",
].map((city) => `Australia/${city}`)
