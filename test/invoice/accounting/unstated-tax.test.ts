/** The tax of a summary whose lines do not state theirs. */
import { describe, expect, it } from "vitest"
import { said } from "./setup.ts"

const SUMMARY = "/invoiceSummary"

/** Lines of one thing each at these prices, and a summary that adds up with this tax. */
function taxed(prices: readonly number[], tax: number, more: object = {}) {
  const subtotal = prices.reduce((total, price) => total + price, 0)
  return {
    "/lineItems": prices.map((price, index) => ({
      invoiceLineNumber: index + 1,
      description: "Lamp",
      quantity: 1,
      unitPrice: price,
      subtotal: price,
    })),
    [SUMMARY]: { subtotal, taxAmount: tax, dueAmount: Number((subtotal + tax).toFixed(2)), ...more },
  }
}

/** The rules that have something to say, and what of the tax. */
function told(changes: Parameters<typeof said>[0]): string[] {
  return said(changes).map((finding) => finding.split(" | ").slice(0, 2).join(" | "))
}

const PLACE = "tax-limit /data/invoiceSummary/taxAmount | summary, tax amount:"

describe("tax that no line states", () => {
  it.each<[string, readonly number[], number]>([
    ["10% of one line", [199.9], 19.99],
    ["none", [199.9], 0],
    ["10% rounded line by line", [0.55, 0.55, 0.55], 0.18],
    ["10% rounded as a whole", [0.55, 0.55, 0.55], 0.17],
    ["10% of some lines, the others free of GST", [100, 50, 30], 5],
    ["10% of all but one line, which happens to be 1/11 of all", [100, 10], 10],
    ["a credit", [-199.9], -19.99],
    ["10% of a line, where another gives back what is free of GST", [100, -80], 10],
  ])("is lawful: %s", (_, prices, tax) => {
    const purpose =
      prices.length === 1 && tax < 0
        ? { "/purpose": "creditMemo", "/documentReference": { invoiceId: "A" } }
        : {}
    expect(told({ ...taxed(prices, tax), ...purpose })).toEqual([])
  })

  it("is lawful on shipping and handling, and less on a discount", () => {
    const charges = { shippingAmount: 20, specialHandlingAmount: 10, discountAmount: 30 }
    expect(told(taxed([200], 23, { ...charges, dueAmount: 223 }))).toEqual([])
    expect(told(taxed([200], 20, { ...charges, dueAmount: 220 }))).toEqual([])
    expect(told(taxed([200], 2, { ...charges, dueAmount: 202 }))).toEqual([])
  })

  it.each<[string, readonly number[], number, string]>([
    [
      "a digit too many",
      [199.9],
      119.99,
      "10% of all that can be taxed is 19.99, tax amount says 119.99: difference 100.00",
    ],
    [
      "on several lines",
      [100, 99.9],
      119.99,
      "10% of all that can be taxed is 19.99, tax amount says 119.99: difference 100.00",
    ],
    [
      "three cents above what rounding does",
      [0.55, 0.55],
      0.14,
      "10% of all that can be taxed is 0.11, tax amount says 0.14: difference 0.03",
    ],
    [
      "the other sign",
      [199.9],
      -19.99,
      "10% of all that can be taxed is 0.00, tax amount says -19.99: difference 19.99",
    ],
    [
      "a price that includes GST",
      [110],
      10,
      "10.00 is 1/11 of 110.00, which is 10% of a price that includes GST",
    ],
    [
      "prices that include GST",
      [60, 50],
      10,
      "10.00 is 1/11 of 110.00, which is 10% of a price that includes GST",
    ],
    [
      "less than 10% of one line",
      [199.9],
      9.99,
      "10% of 199.90 is 19.99, tax amount says 9.99: difference 10.00",
    ],
  ])("is reported: %s", (_, prices, tax, words) => {
    expect(told(taxed(prices, tax))).toEqual([`${PLACE} ${words}`])
  })

  it("is reported once where the other totals have it right", () => {
    const right = { grossAmount: 219.89, netAmount: 219.89, dueAmount: 219.89 }
    expect(told(taxed([199.9], 119.99, right))).toEqual([
      `${PLACE} 10% of all that can be taxed is 19.99, tax amount says 119.99: difference 100.00`,
    ])
  })

  it("is at most what each line's rate allows", () => {
    const changes = taxed([100, 100], 20)
    expect(told({ ...changes, "/lineItems/0/taxRate": 0 })).toEqual([
      `${PLACE} 10% of all that can be taxed is 10.00, tax amount says 20.00: difference 10.00`,
    ])
    expect(told({ ...changes, "/lineItems/0/taxRate": 10 })).toEqual([])
  })

  it("may be that of another tax besides", () => {
    const withExcise = (gst: number) =>
      taxed([100], 30 + gst, {
        taxBreakdown: [
          { taxType: "excise", taxAmount: 30 },
          { taxType: "GST", taxAmount: gst },
        ],
      })
    expect(told(withExcise(10))).toEqual([])
    expect(told(withExcise(40))).toEqual([
      `${PLACE} 10% of all that can be taxed is 40.00, tax amount says 70.00: difference 30.00`,
    ])
  })

  it("is multiplied out where each line has a rate", () => {
    const changes = { ...taxed([100, 55.55], 15.56), "/lineItems/0/taxRate": 10, "/lineItems/1/taxRate": 10 }
    expect(told(changes)).toEqual([])
    expect(told({ ...changes, [`${SUMMARY}/taxAmount`]: 10, [`${SUMMARY}/dueAmount`]: 165.55 })).toEqual([
      "summary-tax /data/invoiceSummary/taxAmount | summary, tax amount: the lines' tax adds up to 15.56 rounded, tax amount says 10.00: difference 5.56",
    ])
  })

  it("is above 10% although each line states it", () => {
    expect(told({ ...taxed([100], 20), "/lineItems/0/taxAmount": 20 })).toEqual([
      `${PLACE} 10% of all that can be taxed is 10.00, tax amount says 20.00: difference 10.00`,
    ])
    expect(
      told({ ...taxed([100, 50], 5), "/lineItems/0/taxAmount": 0, "/lineItems/1/taxAmount": 5 }),
    ).toEqual([])
  })
})
