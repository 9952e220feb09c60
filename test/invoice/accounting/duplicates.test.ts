import { describe, expect, it } from "vitest"
import { duplicateInvoices } from "../../../src/invoice/accounting/duplicates.ts"

describe("the same invoice twice in a run", () => {
  it("is found, and where it was before is named", () => {
    const seen = duplicateInvoices()
    seen.add("a.json", undefined, "S-1\nINV-1")
    expect(seen.add("b.json", undefined, "S-1\n INV-1")).toEqual({
      rule: "accounting/duplicate-invoice",
      severity: "warning",
      pointer: "/data/invoiceNumber",
      message: 'invoice number: " INV-1" of supplier "S-1" is also in a.json',
      hint: "send one of the two, or give this one a number of its own",
    })
  })

  it("names the document of a file that holds several", () => {
    const seen = duplicateInvoices()
    for (const [index, number] of ["A", "B", "C"].entries()) seen.add("all.ndjson", index, `S-1\n${number}`)
    const found = seen.add("all.ndjson", 3, "S-1\nB")
    expect(found?.message).toBe('invoice number: "B" of supplier "S-1" is also in all.ndjson, index 1')
  })

  it("is not found where the suppliers differ", () => {
    const seen = duplicateInvoices()
    seen.add("a.json", undefined, "S-1\nINV-1")
    expect(seen.add("b.json", undefined, "S-2\nINV-1")).toBeUndefined()
  })

  it("names the first of three", () => {
    const seen = duplicateInvoices()
    seen.add("a.json", undefined, "S-1\nINV-1")
    seen.add("b.json", undefined, "S-1\nINV-1")
    expect(seen.add("c.json", undefined, "S-1\nINV-1")?.message).toContain("is also in a.json")
  })

  it("tells a hundred thousand invoices apart, and finds each again", () => {
    const seen = duplicateInvoices()
    const numbers = Array.from({ length: 100_000 }, (_, index) => `INV-${index}`)
    const found = () => numbers.filter((each, index) => seen.add("all.ndjson", index, `S-1\n${each}`))
    expect([found().length, found().length]).toEqual([0, 100_000])
  })

  it("shows no escape sequence of a file's name", () => {
    const seen = duplicateInvoices()
    seen.add("\u001b[31ma.json", undefined, "S-1\nINV-1")
    expect(seen.add("b.json", undefined, "S-1\nINV-1")?.message).toMatch(/is also in a\.json$/)
  })
})
