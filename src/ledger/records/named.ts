/** Finds what was sent by any of its names, with an index for each, so that a ledger of any size answers at once. */
import { isPrefix } from "../../base/names.ts"
import type { Value } from "../database/database.ts"
import type { Entry } from "../entry.ts"
import { inScopes, withinScopes } from "../database/sql.ts"
import { toEntry } from "../entry-rows.ts"
import type { Store } from "../store.ts"

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
  { database }: Pick<Store, "database">,
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
  const rows = await database.all(
    `select * from sends where id in (${queries.join(" union ")}) order by created_at desc, id`,
    parameters,
  )
  return rows.map(toEntry)
}
