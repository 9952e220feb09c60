/** Collects everything about one shipment from the ledger, the API and its carrier, for a dispute or a claim. */
import type { FreightApi } from "../../api/index.ts"
import { carrierName, getCarrierFacts, toCarrier } from "../../carriers/index.ts"
import type {
  Carrier,
  PickupBookingDetail,
  ShipmentDetail,
  TrackingInfo,
} from "../../contract/generated/types.ts"
import { amountOf } from "../../base/money.ts"
import { FreightError, toStepError } from "../../base/errors.ts"
import {
  describeWaiting,
  type Entry,
  getCancellation,
  isWaitingFor,
  keyText,
  listBarcodes,
  type Store,
} from "../../ledger/index.ts"
import { findBilled, readDisputes } from "../../bills/index.ts"
import { readOwn } from "../../contract/index.ts"
import { type Finder, isPending } from "../../orders/index.ts"
import type { Quotes } from "../../machine/index.ts"

export interface Evidence {
  shipmentId: string
  consignmentNumber: string | null
  /** Item barcodes, if the carrier gave them. */
  barcodes: string[]
  quote: Awaited<ReturnType<typeof readQuote>> | null
  booking: ReturnType<typeof toBooking> | null
  /** The booking as it was sent. */
  request: unknown
  /** From the API. */
  shipment: ShipmentDetail | null
  label: { bytes: number } | null
  pickup: Pickup | null
  tracking: TrackingInfo | null
  /** Charges on audited bills, oldest first. An amount is null if the bill does not state it. */
  charges: Awaited<ReturnType<typeof readCharges>> | null
  /** Why a part is missing. */
  missing: Partial<Record<Part, string | undefined>>
}

export type Part =
  | "quote"
  | "booking"
  | "request"
  | "shipment"
  | "label"
  | "pickup"
  | "tracking"
  | "proof"
  | "charges"

interface Pickup {
  status: string
  /** The carrier's number. */
  orderNumber: string | null
  /** From the API; absent if it has none of its own. */
  detail?: PickupBookingDetail
  bookedAt?: string
  workstation?: string
  person?: string
}

export interface Sources {
  api: FreightApi
  finder: Finder
  quotes: Pick<Quotes, "find">
  /** Undefined if there is none, or it cannot be read. */
  ledger: { store: Store; scopes?: readonly string[] } | undefined
  ledgerError: string | undefined
}

interface Gathered {
  evidence: Evidence
  label: Uint8Array | undefined
}

/** @param name any of a shipment's names */
export async function gatherEvidence(sources: Sources, name: string): Promise<Gathered> {
  const { api, finder, ledger } = sources
  const found = await finder.find(name, async (id, thing) => {
    const shipment = await attempt(async () => (await api.getShipment(id)).shipment)
    if (!shipment.ok && (thing === undefined || shipment.error.kind === "notFound")) throw shipment.error
    return { id, shipment, scope: thing?.scope }
  })
  const { id, scope } = found
  const shipment = found.shipment.ok ? found.shipment.result : undefined
  const booked = await ledger?.store.ofShipment(scope, id)
  const consignment = shipment?.consignmentNumber ?? booked?.facts.consignmentNumber
  const [label, pickup, tracked] = await Promise.all([
    attempt(() => api.getLabel(id)),
    findPickup(sources, booked, id, shipment),
    attempt(() => trackConsignment(api, consignment)),
  ])
  const unbooked = sources.ledgerError ?? "it was not booked through this ledger"
  const quote = await readQuote(sources, booked)
  const charges = ledger ? await readCharges(ledger.store, consignment, id) : []
  const missing: Evidence["missing"] = {
    shipment: getReason(found.shipment),
    booking: booked ? undefined : unbooked,
    request: booked ? undefined : unbooked,
    quote: quote ? undefined : explainMissingQuote(booked, unbooked),
    label: getReason(label),
    pickup: pickup.missing,
    charges: charges.length > 0 ? undefined : (sources.ledgerError ?? "no audited bill charges for it"),
    tracking: getReason(tracked),
  }
  const tracking = tracked.ok ? tracked.result : null
  if (!tracking?.pod)
    missing.proof = missing.tracking ?? explainMissingProof(tracking, toCarrier(shipment?.carrier))
  return {
    evidence: {
      shipmentId: id,
      consignmentNumber: consignment ?? null,
      barcodes: listBarcodes(booked?.response),
      quote: quote ?? null,
      booking: booked ? toBooking(booked) : null,
      request: booked?.request ?? null,
      shipment: shipment ?? null,
      label: label.ok ? { bytes: label.result.byteLength } : null,
      pickup: pickup.found ?? null,
      tracking,
      charges: charges.length > 0 ? charges : null,
      missing,
    },
    label: label.ok ? label.result : undefined,
  }
}

type Attempt<T> = { ok: true; result: T } | { ok: false; error: FreightError }

/** A failed part does not hide the others. */
async function attempt<T>(call: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, result: await call() }
  } catch (error) {
    return { ok: false, error: toStepError(error) }
  }
}

