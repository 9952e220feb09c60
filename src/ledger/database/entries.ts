/** Reads entries: by their names, those that are open, and the history. */
import type { Entry, Kind, State } from "../entry.ts"
import type { Database, Value } from "./database.ts"
import { COLUMNS, type Detail, inScopes, placeholders, toEntry } from "./rows.ts"

/** What `history` shows: see `search` in `history.ts`. */
export interface HistoryFilter {
  since?: string | undefined
  kind?: Kind | undefined
  state?: State | undefined
  search?: string | undefined
  scopes?: readonly string[] | undefined
  /** How much of each entry is read; all of it if undefined. */
  detail?: Detail
  /** A page: at most `size` entries, beginning after `after`. */
  page?: { after: Pick<Entry, "sentAt" | "id"> | undefined; size: number }
}

/** One account or several; any where there is none. */
type Within = string | readonly string[] | undefined

export interface EntryReader {
  /** What stands under a key, or its newest attempt; in any account where no scope is given. */
  latest(scope: string | undefined, kind: Kind, key: string): Promise<Entry | undefined>
  byId(id: string): Promise<Entry | undefined>
  /** Entries without an outcome, oldest first. */
  open(scopes?: readonly string[]): Promise<Entry[]>
  ofShipment(within: Within, shipmentId: string): Promise<Entry | undefined>
  /** The pickup that collects a shipment, or may: what the carrier has alone first, then what is open, then the newest; `besides` is an id. */
  pickupOf(
    within: string | readonly string[],
    shipmentId: string,
    besides?: string,
  ): Promise<Entry | undefined>
  /** Orders that were made twice, before their accounts were known to be one, and that nobody has settled. */
  duplicates(scopes?: readonly string[]): Promise<Entry[]>
  /** Newest first. */
  history(filter: HistoryFilter): Promise<Entry[]>
}

export function createEntryReader(database: Database): EntryReader {
  const select = async (rest: string, parameters: readonly Value[]) =>
    (await database.all(`select * from sends ${rest}`, parameters)).map(toEntry)
  const first = async (rest: string, parameters: readonly Value[]) =>
    (await select(`${rest} limit 1`, parameters))[0]

  return {
    latest(scope, kind, key) {
      const [column, value] = key.startsWith("key:")
        ? ["idempotency_key", key.slice("key:".length)]
        : ["idempotency_key is null and content_hash", key.replace(/^content:/, "")]
      // An index begins with the scope.
      const scopes = scope === undefined ? "select scope from api_keys" : "?"
      return first(
        `where scope in (${scopes}) and ${column} = ? and kind = ?
          order by state in ('done', 'unknown') desc, duplicate_of is null desc, attempt desc, created_at desc`,
        [...(scope === undefined ? [] : [scope]), value, kind],
      )
    },
    byId: (id) => first("where id = ?", [id]),
    open: (scopes) =>
      select(`where state = 'unknown'${inScopes(scopes)} order by created_at, id`, scopes ?? []),
    ofShipment(within, shipmentId) {
      const scopes = listScopes(within)
      return first(
        `where kind = 'shipment' and shipment_id = ?${inScopes(scopes)} order by created_at desc`,
        [shipmentId, ...(scopes ?? [])],
      )
    },
    pickupOf(accounts, shipmentId, besides = "") {
      const scopes = listScopes(accounts) ?? []
      const within = placeholders(scopes)
      return first(
        `where id in (select id from sends where scope in (${within}) and kind = 'pickup' and shipment_id = ? union
            select send_id from collected where scope in (${within}) and shipment_id = ?)
          and state in ('done', 'unknown') and id <> ?
          order by standing desc, state desc, created_at desc`,
        [...scopes, shipmentId, ...scopes, shipmentId, besides],
      )
    },
    duplicates: (scopes) =>
      select(
        `where duplicate_of is not null and duplicate_settled_at is null and state = 'done'${inScopes(scopes)}
          and exists (select 1 from sends original where original.id = sends.duplicate_of
            and original.state in ('unknown', 'done')) order by created_at || '', id`,
        scopes ?? [],
      ),
    async history(filter) {
      const [where, parameters] = historyCondition(filter)
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

function historyCondition({ since, kind, state, search, scopes, page }: HistoryFilter): [string, Value[]] {
  const conditions: string[] = []
  const parameters: Value[] = []
  const add = (condition: string, ...values: readonly Value[]) => {
    conditions.push(condition)
    parameters.push(...values)
  }
  if (since !== undefined) add("created_at >= ?", since)
  if (page?.after) {
    const { sentAt, id } = page.after
    add("created_at <= ? and (created_at < ? or id > ?)", sentAt, sentAt, id)
  }
  if (kind !== undefined) add("kind = ?", kind)
  if (state !== undefined) add("state = ?", state)
  // Not the scope alone: SQLite would go through all of it by an index that knows no times, and sort it, for each page.
  if (scopes !== undefined) add(`scope || '' in (${placeholders(scopes)})`, ...scopes)
  if (search !== undefined) {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`
    const each = SEARCHED.map((column) => `lower(${column}) like ? escape '\\'`)
    add(`(${each.join(" or ")})`, ...SEARCHED.map(() => pattern))
  }
  return [conditions.length > 0 ? ` where ${conditions.join(" and ")}` : "", parameters]
}
