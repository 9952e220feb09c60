/** Counts, copies, exports and prunes a ledger. */
import { FreightError } from "../../errors.ts"
import { type Database, type Row, UniqueViolation, type Value } from "../database/database.ts"
import { insertRows, marks, pagesOf } from "../database/rows.ts"

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

/** Columns that hold JSON. */
const JSON_COLUMNS = ["packages", "request", "response", "error"]

/** A row for people and programs, with its JSON parsed. */
export function exported({ claim_token: _, ...row }: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      JSON_COLUMNS.includes(column) && typeof value === "string" ? JSON.parse(value) : value,
    ]),
  )
}

/**
 * Copies what the target lacks, if no process is sending anything. What was sent gets the scope that its account has in
 * the target.
 * @throws FreightError `refused` when something is being sent, or the target knows an entry otherwise
 */
export async function copyLedger(from: Database, to: Database): Promise<{ entries: number; copied: number }> {
  const now = new Date(await from.now()).toISOString()
  const [busy] = await from.all("select id from sends where state = 'unknown' and lease_until > ? limit 1", [
    now,
  ])
  if (busy)
    throw new FreightError(
      "refused",
      `${busy.id} is being sent right now: copy the ledger when nothing is booked`,
      {
        next: "freight ledger status",
      },
    )
  const scopes = await copyAccounts(from, to)
  let [entries, copied] = [0, 0]
  for await (const rows of pagesOf(from)) {
    entries += rows.length
    copied += await copyRows(rows, to, scopes)
  }
  for (const table of OTHER_TABLES) {
    const rows = await from.all(`select * from ${table}`)
    await insertRows(to, table, rows.map(scopes), " on conflict do nothing")
  }
  let there = 0
  for await (const rows of pagesOf(from)) there += (await findKnown(to, rows)).size
  if (there !== entries)
    throw new FreightError("refused", `${to.place} has ${there} of the ${entries} entries: copy it again`, {
      hint: "Something was written meanwhile. The ledger in use is as it was.",
    })
  return { entries, copied }
}

const OTHER_TABLES = ["imports", "collected", "journeys", "bills", "billed", "invoices"] as const

/** @returns a row with its scope in the target, where the same account may be known by another key */
async function copyAccounts(from: Database, to: Database): Promise<(row: Row) => Row> {
  const accounts = await from.all("select * from accounts")
  const there = new Map(
    (await to.all("select account, scope from accounts")).map((row) => [row.account, row]),
  )
  const scopes = new Map(
    accounts
      .map(({ account, scope }) => [scope, there.get(account)?.scope] as const)
      .filter(([, known]) => known !== undefined),
  )
  const moved = (row: Row): Row =>
    row.scope === undefined
      ? row
      : { ...row, scope: there.get(row.account)?.scope ?? scopes.get(row.scope) ?? row.scope }
  await insertRows(to, "accounts", accounts.map(moved), " on conflict do nothing")
  return moved
}

async function findKnown(to: Database, rows: readonly Row[]): Promise<Map<Value | undefined, Row>> {
  const ids = rows.map(({ id }) => id ?? null)
  const found = await to.all(`select id, content_hash, state from sends where id in (${marks(ids)})`, ids)
  return new Map(found.map((row) => [row.id, row]))
}

async function copyRows(rows: readonly Row[], to: Database, scopes: (row: Row) => Row): Promise<number> {
  const there = await findKnown(to, rows)
  const other = rows.find(({ id, content_hash: content }) => {
    const found = there.get(id)
    return found !== undefined && found.content_hash !== content
  })
  if (other)
    throw new FreightError(
      "refused",
      `${to.place} has another entry ${other.id}: both ledgers were used for that key`,
      {
        hint: "Compare the two in freight ledger export, and settle that entry by hand first.",
      },
    )
  // What was open when it was copied before may be settled by now.
  const settled = rows.filter(({ id, state }) => there.get(id)?.state === "unknown" && state !== "unknown")
  const missing = rows.filter(({ id }) => !there.has(id))
  // Checked above: no process is sending them.
  const copies = [...settled, ...missing].map((row) => ({ ...scopes(row), lease_until: null }))
  try {
    await to.transaction(async (transaction) => {
      for (const { id = null } of settled)
        await transaction.run("delete from sends where id = ? and state = 'unknown'", [id])
      await insertRows(transaction, "sends", copies)
    })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    throw new FreightError(
      "refused",
      `${to.place} has another entry with the key, content or shipment of one of these: ${error.message}`,
      {
        hint: "These entries were not copied. Compare the two ledgers with freight ledger export, and settle the open entries of each.",
        next: "freight reconcile",
      },
    )
  }
  return settled.length + missing.length
}

/** Removes what is settled and past every rule. @returns how many entries that were */
export async function pruneLedger(database: Database, before: string): Promise<number> {
  const removed = await database.run(
    "delete from sends where created_at < ? and coalesce(settled_at, created_at) < ? and state <> 'unknown' and standing = 0",
    [before, before],
  )
  await database.run("delete from collected where send_id not in (select id from sends)")
  await database.run(
    `delete from journeys where looked_at < ? and not exists (select 1 from sends
      where sends.scope = journeys.scope and sends.consignment_number = journeys.consignment_number)`,
    [before],
  )
  if (database.dialect === "sqlite" && removed > 0) await database.run("vacuum")
  return removed
}
