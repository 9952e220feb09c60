/** How the three carriers differ in what they give, and when. */
import type { Carrier } from "../contract/generated/types.ts"

/** Milliseconds after the booking until a carrier has each thing. */
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

/** Whether a carrier has a thing by now for what was booked at `bookedAt`. Both in milliseconds. */
export function isReady(thing: keyof Delays, carrier: Carrier, bookedAt: number, now: number): boolean {
  return now - bookedAt >= DELAYS[carrier][thing]
}

/** `A`, `B` or `C`. */
export function letterOf(carrier: Carrier): string {
  return carrier.charAt("CARRIER_".length)
}

/** The carrier's number for the n-th shipment of the sandbox; the 0th is the demonstration's. */
export function consignmentNumber(carrier: Carrier, n: number): string {
  if (n === 0) return `DEMO-${letterOf(carrier)}-MOVING`
  return `SB${letterOf(carrier)}${String(n).padStart(8, "0")}`
}

/** The carrier's reference for the n-th booking. */
export function orderNumber(carrier: Carrier, n: number): string {
  return `ORD-${letterOf(carrier)}-${String(n).padStart(6, "0")}`
}

/** The carrier's reference for the n-th pickup. */
export function pickupNumber(carrier: Carrier, n: number): string {
  return `PU-${letterOf(carrier)}-${String(n).padStart(6, "0")}`
}

/** Carrier C alone is given a reference by the service, from the range of the business unit. */
export function bookingReference(
  carrier: Carrier,
  businessUnit: string | undefined,
  n: number,
): string | null {
  if (carrier !== "CARRIER_C_AU") return null
  return `${businessUnit === "UNIT_B" ? "UB" : "UA"}${String(n).padStart(7, "0")}`
}

/** Carrier B alone has a barcode for each item. */
export function itemBarcodes(carrier: Carrier, consignment: string, count: number): string[] | undefined {
  if (carrier !== "CARRIER_B_AU") return undefined
  return Array.from({ length: count }, (_, index) => `${consignment}${String(index + 1).padStart(3, "0")}`)
}
