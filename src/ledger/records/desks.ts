/** The version of freight that each desk uses with a ledger, to name the desks that need an update. */
import { describeColumns } from "../database/columns.ts"
import type { Database } from "../database/database.ts"
import { insertRows, replacing } from "../database/sql.ts"

export interface Desk {
  workstation: string
  /** Version of freight: `1.4.0`. */
  version: string
  /** The newest schema that it knows. */
  schema: number
  /** When it last opened the ledger to write, within a day; ISO 8601, UTC. */
  seenAt: string
}

export const DESKS = describeColumns<Desk>({
  workstation: "text primary key",
  version: ["freight_version", "text not null"],
  schema: ["schema_version", "integer not null"],
  seenAt: "text not null",
})

/** A desk that does not use this version of freight, as far as the ledger knows. */
export interface DeskBehind {
  workstation: string
  /** Null for a desk that has not opened the ledger since freight records versions. */
  version: string | null
  schema: number | null
  seenAt: string
}

const DAY_MS = 24 * 3_600_000
/** A desk that was not seen for this long counts as unused. */
const RECENT_MS = 30 * DAY_MS

/**
 * Records the version that a desk uses: after a change, and once a day. Each desk has a row of its own, so none waits
 * for another.
 */
export async function noteDesk(
  database: Database,
  { workstation, version, schema }: Omit<Desk, "seenAt">,
): Promise<void> {
  const now = await database.now()
  const [row] = await database.all("select * from desks where workstation = ?", [workstation])
  const known = row && DESKS.read(row)
  const isSame = known?.version === version && known.schema === schema
  if (isSame && Math.abs(now - Date.parse(known.seenAt)) < DAY_MS) return
  const desk = { workstation, version, schema, seenAt: new Date(now).toISOString() }
  await insertRows(database, "desks", [DESKS.write(desk)], replacing(DESKS, "workstation"))
}

/**
 * Desks that sent something or were seen in the last 30 days, and not with this version or a newer one.
 * @param own the desk that asks, with its version; it is not among them
 */
export async function findDesksBehind(database: Database, own: Omit<Desk, "seenAt">): Promise<DeskBehind[]> {
  const since = new Date((await database.now()) - RECENT_MS).toISOString()
  const known = (await database.all("select * from desks")).map((row) => DESKS.read(row))
  const senders = await database.all(
    "select workstation, max(created_at) as seen_at from sends where created_at >= ? group by workstation",
    [since],
  )
  const behind = known.filter(
    (desk) => desk.seenAt >= since && (desk.schema < own.schema || isOlderVersion(desk.version, own.version)),
  )
  const unknown = senders
    .map((row) => ({ workstation: String(row.workstation), seenAt: String(row.seen_at) }))
    .filter(({ workstation }) => !known.some((desk) => desk.workstation === workstation))
    .map((desk) => ({ ...desk, version: null, schema: null }))
  return [...behind, ...unknown]
    .filter(({ workstation }) => workstation !== own.workstation)
    .sort((a, b) => (a.workstation < b.workstation ? -1 : 1))
}

/**
 * Whether `1.9.0` comes before `1.10.0`; versions that are not three numbers, as in a run from source, are not
 * compared.
 */
function isOlderVersion(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => /^(\d+)\.(\d+)\.(\d+)/.exec(each)?.slice(1).map(Number))
  if (!a || !b) return false
  const differing = a.findIndex((number, n) => number !== b[n])
  return differing >= 0 && Number(a[differing]) < Number(b[differing])
}
