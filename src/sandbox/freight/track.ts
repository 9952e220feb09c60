import type { Carrier, TrackingInfo, TrackingResponse } from "../../contract/generated/types.ts"
import { activeConnectors, type Call, parseCarrier } from "../call.ts"
import { isReady } from "../carriers.ts"
import { findDemoJourney } from "../demo.ts"
import { badRequest, json, notFound, type Reply } from "../reply.ts"
import { consignmentOf, type ShipmentRecord } from "../state.ts"
import { toJourney, buildTracking } from "../tracking.ts"
import type { World } from "../world.ts"
import { readShipmentEvent } from "./shipments.ts"

/**
 * GET /track. With `carrier`, only that one is asked; otherwise the tenant's shipments are searched, and if they do not
 * have it, every carrier is asked in turn (Behaviour 6).
 */
export function track(call: Call): Reply {
  const { world, query } = call
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
  if (shipment) return createTrackingReply(trackShipment(world, shipment))
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
  const { world } = call
  const shipment = findByConsignment(call, consignment)
  if (shipment) return shipment.carrier === carrier ? trackShipment(world, shipment) : null
  const journey = findDemoJourney(carrier, consignment, world.now())
  return journey ? buildTracking(journey, world.now(), world.seed) : null
}

/** The tenant's shipment with a number that is already issued. */
function findByConsignment({ world, tenant }: Call, consignment: string): ShipmentRecord | undefined {
  const record = world.state.byConsignment.get(consignment)
  return record?.tenantId === tenant.id && consignmentOf(record, world.now()) ? record : undefined
}

function trackShipment(world: World, record: ShipmentRecord): TrackingInfo | null {
  if (!isReady("tracking", record, world.now())) return null
  return buildTracking(toJourney(record, readShipmentEvent(world, record)), world.now(), world.seed)
}
