/** Finds entries by any of their names, with an index for each, so that it is fast in a ledger of any size. */
import { isPrefix } from "../../base/names.ts"
import { getReturnOf } from "../../contract/index.ts"
import type { Database, Statements, Value } from "../database/database.ts"
import { type Entry, keyText } from "../entry.ts"
import { getFirstKey, getOwnNumber, secondKey } from "../order.ts"
import { inScopes, placeholders, queryInParts, withinScopes } from "../database/sql.ts"
import { toEntry } from "../entry-rows.ts"

const BOTH = "kind in ('shipment', 'pickup')"
/** The columns that hold a name, and whose it is. */
const NAMES: readonly (readonly [column: string, kind: string])[] = [
  ["shipment_id", "kind = 'shipment'"],
  ["consignment_number", BOTH],
  ["order_number", BOTH],
  ["reference", BOTH],
  ["idempotency_key", BOTH],
  ["pickup_id", "kind = 'pickup' and pickup_id is not null"],
]

/**
 * All consignments booked for orders, without returns, by the number of each: the first, the second and so on; oldest
 * first.
 */
export async function findConsignments(
  database: Database,
  scopes: readonly string[] | undefined,
  numbers: readonly string[],
): Promise<Entry[]> {
  const find = async (column: string, values: readonly string[]) => {
    const rows = await queryInParts([...new Set(values)], (part) =>
      database.all(
        `select * from sends where ${withinScopes(scopes)} and kind = 'shipment' and state = 'done'
          and duplicate_of is null and ${column} in (${placeholders(part)})`,
        [...(scopes ?? []), ...part],
      ),
    )
    return rows.map(toEntry).filter(({ keyGiven }) => keyGiven)
  }
  const found = new Map<string, Entry>()
  const keep = (entries: readonly Entry[]) => {
    for (const entry of entries) found.set(entry.id, entry)
  }
  keep(await find("reference", numbers))
  // A key need not be the reference; those of later consignments follow each other.
  for (let [count, keys] = [2, numbers]; keys.length > 0; count++) {
    const made = await find("idempotency_key", keys)
    keep(made)
    keys = made.map((entry) =>
      secondKey(count === 2 ? keyText(entry) : (getFirstKey(keyText(entry)) ?? ""), count),
    )
  }
  const own = new Set(numbers)
  const all = await addFirstKeys(database, [...found.values()])
  const isConsignment = (entry: Entry) =>
    own.has(getOwnNumber(entry)) && getReturnOf(entry.facts.own) === undefined
  return all.filter(isConsignment).sort(byTime)
}

function byTime(one: Entry, other: Entry): number {
  return one.sentAt < other.sentAt || (one.sentAt === other.sentAt && one.id < other.id) ? -1 : 1
}

/** The bookings; each later consignment of an order with the key of its first. */
export async function addFirstKeys(database: Statements, entries: readonly Entry[]): Promise<Entry[]> {
  const firstOf = (entry: Entry) =>
    keyText(entry) === entry.facts.reference ? undefined : getFirstKey(keyText(entry))
  const wanted = entries.filter(firstOf)
  const scopes = [...new Set(wanted.map(({ scope }) => scope))]
  const rows = await queryInParts([...new Set(wanted.flatMap((entry) => firstOf(entry) ?? []))], (part) =>
    database.all(
      `select scope, idempotency_key from sends where ${withinScopes(scopes)} and kind = 'shipment'
        and state = 'done' and idempotency_key in (${placeholders(part)})`,
      [...scopes, ...part],
    ),
  )
  const known = new Set(rows.map(({ scope, idempotency_key: key }) => JSON.stringify([scope, key])))
  return entries.map((entry) => {
    const firstKey = firstOf(entry)
    const isKnown = firstKey !== undefined && known.has(JSON.stringify([entry.scope, firstKey]))
    return isKnown ? { ...entry, firstKey } : entry
  })
}

/** Maximum number of matches for each kind of name. */
const MOST = 50
/** Above every character that a name may hold. */
const LAST = "\u{10ffff}"

/**
 * Bookings and pickups that have a name, or one that begins so, newest first. Case counts, but for names that are all in
 * one case.
 * @param scopes all that the ledger knows where none are given
 */
export async function findNamed(
  database: Database,
  name: string,
  scopes: readonly string[] | undefined,
): Promise<Entry[]> {
  const written = [...new Set([name, name.toUpperCase(), name.toLowerCase()])]
  const condition = isPrefix(name) ? "between ? and ?" : "= ?"
  const parameters: Value[] = []
  const queries = NAMES.flatMap(([column, kind]) =>
    written.map((text) => {
      // The index of shipments does not begin with the scope.
      const within = column === "shipment_id" ? `true${inScopes(scopes)}` : withinScopes(scopes)
      parameters.push(...(scopes ?? []), text, ...(isPrefix(name) ? [text + LAST] : []))
      return `select * from (select id from sends where ${within} and ${column} ${condition}
        and ${kind} order by ${column} limit ${MOST}) as by_${column}`
    }),
  )
  queries.push(
    ...written.map((text) => {
      parameters.push(text, ...(isPrefix(name) ? [text + LAST] : []))
      return `select * from (select send_id from barcodes where barcode ${condition}
        order by barcode limit ${MOST}) as by_barcode`
    }),
  )
  const rows = await database.all(
    `select * from sends where id in (${queries.join(" union ")})${inScopes(scopes)} order by created_at desc, id`,
    parameters.concat(scopes ?? []),
  )
  return rows.map(toEntry)
}

/** The bookings of shipments, oldest first: of these accounts, or of all if none is given. */
export async function findShipments(
  statements: Statements,
  scopes: readonly string[] | undefined,
  shipments: readonly string[],
): Promise<Entry[]> {
  const rows = await queryInParts(shipments, (part) =>
    statements.all(
      `select * from sends where kind = 'shipment' and state = 'done' and shipment_id in (${placeholders(part)})${inScopes(scopes)}
        order by created_at, id`,
      [...part, ...(scopes ?? [])],
    ),
  )
  return rows.map(toEntry)
}

/** Entries by their ids. */
export async function findSends(statements: Statements, ids: readonly string[]): Promise<Entry[]> {
  const rows = await queryInParts([...new Set(ids)], (part) =>
    statements.all(`select * from sends where id in (${placeholders(part)})`, part),
  )
  return rows.map(toEntry)
}
