import { quoted } from "../../base/parsed.ts"
import { PickupBookingRequest as validatePickup } from "../../contract/generated/requests.js"
import type {
  PickupBookingDetail,
  PickupBookingDetailResponse,
  PickupBookingRequest,
  PickupBookingResponse,
  PickupServerError,
} from "../../contract/generated/types.ts"
import { parseBody, type Call, findConnector, findShipment } from "../call.ts"
import { CLAUSES } from "../clauses.ts"
import { findService } from "../carriers.ts"
import type { PickupEvent, ShipmentEvent } from "../events.ts"
import { badRequest, json, notFound, type Reply } from "../reply.ts"
import type { PickupRecord } from "../state.ts"
import type { Connector } from "../tenants.ts"
import { checkTriggers, type Trigger, readTriggers } from "../triggers.ts"
import type { SandboxContext } from "../context.ts"
import { readShipmentEvent } from "./shipments.ts"

/** POST /{connectorId}/pickups: for a shipment, or standalone. A refusal by the carrier is a 201 too (`status`). */
export function createPickup(call: Call): Reply {
  const { sandbox, tenant } = call
  const connector = findConnector(call)
  const { id: connectorId, carrier } = connector
  const request = parseBody(call, validatePickup)
  const shipment = findPickupShipment(call, connector, request)
  if (!shipment && !request.serviceCode && CLAUSES[carrier].pickupNeedsService)
    throw badRequest("The request is not valid", [
      { field: "serviceCode", message: "is missing: this carrier needs it to book a pickup" },
    ])
  const triggers = readTriggers(call.text + (shipment ? JSON.stringify(shipment.request) : ""))
  checkTriggers(carrier, triggers)

  const id = sandbox.newId()
  const at = sandbox.now()
  const event: PickupEvent = {
    type: "pickup",
    id,
    at,
    tenantId: tenant.id,
    connectorId,
    carrier,
    request,
    ...decideOutcome(connector, request, shipment, triggers),
  }
  sandbox.record(event)
  const record = sandbox.state.pickups.get(id)
  if (!record) throw new Error("the sandbox was reset while it booked")
  return record.outcome === "UNRECORDED"
    ? createUnrecordedReply(record, triggers)
    : json(201, buildResponse(record, record.outcome))
}

function findPickupShipment(
  call: Call,
  { id }: Connector,
  { shipmentId }: PickupBookingRequest,
): ShipmentEvent | undefined {
  if (shipmentId === undefined) return undefined
  const record = findShipment(call, shipmentId)
  const wrong = (message: string) =>
    badRequest("The request is not valid", [{ field: "shipmentId", message }])
  if (!record) throw wrong("is not a shipment of yours")
  if (record.connectorId !== id) throw wrong("was booked on another connector")
  return readShipmentEvent(call.sandbox, record)
}

function decideOutcome(
  { carrier }: Connector,
  { serviceCode }: PickupBookingRequest,
  shipment: ShipmentEvent | undefined,
  triggers: ReadonlySet<Trigger>,
): Pick<PickupEvent, "outcome" | "error"> {
  const isKnown = !CLAUSES[carrier].pickupNeedsService || shipment || findService(carrier, serviceCode ?? "")
  if (!isKnown)
    return {
      outcome: "FAILED",
      error: { code: "SERVICE_UNKNOWN", message: `There is no service ${quoted(serviceCode ?? "")}` },
    }
  if (triggers.has("sandbox:pickup-failed")) return { outcome: "FAILED", error: NO_VEHICLE }
  const isLost = triggers.has("sandbox:pickup-500") || triggers.has("sandbox:pickup-500-empty")
  return { outcome: isLost ? "UNRECORDED" : "BOOKED" }
}

const NO_VEHICLE = { code: "PICKUP_REFUSED", message: "The carrier has no vehicle for that time" }

/** The pickup exists at the carrier, and the service has no record of it: must not be sent again. */
function createUnrecordedReply({ orderNumber }: PickupRecord, triggers: ReadonlySet<Trigger>): Reply {
  if (triggers.has("sandbox:pickup-500-empty") || orderNumber === null) return json(500, {})
  const message = "The carrier accepted the pickup, but it could not be recorded"
  return json(500, { message, orderNumber } satisfies PickupServerError)
}

function buildResponse(
  { id, orderNumber, connectorId }: PickupRecord,
  status: "BOOKED" | "FAILED",
): PickupBookingResponse {
  return { pickupBookingId: id, orderNumber, status, connectorId }
}

/** GET /pickups/{id} */
export function showPickup({ sandbox, tenant, id }: Call): Reply {
  const record = sandbox.state.pickups.get(id)
  if (!record || record.tenantId !== tenant.id || record.outcome === "UNRECORDED")
    throw notFound("Pickup not found")
  return json(200, {
    pickup: buildDetail(sandbox, record, record.outcome),
  } satisfies PickupBookingDetailResponse)
}

function buildDetail(
  sandbox: SandboxContext,
  record: PickupRecord,
  status: "BOOKED" | "FAILED",
): PickupBookingDetail {
  const { id, tenantId, connectorId, carrier, createdAt, orderNumber } = record
  const { error, ...booked } = findBooked(sandbox, record)
  const failed = status === "FAILED"
  return {
    id,
    tenantId,
    connectorId,
    carrier,
    status,
    orderNumber,
    ...booked,
    lastErrorCode: failed ? (error ?? NO_VEHICLE).code : null,
    lastErrorMessage: failed ? (error ?? NO_VEHICLE).message : null,
    source: "API",
    createdByUserId: null,
    createdAt: new Date(createdAt).toISOString(),
  }
}

type CollectedGoods = Pick<
  PickupBookingDetail,
  "shipmentId" | "pickupDate" | "readyTime" | "closeTime" | "serviceCode" | "collection" | "items"
> & { error?: PickupEvent["error"] }

/** The collected goods: as requested, or the shipment's; everything is the shipment's if it was booked with it. */
function findBooked(sandbox: SandboxContext, record: PickupRecord): CollectedGoods {
  const event = sandbox.recall(record.entry)
  if (event.type === "shipment") {
    const { collectionDateTime, collectionCloseTime, serviceCode, collection, items } = event.request
    const [pickupDate = "", readyTime = ""] = collectionDateTime.split("T")
    return {
      shipmentId: event.id,
      pickupDate,
      readyTime,
      closeTime: collectionCloseTime,
      serviceCode,
      collection,
      items,
    }
  }
  if (event.type !== "pickup") throw new Error("the journal has changed under the sandbox")
  const { shipmentId = null, pickupDate, readyTime, closeTime, serviceCode } = event.request
  const shipment = sandbox.state.shipments.get(shipmentId ?? "")
  const source = shipment ? readShipmentEvent(sandbox, shipment).request : event.request
  return {
    shipmentId,
    pickupDate,
    readyTime,
    closeTime,
    serviceCode: serviceCode ?? source.serviceCode ?? null,
    ...(source.collection && { collection: source.collection }),
    ...(source.items && { items: source.items }),
    ...(event.error && { error: event.error }),
  }
}
