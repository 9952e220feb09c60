/** The fourteen endpoints: who asks, whether they may, and what the endpoint answers. */
import {
  badRequest,
  CarrierRejection,
  CarrierUnavailable,
  json,
  notFound,
  Refusal,
  type Reply,
} from "./reply.ts"
import { type Api, type Key, KEYS, type Scope } from "./tenants.ts"
import type { World } from "./world.ts"
import type { Call } from "./call.ts"
import { createPrintJob, listDevices, listPrintDevices, printLabel } from "./printing.ts"
import { createShipment } from "./freight/bookings.ts"
import { listConnectors, rateAll, rateOne } from "./freight/rates.ts"
import { listShipments, showLabel, showShipment } from "./freight/shipments.ts"
import { createPickup, showPickup } from "./freight/pickups.ts"
import { track } from "./freight/track.ts"

interface Request {
  readonly method: string
  /** Path without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  /** Undefined if it was over `MOST_BODY_BYTES`. */
  readonly text: string | undefined
}

/** Room for the largest PDF of direct print. */
export const MOST_BODY_BYTES = 12_000_000

/** Answers a request to either API; its own errors are a 500. */
export async function answer(world: World, request: Request): Promise<Reply> {
  try {
    world.catchUp()
    const match = matchRoute(request.method, request.path)
    if (!match) throw notFound(`There is no ${request.method} ${request.path}`)
    return await handle(world, request, match)
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    if (error instanceof CarrierRejection) {
      const { code, message } = error
      return badRequest("The carrier rejected the request", [{ code, message }]).reply
    }
    if (error instanceof CarrierUnavailable) return json(502, { message: error.message })
    return json(500, {
      message: `The sandbox failed: ${error instanceof Error ? error.message : String(error)}`,
    })
  }
}

function handle(world: World, request: Request, { route, id }: Match): Reply | Promise<Reply> {
  const { tenant } = admitted(world, request, route)
  if (request.text === undefined) throw badRequest(`The body is over ${MOST_BODY_BYTES} bytes`)
  return route.handle({ world, tenant, id, query: request.query, text: request.text })
}

/** @throws Refusal 401 without a valid key of this API, 403 without permission */
function admitted(world: World, { authorization = "" }: Request, { api, scope }: Route): Key {
  const key = KEYS.get(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "")
  const revoked = key && (world.state.revocations.get(`key:${key.name}`) ?? key.revoked)
  if (!key || key.api !== api || revoked) throw new Refusal(401, { message: "Missing or invalid API key" })
  if (api === "freight" && !key.tenant.freight)
    throw new Refusal(403, { message: "Freight access is not active for this tenant" })
  if (scope && !key.scopes.includes(scope))
    throw new Refusal(403, { success: false, error: `The key lacks the scope ${scope}` })
  return key
}

interface Route {
  readonly api: Api
  readonly method: string
  /** As the contract writes it; `{…}` is the variable part. */
  readonly path: string
  readonly handle: (call: Call) => Reply | Promise<Reply>
  /** Books, orders or prints something. */
  readonly creates?: true
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

/** Both have a path, which exposes clients that lose it. */
export const BASE_PATHS: Record<Api, string> = { freight: "/freight/v0", directPrint: "/direct-print/v0" }

interface Match {
  readonly route: Route
  /** The variable part of the path, decoded. */
  readonly id: string
}

export function findApi(path: string): Api | undefined {
  return (["freight", "directPrint"] as const).find((api) => path.startsWith(`${BASE_PATHS[api]}/`))
}

/** The endpoint of a method and path (query left off), or undefined when there is none. */
export function matchRoute(method: string, path: string): Match | undefined {
  const api = findApi(path)
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
