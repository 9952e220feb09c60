/** What the API last showed this machine: enough to choose a connector or complete a word without a call. */
import path from "node:path"
import type { ConnectorSummary, PrintDevice } from "../contract/generated/types.ts"
import { keepJson, keptJson } from "./kept-file.ts"

/** A shipment or pickup that this machine made or was shown. */
export interface SeenThing {
  id: string
  /** When it was made, in ISO 8601. */
  at: string
  /** For people: who or what it is for. */
  about: string
  /** The carrier's number of a consignment, once it is known. */
  consignment?: string
}

export type ThingKind = "shipments" | "pickups"

export interface Seen {
  keepConnectors(connectors: readonly ConnectorSummary[]): Promise<void>
  connectors(): Promise<ConnectorSummary[]>
  /** @param api whose device list it is */
  keepDevices(api: string, devices: readonly PrintDevice[]): Promise<void>
  devices(api: string): Promise<PrintDevice[]>
  /** Adds to what was kept; what is newer pushes out what is older. */
  keepThings(kind: ThingKind, things: readonly SeenThing[]): Promise<void>
  /** Newest first. */
  things(kind: ThingKind): Promise<SeenThing[]>
}

/** More than one wants to choose from. */
export const THINGS_AT_MOST = 100

/** @param folder of one service: its ids mean nothing at another */
export function openSeen(folder: string): Seen {
  const fileOf = (name: string) => path.join(folder, `${name}.json`)
  const list = async <T>(name: string): Promise<T[]> => {
    const kept = await keptJson(fileOf(name))
    return Array.isArray(kept) ? (kept as T[]) : []
  }
  const things = async (kind: ThingKind) => (await list<unknown>(kind)).filter(isThing)
  return {
    keepConnectors: (connectors) => keepJson(fileOf("connectors"), connectors),
    connectors: () => list("connectors"),
    keepDevices: (api, devices) => keepJson(fileOf(`devices-${api}`), devices),
    devices: (api) => list(`devices-${api}`),
    things,
    async keepThings(kind, added) {
      const before = await things(kind)
      const byId = new Map(before.map((thing) => [thing.id, thing]))
      for (const thing of added) {
        const { consignment } = thing
        // What was said of it first is this machine's own; the number may come later.
        byId.set(thing.id, { ...thing, ...byId.get(thing.id), ...(consignment && { consignment }) })
      }
      const newest = [...byId.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, THINGS_AT_MOST)
      if (JSON.stringify(newest) !== JSON.stringify(before)) await keepJson(fileOf(kind), newest)
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
