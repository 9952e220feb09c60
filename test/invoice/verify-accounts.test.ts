import { describe, expect, it } from "vitest"
import type { Invoice } from "../../src/contract/generated/types.ts"
import { minimalInvoice, textOf } from "./samples.ts"
import { changed, passes, verifyContract } from "./verified.ts"

describe("accounts that do not certainly agree", () => {
  const changes: [string, (invoice: Invoice) => unknown][] = [
    ["a line's subtotal", ({ data }) => Object.assign(data.lineItems[0] ?? {}, { subtotal: 125.01 })],
    ["a line's tax", ({ data }) => Object.assign(data.lineItems[0] ?? {}, { taxAmount: 14 })],
    ["a line's gross", ({ data }) => Object.assign(data.lineItems[0] ?? {}, { grossAmount: 148 })],
    ["a line's net", ({ data }) => Object.assign(data.lineItems[0] ?? {}, { netAmount: 143 })],
    ["a line number twice", ({ data }) => Object.assign(data.lineItems[1] ?? {}, { invoiceLineNumber: 1 })],
    ["the subtotal", ({ data }) => Object.assign(data.invoiceSummary, { subtotal: 136 })],
    ["the shipping", ({ data }) => Object.assign(data.invoiceSummary, { shippingAmount: 26 })],
    ["the tax", ({ data }) => Object.assign(data.invoiceSummary, { taxAmount: 17 })],
    ["the gross", ({ data }) => Object.assign(data.invoiceSummary, { grossAmount: 176 })],
    ["the net", ({ data }) => Object.assign(data.invoiceSummary, { netAmount: 171 })],
    ["the amount due", ({ data }) => Object.assign(data.invoiceSummary, { dueAmount: 151 })],
    ["the discount", ({ data }) => Object.assign(data.invoiceSummary, { discountAmount: 4 })],
    [
      "a tax part",
      ({ data }) => Object.assign(data.invoiceSummary.taxBreakdown?.[0] ?? {}, { taxAmount: 16.2 }),
    ],
    [
      "the rate of a tax part",
      ({ data }) => Object.assign(data.invoiceSummary.taxBreakdown?.[0] ?? {}, { taxRate: 11 }),
    ],
    ["the ABN", ({ data }) => Object.assign(data.supplier.taxRegistrations ?? {}, { value: "51824753557" })],
    ["no ABN", ({ data }) => delete data.supplier.taxRegistrations],
    ["the BSB", ({ data }) => Object.assign(data.remitTo?.bankDetails ?? {}, { bsb: "062 000" })],
    [
      "a due date before the invoice's",
      ({ data }) => Object.assign(data, { dueDate: "2026-11-19T09:00:00+11:00" }),
    ],
    ["the net days", ({ data }) => Object.assign(data.paymentTerms ?? {}, { netDays: 31 })],
    ["a purchase order not listed", ({ data }) => Object.assign(data, { poNumber: "PO-7783" })],
    ["a credit memo that asks for money", ({ data }) => Object.assign(data, { purpose: "creditMemo" })],
  ]

  it.each(changes)("%s: left to the examiner", (_, change) => {
    expect(passes(changed(change))).toBe(false)
  })

  it.each(changes)("%s: no matter where the contract alone is checked", (_, change) => {
    expect(passes(changed(change), verifyContract)).toBe(true)
  })

  it.each([
    ["debitMemo", "invoiceId", true],
    ["debitMemo", undefined, false],
    ["lineLevelDebitMemo", "payloadId", true],
  ])("a %s with the earlier document's %s: %s", (purpose, field, expected) => {
    const text = changed(({ data }) =>
      Object.assign(data, { purpose, documentReference: field ? { [field]: "INV-1" } : {} }),
    )
    expect(passes(text)).toBe(expected)
  })

  it.each([
    [143.5, true],
    [143.51, false],
    [148.5, false],
  ])("a line without a gross amount whose net is %s: %s", (netAmount, expected) => {
    const text = changed(({ data }) => {
      const [line] = data.lineItems
      delete line?.grossAmount
      Object.assign(line ?? {}, { netAmount })
    })
    expect(passes(text)).toBe(expected)
  })

  it("a line-level memo whose lines refer to none", () => {
    const memo = (line: object) => {
      const invoice = minimalInvoice()
      Object.assign(invoice.data, {
        purpose: "lineLevelDebitMemo",
        documentReference: { invoiceId: "INV-1" },
      })
      Object.assign(invoice.data.lineItems[0] ?? {}, line)
      return passes(textOf(invoice))
    }
    expect([memo({}), memo({ asnLineReference: 3 })]).toEqual([false, true])
  })
})
