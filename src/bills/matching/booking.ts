/** What was booked, as far as bills are compared with it: from the ledger, or as the API has it. */
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
  /** Its sending has no known outcome; that it is billed says that it exists. */
  readonly isOpen?: boolean
  readonly quote?: Quote
  readonly grams?: number
  /** Volume as weight, as most carriers reckon it. */
  readonly cubicGrams?: number
  readonly payer?: string
  readonly dangerousGoods?: boolean
  /** Whether it goes to a home; absent where the booking does not say. */
  readonly isToHome?: boolean
  readonly costCentre?: string
  readonly isCancelled?: boolean
  /** Its carrier's word: `cancelled on Mon 23 Nov 2026, 10:00, confirmed by Kim`. */
  readonly cancelledBy?: string
  readonly hasPickup?: boolean
  /** Where it goes, and whence, as far as that is known. */
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
  // The booking itself may have brought a pickup.
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
    // A booking that was kept with what is beside its request says it of every place.
    ...(facts.own && { isToHome: getHomes(readOwn(facts.own)).receiver }),
    ...(costCentre !== undefined && { costCentre }),
    ...(hasPickup && { hasPickup }),
    ...(receiver && { receiver }),
    ...(sender && { sender }),
  }
}

/** A shipment of the API's list. */
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

/** What the list does not have: who pays, what it weighs and what its reference is. */
export function withDetail(booking: Booking, { payer, customerReference, items }: ShipmentDetail): Booking {
  return {
    ...booking,
    ...(payer !== undefined && { payer }),
    reference: customerReference ?? "",
    ...(items && { grams: Math.round(items.totalWeightKg * 1000) }),
    ...toCubicGrams(undefined, items),
  }
}

/** What volume weighs: 250 kg a cubic metre, as road freight is reckoned in Australia. */
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
