/** As `at-once.test.ts`, on PostgreSQL: where a posting meets an audit, or another posting. */
import { describe, expect, it } from "vitest"
import { SERVER } from "../../ledger/postgres.ts"
import { draw } from "../../drawn.ts"
import { PAIRS, tryPair } from "./at-once.ts"

describe.runIf(SERVER)("on PostgreSQL, two desks at once", { timeout: 600_000 }, () => {
  it.for(draw(PAIRS.filter(([, { isLong }]) => isLong)))("%s", async ([, pair]) => {
    expect(await tryPair("PostgreSQL", pair)).toBeGreaterThan(1)
  })
})
