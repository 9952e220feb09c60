/** Records the outcome of a claim: by its sender, or by others once no process is sending it. */
import { type Database, type Transaction, UniqueViolation } from "./database/database.ts"
import type { Entry } from "./entry.ts"
import { isInFlight } from "./decision.ts"
import { outcomeValues, SET_OUTCOME, toEntry } from "./entry-rows.ts"
import { keepBarcodes } from "./barcodes.ts"

/** An outcome from its own sender, with the token of its claim. */
export interface OwnOutcome {
  entry: Entry
  token: string
}

/** The service gave the shipment of an outcome to another entry too; the outcome was not written. */
export interface SharedShipment {
  sharedWith: Entry
}

/**
 * Writes a sender's own outcome.
 * @param isContested the database refused to write it: another entry has its key or its shipment
 * @returns false if another entry has its key by now; the outcome is then kept in a released entry
 */
export async function record(
  transaction: Transaction,
  { entry, token }: OwnOutcome,
  now: number,
  isContested: boolean,
): Promise<boolean | SharedShipment> {
  const settled: Entry = { ...entry, settledAt: new Date(now).toISOString() }
  delete settled.leaseUntil
  let isTaken = false
  if (isContested && settled.state === "done") {
    const isDuplicate = await refreshScope(transaction, settled)
    isTaken = !isDuplicate && (await isKeyTaken(transaction, settled))
    const owner = await takeShipment(transaction, settled)
    if (owner && !isDuplicate) return { sharedWith: owner }
    if (owner) {
      const { shipmentId, ...others } = settled.facts
      settled.facts = others
      settled.note = `The service gave shipment ${shipmentId}, which ${owner.id} has too.`
    }
    if (isTaken) markSecond(settled)
  }
  const write = (states: string) =>
    transaction.run(
      `update sends set ${SET_OUTCOME} where id = ? and claim_token = ? and state in (${states})`,
      [...outcomeValues(settled), settled.id, token],
    )
  if ((await write("'unknown'")) > 0) {
    await keepBarcodes(transaction, [settled])
    return !isTaken
  }
  // Keeps an entry that a person released or reconcile settled, unless this sender knows that it was made.
  if (entry.state !== "done") return false
  // No constraint of the database covers entries without a key.
  if (!isTaken && (await isMadeAgain(transaction, settled))) {
    isTaken = true
    markSecond(settled)
  }
  await replaceGuess(transaction, settled, token)
  if ((await write("'released', 'done'")) === 0) return false
  await keepBarcodes(transaction, [settled])
  return !isTaken
}

/** Its account may have been joined with another since it was claimed. @returns whether it is a duplicate by now */
async function refreshScope(transaction: Transaction, settled: Entry): Promise<boolean> {
  const [row] = await transaction.all("select scope, duplicate_of from sends where id = ?", [settled.id])
  if (row) settled.scope = String(row.scope)
  return row !== undefined && row.duplicate_of !== null
}

/** Whether another entry was claimed under the key: a person may have released this one meanwhile. */
async function isKeyTaken(transaction: Transaction, { scope, kind, key, id }: Entry): Promise<boolean> {
  const others = await transaction.all(
    `select id from sends where scope = ? and kind = ? and idempotency_key = ? and id <> ? and state in ('unknown', 'done')`,
    [scope, kind, key.replace(/^key:/, ""), id],
  )
  return others.length > 0
}

/** Whether a person released an entry without a key, and its content was claimed again since. */
async function isMadeAgain(
  transaction: Transaction,
  { scope, kind, key, content, id, attempt }: Entry,
): Promise<boolean> {
  if (key.startsWith("key:")) return false
  const others = await transaction.all(
    `select id from sends where scope = ? and kind = ? and idempotency_key is null and content_hash = ? and id <> ?
      and attempt > ? and state in ('unknown', 'done')
      and exists (select 1 from sends own where own.id = ? and own.state = 'released')`,
    [scope, kind, content, id, attempt, id],
  )
  return others.length > 0
}

/** Kept anyway: reconcile must not assign the shipment to another entry. */
function markSecond(settled: Entry): void {
  settled.state = "released"
  settled.note = `Made after it was released, and sent again: there may be two. ${settled.note ?? ""}`.trim()
}

/**
 * Gives a shipment that was only matched to another entry to this one, because the reply names it. An entry that got it
 * from its own reply keeps it.
 * @returns the entry that keeps it
 */
