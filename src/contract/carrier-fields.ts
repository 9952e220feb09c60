/** Which fields only one carrier reads (field tables of RateRequest and BookingRequest). */
import type { Carrier, ConsignmentBookingRequest, RateRequest } from "./generated/types.ts"
import { problemAt, type RuleProblem } from "./rule.ts"

type Field = keyof ConsignmentBookingRequest | keyof RateRequest

/** The fields of a rate or booking request that no other carrier reads; what is not listed is for all. */
export const CARRIER_FIELDS = {
  CARRIER_A_AU: [
    "alertAddresses",
    "keepInStore",
    "pickupBookingNumber",
    "extendedWarranty",
    "foodFreight",
    "isDocument",
    "timezone",
  ],
  CARRIER_B_AU: [
    "bexAlerts",
    "timeSensitive",
    "pallets",
    "customerBarcodes",
    "quotedGstMinor",
    "quotedPriceIncGstMinor",
  ],
  CARRIER_C_AU: ["businessUnit"],
} as const satisfies Record<Carrier, readonly Field[]>

export const CARRIERS = Object.keys(CARRIER_FIELDS) as readonly Carrier[]

/** Whether a text names a carrier of the contract. */
export function isCarrier(text: string): text is Carrier {
  return CARRIERS.some((carrier) => carrier === text)
}

/** A carrier as messages call it: `carrier A`. */
export function carrierName(carrier: Carrier): string {
  return `carrier ${carrierLetter(carrier)}`
}

/** `A`; a carrier that the contract does not know, as it stands. */
export function carrierLetter(carrier: string): string {
  return carrier.replace(/^CARRIER_(\w)_AU$/, "$1")
}

/** Warnings for fields of a rate or booking request that this carrier passes over. A `false` says nothing, so is none. */
export function ignoredFields(request: Partial<Record<Field, unknown>>, carrier: Carrier): RuleProblem[] {
  return CARRIERS.filter((owner) => owner !== carrier).flatMap((owner) =>
    CARRIER_FIELDS[owner]
      .filter((field) => request[field] !== undefined && request[field] !== false)
      .map((field) =>
        problemAt(
          [field],
          "ignored",
          `is for ${carrierName(owner)} only: ${carrierName(carrier)} does not read it`,
        ),
      ),
  )
}
