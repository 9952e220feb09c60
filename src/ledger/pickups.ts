/**
 * Checks before any pickup whether the shipment has one. Pickups cannot be cancelled, so `createOnce` checks it for
 * every path.
 */
import type {
  BookingResponse,
  ConsignmentBookingRequest,
  ShipmentDetail,
} from "../contract/generated/types.ts"
import { nextCommand } from "../base/command-line.ts"
import { safeText } from "../base/safe-text.ts"
import { FreightError } from "../base/errors.ts"
import type { Claim } from "./claims.ts"
import type { Entry } from "./entry.ts"
import { alreadyAtCarrier, NotSent } from "./refusals.ts"
import type { Store } from "./store.ts"

export interface Collects {
  /** Ids; none for goods on their own. */
  shipments: readonly string[]
  /** GET /shipments/{id}; undefined if an existing pickup is only recorded, and nothing is sent. */
  getShipment: ((id: string) => Promise<ShipmentDetail>) | undefined
}

interface FoundPickup {
  /**
   * - `none`: it has no pickup.
   * - `booked`: it has one.
   * - `lost`: the carrier has one, but the service did not record it.
   * - `open`: one was sent, and its outcome is unknown.
   * - `unclear`: it may have one, and neither the ledger nor the API says.
   */
  is: "none" | "booked" | "lost" | "open" | "unclear"
  entry?: Entry
  /** The carrier's reference. */
  reference?: string | undefined
}

type Ledger = { store: Store; scope: string | readonly string[] }

/** Looks for a shipment's pickup in the ledger, and in the API if the ledger cannot know. */
export async function findPickup(
  { store, scope }: Ledger,
  shipmentId: string,
  getShipment: NonNullable<Collects["getShipment"]>,
): Promise<FoundPickup> {
  const entry = await store.pickupOf(scope, shipmentId)
  if (entry) {
    const is = entry.state === "unknown" ? "open" : entry.facts.standing ? "lost" : "booked"
    return { is, entry, reference: entry.facts.reference }
  }
  const booking = await store.ofShipment(scope, shipmentId)
  const included = findIncludedPickup(booking)
  if (included) return included
  const { pickupStatus, labelWarning } = (booking?.response ?? {}) as Partial<BookingResponse>
  // Another workstation, or a person in the portal, may have booked one since.
  const now = (await getShipment(shipmentId)).pickupStatus
  if (now === "BOOKED") return { is: "booked" }
  if (now === "FAILED" || pickupStatus === "FAILED") return { is: "none" }
  if (booking && isReplyLost(booking)) return { is: "unclear" }
  // A warning without a status may be about a pickup that the service lost.
  if (pickupStatus === undefined && labelWarning) return { is: "unclear" }
  return { is: (pickupStatus ?? now) === "NOT_BOOKED" ? "none" : "unclear" }
}

/** The pickup that a booking names or was made with. */
export function findIncludedPickup(
  booking: Pick<Entry, "request" | "response"> | undefined,
): FoundPickup | undefined {
  const { pickupBookingNumber } = (booking?.request ?? {}) as Partial<ConsignmentBookingRequest>
  if (pickupBookingNumber) return { is: "booked", reference: pickupBookingNumber }
  const { pickupStatus, labelWarning } = (booking?.response ?? {}) as Partial<BookingResponse>
  if (pickupStatus === "RECONCILE_NEEDED") return { is: "lost", reference: labelWarning }
  if (pickupStatus === "BOOKED") return { is: "booked" }
  return undefined
}

/**
 * Whether a booking was settled without its own reply. Only that reply says RECONCILE_NEEDED: a later look reads
 * NOT_BOOKED (BookingResponse, `pickupStatus`).
 */
export function isReplyLost({ note }: Pick<Entry, "note">): boolean {
  return note !== undefined
}

/**
 * Refuses a pickup for a shipment that has one, or may have. Conflicts within the ledger are left to the
 * claim, which looks in its own transaction; a pickup recorded under its key is returned.
 */
export async function refuseSecondPickup(
  store: Store,
  claim: Claim,
  { shipments, getShipment }: Collects,
): Promise<void> {
  if (!getShipment || (await store.look(claim)).kind !== "free") return
  const ledger = { store, scope: claim.owner.compared ?? claim.owner.scope }
  for (const id of shipments) {
    const found = await findPickup(ledger, id, getShipment)
    if (found.is === "lost")
      throw alreadyAtCarrier(
        "pickup",
        `shipment ${id}, ${safeText(found.reference ?? "made with the booking")}`,
      )
    if (claim.again) continue
    if (found.is === "booked") {
      const { reference, entry } = found
      throw new NotSent({ kind: "has-pickup", shipmentId: id, reference, entry }, claim)
    }
    if (found.is === "unclear") throw unclearPickup(id)
  }
}

/** The contract's statuses of a booking's pickup. Any other status, or none, leaves open whether there is a pickup. */
const PICKUP_STATUSES: readonly string[] = ["NOT_BOOKED", "BOOKED", "FAILED", "RECONCILE_NEEDED"]

/** Whether a booking's own reply states the status of its pickup: only then was one booked along with it. */
export function saysPickup({ pickupStatus }: Pick<BookingResponse, "pickupStatus">): boolean {
  return pickupStatus !== undefined && PICKUP_STATUSES.includes(pickupStatus)
}

/** freight cannot find out whether a shipment has a pickup: a person must. */
export function unclearPickup(shipmentId: string, status?: string): FreightError {
  const why =
    status === undefined
      ? "the API shows none, but no reply to its booking says so, and that alone could have named one"
      : `its pickup has the status ${safeText(status)}, which is not known`
  return new FreightError("refused", `whether shipment ${shipmentId} has a pickup cannot be known: ${why}`, {
    hint: "Nothing was sent for it. Ask the carrier whether it has one. If not: freight pickup book SHIPMENT --again.",
    ...nextCommand("freight", "shipments", "show", shipmentId),
  })
}
