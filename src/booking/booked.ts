/** What is told and remembered of a booking that was just made. */
import type { BookingResponse } from "../contract/generated/types.ts"
import { nextCommand } from "../contract/command-line.ts"
import { safeText } from "../contract/safe-text.ts"
import type { Created, LedgerDeps } from "../ledger/create.ts"
import { rememberCarrierPickup } from "./pickup.ts"
import { priceText } from "./price.ts"

/** The booking stands: only the pickup may be asked for again (behaviour of `pickupStatus` FAILED). */
export function pickupFailed(shipmentId: string): string {
  const { next = "freight pickup book" } = nextCommand("freight", "pickup", "book", "--shipment", shipmentId)
  return `the carrier's pickup failed, and the booking stands: book the pickup alone with ${next}`
}

interface BookedDeps {
  note(text: string): Promise<void>
  warn(text: string): Promise<void>
}

/** Says that it is booked, and what the carrier says beside it; a pickup that only the carrier knows is remembered. */
export async function tellBooked(
  deps: BookedDeps,
  ledger: LedgerDeps,
  connectorId: string,
  { response, recorded, entry }: Created<BookingResponse>,
): Promise<void> {
  const { shipmentId, pickupStatus, labelWarning } = response
  const shipment = `shipment ${safeText(shipmentId)}.`
  const said = recorded
    ? `Booked before under this key: ${shipment} It was not sent again.`
    : `Booked: ${shipment}`
  const price = priceText(entry.facts)
  await deps.note(price === undefined ? said : `${said} Price: ${price}.`)
  if (labelWarning) await deps.warn(safeText(labelWarning))
  if (pickupStatus === "FAILED") await deps.warn(pickupFailed(shipmentId))
  if (pickupStatus !== "RECONCILE_NEEDED") return
  await deps.warn("the carrier has a pickup for this shipment that the service lost: never book another")
  await rememberCarrierPickup(ledger, { connectorId, shipmentId, reference: labelWarning })
}
