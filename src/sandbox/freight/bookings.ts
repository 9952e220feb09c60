import { quoted } from "../../base/parsed.ts"
import type { BookingResponse, Carrier, ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import { type Call, findConnector, toErrorEntry, parseJsonBody } from "../call.ts"
import { CLAUSES, findPayerErrors, findTimeErrors, isQuoteTooOld } from "../clauses.ts"
import { consignmentNumber, itemBarcodes, orderNumber, findService } from "../carriers.ts"
import type { PickupOutcome, RecordedRate } from "../events.ts"
import { findLane } from "../pricing.ts"
import { findLaterCollection } from "../tracking.ts"
import { badRequest, CarrierRejection, CarrierUnavailable, json, type Reply } from "../reply.ts"
import { consignmentOf, type ShipmentRecord } from "../state.ts"
import type { Connector } from "../tenants.ts"
import { checkTriggers, readTriggers, type Trigger } from "../triggers.ts"
import { findErrors } from "../../contract/index.ts"
import { ConsignmentBookingRequest as validateBooking } from "../../contract/generated/requests.js"
import { findRate } from "./rates.ts"
import type { SandboxContext } from "../context.ts"

const MAX_ITEMS = 999
const MAX_WEIGHT_KG = 20_000

/** POST /{connectorId}/shipments */
export function createShipment(call: Call): Reply {
  const { sandbox, tenant, key } = call
  const connector = findConnector(call)
  const { id: connectorId, carrier } = connector
  const booking = readBooking(call, carrier)
  const triggers = readTriggers(call.text)
  const rate = findRecordedRate(sandbox, tenant.id, connector, booking)
  checkTriggers(carrier, triggers)
  checkAccepted(connector, booking, triggers)

  const id = sandbox.newId()
  const pickup = choosePickupOutcome(connector, triggers)
  const { collection, receiver } = booking
  const planted = call.plant({ connectorId, from: collection.postcode, to: receiver.postcode })
  sandbox.record({
    type: "shipment",
    id,
    at: sandbox.now(),
    tenantId: tenant.id,
    keyName: key.name,
    connectorId,
    carrier,
    request: booking,
    rate,
    ...(pickup && { autoPickup: { id: sandbox.newId(), outcome: pickup } }),
    ...(triggers.has("sandbox:cancelled") && { cancelled: true }),
    ...(triggers.has("sandbox:portal") && { source: "PORTAL" as const }),
    ...(triggers.has("sandbox:slow") && { slow: true }),
    ...(planted.length > 0 && { planted }),
  })
  if (triggers.has("sandbox:booked-502")) throw new CarrierUnavailable("The carrier did not answer in time")
  const record = sandbox.state.shipments.get(id)
  if (!record) throw new Error("the sandbox was reset while it booked")
  return json(201, buildResponse(record, booking, pickup, triggers))
}

function checkAccepted(
  { carrier, fallbackEmail }: Connector,
  booking: ConsignmentBookingRequest,
  triggers: ReadonlySet<Trigger>,
): void {
  const service = findService(carrier, booking.serviceCode)
  if (!service)
    throw new CarrierRejection("SERVICE_UNKNOWN", `There is no service ${quoted(booking.serviceCode)}`)
  if (booking.dangerousGoods && !service.dangerousGoods)
    throw new CarrierRejection("DANGEROUS_GOODS_REFUSED", `${service.description} takes no dangerous goods`)
  if (booking.items.count > MAX_ITEMS) throw new CarrierRejection("TOO_MANY_ITEMS", "Over 999 items")
  if (booking.items.totalWeightKg > MAX_WEIGHT_KG) throw new CarrierRejection("TOO_HEAVY", "Over 20,000 kg")
  findLane(carrier, booking.collection, booking.receiver)
  const fallback = triggers.has("sandbox:no-fallback-email") ? undefined : fallbackEmail
  if (CLAUSES[carrier].wantsCollectionEmail && !booking.collection.email && !fallback)
    throw badRequest("This carrier needs an email for the collection", [
      { field: "collection.email", message: "is missing, and the connector has no fallback address" },
    ])
}

/** Result of the connector's auto-book-pickup setting; undefined when it is off. */
function choosePickupOutcome(
  { autoPickup }: Connector,
  triggers: ReadonlySet<Trigger>,
): PickupOutcome | undefined {
  if (triggers.has("sandbox:auto-pickup-booked")) return "BOOKED"
  if (triggers.has("sandbox:auto-pickup-failed")) return "FAILED"
  if (triggers.has("sandbox:auto-pickup-unrecorded")) return "UNRECORDED"
  return autoPickup
}

const PICKUP_STATUS = { BOOKED: "BOOKED", FAILED: "FAILED", UNRECORDED: "RECONCILE_NEEDED" } as const

function buildResponse(
  record: ShipmentRecord,
  request: ConsignmentBookingRequest,
  pickup: PickupOutcome | undefined,
  triggers: ReadonlySet<Trigger>,
): BookingResponse {
  const { id, connectorId, carrier, number, createdAt } = record
  const { items } = request
  const barcodes = itemBarcodes(carrier, consignmentNumber(carrier, number), items.count)
  const warning = findWarning(record, pickup, triggers) ?? warnOfCutoff(record, request)
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

/** The carrier's note on a label if it does not collect on the requested day. */
function warnOfCutoff(
  { carrier, createdAt }: ShipmentRecord,
  { serviceCode, collection, collectionDateTime }: ConsignmentBookingRequest,
): string | undefined {
  const service = findService(carrier, serviceCode)
  const journey = service && { service, from: collection, bookedAt: createdAt, collectionDateTime }
  const day = journey && findLaterCollection(journey)
  return day === undefined ? undefined : `Too late for the day of its collection: it is collected on ${day}`
}

function findWarning(
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

/** The booking in the body: schema, payer rules and the carrier's collection window. */
function readBooking({ text }: Call, carrier: Carrier): ConsignmentBookingRequest {
  const value = parseJsonBody(text)
  const payer = findPayerErrors(Object(value).payer, carrier)
  // If a rule checks a field, with the contract's code, the schema error for it is dropped.
  const schema = findErrors(validateBooking, value).filter(
    ({ path }) => !payer.some(({ field }) => field === path),
  )
  const others =
    schema.length > 0 ? schema.map(toErrorEntry) : findTimeErrors(value as ConsignmentBookingRequest, carrier)
  const errors = [...others, ...payer]
  if (errors.length > 0) throw badRequest("The booking is not valid", errors)
  return value as ConsignmentBookingRequest
}

/**
 * The recorded price (Booking rules 1 to 5): the linked rate's own figures, or those of the caller. A `quoteId` alone
 * is ignored.
 */
function findRecordedRate(
  sandbox: SandboxContext,
  tenantId: string,
  connector: Connector,
  booking: ConsignmentBookingRequest,
) {
  const { rateId, quoteId, serviceCode } = booking
  if (rateId === undefined) return readReportedRate(booking, connector.carrier)
  const found = findRate(sandbox, rateId)
  if (!found || found.quote.tenantId !== tenantId)
    throw createLinkError("rateId", "is not a rate that you were offered")
  const { quote, rate } = found
  if (rate.connectorId !== connector.id) throw createLinkError("rateId", "belongs to another connector")
  if (rate.serviceCode !== serviceCode) throw createLinkError("rateId", `is for service ${rate.serviceCode}`)
  if (isQuoteTooOld(quote.at, sandbox.now()))
    throw createLinkError("rateId", "comes from a quote over 48 hours old")
  if (quoteId !== undefined && quoteId !== quote.quoteId)
    throw createLinkError("quoteId", "is not the quote of rateId")
  const { price, surcharges = {}, eta, transitDays } = rate
  return { source: "rate", price, surcharges, eta, transitDays } satisfies RecordedRate
}

function createLinkError(field: "rateId" | "quoteId", message: string) {
  return badRequest(`The booking cannot be linked to the rate: ${field} ${message}`, [{ field, message }])
}

function readReportedRate(booking: ConsignmentBookingRequest, carrier: Carrier): RecordedRate {
  const { quotedPriceExGstMinor, quotedGstMinor, quotedPriceIncGstMinor, quotedCurrency } = booking
  const gst = CLAUSES[carrier].tellsGst
  const price = {
    ...(quotedPriceExGstMinor !== undefined && { exGstMinor: quotedPriceExGstMinor }),
    ...(gst && quotedGstMinor !== undefined && { gstMinor: quotedGstMinor }),
    ...(gst && quotedPriceIncGstMinor !== undefined && { incGstMinor: quotedPriceIncGstMinor }),
    ...(quotedCurrency !== undefined && { currency: quotedCurrency }),
  }
  return {
    source: "reported",
    ...(Object.keys(price).length > 0 && { price }),
    ...(booking.committedEta !== undefined && { eta: booking.committedEta }),
    ...(booking.quotedTransitDays !== undefined && { transitDays: booking.quotedTransitDays }),
  }
}
