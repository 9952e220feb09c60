/** Reads entries: by their names, those that are open, and the history. */
import type { Entry, Kind, State } from "./entry.ts"
import type { Database, Value } from "./database/database.ts"
import { inScopes, inScopesByTime, placeholders, withinScopes } from "./database/sql.ts"
import { COLUMNS, type Detail, toEntry } from "./entry-rows.ts"

/** Selects the entries for `readEntries` (`records/history.ts`). */
export interface HistoryFilter {
  since?: string | undefined
  until?: string | undefined
  kind?: Kind | undefined
  state?: State | undefined
  search?: string | undefined
  /** Only entries to one of these postcodes. */
  postcodes?: readonly string[] | undefined
  scopes?: readonly string[] | undefined
  /** How much of each entry is read; everything if undefined. */
  detail?: Detail
  /** A page: at most `size` entries, beginning after `after`. */
  page?: { after: Pick<Entry, "sentAt" | "id"> | undefined; size: number }
}

/** One account or several; any where there is none. */
type Within = string | readonly string[] | undefined

export function createEntryReader(database: Database) {
  const select = async (rest: string, parameters: readonly Value[]) =>
    (await database.all(`select * from sends ${rest}`, parameters)).map(toEntry)
  const first = async (rest: string, parameters: readonly Value[]): Promise<Entry | undefined> =>
    (await select(`${rest} limit 1`, parameters))[0]

  return {
    /** The entry made under a key, or its newest attempt; in any account where no scope is given. */
    latest(scope: string | undefined, kind: Kind, key: string) {
      const [column, value] = key.startsWith("key:")
        ? ["idempotency_key", key.slice("key:".length)]
        : ["idempotency_key is null and content_hash", key.replace(/^content:/, "")]
      const scopes = listScopes(scope)
      return first(
        `where ${withinScopes(scopes)} and ${column} = ? and kind = ?
          order by state in ('done', 'unknown') desc, duplicate_of is null desc, attempt desc, created_at desc`,
        [...(scopes ?? []), value, kind],
      )
    },
    byId: (id: string) => first("where id = ?", [id]),
    /** The entry with the latest time, of any account. */
    newest: () => first("where true order by created_at desc", []),
    /** Entries without an outcome, oldest first. */
    open: (scopes?: readonly string[]) =>
      select(`where state = 'unknown'${inScopes(scopes)} order by created_at, id`, scopes ?? []),
    ofShipment(within: Within, shipmentId: string) {
      const scopes = listScopes(within)
      return first(
        `where kind = 'shipment' and shipment_id = ?${inScopes(scopes)} order by created_at desc`,
        [shipmentId, ...(scopes ?? [])],
      )
    },
    /** A print of a shipment's label, on any device: a certain one first, then the newest possible one. */
    labelPrintOf(within: Within, shipmentId: string) {
      const scopes = listScopes(within)
      return first(
        `where ${withinScopes(scopes)} and kind = 'label-print' and shipment_id = ?
          and state in ('done', 'unknown') order by state, created_at desc`,
        [...(scopes ?? []), shipmentId],
      )
    },
    /**
     * The pickup that collects a shipment, or may: one that only the carrier has first, then an open one, then the
     * newest; `besides` is an id.
     */
    pickupOf(within: Within, shipmentId: string, besides = "") {
      const scopes = listScopes(within)
      const own = [...(scopes ?? []), shipmentId]
      return first(
        `where id in (select id from sends where ${withinScopes(scopes)} and kind = 'pickup' and shipment_id = ? union
            select send_id from collected where ${withinScopes(scopes)} and shipment_id = ?)
          and state in ('done', 'unknown') and id <> ?
          order by standing desc, state desc, created_at desc`,
        [...own, ...own, besides],
      )
    },
    /** Pickups that exist, or may, and were booked since then; the newest first. @param since ISO 8601 in UTC */
    pickupsSince(within: Within, since: string) {
      const scopes = listScopes(within)
      return select(
        `where ${withinScopes(scopes)} and kind = 'pickup' and state in ('done', 'unknown') and created_at >= ?
          order by created_at desc`,
        [...(scopes ?? []), since],
      )
    },
    /** Orders that were booked twice before their accounts were known to be one, and that are not settled. */
    duplicates: (scopes?: readonly string[]) =>
      select(
        `where duplicate_of is not null and duplicate_settled_at is null and state = 'done' and cancelled_at is null${inScopes(scopes)}
          and exists (select 1 from sends original where original.id = sends.duplicate_of
            and original.state in ('unknown', 'done') and original.cancelled_at is null) order by created_at || '', id`,
        scopes ?? [],
      ),
    /** Newest first. */
    async history(filter: HistoryFilter) {
      const [where, parameters] = toCondition(database.dialect, filter)
      const limit = filter.page ? ` limit ${filter.page.size}` : ""
      const rows = await database.all(
        `select ${COLUMNS[filter.detail ?? "whole"]} from sends${where} order by created_at desc, id${limit}`,
        parameters,
      )
      return rows.map(toEntry)
    },
  }
}

function listScopes(within: Within): readonly string[] | undefined {
  return typeof within === "string" ? [within] : within
}

const SEARCHED = [
  "idempotency_key",
  "about",
  "reference",
  "shipment_id",
  "connector_id",
  "carrier",
  "service_code",
  "note",
  "consignment_number",
  "order_number",
  "response",
]

/** Ignores case. SQLite's `like` does; a `lower` for each column would take most of a search's time. */
const LIKE = { sqlite: "like", postgres: "ilike" } as const satisfies Record<Database["dialect"], string>

export function toCondition(
  dialect: Database["dialect"],
  { since, until, kind, state, search, postcodes, scopes, page }: HistoryFilter,
): [string, Value[]] {
  const conditions: string[] = []
  const parameters: Value[] = []
  const add = (condition: string, ...values: readonly Value[]) => {
    conditions.push(condition)
    parameters.push(...values)
  }
  if (since !== undefined) add("created_at >= ?", since)
  if (until !== undefined) add("created_at < ?", until)
  if (page?.after) {
    const { sentAt, id } = page.after
    add("created_at <= ? and (created_at < ? or id > ?)", sentAt, sentAt, id)
  }
  if (kind !== undefined) add("kind = ?", kind)
  if (state !== undefined) add("state = ?", state)
  if (postcodes) add(`receiver_postcode in (${placeholders(postcodes)})`, ...postcodes)
  if (search !== undefined) {
    const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`
    const each = SEARCHED.map((column) => `${column} ${LIKE[dialect]} ? escape '\\'`)
    add(`(${each.join(" or ")})`, ...SEARCHED.map(() => pattern))
  }
  return [
    ` where ${["true", ...conditions].join(" and ")}${inScopesByTime(dialect, scopes)}`,
    [...parameters, ...(scopes ?? [])],
  ]
}
