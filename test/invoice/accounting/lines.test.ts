import { describe, expect, it } from "vitest"
import { type Case, raw, said } from "./setup.ts"

const LINE = "/lineItems/0"

const cases: readonly Case[] = [
  ["the sound invoice", {}, []],
  [
    "a subtotal with swapped digits",
    { [`${LINE}/subtotal`]: 95.97 },
    [
      "line-subtotal /data/lineItems/0/subtotal | line item 1, subtotal: 3 × 19.99 is 59.97, subtotal says 95.97: difference 36.00, perhaps swapped digits | write 59.97 if the other amounts are right",
    ],
  ],
  [
    "a subtotal with the wrong sign",
    { [`${LINE}/subtotal`]: -59.97 },
    [
      "line-subtotal /data/lineItems/0/subtotal | line item 1, subtotal: 3 × 19.99 is 59.97, subtotal says -59.97: difference 119.94, perhaps the wrong sign | write 59.97 if the other amounts are right",
    ],
  ],
  [
    "a subtotal with the tax in it",
    { [`${LINE}/subtotal`]: 65.97 },
    [
      "line-subtotal /data/lineItems/0/subtotal | line item 1, subtotal: 3 × 19.99 is 59.97, subtotal says 65.97: difference 6.00, perhaps the tax was added in | write 59.97 if the other amounts are right",
    ],
  ],
  [
    "a subtotal a cent off, from a price of four decimals",
    { [`${LINE}/quantity`]: 1250, [`${LINE}/unitPrice`]: raw("0.0479"), [`${LINE}/subtotal`]: 59.97 },
    [
      "line-subtotal /data/lineItems/0/subtotal | line item 1, subtotal: 1,250 × 0.0479 is 59.88 rounded, subtotal says 59.97: difference 0.09 | write 59.88 if the other amounts are right",
    ],
  ],
  ["half a cent rounded up", rounded("59.965", "59.97"), []],
  ["half a cent rounded to even", rounded("59.965", "59.96"), []],
  [
    "a cent cut off instead of rounded",
    rounded("59.9699", "59.96"),
    [
      "line-subtotal /data/lineItems/0/subtotal | line item 1, subtotal: 1 × 59.9699 is 59.97 rounded, subtotal says 59.96: difference 0.01 | write 59.97 if the other amounts are right",
    ],
  ],
  [
    "a tax with a slipped point",
    { [`${LINE}/taxAmount`]: 0.6 },
    [
      "line-tax /data/lineItems/0/taxAmount | line item 1, tax amount: 10% of 59.97 is 6.00 rounded, tax amount says 0.60: difference 5.40, perhaps a slipped decimal point | write 6.00 if the other amounts are right",
    ],
  ],
  [
    "a tax on the line's shipping too",
    {
      [`${LINE}/shippingAmount`]: 10,
      [`${LINE}/taxAmount`]: 7,
      "/invoiceSummary/taxAmount": 107,
      "/invoiceSummary/dueAmount": 1176.97,
    },
    [],
  ],
  [
    "a tax on the discounted price",
    {
      [`${LINE}/discountAmount`]: 10,
      [`${LINE}/taxAmount`]: 5,
      "/invoiceSummary/taxAmount": 105,
      "/invoiceSummary/dueAmount": 1154.97,
    },
    [],
  ],
  [
    "a gross without the tax",
    { [`${LINE}/grossAmount`]: 59.97 },
    [
      "line-gross /data/lineItems/0/grossAmount | line item 1, gross amount: subtotal 59.97 plus tax amount 6.00 is 65.97, gross amount says 59.97: difference 6.00, perhaps the tax was left out | write 65.97 if the other amounts are right",
    ],
  ],
  ["a gross that is right", { [`${LINE}/grossAmount`]: 65.97 }, []],
  [
    "a gross taxed by the rate alone",
    { [`${LINE}/taxAmount`]: undefined, [`${LINE}/grossAmount`]: 65.97 },
    [],
  ],
  [
    "a net without the discount",
    {
      [`${LINE}/grossAmount`]: 65.97,
      [`${LINE}/discountAmount`]: 5,
      [`${LINE}/netAmount`]: 65.97,
      "/invoiceSummary/dueAmount": 1160.97,
    },
    [
      "line-net /data/lineItems/0/netAmount | line item 1, net amount: gross amount 65.97 less discount amount 5.00 is 60.97, net amount says 65.97: difference 5.00, perhaps the discount was not taken off | write 60.97 if the other amounts are right",
    ],
  ],
  [
    "a net that is not the gross, where there is nothing to take off",
    { [`${LINE}/grossAmount`]: 65.97, [`${LINE}/netAmount`]: 59.97 },
    [
      "line-net /data/lineItems/0/netAmount | line item 1, net amount: gross amount is 65.97, net amount says 59.97: difference 6.00, perhaps the tax was left out | write 65.97 if the other amounts are right",
    ],
  ],
  ["a net without a gross", { [`${LINE}/netAmount`]: 65.97 }, []],
]

