/** Counts, copies, exports and prunes a ledger. */
import { FreightError } from "../../base/errors.ts"
import { formatDay, wallClockNow } from "../../base/wall-clock.ts"
import { ACCOUNTS, printScope, settleAccounts } from "../accounts/account.ts"
import { joinScopes, moveScope } from "../accounts/join.ts"
import { readKeys, type ServiceKey, writeKey } from "../accounts/keys.ts"
import type { Database, DatabaseRow, Transaction, Value } from "../database/database.ts"
import { inParts, insertRows, placeholders, PAGE, replacing } from "../database/sql.ts"
import { pagesOf, toEntry } from "../entry-rows.ts"
import { keepBarcodes } from "../barcodes.ts"
import { otherId } from "../entry.ts"
import { isInFlight } from "../decision.ts"
import { KEPT_MS } from "./kept.ts"

interface Counts {
  entries: number
  open: number
  oldest: string | null
  newest: string | null
}

export async function readCounts(database: Database): Promise<Counts> {
  const [row] = await database.all(
    `select cast(count(*) as integer) as entries, min(created_at) as oldest, max(created_at) as newest from sends`,
  )
  const [open] = await database.all(
    "select cast(count(*) as integer) as open from sends where state = 'unknown'",
  )
  const text = (value: Value | undefined) => (value == null ? null : String(value))
  return {
    entries: Number(row?.entries),
    open: Number(open?.open),
    oldest: text(row?.oldest),
    newest: text(row?.newest),
  }
}

const JSON_COLUMNS = [
  ...["packages", "written_places", "offers", "request", "response", "error"],
  "cancellations",
]

/** A row for people and programs, with its JSON parsed. */
export function exported({ claim_token: _, ...row }: DatabaseRow): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      JSON_COLUMNS.includes(column) && typeof value === "string" ? JSON.parse(value) : value,
    ]),
  )
}

/**
 * Copies the entries that the target lacks, if no process is sending anything. Accounts that turn out to be one are
 * joined in the target, and orders booked in both ledgers are marked there as duplicates.
 * @throws FreightError `refused` when something is being sent, or something was written meanwhile
 */
export async function copyLedger(from: Database, to: Database): Promise<{ entries: number; copied: number }> {
  await refuseWhileSending(from)
  const keys = await readKeys(from)
  /**
   * Finds the scopes of the source in the target: another desk may have joined its accounts meanwhile. Freight keys
   * decide it; prints without one are in the scope of their address everywhere.
   */
  const findScopes: FindScopes = async (target) => {
    const there = await readKeys(target)
    return (scope) => {
      const id = keys.find((key) => key.scope === scope && key.api === "freight")?.id
      return there.find((key) => key.id === id)?.scope ?? scope
    }
  }
  await copyKeys(keys, to, findScopes)
  let [entries, copied] = [0, 0]
  for await (const rows of pagesOf(from)) {
    entries += rows.length
    const ids = ["", ...rows.filter(({ kind }) => kind === "pickup").map(({ id }) => String(id))]
    const collected = await from.all(`select * from collected where send_id in (${placeholders(ids)})`, ids)
    for (const scope of new Set(rows.map((row) => String(row.scope))))
      copied += await copyRows(
        rows.filter((row) => row.scope === scope),
        collected,
        to,
        findScopes,
      )
  }
  await renameOriginals(from, to)
  for (const table of OTHER_TABLES) {
    const rows = await from.all(`select * from ${table}`)
    await to.transaction(async (target) => {
      await target.lock([ACCOUNTS])
      const toScope = await findScopes(target)
      const moved = rows.map((row) =>
        row.scope === undefined ? row : { ...row, scope: toScope(String(row.scope)) },
      )
      await insertRows(
        target,
        table,
        moved,
        table === "credits" ? newerCounts(moved) : " on conflict do nothing",
      )
    })
  }
  await refuseWhileSending(from)
  let [all, there] = [0, 0]
  for await (const rows of pagesOf(from)) {
    all += rows.length
    there += (await findCopied(to, rows)).size
  }
  if (there !== all)
    throw new FreightError("refused", `${to.place} has ${there} of the ${all} entries: copy it again`, {
      hint: "Something was written meanwhile. The ledger in use is as it was.",
    })
  return { entries, copied }
}

async function refuseWhileSending(database: Database): Promise<void> {
  const now = await database.now()
  const open = await database.all("select * from sends where state = 'unknown'")
  const busy = open.map(toEntry).find((entry) => isInFlight(entry, now))
  if (busy)
    throw new FreightError(
      "refused",
      `${busy.id} is being sent right now: copy the ledger when nothing is booked`,
      {
        next: "freight ledger status",
      },
    )
}

