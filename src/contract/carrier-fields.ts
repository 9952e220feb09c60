/** Fields that only one carrier reads (field tables of RateRequest and BookingRequest). */
import type { Carrier, ConsignmentBookingRequest, RateRequest } from "./generated/types.ts"
import { findingAt, type RuleFinding } from "./check.ts"

type Field = keyof ConsignmentBookingRequest | keyof RateRequest

/** Fields not listed are for all carriers. */
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

export function isCarrier(text: string): text is Carrier {
  return CARRIERS.some((carrier) => carrier === text)
}

/** A carrier as messages call it: `carrier A`. */
export function carrierName(carrier: Carrier): string {
  return `carrier ${carrierLetter(carrier)}`
}

/** `A`; unknown carriers unchanged. */
export function carrierLetter(carrier: string): string {
  return carrier.replace(/^CARRIER_(\w)_AU$/, "$1")
}

/** Warnings for fields that this carrier does not read. `false` is not worth one. */
export function ignoredFields(request: Partial<Record<Field, unknown>>, carrier: Carrier): RuleFinding[] {
  return CARRIERS.filter((owner) => owner !== carrier).flatMap((owner) =>
    CARRIER_FIELDS[owner]
      .filter((field) => request[field] !== undefined && request[field] !== false)
      .map((field) =>
        findingAt(
          [field],
          "ignored",
          `is for ${carrierName(owner)} only: ${carrierName(carrier)} ignores it`,
        ),
      ),
  )
}
