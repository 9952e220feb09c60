/**
 * Random months, drawn by `FREIGHT_TEST_SEED`: what is billed, disputed, posted, accrued and spent has the same cents in
 * every report, and what is accrued as at a day is what was printed then. `FREIGHT_TEST_CLERK_MONTHS=1000` lives longer.
 */
import { expect, it } from "vitest"
import { findNonsense } from "../nonsense.ts"
import { liveMonths } from "./random-months.ts"

const SEED = Number(process.env.FREIGHT_TEST_SEED ?? 20_261_129)
const MONTHS = Number(process.env.FREIGHT_TEST_CLERK_MONTHS ?? 5)
const DAYS = 8

it(`random bills close to the cent, and each day's accruals again (FREIGHT_TEST_SEED=${SEED})`, {
  timeout: 3_600_000,
}, async () => {
  const { wrong, bills, messages } = await liveMonths({ months: MONTHS, days: DAYS, seed: SEED })
  expect(wrong).toEqual([])
  expect(bills).toBe(MONTHS * DAYS)
  expect([...messages].filter((message) => findNonsense(message) !== undefined)).toEqual([])
})
