/** Real ledgers in memory, on databases that are lost, cut off and torn. */
import type { Database, DatabaseRow } from "../../src/ledger/database/database.ts"
import { insertRows, type Table } from "../../src/ledger/database/sql.ts"
import { migrate, TABLES } from "../../src/ledger/schema.ts"
import { type Driver, openSqlite } from "../../src/ledger/database/sqlite.ts"
import type { Mark, Reserve } from "../../src/ledger/reserve.ts"
import type { Clock } from "../../src/base/ports.ts"

export interface SimulatedLedger {
  readonly name: string
  /** The dialect that the code assumes. Both are SQLite in memory, with different faults. */
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
  /** How far the ledger is, as the desk keeps it beside the file. */
  readonly reserve: Pick<Reserve, "read" | "write">
}

export type Copy = { table: Table; rows: DatabaseRow[] }[]

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
  let mark: Mark | undefined
  let synced: Mark | undefined
  const reserve = {
    read: () => mark,
    write(_: string, newest: Mark | undefined) {
      mark = newest
    },
  }
  return {
    ...{ name, dialect, database, isDown: false, reserve },
    sync() {
      disk.sync()
      synced = mark
    },
    async tear() {
      // A transaction of someone who is dead by now ends first.
      await database.all("select 1")
      // The reserve is never synced: it may be as old as what is left of the ledger.
      if (disk.tear()) mark = synced
    },
    async copy() {
      const copy: Copy = []
      for (const table of TABLES as readonly Table[])
        copy.push({ table, rows: await database.all(`select * from ${table}`) })
      return copy
    },
    async putBack(copy) {
      await database.transaction(async (transaction) => {
        for (const { table } of copy) await transaction.run(`delete from ${table}`)
        for (const { table, rows } of copy) await insertRows(transaction, table, rows)
        const [counted] = copy
          .filter(({ table }) => String(table) === "ledger_mark")
          .flatMap(({ rows }) => rows)
        await transaction.run("update ledger_mark set count = ?", [counted?.count ?? 0])
      })
    },
  }
}

/** A connection whose commits are on the disk at once only where it was asked for: `pragma synchronous = full`. */
function openDisk(driver: Driver) {
  let connection: ReturnType<Driver> | undefined
  let isFull = true
  let hasUnsynced = false
  /** Commits that are not synced are in a transaction around those of the ledger. */
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
