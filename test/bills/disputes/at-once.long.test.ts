/** As `at-once.test.ts`, on PostgreSQL, of what is posted, taken back, grown and reopened. */
import { describe, expect, it } from "vitest"
import { SERVER } from "../../ledger/postgres.ts"
import { LONG_PAIRS, tryPair } from "./at-once.ts"

describe.runIf(SERVER)("on PostgreSQL, two desks at once", { timeout: 600_000 }, () => {
  it.for(LONG_PAIRS)("%s", async (pair) => {
    expect(await tryPair("PostgreSQL", pair)).toBeGreaterThan(1)
  })
})
