/** One authenticated request, and what handlers read from it. */
import { isCarrier } from "../contract/carrier-fields.ts"
import { grouped } from "../contract/counted.ts"
import { findErrors, type Validator } from "../contract/check.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { DEEPEST, isTooDeep } from "../limits.ts"
import { badRequest, type ErrorEntry, notFound } from "./reply.ts"
import type { ShipmentRecord } from "./state.ts"
import type { Connector, Device, Tenant } from "./tenants.ts"
import type { World } from "./world.ts"

export interface Call {
  readonly world: World
  readonly tenant: Tenant
  /** The variable part of the path, decoded; may be empty. */
  readonly id: string
  readonly query: URLSearchParams
  readonly text: string
}

/** @throws Refusal 400 naming every invalid field */
export function parseBody<T>(call: Call, validate: Validator<T>): T {
  const value = parseJsonBody(call.text)
  const findings = findErrors(validate, value)
  if (findings.length > 0) throw badRequest("The request is not valid", findings.map(toErrorEntry))
  return value as T
}

/** @throws Refusal 400 for invalid JSON */
export function parseJsonBody(text: string): unknown {
  if (isTooDeep(text))
    throw badRequest(`The body nests arrays and objects more than ${grouped(DEEPEST)} deep`)
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest("The body is not JSON")
  }
}

/** `errors[]` has the field apart, so the message need not name it. */
export function toErrorEntry({
  path,
  message,
  code,
}: {
  path: string
  message: string
  code?: string
}): ErrorEntry {
  const plain = path !== "" && message.startsWith(`${path} `) ? message.slice(path.length + 1) : message
  return { ...(path !== "" && { field: path }), message: plain, ...(code !== undefined && { code }) }
}

/** @throws Refusal 404 unless the tenant has it and it is active */
export function findConnector({ tenant, id }: Call): Connector {
  const connector = activeConnectors(tenant).find((one) => one.id === id)
  if (!connector) throw notFound("Connector not found or not active")
  return connector
}

export function activeConnectors(tenant: Tenant): Connector[] {
  return tenant.connectors.filter(({ active }) => active)
}

/** @throws Refusal 400 for an unknown carrier */
export function parseCarrier({ query }: Call): Carrier | undefined {
  const carrier = query.get("carrier")
  if (carrier === null) return undefined
  if (isCarrier(carrier)) return carrier
  throw badRequest("carrier is not a recognised carrier", [
    { field: "carrier", message: "not a recognised carrier" },
  ])
}

export function findShipment({ world, tenant }: Call, id: string): ShipmentRecord | undefined {
  const record = world.state.shipments.get(id)
  return record?.tenantId === tenant.id ? record : undefined
}

export function activeDevices({ world, tenant }: Pick<Call, "world" | "tenant">): Device[] {
  return tenant.devices.filter(({ id, revoked }) => !(world.state.revocations.get(`device:${id}`) ?? revoked))
}
