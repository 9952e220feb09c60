/**
 * Reads shipments that were booked elsewhere from the API: from the newest back to those at which the last look began.
 * Other programs may write any dates into their shipments: only the first look goes by dates, where neighbours agree.
 */
import { createReach, type FreightApi, NEIGHBOURS, shipmentPages, workThrough } from "../api/index.ts"
import type { ShipmentSummary } from "../contract/generated/types.ts"
import { FreightError } from "../base/errors.ts"
import { type Compared, findCompared } from "./accounts/account.ts"
import { readKeys } from "./accounts/keys.ts"
import { seesOnlyOwn } from "./accounts/relation.ts"
import type { LedgerDeps } from "./create.ts"
import { describeColumns } from "./database/columns.ts"
import type { Database, Transaction } from "./database/database.ts"
import { inParts, insertRows, placeholders, replacing, withinScopes } from "./database/sql.ts"
import { type ElsewhereRow, keepElsewhere, toElsewhereRow } from "./elsewhere.ts"
import { parseCreatedAt, readDetail, toUnreadShipment } from "./possible.ts"
import { type Settled, settleListed } from "./reconcile.ts"

/** How far a key has read the list: a key that sees less must not move another key's position. */
export interface ElsewhereMark {
  /** Fingerprint and address. */
  keyId: string
  /** JSON: ids of the shipments at which the last look that was completed began. Earlier versions kept a time. */
  readTo: string
  /** ISO 8601 in UTC. */
  lookedAt: string
  /** Its key is shown its own shipments only. */
  isLimited: boolean
  /** When a person was told of shipments booked elsewhere, and of such a key. */
  strangersToldAt?: string
  limitToldAt?: string
}

export const ELSEWHERE_MARKS = describeColumns<ElsewhereMark>({
  keyId: "text not null",
  readTo: "text not null",
  lookedAt: "text not null",
  isLimited: "flag not null",
  strangersToldAt: "text",
  limitToldAt: "text",
})

export interface Look {
  /** Requests for a page of the list. */
  pages: number
  /** Shipments that the ledger had not known. */
  unknown: number
  /** Unknown shipments whose dates contradict the order of the list, or are ahead of the service's time. */
  contradicting: Dated[]
  settled: Settled[]
  mark: ElsewhereMark
}

interface Dated {
  id: string
  createdAt?: string | undefined
}

/** How far back the first look reads (ms): orders are not repeated later than that. */
export const FIRST_LOOK_MS = 14 * 86_400_000
/** The list may show a shipment this much later than one that was made after it. */
const LATE_MS = 15 * 60_000

type LookApi = Pick<FreightApi, "listShipments" | "getShipment" | "clockOffset">

/** Shipments kept from the start of a look; the next look stops once it has met most of them. */
const MAX_MARKED = 10

/**
 * Reads the list back to the mark, and each unknown shipment once. Rows are kept page by page; the mark moves only when
 * everything down to the old mark is kept. A known shipment does not end a look: a look that was killed may have
 * written it.
 * @param how requests at once, and whether it settles the open bookings of which it has read the one match
 * @param onRead called with how many shipments were read so far, and since when
 * @throws FreightError as the API and the ledger do
 */
