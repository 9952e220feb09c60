/** The fourteen endpoints, and which of them a request means. */
import type { Call } from "./call.ts"
import { createPrintJob, listDevices } from "./direct-print.ts"
import { createShipment } from "./freight/bookings.ts"
import { listConnectors } from "./freight/connectors.ts"
import { showLabel } from "./freight/labels.ts"
import { createPickup, showPickup } from "./freight/pickups.ts"
import { listPrintDevices, printLabel } from "./freight/print.ts"
import { rateAll, rateOne } from "./freight/rates.ts"
import { listShipments, showShipment } from "./freight/shipments.ts"
import { track } from "./freight/track.ts"
import type { Reply } from "./reply.ts"
import type { Api, Scope } from "./tenants.ts"

export interface Route {
  readonly api: Api
  readonly method: string
  /** As the contract writes it; `{…}` is the variable part. */
  readonly path: string
  readonly handle: (call: Call) => Reply | Promise<Reply>
  /** Something is booked, ordered or printed. */
  readonly creates?: true
  /** What the key must be allowed to do. */
  readonly scope?: Scope
}

const ROUTES: readonly Route[] = [
  { api: "freight", method: "GET", path: "/connectors", handle: listConnectors },
  { api: "freight", method: "POST", path: "/rates", handle: rateAll },
  { api: "freight", method: "POST", path: "/{connectorId}/rates", handle: rateOne },
  { api: "freight", method: "POST", path: "/{connectorId}/shipments", handle: createShipment, creates: true },
  { api: "freight", method: "GET", path: "/shipments", handle: listShipments },
  { api: "freight", method: "GET", path: "/shipments/{id}", handle: showShipment },
  { api: "freight", method: "GET", path: "/track", handle: track },
  { api: "freight", method: "GET", path: "/shipments/{id}/label", handle: showLabel },
  { api: "freight", method: "POST", path: "/{connectorId}/pickups", handle: createPickup, creates: true },
  { api: "freight", method: "GET", path: "/pickups/{id}", handle: showPickup },
  { api: "freight", method: "GET", path: "/print-devices", handle: listPrintDevices },
  { api: "freight", method: "POST", path: "/shipments/{id}/print", handle: printLabel, creates: true },
  { api: "directPrint", method: "GET", path: "/devices", handle: listDevices, scope: "devices:read" },
  {
    api: "directPrint",
    method: "POST",
    path: "/print-jobs",
    handle: createPrintJob,
    creates: true,
    scope: "print-jobs:write",
  },
]

/** Where each API lives on the server. Both have a path, so that a client which loses it is found out. */
export const BASE_PATHS: Record<Api, string> = { freight: "/freight/v0", directPrint: "/direct-print/v0" }

export interface Match {
  readonly route: Route
  /** The variable part of the path, decoded. */
  readonly id: string
}

/** The API whose base a path begins with. */
export function apiOf(path: string): Api | undefined {
  return (["freight", "directPrint"] as const).find((api) => path.startsWith(`${BASE_PATHS[api]}/`))
}

/** The endpoint of a method and path (query left off), or undefined when there is none. */
export function matchRoute(method: string, path: string): Match | undefined {
  const api = apiOf(path)
  if (!api) return undefined
  const parts = path.slice(BASE_PATHS[api].length + 1).split("/")
  for (const { route, pattern } of COMPILED) {
    if (route.api !== api || route.method !== method || pattern.length !== parts.length) continue
    if (!pattern.every((part, index) => part === VARIABLE || part === parts[index])) continue
    const id = decoded(parts[pattern.indexOf(VARIABLE)] ?? "")
    return id === undefined ? undefined : { route, id }
  }
  return undefined
}

const VARIABLE = "{}"
const COMPILED = ROUTES.map((route) => ({
  route,
  pattern: route.path
    .slice(1)
    .replace(/\{\w+\}/, VARIABLE)
    .split("/"),
}))

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
