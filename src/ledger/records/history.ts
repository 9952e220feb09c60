/** Reads the ledger: what was sent, filtered. */
import type { Entry } from "../entry.ts"
import { placeholders, PAGE } from "../database/rows.ts"
import type { HistoryFilter } from "../database/entries.ts"
import type { Store } from "../store.ts"

/** Entries that pass, newest first, in pages: a ledger of any size is read in constant memory. */
export async function* readEntries(store: Store, filter: HistoryFilter): AsyncGenerator<Entry[]> {
  for (let after: Entry | undefined; ; ) {
    const entries = await store.history({ detail: "brief", ...filter, page: { after, size: PAGE } })
    if (entries.length > 0) yield entries
    if (entries.length < PAGE) return
    after = entries.at(-1)
  }
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
