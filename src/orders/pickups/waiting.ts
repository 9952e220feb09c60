import type { Ledgers } from "../../session/index.ts"
import { findUntold } from "../../ledger/index.ts"
import type { ShipmentOrPickup } from "../lookup/shipment-or-pickup.ts"

/** The shipments that wait for it, by what people call them. */
export async function findWaiting(
  { readLedger }: Pick<Ledgers, "readLedger">,
  found: Pick<ShipmentOrPickup, "entryId" | "scope"> | undefined,
): Promise<string[]> {
  if (found?.entryId === undefined) return []
  const { store } = await readLedger()
  const { nameUntold } = await import("../batch/told.ts")
  return nameUntold(store, found.scope, await findUntold(store.database, { pickupId: found.entryId }))
}