/** Amounts as the rate or the booking states them. */
async function readQuote({ quotes }: Pick<Sources, "quotes">, booked: Entry | undefined) {
  const { priceCents, gstCents, priceIncGstCents, ...facts } = booked?.facts ?? {}
  if (priceCents === undefined) return undefined
  const { currency, gstBasis, eta, transitDays, rateId, quoteId } = facts
  const kept = rateId === undefined ? undefined : await quotes.find(rateId)
  return {
    price: amountOf(priceCents),
    gst: gstCents === undefined ? undefined : amountOf(gstCents),
    priceIncGst: priceIncGstCents === undefined ? undefined : amountOf(priceIncGstCents),
    currency,
    gstBasis,
    eta,
    transitDays,
    rateId,
    quoteId,
    // Absent if this machine did not request the rate itself, or forgot it.
    quotedAt: kept && new Date(kept.quotedAt).toISOString(),
  }
}

async function readCharges({ database }: Store, consignment: string | undefined, shipmentId: string) {
  const amount = (cents: number | null) => (cents === null ? null : amountOf(cents))
  const consignments = consignment === undefined ? [] : [consignment]
  const billed = await findBilled(database, consignments, [shipmentId])
  const { disputes } = await readDisputes(database, { consignments, shipmentIds: [shipmentId] })
  return billed
    .sort((a, b) => (a.auditedAt < b.auditedAt ? -1 : 1))
    .map(
      ({
        number,
        file,
        supplier,
        auditedAt,
        exGst,
        gst,
        incGst,
        unspecifiedGstCents,
        charges,
        verdict,
        disputedCents,
      }) => ({
        bill: number,
        supplier,
        auditedAt,
        exGst: amount(exGst),
        gst: amount(gst),
        incGst: amount(incGst),
        /** An amount whose GST basis the bill does not state. */
        unsaid: amount(unspecifiedGstCents),
        charges,
        verdict,
        disputed: amountOf(disputedCents),
        /** The reason for the dispute, with its position in the bill if that is a PDF. */
        why:
          disputes.find(
            (each) => each.supplier === supplier && each.billNumber === number && each.file === file,
          )?.why ?? null,
      }),
    )
}

/** The ledger's data on who booked it. */
function toBooking(entry: Entry) {
  const { sentAt, settledAt, sender, call, facts } = entry
  const { connectorId, orderNumber } = facts
  const own = facts.own ? readOwn(facts.own) : null
  const cancelled = getCancellation(entry) ?? null
  return { sentAt, settledAt, ...sender, key: keyText(entry), connectorId, orderNumber, call, own, cancelled }
}

function getReason(attempt: Attempt<unknown>): string | undefined {
  return attempt.ok ? undefined : attempt.error.message
}

async function trackConsignment(
  api: FreightApi,
  consignment: string | undefined,
): Promise<TrackingInfo | null> {
  if (consignment === undefined) throw new FreightError("notReady", "the carrier has given no number yet")
  const reply = await api.track({ consignment })
  if (!reply.supported) throw new FreightError("notFound", "this carrier has no tracking")
  if (isPending(reply)) throw new FreightError("notReady", "the carrier does not know it yet")
  return reply.tracking ?? null
}

function explainMissingQuote(booked: Entry | undefined, unbooked: string): string {
  return booked ? "it was booked without a price" : `${unbooked}; the API does not show prices`
}

function explainMissingProof(tracking: TrackingInfo | null, carrier: Carrier | undefined): string {
  if (!tracking?.deliveredAt) return "tracking does not show it as delivered"
  const isNeverGiven = carrier && getCarrierFacts(carrier)?.givesProofOfDelivery === false
  return isNeverGiven ? `${carrierName(carrier)} never gives one` : "the carrier gives none"
}

/** The ledger's pickup, as the API has it; or its status in the shipment. */
async function findPickup(
  { api, ledger }: Sources,
  booked: Entry | undefined,
  id: string,
  shipment: ShipmentDetail | undefined,
): Promise<{ found?: Pickup; missing?: string }> {
  const entry = booked && (await ledger?.store.pickupOf(booked.scope, id))
  if (entry && ledger) {
    const found = await readPickup(api, entry)
    const waits = await isWaitingFor(ledger.store.database, entry, id)
    return { found: waits ? { ...found, status: describeWaiting(entry) } : found }
  }
  const status = shipment?.pickupStatus
  if (status === undefined) return { missing: "it is not known whether one was booked" }
  if (status === "NOT_BOOKED") return { missing: "none was booked" }
  return { found: { status, orderNumber: null } }
}

async function readPickup(
  api: FreightApi,
  { state, facts, response, sentAt, sender }: Entry,
): Promise<Pickup> {
  const { pickupBookingId: pickupId, status } = Object(response) as Record<string, unknown>
  const known: Pickup = {
    status: state === "unknown" ? "unknown: see freight reconcile" : String(status ?? "BOOKED"),
    orderNumber: facts.reference ?? null,
    bookedAt: sentAt,
    ...sender,
  }
  if (typeof pickupId !== "string") return known
  const asked = await attempt(async () => (await api.getPickup(pickupId)).pickup)
  if (!asked.ok) return known
  const { result } = asked
  return {
    ...known,
    status: result.status ?? known.status,
    orderNumber: result.orderNumber ?? known.orderNumber,
    detail: result,
  }
}
