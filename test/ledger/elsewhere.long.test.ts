/** Two hundred rounds of the same files at ledgers that share nothing: minutes, hours and days apart. */
import { expect, it } from "vitest"
import { playRounds } from "./elsewhere-rounds.ts"

it.each([
  [2, 100],
  [3, 60],
  [5, 40],
])("%i ledgers make no double in %i rounds where one had ended before the next looked", async (desks, rounds) => {
  const played = await playRounds({ seed: 100 + desks, rounds, desks })
  expect(played.doublesAfterEnd).toEqual([])
  expect(played.elsewhere).toBeGreaterThan(rounds)
  // Two that look before either has sent can both send: it is counted, and told in docs/ledger.md.
  expect(played.doublesAtOnce).toBeGreaterThan(0)
})
