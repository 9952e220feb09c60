/** Finds bookings that are not on any audited bill yet, for accruals at the end of a month. */
import { type FreightApi, readBack } from "../../api/index.ts"
import type { ShipmentSummary } from "../../contract/generated/types.ts"
import { counted, grouped } from "../../base/counted.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { findBookings, type GstBasis, type Store, unbilledPages } from "../../ledger/index.ts"
import {
  BASIS,
  BILL_CURRENCY,
  type Booking,
  CLOCK_SLACK_MS,
  findBilled,
  fromLedger,
  fromList,
  getChargedCents,
} from "../../bills/index.ts"
import { BRIEF, type Column } from "../../output/index.ts"

export interface AccrualRow extends Pick<Booking, "bookedAt" | "from"> {
  consignmentNumber: string | null
  reference: string | null
  shipmentId: string
  carrier: string | null
  serviceCode: string | null
  /** As quoted; null if no price is known. */
  amount: number | null
  gstBasis: GstBasis
  currency: string
  /** Null if there is none. */
  costCentre: string | null
}

interface Sources {
  store: Store
  scopes: readonly string[] | undefined
  /** Undefined if the API is not asked: cancelled shipments, and those booked elsewhere, are then unknown. */
  api: Pick<FreightApi, "listShipments"> | undefined
  /** Called with the progress. */
  onRead(read: AccrualsRead): Promise<void>
}

/** Milliseconds since the epoch. */
export interface AccrualSpan {
  /** Start of the booking times; undefined for everything in the ledger. */
  since: number | undefined
  /** The state at this time, ignoring later bookings and audits; undefined for now. */
  before: number | undefined
}

/** Progress: bookings of the ledger, billed or not, and shipments of the API's list. */
export interface AccrualsRead {
  rows: number
  listed: number
}

/**
 * Unbilled bookings by booking time, in pages, some of which are empty. Bookings that the receiver or a third party
 * pays, and cancelled ones, are left out. The API only knows what is cancelled now.
 */
export async function* accrualPages(sources: Sources, span: AccrualSpan): AsyncGenerator<AccrualRow[]> {
  const { cancelled, elsewhere } = await readListed(sources, span)
  let merged = 0
  for await (const bookings of unbilledBookings(sources, span)) {
    const page: Booking[] = []
    for (const booking of bookings) {
      if (cancelled.has(booking.shipmentId)) continue
      let other = elsewhere[merged]
      while (other && Date.parse(other.bookedAt) < Date.parse(booking.bookedAt)) {
        page.push(other)
        other = elsewhere[++merged]
      }
      page.push(booking)
    }
    yield page.map(toAccrualRow)
  }
  yield elsewhere.slice(merged).map(toAccrualRow)
}

/** The ledger's bookings that the sender pays, oldest first, in pages. */
async function* unbilledBookings(
  { store, scopes, onRead }: Sources,
  { since, before }: AccrualSpan,
): AsyncGenerator<Booking[]> {
  const from = since === undefined ? "" : new Date(since).toISOString()
  let rows = 0
  for await (const { read, unbilled } of unbilledPages(store.database, scopes, {
    since: from,
    before: toInstant(before),
  })) {
    rows += read
    if (read > 0) await onRead({ rows, listed: 0 })
    yield unbilled.map(fromLedger).filter(({ payer = "Sender" }) => payer === "Sender")
  }
}

const toInstant = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())

interface Listed {
  cancelled: ReadonlySet<string>
  /** By booking time: bookings that the ledger does not know and no bill has. */
  elsewhere: readonly Booking[]
}

/** Reads the API's list for the period with unbilled bookings in the ledger. */
async function readListed(sources: Sources, span: AccrualSpan): Promise<Listed> {
  const { since, before = Number.POSITIVE_INFINITY } = span
  const cancelled = new Set<string>()
  const elsewhere: Booking[] = []
  if (!sources.api) return { cancelled, elsewhere }
  const until = since ?? (await findOldest(sources, span)) - CLOCK_SLACK_MS
  let listed = 0
  for await (const page of readBack(sources.api, () => until)) {
    listed += page.length
    await sources.onRead({ rows: 0, listed })
    const recent = page.filter(({ createdAt }) => {
      const at = Date.parse(createdAt ?? "")
      return at >= until && at < before
    })
    const isCancelled = ({ status }: ShipmentSummary) => status === "CANCELLED"
    for (const { id } of recent.filter(isCancelled)) cancelled.add(id)
    elsewhere.push(
      ...(await listBookedElsewhere(
        sources,
        recent.filter((each) => !isCancelled(each)),
        toInstant(span.before),
      )),
    )
  }
  elsewhere.sort((one, other) => Date.parse(one.bookedAt) - Date.parse(other.bookedAt))
  return { cancelled, elsewhere }
}

/** Milliseconds since the epoch; infinity if the ledger has no unbilled booking. */
async function findOldest(sources: Sources, span: AccrualSpan): Promise<number> {
  for await (const [oldest] of unbilledBookings(sources, { ...span, since: undefined }))
    if (oldest) return Date.parse(oldest.bookedAt)
  return Number.POSITIVE_INFINITY
}

