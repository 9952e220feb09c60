import type { Command } from "commander"
import type {
  PickupBookingDetail,
  PickupBookingDetailResponse,
  PickupBookingResponse,
} from "../contract/generated/types.ts"
import { formatPackageTotals } from "../contract/packages.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { details } from "../terminal/details.ts"
import { print } from "../terminal/view.ts"
import type { Act } from "./shared/act.ts"
import { addressLine } from "./shared/address-line.ts"
import { examples } from "./shared/examples.ts"

export function define(command: Command, act: Act): void {
  command
    .description("Shows one pickup, whole; of one that failed, why.")
    .argument("<pickup>", "pickup id, or the carrier's reference or the shipment of one that was booked here")
    .addHelpText("after", examples("freight pickup show --sandbox demo-pickup"))
    .action(act(run))
}

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
async function run(deps: Deps, named: string): Promise<undefined> {
  const reply = await pickupOf(deps, named)
  const { pickup } = reply
  if (deps.output.format === "table" && !deps.output.fields) {
    await deps.terminal.stdout.write(details(deps.terminal, lines(pickup)))
    return
  }
  await print(deps.terminal, deps.output, { json: reply, rows: [pickup], columns, single: true })
  return
}

/** By its id; or by the carrier's reference or a shipment that it collects, as far as the ledger knows them. */
async function pickupOf(deps: Deps, named: string): Promise<PickupBookingDetailResponse> {
  const api = await deps.freight()
  try {
    return await api.getPickup(named)
  } catch (error) {
    if (!(error instanceof FreightError) || error.kind !== "notFound") throw error
    const { store, scope } = await deps.ledger("freight")
    const noted = await store.history({ kind: "pickup", state: "done", search: named, scopes: [scope] })
    const entry = noted.find(({ facts }) => facts.reference === named) ?? (await store.pickupOf(scope, named))
    const { pickupBookingId } = Object(entry?.response) as PickupBookingResponse
    if (pickupBookingId === undefined || pickupBookingId === named) throw error
    return api.getPickup(pickupBookingId)
  }
}

function lines(pickup: PickupBookingDetail): [string, string | null | undefined][] {
  const { carrier, connectorId, readyTime, closeTime, createdAt, source } = pickup
  return [
    ["Pickup", pickup.id],
    ["Status", pickup.status],
    ["Error", [pickup.lastErrorCode, pickup.lastErrorMessage].filter(Boolean).join(": ")],
    ["Carrier's reference", pickup.orderNumber],
    ["Carrier", [carrier, connectorId && `(${connectorId})`].filter(Boolean).join(" ")],
    ["Shipment", pickup.shipmentId],
    ["Service", pickup.serviceCode],
    ["Date", pickup.pickupDate],
    ["Time", readyTime && closeTime && `${readyTime} to ${closeTime}, by the clock there`],
    ["Collection", pickup.collection && addressLine(pickup.collection)],
    ["Items", pickup.items && formatPackageTotals(pickup.items)],
    ["Booked", createdAt && `${formatInstant(createdAt)}${source ? ` (${source})` : ""}`],
  ]
}
