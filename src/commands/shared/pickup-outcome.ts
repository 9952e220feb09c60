import { lostPickup } from "../../booking/pickup.ts"
import type { PickupBookingResponse } from "../../contract/generated/types.ts"
import type { Deps } from "../../deps.ts"
import type { Created } from "../../ledger/create.ts"

/**
 * What a person must know of a pickup that was booked.
 * @throws FreightError `stepFailed` when the carrier has it and the service lost it
 */
export async function tellPickup(deps: Deps, created: Created<PickupBookingResponse>): Promise<void> {
  const lost = lostPickup(created)
  if (lost) throw lost
  if (created.recorded) return deps.note("Booked before under this key. Nothing was sent.")
  if (created.response.status === undefined)
    await deps.warn("the reply does not say whether the carrier accepted the pickup: check it")
}
