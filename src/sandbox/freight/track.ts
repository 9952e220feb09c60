import type { Carrier, TrackingInfo, TrackingResponse } from "../../contract/generated/types.ts"
import { activeConnectors, type Call, parseCarrier } from "../call.ts"
import { isReady } from "../carriers.ts"
import { findDemoJourney } from "../demo.ts"
import { badRequest, json, notFound, type Reply } from "../reply.ts"
import { consignmentOf, type ShipmentRecord } from "../state.ts"
import { toJourney, buildTracking } from "../tracking.ts"
import type { SandboxContext } from "../context.ts"
import { readShipmentEvent } from "./shipments.ts"

/**
 * GET /track. With `carrier`, only that one is asked; otherwise the tenant's shipments are searched, and if they do not
 * have it, every carrier is asked in turn (Behaviour 6).
 */
export function track(call: Call): Reply {
  const { sandbox, query } = call
  const consignment = query.get("consignment")
  if (!consignment)
    throw badRequest("consignment is missing", [{ field: "consignment", message: "is missing" }])
  const scope = parseCarrier(call)
  const carriers = new Set(activeConnectors(call).map(({ carrier }) => carrier))
  if (scope) {
    if (!carriers.has(scope)) throw notFound("No active connector for that carrier")
    return createTrackingReply(askCarrier(call, scope, consignment))
  }
  const shipment = findByConsignment(call, consignment)
  if (shipment) return createTrackingReply(trackShipment(sandbox, shipment))
  for (const carrier of carriers) {
    const tracking = askCarrier(call, carrier, consignment)
    if (tracking) return createTrackingReply(tracking)
  }
  throw notFound("Consignment not found")
}

function createTrackingReply(tracking: TrackingInfo | null): Reply {
  return json(200, { supported: true, tracking } satisfies TrackingResponse)
}

/** Consignments that the carrier itself has: the tenant's bookings with it, and the demonstration consignments. */
function askCarrier(call: Call, carrier: Carrier, consignment: string): TrackingInfo | null {
  const { sandbox } = call
  const shipment = findByConsignment(call, consignment)
  if (shipment) return shipment.carrier === carrier ? trackShipment(sandbox, shipment) : null
  const journey = findDemoJourney(carrier, consignment, sandbox.now())
  return journey ? buildTracking(journey, sandbox.now(), sandbox.seed) : null
}

/** The tenant's shipment with a number that is already issued. */
function findByConsignment({ sandbox, tenant }: Call, consignment: string): ShipmentRecord | undefined {
  const record = sandbox.state.byConsignment.get(consignment)
  return record?.tenantId === tenant.id && consignmentOf(record, sandbox.now()) ? record : undefined
}

function trackShipment(sandbox: SandboxContext, record: ShipmentRecord): TrackingInfo | null {
  if (!isReady("tracking", record, sandbox.now())) return null
  return buildTracking(toJourney(record, readShipmentEvent(sandbox, record)), sandbox.now(), sandbox.seed)
}
