/** Shipments that wait for a booked pickup. */
import type { PickupBookingDetail } from "../../contract/generated/types.ts"
import { findNotYetReported } from "../../ledger/index.ts"
import type { Deps, Ledgers } from "../../session/index.ts"
import { createFinder } from "../lookup/find.ts"
import type { ShipmentOrPickup } from "../lookup/shipment-or-pickup.ts"

export async function findWaitingForPickup(
  { readLedger }: Pick<Ledgers, "readLedger">,
  found: Pick<ShipmentOrPickup, "entryId" | "scope"> | undefined,
): Promise<string[]> {
  if (found?.entryId === undefined) return []
  const { store } = await readLedger()
  const { nameNotYetReported } = await import("../batch/carrier-notice.ts")
  return nameNotYetReported(
    store,
    found.scope,
    await findNotYetReported(store.database, { pickupId: found.entryId }),
  )
}

/** GET /pickups/{id}, by any name of the pickup, with the shipments that wait for it. */
export async function readPickup(
  deps: Deps,
  name: string,
): Promise<{ pickup: PickupBookingDetail; waiting: readonly string[] }> {
  const api = await deps.freight()
  const finder = createFinder(deps, "pickup")
  const { pickup } = await finder.find(name, (id) => api.getPickup(id))
  return { pickup, waiting: await findWaitingForPickup(deps, finder.foundAs(name)) }
}
