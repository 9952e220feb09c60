/** Which shipments in the API can be what an entry made: those with its details, made at its time, that no entry has. */
import { createReach, type FreightApi, shipmentPages } from "../api/index.ts"
import type {
  ConsignmentBookingRequest,
  ShipmentDetail,
  ShipmentSummary,
} from "../contract/generated/types.ts"
import type { LedgerDeps } from "./create.ts"
import type { Entry } from "./entry.ts"
import { isOutcome, mayBeMadeBy, parseCreatedAt, readDetail, same, toUnreadShipment } from "./possible.ts"

/** Clocks differ: a shipment may carry a time this much before the intent's. */
const CLOCK_SLACK_MS = 2 * 3_600_000
/** The contract does not say that `createdAt` names its zone. Without one it may be that of any place. */
const ANY_ZONE_MS = 14 * 3_600_000
/** How long after the intent a slow server may have made it. */
const LATEST_MS = 24 * 3_600_000

/** When the service can have got a request, by its own clock: milliseconds since the epoch. */
export interface Window {
  from: number
  to: number
}

/** A clock that is wrong now may have been wrong or right when it was sent; and nothing was sent later than now. */
export async function findWindow(
  { store, clock }: Pick<LedgerDeps, "store" | "clock">,
  { sentAt }: Entry,
  api: Pick<FreightApi, "clockOffset">,
): Promise<Window> {
  const offset = api.clockOffset() ?? 0
  const now = await store.now()
  // Of the ledger's clock, which need not be this machine's.
  const ahead = clock.now() + offset - now
  const sent = Date.parse(sentAt)
  return { from: Math.min(sent, sent + ahead, now + ahead), to: Math.max(sent, sent + ahead) }
}

export type MatchApi = Pick<FreightApi, "getShipment" | "clockOffset">

/** The shipments that match an entry and belong to no other; without one, those that may as their details cannot be read. */
export async function findMatches(
  store: LedgerDeps["store"],
  entry: Entry,
  api: MatchApi,
  shipments: readonly ShipmentSummary[],
  { from, to }: Window,
): Promise<ShipmentDetail[]> {
  const request = entry.request as ConsignmentBookingRequest
  const matches: ShipmentDetail[] = []
  const unread: ShipmentDetail[] = []
  for (const each of shipments) {
    const [earliest, latest] = madeBetween(each)
    if (latest < from || earliest > to + LATEST_MS) continue
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

/** The earliest and latest moment at which a shipment can have been made, by the clock of this machine. */
function madeBetween(shipment: ShipmentSummary): [earliest: number, latest: number] {
  const { at, hasZone } = parseCreatedAt(shipment)
  if (Number.isNaN(at)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const slack = CLOCK_SLACK_MS + (hasZone ? 0 : ANY_ZONE_MS)
  return [at - slack, at + slack]
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
