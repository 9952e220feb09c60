/** Opens the ledger: its database, its tables, and the outcomes that could not be recorded earlier. */
import { existsSync, statSync } from "node:fs"
import path from "node:path"
import { counted } from "../contract/counted.ts"
import type { Clock, Ids } from "../ports.ts"
import { parseLedgerAddress, type PostgresAddress } from "./database/address.ts"
import { type Database, unusable } from "./database/database.ts"
import { LEASE_MS } from "./lease.ts"
import { hasReserve, openOutbox, type Outbox } from "./outbox.ts"
import { releasedMeanwhile } from "./refusals.ts"
import { migrate } from "./database/schema.ts"
import { createStore, type Store } from "./store.ts"

export interface LedgerPorts {
  clock: Clock
  ids: Ids
  /** Node's `node:sqlite`, where this Node has it. */
  sqlite: () => { DatabaseSync: new (file: string) => unknown } | undefined
  password(address: PostgresAddress): Promise<string | undefined>
  leaseMs?: number | undefined
}

interface Place {
  /** The setting; the file in the folder where it has no value. */
  address: string | undefined
  /** Where the value came from, for messages. */
  from: string
  folder: string
}

/** The default: one file in the state folder. */
export function ledgerFile(folder: string): string {
  return path.join(folder, "ledger.db")
}

/** Whether there is a ledger to look into; a server's is taken to be there. */
export function hasLedger({ address, from, folder }: Place): boolean {
  const parsed = parseLedgerAddress(address ?? ledgerFile(folder), from)
  return parsed.dialect === "postgres" || existsSync(parsed.file)
}

/** @throws FreightError when the database cannot be used */
export async function openDatabase(
  address: string,
  from: string,
  ports: LedgerPorts,
  isRead = false,
): Promise<Database> {
  const parsed = parseLedgerAddress(address, from)
  if (parsed.dialect === "postgres") {
    const { openPostgres } = await import("./database/postgres.ts")
    return openPostgres(parsed.address, ports)
  }
  const { openSqlite, sqliteDriver } = await import("./database/sqlite.ts")
  return openSqlite(parsed.file, { driver: await sqliteDriver(ports.sqlite()), clock: ports.clock, isRead })
}

/**
 * @param note gets a line on what was recorded late
 * @param isRead nothing will be written, so a missing file is not created
 * @throws FreightError when the database cannot be used, or a newer freight made it
 */
export async function openLedger(
  { address, from, folder }: Place,
  ports: LedgerPorts,
  note: (text: string) => Promise<void>,
  isRead = false,
): Promise<{ store: Store; outbox: Outbox }> {
  const unrecorded = path.join(folder, "unrecorded")
  if (address === undefined && hasReserve(unrecorded)) refuseEmptied(ledgerFile(folder))
  const database = await openDatabase(address ?? ledgerFile(folder), from, ports, isRead)
  try {
    await migrate(database)
    const store = createStore(database, { ids: ports.ids, leaseMs: ports.leaseMs ?? LEASE_MS })
    const outbox = openOutbox(unrecorded, database.place)
    const taken = await outbox.takeIn(store)
    const recorded = taken.filter(({ isRecorded }) => isRecorded).length
    if (recorded > 0)
      await note(
        `${counted(recorded, "outcome that could not be recorded earlier is", "outcomes that could not be recorded earlier are")} now in the ledger.`,
      )
    for (const { entry, isRecorded } of taken)
      if (!isRecorded && entry.state === "done") {
        const { message, hint } = releasedMeanwhile(entry)
        await note(`${message}. ${hint}`)
      }
    if (!isRead) outbox.reserve()
    return { store, outbox }
  } catch (error) {
    await database.close().catch(() => {})
    throw error
  }
}

/** SQLite takes an empty file for a new ledger: what was sent before would be forgotten. */
function refuseEmptied(file: string): void {
  if (existsSync(file) && statSync(file).size === 0)
    throw unusable(
      file,
      "the file is empty, and a ledger was in it: put a copy of it back, or move the file away",
      undefined,
      false,
    )
}
