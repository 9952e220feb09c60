import { describe, expect, it } from "vitest"
import { type Case, said } from "./setup.ts"

const LINE = "/lineItems/0"
const SUMMARY = "/invoiceSummary"

const cases: readonly Case[] = [
  [
    "a subtotal with swapped digits",
    { [`${SUMMARY}/subtotal`]: 1095.97 },
    [
      "summary-subtotal /data/invoiceSummary/subtotal | summary, subtotal: lines add up to 1,059.97, subtotal says 1,095.97: difference 36.00, perhaps swapped digits | write 1059.97 if the other amounts are right",
    ],
  ],
  [
    "a subtotal that lacks a line",
    { [`${SUMMARY}/subtotal`]: 59.97 },
    [
      "summary-subtotal /data/invoiceSummary/subtotal | summary, subtotal: lines add up to 1,059.97, subtotal says 59.97: difference 1,000.00, perhaps line item 2 was left out | write 1059.97 if the other amounts are right",
    ],
  ],
  [
    "a subtotal that has a line twice",
    { [`${SUMMARY}/subtotal`]: 1119.94 },
    [
      "summary-subtotal /data/invoiceSummary/subtotal | summary, subtotal: lines add up to 1,059.97, subtotal says 1,119.94: difference 59.97, perhaps line item 1 was counted twice | write 1059.97 if the other amounts are right",
    ],
  ],
  [
    "a subtotal with the tax in it",
    { [`${SUMMARY}/subtotal`]: 1165.97 },
    [
      "summary-subtotal /data/invoiceSummary/subtotal | summary, subtotal: lines add up to 1,059.97, subtotal says 1,165.97: difference 106.00, perhaps the tax was added in | write 1059.97 if the other amounts are right",
    ],
  ],
  [
    "a subtotal a cent off, where no line was rounded",
    { [`${SUMMARY}/subtotal`]: 1059.98 },
    [
      "summary-subtotal /data/invoiceSummary/subtotal | summary, subtotal: lines add up to 1,059.97, subtotal says 1,059.98: difference 0.01 | write 1059.97 if the other amounts are right",
    ],
  ],
  [
    "shipping that is neither the lines' nor the section's nor both",
    {
      [`${LINE}/shippingAmount`]: 5,
      "/shipping": { amount: 20 },
      [`${SUMMARY}/shippingAmount`]: 31,
      [`${SUMMARY}/dueAmount`]: 1190.97,
    },
    [
      "summary-shipping /data/invoiceSummary/shippingAmount | summary, shipping amount: the lines' shipping of 5.00 and the shipping section's 20.00 make 25.00, shipping amount says 31.00: difference 6.00 | write 25.00 if the other amounts are right",
    ],
  ],
  [
    "shipping that is not the lines'",
    {
      [`${LINE}/shippingAmount`]: 5,
      [`${SUMMARY}/shippingAmount`]: 50,
      [`${SUMMARY}/dueAmount`]: 1170.97,
    },
    [
      "summary-shipping /data/invoiceSummary/shippingAmount | summary, shipping amount: the lines' shipping adds up to 5.00, shipping amount says 50.00: difference 45.00, perhaps a slipped decimal point | write 5.00 if the other amounts are right",
    ],
  ],
  [
    "shipping that is not the section's",
    {
      "/shipping": { amount: 20 },
      [`${SUMMARY}/shippingAmount`]: 25,
      [`${SUMMARY}/dueAmount`]: 1185.97,
    },
    [
      "summary-shipping /data/invoiceSummary/shippingAmount | summary, shipping amount: the shipping section says 20.00, shipping amount says 25.00: difference 5.00 | write 20.00 if the other amounts are right",
    ],
  ],
  [
    "shipping of lines and section together",
    {
      [`${LINE}/shippingAmount`]: 5,
      "/shipping": { amount: 20 },
      [`${SUMMARY}/shippingAmount`]: 25,
      [`${SUMMARY}/dueAmount`]: 1190.97,
    },
    [],
  ],
  [
    "shipping that only the summary has",
    { [`${SUMMARY}/shippingAmount`]: 5, [`${SUMMARY}/dueAmount`]: 1170.97 },
    [],
  ],
  [
    "a discount below that of the lines",
    {
      [`${LINE}/discountAmount`]: 10,
      [`${SUMMARY}/discountAmount`]: 1,
      [`${SUMMARY}/dueAmount`]: 1155.97,
    },
    [
      "summary-discount /data/invoiceSummary/discountAmount | summary, discount amount: the lines' discounts add up to 10.00, discount amount says 1.00: difference 9.00, perhaps a slipped decimal point | write 10.00 if the other amounts are right",
    ],
  ],
  [
    "a discount above that of the lines",
    {
      [`${LINE}/discountAmount`]: 10,
      [`${SUMMARY}/discountAmount`]: 15,
      [`${SUMMARY}/dueAmount`]: 1150.97,
    },
    [],
  ],
  [
    "a gross without the handling",
    { [`${SUMMARY}/specialHandlingAmount`]: 14, [`${SUMMARY}/grossAmount`]: 1165.97 },
    [
      "summary-gross /data/invoiceSummary/grossAmount | summary, gross amount: subtotal 1,059.97 plus tax amount 106.00 plus special handling amount 14.00 is 1,179.97, gross amount says 1,165.97: difference 14.00, perhaps the special handling was left out | write 1179.97 if the other amounts are right",
    ],
  ],
  [
    "a net with the discount added",
    {
      [`${SUMMARY}/grossAmount`]: 1165.97,
      [`${SUMMARY}/discountAmount`]: 20,
      [`${SUMMARY}/netAmount`]: 1185.97,
      [`${SUMMARY}/dueAmount`]: 1145.97,
    },
    [
      "summary-net /data/invoiceSummary/netAmount | summary, net amount: gross amount 1,165.97 less discount amount 20.00 is 1,145.97, net amount says 1,185.97: difference 40.00 | write 1145.97 if the other amounts are right",
    ],
  ],
  [
    "a due amount without the deposit",
    { [`${SUMMARY}/netAmount`]: 1165.97, [`${SUMMARY}/depositAmount`]: 165.97 },
    [
      "summary-due /data/invoiceSummary/dueAmount | summary, due amount: net amount 1,165.97 less deposit amount 165.97 is 1,000.00, due amount says 1,165.97: difference 165.97, perhaps the deposit was not taken off | write 1000.00 if the other amounts are right",
    ],
  ],
  [
    "a due amount without the tax, gross and net not stated",
    { [`${SUMMARY}/dueAmount`]: 1059.97 },
    [
      "summary-due /data/invoiceSummary/dueAmount | summary, due amount: subtotal 1,059.97 plus tax amount 106.00 is 1,165.97, due amount says 1,059.97: difference 106.00, perhaps the tax was left out | write 1165.97 if the other amounts are right",
    ],
  ],
  [
    "a due amount with the wrong sign, said once",
    { [`${SUMMARY}/dueAmount`]: -1165.97 },
    [
      "summary-due /data/invoiceSummary/dueAmount | summary, due amount: subtotal 1,059.97 plus tax amount 106.00 is 1,165.97, due amount says -1,165.97: difference 2,331.94, perhaps the wrong sign | write 1165.97 if the other amounts are right",
    ],
  ],
  [
    "every amount of the summary, all right",
    {
      [`${SUMMARY}/specialHandlingAmount`]: 14,
      [`${SUMMARY}/grossAmount`]: 1179.97,
      [`${SUMMARY}/discountAmount`]: 79.97,
      [`${SUMMARY}/netAmount`]: 1100,
      [`${SUMMARY}/depositAmount`]: 100,
      [`${SUMMARY}/dueAmount`]: 1000,
    },
    [],
  ],
]

describe("the summary", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })

  it("names no single line when several have the amount that is missing", () => {
    const line = (number: number) => ({
      invoiceLineNumber: number,
      description: "Lamp",
      quantity: 1,
      unitPrice: 7,
      subtotal: 7,
    })
    const [first] = said({
      "/lineItems": [line(1), line(2), line(3)],
      [SUMMARY]: { subtotal: 14, taxAmount: 0, dueAmount: 14 },
    })
    expect(first).toContain("difference 7.00, perhaps a line of 7.00 was left out")
  })

  it.each([
    ["three thirds rounded apart and together", 1, []],
    ["two cents more than three halves allow", 1.02, ["summary-subtotal"]],
  ])("%s", (_, subtotal, rules) => {
    const line = (number: number) => ({
      invoiceLineNumber: number,
      description: "Lamp",
      quantity: 1,
      unitPrice: 0.3333,
      subtotal: 0.33,
    })
    const found = said({
      "/lineItems": [line(1), line(2), line(3)],
      [SUMMARY]: { subtotal, taxAmount: 0, dueAmount: subtotal },
    })
    expect(found.map((remark) => remark.split(" ")[0])).toEqual(rules)
  })
})
