/**
 * The control path, `/__sandbox/…`: outside both APIs and without a key, for tests and rehearsals.
 *
 *   GET    /__sandbox/           the triggers, the faults, the demonstration consignments
 *   GET    /__sandbox/books      all shipments, pickups and print jobs, and the requests of this server by endpoint;
 *                                ?only=counts leaves the lists out
 *   POST   /__sandbox/clock      {"advanceMs": 3600000} or {"set": "2026-11-23T00:00:00Z"}: moves sandbox time
 *   GET    /__sandbox/faults     the faults that are set
 *   POST   /__sandbox/faults     {"fault": "502:x3@POST/shipments"}: adds one
 *   DELETE /__sandbox/faults     removes all
 *   POST   /__sandbox/devices    {"id": "device-dispatch", "revoked": true}
 *   POST   /__sandbox/keys       {"name": "freight", "revoked": true}: names as `sandbox start --json` gives them
 *   POST   /__sandbox/connectors {"id": "connector-a", "active": false}
 *   POST   /__sandbox/listing    {"delayMs": 1000}: GET /shipments and GET /shipments/{id} know a shipment only so
 *                                long after it was booked, in sandbox time
 *   POST   /__sandbox/reset      forgets everything
 *   GET    /__sandbox/openapi/freight.yaml, …/direct-print.yaml: the APIs as OpenAPI 3.1, with the addresses here
 *   any    /__sandbox/elsewhere  where the redirect fault leads; the books tell whether a key came along
 */
import { quoted } from "../base/parsed.ts"
import { FreightError } from "../base/errors.ts"
import { type Api, APIS, readOpenApi } from "../contract/index.ts"
import { BASE_PATHS } from "./base-paths.ts"
import { parseJsonBody } from "./call.ts"
import { consignmentNumber } from "./carriers.ts"
import { DEMO_CONSIGNMENTS, isDemo } from "./demo.ts"
import { type FaultSet, faultKinds } from "./faults.ts"
import { readShipmentEvent } from "./freight/shipments.ts"
import type { Entry } from "./journal.ts"
import { badRequest, json, notFound, Refusal, type Reply } from "./reply.ts"
import { buildOrderNumber, type PickupRecord, type ShipmentRecord } from "./state.ts"
import { connectorById, KEYS } from "./tenants.ts"
import { TRIGGERS } from "./triggers.ts"
import type { SandboxContext } from "./context.ts"

export const CONTROL_PATH = "/__sandbox"

export interface Controls {
  readonly sandbox: SandboxContext
  readonly faults: FaultSet
  /** Requests that this server has seen, by endpoint. */
  readonly requests: Map<string, number>
  /** Requests at the target of the redirect fault. */
  readonly elsewhere: { method: string; withKey: boolean }[]
  /** The clock's time, without the sandbox's offset. */
  clockNow(): number
  forget(): Promise<void>
}

interface ControlRequest {
  readonly method: string
  /** Path after `/__sandbox`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly text: string
  readonly withKey: boolean
  /** Where it was asked: `http://127.0.0.1:8080`. */
  readonly origin: string
}

/** Clients that are made from it reach this sandbox. */
function describeApi(api: Api, origin: string): Reply {
  const body = readOpenApi(api).replace(/^( +default: )http:\/\/.*$/m, `$1${origin}${BASE_PATHS[api]}`)
  return { status: 200, headers: { "content-type": "application/yaml; charset=utf-8" }, body }
}

export async function control(controls: Controls, request: ControlRequest): Promise<Reply> {
  try {
    controls.sandbox.catchUp()
    const described = request.method === "GET" && APIS.find((api) => request.path === `/openapi/${api}.yaml`)
    if (described) return describeApi(described, request.origin)
    return json(200, await handle(controls, request))
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    if (error instanceof FreightError) return badRequest(error.message).reply
    throw error
  }
}