async function takeShipment(transaction: Transaction, settled: Entry): Promise<Entry | undefined> {
  const { scope, id, kind, facts } = settled
  const { shipmentId } = facts
  if (kind !== "shipment" || shipmentId === undefined) return undefined
  await transaction.run(
    `update sends set state = 'unknown', shipment_id = null, response = null, settled_at = null, lease_until = null,
      cancelled_at = null, note = ? where scope = ? and kind = 'shipment' and shipment_id = ? and id <> ? and note is not null`,
    [
      `Shipment ${shipmentId} turned out to belong to ${id}: the outcome of this one is unknown.`,
      scope,
      shipmentId,
      id,
    ],
  )
  const [owner] = await transaction.all(
    "select * from sends where scope = ? and kind = 'shipment' and shipment_id = ? and id <> ?",
    [scope, shipmentId, id],
  )
  return owner && toEntry(owner)
}

/**
 * If others settled an entry with a shipment that its own reply does not name, the shipment belongs to another entry of
 * equal content: to a released one if none is open. That entry is opened again.
 */
async function replaceGuess(transaction: Transaction, settled: Entry, token: string): Promise<void> {
  const { id, kind, content, facts } = settled
  const [row] = await transaction.all(
    "select shipment_id, scope from sends where id = ? and claim_token = ? and kind = 'shipment' and state = 'done'",
    [id, token],
  )
  const guess = row?.shipment_id
  const scope = String(row?.scope)
  if (guess == null || guess === facts.shipmentId) return
  // The carrier's cancellation was of the other entry.
  await transaction.run("update sends set cancelled_at = null where id = ?", [id])
  const rows = await transaction.all(
    "select * from sends where scope = ? and content_hash = ? and kind = ? and id <> ?",
    [scope, content, kind, id],
  )
  const equal = rows.map(toEntry)
  const open = equal.filter(({ state }) => state === "unknown")
  for (const entry of equal) {
    if (entry.state !== "released" || entry.facts.shipmentId !== undefined) continue
    // At most one of those that no person gave a key can be open.
    if (!entry.keyGiven && open.some(({ keyGiven }) => !keyGiven)) continue
    if (await isKeyTaken(transaction, entry)) continue
    open.push(entry)
    await transaction.run("update sends set state = 'unknown', settled_at = null, note = ? where id = ?", [
      `Shipment ${guess}, which was taken for that of ${id}, may be this one's.`,
      entry.id,
    ])
  }
  if (open.length === 0)
    settled.note =
      `Shipment ${guess}, which was taken for this one's, belongs to no entry. ${settled.note ?? ""}`.trim()
}

/** Records why sending failed in an entry that stays open, and ends its lease. */
export async function recordFailure(transaction: Transaction, { entry, token }: OwnOutcome): Promise<void> {
  await transaction.run(
    "update sends set error = ?, lease_until = null where id = ? and claim_token = ? and state = 'unknown'",
    [JSON.stringify(entry.error ?? null), entry.id, token],
  )
}

export async function renew(
  transaction: Transaction,
  ids: readonly string[],
  leaseUntil: string,
): Promise<readonly string[]> {
  const held: string[] = []
  for (const id of ids) {
    // Also a lease that has expired by a clock that was set: the entry is not settled, and its sender knows how long
    // the lease holds.
    const changed = await transaction.run(
      "update sends set lease_until = ? where id = ? and state = 'unknown' and lease_until is not null",
      [leaseUntil, id],
    )
    if (changed > 0) held.push(id)
  }
  return held
}

export async function settle(
  database: Database,
  entry: Entry,
  unless: ((other: Entry) => boolean) | undefined,
): Promise<boolean> {
  try {
    return await database.transaction(async (transaction) => {
      const now = await transaction.now()
      const [row] = await transaction.all("select * from sends where id = ?", [entry.id])
      const stands = row && toEntry(row)
      if (!stands || isInFlight(stands, now)) return false
      if (unless) {
        const open = await transaction.all("select * from sends where state = 'unknown'")
        if (open.map(toEntry).some(unless)) return false
      }
      const settled: Entry = { ...entry, settledAt: new Date(now).toISOString() }
      delete settled.leaseUntil
      // Only while it is open and unchanged: a sender that renews its lease, or knows the outcome, takes precedence.
      const changed = await transaction.run(
        `update sends set ${SET_OUTCOME} where id = ? and state = 'unknown' and coalesce(lease_until, '') = ?`,
        [...outcomeValues(settled), entry.id, stands.leaseUntil ?? ""],
      )
      return changed > 0
    })
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}
