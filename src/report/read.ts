/** What reports are made from: the ledger's bookings, where they are, and what was billed for them. */
import { groupBy } from "../base/grouping.ts"
import type { Database } from "../ledger/database/database.ts"
import { findBilled } from "../ledger/records/bills.ts"
import { type TrackedBooking, readBooked } from "../ledger/records/journeys.ts"
import type { Facts, GstBasis } from "../ledger/entry.ts"
import type { Store } from "../ledger/store.ts"

export interface Span {
  scopes: readonly string[] | undefined
  /** Milliseconds since the epoch: booked from then on, and before. */
  since: number
  until: number
}

/** A booking, and what the bills that were audited charge too much for it. */
export interface Reported extends TrackedBooking {
  /** In cents; undefined where no audited bill has it. */
  overbilledCents: number | undefined
}

/** Prices on different GST bases, or in different currencies, cannot be added up: both are empty where there is no price. */
export function toPriceBasis({ priceCents, currency = "AUD", gstBasis = "unknown" }: Facts): {
  currency: string
  gstBasis: GstBasis | ""
} {
  return priceCents === undefined ? { currency: "", gstBasis: "" } : { currency, gstBasis }
}

interface ReadOptions {
  content: "brief" | "request"
  /** Also what was billed. */
  withBills: boolean
}

/** Bookings in pages, newest first: a ledger of any size is read in constant memory. */
export async function* readReported(
  store: Pick<Store, "database">,
  { scopes, since, until }: Span,
  { content, withBills }: ReadOptions,
): AsyncGenerator<Reported[]> {
  const span = { scopes, since: new Date(since).toISOString(), until: new Date(until).toISOString(), content }
  const hasBills = withBills && (await hasAuditedBills(store.database))
  for await (const page of readBooked(store, span)) {
    const overbilled = hasBills ? await sumOverbilled(store.database, page) : new Map<string, number>()
    yield page.map((booked) => ({ ...booked, overbilledCents: overbilled.get(booked.entry.id) }))
  }
}

async function hasAuditedBills(database: Database): Promise<boolean> {
  return (await database.all("select id from bills limit 1")).length > 0
}

/** By the entry's id. */
async function sumOverbilled(
  database: Database,
  page: readonly TrackedBooking[],
): Promise<Map<string, number>> {
  const entries = page.map(({ entry }) => entry)
  const billed = await findBilled(
    database,
    entries.flatMap(({ facts }) => facts.consignmentNumber ?? []),
    entries.flatMap(({ facts }) => facts.shipmentId ?? []),
  )
  const charged = groupBy(billed, ({ shipmentId, consignment }) => shipmentId ?? consignment)
  return new Map(
    entries.flatMap(({ id, facts }): [string, number][] => {
      const found = [facts.shipmentId, facts.consignmentNumber].flatMap((key = "") => charged.get(key) ?? [])
      const cents = found.reduce((sum, { disputedCents }) => sum + Math.max(disputedCents, 0), 0)
      return found.length > 0 ? [[id, cents]] : []
    }),
  )
}
