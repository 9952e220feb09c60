import { carrierName } from "../contract/carrier-fields.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { CarrierRejection, CarrierUnavailable } from "./rejection.ts"
import type { Trigger } from "./triggers.ts"

const DOWN: Record<Carrier, Trigger> = {
  CARRIER_A_AU: "sandbox:carrier-a-down",
  CARRIER_B_AU: "sandbox:carrier-b-down",
  CARRIER_C_AU: "sandbox:carrier-c-down",
}

/** The carrier attends to the request, or not. @throws CarrierUnavailable, CarrierRejection as the triggers ask. */
export function attend(carrier: Carrier, triggers: ReadonlySet<Trigger>): void {
  if (triggers.has(DOWN[carrier])) throw new CarrierUnavailable(`${carrierName(carrier)} is unavailable`)
  if (triggers.has("sandbox:carrier-rejects"))
    throw new CarrierRejection("CARRIER_REJECTED", `${carrierName(carrier)} does not accept the request`)
}
