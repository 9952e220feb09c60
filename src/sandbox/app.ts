/** The fourteen endpoints: authentication, permissions, and replies. */
import {
  type Api,
  APIS,
  type EndpointInfo,
  type EndpointName,
  ENDPOINTS,
  findEndpoint,
} from "../contract/index.ts"
import {
  badRequest,
  CarrierRejection,
  CarrierUnavailable,
  json,
  notFound,
  Refusal,
  type Reply,
} from "./reply.ts"
import { BASE_PATHS } from "./base-paths.ts"
import { type Key, KEYS } from "./tenants.ts"
import type { SandboxContext } from "./context.ts"
import type { Call } from "./call.ts"
import { createPrintJob, listDevices, listPrintDevices, printLabel } from "./printing.ts"
import { createShipment } from "./freight/bookings.ts"
import { listConnectors, rateAll, rateOne } from "./freight/rates.ts"
import { listShipments, showLabel, showShipment } from "./freight/shipments.ts"
import { createPickup, showPickup } from "./freight/pickups.ts"
import { track } from "./freight/track.ts"

interface Request {
  /** Undefined if there is no such endpoint. */
  readonly route: Route | undefined
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  /** Undefined if it was over `MAX_BODY_BYTES`. */
  readonly text: string | undefined
  readonly plant: Call["plant"]
}

/** Room for the largest PDF of direct print. */
export const MAX_BODY_BYTES = 12_000_000

/** Answers a request to either API; its own errors are a 500. */
export async function answer(sandbox: SandboxContext, request: Request): Promise<Reply> {
  try {
    sandbox.catchUp()
    const { route, method, path } = request
    if (!route) throw notFound(`There is no ${method} ${path}`)
    return await handle(sandbox, request, route)
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

function handle(sandbox: SandboxContext, request: Request, { name, id }: Route): Reply | Promise<Reply> {
  const key = findKey(sandbox, request, ENDPOINTS[name])
  if (request.text === undefined) throw badRequest(`The body is over ${MAX_BODY_BYTES} bytes`)
  const { query, text, plant } = request
  return HANDLERS[name]({ sandbox, key, tenant: key.tenant, id, query, text, plant })
}

function findKey(
  sandbox: SandboxContext,
  { authorization = "" }: Request,
  { api, scope }: EndpointInfo,
): Key {
  const key = KEYS.get(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "")
  const revoked = key && (sandbox.state.revocations.get(`key:${key.name}`) ?? key.revoked)
  if (!key || key.api !== api || revoked) throw new Refusal(401, { message: "Missing or invalid API key" })
  if (api === "freight" && !key.tenant.freight)
    throw new Refusal(403, { message: "Freight access is not active for this tenant" })
  if (scope && !key.scopes.includes(scope))
    throw new Refusal(403, { success: false, error: `The key lacks the scope ${scope}` })
  return key
}

const HANDLERS: Readonly<Record<EndpointName, (call: Call) => Reply | Promise<Reply>>> = {
  "GET /connectors": listConnectors,
  "POST /rates": rateAll,
  "POST /{connectorId}/rates": rateOne,
  "POST /{connectorId}/shipments": createShipment,
  "GET /shipments": listShipments,
  "GET /shipments/{id}": showShipment,
  "GET /track": track,
  "GET /shipments/{id}/label": showLabel,
  "POST /{connectorId}/pickups": createPickup,
  "GET /pickups/{id}": showPickup,
  "GET /print-devices": listPrintDevices,
  "POST /shipments/{id}/print": printLabel,
  "GET /devices": listDevices,
  "POST /print-jobs": createPrintJob,
}

export function findApi(path: string): Api | undefined {
  return APIS.find((api) => path.startsWith(`${BASE_PATHS[api]}/`))
}

export interface Route {
  readonly name: EndpointName
  /** The variable part of the path, decoded. */
  readonly id: string
}

/** The endpoint of a method and path (query left off), or undefined when there is none. */
export function findRoute(method: string, path: string): Route | undefined {
  const api = findApi(path)
  if (!api) return undefined
  const parts = path.slice(BASE_PATHS[api].length + 1).split("/")
  const found = findEndpoint(method, parts)
  if (!found || ENDPOINTS[found.name].api !== api) return undefined
  const id = decodePart(parts[found.idAt] ?? "")
  return id === undefined ? undefined : { name: found.name, id }
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
