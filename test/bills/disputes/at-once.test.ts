/** Two desks do something with bills at once: whatever the order of their calls, it is as if one came after the other. */
import { describe, expect, it } from "vitest"
import { draw } from "../../drawn.ts"
import { PAIRS, tryPair } from "./at-once.ts"

describe("on SQLite, two desks at once", () => {
  it.for(draw(PAIRS))("%s", async ([, pair]) => {
    expect(await tryPair("SQLite", pair)).toBeGreaterThan(1)
  })
})
