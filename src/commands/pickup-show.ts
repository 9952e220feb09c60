import type { Command } from "commander"
import type { PickupBookingDetail } from "../contract/generated/types.ts"
import { formatPackageTotals } from "../contract/packages.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import { createFinder } from "../lookup/find.ts"
import type { Column } from "../terminal/columns.ts"
import { type Detail, details } from "../terminal/details.ts"
import { print } from "../terminal/view.ts"
import { addressLine } from "../contract/address-line.ts"

export function define(command: Command): void {
  command
    .description("Shows everything about one pickup, and why it failed if it did.")
    .argument(
      "<pickup>",
      "pickup id; for a pickup booked here also the carrier's number, its key, or any name of its shipment",
    )
}

export const examples = ["freight pickup show --sandbox demo-pickup"]

const columns: Column<PickupBookingDetail>[] = [
  { key: "id", title: "PICKUP" },
  { key: "status", title: "STATUS" },
  { key: "orderNumber", title: "CARRIER'S REFERENCE" },
  { key: "carrier", title: "CARRIER" },
  { key: "connectorId", title: "CONNECTOR", hidden: true },
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "pickupDate", title: "DATE" },
  { key: "readyTime", title: "READY" },
  { key: "closeTime", title: "CLOSE" },
  { key: "serviceCode", title: "SERVICE", hidden: true },
  { key: "lastErrorCode", title: "ERROR", hidden: true },
  { key: "lastErrorMessage", title: "REASON", hidden: true },
  { key: "source", title: "SOURCE", hidden: true },
  { key: "createdAt", title: "BOOKED", hidden: true },
]

/** GET /pickups/{id}. */
export async function run(deps: Deps, named: string): Promise<undefined> {
  const api = await deps.freight()
  const reply = await createFinder(deps, "pickup").find(named, (id) => api.getPickup(id))
  const { pickup } = reply
  if (deps.output.format === "table" && !deps.output.fields) {
    await deps.terminal.stdout.write(details(deps.terminal, lines(pickup)))
    return
  }
  await print(deps, { json: reply, rows: [pickup], columns, single: true })
}

function lines(pickup: PickupBookingDetail): Detail[] {
  const { carrier, connectorId, readyTime, closeTime, createdAt, source } = pickup
  return [
    ["Pickup", pickup.id],
    ["Status", pickup.status, "state"],
    ["Error", [pickup.lastErrorCode, pickup.lastErrorMessage].filter(Boolean).join(": ")],
    ["Carrier's reference", pickup.orderNumber],
    ["Carrier", [carrier, connectorId && `(${connectorId})`].filter(Boolean).join(" ")],
    ["Shipment", pickup.shipmentId],
    ["Service", pickup.serviceCode],
    ["Date", pickup.pickupDate],
    ["Time", readyTime && closeTime && `${readyTime} to ${closeTime}, local time there`],
    ["Collection", pickup.collection && addressLine(pickup.collection)],
    ["Items", pickup.items && formatPackageTotals(pickup.items)],
    ["Booked", createdAt && `${formatInstant(createdAt)}${source ? ` (${source})` : ""}`],
  ]
}
