import type {
  Carrier,
  Payer,
  ShipmentDetailResponse,
  ShipmentListResponse,
  ShipmentSummary,
} from "../../contract/generated/types.ts"
import { type Call, findShipment, hasAppeared, isOpenTo } from "../call.ts"
import { bookingReference, consignmentNumber, isReady, orderNumber, findService } from "../carriers.ts"
import type { ShipmentEvent } from "../events.ts"
import { badRequest, json, notFound, notFoundAs, pdf, type Reply } from "../reply.ts"
import { consignmentOf, buildOrderNumber, type ShipmentRecord } from "../state.ts"
import { connectorById } from "../tenants.ts"
import type { SandboxContext } from "../context.ts"
import { CLAUSES } from "../clauses.ts"

const MAX_PAGE = 200
const USUAL = 50

/** GET /shipments: newest first. */
export function listShipments(call: Call): Reply {
  const { sandbox, query } = call
  const limit = parseWholeNumber(query, "limit", USUAL, 1, MAX_PAGE)
  const offset = parseWholeNumber(query, "offset", 0, 0, Number.MAX_SAFE_INTEGER)
  const all = findVisible(call)
  const end = Math.max(all.length - offset, 0)
  const page = all.slice(Math.max(end - limit, 0), end).reverse()
  const shipments = page.map((record) => buildSummary(sandbox, record, readShipmentEvent(sandbox, record)))
  return json(200, { total: all.length, limit, offset, shipments } satisfies ShipmentListResponse)
}

function findVisible({ sandbox, tenant, key }: Call): readonly ShipmentRecord[] {
  const all = sandbox.state.byTenant.get(tenant.id) ?? []
  const areAllVisible = !key.limited && sandbox.state.listingDelayMs === 0
  return areAllVisible ? all : all.filter((record) => isOpenTo(key, record) && hasAppeared(sandbox, record))
}

function parseWholeNumber(
  query: URLSearchParams,
  field: string,
  usual: number,
  least: number,
  most: number,
): number {
  const text = query.get(field)
  if (text === null) return usual
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const message =
    most === MAX_PAGE ? `must be a whole number from ${least} to ${most}` : "must be a whole number from 0"
  throw badRequest(`${field} ${message}`, [{ field, message }])
}

/** GET /shipments/{id} */
export function showShipment(call: Call): Reply {
  const record = findShipment(call, call.id)
  if (!record || !hasAppeared(call.sandbox, record)) throw notFound("Shipment not found")
  const event = readShipmentEvent(call.sandbox, record)
  const { payer, ...booking } = event.request
  return json(200, {
    shipment: {
      ...buildSummary(call.sandbox, record, event),
      payer: payer.type,
      payerAccountNumber: findBilledAccount(payer, record.carrier),
      payerSubAccount: CLAUSES[record.carrier].hasBusinessUnits ? (payer.subAccount ?? null) : null,
      sender: booking.sender,
      collection: booking.collection,
      receiver: booking.receiver,
      items: booking.items,
      dangerousGoods: booking.dangerousGoods,
      carrierBookingRef: bookingReference(record.carrier, booking.businessUnit, record.number),
      collectionDateTime: booking.collectionDateTime,
      collectionCloseTime: booking.collectionCloseTime,
      customerReference: booking.customerReference ?? null,
      specialInstructions: booking.specialInstructions ?? null,
    },
  } satisfies ShipmentDetailResponse)
}

function findBilledAccount({ type, accountNumber }: Payer, carrier: Carrier): string | null {
  return type !== "Sender" || CLAUSES[carrier].billsAnyAccount ? (accountNumber ?? null) : null
}

export function readShipmentEvent(sandbox: SandboxContext, { entry }: ShipmentRecord): ShipmentEvent {
  const event = sandbox.recall(entry)
  if (event.type !== "shipment") throw new Error("the journal has changed under the sandbox")
  return event
}

function buildSummary(
  sandbox: SandboxContext,
  record: ShipmentRecord,
  { request, cancelled, source }: ShipmentEvent,
): ShipmentSummary {
  const { id, connectorId, carrier, createdAt, pickupStatus } = record
  const now = sandbox.now()
  return {
    id,
    carrier,
    connectorName: connectorById(connectorId)?.name ?? connectorId,
    orderNumber: buildOrderNumber(record, now),
    consignmentNumber: consignmentOf(record, now),
    status: cancelled ? "CANCELLED" : "CONSIGNED",
    pickupStatus,
    serviceCode: request.serviceCode,
    serviceDescription: findService(carrier, request.serviceCode)?.description ?? null,
    source: source ?? "API",
    fromSuburb: request.collection.suburb,
    toSuburb: request.receiver.suburb,
    createdAt: new Date(createdAt).toISOString(),
  }
}

/** GET /shipments/{id}/label */
export async function showLabel(call: Call): Promise<Reply> {
  const record = findShipment(call, call.id)
  if (!record) throw notFound("Shipment not found")
  return pdf(await getLabelPdf(call.sandbox, record))
}

export async function getLabelPdf(sandbox: SandboxContext, record: ShipmentRecord): Promise<Uint8Array> {
  const { carrier, number } = record
  if (!isReady("label", record, sandbox.now()))
    throw notFoundAs("LABEL_NOT_AVAILABLE", "The label is not available yet")
  const { request } = readShipmentEvent(sandbox, record)
  const { renderLabel } = await import("../label-pdf.ts")
  return renderLabel({
    ...request,
    carrier,
    serviceDescription: findService(carrier, request.serviceCode)?.description ?? request.serviceCode,
    consignmentNumber: consignmentNumber(carrier, number),
    orderNumber: orderNumber(carrier, number),
    collectionDate: request.collectionDateTime.slice(0, "yyyy-MM-dd".length),
  })
}
