/** Random bills (`FREIGHT_TEST_BILLS=10000` makes more): what is posted is the bill to the cent, and its GST. Desks at once post a bill once. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { csvBill } from "../../acceptance/bills.ts"
import { desk } from "../../acceptance/freight.ts"
import { ledgerFileIn, openFile, temporaryDir } from "../../ledger/setup.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import { migrate } from "../../../src/ledger/schema.ts"
import { connectTo, newDatabase, SERVER } from "../../ledger/postgres.ts"
import { postAtOnce, postRandomBills } from "./random-bills.ts"

describe("random bills", () => {
  it("are posted to the cent for each program", { timeout: 900_000 }, async () => {
    const count = Number(process.env.FREIGHT_TEST_BILLS ?? 2_000)
    const database = openFile(ledgerFileIn(temporaryDir()))
    const { posted, wrong, cleared } = await postRandomBills(database, { count, seed: 2 })
    expect(wrong).toEqual([])
    expect([posted, cleared > 0]).toEqual([count * 3, true])
  })
})

describe("desks at once", () => {
  it.runIf(SERVER)("post a bill once in PostgreSQL", async () => {
    const address = await newDatabase()
    const databases = [await connectTo(address), await connectTo(address), await connectTo(address)]
    await migrate(databases[0] as Database)
    expect(await postAtOnce(databases)).toEqual({ made: 1, texts: 1 })
  })

  it("post a bill once, and all get the same file", async () => {
    const { folder, binary } = await desk()
    const file = path.join(folder, "bill.csv")
    await writeFile(file, csvBill([{ consignment: "DEMO-A-BILLED", cents: 1000 }]))
    await binary(["audit", file, "--sandbox"])
    const post = ["post", file, "--sandbox", "--for", "xero", "--account", "429", "--due", "30 days"]
    const ran = await Promise.all([1, 2, 3, 4].map(() => binary(post)))
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(new Set(ran.map(({ stdout }) => stdout)).size).toBe(1)
    expect(ran.filter(({ stderr }) => stderr.includes("Posted 1 bill"))).toHaveLength(1)
    expect(ran.filter(({ stderr }) => stderr.includes("nothing was posted twice"))).toHaveLength(3)
  })
})
