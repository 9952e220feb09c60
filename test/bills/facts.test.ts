/** Number and day of a bill, by what stands above its headings. */
import { describe, expect, it } from "vitest"
import { readFacts } from "../../src/bills/reading/facts.ts"

const NOW = Date.parse("2026-12-10T00:00:00Z")
const read = (...rows: string[]) =>
  readFacts(
    rows.map((row) => ({ cells: row.split(",") })),
    NOW,
  )

describe("the number of a bill", () => {
  it.each([
    ["TAX INVOICE,,,,,ABN 44 733 312 190", "Invoice No,8000123457,,Period ending,06/12/2026"],
    ["TAX INVOICE,Page 1 of 2", "Invoice No: 8000123457"],
    ["TAX INVOICE,8000123457 Date: 6 Dec 2026"],
    ["Statement number,S-99,Invoice no,8000123457"],
    ["TAX INVOICE,03 9555 1234", "Invoice number,8000123457"],
    ["TAX INVOICE,1300 555 123", "Invoice number,8000123457"],
    ["TAX INVOICE,06/12/2026", "Invoice number,8000123457"],
    ["TAX INVOICE,30 days", "Invoice number,8000123457"],
    ["TAX INVOICE,Total 120.50", "Invoice number,8000123457"],
  ])("is found by its look and its label: %s", (...rows) => {
    expect(read(...rows).number).toBe("8000123457")
  })

  it("is none where only other things stand beside the title", () => {
    expect(read("TAX INVOICE,ABN 44 733 312 190", "TAX INVOICE,Page 1 of 2").number).toBe("")
  })

  it.each([
    ...["INV-1", "NL-20881", "N0098812", "2026/117", "SYDR00112233", "77123"],
    ...["6100012345", "0712345678", "2026.11"],
  ])("may be %s", (number) => {
    expect(read(`Invoice no,${number}`).number).toBe(number)
  })
})

describe("the day of a bill", () => {
  it("is read with the day first where it can be two days", () => {
    expect(read("Invoice date,06/12/2026").date).toBe("2026-12-06")
    expect(read("Invoice date,30/11/2026").date).toBe("2026-11-30")
  })

  it("is the invoice's and not the statement's, and never the day on which it is due", () => {
    expect(read("Statement date,30/11/2026", "Invoice date,06/12/2026").date).toBe("2026-12-06")
    expect(read("Due date,20/12/2026").date).toBe("")
  })
})
