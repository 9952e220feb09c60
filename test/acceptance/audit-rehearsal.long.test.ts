/** The proof of the audit: a month of 5,000 consignments of all carriers, with every kind of mistake in the bills. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { MISTAKES } from "../../src/bills/verdicts.ts"
import { proveAudit } from "./audit-proof.ts"
import { type Rehearsal, rehearse } from "./rehearsals.ts"

const CONSIGNMENTS = 5000

let rehearsal: Rehearsal
beforeAll(async () => {
  rehearsal = await rehearse(CONSIGNMENTS)
}, 600_000)
afterAll(() => rehearsal.stop())

it.each([
  "wrong.csv",
  "wrong.json",
])("of 5,000 consignments an audit of %s finds every mistake, and nothing else", async (file) => {
  const { code, key, consignments, kinds, errors } = await proveAudit(rehearsal, file, 10)
  expect(errors).toEqual([])
  for (const kind of MISTAKES) expect(kinds[kind]).toMatchObject({ found: kinds[kind]?.made, wrong: 0 })
  expect(Math.min(...Object.values(kinds).map(({ made }) => made))).toBeGreaterThan(40)
  expect([code, consignments]).toEqual([1, key.consignments])
})
