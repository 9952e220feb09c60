/** Months of payments: paid + withheld + set off = billed, to the cent, each once. `months.long.test.ts` lives longer. */
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { systemClock } from "../../../src/machine/host.ts"
import { openSqlite, sqliteDriver } from "../../../src/ledger/database/sqlite.ts"
import { migrate } from "../../../src/ledger/schema.ts"
import { threadedSqlite } from "../../acceptance/threaded-sqlite.ts"
import { temporaryDir } from "../../ledger/setup.ts"
import { payThrough } from "./months.ts"

it("paid, withheld and set off are what was billed, with two desks", { timeout: 120_000 }, async () => {
  const file = path.join(temporaryDir(), "ledger.db")
  const driver = await sqliteDriver(threadedSqlite())
  const [one, other] = [0, 1].map(() => openSqlite(file, { driver, clock: systemClock })) as [never, never]
  for (const each of [one, other] as { close(): Promise<void> }[]) onTestFinished(() => each.close())
  await migrate(one)
  const lived = await payThrough([one, other], { months: 12, seed: 1 })
  expect(lived).toMatchObject({ wrong: [] })
  expect(
    Object.values(lived.did).every((times) => times > 0),
    JSON.stringify(lived.did),
  ).toBe(true)
})
