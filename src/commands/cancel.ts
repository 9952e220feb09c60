import type { Command } from "commander"
import { carrierName } from "../contract/carrier-fields.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { findShipment } from "../lookup/find.ts"
import { SHIPMENT } from "./shared/names.ts"

export function define(command: Command): void {
  command
    .description(
      "Says what to do: neither API can cancel a booking, only the carrier can. It names the carrier and the number to give on the phone, and changes nothing.",
    )
    .argument("[shipment]", SHIPMENT)
}

export const examples = ["freight cancel --sandbox demo-shipment"]

/** GET /shipments/{id}, where one is named. @throws FreightError `refused` always: nothing is cancelled */
export async function run(deps: Deps, name: string | undefined): Promise<never> {
  const refuse = (hint: string, next: string) => {
    return new FreightError("refused", "freight cannot cancel a booking: neither API has a way to", {
      hint,
      next,
    })
  }
  if (name === undefined)
    throw refuse(
      "Call the carrier and give the consignment number, which freight history shows.",
      "freight history --fields sentAt,reference,carrier,consignmentNumber",
    )
  const { shipment } = await findShipment(deps, name)
  const { carrier, connectorName, consignmentNumber, id, pickupStatus } = shipment
  const number = consignmentNumber ?? `the one it has not given yet (freight shipments show ${id})`
  const pickup = pickupStatus === "BOOKED" ? " Cancel its pickup in the same call." : ""
  throw refuse(
    `Call ${carrierName(carrier)} (${connectorName}) and give consignment ${number}.${pickup}`,
    `freight shipments show ${id}`,
  )
}
