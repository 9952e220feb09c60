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
import { totalsOf } from "../../contract/packages.ts"
import type { GstBasis } from "../../ledger/entry.ts"
import type { BookedEntry } from "../../ledger/records/bills.ts"

export interface Booking {
  from: "ledger" | "api"
  shipmentId: string
  consignment: string
  reference: string
  carrier: string
  service: string
  /** ISO 8601 in UTC. */
  bookedAt: string
  /** Its sending has no known outcome; that it is billed says that it exists. */
  isOpen?: boolean
  quote?: Quote
  grams?: number
  /** Volume as weight, as most carriers reckon it. */
  cubicGrams?: number
  payer?: string
  dangerousGoods?: boolean
  isCancelled?: boolean
  hasPickup?: boolean
  /** Where it goes, and whence, as far as that is known. */
  receiver?: BookedPlace
  sender?: BookedPlace
}

export type BookedPlace = Partial<Pick<BookingAddress, "companyName" | "suburb" | "state" | "postcode">>

export interface Quote {
  cents: number
  basis: GstBasis
  currency: string
}

export function fromLedger({ sentAt, request, response, isOpen, ...facts }: BookedEntry): Booking {
  const { payer, packages, items, dangerousGoods, pickupBookingNumber, receiver, sender } = Object(
    request,
  ) as Partial<ConsignmentBookingRequest>
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
    ...(priceCents !== undefined && { quote: { cents: priceCents, basis: gstBasis, currency } }),
    ...(facts.weightGrams !== undefined && { grams: facts.weightGrams }),
    ...toCubicGrams(packages, items),
    ...(payer && { payer: payer.type }),
    ...(dangerousGoods === true && { dangerousGoods }),
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
    carrier,
    service: serviceCode,
    bookedAt: createdAt,
  }
}

/** What the list does not have: who pays, what it weighs and what its reference is. */
export function addDetail(booking: Booking, { payer, customerReference, items }: ShipmentDetail): void {
  Object.assign(booking, {
    payer,
    reference: customerReference ?? "",
    grams: Math.round(items.totalWeightKg * 1000),
    ...toCubicGrams(undefined, items),
  })
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
