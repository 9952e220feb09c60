/** Reports what a ledger holds, and what needs to be done. */
import { counted } from "../../base/counted.ts"
import { VERSION } from "../../base/version.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { type AccountRow, listAccounts } from "../accounts/describe.ts"
import { countElsewhere, describeStrangers } from "../elsewhere.ts"
import { type DeskBehind, findDesksBehind } from "../records/desks.ts"
import { TABLES } from "../schema.ts"
import { SCHEMA_VERSION } from "../version.ts"
import type { Store } from "../store.ts"
import { readCounts } from "./admin.ts"

export interface LedgerStatus {
  ledger: string
  database: "sqlite" | "postgres"
  schema: number
  entries: number
  open: number
  /** Bytes on the disk, where that can be known. */
  bytes: number | null
  oldestAt: string | null
  newestAt: string | null
  /** Orders that were booked twice and are not settled. */
  duplicates: number
  /** Desks that do not use this version of freight. */
  behind: readonly DeskBehind[]
  /** Shipments that were booked with other programs or ledgers, or in the portal. */
  elsewhere: number
  accounts: readonly AccountRow[]
}

/**
 * @param workstation the desk that asks
 * @returns with a sentence for each thing to be done
 */
export async function readStatus(
  { database, place, duplicates }: Store,
  workstation: string,
): Promise<{ status: LedgerStatus; notes: string[] }> {
  const { programs, portal } = await countElsewhere(database, undefined)
  const { oldest, newest, ...counts } = await readCounts(database)
  const status: LedgerStatus = {
    ledger: place,
    database: database.dialect,
    schema: SCHEMA_VERSION,
    ...counts,
    oldestAt: oldest,
    newestAt: newest,
    bytes: (await database.size(TABLES)) ?? null,
    duplicates: (await duplicates()).length,
    behind: await findDesksBehind(database, { workstation, version: VERSION, schema: SCHEMA_VERSION }),
    elsewhere: programs + portal,
    accounts: await listAccounts(database),
  }
  const { open, behind, duplicates: twice } = status
  const notes = [
    ...(open > 0 ? [`${open} with an unknown outcome: freight reconcile looks for them.`] : []),
    ...behind.map(
      (desk) =>
        `${desk.workstation} ${describeUse(desk)}, last seen on ${formatInstant(desk.seenAt)}: update freight there.`,
    ),
    ...(programs > 0 ? [describeStrangers(programs)] : []),
    ...(twice > 0
      ? [`${counted(twice, "order was", "orders were")} made twice: freight today names them.`]
      : []),
  ]
  return { status, notes }
}

function describeUse({ version, schema }: DeskBehind): string {
  if (version === null) return "has not used this version of freight"
  return `uses freight ${version} (schema ${schema}; this one is ${VERSION}, schema ${SCHEMA_VERSION})`
}
