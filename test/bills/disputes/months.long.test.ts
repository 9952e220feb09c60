/** Months of disputes: each is raised once, ends in one state, and its cents add up. `FREIGHT_TEST_MONTHS=1000` lives longer. */
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { createStore } from "../../../src/ledger/store.ts"
import { connectTo, newDatabase, SERVER } from "../../ledger/postgres.ts"
import { openSqlite, sqliteDriver } from "../../../src/ledger/database/sqlite.ts"
import { threadedSqlite } from "../../acceptance/threaded-sqlite.ts"
import { temporaryDir } from "../../ledger/setup.ts"
import { systemClock, systemIds } from "../../../src/machine/host.ts"
import { migrate } from "../../../src/ledger/schema.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import { liveThrough } from "./months.ts"

const storeOf = (database: Database) => createStore(database, { ids: systemIds, leaseMs: 30_000 })

const KINDS = [
  {
    name: "SQLite",
    isThere: true,
    async open() {
      const file = path.join(temporaryDir(), "ledger.db")
      const driver = await sqliteDriver(threadedSqlite())
      const opened = [0, 1].map(() => openSqlite(file, { driver, clock: systemClock }))
      for (const each of opened) onTestFinished(() => each.close())
      return opened
    },
  },
  {
    name: "PostgreSQL",
    isThere: SERVER !== undefined,
    async open() {
      const address = await newDatabase()
      return [await connectTo(address), await connectTo(address)]
    },
  },
]

describe.each(KINDS)("in $name", ({ isThere, open }) => {
  it.runIf(isThere)(
    "each dispute is settled to the cent, and none passes its last day unseen",
    {
      timeout: 3_600_000,
    },
    async () => {
      const [one, other] = (await open()) as [Database, Database]
      await migrate(one)
      const months = Number(process.env.FREIGHT_TEST_MONTHS ?? 60)
      const lived = await liveThrough([storeOf(one), storeOf(other)], { months, seed: 1 })
      expect(lived).toMatchObject({ unbalanced: 0, wrong: [], open: 0, deadlinesUnseen: 0 })
      // Nothing is left on the clearing account, and each of it was done.
      expect(lived.clearing).toBe(0)
      expect(
        Object.values(lived.did).every((times) => times > 0),
        JSON.stringify(lived.did),
      ).toBe(true)
      expect(Object.keys(lived.byState).sort()).toEqual(["credited", "denied", "written-off"])
      expect(lived.disputes).toBeGreaterThan(months * 3)
    },
  )
})
