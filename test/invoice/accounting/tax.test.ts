import { describe, expect, it } from "vitest"
import { type Case, said } from "./setup.ts"

const LINE = "/lineItems/0"
const SUMMARY = "/invoiceSummary"

const part = (taxAmount: number, more = {}) => ({
  taxType: "GST",
  taxRate: 10,
  taxableAmount: 1059.97,
  taxAmount,
  ...more,
})

const cases: readonly Case[] = [
  [
    "a total that lacks the tax of a line",
    { [`${SUMMARY}/taxAmount`]: 100, [`${SUMMARY}/dueAmount`]: 1159.97 },
    [
      "summary-tax /data/invoiceSummary/taxAmount | summary, tax amount: the lines' tax adds up to 106.00, tax amount says 100.00: difference 6.00, perhaps line item 1 was left out | write 106.00 if the other amounts are right",
    ],
  ],
  [
    "a total where one line states the rate of its tax and not the amount",
    {
      [`${LINE}/taxAmount`]: undefined,
      [`${SUMMARY}/taxAmount`]: 100,
      [`${SUMMARY}/dueAmount`]: 1159.97,
    },
    [
      "summary-tax /data/invoiceSummary/taxAmount | summary, tax amount: the lines' tax adds up to 106.00 rounded, tax amount says 100.00: difference 6.00 | write 106.00 if the other amounts are right",
    ],
  ],
  [
    "a total where one line says nothing of its tax",
    {
      [`${LINE}/taxAmount`]: undefined,
      [`${LINE}/taxRate`]: undefined,
      [`${SUMMARY}/taxAmount`]: 100,
      [`${SUMMARY}/dueAmount`]: 1159.97,
    },
    [],
  ],
  [
    "GST on shipping that only the summary has",
    {
      [`${SUMMARY}/shippingAmount`]: 50,
      [`${SUMMARY}/taxAmount`]: 111,
      [`${SUMMARY}/dueAmount`]: 1220.97,
    },
    [],
  ],
  [
    "GST on handling, less that on a discount",
    {
      [`${SUMMARY}/specialHandlingAmount`]: 50,
      [`${SUMMARY}/discountAmount`]: 20,
      [`${SUMMARY}/taxAmount`]: 109,
      [`${SUMMARY}/dueAmount`]: 1198.97,
    },
    [],
  ],
  [
    "a part with swapped digits",
    { [`${SUMMARY}/taxBreakdown`]: [part(160)] },
    [
      "tax-part /data/invoiceSummary/taxBreakdown/0/taxAmount | summary, tax part 1, tax amount: 10% of 1,059.97 is 106.00 rounded, tax amount says 160.00: difference 54.00, perhaps swapped digits | write 106.00 if the other amounts are right",
    ],
  ],
  ["a part that is right", { [`${SUMMARY}/taxBreakdown`]: [part(106)] }, []],
  [
    "a breakdown that is not the total",
    { [`${SUMMARY}/taxBreakdown`]: [part(100, { taxableAmount: 1000 })] },
    [
      "tax-breakdown /data/invoiceSummary/taxAmount | summary, tax amount: the tax breakdown adds up to 100.00, tax amount says 106.00: difference 6.00 | write 100.00 if the other amounts are right",
    ],
  ],
  [
    "a total that neither lines nor breakdown make, said once",
    {
      [`${SUMMARY}/taxBreakdown`]: [part(106)],
      [`${SUMMARY}/taxAmount`]: 160,
      [`${SUMMARY}/dueAmount`]: 1165.97,
    },
    [
      "summary-tax /data/invoiceSummary/taxAmount | summary, tax amount: the lines' tax adds up to 106.00, tax amount says 160.00: difference 54.00, perhaps swapped digits | write 106.00 if the other amounts are right",
    ],
  ],
  [
    "a rate of a tenth",
    { [`${LINE}/taxRate`]: 0.1 },
    [
      "gst-rate /data/lineItems/0/taxRate | line item 1, tax rate: GST is 10% or nothing, not 0.1% | write 10 for 10 percent",
    ],
  ],
  [
    "a rate that GST does not have, on a part",
    { [`${SUMMARY}/taxBreakdown`]: [{ taxType: "GST", taxRate: 12.5 }] },
    [
      "gst-rate /data/invoiceSummary/taxBreakdown/0/taxRate | summary, tax part 1, tax rate: GST is 10% or nothing, not 12.5% | write 10, or 0 for what is free of GST",
    ],
  ],
  [
    "a rate of another tax",
    {
      [`${LINE}/taxRate`]: 20,
      [`${LINE}/taxAmount`]: 11.99,
      [`${SUMMARY}/taxBreakdown`]: [{ taxType: "excise", taxRate: 20 }],
      [`${SUMMARY}/taxAmount`]: 111.99,
      [`${SUMMARY}/dueAmount`]: 1171.96,
    },
    [],
  ],
  [
    "no GST at all",
    {
      [`${LINE}/taxRate`]: 0,
      [`${LINE}/taxAmount`]: 0,
      [`${SUMMARY}/taxAmount`]: 100,
      [`${SUMMARY}/dueAmount`]: 1159.97,
    },
    [],
  ],
]

describe("tax", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })
})