type FindScopes = (target: Transaction) => Promise<(scope: string) => string>

const OTHER_TABLES = [
  "journeys",
  "bills",
  "billed",
  "invoices",
  "invoice_steps",
  "disputes",
  "dispute_steps",
  "credits",
  "places",
  "postings",
  "clearing_moves",
  "payments",
  "links",
  "elsewhere",
  "dispatches",
] as const

/** If a bill was corrected at one of two ledgers, the last credits count. */
function newerCounts([first = {}]: readonly object[]): string {
  return `${replacing({ names: Object.keys(first) }, "id")} where excluded.written_at > credits.written_at`
}

async function copyKeys(keys: readonly ServiceKey[], to: Database, findScopes: FindScopes): Promise<void> {
  const freight = keys.filter(({ api }) => api === "freight")
  await to.transaction(async (transaction) => {
    await transaction.lock([ACCOUNTS])
    for (const key of freight) {
      const there = await readKeys(transaction)
      const known = there.find(({ id }) => id === key.id)
      const sameAccount = freight.filter(({ scope }) => scope === key.scope).map(({ id }) => id)
      const joined = there.find(({ id }) => sameAccount.includes(id))
      if (known && joined && known.scope !== joined.scope)
        await joinScopes(transaction, there, known.scope, joined.scope)
      const [now] = (await readKeys(transaction)).filter(({ id }) => id === (known ?? joined)?.id)
      await writeKey(transaction, mergeKeys(key, known, now?.scope ?? key.scope))
    }
    for (const { id } of freight) await settleAccounts(transaction, id)
    const there = await readKeys(transaction)
    const toScope = await findScopes(transaction)
    for (const key of keys) {
      if (key.api === "freight") continue
      const known = there.find(({ id }) => id === key.id)
      const isOwned = known && known.scope !== printScope(known.address)
      await writeKey(transaction, mergeKeys(key, known, isOwned ? known.scope : toScope(key.scope)))
    }
  })
}

function mergeKeys(key: ServiceKey, known: ServiceKey | undefined, scope: string): ServiceKey {
  const checkedAt = [key.checkedAt, known?.checkedAt].flatMap((at) => at ?? []).sort()[0]
  return {
    ...key,
    ...known,
    scope,
    firstUsedAt: known && known.firstUsedAt < key.firstUsedAt ? known.firstUsedAt : key.firstUsedAt,
    ...(checkedAt !== undefined && { checkedAt }),
    connectors: [...new Set([...(known?.connectors ?? []), ...key.connectors])],
    looks: { ...key.looks, ...known?.looks },
    hasShipment: key.hasShipment || known?.hasShipment === true,
  }
}

function otherIdOf({ id, claim_token: token }: DatabaseRow): string {
  return otherId(String(id), String(token))
}

/** The rows that the target has already, by the token of their claim. */
async function findCopied(
  to: Pick<Database, "all">,
  rows: readonly DatabaseRow[],
): Promise<Map<Value | undefined, DatabaseRow>> {
  const ids = rows.flatMap((row) => [String(row.id), otherIdOf(row)])
  const found = await to.all(
    `select id, claim_token, state from sends where id in (${placeholders(ids)})`,
    ids,
  )
  const tokens = new Set(rows.map(({ claim_token: token }) => token))
  return new Map(found.filter((row) => tokens.has(row.claim_token)).map((row) => [row.claim_token, row]))
}

/**
 * Copies rows of one account, with the shipments of their pickups: first into a scope of their own, which is then
 * joined with the target's.
 */
