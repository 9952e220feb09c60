/** What only follows from another mistake is not said besides it. */
import { describe, expect, it } from "vitest"
import { examine } from "../../../src/invoice/examine.ts"
import { invoiceText, raw } from "./setup.ts"

const LINE = "/lineItems/0"
const SUMMARY = "/invoiceSummary"

/** The accounting rules that have something to say about the sound invoice with some changes. */
function rulesOf(text: string): string[] {
  const findings = examine(text, { stage: "draft", accounting: true, strict: false, rules: {} })
  return findings.flatMap(({ rule }) => (rule.startsWith("accounting/") ? [rule.slice(11)] : []))
}

function judge(changes: Parameters<typeof invoiceText>[0]): string[] {
  return rulesOf(invoiceText(changes))
}

describe("an amount under a name that the contract does not know", () => {
  it.each<[string, Parameters<typeof invoiceText>[0]]>([
    [
      "a line's tax",
      {
        [`${LINE}/taxRate`]: undefined,
        [`${LINE}/taxAmount`]: undefined,
        [`${LINE}/gst`]: 6,
        [`${LINE}/grossAmount`]: 65.97,
      },
    ],
    ["a line's shipping in a text", { [`${LINE}/freight`]: "$5.00", [`${LINE}/grossAmount`]: 70.97 }],
    ["a line's discount", { [`${LINE}/discount`]: 5, [`${LINE}/netAmount`]: 60.97 }],
    ["the summary's shipping", { [`${SUMMARY}/freight`]: 5, [`${SUMMARY}/dueAmount`]: 1170.97 }],
    ["the summary's deposit", { [`${SUMMARY}/amountPaid`]: 500, [`${SUMMARY}/dueAmount`]: 665.97 }],
    [
      "taxed shipping",
      { [`${SUMMARY}/freight`]: 5, [`${SUMMARY}/taxAmount`]: 106.5, [`${SUMMARY}/dueAmount`]: 1171.47 },
    ],
  ])("may be the one that is missing: %s", (_, changes) => {
    expect(judge(changes)).toEqual([])
  })

  it("is no reason to keep quiet when it is not an amount", () => {
    expect(judge({ [`${LINE}/remark`]: "fragile", [`${LINE}/grossAmount`]: 70.97 })).toEqual(["line-gross"])
  })
})

describe("a field under another name", () => {
  it("may be the ABN", () => {
    const registration = { type: "ABN", value: "51 824 753 556" }
    const name = "/supplier/taxRegistrations"
    expect(judge({ [name]: undefined, "/supplier/abn": registration })).toEqual([])
    expect(judge({ [name]: undefined })).toEqual(["abn-missing"])
  })

  it.each([
    { "/docReference": { invoiceId: "INV-1" } },
    { "/documentReference": { invoiceNo: "INV-1" } },
  ])("may be the reference of a memo: %j", (changes) => {
    expect(judge({ "/purpose": "debitMemo" })).toEqual(["memo-reference"])
    expect(judge({ "/purpose": "debitMemo", ...changes })).toEqual([])
  })

  it("may be the reference of a line", () => {
    const memo = { "/purpose": "lineLevelDebitMemo", "/documentReference": { invoiceId: "INV-1" } }
    const missing = { ...memo, [`${LINE}/poLineReference`]: undefined }
    expect(judge(missing)).toEqual(["memo-line-reference"])
    expect(judge({ ...missing, [`${LINE}/poLine`]: 10 })).toEqual([])
  })
})

describe("an amount that breaks the contract", () => {
  it("leaves open what tax there is on it: shipping", () => {
    const taxed = { [`${SUMMARY}/taxAmount`]: 106.5, [`${SUMMARY}/dueAmount`]: undefined }
    expect(judge({ ...taxed, [`${SUMMARY}/shippingAmount`]: "5" })).toEqual([])
    const line = { [`${LINE}/shippingAmount`]: "5", [`${LINE}/taxAmount`]: 6.5 }
    expect(judge({ ...line, [SUMMARY]: undefined })).toEqual([])
  })

  it.each([
    { taxBreakdown: [{ taxType: "excise", taxRate: "3" }] },
    { taxBreakdown: [{ taxType: "excise", rate: 3 }] },
    { taxBreakdown: { taxType: "excise", taxRate: 3 } },
  ])("leaves open what other tax a line's rate is of: %j", ({ taxBreakdown }) => {
    const rate = { [`${LINE}/taxRate`]: 3, [`${LINE}/taxAmount`]: 1.8, [`${SUMMARY}/taxAmount`]: 101.8 }
    const changes = { ...rate, [`${SUMMARY}/dueAmount`]: 1161.77 }
    expect(judge(changes)).toEqual(["gst-rate"])
    expect(judge({ ...changes, [`${SUMMARY}/taxBreakdown`]: taxBreakdown })).toEqual([])
  })

  it("leaves open whether the purchase order is listed", () => {
    expect(judge({ "/poReferences": [{ poNumber: "PO-8" }, { poNumber: 7 }] })).toEqual([])
  })
})

it("does not take the number of another register for a wrong ABN", () => {
  expect(judge({ "/supplier/taxRegistrations": { type: "ACN", value: "004 085 616" } })).toEqual([])
})

it("judges no tax by a rate of the tax breakdown that is reported", () => {
  const part = { taxType: "GST", taxRate: 0.1, taxableAmount: 1059.97, taxAmount: 106 }
  expect(judge({ [`${SUMMARY}/taxBreakdown`]: [part] })).toEqual(["gst-rate"])
})

it("judges nothing by a field that is repeated", () => {
  const text = invoiceText({ [`${LINE}/grossAmount`]: 65.97 })
  expect(rulesOf(text.replace('"taxAmount":6,', '"taxAmount":6,"taxAmount":7,'))).toEqual([])
  expect(rulesOf(text.replace('"subtotal":59.97,', '"subtotal":59.97,"subtotal":60,'))).toEqual([])
})

it("does not ask for an absurd amount because a number is absurd", () => {
  expect(judge({ [`${LINE}/quantity`]: raw("3e15") })).toEqual(["absurd-amount"])
  expect(judge({ [`${SUMMARY}/dueAmount`]: 1e13 })).toEqual(["summary-due", "absurd-amount"])
})
