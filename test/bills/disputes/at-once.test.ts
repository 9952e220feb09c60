/**
 * Two desks do something with bills at once: whatever the order of their calls, it is as if one came after the other.
 * A server takes a hundred times as long for an order of calls as a file: `FREIGHT_TEST_AT_ONCE=all` tries all pairs there.
 */
import { describe, expect, it } from "vitest"
import { SERVER } from "../../ledger/postgres.ts"
import { ALL_PAIRS, FIRST_PAIRS, tryPair } from "./at-once.ts"

describe("on SQLite, two desks at once", () => {
  it.for(ALL_PAIRS)("%s", async (pair) => {
    expect(await tryPair("SQLite", pair)).toBeGreaterThan(1)
  })
})

const ON_SERVER = process.env.FREIGHT_TEST_AT_ONCE === "all" ? ALL_PAIRS : FIRST_PAIRS

describe.runIf(SERVER)("on PostgreSQL, two desks at once", () => {
  it.for(ON_SERVER)("%s", async (pair) => {
    expect(await tryPair("PostgreSQL", pair)).toBeGreaterThan(1)
  })
})
