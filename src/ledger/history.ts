/** Reading the ledger: what was sent, filtered, and what it cost. */
import { amountOf } from "../contract/money.ts"
import type { Entry, Kind, State } from "./entry.ts"
import type { Store } from "./store.ts"

interface Filter {
  /** Milliseconds since the epoch. */
  since?: number
  kind?: Kind
  state?: State
  /** Found anywhere in key, reference, receiver, shipment, connector or service; case does not count. */
  search?: string
}

export interface HistoryRow {
  sentAt: string
  kind: Kind
  state: State
  /** The user's key, or nothing where the content is the key. */
  key: string
  about: string
  reference: string
  shipmentId: string
  connectorId: string
  carrier: string
  serviceCode: string
  /** As quoted, in whole units. */
  price: number | null
  currency: string
  note: string
  file: string
}

/** Entries that pass, newest first; `unreadable` names the files that are no entries. */
export async function readHistory(
  store: Store,
  filter: Filter,
): Promise<{ rows: HistoryRow[]; unreadable: string[] }> {
  const rows: HistoryRow[] = []
  const unreadable: string[] = []
  for await (const { entry, file } of store.all()) {
    if (!entry) unreadable.push(file)
    else if (passes(entry, filter)) rows.push(rowOf(entry, file))
  }
  rows.sort((a, b) => (a.sentAt < b.sentAt ? 1 : -1))
  return { rows, unreadable }
}

function passes(entry: Entry, { since, kind, state, search }: Filter): boolean {
  if (since !== undefined && Date.parse(entry.sentAt) < since) return false
  if (kind !== undefined && entry.kind !== kind) return false
  if (state !== undefined && entry.state !== state) return false
  if (search === undefined) return true
  const { about, reference, shipmentId, connectorId, carrier, serviceCode } = entry.facts
  const words = [entry.key, about, reference, shipmentId, connectorId, carrier, serviceCode, entry.note]
  const numbers = JSON.stringify(entry.response ?? "")
  return [...words, numbers].some((text) => text?.toLowerCase().includes(search.toLowerCase()))
}

function rowOf({ sentAt, kind, state, key, facts, note, error }: Entry, file: string): HistoryRow {
  return {
    sentAt,
    kind,
    state,
    key: key.startsWith("key:") ? key.slice("key:".length) : "",
    about: facts.about ?? "",
    reference: facts.reference ?? "",
    shipmentId: facts.shipmentId ?? "",
    connectorId: facts.connectorId ?? "",
    carrier: facts.carrier ?? "",
    serviceCode: facts.serviceCode ?? "",
    price: facts.priceCents === undefined ? null : amountOf(facts.priceCents),
    currency: facts.currency ?? "",
    note: note ?? error?.message ?? "",
    file,
  }
}

export const SPEND_BY = ["carrier", "service", "month"] as const
export type SpendBy = (typeof SPEND_BY)[number]

export interface SpendRow {
  group: string
  bookings: number
  /** Bookings whose price is not known to this machine: not in the total. */
  unpriced: number
  total: number
  currency: string
}

/** What was booked adds up to, in exact cents, by group and currency. */
export function spend(rows: readonly HistoryRow[], by: SpendBy): SpendRow[] {
  const groups = new Map<string, SpendRow & { cents: number }>()
  for (const row of rows) {
    if (row.kind !== "shipment" || row.state !== "done") continue
    const group = {
      carrier: row.carrier,
      service: `${row.carrier} ${row.serviceCode}`,
      month: row.sentAt.slice(0, 7),
    }[by]
    const currency = row.currency || "AUD"
    const sum = groups.get(`${group}\n${currency}`) ?? {
      group,
      bookings: 0,
      unpriced: 0,
      total: 0,
      currency,
      cents: 0,
    }
    sum.bookings++
    if (row.price === null) sum.unpriced++
    else sum.cents += Math.round(row.price * 100)
    groups.set(`${group}\n${currency}`, sum)
  }
  return [...groups.values()]
    .map(({ cents, ...row }) => ({ ...row, total: amountOf(cents) }))
    .sort((a, b) => (a.group < b.group ? -1 : 1))
}
