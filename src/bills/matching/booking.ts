/** A booking with the data that bills are compared with, from the ledger or the API. */
import type {
  BookingAddress,
  BookingResponse,
  ConsignmentBookingRequest,
  Items,
  Package,
  ShipmentDetail,
  ShipmentSummary,
} from "../../contract/generated/types.ts"
import { getHomes, readOwn, totalsOf } from "../../contract/index.ts"
import { type BookedEntry, describeWord, type GstBasis } from "../../ledger/index.ts"

export interface Booking {
  readonly from: "ledger" | "api"
  readonly shipmentId: string
  readonly consignment: string
  readonly reference: string
  readonly carrier: string
  readonly service: string
  /** ISO 8601 in UTC. */
  readonly bookedAt: string
  /** Its sending has no known outcome, but a bill for it shows that it exists. */
  readonly isOpen?: boolean
  readonly quote?: Quote
  readonly grams?: number
  /** Volume as weight, as most carriers calculate it. */
  readonly cubicGrams?: number
  readonly payer?: string
  readonly dangerousGoods?: boolean
  /** Absent if the booking does not say. */
  readonly isToHome?: boolean
  readonly costCentre?: string
  readonly isCancelled?: boolean
  /** The carrier's confirmation: `cancelled on Mon 23 Nov 2026, 10:00, confirmed by Kim`. */
  readonly cancelledBy?: string
  readonly hasPickup?: boolean
  /** Receiver and sender places, if known. */
  readonly receiver?: BookedPlace
  readonly sender?: BookedPlace
}

export type BookedPlace = Partial<Pick<BookingAddress, "companyName" | "suburb" | "state" | "postcode">>

export interface Quote {
  readonly cents: number
  readonly basis: GstBasis
  readonly currency: string
}

export function fromLedger({
  sentAt,
  request,
  response,
  isOpen,
  cancellation,
  ...facts
}: BookedEntry): Booking {
  const { payer, packages, items, dangerousGoods, pickupBookingNumber, receiver, sender } = Object(
    request,
  ) as Partial<ConsignmentBookingRequest>
  const { costCentre } = readOwn(facts.own)
  const { pickupStatus } = Object(response) as Partial<BookingResponse>
  const { priceCents, gstBasis = "unknown", currency = "AUD" } = facts
  // The booking itself may have included a pickup.
  const hasPickup =
    Boolean(pickupBookingNumber) || pickupStatus === "BOOKED" || pickupStatus === "RECONCILE_NEEDED"
  return {
    from: "ledger",
    shipmentId: facts.shipmentId ?? "",
    consignment: facts.consignmentNumber ?? "",
    reference: facts.reference ?? "",
    carrier: facts.carrier ?? "",
    service: facts.serviceCode ?? "",
    bookedAt: sentAt,
    ...(isOpen && { isOpen }),
    ...(cancellation && { isCancelled: true, cancelledBy: describeWord(cancellation) }),
    ...(priceCents !== undefined && { quote: { cents: priceCents, basis: gstBasis, currency } }),
    ...(facts.weightGrams !== undefined && { grams: facts.weightGrams }),
    ...toCubicGrams(packages, items),
    ...(payer && { payer: payer.type }),
    ...(dangerousGoods === true && { dangerousGoods }),
    // A booking that was kept with its own extra data states this for every place.
    ...(facts.own && { isToHome: getHomes(readOwn(facts.own)).receiver }),
    ...(costCentre !== undefined && { costCentre }),
    ...(hasPickup && { hasPickup }),
    ...(receiver && { receiver }),
    ...(sender && { sender }),
  }
}

/** From the API's list of shipments. */
export function fromList({
  id,
  carrier,
  consignmentNumber,
  serviceCode,
  createdAt,
}: ShipmentSummary): Booking {
  return {
    from: "api",
    shipmentId: id,
    consignment: consignmentNumber ?? "",
    reference: "",
    carrier: carrier ?? "",
    service: serviceCode ?? "",
    bookedAt: createdAt ?? "",
  }
}

/** Adds what the list lacks: payer, weight and reference. */
export function withDetail(booking: Booking, { payer, customerReference, items }: ShipmentDetail): Booking {
  return {
    ...booking,
    ...(payer !== undefined && { payer }),
    reference: customerReference ?? "",
    ...(items && { grams: Math.round(items.totalWeightKg * 1000) }),
    ...toCubicGrams(undefined, items),
  }
}

/** Cubic weight: 250 kg a cubic metre, the convention for road freight in Australia. */
const GRAMS_PER_M3 = 250_000

function toCubicGrams(
  packages: readonly Package[] | undefined,
  items: Items | undefined,
): { cubicGrams?: number } {
  if (packages?.length) return { cubicGrams: Math.round(totalsOf(packages).volumeM3 * GRAMS_PER_M3) }
  if (!items) return {}
  const { count, maxLengthCm, maxWidthCm, maxHeightCm } = items
  return { cubicGrams: Math.round(((count * maxLengthCm * maxWidthCm * maxHeightCm) / 1e6) * GRAMS_PER_M3) }
}