async function copyRows(
  rows: readonly DatabaseRow[],
  collected: readonly DatabaseRow[],
  to: Database,
  findScopes: FindScopes,
): Promise<number> {
  return to.transaction(async (transaction) => {
    await transaction.lock([ACCOUNTS])
    const scope = (await findScopes(transaction))(String(rows[0]?.scope))
    const there = await findCopied(transaction, rows)
    // Entries that were open when copied before may be settled by now. A person may have released them there meanwhile,
    // but their own sender knows better.
    const settled = rows.filter(({ claim_token: token, state }) => {
      const before = there.get(token)?.state
      return (before === "unknown" && state !== "unknown") || (before === "released" && state === "done")
    })
    const missing = rows.filter(({ claim_token: token }) => !there.has(token))
    for (const { claim_token: token } of settled) {
      const id = there.get(token)?.id ?? null
      await transaction.run("delete from sends where id = ? and state in ('unknown', 'released')", [id])
      await transaction.run("delete from collected where send_id = ?", [id])
    }
    await copyCancellations(transaction, rows, there)
    const copies = [...settled, ...missing]
    if (copies.length === 0) return 0
    const ids = ["", ...copies.map(({ id }) => String(id))]
    const known = await transaction.all(`select id from sends where id in (${placeholders(ids)})`, ids)
    const taken = new Set(known.map(({ id }) => id))
    const copying = `copy of ${scope}`
    const toId = new Map(
      copies.map((row) => {
        const copied = there.get(row.claim_token)
        return [row.id, copied?.id ?? (taken.has(row.id ?? null) ? otherIdOf(row) : row.id)]
      }),
    )
    // Checked before: no process is sending them.
    await insertRows(
      transaction,
      "sends",
      copies.map((row) => ({
        ...row,
        id: toId.get(row.id) ?? null,
        scope: copying,
        lease_until: null,
      })),
    )
    await keepBarcodes(
      transaction,
      copies.map(toEntry).map((entry) => ({ ...entry, id: String(toId.get(entry.id) ?? entry.id) })),
    )
    await insertRows(
      transaction,
      "collected",
      collected.flatMap((row) =>
        toId.has(row.send_id) ? [{ ...row, scope: copying, send_id: toId.get(row.send_id) ?? null }] : [],
      ),
    )
    await moveScope(transaction, copying, scope)
    return copies.length
  })
}

/** Copies carriers' answers given since an earlier copy: the longer of two lists is the later one. */
async function copyCancellations(
  to: Transaction,
  rows: readonly DatabaseRow[],
  there: ReadonlyMap<Value | undefined, DatabaseRow>,
): Promise<void> {
  for (const { claim_token: token, cancelled_at: at = null, cancellations = null } of rows)
    if (cancellations !== null && there.has(token))
      await to.run(
        `update sends set cancelled_at = ?, cancellations = ?
          where claim_token = ? and length(coalesce(cancellations, '')) < length(?)`,
        [at, cancellations, token ?? null, cancellations],
      )
}

/** The original of a duplicate may have another id in the target. */
async function renameOriginals(from: Database, to: Database): Promise<void> {
  const duplicates = await from.all(
    `select duplicate.id, duplicate.claim_token, original.id as original_id, original.claim_token as original_token
      from sends duplicate join sends original on original.id = duplicate.duplicate_of`,
  )
  for (const pairs of inParts(duplicates, PAGE)) {
    const originals = pairs.map((row) => ({
      id: row.original_id ?? null,
      claim_token: row.original_token ?? null,
    }))
    const there = await findCopied(to, [...pairs, ...originals])
    for (const { claim_token: token, original_id: before, original_token: original } of pairs) {
      const id = there.get(original)?.id
      if (id !== undefined && id !== before)
        await to.run("update sends set duplicate_of = ? where id = ? and duplicate_of = ?", [
          id,
          there.get(token)?.id ?? null,
          before ?? null,
        ])
    }
  }
}

/** Condition for settled entries past every rule. It takes the same instant twice. */
const PRUNABLE =
  "from sends where created_at < ? and coalesce(settled_at, created_at) < ? and state <> 'unknown' and standing = 0"

/**
 * Removes entries settled before a day; a dry run counts them.
 * @param before from `readDayToPrune`
 * @param now milliseconds since the epoch
 * @returns the number of entries, and the consequences in words
 */
export async function pruneBefore(
  database: Database,
  before: string,
  now: number,
  isDryRun: boolean,
): Promise<{ removed: number; note: string }> {
  const instant = new Date(before).toISOString()
  if (isDryRun) {
    const [row] = await database.all(`select count(*) as entries ${PRUNABLE}`, [instant, instant])
    return { removed: Number(row?.entries), note: "Nothing was removed: these would be." }
  }
  const removed = await pruneLedger(database, instant)
  const keptUntil = formatDay(wallClockNow(now + KEPT_MS))
  return {
    removed,
    note:
      `Orders sent before ${before} are forgotten: a file that has one of them would book it again. ` +
      `What is sent today stays known until ${keptUntil} at least.`,
  }
}

/** Removes settled entries past every rule. @returns how many entries were removed */
export async function pruneLedger(database: Database, before: string): Promise<number> {
  const removed = await database.run(`delete ${PRUNABLE}`, [before, before])
  for (const table of ["collected", "barcodes"])
    await database.run(`delete from ${table} where send_id not in (select id from sends)`)
  await database.run(
    `delete from journeys where looked_at < ? and not exists (select 1 from sends
      where sends.scope = journeys.scope and sends.consignment_number = journeys.consignment_number)`,
    [before],
  )
  await database.run("delete from elsewhere where read_at < ?", [before])
  if (database.dialect === "sqlite" && removed > 0) await database.run("vacuum")
  return removed
}
