/** An amount is fixed without asking only where every sum of the document agrees with it. */
import { describe, expect, it } from "vitest"
import { examine } from "../../src/invoice/examine.ts"
import { fixDocument } from "../../src/invoice/fixes/fix.ts"
import { applyEdits } from "../../src/invoice/fixes/splice.ts"
import { minimalDraft } from "./samples.ts"

const OPTIONS = { stage: "draft", accounting: true, strict: false, rules: {} } as const

/** A line of 50.00 with more of it, and a summary of 50.00 and 5.00 tax with more of it. */
function textWith(line: object, summary: object = {}, data: object = {}): string {
  const draft = minimalDraft()
  const [first] = draft.data.lineItems
  return JSON.stringify({
    ...draft,
    data: {
      ...draft.data,
      ...data,
      lineItems: [{ ...first, quantity: 2, unitPrice: 25, subtotal: 50, ...line }],
      invoiceSummary: { subtotal: 50, taxAmount: 5, dueAmount: 55, currency: "AUD", ...summary },
    },
  })
}

/** How safe the fixes of a document are, and the document after those that are safe. */
function fix(text: string) {
  const safety = new Set(examine(text, OPTIONS).flatMap((finding) => finding.fix?.safety ?? []))
  const fixed = applyEdits(text, fixDocument(text, { examine: OPTIONS, totals: false }))
  return { safety: [...safety], fixed }
}

describe("an amount that a sum contradicts, or that no sum knows", () => {
  it.each<[string, object, object?, object?]>([
    ["a rate under the name of a tax", { gst: 10 }],
    ["the same, where the summary says so too", { gst: 10 }, { taxAmount: 10, dueAmount: 60 }],
    ["a tax that may be a rate", { tax: 10 }],
    ["freight that is not in what is due", { freight: 5 }],
    ["shipping that is not in what is due", { shipping: 12 }],
    ["shipping of the summary that is not in what is due", {}, { shipping: 12 }],
    ["a price that includes GST", { unitPrice: undefined, price: 27.5 }],
    ["a deposit that is not taken off", {}, { paidAmount: 20 }],
    ["an amount in quotes", { subtotal: "55" }],
    ["a comma that is a point", { unitPrice: "25,001" }],
    [
      "a percentage that nothing builds on",
      {},
      {},
      { paymentTerms: { discountTerms: [{ discountPercent: "2" }] } },
    ],
    ["a list of one amount", { subtotal: [55] }],
    ["noise", { subtotal: 55.00000000000001 }],
    ["an amount, where another one is wrong", { subtotal: "50.00" }, { dueAmount: 56 }],
  ])("is left to a person: %s", (_, line, summary, data) => {
    const text = textWith(line, summary, data)
    const { safety, fixed } = fix(text)
    expect(safety).toEqual(["suggestion"])
    expect(fixed).toBe(text)
  })

  it.each(["1,234", '"1,234"'])("has one answer, raw or in quotes: %s", (written) => {
    const raw = (text: string) => text.replace('"#"', written)
    const wrong = fix(raw(textWith({ subtotal: "#" })))
    expect(wrong.safety).toEqual(["suggestion"])
    const sums = { subtotal: 1234, taxAmount: 123.4, dueAmount: 1357.4 }
    const billTo = { ...minimalDraft().data.billTo, addressee: "Harbour Hotel" }
    const right = fix(raw(textWith({ subtotal: "#", quantity: 1, unitPrice: 1234 }, sums, { billTo })))
    expect(right.safety).toEqual(["safe"])
    expect(JSON.parse(right.fixed).data.lineItems[0].subtotal).toBe(1234)
  })

  it("is left to a person where it is in a place that takes no amount", () => {
    expect(fix(textWith({}, {}, { extrinsics: { a: "#" } }).replace('"#"', "1,234")).safety).toEqual([
      "suggestion",
    ])
  })
})

describe("an amount that every sum agrees with", () => {
  it.each<[string, object, object, string, number]>([
    ["a tax", { gst: 5 }, {}, "taxAmount", 5],
    ["a tax in words", { gstamount: "$5.00" }, {}, "taxAmount", 5],
    ["a price", { unitPrice: undefined, price: "25.00" }, {}, "unitPrice", 25],
    ["a quantity", { quantity: undefined, qty: 2 }, {}, "quantity", 2],
    ["freight", { freight: 5 }, { dueAmount: 60 }, "shippingAmount", 5],
    ["a subtotal in quotes", { subtotal: "50,00" }, {}, "subtotal", 50],
  ])("is fixed: %s", (_, line, summary, field, amount) => {
    const { safety, fixed } = fix(textWith(line, summary))
    expect(safety).toContain("safe")
    expect(JSON.parse(fixed).data.lineItems[0][field]).toBe(amount)
    expect(examine(fixed, OPTIONS)).toEqual([])
  })

  it("is fixed in all lines together, as spreadsheets write them", () => {
    const draft = minimalDraft()
    const [first] = draft.data.lineItems
    const line = (index: number) => ({
      ...first,
      invoiceLineNumber: index + 1,
      supplierItemId: `S-${index}`,
      quantity: "2",
      unitPrice: "25.00",
      subtotal: "50.00",
      taxAmount: "5.00",
    })
    const lineItems = Array.from({ length: 300 }, (_, index) => line(index))
    const invoiceSummary = {
      subtotal: "15,000.00",
      taxAmount: "1,500.00",
      dueAmount: "16,500.00",
      currency: "AUD",
    }
    const billTo = { ...draft.data.billTo, addressee: "Harbour Hotel" }
    const { fixed } = fix(
      JSON.stringify({ ...draft, data: { ...draft.data, billTo, lineItems, invoiceSummary } }),
    )
    expect(examine(fixed, OPTIONS)).toEqual([])
  })

  it("is fixed although a percentage is left to a person", () => {
    const paymentTerms = { discountTerms: [{ discountPercent: "2" }] }
    const { safety, fixed } = fix(textWith({ subtotal: "50.00" }, {}, { paymentTerms }))
    expect(safety.sort()).toEqual(["safe", "suggestion"])
    expect(JSON.parse(fixed).data).toMatchObject({ paymentTerms, lineItems: [{ subtotal: 50 }] })
  })
})

it("no total is put right by a line that agrees with its price only as that may be rounded", () => {
  const line = { quantity: 1200, unitPrice: 18.1364, subtotal: 21763.73, taxAmount: undefined }
  const text = textWith(line, { subtotal: 21763.68, taxAmount: undefined, dueAmount: undefined })
  const { subtotal } = JSON.parse(applyEdits(text, fixDocument(text, { examine: OPTIONS, totals: true })))
    .data.invoiceSummary
  expect(subtotal).toBe(21763.68)
})
