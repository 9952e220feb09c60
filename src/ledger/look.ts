/** Looks in the API for what was booked elsewhere: from the newest shipment back to where the last look ended. */
import { type FreightApi, shipmentPages } from "../api/freight.ts"
import { workThrough } from "../api/limiter.ts"
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

/** How far the list was read with a key: one that is shown less than another must not move the other's mark. */
export interface ElsewhereMark {
  /** Fingerprint and address. */
  keyId: string
  /** Everything that was made before is known: ISO 8601 in UTC, by the service's clock. */
  readTo: string
  /** ISO 8601 in UTC. */
  lookedAt: string
  /** Its key is shown its own shipments only. */
  isLimited: boolean
  /** When a person was told of shipments of strangers, and of such a key. */
  strangersToldAt?: string
  limitToldAt?: string
}

/** How far each key has read the list of shipments. */
export const ELSEWHERE_MARKS = describeColumns<ElsewhereMark>({
  keyId: "text not null",
  readTo: "text not null",
  lookedAt: "text not null",
  isLimited: "flag not null",
  strangersToldAt: "text",
  limitToldAt: "text",
})

/** What a look found. */
export interface Look {
  /** Requests for a page of the list. */
  pages: number
  /** Shipments that the ledger had not known. */
  unknown: number
  mark: ElsewhereMark
}

/** How far the first look goes back: an order is not repeated after more than this. */
export const FIRST_LOOK_MS = 14 * 86_400_000
/** The list may show a shipment so much later than one that was made after it. */
const LATE_MS = 15 * 60_000

type LookDeps = Pick<LedgerDeps, "store" | "owner" | "clock" | "signal">
type LookApi = Pick<FreightApi, "listShipments" | "getShipment" | "clockOffset">

/**
 * Reads the list back to the mark, and each shipment that the ledger does not know once. What was read is kept page by
 * page; the mark moves only when all down to the old one is kept.
 * @param atOnce requests at once
 * @param onRead called with how many shipments were read so far, and how many are known to be left on their page
 * @throws FreightError as the API and the ledger do
 */
export async function lookForElsewhere(
  { store, owner, clock, signal }: LookDeps,
  api: LookApi,
  atOnce: number,
  onRead: (read: number, since: number) => Promise<void>,
): Promise<Look> {
  const { database } = store
  const compared = await findCompared(database, owner)
  const { scope } = compared
  const before = await readMark(database, owner.id)
  const unreadRows: ShipmentSummary[] = []
  const pages = shipmentPages(api, (row) => unreadRows.push(toUnreadShipment(row)))
  let until: number | undefined
  let newest = Number.NEGATIVE_INFINITY
  let oldest = Number.POSITIVE_INFINITY
  /** Listed, and not to be read yet: the next look reads it. */
  let missing = Number.POSITIVE_INFINITY
  let [read, unknown] = [0, 0]
  const listed = new Set<string>()
  for await (const readable of pages) {
    const page = [...readable, ...unreadRows.splice(0)]
    // The first reply tells how far the clocks are apart.
    until ??= before ? Date.parse(before.readTo) - LATE_MS : findServiceTime(clock.now(), api) - FIRST_LOOK_MS
    for (const shipment of page) {
      listed.add(shipment.id)
      const { at } = parseCreatedAt(shipment)
      newest = Math.max(newest, at || newest)
      oldest = Math.min(oldest, at || oldest)
    }
    const isNew = (shipment: ShipmentSummary) => !(parseCreatedAt(shipment).at < (until ?? 0))
    const { cancelled, strange } = await sortPage(database, compared, page.filter(isNew))
    const rows: ElsewhereRow[] = []
    await workThrough(strange, atOnce, async (shipment) => {
      signal.throwIfAborted()
      const detail = await readShipment(api, shipment)
      if (detail) rows.push(toElsewhereRow(scope, detail, clock.now()))
      else missing = Math.min(missing, parseCreatedAt(shipment).at || missing)
      await onRead(++read, until ?? 0)
    })
    unknown += rows.length
    if (rows.length + cancelled.length > 0)
      await database.transaction(async (transaction) => {
        await keepElsewhere(transaction, rows)
        await cancelAll(transaction, scope, cancelled)
      })
    if (oldest < until) break
  }
  const readTo = Math.min(Math.max(newest, Date.parse(before?.readTo ?? "") || newest), missing)
  const mark: ElsewhereMark = {
    ...before,
    keyId: owner.id,
    readTo: new Date(
      Number.isFinite(readTo) ? readTo : findServiceTime(clock.now(), api) - FIRST_LOOK_MS,
    ).toISOString(),
    lookedAt: new Date(clock.now()).toISOString(),
    isLimited: await isLimited(database, owner, listed, { from: Math.max(oldest, until ?? 0), to: newest }),
  }
  await writeMark(database, mark)
  return { pages: Math.max(Math.ceil(listed.size / 200), 1), unknown, mark }
}

/** Never later than the service's own, whichever of the clocks is wrong. */
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

/** Of a page: what the ledger does not know, and what it knows as booked elsewhere and was cancelled since. */
async function sortPage(
  database: Database,
  { scope, own, unknown }: Compared,
  page: readonly ShipmentSummary[],
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

/** Writes down that shipments were cancelled. */
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

/** Whether the list lacks what another key of the account has booked meanwhile. */
async function isLimited(
  database: Database,
  { scope, id, fingerprint }: LookDeps["owner"],
  listed: ReadonlySet<string>,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  if (seesOnlyOwn(await readKeys(database), id)) return true
  if (!(from < to)) return false
  const [other] = await database.all(
    `select shipment_id from sends where scope = ? and kind = 'shipment' and state = 'done' and shipment_id is not null
      and account <> ? and created_at > ? and created_at < ? order by created_at desc limit 1`,
    [scope, fingerprint, new Date(from + LATE_MS).toISOString(), new Date(to - LATE_MS).toISOString()],
  )
  return other !== undefined && !listed.has(String(other.shipment_id))
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
