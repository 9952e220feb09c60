import type { Command } from "commander"
import type { ShipmentDetail } from "../contract/generated/types.ts"
import { formatPackageTotals } from "../contract/packages.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import { createFinder } from "../lookup/find.ts"
import { type Detail, details } from "../terminal/details.ts"
import { print } from "../terminal/view.ts"
import { addressLine } from "../contract/address-line.ts"
import { SHIPMENT } from "./shared/names.ts"
import { shipmentColumns } from "./shared/shipment-columns.ts"

export function define(command: Command): void {
  command.description("Shows everything about one shipment.").argument("<shipment>", SHIPMENT)
}

export const examples = ["freight shipments show --sandbox demo-shipment"]

/** GET /shipments/{id}. */
export async function run(deps: Deps, name: string): Promise<undefined> {
  const api = await deps.freight()
  const reply = await createFinder(deps, "shipment").find(name, (id) => api.getShipment(id))
  const { shipment } = reply
  if (deps.output.format === "table" && !deps.output.fields) {
    await deps.terminal.stdout.write(details(deps.terminal, lines(shipment)))
    return
  }
  await print(deps, { json: reply, rows: [shipment], columns: shipmentColumns, single: true })
}

function lines(shipment: ShipmentDetail): Detail[] {
  const close = shipment.collectionCloseTime.replace(/^(\d\d)(\d\d)$/, "$1:$2")
  return [
    ["Reference", shipment.customerReference],
    ["Consignment", shipment.consignmentNumber ?? "not given yet"],
    ["Carrier", `${shipment.carrier} (${shipment.connectorName})`],
    ["Service", [shipment.serviceCode, shipment.serviceDescription].filter(Boolean).join(", ")],
    ["Status", shipment.status, "state"],
    ["Pickup", shipment.pickupStatus ?? "not known", "state"],
    ["Booked", `${formatInstant(shipment.createdAt)} (${shipment.source})`],
    ["Collection", `${shipment.collectionDateTime.replace("T", " ")}, closes ${close}, local time there`],
    ["From", addressLine(shipment.collection)],
    ["To", addressLine(shipment.receiver)],
    ["Items", formatPackageTotals(shipment.items)],
    ["Dangerous goods", shipment.dangerousGoods ? "yes" : "no"],
    [
      "Payer",
      [shipment.payer, shipment.payerAccountNumber, shipment.payerSubAccount].filter(Boolean).join(" "),
    ],
    ["Carrier's reference", shipment.carrierBookingRef],
    ["Instructions", shipment.specialInstructions],
    ["Order", shipment.orderNumber],
    ["Shipment", shipment.id],
  ]
}