function rounded(price: string, subtotal: string) {
  const total = (1000 + Number(subtotal)).toFixed(2)
  return {
    [`${LINE}/quantity`]: 1,
    [`${LINE}/unitPrice`]: raw(price),
    [`${LINE}/subtotal`]: raw(subtotal),
    "/invoiceSummary/subtotal": raw(total),
    "/invoiceSummary/dueAmount": raw((Number(total) + 106).toFixed(2)),
  }
}

describe("arithmetic of a line", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })

  it("holds an error in a subtotal against no amount that fits the right one", () => {
    const remarks = said({ [`${LINE}/subtotal`]: 95.97, [`${LINE}/grossAmount`]: 65.97 })
    expect(remarks.map((remark) => remark.split(" ")[0])).toEqual(["line-subtotal"])
  })
})

/** What is said of a line at 10% tax that states no tax: `rule` of each remark on it. */
function saidOfUntaxed(subtotal: string, gross: string, more: object = {}): (string | undefined)[] {
  const line = {
    invoiceLineNumber: 1,
    description: "Lamp",
    quantity: 1,
    unitPrice: raw(subtotal),
    subtotal: raw(subtotal),
  }
  const cents = Math.round(Number(subtotal) * 10) / 100
  return said({
    "/purpose": undefined,
    "/lineItems": [{ ...line, taxRate: 10, grossAmount: raw(gross), ...more }],
    "/invoiceSummary": {
      subtotal: raw(subtotal),
      taxAmount: cents,
      dueAmount: raw((Number(subtotal) + cents).toFixed(2)),
    },
  }).map((remark) => remark.split(" ")[0])
}

describe("a tax of half a cent, which is not stated", () => {
  it.each([
    ["7.65", "8.41"],
    ["7.65", "8.42"],
    ["13.55", "14.90"],
    ["13.55", "14.91"],
    ["100503.45", "110553.79"],
    ["100503.45", "110553.80"],
    ["-7.65", "-8.41"],
    ["-7.65", "-8.42"],
  ])("may be rounded either way: %s makes %s", (subtotal, gross) => {
    expect(saidOfUntaxed(subtotal, gross)).toEqual([])
  })

  it.each([
    ["7.65", "8.40"],
    ["7.65", "8.43"],
    ["7.64", "8.41"],
  ])("may not be another amount: %s does not make %s", (subtotal, gross) => {
    expect(saidOfUntaxed(subtotal, gross)).toEqual(["line-gross"])
  })

  it("may be rounded either way in a net amount too", () => {
    const net = (amount: string) =>
      saidOfUntaxed("7.65", "8.41", { grossAmount: undefined, netAmount: raw(amount) })
    expect([net("8.41"), net("8.42"), net("8.43")]).toEqual([[], [], ["line-net"]])
  })
})

describe("what cannot be checked because of another error is left alone", () => {
  it.each([
    ["a rate that is a text", { taxRate: "10%" }, []],
    ["a rate that is a fraction", { taxRate: 0.1 }, ["gst-rate"]],
    ["a rate that nobody has", { taxRate: 15 }, ["gst-rate"]],
    ["a rate with too many decimals", { taxRate: raw("10.005") }, []],
  ])("%s", (_, more, rules) => {
    expect(saidOfUntaxed("7.65", "8.42", more)).toEqual(rules)
    expect(saidOfUntaxed("7.65", "9.99", more)).toEqual(rules)
  })

  it.each([
    ["a quantity that is a text", { [`${LINE}/quantity`]: "3" }],
    ["a quantity with three decimals", { [`${LINE}/quantity`]: raw("3.001") }],
    ["a unit price with five decimals", { [`${LINE}/unitPrice`]: raw("19.99001") }],
  ])("%s makes no subtotal", (_, changes) => {
    expect(said({ ...changes, [`${LINE}/subtotal`]: 59.97 })).toEqual([])
  })
})
