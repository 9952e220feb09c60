/** One authenticated request, with the parts that handlers read. */
import { isCarrier } from "../carriers/index.ts"
import { grouped } from "../base/counted.ts"
import { findErrors, type Validator } from "../contract/index.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { DEEPEST, isTooDeep } from "../base/limits.ts"
import { badRequest, type ErrorEntry, notFound } from "./reply.ts"
import type { Plantable } from "./faults.ts"
import type { ShipmentRecord } from "./state.ts"
import type { Trigger } from "./triggers.ts"
import type { Connector, Device, Key, Tenant } from "./tenants.ts"
import type { SandboxContext } from "./context.ts"

export interface Call {
  readonly sandbox: SandboxContext
  readonly key: Key
  readonly tenant: Tenant
  /** The variable part of the path, decoded; may be empty. */
  readonly id: string
  readonly query: URLSearchParams
  readonly text: string
  /** Faults of a booking besides those in its own words. */
  plant(booking: Plantable): Trigger[]
}

export function parseBody<T>(call: Call, validate: Validator<T>): T {
  const value = parseJsonBody(call.text)
  const findings = findErrors(validate, value)
  if (findings.length > 0) throw badRequest("The request is not valid", findings.map(toErrorEntry))
  return value as T
}

export function parseJsonBody(text: string): unknown {
  if (isTooDeep(text))
    throw badRequest(`The body nests arrays and objects more than ${grouped(DEEPEST)} deep`)
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest("The body is not JSON")
  }
}

/** `errors[]` has the field separately, so the message need not name it. */
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

export function findConnector(call: Call): Connector {
  const connector = activeConnectors(call).find((one) => one.id === call.id)
  if (!connector) throw notFound("Connector not found or not active")
  return connector
}

export function activeConnectors({ sandbox, tenant }: Pick<Call, "sandbox" | "tenant">): Connector[] {
  return tenant.connectors.filter(
    ({ id, active }) => !(sandbox.state.revocations.get(`connector:${id}`) ?? !active),
  )
}

export function parseCarrier({ query }: Call): Carrier | undefined {
  const carrier = query.get("carrier")
  if (carrier === null) return undefined
  if (isCarrier(carrier)) return carrier
  throw badRequest("carrier is not a recognised carrier", [
    { field: "carrier", message: "not a recognised carrier" },
  ])
}

export function findShipment({ sandbox, tenant, key }: Call, id: string): ShipmentRecord | undefined {
  const record = sandbox.state.shipments.get(id)
  return record?.tenantId === tenant.id && isOpenTo(key, record) ? record : undefined
}

export function isOpenTo(key: Key, { keyName }: ShipmentRecord): boolean {
  return !key.limited || key.name === keyName
}

/** Whether a shipment is old enough to be read: see `POST /__sandbox/listing` in `control.ts`. */
export function hasAppeared({ state, now }: SandboxContext, { createdAt }: ShipmentRecord): boolean {
  return state.listingDelayMs === 0 || now() - createdAt >= state.listingDelayMs
}

export function activeDevices({ sandbox, tenant }: Pick<Call, "sandbox" | "tenant">): Device[] {
  return tenant.devices.filter(
    ({ id, revoked }) => !(sandbox.state.revocations.get(`device:${id}`) ?? revoked),
  )
}
