import { describe, expect, it } from "vitest"
import { share } from "../drawn.ts"
import { describeFixes } from "./fixes-random.ts"
import fc from "fast-check"
import { examine } from "../../src/invoice/examine.ts"
import { soundInvoice } from "./random-invoices.ts"

describe("a random valid invoice", () => {
  it("has no finding", () => {
    fc.assert(
      fc.property(soundInvoice, (invoice) => {
        const options = { stage: "canonical", accounting: true, strict: false, rules: {} } as const
        expect(examine(JSON.stringify(invoice), options)).toEqual([])
      }),
      { numRuns: share(300) },
    )
  })
})

// More of them are tried in fixes-random.long.test.ts.
describeFixes(100)
