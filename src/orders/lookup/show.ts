/** Everything about one shipment, with what the ledger knows of it. */
import { readLedgerOrWarn } from "../../command/index.ts"
import {
  addressLine,
  collectionText,
  formatPackageTotals,
  getReturnOf,
  type NamedShipment,
  nameShipment,
} from "../../contract/index.ts"
import {
  type Cancellation,
  describeWaiting,
  describeWord,
  type Entry,
  getCancellation,
  isWaitingFor,
  listBarcodes,
  toWord,
} from "../../ledger/index.ts"
import type { ShipmentDetail, ShipmentSummary } from "../../contract/generated/types.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import type { Deps } from "../../session/index.ts"
import { type Column, type Detail, details, print } from "../../output/index.ts"
import { findShipment } from "./find.ts"
import { shipmentColumns, statePickup } from "./list.ts"

type Shown = NamedShipment & { barcodes: readonly string[] }

export const SHOWN_COLUMNS: Column<Shown>[] = [
  { key: "id", title: "SHIPMENT", value: ({ shipmentId }) => shipmentId },
  ...(shipmentColumns.filter(({ key }) => key !== "id") as Column<Omit<ShipmentSummary, "id">>[]),
  { key: "barcodes", title: "BARCODES", hidden: true, value: ({ barcodes }) => barcodes.join(" ") },
]

/** Prints a shipment. GET /shipments/{id}. */
export async function showShipment(deps: Deps, name: string): Promise<void> {
  const { shipment } = await findShipment(deps, name)
  const { booking, collected } = await readKept(deps, shipment)
  // The API gives barcodes of items only in the reply to a booking.
  const barcodes = listBarcodes(booking?.response)
  const returnOf = getReturnOf(booking?.facts.own)
  const cancelled = booking && getCancellation(booking)
  const text = () => details(deps.terminal, lines(shipment, { collected, barcodes, returnOf, cancelled }))
  const freight = {
    barcodes,
    returnOf: returnOf ?? null,
    cancelled: cancelled ? toWord(cancelled) : null,
  }
  const named: NamedShipment = nameShipment(shipment)
  const json = { shipment: named, freight }
  await print(deps, {
    json,
    rowsAt: "shipment",
    rows: [{ ...named, barcodes }],
    columns: SHOWN_COLUMNS,
    single: true,
    text,
  })
}

/** Finds a shipment's booking in the ledger, and the pickup, in words, that collects it with others. */
async function readKept(
  deps: Deps,
  { id, pickupStatus }: ShipmentDetail,
): Promise<{ booking: Entry | undefined; collected: string | undefined }> {
  const nothing = { booking: undefined, collected: undefined }
  const missing = "what the ledger knows of it is not shown"
  return readLedgerOrWarn(deps, missing, nothing, async ({ store, scopes }) => {
    const booking = await store.ofShipment(scopes, id)
    if (pickupStatus !== "NOT_BOOKED" || deps.output.format !== "table")
      return { booking, collected: undefined }
    const pickup = await store.pickupOf(scopes, id)
    const waits = pickup && (await isWaitingFor(store.database, pickup, id))
    return { booking, collected: pickup && (waits ? describeWaiting(pickup) : describePickup(pickup)) }
  })
}

interface Kept {
  /** The pickup that collects it with others, or that it waits for. */
  collected: string | undefined
  barcodes: readonly string[]
  returnOf: string | undefined
  /** The carrier's cancellation on the phone, which the API never says. */
  cancelled: Cancellation | undefined
}

const describePickup = (pickup: Entry) =>
  [statePickup(pickup), pickup.facts.reference].filter(Boolean).join(", ")

function lines(shipment: ShipmentDetail, { collected, barcodes, returnOf, cancelled }: Kept): Detail[] {
  return [
    ["Reference", shipment.customerReference],
    ["Return of", returnOf],
    ["Consignment", shipment.consignmentNumber ?? "not given yet"],
    [
      "Carrier",
      [shipment.carrier, shipment.connectorName && `(${shipment.connectorName})`].filter(Boolean).join(" "),
    ],
    ["Service", [shipment.serviceCode, shipment.serviceDescription].filter(Boolean).join(", ")],
    ["Status", cancelled ? describeWord(cancelled) : (shipment.status ?? "not known"), "state"],
    ["Pickup", collected ?? shipment.pickupStatus ?? "not known", "state"],
    [
      "Booked",
      [shipment.createdAt && formatInstant(shipment.createdAt), shipment.source && `(${shipment.source})`]
        .filter(Boolean)
        .join(" "),
    ],
    ["Collection", collectionText(shipment)],
    ["From", shipment.collection && addressLine(shipment.collection)],
    ["To", shipment.receiver && addressLine(shipment.receiver)],
    ["Items", shipment.items && formatPackageTotals(shipment.items)],
    ["Barcodes", barcodes.join(" ")],
    ["Dangerous goods", { true: "yes", false: "no" }[String(shipment.dangerousGoods)] ?? "not known"],
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
