/** What was booked and is on no bill that was audited: what a month's end has to put by. */
import type { FreightApi } from "../api/freight.ts"
import { BILL_CURRENCY } from "../contract/bills.ts"
import type { ShipmentSummary } from "../contract/generated/types.ts"
import { groupBy } from "../contract/grouping.ts"
import { amountOf, formatMoney } from "../contract/money.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import type { GstBasis } from "../ledger/entry.ts"
import { findBilled, findBookings, unbilledPages } from "../ledger/records/bills.ts"
import type { Store } from "../ledger/store.ts"
import { BRIEF, type Column } from "../terminal/columns.ts"
import { getAskedCents } from "./amounts.ts"
import { CLOCK_SLACK_MS, readBack } from "./ask.ts"
import { type Booking, fromLedger, fromList } from "./booking.ts"

export interface AccrualRow
  extends Pick<
    Booking,
    "bookedAt" | "consignment" | "reference" | "shipmentId" | "carrier" | "service" | "from"
  > {
  /** As quoted; null where no price is known. */
  amount: number | null
  gst: GstBasis
  currency: string
}

interface Sources {
  store: Store
  scopes: readonly string[] | undefined
  /** Undefined where nothing is asked: then cancelled shipments, and those booked elsewhere, are not known. */
  api: Pick<FreightApi, "listShipments"> | undefined
}

/**
 * Where the receiver or a third party pays, and what was cancelled, is left out.
 * @param since milliseconds since the epoch; undefined for all that the ledger has
 */
export async function listAccruals(sources: Sources, since: number | undefined): Promise<AccrualRow[]> {
  const { store, scopes, api } = sources
  const bookings: Booking[] = []
  const from = since === undefined ? "" : new Date(since).toISOString()
  for await (const entries of unbilledPages(store.database, scopes, from))
    bookings.push(...entries.map(fromLedger).filter(({ payer = "Sender" }) => payer === "Sender"))
  if (!api) return bookings.map(toRow)
  const oldest = (least: number, { bookedAt }: Booking) => Math.min(least, Date.parse(bookedAt))
  const until = since ?? bookings.reduce(oldest, Number.POSITIVE_INFINITY) - CLOCK_SLACK_MS
  const listed: ShipmentSummary[] = []
  for await (const page of readBack(api, () => until))
    listed.push(...page.filter(({ createdAt }) => Date.parse(createdAt) >= until))
  const isCancelled = ({ status }: ShipmentSummary) => status === "CANCELLED"
  const cancelled = new Set(listed.filter(isCancelled).map(({ id }) => id))
  const elsewhere = await listBookedElsewhere(
    sources,
    listed.filter((each) => !isCancelled(each)),
  )
  return [...bookings.filter(({ shipmentId }) => !cancelled.has(shipmentId)), ...elsewhere]
    .sort((one, other) => Date.parse(one.bookedAt) - Date.parse(other.bookedAt))
    .map(toRow)
}

/** Listed shipments that the ledger does not know and that no bill has. */
async function listBookedElsewhere(
  { store: { database }, scopes }: Sources,
  listed: readonly ShipmentSummary[],
): Promise<Booking[]> {
  const ids = listed.map(({ id }) => id)
  const numbers = listed.flatMap(({ consignmentNumber }) => consignmentNumber ?? [])
  const inLedger = await findBookings(database, scopes, "shipment_id", ids)
  const known = new Set(inLedger.map(({ shipmentId }) => shipmentId))
  const billed = await findBilled(database, numbers, ids)
  const isBilled = ({ id, consignmentNumber }: ShipmentSummary) =>
    billed
      .filter((each) => each.shipmentId === id || each.consignment === consignmentNumber)
      .reduce((cents, each) => cents + getAskedCents(each), 0) !== 0
  return listed.filter((shipment) => !known.has(shipment.id) && !isBilled(shipment)).map(fromList)
}

function toRow(booking: Booking): AccrualRow {
  const { bookedAt, consignment, reference, shipmentId, carrier, service, from, quote } = booking
  return {
    ...{ bookedAt, consignment, reference, shipmentId, carrier, service },
    amount: quote ? amountOf(quote.cents) : null,
    gst: quote?.basis ?? "unknown",
    currency: quote?.currency ?? BILL_CURRENCY,
    from,
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
  { key: "consignment", title: "CONSIGNMENT", rank: 1, gives: "nothing" },
  { key: "reference", title: "REFERENCE", rank: 3 },
  { key: "carrier", title: "CARRIER", rank: 5, brief: BRIEF.carrier },
  { key: "service", title: "SERVICE", rank: 6 },
  {
    key: "amount",
    title: "AMOUNT",
    rank: 2,
    align: "right",
    isMoney: true,
    show: ({ amount, currency }) => (amount === null ? "" : formatMoney(amount, currency)),
  },
  { key: "gst", title: "GST", rank: 7 },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "shipmentId", title: "SHIPMENT", hidden: true },
  { key: "from", title: "FOUND IN", hidden: true },
]

export interface AccrualTotals {
  consignments: number
  /** Those whose price is not known: they are not in the sums. */
  unpriced: number
  /** In Australian dollars, by what the quotes say of GST. */
  amounts: Partial<Record<GstBasis, number>>
  otherCurrencies: readonly { currency: string; gst: GstBasis; amount: number }[]
}

export function totalAccruals(rows: readonly AccrualRow[]): AccrualTotals {
  const priced = rows.filter(({ amount }) => amount !== null)
  const groups = groupBy(priced, ({ currency, gst }) => `${currency} ${gst}`)
  const sums = Array.from(groups.values(), (group) => {
    const [{ currency, gst }] = group as [AccrualRow]
    const cents = group.reduce((sum, { amount }) => sum + Math.round((amount ?? 0) * 100), 0)
    return { currency, gst, amount: amountOf(cents) }
  })
  const ofBills = sums.filter(({ currency }) => currency === BILL_CURRENCY)
  return {
    consignments: rows.length,
    unpriced: rows.length - priced.length,
    amounts: Object.fromEntries(ofBills.map(({ gst, amount }) => [gst, amount])),
    otherCurrencies: sums.filter(({ currency }) => currency !== BILL_CURRENCY),
  }
}
