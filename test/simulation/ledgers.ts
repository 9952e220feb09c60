/** Real ledgers in memory, on databases that are lost, cut off and torn. */
import { type Database, unusable } from "../../src/ledger/database/database.ts"
import { insertRows } from "../../src/ledger/database/rows.ts"
import { migrate, TABLES } from "../../src/ledger/database/schema.ts"
import { type Driver, openSqlite } from "../../src/ledger/database/sqlite.ts"
import type { Clock } from "../../src/ports.ts"

export interface SimulatedLedger {
  readonly name: string
  /** What the code takes it for: both are SQLite in memory, and differ in their faults. */
  readonly dialect: Database["dialect"]
  /** Without faults. */
  readonly database: Database
  isDown: boolean
  /** The system writes to the disk what no one asked it to write at once. */
  sync(): void
  /** The power is cut: what is not on the disk is lost. */
  tear(): Promise<void>
  copy(): Promise<Copy>
  putBack(copy: Copy): Promise<void>
  /** Counts what was written, in the ledger itself and in the reserve beside it. */
  readonly written: { inLedger: number; inReserve: number }
}

interface Copy {
  tables: { table: (typeof TABLES)[number]; rows: Parameters<typeof insertRows>[2] }[]
  written: number
}

export async function createLedger(
  name: string,
  dialect: Database["dialect"],
  clock: Clock,
  driver: Driver,
): Promise<SimulatedLedger> {
  const disk = openDisk(driver)
  const database = openSqlite(":memory:", { driver: disk.driver, clock })
  await migrate(database)
  disk.sync()
  const written = { inLedger: 0, inReserve: 0 }
  let synced = 0
  const sync = () => {
    disk.sync()
    synced = written.inLedger
  }
  return {
    ...{ name, dialect, database, isDown: false, written, sync },
    async tear() {
      // A transaction of someone who is dead by now ends first.
      await database.all("select 1")
      if (!disk.tear()) return
      Object.assign(written, { inLedger: synced, inReserve: synced })
    },
    async copy() {
      const tables: Copy["tables"] = []
      for (const table of TABLES) tables.push({ table, rows: await database.all(`select * from ${table}`) })
      return { tables, written: written.inLedger }
    },
    async putBack({ tables, written: count }) {
      await database.transaction(async (transaction) => {
        for (const { table, rows } of tables) {
          await transaction.run(`delete from ${table}`)
          await insertRows(transaction, table as "sends", rows)
        }
      })
      written.inLedger = count
    },
  }
}

/**
 * Whether the ledger is an older copy of itself. A small model of the counter in the reserve.
 * @throws FreightError `config`
 */
export function refuseOlderCopy({ name, written }: SimulatedLedger): void {
  if (written.inLedger < written.inReserve)
    throw unusable(name, "it is an older copy of itself", undefined, false)
}

/** A connection whose commits are on the disk at once only where it was asked for: `pragma synchronous = full`. */
function openDisk(driver: Driver) {
  let connection: ReturnType<Driver> | undefined
  let isFull = true
  let hasUnsynced = false
  /** What was committed and is not synced is a transaction around those of the ledger. */
  const unsynced = (sql: string): unknown => {
    if (sql === "begin immediate" && !hasUnsynced) {
      hasUnsynced = true
      connection?.exec(sql)
    }
    const inner = {
      "begin immediate": "savepoint inside",
      commit: "release inside",
      rollback: "rollback to inside; release inside",
    }[sql]
    return connection?.exec(inner ?? sql)
  }
  const end = (sql: string) => {
    if (!hasUnsynced) return false
    hasUnsynced = false
    connection?.exec(sql)
    return true
  }
  return {
    driver: (file: string) => {
      const opened = driver(file)
      connection = opened
      return {
        exec(sql: string) {
          const [, synchronous] = /^pragma synchronous = (\w+)/.exec(sql) ?? []
          if (synchronous !== undefined) isFull = synchronous === "full"
          return isFull ? opened.exec(sql) : unsynced(sql)
        },
        prepare: (sql: string) => opened.prepare(sql),
        close: () => opened.close(),
      }
    },
    sync: () => end("commit"),
    /** @returns whether something was lost */
    tear: () => end("rollback"),
  }
}
