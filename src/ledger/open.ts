/** Opens the ledger: its database, its tables, and the outcomes that could not be recorded earlier. */
import path from "node:path"
import { counted } from "../base/counted.ts"
import type { Clock, Ids } from "../base/ports.ts"
import { turns } from "../base/turns.ts"
import { parseLedgerAddress, type PostgresAddress } from "./database/address.ts"
import type { Database } from "./database/database.ts"
import { LEASE_MS } from "./lease.ts"
import { type Guard, guardFile } from "./lost.ts"
import { openOutbox, type Outbox } from "./outbox.ts"
import { releasedMeanwhile } from "./refusals.ts"
import { openReserve } from "./reserve.ts"
import { createStore, type Store } from "./store.ts"
import { findVersion, SCHEMA_VERSION } from "./version.ts"

export interface LedgerPorts {
  clock: Clock
  ids: Ids
  /** Node's `node:sqlite`, where this Node has it. */
  sqlite: () => { DatabaseSync: new (file: string) => unknown } | undefined
  password(address: PostgresAddress): Promise<string | undefined>
  leaseMs?: number | undefined
  /** Aborts a command that only reads. */
  signal?: AbortSignal | undefined
}

interface LedgerLocation {
  /** The setting; the file in the folder where it has no value. */
  address: string | undefined
  /** The setting or flag that gave the value, for messages. */
  from: string
  folder: string
}

/** The default: one file in the state folder. */
export function ledgerFile(folder: string): string {
  return path.join(folder, "ledger.db")
}

/** Whether there is, or was, a ledger to read; a server's is assumed to exist. */
export function hasLedger(place: LedgerLocation): boolean {
  return guardOf(place)?.isKnown !== false
}

function unrecordedIn(folder: string): string {
  return path.join(folder, "unrecorded")
}

/** A server's ledger is not guarded: it has backups of its own. */
function guardOf({ address, from, folder }: LedgerLocation): Guard | undefined {
  const parsed = parseLedgerAddress(address ?? ledgerFile(folder), from)
  return parsed.dialect === "sqlite"
    ? guardFile(parsed.file, folder, openReserve(unrecordedIn(folder)))
    : undefined
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
 * Aborts reads once the command is to end. SQLite reads synchronously, and signals are heard only between turns of the
 * event loop: without these turns a command of many reads would go on to its end. Writes are always completed.
 */
function interruptible(database: Database, signal: AbortSignal): Database {
  return {
    ...database,
    async all(sql, parameters) {
      await turns(1)
      signal.throwIfAborted()
      return database.all(sql, parameters)
    },
  }
}

/**
 * @param note gets a line about outcomes recorded late
 * @param isRead only reads, so a missing file is not created
 */
export async function openLedger(
  place: LedgerLocation,
  ports: LedgerPorts,
  note: (text: string) => Promise<void>,
  isRead = false,
): Promise<{ store: Store; outbox: Outbox }> {
  const { address, from, folder } = place
  const guard = guardOf(place)
  guard?.checkFile()
  const whole = await openDatabase(address ?? ledgerFile(folder), from, ports, isRead)
  const opened = isRead && ports.signal ? interruptible(whole, ports.signal) : whole
  try {
    await guard?.check(opened)
    if ((await findVersion(opened)) !== SCHEMA_VERSION)
      await (await import("./schema.ts")).migrate(opened, note)
    const database = guard?.watch(opened) ?? opened
    const store = createStore(database, { ids: ports.ids, leaseMs: ports.leaseMs ?? LEASE_MS })
    const outbox = openOutbox(unrecordedIn(folder), database.place)
    const taken = await outbox.takeIn(store)
    const recorded = taken.filter(({ isRecorded }) => isRecorded).length
    if (recorded > 0)
      await note(
        `${counted(recorded, "outcome that could not be recorded earlier is", "outcomes that could not be recorded earlier are")} now in the ledger.`,
      )
    for (const { entry, isRecorded, error } of taken)
      if (!isRecorded && entry.state === "done") {
        const { message, hint } = error ?? releasedMeanwhile(entry)
        await note(`${message}. ${hint}`)
      }
    if (!isRead) {
      openReserve(unrecordedIn(folder)).setAside()
      await guard?.note(database)
    }
    return { store, outbox }
  } catch (error) {
    await opened.close().catch(() => {})
    throw error
  }
}
