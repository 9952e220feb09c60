import type { Database } from "../database/database.ts"
import { marks } from "../database/rows.ts"

/**
 * Counts the bookings that stand and are on no bill that was audited: booked at most `withinDays` before the first audit,
 * so that what came long before it does not count, and before `until`. Instants are ISO 8601 in UTC.
 */
export async function countUnbilled(
  database: Database,
  scopes: readonly string[] | undefined,
  { until, withinDays }: { until: string; withinDays: number },
): Promise<{ count: number; oldest: string | undefined }> {
  const [audited] = await database.all("select min(audited_at) as first from bills")
  if (audited?.first == null) return { count: 0, oldest: undefined }
  const since = new Date(Date.parse(String(audited.first)) - withinDays * 86_400_000).toISOString()
  // Not the scope alone: see `history` in `store.ts`.
  const within = scopes === undefined ? "" : ` and scope || '' in (${marks(scopes)})`
  const [row] = await database.all(
    `select cast(count(*) as integer) as count, min(created_at) as oldest from sends
      where kind = 'shipment' and state = 'done' and created_at >= ? and created_at < ?${within}
      and not exists (select 1 from journeys where journeys.scope = sends.scope
        and journeys.consignment_number = sends.consignment_number and is_cancelled = 1)
      and not exists (select 1 from billed where billed.shipment_id = sends.shipment_id)
      and not exists (select 1 from billed where billed.consignment = sends.consignment_number)`,
    [since, until, ...(scopes ?? [])],
  )
  return { count: Number(row?.count), oldest: row?.oldest == null ? undefined : String(row.oldest) }
}
