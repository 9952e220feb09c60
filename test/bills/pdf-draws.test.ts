/** Bills in PDFs whose columns, papers, figures, levies and fonts are drawn by lot; pdf-seeds.long.test.ts draws more. */
import { expect, it } from "vitest"
import { bookedDatabase } from "./desk.ts"
import { tryDrawnBills } from "./pdf-draws.ts"

const COUNT = 30
/** Drawn once, and read wrongly. */
const FOUND = [862]
/** One whose columns overlap: a digit of the amounts with GST was read with the column beside it. */
const OVERLAPS = 20_374
const database = await bookedDatabase()

it.each(FOUND)("bill %s, which was read wrongly, has the cents of its CSV twin", async (from) => {
  const { wrong, counts, refusals } = await tryDrawnBills(database, { from, count: 1 })
  expect([wrong, refusals, counts.read]).toEqual([[], [], 1])
})

it("a bill that is drawn by lot has the cents of its CSV twin, or is refused", async () => {
  const { wrong, counts, refusals } = await tryDrawnBills(database, { count: COUNT })
  expect(wrong).toEqual([])
  expect(counts.read, refusals.join("\n")).toBeGreaterThan((COUNT - counts.wronglyMade) / 2)
})

it("a row whose amounts contradict each other is refused where no sums prove that it is printed so", async () => {
  const { wrong, refusals } = await tryDrawnBills(database, { from: OVERLAPS, count: 1 })
  expect([wrong, refusals]).toEqual([
    [],
    [
      expect.stringContaining(
        "page 1, line 6: 22.60 and GST of 2.26 are not 4.86 with GST, and the sums of the invoice do not prove which is right; nothing was audited",
      ),
    ],
  ])
})