/** Listed shipments that the ledger does not know and no bill has. */
async function listBookedElsewhere(
  { store: { database }, scopes }: Sources,
  listed: readonly ShipmentSummary[],
  before: string | undefined,
): Promise<Booking[]> {
  const ids = listed.map(({ id }) => id)
  const numbers = listed.flatMap(({ consignmentNumber }) => consignmentNumber ?? [])
  const inLedger = await findBookings(database, scopes, "shipment_id", ids)
  const known = new Set(inLedger.map(({ shipmentId }) => shipmentId))
  const billed = await findBilled(database, numbers, ids, before)
  const isBilled = ({ id, consignmentNumber }: ShipmentSummary) =>
    billed
      .filter((each) => each.shipmentId === id || each.consignment === consignmentNumber)
      .reduce((cents, each) => cents + getChargedCents(each), 0) !== 0
  return listed.filter((shipment) => !known.has(shipment.id) && !isBilled(shipment)).map(fromList)
}

function toAccrualRow(booking: Booking): AccrualRow {
  const { bookedAt, consignment, reference, shipmentId, carrier, service, from, quote, costCentre } = booking
  return {
    bookedAt,
    consignmentNumber: consignment || null,
    reference: reference || null,
    shipmentId,
    carrier: carrier || null,
    serviceCode: service || null,
    amount: quote ? amountOf(quote.cents) : null,
    gstBasis: quote?.basis ?? "unknown",
    currency: quote?.currency ?? BILL_CURRENCY,
    from,
    costCentre: costCentre || null,
  }
}

export const ACCRUAL_COLUMNS: readonly Column<AccrualRow>[] = [
  {
    key: "bookedAt",
    title: "BOOKED",
    rank: 4,
    brief: BRIEF.time,
    gives: "nothing",
    show: ({ bookedAt }) => formatInstant(bookedAt),
  },
  {
    key: "consignment",
    title: "CONSIGNMENT",
    rank: 1,
    gives: "nothing",
    value: ({ consignmentNumber }) => consignmentNumber,
  },
  { key: "reference", title: "REFERENCE", rank: 3 },
  { key: "carrier", title: "CARRIER", rank: 5, brief: BRIEF.carrier },
  { key: "service", title: "SERVICE", rank: 6, value: ({ serviceCode }) => serviceCode },
  {
    key: "amount",
    title: "AMOUNT",
    rank: 2,
    align: "right",
    isMoney: true,
    show: ({ amount, currency }) => (amount === null ? "" : formatMoney(amount, currency)),
  },
  { key: "gst", title: "GST", rank: 7, value: ({ gstBasis }) => gstBasis },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "shipmentId", title: "SHIPMENT", hidden: true },
  { key: "from", title: "FOUND IN", hidden: true },
  { key: "costCentre", title: "COST CENTRE", hidden: true },
]

export interface AccrualTotals {
  consignments: number
  /** Bookings without a known price: the sums exclude them. */
  unpriced: number
  /** In Australian dollars, by the GST basis of the quotes; null if there is no quote on that basis. */
  amounts: Record<GstBasis, number | null>
  otherCurrencies: readonly { currency: string; gstBasis: GstBasis; amount: number }[]
}

export function createAccrualTotals(): { add(rows: readonly AccrualRow[]): void; get(): AccrualTotals } {
  const sums = new Map<string, { currency: string; gstBasis: GstBasis; cents: number }>()
  let [consignments, unpriced] = [0, 0]
  return {
    add(rows) {
      consignments += rows.length
      for (const { amount, currency, gstBasis } of rows) {
        if (amount === null) {
          unpriced++
          continue
        }
        const name = `${currency} ${gstBasis}`
        const sum = sums.get(name) ?? { currency, gstBasis, cents: 0 }
        sum.cents += Math.round(amount * 100)
        sums.set(name, sum)
      }
    },
    get() {
      const all = Array.from(sums.values(), ({ cents, ...sum }) => ({ ...sum, amount: amountOf(cents) }))
      const find = (basis: GstBasis) =>
        all.find(({ currency, gstBasis }) => currency === BILL_CURRENCY && gstBasis === basis)?.amount ?? null
      return {
        consignments,
        unpriced,
        amounts: {
          excluded: find("excluded"),
          included: find("included"),
          unknown: find("unknown"),
        },
        otherCurrencies: all.filter(({ currency }) => currency !== BILL_CURRENCY),
      }
    },
  }
}

export function formatAccrualsRead({ rows, listed }: AccrualsRead): string {
  return listed > 0
    ? `${grouped(listed)} shipments of the API's list are read`
    : `${grouped(rows)} bookings are read`
}

export interface AccrualsAsked {
  isOffline: boolean
  /** `yyyy-mm-dd`: the state at the end of that day; undefined for now. */
  day: string | undefined
}

/** One line for each total. */
export function describeAccruals(
  { consignments, unpriced, amounts, otherCurrencies }: AccrualTotals,
  { isOffline, day }: AccrualsAsked,
): string[] {
  const sums = [
    ...Object.entries(amounts).flatMap(([gstBasis, amount]) =>
      amount === null ? [] : [{ gstBasis, amount, currency: BILL_CURRENCY }],
    ),
    ...otherCurrencies,
  ].map(
    ({ gstBasis, amount, currency }) =>
      `${formatMoney(amount, currency)} ${BASIS[gstBasis as keyof typeof BASIS]}`,
  )
  return [
    `${counted(consignments, "consignment")} not yet billed${day === undefined ? "" : ` at the end of ${day}`}: ${sums.join(", ") || "no price known"}${unpriced > 0 ? `; ${unpriced} without a known price` : ""}.`,
    ...(day !== undefined && !isOffline
      ? ["Bookings cancelled since are left out: the API says only what is cancelled now."]
      : []),
    ...(isOffline ? ["Not checked (--offline): what was cancelled or booked elsewhere."] : []),
  ]
}
