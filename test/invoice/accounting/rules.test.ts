import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { share } from "../../drawn.ts"
import { checkAccounting, RULES } from "../../../src/invoice/accounting/rules.ts"
import { findingsIn, invoiceText, raw } from "./setup.ts"

const SUMMARY = "/invoiceSummary"

describe("the list of rules", () => {
  it("has each id once", () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length)
  })

  it.each(RULES)("$id has words", ({ title, about, basis }) => {
    expect([title, about, basis].every((words) => words.length > 10)).toBe(true)
  })
})

describe("amounts", () => {
  it.each([
    "1e400",
    "1e-999999",
    "-1e999999999",
    `1${"0".repeat(60)}`,
    `0.${"0".repeat(60)}1`,
  ])("are left alone when they are %s", (digits) => {
    const text = invoiceText({ "/lineItems/0/subtotal": raw(digits), "/lineItems/0/grossAmount": 1 })
    const rules = findingsIn(text).map(({ rule }) => rule)
    expect(rules.filter((rule) => rule !== "accounting/absurd-amount")).toEqual([])
  })
})

describe("a broken document", () => {
  it("is passed over, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(Array.isArray(checkAccounting({ value, numbers: undefined }))).toBe(true)
      }),
    )
  })

  const paths = leaves(JSON.parse(invoiceText(full())))
  it("is passed over when any part of an invoice is something else", () => {
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
        const invoice = JSON.parse(invoiceText(full()))
        const last = path.at(-1) ?? ""
        const parent = path.slice(0, -1).reduce((at, name) => at[name], invoice)
        parent[last] = value
        for (const finding of findingsIn(JSON.stringify(invoice)))
          expect(finding.message).not.toContain("undefined")
      }),
      { numRuns: share(500) },
    )
  })
})

/** A change for every field that a rule reads and the sound invoice lacks. */
function full() {
  return {
    "/dueDate": "2026-12-20T09:30:00+11:00",
    "/paymentTerms": { netDays: 30 },
    "/purpose": "lineLevelCreditMemo",
    "/documentReference": { invoiceId: "INV-0990" },
    "/poReferences": [{ poNumber: "PO-7" }],
    "/remitTo": { bankDetails: { bsb: "062-000" } },
    "/shipping": { amount: 20 },
    "/lineItems/0/grossAmount": 65.97,
    "/lineItems/0/netAmount": 65.97,
    "/lineItems/0/discountAmount": 0,
    "/lineItems/0/shippingAmount": 0,
    [`${SUMMARY}/shippingAmount`]: 20,
    [`${SUMMARY}/discountAmount`]: 0,
    [`${SUMMARY}/grossAmount`]: 1185.97,
    [`${SUMMARY}/netAmount`]: 1185.97,
    [`${SUMMARY}/depositAmount`]: 0,
    [`${SUMMARY}/taxBreakdown`]: [{ taxType: "GST", taxRate: 10, taxableAmount: 1059.97, taxAmount: 106 }],
  }
}

/** The path of every value inside a value. */
function leaves(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...leaves(inner, [...path, name]),
  ])
}
