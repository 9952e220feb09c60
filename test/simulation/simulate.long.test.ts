/** No double booking and none lost, whatever happens. `npm run simulate -- --seed N --steps M` runs it longer. */
import { describe, expect, it } from "vitest"
import { synchronousDriver as driver } from "./driver.ts"
import { findingsIn } from "./report.ts"
import { simulate } from "./simulate.ts"

const STEPS = Number(process.env.FREIGHT_TEST_STEPS ?? 3_000)
const SEED = Number(process.env.FREIGHT_TEST_SEED ?? 20_261_122)

describe(`a simulation of ${STEPS} steps (FREIGHT_TEST_SEED=${SEED})`, () => {
  it("books nothing twice, loses nothing and answers each order rightly", async ({ annotate }) => {
    const report = await simulate(SEED, STEPS, driver)
    await annotate(JSON.stringify(report))
    expect(findingsIn(report)).toEqual({ double: [], lost: [], wrong: [], early: [], stuck: [] })
    expect(Object.keys(report.faults).length).toBeGreaterThan(12)
  }, 3_600_000)

  it("is the same again for the same seed", async () => {
    const [one, two] = [await simulate(7, 500, driver), await simulate(7, 500, driver)]
    expect(two).toEqual(one)
  })
})
