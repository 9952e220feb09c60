/** Audits a bill against bookings that a program passes in: no ledger, no API, and nothing is remembered. */
import { Buffer } from "node:buffer"
import { refuseUnknownOptions } from "../../base/options.ts"
import { jsonText } from "../../output/index.ts"
import { systemClock, systemIds } from "../../machine/index.ts"
import { shapeOf } from "../names.ts"
import { openBills } from "../open.ts"
import { hashLines } from "../growth.ts"
import { understandBills } from "../understand.ts"
import { doubtUnknown } from "../matching/doubt.ts"
import type { Booking } from "../matching/booking.ts"
import { type KnownShipment, matchBills } from "../matching/match.ts"
import type { Plain } from "../../base/json.ts"
import type { Carrier, ShipmentDetail, ShipmentSummary } from "../../contract/generated/types.ts"
import {
  type Audit,
  type AuditedBill,
  type AuditRow,
  checkAnything,
  judgeBills,
  listServices,
} from "./audit.ts"

/** A booking. A bill may name it by its ID, its consignment or order number, or your reference. */
export interface AuditBooking {
  /** Unique to this booking. */
  shipmentId: string
  carrier: Carrier
  serviceCode: string
  /** ISO 8601. */
  bookedAt: string
  consignmentNumber?: string
  orderNumber?: string
  reference?: string
  /** The service as its carrier calls it, where bills do. */
  serviceName?: string
  /** As quoted. Without it the price is not checked. */
  quote?: { amount: number; gstBasis: "included" | "excluded" | "unknown" }
  /** Total of its packages. Without it the weight is not checked. */
  weightKg?: number
  /** Volume as weight, at 250 kg a cubic metre. */
  cubicKg?: number
  /** Default: the sender. */
  payer?: "Sender" | "Receiver" | "ThirdParty"
  status?: ShipmentSummary["status"]
  hasPickup?: boolean
  /** Whether the carrier ever scanned it; omitted if unknown. */
  isCollected?: boolean
  dangerousGoods?: boolean
  /** Omitted if unknown. */
  residential?: boolean
}

export interface Evidence {
  bookings: readonly AuditBooking[]
  /** The services of carriers. Only these can be billed by mistake for each other. */
  services?: readonly { carrier: Carrier; serviceCode: string; description: string }[]
}

export interface AuditOptions {
  /** Allowed difference from the quote: the larger of the two. Default: 1 %, 0.50. */
  tolerance?: { percent?: number; amount?: number }
  /** `COLUMN=FIELD`, as for `--map`, for columns that are not clear. */
  map?: readonly string[]
  /** Milliseconds since the epoch. It completes dates without a year. Default: now. */
  now?: number
  /** Called with notes and warnings, such as how a column was read. */
  onNote?: (text: string) => void
}

/** A consignment of the bill, as in `freight audit --json`. */
export type AuditedConsignment = Plain<AuditRow>

export interface AuditResult {
  /** Worst first. */
  items: AuditedConsignment[]
  total: number
  nextOffset: null
  bills: Plain<AuditedBill>[]
  totals: Plain<Audit["totals"]>
}

const OPTIONS = ["tolerance", "map", "now", "onNote"]

const NO_BILLS = { all: async () => [], run: async () => 0, now: async () => 0 }

/** See `library.ts`. */
export async function auditBill(
  bill: string | Uint8Array,
  { bookings, services = [] }: Evidence,
  options: AuditOptions = {},
): Promise<AuditResult> {
  refuseUnknownOptions("auditBill", options, OPTIONS)
  const { tolerance = {}, map = [], now = systemClock.now(), onNote = () => {} } = options
  const { percent = 1, amount = 0.5 } = tolerance
  const tell = async (text: string) => onNote(text)
  const { signal } = new AbortController()
  const { bills, named } = await openBills([{ file: "-", stream: true }], {
    ...{ map, ignoreUnknown: false, nowMs: now, tell, warn: tell, stage: "auto", input: undefined },
    choices: { mayBeSeveral: true },
    signal,
    async *stdin() {
      yield typeof bill === "string" ? Buffer.from(bill) : bill
    },
  })
  const shipments = bookings.map(toKnown)
  const shapes = new Map<string, Set<string>>()
  for (const { carrier, consignmentNumber } of bookings)
    if (consignmentNumber)
      shapes.set(carrier, (shapes.get(carrier) ?? new Set()).add(shapeOf(consignmentNumber)))
  const isCollected = new Map(bookings.map((each) => [each.shipmentId, each.isCollected]))
  const matched = matchBills(named, { ledger: new Map(), listed: { shipments, shapes }, referred: shipments })
  const consignments = doubtUnknown(matched).map((one) => {
    const collected = one.match.is === "booked" ? isCollected.get(one.match.booking.shipmentId) : undefined
    return one.match.is !== "booked" || collected === undefined
      ? one
      : { ...one, match: { ...one.match, collected: collected ? ("yes" as const) : ("no" as const) } }
  })
  const offered = services.map(({ carrier, ...service }) => ({
    ...{ id: "", name: "", carrier, services: [service] },
  }))
  const hashes = hashLines(named)
  const evidence = understandBills(bills, consignments)
  for (const note of evidence) await tell(note)
  const prepared = {
    ...{
      bills,
      consignments,
      hashes,
      evidence,
      asked: undefined,
      ids: systemIds,
      links: [],
      isCorrected: false,
      signal,
    },
    services: listServices(offered, consignments),
    tolerance: { percent, cents: Math.round(amount * 100) },
  }
  checkAnything(prepared)
  const audit = await judgeBills(prepared, NO_BILLS)
  const { totals, bills: audited, rows } = audit
  // The lists of lines are built only when they are written.
  return JSON.parse(jsonText({ items: rows, total: rows.length, nextOffset: null, bills: audited, totals }))
}

function toKnown(booking: AuditBooking): KnownShipment<ShipmentDetail> {
  const {
    shipmentId,
    carrier,
    serviceCode,
    bookedAt,
    consignmentNumber,
    orderNumber = "",
    reference,
  } = booking
  const {
    status = "CONSIGNED",
    serviceName,
    quote,
    weightKg,
    cubicKg,
    payer,
    hasPickup,
    dangerousGoods,
    residential,
  } = booking
  const inLedger: Booking = {
    ...{ from: "ledger", shipmentId, carrier, service: serviceCode, bookedAt },
    ...{ consignment: consignmentNumber ?? "", reference: reference ?? "" },
    ...(quote && {
      quote: { cents: Math.round(quote.amount * 100), basis: quote.gstBasis, currency: "AUD" },
    }),
    ...(weightKg !== undefined && { grams: Math.round(weightKg * 1000) }),
    ...(cubicKg !== undefined && { cubicGrams: Math.round(cubicKg * 1000) }),
    ...(payer && { payer }),
    ...(hasPickup && { hasPickup }),
    ...(dangerousGoods && { dangerousGoods }),
    ...(residential !== undefined && { isToHome: residential }),
  }
  const shipment = {
    ...{ id: shipmentId, carrier, orderNumber, status, serviceCode, createdAt: bookedAt },
    ...{ consignmentNumber: consignmentNumber ?? null, customerReference: reference ?? null },
    ...(serviceName && { serviceDescription: serviceName }),
  }
  return { shipment: shipment as ShipmentDetail, inLedger }
}