export async function lookForElsewhere(
  { store, owner, clock, signal }: Pick<LedgerDeps, "store" | "owner" | "clock" | "signal">,
  api: LookApi,
  { atOnce, settles }: { atOnce: number; settles: boolean },
  onRead: (read: number, since: number) => Promise<void>,
): Promise<Look> {
  const { database } = store
  const compared = await findCompared(database, owner)
  const { scope } = compared
  const before = await readMark(database, owner.id)
  const marked = parseMarked(before)
  const lookedAt = before && Date.parse(before.lookedAt)
  const listed: ListedAt[] = []
  /** Listed, but not readable yet: the next look reads them. */
  const missing = new Set<string>()
  const unknown = new Set<string>()
  let read = 0
  let now: number | undefined
  let findEnd: ReturnType<typeof createEnd> | undefined
  const unreadRows: ShipmentSummary[] = []
  for await (const readable of shipmentPages(api, (row) => unreadRows.push(toUnreadShipment(row)))) {
    const page = [...readable, ...unreadRows.splice(0)]
    // The first reply tells how far the clocks are apart.
    now ??= findServiceTime(clock.now(), api)
    findEnd ??= createEnd(marked, Math.min(now, lookedAt ?? now) - FIRST_LOOK_MS)
    const since = lookedAt ?? now - FIRST_LOOK_MS
    const rows = page.map((shipment) => ({ ...shipment, at: parseCreatedAt(shipment).at }))
    for (const { id, createdAt, at } of rows) listed.push({ id, createdAt, at })
    const end = findEnd(rows) ?? rows.length
    const oldest = now - FIRST_LOOK_MS
    // Below the end, only the rows of the page that are listed late.
    const fresh = rows.filter(({ at }, n) => n < end || !(at < oldest))
    const { cancelled, strange } = await sortPage(database, compared, fresh)
    const found: ElsewhereRow[] = []
    await workThrough(strange, atOnce, async ({ at: _, ...shipment }) => {
      signal.throwIfAborted()
      const detail = await readShipment(api, shipment)
      if (detail) found.push(toElsewhereRow(scope, detail))
      else missing.add(shipment.id)
      await onRead(++read, since)
    })
    for (const { shipmentId } of found) unknown.add(shipmentId)
    if (found.length + cancelled.length > 0)
      await database.transaction(async (transaction) => {
        await keepElsewhere(transaction, found)
        await cancelAll(transaction, scope, cancelled)
      })
    if (end < rows.length) break
  }
  now ??= findServiceTime(clock.now(), api)
  const mark: ElsewhereMark = {
    ...before,
    keyId: owner.id,
    readTo: JSON.stringify(chooseMarked(listed, missing, now)),
    lookedAt: new Date(clock.now()).toISOString(),
    isLimited: await isLimited(database, owner, listed, {
      from: lookedAt ?? now - FIRST_LOOK_MS,
      to: now,
    }),
  }
  await writeMark(database, mark)
  return {
    pages: Math.max(Math.ceil(listed.length / 200), 1),
    unknown: unknown.size,
    contradicting: findContradicting(listed, now).filter(({ id }) => unknown.has(id)),
    settled: settles ? await settleListed({ store, owner, clock, signal }, api) : [],
    mark,
  }
}

interface ListedAt extends Dated {
  /** Milliseconds since the epoch, or not a number. */
  at: number
}

/** The shipments at which the last look began; none where an earlier version kept a time. */
function parseMarked(mark: ElsewhereMark | undefined): string[] {
  return mark?.readTo.startsWith("[") ? JSON.parse(mark.readTo) : []
}

/**
 * Finds where a look ends: after most of the shipments at which the last look began, or, without those, where several
 * neighbours are older than `bound`.
 * @returns takes page after page, and gives the index of a page's first row below the end
 */
function createEnd(marked: readonly string[], bound: number) {
  const left = new Set(marked)
  const reachBack = createReach()
  return (page: readonly Pick<ListedAt, "id" | "at">[]): number | undefined => {
    const last = page.findIndex(({ id, at }) => {
      if (marked.length === 0) return reachBack(at) < bound
      left.delete(id)
      return left.size < marked.length / 2
    })
    if (last === -1) return undefined
    return marked.length === 0 ? Math.max(last - NEIGHBOURS + 1, 0) : last
  }
}

/**
 * The shipments at which the next look ends: the newest that cannot be dated ahead, below all unread ones. Shipments
 * that the list shows late are above them.
 */
function chooseMarked(
  listed: readonly ListedAt[],
  missing: ReadonlySet<string>,
  serviceTime: number,
): string[] {
  const below = listed.slice(listed.findLastIndex(({ id }) => missing.has(id)) + 1)
  const settled = below.filter(({ at }) => at <= serviceTime - LATE_MS)
  return settled.slice(0, MAX_MARKED).map(({ id }) => id)
}

