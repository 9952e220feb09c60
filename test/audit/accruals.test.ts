import { expect, it } from "vitest"
import { type AccrualRow, totalAccruals } from "../../src/audit/accruals.ts"

const row = (amount: number | null, changes: Partial<AccrualRow> = {}): AccrualRow => ({
  ...{ bookedAt: "2026-11-20T00:00:00Z", consignment: "C", reference: "R", shipmentId: "S", from: "ledger" },
  ...{ carrier: "CARRIER_B_AU", service: "GEN", gst: "excluded", currency: "AUD", amount },
  ...changes,
})

it("adds up what is not billed by what quotes say of GST, and other currencies by themselves", () => {
  const rows = [row(0.1), row(0.2), row(5, { gst: "unknown" }), row(null), row(20, { currency: "NZD" })]
  expect(totalAccruals(rows)).toEqual({
    consignments: 5,
    unpriced: 1,
    amounts: { excluded: 0.3, unknown: 5 },
    otherCurrencies: [{ currency: "NZD", gst: "excluded", amount: 20 }],
  })
})
