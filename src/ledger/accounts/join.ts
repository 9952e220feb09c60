/** Moves entries from one account to another. Both hold the accounts alone: see `ACCOUNTS`. */
import type { Transaction } from "../database/database.ts"
import { EQUAL_FOR_MS } from "../decision.ts"
import type { ServiceKey } from "./keys.ts"

/**
 * Joins two accounts that turn out to be one: the account that was used first takes the other's entries. Orders booked
 * in both are marked as duplicates of the earlier one, for a person to settle.
 */
export async function joinScopes(
  transaction: Transaction,
  keys: readonly ServiceKey[],
  one: string,
  other: string,
): Promise<void> {
  const isFirst = keys.find(({ scope }) => scope === one || scope === other)?.scope === one
  await moveScope(transaction, isFirst ? other : one, isFirst ? one : other)
}

export async function moveScope(transaction: Transaction, joined: string, kept: string): Promise<void> {
  await markDuplicates(transaction, joined, kept)
  await transaction.run(
    `delete from journeys where scope = ? and consignment_number in
      (select consignment_number from journeys where scope = ?)`,
    [joined, kept],
  )
  await transaction.run(
    `delete from places where scope = ? and exists (select 1 from places kept where kept.scope = ?
      and kept.suburb = places.suburb and kept.state = places.state and kept.postcode = places.postcode)`,
    [joined, kept],
  )
  await transaction.run(
    `delete from elsewhere where scope = ? and shipment_id in (select shipment_id from elsewhere where scope = ?)`,
    [joined, kept],
  )
  for (const table of ["api_keys", "sends", "collected", "journeys", "bills", "places", "elsewhere"])
    await transaction.run(`update ${table} set scope = ? where scope = ?`, [kept, joined])
  // The scopes in which a printing key has printed before.
  await transaction.run(
    "update api_keys set connectors = replace(connectors, ?, ?) where api = 'direct-print'",
    [JSON.stringify(joined), JSON.stringify(kept)],
  )
}

/** A person says that a key belongs to another account: its entries move with it. */
export async function leaveScope(transaction: Transaction, key: ServiceKey, scope: string): Promise<void> {
  const { id, fingerprint, scope: left } = key
  await transaction.run(
    `update collected set scope = ? where scope = ? and send_id in (select id from sends where scope = ? and account = ?)`,
    [scope, left, left, fingerprint],
  )
  await transaction.run(
    "update sends set scope = ?, duplicate_of = null, duplicate_settled_at = null where scope = ? and account = ?",
    [scope, left, fingerprint],
  )
  // Its reading position belongs to the account that it leaves: it reads the list again.
  await transaction.run("delete from elsewhere_marks where key_id = ?", [id])
}

const LIVE = "in ('unknown', 'done')"

const COLLECTED = [
  "select id as send_id, shipment_id from sends where kind = 'pickup' and scope = ?",
  "select send_id, shipment_id from collected where scope = ?",
]

/**
 * Pairs of entries of two accounts for the same order, print or pickup. A cross join makes SQLite begin with the
 * smaller table: `a` has the entries that move.
 */
const PAIRS = "sends a cross join sends b where a.scope = ? and b.scope = ? and"
const SAME_CONTENT = `${PAIRS} a.content_hash = b.content_hash and a.kind = b.kind and (a.key_given = 0 or b.key_given = 0)`
const SAME = [
  // One order number.
  `${PAIRS} a.idempotency_key is not null and a.idempotency_key = b.idempotency_key and a.kind = b.kind`,
  // Equal content, where people did not give a key to each.
  SAME_CONTENT,
  // A second pickup.
  ...COLLECTED.flatMap((one) =>
    COLLECTED.map(
      (other) => `(${one}) one cross join (${other}) other join sends a on a.id = one.send_id
        join sends b on b.id = other.send_id where one.shipment_id = other.shipment_id`,
    ),
  ),
]

async function markDuplicates(transaction: Transaction, one: string, other: string): Promise<void> {
  await settleShipments(transaction, one, other)
  const found = new Map<string, string>()
  for (const same of SAME) {
    const rows = await transaction.all(
      `select a.id as a_id, a.created_at as a_at, a.state as a_state, a.idempotency_key as a_key,
          b.id as b_id, b.created_at as b_at, b.state as b_state, b.idempotency_key as b_key
        from ${same} and a.state ${LIVE} and b.state ${LIVE}
          and a.duplicate_of is null and b.duplicate_of is null`,
      [one, other],
    )
    for (const row of rows) {
      const [a, b] = [
        { id: String(row.a_id), at: String(row.a_at), isOpen: row.a_state === "unknown" },
        { id: String(row.b_id), at: String(row.b_at), isOpen: row.b_state === "unknown" },
      ]
      const isOneKey = row.a_key !== null && row.a_key === row.b_key
      const isSoon = Math.abs(Date.parse(a.at) - Date.parse(b.at)) < EQUAL_FOR_MS
      if (same === SAME_CONTENT && !isOneKey && !(a.isOpen && b.isOpen) && !isSoon) continue
      // A certain booking counts before a possible one.
      const isFirst = a.isOpen === b.isOpen ? a.at <= b.at : b.isOpen
      const [original, duplicate] = isFirst ? [a, b] : [b, a]
      if (!found.has(duplicate.id)) found.set(duplicate.id, original.id)
    }
  }
  for (const [id, original] of found)
    await transaction.run("update sends set duplicate_of = ? where id = ?", [original, id])
}

/**
 * Two entries with one shipment: it belongs to the entry whose own reply named it, or that had it first. An entry to
 * which it was only matched is open again.
 */
async function settleShipments(transaction: Transaction, one: string, other: string): Promise<void> {
  const rows = await transaction.all(
    `select a.id as a_id, a.created_at as a_at, a.note as a_note, b.id as b_id, b.created_at as b_at, b.note as b_note,
        a.shipment_id as shipment
      from sends a cross join sends b
      where a.kind = 'shipment' and b.kind = 'shipment' and a.shipment_id = b.shipment_id and a.scope = ? and b.scope = ?`,
    [one, other],
  )
  for (const row of rows) {
    const [a, b] = [
      { id: row.a_id ?? null, at: String(row.a_at), isMatched: row.a_note !== null },
      { id: row.b_id ?? null, at: String(row.b_at), isMatched: row.b_note !== null },
    ]
    const isFirst = a.isMatched === b.isMatched ? a.at <= b.at : b.isMatched
    const [owner, loser] = isFirst ? [a, b] : [b, a]
    if (!loser.isMatched)
      await transaction.run("update sends set shipment_id = null, note = ? where id = ?", [
        `The service gave shipment ${row.shipment}, which ${owner.id} has too.`,
        loser.id,
      ])
    // Without a given key only one entry of a content can be open that is not a duplicate.
    else
      await transaction.run(
        `update sends set state = 'unknown', shipment_id = null, response = null, settled_at = null, lease_until = null,
            cancelled_at = null, note = ?, duplicate_of = case when key_given = 0 then (
              select min(twin.id) from sends twin where twin.scope in (?, ?) and twin.content_hash = sends.content_hash
                and twin.kind = sends.kind and twin.key_given = 0 and twin.state = 'unknown' and twin.duplicate_of is null
            ) else duplicate_of end where id = ?`,
        [
          `Shipment ${row.shipment} turned out to belong to ${owner.id}: the outcome of this one is unknown.`,
          one,
          other,
          loser.id,
        ],
      )
  }
}
