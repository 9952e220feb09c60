/** A posting equals its bill, to the cent, and its GST; the long run has 10,000 of them. */
import { describe, expect, it } from "vitest"
import { ledgerFileIn, openFile, temporaryDir } from "../../ledger/setup.ts"
import { postRandomBills } from "./random-bills.ts"

describe("random bills", () => {
  it("are posted to the cent for each program", async () => {
    const database = openFile(ledgerFileIn(temporaryDir()))
    const { posted, wrong, cleared } = await postRandomBills(database, { count: 200, seed: 1 })
    expect(wrong).toEqual([])
    expect([posted, cleared > 0]).toEqual([600, true])
  })
})