async function handle(
  controls: Controls,
  { method, path, query, text, withKey }: ControlRequest,
): Promise<unknown> {
  const { sandbox, faults } = controls
  const body = (): Record<string, unknown> => Object(parseJsonBody(text))
  switch (`${method} ${path}`) {
    case "GET /":
      return { triggers: TRIGGERS, faults: faultKinds(), demoConsignments: DEMO_CONSIGNMENTS }
    case "GET /books":
      return buildBooks(controls, query.get("only") === "counts")
    case "GET /clock":
      return describeTime(sandbox)
    case "POST /clock":
      sandbox.record({ type: "clock", offsetMs: parseOffset(controls, body()) })
      return describeTime(sandbox)
    case "GET /faults":
      return { faults: faults.list() }
    case "POST /faults":
      faults.add(parseTextField(body(), "fault"))
      return { faults: faults.list() }
    case "DELETE /faults":
      faults.clear()
      return { faults: [] }
    case "POST /devices":
      return revoke(sandbox, "device", parseTextField(body(), "id"), body())
    case "POST /keys":
      return revoke(sandbox, "key", parseKeyName(body()), body())
    case "POST /connectors":
      return switchConnector(sandbox, body())
    case "POST /listing":
      return delayListing(sandbox, body())
    case "POST /reset":
      await controls.forget()
      sandbox.catchUp()
      return {}
  }
  if (path !== "/elsewhere") throw notFound(`There is no ${method} ${CONTROL_PATH}${path}`)
  controls.elsewhere.push({ method, withKey })
  return {}
}

function buildBooks({ sandbox, requests, elsewhere }: Controls, onlyCounts: boolean) {
  const { printJobs } = sandbox.state
  const made = <T extends { readonly entry: Entry }>(records: ReadonlyMap<string, T>) =>
    Array.from(records.values()).filter((record) => !isDemo(record))
  const shipments = made(sandbox.state.shipments)
  const pickups = made(sandbox.state.pickups)
  return {
    ...describeTime(sandbox),
    counts: { shipments: shipments.length, pickups: pickups.length, printJobs: printJobs.length },
    requests: Object.fromEntries(requests),
    elsewhere,
    ...(!onlyCounts && {
      shipments: shipments.map((record) => describeShipment(sandbox, record)),
      pickups: pickups.map(describePickup),
      printJobs,
    }),
  }
}

function describeShipment(sandbox: SandboxContext, record: ShipmentRecord) {
  const { id, tenantId, connectorId, carrier, number, createdAt, pickupStatus } = record
  const { request, rate } = readShipmentEvent(sandbox, record)
  return {
    id,
    tenantId,
    connectorId,
    carrier,
    consignmentNumber: consignmentNumber(carrier, number),
    orderNumber: buildOrderNumber(record, sandbox.now()),
    pickupStatus,
    createdAt: new Date(createdAt).toISOString(),
    rate,
    request,
  }
}

/** `outcome` is the truth at the carrier: all but FAILED are real pickups. */
function describePickup({ id, tenantId, connectorId, outcome, orderNumber }: PickupRecord) {
  return { id, tenantId, connectorId, outcome, orderNumber }
}

function describeTime(sandbox: SandboxContext) {
  return { now: new Date(sandbox.now()).toISOString() }
}

function parseOffset({ sandbox, clockNow }: Controls, { advanceMs, set }: Record<string, unknown>): number {
  if (typeof advanceMs === "number") return sandbox.state.clockOffsetMs + advanceMs
  const instant = typeof set === "string" ? Date.parse(set) : Number.NaN
  if (Number.isNaN(instant)) throw badRequest('Give {"advanceMs": 1000} or {"set": "2026-11-23T00:00:00Z"}')
  return instant - clockNow()
}

function revoke(
  sandbox: SandboxContext,
  what: "device" | "key",
  id: string,
  { revoked }: Record<string, unknown>,
) {
  if (typeof revoked !== "boolean") throw badRequest("revoked must be true or false")
  sandbox.record({ type: "revocation", what, id, revoked })
  return { id, revoked }
}

function switchConnector(sandbox: SandboxContext, body: Record<string, unknown>) {
  const id = parseTextField(body, "id")
  const { active } = body
  if (!connectorById(id)) throw badRequest(`There is no connector ${quoted(id)}`)
  if (typeof active !== "boolean") throw badRequest("active must be true or false")
  sandbox.record({ type: "revocation", what: "connector", id, revoked: !active })
  return { id, active }
}

function delayListing(sandbox: SandboxContext, { delayMs }: Record<string, unknown>) {
  if (typeof delayMs !== "number" || delayMs < 0) throw badRequest("delayMs must be a number from 0")
  sandbox.record({ type: "listing", delayMs })
  return { delayMs }
}

function parseKeyName(body: Record<string, unknown>): string {
  const name = parseTextField(body, "name")
  const names = Array.from(KEYS.values(), (key) => key.name)
  if (!names.includes(name))
    throw badRequest(`There is no key ${quoted(name)}: use one of ${names.join(", ")}`)
  return name
}

function parseTextField(body: Record<string, unknown>, name: string): string {
  const value = body[name]
  if (typeof value !== "string") throw badRequest(`${name} is missing`)
  return value
}
