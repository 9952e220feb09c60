/** The rules take time linear in the invoice: what is counted is how often they look at a value. */
import { expect, it } from "vitest"
import { checkAccounting } from "../../../src/invoice/accounting/rules.ts"
import { draftOf, minimalInvoice } from "../samples.ts"

function invoiceOf(lines: number, parts: number, change: (line: object, index: number) => object) {
  const invoice = minimalInvoice()
  const [line] = invoice.data.lineItems
  return draftOf({
    ...invoice,
    data: {
      ...invoice.data,
      lineItems: Array.from({ length: lines }, (_, index) =>
        change({ ...line, invoiceLineNumber: index + 1 }, index),
      ) as never,
      invoiceSummary: {
        ...invoice.data.invoiceSummary,
        taxBreakdown: Array.from({ length: parts }, () => ({
          taxType: "GST",
          taxRate: 10,
          taxableAmount: 1,
          taxAmount: 9,
        })) as never,
      },
    },
  })
}

/** How often the rules look at a property of a document, and how much they find. */
function workOn(document: unknown): { looks: number; findings: number } {
  let looks = 0
  const watched = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? new Proxy(value, {
          get(target, name, receiver) {
            looks++
            return watched(Reflect.get(target, name, receiver))
          },
        })
      : value
  const findings = checkAccounting({ value: watched(document), numbers: undefined })
  return { looks, findings: findings.length }
}

it.each<[string, (line: object, index: number) => object]>([
  ["sound lines", (line) => line],
  ["lines with wrong subtotals", (line) => ({ ...line, subtotal: 1.23 })],
  ["lines with wrong taxes", (line) => ({ ...line, taxRate: 10, taxAmount: 7 })],
  ["lines with wrong gross and net amounts", (line) => ({ ...line, grossAmount: 5, netAmount: 3 })],
  ["lines of one number", (line) => ({ ...line, invoiceLineNumber: 1 })],
  ["lines with rates of their own", (line, index) => ({ ...line, taxRate: index % 100 })],
])("%s and tax parts: twice as many take twice the work", (_, change) => {
  const once = workOn(invoiceOf(400, 300, change))
  const twice = workOn(invoiceOf(800, 600, change))
  expect(once.findings).toBeGreaterThan(0)
  expect(twice.looks / once.looks).toBeLessThan(2.2)
})

it("adds up exactly, however many lines there are", () => {
  const cents = 99_999_999_999
  const document = invoiceOf(200_000, 0, (line, index) => {
    const amount = (index % 2 === 0 ? cents : -cents) / 100
    return { ...line, supplierItemId: String(index), quantity: 1, unitPrice: amount, subtotal: amount }
  })
  const data = (document as { data: { invoiceSummary: object } }).data
  const findings = (subtotal: number) => {
    data.invoiceSummary = { subtotal, taxAmount: 0, dueAmount: subtotal, currency: "AUD" }
    return checkAccounting({ value: document, numbers: undefined })
  }
  expect(findings(99.28).map(({ rule }) => rule)).toEqual(["accounting/summary-subtotal"])
  expect(findings(0)).toEqual([])
})
