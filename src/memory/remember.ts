/** Keeps what the APIs say and what was made, so that a shell can complete it later without a call. */
import type { DirectPrintApi } from "../api/direct-print.ts"
import type { FreightApi } from "../api/freight.ts"
import type { ShipmentSummary } from "../contract/generated/types.ts"
import type { Entry } from "../ledger/entry.ts"
import type { Seen, SeenThing } from "./seen.ts"

/** The API, what it lists or shows kept as it comes. What creates something is left alone: nothing comes between it and the ledger. */
export function rememberingFreight(api: FreightApi, seen: Seen): FreightApi {
  return {
    ...api,
    async listShipments(page) {
      const reply = await api.listShipments(page)
      await seen.keepThings("shipments", reply.shipments.map(thingOf))
      return reply
    },
    async getShipment(id) {
      const reply = await api.getShipment(id)
      await seen.keepThings("shipments", [thingOf(reply.shipment)])
      return reply
    },
    async listPrintDevices() {
      const reply = await api.listPrintDevices()
      await seen.keepDevices("freight", reply.devices)
      return reply
    },
  }
}

export function rememberingPrint(api: DirectPrintApi, seen: Seen): DirectPrintApi {
  return {
    ...api,
    async listDevices() {
      const reply = await api.listDevices()
      await seen.keepDevices("direct-print", reply.devices)
      return reply
    },
  }
}

/** Keeps what the ledger says was made. Called once the outcomes are on the disk. */
export async function rememberMade(seen: Seen, entries: readonly Entry[]): Promise<void> {
  const shipments: SeenThing[] = []
  const pickups: SeenThing[] = []
  for (const { kind, facts, sentAt, response } of entries) {
    const { shipmentId, pickupBookingId, consignmentNumber } = Object(response) as Record<string, unknown>
    const about = [facts.reference, facts.about].filter(Boolean).join(", ")
    if (kind === "shipment" && typeof shipmentId === "string")
      shipments.push({ id: shipmentId, at: sentAt, about, ...consignment(consignmentNumber) })
    if (kind === "pickup" && typeof pickupBookingId === "string")
      pickups.push({ id: pickupBookingId, at: sentAt, about })
  }
  if (shipments.length > 0) await seen.keepThings("shipments", shipments)
  if (pickups.length > 0) await seen.keepThings("pickups", pickups)
}

function thingOf(shipment: ShipmentSummary): SeenThing {
  const { id, createdAt, orderNumber, carrier, toSuburb, consignmentNumber } = shipment
  const about = [orderNumber, carrier, toSuburb && `to ${toSuburb}`].filter(Boolean).join(", ")
  return { id, at: createdAt, about, ...consignment(consignmentNumber) }
}

function consignment(number: unknown): Pick<SeenThing, "consignment"> {
  return typeof number === "string" && number !== "" ? { consignment: number } : {}
}
