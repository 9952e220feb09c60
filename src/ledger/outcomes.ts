/** Records the outcome of a claim: by its sender, or by others once no process is sending it. */
import { type Database, type Transaction, UniqueViolation } from "./database/database.ts"
import type { Entry } from "./entry.ts"
import { isInFlight } from "./judge.ts"
import { toEntry, outcomeOf, setting } from "./database/rows.ts"

/** An outcome as its sender knows it, with the token of its claim. */
export interface OwnOutcome {
  entry: Entry
  token: string
}

/**
 * Writes a sender's own outcome.
 * @param isContested the database has refused to write it: another entry has its key or its shipment
 * @returns false when something else stands under its key by now; what was made is then kept in a released entry
 * @throws UniqueViolation when another entry has its key or its shipment, and that is not looked for
 */
export async function record(
  transaction: Transaction,
  { entry, token }: OwnOutcome,
  now: number,
  isContested: boolean,
): Promise<boolean> {
  const settled: Entry = { ...entry, settledAt: new Date(now).toISOString() }
  delete settled.leaseUntil
  let isTaken = false
  if (isContested && settled.state === "done") {
    isTaken = await isKeyTaken(transaction, settled)
    await takeShipment(transaction, settled)
    if (isTaken) {
      // Kept all the same: reconcile must not take the shipment for another entry's.
      settled.state = "released"
      settled.note =
        `Made after it was released, and sent again: there may be two. ${settled.note ?? ""}`.trim()
    }
  }
  const [changes, values] = setting(outcomeOf(settled))
  // Keep what a person released or reconcile found, unless this sender knows that it was made.
  const states = entry.state === "done" ? "'unknown', 'released', 'done'" : "'unknown'"
  const changed = await transaction.run(
    `update sends set ${changes} where id = ? and claim_token = ? and state in (${states})`,
    [...values, settled.id, token],
  )
  return changed > 0 && !isTaken
}

/** Whether something else was claimed under the key: a person may have released this entry meanwhile. */
async function isKeyTaken(transaction: Transaction, { scope, kind, key, id }: Entry): Promise<boolean> {
  const others = await transaction.all(
    `select id from sends where scope = ? and kind = ? and idempotency_key = ? and id <> ? and state in ('unknown', 'done')`,
    [scope, kind, key.replace(/^key:/, ""), id],
  )
  return others.length > 0
}

/**
 * A shipment that was only matched to another entry belongs to this one, because the reply says so. An entry that got it
 * from a reply of its own keeps it.
 */
async function takeShipment(transaction: Transaction, settled: Entry): Promise<void> {
  const { scope, id, kind, facts } = settled
  const { shipmentId, ...others } = facts
  if (kind !== "shipment" || shipmentId === undefined) return
  await transaction.run(
    `update sends set state = 'unknown', shipment_id = null, response = null, settled_at = null, lease_until = null, note = ?
      where scope = ? and kind = 'shipment' and shipment_id = ? and id <> ? and note is not null`,
    [
      `Shipment ${shipmentId} turned out to belong to ${id}: the outcome of this one is unknown.`,
      scope,
      shipmentId,
      id,
    ],
  )
  const [owner] = await transaction.all(
    "select id from sends where scope = ? and kind = 'shipment' and shipment_id = ? and id <> ?",
    [scope, shipmentId, id],
  )
  if (!owner) return
  settled.facts = others
  settled.note = `The service gave shipment ${shipmentId}, which ${owner.id} has too.`
}

/** Keeps why sending failed in an entry that stays open, and ends its lease. */
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
    // Also one that has run out by a clock that was set: nobody has settled it, and its sender knows how long it holds.
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
      if (stands?.state !== "unknown" || isInFlight(stands, now)) return false
      if (unless) {
        const open = await transaction.all("select * from sends where state = 'unknown'")
        if (open.map(toEntry).some(unless)) return false
      }
      const settled: Entry = { ...entry, settledAt: new Date(now).toISOString() }
      delete settled.leaseUntil
      const [changes, values] = setting(outcomeOf(settled))
      // Only as it was read: a sender that renews its lease, or knows the outcome, goes first.
      const changed = await transaction.run(
        `update sends set ${changes} where id = ? and state = 'unknown' and coalesce(lease_until, '') = ?`,
        [...values, entry.id, stands.leaseUntil ?? ""],
      )
      return changed > 0
    })
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}
