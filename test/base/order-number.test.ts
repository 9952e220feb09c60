import { expect, it } from "vitest"
import { foldInvoiceNumber } from "../../src/base/order-number.ts"

it.each([
  ["dashes, blanks, case and zeros in front", ["INV-0012", "inv–12", "INV 12", " INV‑012 "]],
  ["cents of nothing", ["1001", "1001.00", "1,001.00", "0001001"]],
  ["a letter behind it, and zeros in front", ["INV-0012A", "INV-12A", "INV 12 A"]],
])("the number of an invoice is one with %s", (_, spellings) => {
  expect(new Set(spellings.map(foldInvoiceNumber)).size).toBe(1)
})

it("the number of an invoice is another with another part", () => {
  const parts = [
    "2028",
    "2028.1",
    "2028.01",
    "2028.10",
    "2028A",
    "2028-A",
    "2028-",
    "20281",
    "INV-2028.1",
    "INV-2028.01",
  ]
  expect(new Set(parts.map(foldInvoiceNumber)).size).toBe(parts.length)
})
