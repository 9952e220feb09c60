/** The cents of random bills are the same wherever they are told, and what is told of them makes sense. */
import { describe, expect, it } from "vitest"
import { describeRate } from "../../src/bills/gst.ts"
import { findNonsense } from "../nonsense.ts"
import { liveMonths } from "./random-months.ts"

describe("random bills", () => {
  it("have the same cents in audit, disputes, postings, statement, accruals and spending, and each day's accruals again", async () => {
    const { wrong, bills, did, messages } = await liveMonths({ months: 2, days: 6, seed: 1 })
    expect(wrong).toEqual([])
    expect(bills).toBe(12)
    expect(
      Object.values(did).every((times) => times > 0),
      JSON.stringify(did),
    ).toBe(true)
    expect([...messages].filter((message) => findNonsense(message) !== undefined)).toEqual([])
  })
})

describe("nonsense in figures", () => {
  it.each([
    "GST is 474.97, -3074.2 % of -15.45; 10 % is -1.55",
    "its taxable amounts add up to 601.38, which does not cover the subtotal of 601.38",
    "10.00 and GST of 1.00 are not NaN with GST",
    "the difference is -0.00",
  ])("is found: %s", (message) => {
    expect(findNonsense(message)).toBeDefined()
  })

  it("is not in what is said of GST, whatever signs its amounts have", () => {
    const amounts = [-47_497, -1545, -5, 0, 5, 1545, 1865, 60_138]
    const said = amounts.flatMap((exGst) => amounts.map((gst) => describeRate(exGst, gst)))
    expect(said.filter((message) => findNonsense(message) !== undefined)).toEqual([])
  })
})
