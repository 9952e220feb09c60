/**
 * Months of payments: paid + withheld + set off = billed, to the cent, each bill once, with two desks at once.
 * `FREIGHT_TEST_MONTHS=1000` lives longer: some months in each of many ledgers.
 */
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { systemClock } from "../../../src/machine/host.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import { openSqlite, sqliteDriver } from "../../../src/ledger/database/sqlite.ts"
import { migrate } from "../../../src/ledger/schema.ts"
import { threadedSqlite } from "../../acceptance/threaded-sqlite.ts"
import { connectTo, newDatabase, SERVER } from "../../ledger/postgres.ts"
import { temporaryDir } from "../../ledger/setup.ts"
import { payThrough } from "./months.ts"

const MONTHS = Number(process.env.FREIGHT_TEST_MONTHS ?? 60)
const OF_A_LEDGER = 20

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
    "each bill is paid once, and its cents add up in every month",
    { timeout: 7_200_000 },
    async () => {
      const did: Record<string, number> = {}
      for (let seed = 1; seed <= Math.ceil(MONTHS / OF_A_LEDGER); seed++) {
        const [one, other] = (await open()) as [Database, Database]
        await migrate(one)
        const lived = await payThrough([one, other], { months: OF_A_LEDGER, seed })
        expect(lived.wrong, `seed ${seed}`).toEqual([])
        for (const [what, times] of Object.entries(lived.did)) did[what] = (did[what] ?? 0) + times
      }
      expect(
        Object.values(did).every((times) => times > 0),
        JSON.stringify(did),
      ).toBe(true)
    },
  )
})
