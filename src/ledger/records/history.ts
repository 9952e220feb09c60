import type { Entry } from "../entry.ts"
import { pages, placeholders } from "../database/sql.ts"
import type { HistoryFilter } from "../entry-reader.ts"
import type { Store } from "../store.ts"

/** Entries that pass, newest first, in pages. */
export function readEntries(store: Store, filter: HistoryFilter): AsyncGenerator<Entry[]> {
  return pages((after, size) => store.history({ detail: "brief", ...filter, page: { after, size } }))
}

/** How many entries there are, whatever the filter. */
export async function countHistory(
  { database }: Store,
  scopes: readonly string[] | undefined,
): Promise<number> {
  const where = scopes === undefined ? "" : ` where scope in (${placeholders(scopes)})`
  const counted = await database.all(
    `select cast(count(*) as integer) as entries from sends${where}`,
    scopes ?? [],
  )
  return Number(counted[0]?.entries)
}
