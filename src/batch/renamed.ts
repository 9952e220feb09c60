/** Orders that may have been booked before under another reference: `V-1` that a shop or a person renamed `V-1b`. */
import type { LedgerDeps } from "../ledger/create.ts"
import type { Entry } from "../ledger/entry.ts"
import { compareOrder, pickIdentity } from "../ledger/order.ts"
import type { GoodRow, Row } from "./rows/row.ts"
import { planRow } from "./result.ts"

export interface Renamed {
  row: number
  reference: string
  /** The booking of equal goods to the same receiver. */
  before: Entry
}

/** Bookings this old are not asked about: a weekly order has the same goods each week. */
const ASKED_FOR_MS = 4 * 86_400_000
const PAGE = 500

/**
 * Rows that would be booked, and are equal to a booking of the last days whose reference is not in the file any more.
 * @throws FreightError when the ledger cannot be read
 */
export async function findRenamed(
  ledger: LedgerDeps,
  rows: AsyncIterable<Row>,
  again: boolean,
): Promise<Renamed[]> {
  const references = new Set<string>()
  const fresh = new Map<string, GoodRow[]>()
  for await (const row of rows) {
    references.add(row.reference)
    if (row.booking === undefined || row.held) continue
    const { what } = await planRow(ledger, row, again)
    if (what === "send") fresh.set(placeOf(row.booking), [...(fresh.get(placeOf(row.booking)) ?? []), row])
  }
  if (fresh.size === 0) return []
  const found = new Map<number, Renamed>()
  const since = new Date((await ledger.store.now()) - ASKED_FOR_MS).toISOString()
  let page: readonly Entry[] | undefined
  while (page === undefined || page.length === PAGE) {
    const filter = { since, kind: "shipment", state: "done", scopes: [ledger.owner.scope] } as const
    page = await ledger.store.history({ ...filter, page: { after: page?.at(-1), size: PAGE } })
    for (const before of page) {
      const { request, facts } = before
      if (facts.reference === undefined || references.has(facts.reference)) continue
      for (const row of fresh.get(placeOf(Object(request))) ?? [])
        if (!found.has(row.row) && isEqual(before, row))
          found.set(row.row, { row: row.row, reference: row.reference, before })
    }
  }
  return [...found.values()].sort((one, other) => one.row - other.row)
}

function placeOf({ receiver }: Partial<GoodRow["booking"]>): string {
  return `${receiver?.postcode} ${receiver?.suburb}`.toLowerCase()
}

function isEqual(before: Entry, { booking }: GoodRow): boolean {
  const { customerReference: _, ...fields } = pickIdentity(booking).fields
  return compareOrder(before, { fields }).changed.length === 0
}