/** Shipments that are dated ahead of the service's time, before one that is listed below, or not at all. */
function findContradicting(listed: readonly ListedAt[], serviceTime: number): Dated[] {
  let newestBelow = Number.NEGATIVE_INFINITY
  const found: Dated[] = []
  for (const { id, createdAt, at } of listed.toReversed()) {
    const isAhead = at > serviceTime + LATE_MS
    if (Number.isNaN(at) || isAhead || at < newestBelow - LATE_MS) found.unshift({ id, createdAt })
    if (!isAhead && at > newestBelow) newestBelow = at
  }
  return found
}

/** Never later than the service's own time, whichever clock is wrong. */
function findServiceTime(now: number, api: Pick<FreightApi, "clockOffset">): number {
  return Math.min(now, now + (api.clockOffset() ?? 0))
}

/** The shipment; undefined where the list has it and the API does not show it yet. */
async function readShipment(api: Pick<FreightApi, "getShipment">, listed: ShipmentSummary) {
  try {
    return await readDetail(api, listed)
  } catch (error) {
    if (error instanceof FreightError && error.kind === "notFound") return undefined
    throw error
  }
}

/** Sorts a page: unknown shipments, and those known as booked elsewhere and cancelled since. */
async function sortPage<Row extends ShipmentSummary>(
  database: Database,
  { scope, own, unknown }: Compared,
  page: readonly Row[],
) {
  const scopes = [...own, ...unknown]
  const known = new Set<string>()
  const standing = new Set<string>()
  for (const some of inParts(page.map(({ id }) => id))) {
    const ids = placeholders(some)
    const own = await database.all(
      `select shipment_id from sends where ${withinScopes(scopes)} and kind = 'shipment' and shipment_id in (${ids})`,
      [...scopes, ...some],
    )
    for (const row of own) known.add(String(row.shipment_id))
    const kept = await database.all(
      `select shipment_id, is_cancelled from elsewhere where scope = ? and shipment_id in (${ids})`,
      [scope, ...some],
    )
    for (const row of kept) {
      known.add(String(row.shipment_id))
      if (row.is_cancelled === 0) standing.add(String(row.shipment_id))
    }
  }
  return {
    strange: page.filter(({ id }) => !known.has(id)),
    cancelled: page.flatMap(({ id, status }) => (status === "CANCELLED" && standing.has(id) ? [id] : [])),
  }
}

export async function cancelAll(
  transaction: Transaction,
  scope: string,
  ids: readonly string[],
): Promise<void> {
  for (const some of inParts(ids))
    await transaction.run(
      `update elsewhere set is_cancelled = 1 where scope = ? and shipment_id in (${placeholders(some)})`,
      [scope, ...some],
    )
}

/** Whether the list lacks shipments that another key of the account has booked meanwhile. */
async function isLimited(
  database: Database,
  { scope, id, fingerprint }: LedgerDeps["owner"],
  listed: readonly ListedAt[],
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  if (seesOnlyOwn(await readKeys(database), id)) return true
  const oldest = listed.reduce((least, { at }) => (at < least ? at : least), Number.POSITIVE_INFINITY)
  const since = Math.max(from, oldest)
  if (!(since < to)) return false
  const [other] = await database.all(
    `select shipment_id from sends where scope = ? and kind = 'shipment' and state = 'done' and shipment_id is not null
      and account <> ? and created_at > ? and created_at < ? order by created_at desc limit 1`,
    [scope, fingerprint, new Date(since + LATE_MS).toISOString(), new Date(to - LATE_MS).toISOString()],
  )
  return other !== undefined && !listed.some(({ id }) => id === other.shipment_id)
}

export async function readMark(
  database: Pick<Database, "all">,
  keyId: string,
): Promise<ElsewhereMark | undefined> {
  const [row] = await database.all("select * from elsewhere_marks where key_id = ?", [keyId])
  return row && ELSEWHERE_MARKS.read(row)
}

export async function writeMark(database: Database, mark: ElsewhereMark): Promise<void> {
  const replace = replacing(ELSEWHERE_MARKS, "key_id")
  await database.transaction((transaction) =>
    insertRows(transaction, "elsewhere_marks", [ELSEWHERE_MARKS.write(mark)], replace),
  )
}
