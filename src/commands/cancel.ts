import { command } from "../command/command.ts"
import { carrierName } from "../carriers/names.ts"
import { FreightError } from "../base/errors.ts"
import { findPickup, findShipment } from "../orders/lookup/find.ts"
import { SHIPMENT } from "../orders/lookup/names.ts"

export default command({
  about:
    "Says what to do: neither API can cancel a booking, only the carrier can. It names the carrier and the number to give on the phone, and changes nothing.",
  args: [{ takes: "[shipment]", about: `${SHIPMENT}; or the carrier's number of a pickup` }],
  examples: ["freight cancel --sandbox demo-shipment"],
  /** GET /shipments/{id} or /pickups/{id}, where one is named. @throws FreightError `refused` always: nothing is cancelled */
  async run(deps, name) {
    if (name === undefined)
      throw createRefusal(
        "booking",
        "Call the carrier and give the consignment number, which freight history shows.",
        'freight history --fields "sentAt,reference,carrier,consignmentNumber"',
      )
    const known = await findPickup(deps, name)
    if (known) {
      const { pickup } = await (await deps.freight()).getPickup(known.id)
      const caller = pickup.carrier ? carrierName(pickup.carrier) : "the carrier"
      throw createRefusal(
        "pickup",
        `Call ${caller}${pickup.connectorId ? ` (${pickup.connectorId})` : ""} and give pickup ${pickup.orderNumber ?? known.reference ?? known.id}.`,
        `freight pickup show ${known.id}`,
      )
    }
    const { shipment } = await findShipment(deps, name)
    const { carrier, connectorName, consignmentNumber, id, pickupStatus } = shipment
    const number = consignmentNumber ?? `the one it has not given yet (freight shipments show ${id})`
    const pickup = pickupStatus === "BOOKED" ? " Cancel its pickup in the same call." : ""
    throw createRefusal(
      "booking",
      `Call ${carrier ? carrierName(carrier) : "the carrier"}${connectorName ? ` (${connectorName})` : ""} and give consignment ${number}.${pickup}`,
      `freight shipments show ${id}`,
    )
  },
})

function createRefusal(what: "booking" | "pickup", hint: string, next: string): FreightError {
  return new FreightError("refused", `freight cannot cancel a ${what}: neither API has a way to`, {
    hint,
    next,
  })
}
