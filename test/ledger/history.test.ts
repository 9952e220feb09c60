/** Lists of a long ledger. */
import { expect, it } from "vitest"
import type { Database } from "../../src/ledger/database/database.ts"
import { NEVER, readBooked } from "../../src/ledger/records/journeys.ts"
import { ledgerFileIn, openFile, storeIn, temporaryDir } from "./setup.ts"

it("reads a page by the time of its entries, and sorts no whole ledger for it", async () => {
  const database = openFile(ledgerFileIn(temporaryDir()))
  const asked: [string, Parameters<Database["all"]>[1]][] = []
  const watched: Database = {
    ...database,
    all(sql, parameters) {
      asked.push([sql, parameters])
      return database.all(sql, parameters)
    },
  }
  const after = { sentAt: "2026-11-22T00:00:00.000Z", id: "PO-1.1" }
  for (const filter of [{}, { since: "2026-11-15T00:00:00.000Z" }, { scopes: ["freight:a", "print:b"] }])
    await storeIn(watched).history({ ...filter, page: { after, size: 500 } })
  for (const filter of [{}, { scopes: ["freight:a"], since: "2026-11-15T00:00:00.000Z", openSince: NEVER }])
    for await (const _ of readBooked({ database: watched }, filter));
  expect(asked).toHaveLength(5)
  for (const [sql, parameters] of asked) {
    const plan = await database.all(`explain query plan ${sql}`, parameters)
    const steps = plan.map(({ detail }) => detail)
    expect(steps[0], sql).toContain("USING INDEX sends_created")
    expect(steps, sql).not.toContain("USE TEMP B-TREE FOR ORDER BY")
  }
})
