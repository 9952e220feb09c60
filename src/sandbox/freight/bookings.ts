import type { BookingResponse, ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import { type Call, connectorOf } from "../call.ts"
import { consignmentNumber, itemBarcodes, orderNumber } from "../carriers.ts"
import { serviceOf } from "../catalogue.ts"
import type { PickupOutcome } from "../events.ts"
import { laneOf } from "../lanes.ts"
import { CarrierRejection, CarrierUnavailable } from "../rejection.ts"
import { badRequest, json, type Reply } from "../reply.ts"
import { consignmentOf, type ShipmentRecord } from "../state.ts"
import type { Connector } from "../tenants.ts"
import { attend, type Trigger, triggersIn } from "../triggers.ts"
import { bookingOf, rateOf } from "./booking-request.ts"

const MOST_ITEMS = 999
const HEAVIEST_KG = 20_000

/** POST /{connectorId}/shipments */
export function createShipment(call: Call): Reply {
  const { world, tenant } = call
  const connector = connectorOf(call)
  const { id: connectorId, carrier } = connector
  const booking = bookingOf(call, carrier)
  const triggers = triggersIn(call.text)
  const rate = rateOf(world, tenant.id, connector, booking)
  attend(carrier, triggers)
  accept(connector, booking, triggers)

  const id = world.newId()
  const pickup = pickupWith(connector, triggers)
  world.record({
    type: "shipment",
    id,
    at: world.now(),
    tenantId: tenant.id,
    connectorId,
    carrier,
    request: booking,
    rate,
    ...(pickup && { autoPickup: { id: world.newId(), outcome: pickup } }),
    ...(triggers.has("sandbox:cancelled") && { cancelled: true }),
  })
  if (triggers.has("sandbox:booked-502")) throw new CarrierUnavailable("The carrier did not answer in time")
  const record = world.state.shipments.get(id)
  if (!record) throw new Error("the sandbox was reset while it booked")
  return json(201, responseOf(record, booking, pickup, triggers))
}

/** @throws CarrierRejection, Refusal 400 for what the carrier does not take. */
function accept(
  { carrier, fallbackEmail }: Connector,
  booking: ConsignmentBookingRequest,
  triggers: ReadonlySet<Trigger>,
): void {
  const service = serviceOf(carrier, booking.serviceCode)
  if (!service) throw new CarrierRejection("SERVICE_UNKNOWN", `There is no service '${booking.serviceCode}'`)
  if (booking.dangerousGoods && !service.dangerousGoods)
    throw new CarrierRejection("DANGEROUS_GOODS_REFUSED", `${service.description} takes no dangerous goods`)
  if (booking.items.count > MOST_ITEMS) throw new CarrierRejection("TOO_MANY_ITEMS", "Over 999 items")
  if (booking.items.totalWeightKg > HEAVIEST_KG) throw new CarrierRejection("TOO_HEAVY", "Over 20,000 kg")
  laneOf(carrier, booking.collection, booking.receiver)
  const fallback = triggers.has("sandbox:no-fallback-email") ? undefined : fallbackEmail
  if (carrier === "CARRIER_C_AU" && !booking.collection.email && !fallback)
    throw badRequest("Carrier C needs an email for the collection", [
      { field: "collection.email", message: "is missing, and the connector has no address to fall back to" },
    ])
}

/** What comes of the connector's auto-book-pickup setting; undefined when it is off. */
function pickupWith({ autoPickup }: Connector, triggers: ReadonlySet<Trigger>): PickupOutcome | undefined {
  if (triggers.has("sandbox:auto-pickup-booked")) return "BOOKED"
  if (triggers.has("sandbox:auto-pickup-failed")) return "FAILED"
  if (triggers.has("sandbox:auto-pickup-unrecorded")) return "UNRECORDED"
  return autoPickup
}

const PICKUP_STATUS = { BOOKED: "BOOKED", FAILED: "FAILED", UNRECORDED: "RECONCILE_NEEDED" } as const

function responseOf(
  record: ShipmentRecord,
  { items }: ConsignmentBookingRequest,
  pickup: PickupOutcome | undefined,
  triggers: ReadonlySet<Trigger>,
): BookingResponse {
  const { id, connectorId, carrier, number, createdAt } = record
  const barcodes = itemBarcodes(carrier, consignmentNumber(carrier, number), items.count)
  const warning = warningOf(record, pickup, triggers)
  return {
    orderNumber: orderNumber(carrier, number),
    consignmentNumber: consignmentOf(record, createdAt),
    ...(barcodes && { barcodes }),
    shipmentId: id,
    connectorId,
    pickupStatus: pickup ? PICKUP_STATUS[pickup] : "NOT_BOOKED",
    ...(warning !== undefined && { labelWarning: warning }),
  }
}

function warningOf(
  { unrecordedPickup }: ShipmentRecord,
  pickup: PickupOutcome | undefined,
  triggers: ReadonlySet<Trigger>,
): string | undefined {
  if (pickup === "UNRECORDED")
    return `The pickup was booked and could not be saved. Carrier reference: ${unrecordedPickup}`
  if (pickup === "FAILED") return "The pickup could not be booked; the shipment is booked"
  if (triggers.has("sandbox:label-warning")) return "The carrier corrected the receiver's suburb on the label"
  return undefined
}
