/** What was booked and is on no bill that was audited: what a month's end has to put by. */
import type { FreightApi } from "../api/freight.ts"
import { shipmentPages } from "../api/freight.ts"
import { BILL_CURRENCY } from "../contract/bills.ts"
import type { ConsignmentBookingRequest, ShipmentSummary } from "../contract/generated/types.ts"
import { amountOf, centsOf, formatMoney } from "../contract/money.ts"
import { formatInstant } from "../contract/wall-clock.ts"
import { type BookedEntry, findBilled, findBookings, unbilledPages } from "../ledger/records/bills.ts"
import type { Store } from "../ledger/store.ts"
import { BRIEF, type Column } from "../terminal/columns.ts"

export interface AccrualRow {
  bookedAt: string
  consignment: string
  reference: string
  shipmentId: string
  carrier: string
  service: string
  /** As quoted; null where no price is known. */
  amount: number | null
  gst: "excluded" | "included" | "unknown"
  currency: string
  /** Where the receiver or a third party pays, and what was cancelled, is left out. */
  from: "ledger" | "api"
}

/** Clocks of service and ledger may differ. */
const SLACK_MS = 86_400_000

interface Sources {
  store: Store
  scopes: readonly string[] | undefined
  /** Undefined where nothing is asked: then cancelled shipments, and those booked elsewhere, are not known. */
  api: Pick<FreightApi, "listShipments" | "getShipment"> | undefined
}

/** @param since milliseconds since the epoch; undefined for all that the ledger has */
export async function listAccruals(
  { store, scopes, api }: Sources,
  since: number | undefined,
): Promise<AccrualRow[]> {
  const rows: AccrualRow[] = []
  const from = since === undefined ? "" : new Date(since).toISOString()
  for await (const entries of unbilledPages(store.database, scopes, from))
    rows.push(...entries.filter(isOurs).map(toRow))
  if (!api) return rows
  const until =
    since ??
    rows.reduce((least, { bookedAt }) => Math.min(least, Date.parse(bookedAt)), Number.POSITIVE_INFINITY) -
      SLACK_MS
  const listed = await readList(api, until)
  const cancelled = new Set(listed.filter(({ status }) => status === "CANCELLED").map(({ id }) => id))
  const elsewhere = await listBookedElsewhere(
    { store, scopes, api },
    listed.filter(({ id }) => !cancelled.has(id)),
  )
  const kept = rows.filter(({ shipmentId }) => !cancelled.has(shipmentId))
  return [...kept, ...elsewhere].sort((one, other) => Date.parse(one.bookedAt) - Date.parse(other.bookedAt))
}

async function readList(api: Pick<FreightApi, "listShipments">, until: number): Promise<ShipmentSummary[]> {
  const listed: ShipmentSummary[] = []
  if (until === Number.POSITIVE_INFINITY) return listed
  for await (const page of shipmentPages(api)) {
    listed.push(...page.filter(({ createdAt }) => Date.parse(createdAt) >= until))
    if (page.some(({ createdAt }) => Date.parse(createdAt) < until)) break
  }
  return listed
}

/** Listed shipments that the ledger does not know and that no bill has. */
async function listBookedElsewhere(
  { store, scopes }: Sources,
  listed: readonly ShipmentSummary[],
): Promise<AccrualRow[]> {
  const ids = listed.map(({ id }) => id)
  const known = new Set(
    (await findBookings(store.database, scopes, "shipment_id", ids)).map(({ shipmentId }) => shipmentId),
  )
  const billed = await findBilled(
    store.database,
    listed.flatMap(({ consignmentNumber }) => consignmentNumber ?? []),
    ids,
  )
  const isBilled = ({ id, consignmentNumber }: ShipmentSummary) =>
    billed
      .filter((each) => each.shipmentId === id || each.consignment === consignmentNumber)
      .reduce((cents, { exGst, incGst, unsaid }) => cents + (exGst ?? incGst ?? unsaid ?? 0), 0) !== 0
  return listed
    .filter((shipment) => !known.has(shipment.id) && !isBilled(shipment))
    .map(({ id, carrier, consignmentNumber, serviceCode, createdAt }) => ({
      bookedAt: createdAt,
      consignment: consignmentNumber ?? "",
      reference: "",
      shipmentId: id,
      carrier,
      service: serviceCode,
      amount: null,
      gst: "unknown",
      currency: BILL_CURRENCY,
      from: "api",
    }))
}

function isOurs({ request }: BookedEntry): boolean {
  const { payer } = Object(request) as Partial<ConsignmentBookingRequest>
  return payer === undefined || payer.type === "Sender"
}

function toRow({ sentAt, ...facts }: BookedEntry): AccrualRow {
  return {
    bookedAt: sentAt,
    consignment: facts.consignmentNumber ?? "",
    reference: facts.reference ?? "",
    shipmentId: facts.shipmentId ?? "",
    carrier: facts.carrier ?? "",
    service: facts.serviceCode ?? "",
    amount: facts.priceCents === undefined ? null : amountOf(facts.priceCents),
    gst: facts.gstBasis ?? "unknown",
    currency: facts.currency ?? BILL_CURRENCY,
    from: "ledger",
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
    show: ({ amount, currency }) => (amount === null ? "" : formatMoney(amount, currency)),
  },
  { key: "gst", title: "GST", rank: 7 },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "shipmentId", title: "SHIPMENT", hidden: true },
  { key: "from", title: "FOUND IN", hidden: true },
]

interface Sum {
  currency: string
  gst: AccrualRow["gst"]
  amount: number
}

export interface AccrualTotals {
  consignments: number
  /** Those whose price is not known: they are not in the sums. */
  unpriced: number
  /** In Australian dollars, by what the quotes say of GST. */
  amounts: Partial<Record<AccrualRow["gst"], number>>
  otherCurrencies: readonly Sum[]
}

export function totalAccruals(rows: readonly AccrualRow[]): AccrualTotals {
  const sums: Sum[] = []
  for (const { amount, gst, currency } of rows) {
    if (amount === null) continue
    const sum = sums.find((each) => each.gst === gst && each.currency === currency)
    if (sum) sum.amount = amountOf(centsOf(sum.amount) + centsOf(amount))
    else sums.push({ currency, gst, amount })
  }
  const isOfBills = ({ currency }: Sum) => currency === BILL_CURRENCY
  return {
    consignments: rows.length,
    unpriced: rows.filter(({ amount }) => amount === null).length,
    amounts: Object.fromEntries(sums.filter(isOfBills).map(({ gst, amount }) => [gst, amount])),
    otherCurrencies: sums.filter((sum) => !isOfBills(sum)),
  }
}
