/** What the API last showed this machine: enough to choose a connector or complete a word without a call. */
import type { ConnectorSummary, PrintDevice, ShipmentSummary } from "../contract/generated/types.ts"
import { openStore } from "./store.ts"
import type { DirectPrintApi } from "../api/direct-print.ts"
import type { FreightApi } from "../api/freight.ts"
import type { Entry } from "../ledger/entry.ts"

interface SeenThing {
  id: string
  at: string
  /** For people. */
  about: string
  /** The carrier's number, once known. */
  consignment?: string
}

export type ThingKind = "shipments" | "pickups"

export const THINGS_AT_MOST = 100

export type Seen = ReturnType<typeof openSeen>

/** @param folder of one service: ids of others mean nothing there */
export function openSeen(folder: string) {
  const store = openStore({
    folder,
    parse: (kept) => (Array.isArray(kept) ? (kept as readonly unknown[]) : undefined),
  })
  const list = async <Listed>(name: string) => [...((store.read(name) ?? []) as readonly Listed[])]
  const things = async (kind: ThingKind) => (await list<unknown>(kind)).filter(isThing)
  return {
    keepConnectors: async (connectors: readonly ConnectorSummary[]) => store.keep("connectors", connectors),
    connectors: () => list<ConnectorSummary>("connectors"),
    /** @param api whose device list it is */
    keepDevices: async (api: string, devices: readonly PrintDevice[]) =>
      store.keep(`devices-${api}`, devices),
    devices: (api: string) => list<PrintDevice>(`devices-${api}`),
    things,
    /** Merges; the oldest are dropped. */
    async keepThings(kind: ThingKind, added: readonly SeenThing[]) {
      const before = await things(kind)
      const byId = new Map(before.map((thing) => [thing.id, thing]))
      for (const thing of added) {
        const { consignment } = thing
        // Keep this machine's own description; only the number may come later.
        byId.set(thing.id, { ...thing, ...byId.get(thing.id), ...(consignment && { consignment }) })
      }
      const newest = [...byId.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, THINGS_AT_MOST)
      if (JSON.stringify(newest) !== JSON.stringify(before)) store.keep(kind, newest)
    },
  }
}

function isThing(value: unknown): value is SeenThing {
  const { id, at, about, consignment } = Object(value) as Partial<Record<string, unknown>>
  return (
    [id, at, about].every((text) => typeof text === "string") &&
    (consignment === undefined || typeof consignment === "string")
  )
}

/** Remembers what the API lists or shows. Creating calls pass unchanged: nothing comes between them and the ledger. */
export function rememberingFreight(api: FreightApi, seen: Seen): FreightApi {
  return {
    ...api,
    async listConnectors() {
      const reply = await api.listConnectors()
      await seen.keepConnectors(reply.connectors)
      return reply
    },
    async listShipments(page) {
      const reply = await api.listShipments(page)
      await seen.keepThings("shipments", reply.shipments.map(toSeenThing))
      return reply
    },
    async getShipment(id) {
      const reply = await api.getShipment(id)
      await seen.keepThings("shipments", [toSeenThing(reply.shipment)])
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

/** Remembers what was made. Call it once the outcomes are on the disk. */
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

function toSeenThing(shipment: ShipmentSummary): SeenThing {
  const { id, createdAt, orderNumber, carrier, toSuburb, consignmentNumber } = shipment
  const about = [orderNumber, carrier, toSuburb && `to ${toSuburb}`].filter(Boolean).join(", ")
  return { id, at: createdAt, about, ...consignment(consignmentNumber) }
}

function consignment(number: unknown): Pick<SeenThing, "consignment"> {
  return typeof number === "string" && number !== "" ? { consignment: number } : {}
}
