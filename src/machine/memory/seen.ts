/** The last connectors, devices and shipments from the API: enough to choose a connector or complete a word without a call. */
import type { ConnectorSummary, PrintDevice, ShipmentSummary } from "../../contract/generated/types.ts"
import { openStore } from "./store.ts"
import type { DirectPrintApi, FreightApi } from "../../api/index.ts"
import type { Entry } from "../../ledger/index.ts"

interface SeenEntry {
  id: string
  at: string
  /** For people. */
  about: string
  /** The carrier's number, once known. */
  consignment?: string
}

export type SeenKind = "shipments" | "pickups"

export const MAX_SEEN = 100

export type Seen = ReturnType<typeof openSeen>

/** @param folder of one service: ids of others mean nothing there */
export function openSeen(folder: string) {
  const store = openStore({
    folder,
    parse: (kept) => (Array.isArray(kept) ? (kept as readonly unknown[]) : undefined),
  })
  const readList = async <Listed>(name: string) => [...((store.read(name) ?? []) as readonly Listed[])]
  const list = async (kind: SeenKind) => (await readList<unknown>(kind)).filter(isSeenEntry)
  return {
    keepConnectors: async (connectors: readonly ConnectorSummary[]) => store.keep("connectors", connectors),
    connectors: () => readList<ConnectorSummary>("connectors"),
    /** @param api whose device list it is */
    keepDevices: async (api: string, devices: readonly PrintDevice[]) =>
      store.keep(`devices-${api}`, devices),
    devices: (api: string) => readList<PrintDevice>(`devices-${api}`),
    list,
    /** Merges; the oldest are dropped. */
    async keepSeen(kind: SeenKind, added: readonly SeenEntry[]) {
      const before = await list(kind)
      const byId = new Map(before.map((entry) => [entry.id, entry]))
      for (const entry of added) {
        const { consignment } = entry
        // Keep this machine's own description; only the number may come later.
        byId.set(entry.id, { ...entry, ...byId.get(entry.id), ...(consignment && { consignment }) })
      }
      const newest = [...byId.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MAX_SEEN)
      if (JSON.stringify(newest) !== JSON.stringify(before)) store.keep(kind, newest)
    },
  }
}

function isSeenEntry(value: unknown): value is SeenEntry {
  const { id, at, about, consignment } = Object(value) as Partial<Record<string, unknown>>
  return (
    [id, at, about].every((text) => typeof text === "string") &&
    (consignment === undefined || typeof consignment === "string")
  )
}

/**
 * Remembers shipments, connectors and devices from replies. Creating calls pass unchanged: nothing comes between them and
 * the ledger.
 */
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
      await seen.keepSeen("shipments", reply.shipments.map(toSeenEntry))
      return reply
    },
    async getShipment(id) {
      const reply = await api.getShipment(id)
      await seen.keepSeen("shipments", [toSeenEntry(reply.shipment)])
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

export async function rememberMade(seen: Seen, entries: readonly Entry[]): Promise<void> {
  const shipments: SeenEntry[] = []
  const pickups: SeenEntry[] = []
  for (const { kind, facts, sentAt, response } of entries) {
    const { shipmentId, pickupBookingId, consignmentNumber } = Object(response) as Record<string, unknown>
    const about = [facts.reference, facts.about].filter(Boolean).join(", ")
    if (kind === "shipment" && typeof shipmentId === "string")
      shipments.push({ id: shipmentId, at: sentAt, about, ...consignment(consignmentNumber) })
    if (kind === "pickup" && typeof pickupBookingId === "string")
      pickups.push({ id: pickupBookingId, at: sentAt, about })
  }
  if (shipments.length > 0) await seen.keepSeen("shipments", shipments)
  if (pickups.length > 0) await seen.keepSeen("pickups", pickups)
}

function toSeenEntry(shipment: ShipmentSummary): SeenEntry {
  const { id, createdAt, orderNumber, carrier, toSuburb, consignmentNumber } = shipment
  const about = [orderNumber, carrier, toSuburb && `to ${toSuburb}`].filter(Boolean).join(", ")
  return { id, at: createdAt ?? "", about, ...consignment(consignmentNumber) }
}

function consignment(number: unknown): Pick<SeenEntry, "consignment"> {
  return typeof number === "string" && number !== "" ? { consignment: number } : {}
}
