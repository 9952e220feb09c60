/** Services, labels and times of the sandbox's carriers. */
import { carrierLetter } from "../carriers/index.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { CLAUSES } from "./clauses.ts"

export interface Service {
  readonly serviceCode: string
  readonly description: string
  /** Percent of the carrier's base price. */
  readonly percent: number
  /** Air is overnight between capitals; road takes a day per stage. */
  readonly mode: "air" | "road"
  /** Delivered by this time of the receiver's day. */
  readonly deliveredBy: string
  readonly bookingCutoff: string
  readonly collectionCutoff: string
  /** `off`: in the catalogue, but switched off for the tenants, so without rates. */
  readonly visibility: "shown" | "hidden" | "off"
  readonly dangerousGoods: boolean
}

/** A carrier's charges, in cents. */
export interface Tariff {
  readonly base: number
  readonly perKg: number
  /** Residential surcharges: RSP on collection, RSD on delivery. */
  readonly residentialPickup: number
  readonly residentialDelivery: number
  readonly dangerousGoods: number
  /** The fuel levy of bills, in percent of the rest of the carriage; prices include it. */
  readonly fuelPercent: number
  readonly services: readonly Service[]
}

function service(
  serviceCode: string,
  description: string,
  percent: number,
  mode: "air" | "road",
  more: Partial<Service> = {},
): Service {
  return {
    serviceCode,
    description,
    percent,
    mode,
    deliveredBy: "17:00:00",
    bookingCutoff: mode === "air" ? "15:00:00" : "16:00:00",
    collectionCutoff: mode === "air" ? "16:30:00" : "17:30:00",
    visibility: "shown",
    dangerousGoods: mode === "road",
    ...more,
  }
}

export const TARIFFS: Record<Carrier, Tariff> = {
  CARRIER_A_AU: {
    base: 985,
    perKg: 118,
    residentialPickup: 700,
    residentialDelivery: 950,
    dangerousGoods: 4500,
    fuelPercent: 14,
    services: [
      service("701", "9:00 Express", 265, "air", { deliveredBy: "09:00:00" }),
      service("712", "12:00 Express", 215, "air", { deliveredBy: "12:00:00" }),
      service("75", "Overnight Express", 170, "air"),
      service("76", "Road Express", 100, "road"),
      service("73", "Technology Express", 140, "road", { visibility: "hidden" }),
    ],
  },
  CARRIER_B_AU: {
    base: 870,
    perKg: 132,
    residentialPickup: 650,
    residentialDelivery: 880,
    dangerousGoods: 3900,
    fuelPercent: 12,
    services: [
      service("PRM", "Premium", 185, "air"),
      service("EXP", "Express Road", 115, "road"),
      service("GEN", "General Freight", 84, "road", { bookingCutoff: "14:00:00" }),
    ],
  },
  CARRIER_C_AU: {
    base: 1040,
    perKg: 96,
    residentialPickup: 800,
    residentialDelivery: 1020,
    dangerousGoods: 5200,
    fuelPercent: 15,
    services: [
      service("EXP", "Express", 165, "air"),
      service("STD", "Standard", 92, "road"),
      service("SDY", "Same Day", 300, "air", { visibility: "off" }),
    ],
  },
}

export function findService(carrier: Carrier, serviceCode: string): Service | undefined {
  return TARIFFS[carrier].services.find((one) => one.serviceCode === serviceCode && one.visibility !== "off")
}

/** Milliseconds after the booking until the carrier has each. */
interface Delays {
  consignmentNumber: number
  label: number
  tracking: number
}

const DELAYS: Record<Carrier, Delays> = {
  CARRIER_A_AU: { consignmentNumber: 0, label: 0, tracking: 0 },
  CARRIER_B_AU: { consignmentNumber: 0, label: 0, tracking: 2000 },
  CARRIER_C_AU: { consignmentNumber: 2500, label: 3000, tracking: 2500 },
}

/** Delays by `sandbox:slow`, in milliseconds. */
const SLOW: Delays = { consignmentNumber: 86_400_000, label: 2 * 86_400_000, tracking: 86_400_000 }

/** Whether the carrier has it now. Times in milliseconds since the epoch. */
export function isReady(
  thing: keyof Delays,
  { carrier, createdAt, isSlow }: { carrier: Carrier; createdAt: number; isSlow: boolean },
  now: number,
): boolean {
  return now - createdAt >= DELAYS[carrier][thing] + (isSlow ? SLOW[thing] : 0)
}

/** The number of the n-th shipment; the 0th is the demonstration's. */
export function consignmentNumber(carrier: Carrier, n: number): string {
  if (n === 0) return `DEMO-${carrierLetter(carrier)}-MOVING`
  return `SB${carrierLetter(carrier)}${String(n).padStart(8, "0")}`
}

/** The carrier's reference for the n-th booking. */
export function orderNumber(carrier: Carrier, n: number): string {
  return `ORD-${carrierLetter(carrier)}-${String(n).padStart(6, "0")}`
}

/** The carrier's reference for the n-th pickup. */
export function pickupNumber(carrier: Carrier, n: number): string {
  return `PU-${carrierLetter(carrier)}-${String(n).padStart(6, "0")}`
}

/** A carrier with business units gets a reference from the service, in the range of its unit. */
export function bookingReference(
  carrier: Carrier,
  businessUnit: string | undefined,
  n: number,
): string | null {
  if (!CLAUSES[carrier].hasBusinessUnits) return null
  return `${businessUnit === "UNIT_B" ? "UB" : "UA"}${String(n).padStart(7, "0")}`
}

/** A barcode for each item, where the carrier has them. */
export function itemBarcodes(carrier: Carrier, consignment: string, count: number): string[] | undefined {
  if (!CLAUSES[carrier].hasItemBarcodes) return undefined
  return Array.from({ length: count }, (_, index) => `${consignment}${String(index + 1).padStart(3, "0")}`)
}
