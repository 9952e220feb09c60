import { describe, expect, it } from "vitest"
import { findingsIn, invoiceText, raw } from "./setup.ts"

/** The places of numbers that are absurdly large. */
function absurd(changes: Readonly<Record<string, unknown>>): string[] {
  return findingsIn(invoiceText(changes))
    .filter(({ rule }) => rule === "accounting/absurd-amount")
    .map(({ pointer }) => pointer)
}

const LINE = "/lineItems/1"
const SUMMARY = "/invoiceSummary"

describe("an absurd number", () => {
  it.each(["1e12", "-1000000000000.01", "1e45", "1e400", "-1e400", "9".repeat(41)])("is %s", (digits) => {
    expect(absurd({ [`${LINE}/subtotal`]: raw(digits) })).toEqual([`/data${LINE}/subtotal`])
  })

  it.each(["0", "999999999999.99", "-999999999999.99", "1e-400"])("is not %s", (digits) => {
    expect(absurd({ [`${LINE}/subtotal`]: raw(digits) })).toEqual([])
  })

  it.each([
    "/shipping/amount",
    `${LINE}/quantity`,
    `${LINE}/unitPrice`,
    `${LINE}/taxRate`,
    `${LINE}/taxAmount`,
    `${LINE}/discountAmount`,
    `${LINE}/shippingAmount`,
    `${LINE}/grossAmount`,
    `${LINE}/netAmount`,
    `${SUMMARY}/subtotal`,
    `${SUMMARY}/shippingAmount`,
    `${SUMMARY}/specialHandlingAmount`,
    `${SUMMARY}/taxAmount`,
    `${SUMMARY}/discountAmount`,
    `${SUMMARY}/grossAmount`,
    `${SUMMARY}/netAmount`,
    `${SUMMARY}/depositAmount`,
    `${SUMMARY}/dueAmount`,
  ])("may be at %s", (pointer) => {
    expect(absurd({ [pointer]: 1e13 })).toEqual([`/data${pointer}`])
  })

  it.each(["taxRate", "taxableAmount", "taxAmount"])("may be the %s of a tax part", (name) => {
    expect(absurd({ [`${SUMMARY}/taxBreakdown`]: [{ taxType: "GST" }, { [name]: 1e13 }] })).toEqual([
      `/data${SUMMARY}/taxBreakdown/1/${name}`,
    ])
  })

  it("is not a number that refers to something", () => {
    expect(absurd({ [`${LINE}/poLineReference`]: 1e13, [`${LINE}/invoiceLineNumber`]: 1e13 })).toEqual([])
  })

  it("is reported with what to check", () => {
    const [finding] = findingsIn(invoiceText({ "/shipping/amount": 1e13 }))
    expect(finding).toMatchObject({
      message:
        "shipping, amount: this number has more than 12 digits before the decimal point, which is probably a mistake",
      hint: "check its digits, its decimal point and its exponent",
    })
  })
})
