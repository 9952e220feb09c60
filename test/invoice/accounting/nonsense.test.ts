/** No message about an invoice says that a figure is not what it is. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { examine } from "../../../src/invoice/examine.ts"
import { findNonsense } from "../../nonsense.ts"
import { slippedInvoice } from "../random-invoices.ts"
import { said } from "./setup.ts"

const OPTIONS = { stage: "canonical", accounting: true, strict: false, rules: {} } as const

it("no finding says that a figure differs from the same figure, whatever is wrong", () => {
  let messages = 0
  fc.assert(
    fc.property(slippedInvoice, (invoice) => {
      const found = examine(JSON.stringify(invoice), OPTIONS).map(({ message }) => message)
      messages += found.length
      expect(found.filter((message) => findNonsense(message) !== undefined)).toEqual([])
    }),
    { seed: 74, numRuns: 300 },
  )
  expect(messages).toBeGreaterThan(100)
})

it.each([
  [1059.97, 1059.97],
  [1059.965, 1059.97],
  [1059.9701, 1059.97],
  [1059.97, 1059.974],
  [1059.9551, 1059.97],
  [1059.9449, 1059.97],
  [-1059.97, 1059.97],
])("no finding says that a taxable amount of %d differs from a subtotal of %d", (taxableAmount, subtotal) => {
  const part = { taxType: "GST", taxRate: 10, taxableAmount, taxAmount: 106 }
  const messages = said({
    "/invoiceSummary/subtotal": subtotal,
    "/invoiceSummary/taxBreakdown": [part],
  })
  expect(messages.filter((message) => findNonsense(message) !== undefined)).toEqual([])
})
