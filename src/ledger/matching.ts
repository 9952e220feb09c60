/**
 * Finds the shipments in the API that an entry may have made: with its details, made at its time, and in no other
 * entry.
 */
import { createReach, type FreightApi, shipmentPages } from "../api/index.ts"
import type {
  ConsignmentBookingRequest,
  ShipmentDetail,
  ShipmentSummary,
} from "../contract/generated/types.ts"
import type { LedgerDeps } from "./create.ts"
import type { Entry } from "./entry.ts"
import {
  isMadeWithin,
  isOutcome,
  madeBetween,
  mayBeMadeBy,
  readDetail,
  same,
  toUnreadShipment,
  type Window,
} from "./possible.ts"

/** A clock that is wrong now may have been right or wrong when it was sent; nothing was sent later than now. */
export async function findWindow(
  { store, clock }: Pick<LedgerDeps, "store" | "clock">,
  { sentAt }: Entry,
  api: Pick<FreightApi, "clockOffset">,
): Promise<Window> {
  const offset = api.clockOffset() ?? 0
  const now = await store.now()
  // By the ledger's clock, which may differ from this machine's.
  const ahead = clock.now() + offset - now
  const sent = Date.parse(sentAt)
  return { from: Math.min(sent, sent + ahead, now + ahead), to: Math.max(sent, sent + ahead) }
}

export type MatchApi = Pick<FreightApi, "getShipment" | "clockOffset">

/**
 * The shipments that match an entry and belong to no other; if none, those that may match because their details cannot
 * be read.
 */
export async function findMatches(
  store: LedgerDeps["store"],
  entry: Entry,
  api: MatchApi,
  shipments: readonly ShipmentSummary[],
  window: Window,
): Promise<ShipmentDetail[]> {
  const request = entry.request as ConsignmentBookingRequest
  const matches: ShipmentDetail[] = []
  const unread: ShipmentDetail[] = []
  for (const each of shipments) {
    if (!isMadeWithin(each, window)) continue
    if (!mayBeMadeBy(each, request, entry.facts.carrier)) continue
    if (each.toSuburb && !same(each.toSuburb, request.receiver.suburb)) continue
    const owner = await store.ofShipment(undefined, each.id)
    if (owner && owner.id !== entry.id) continue
    const shipment = await readDetail(api, each)
    if (isOutcome(shipment, request)) matches.push(shipment)
    else if (shipment === each) unread.push(shipment)
  }
  return matches.length > 0 ? matches : unread
}

/** The shipment list back to a time, newest first; each page is read once, however many entries ask. */
export function readPages(api: () => Promise<FreightApi>): (until: number) => Promise<ShipmentSummary[]> {
  const read: ShipmentSummary[] = []
  let pages: AsyncGenerator<ShipmentSummary[]> | undefined
  const reachBack = createReach()
  let reach = Number.POSITIVE_INFINITY
  return async (until) => {
    pages ??= shipmentPages(await api(), (row) => read.push(toUnreadShipment(row)))
    while (reach >= until) {
      const { value: page, done } = await pages.next()
      if (done) break
      read.push(...page)
      for (const each of page) reach = reachBack(madeBetween(each)[1])
    }
    return read
  }
}
