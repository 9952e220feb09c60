/** Two desks do something with bills at once: whatever the order of their calls, it is as if one came after the other. */
import { describe, expect, it } from "vitest"
import { SERVER } from "../../ledger/postgres.ts"
import { ALL_PAIRS, SHORT_PAIRS, tryPair } from "./at-once.ts"

describe("on SQLite, two desks at once", () => {
  it.for(ALL_PAIRS)("%s", async (pair) => {
    expect(await tryPair("SQLite", pair)).toBeGreaterThan(1)
  })
})

describe.runIf(SERVER)("on PostgreSQL, two desks at once", () => {
  it.for(SHORT_PAIRS)("%s", async (pair) => {
    expect(await tryPair("PostgreSQL", pair)).toBeGreaterThan(1)
  })
})
