/** Number and day of a bill, by what stands above its headings. */
import { describe, expect, it } from "vitest"
import { findPlaces, readFacts, readPlaces } from "../../src/bills/reading/facts.ts"

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

  it.each([
    "Invoice No: 8000123457 Account 10044",
    "Invoice No: 8000123457 Customer ref 77",
    "Invoice No: 8000123457 6 Dec 2026",
    "Invoice # 8000123457 06/12/2026",
    "MAINLINE FREIGHT LIMITED - Tax Invoice 8000123457",
    "TAX INVOICE 8000123457",
    "Shipment detail | invoice 8000123457",
  ])("ends before another fact: %s", (row) => {
    expect(read(row).number).toBe("8000123457")
  })

  it.each([
    "Enquiries about an invoice 131531",
    "Tax invoice 1",
    "Tax Invoice 06/12/2026",
  ])("is not found in %s", (row) => {
    expect(read(row).number).toBe("")
  })

  it("is none where only other things stand beside the title", () => {
    expect(read("TAX INVOICE,ABN 44 733 312 190", "TAX INVOICE,Page 1 of 2").number).toBe("")
  })

  it.each([
    "Invoice No 8000123457",
    "Tax Invoice number 8000123457",
    "Bill no. 8000123457",
  ])("is what a cell ends with behind its label without a colon: %s", (row) => {
    expect(read(row).number).toBe("8000123457")
  })

  it.each([
    "Tax Invoice No 8812 Account 10044",
    "Invoice Number 8812 Customer 7701",
    "Invoice number 8812 27 Nov 2026",
    "Bill No 12 Smith Street",
    "Invoice Number 8812 Customer 7701,Store 2000",
  ])("is none where more follows it without a label of its own: %s", (row) => {
    expect(read(row).number).toBe("")
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

  it.each(["Dated,4/12/2026", "Dated: 4 Dec 2026"])("may stand beside %s", (row) => {
    expect(read(row).date).toBe("2026-12-04")
  })

  it.each([
    ["Period ending,06/12/2026", "Period ending"],
    ["Invoice period: 30/11/2026 - 06/12/2026", "Invoice period"],
    ["Week ended: 6 Dec 2026", "Week ended"],
    ["Period,1 Dec 2026 to 6 Dec 2026", "Period"],
  ])("is not the last one of what is billed, which is a candidate: %s", (row, label) => {
    const { date, period } = read(row)
    expect([date, period]).toEqual(["", { label, date: "2026-12-06" }])
  })

  it("is the invoice's and not the statement's, and never the day on which it is due", () => {
    expect(read("Statement date,30/11/2026", "Invoice date,06/12/2026").date).toBe("2026-12-06")
    expect(read("Due date,20/12/2026").date).toBe("")
  })
})

describe("a place of number or day that a person gave", () => {
  const above = (...rows: string[]) =>
    rows.map((row, at) => ({ line: at + 1, row: at + 1, cells: row.split(",") }))
  const given = { number: "8812", date: "2026-11-27" }
  const readNext = (saved: string[], next: string[], said = given) =>
    readPlaces(above(...next), findPlaces(above(...saved), said, NOW), NOW)

  it.each([
    [["Ref 8812"], ["Ref 8813"]],
    [["Our document: 8812"], ["Our document: 8813"]],
    [["Document,8812"], ["Document,8813"]],
    [["Document,,8812"], ["Document,,8813"]],
  ])("is read in the next bill behind the same words: %s", (saved, next) => {
    expect(readNext(saved, next)).toEqual({ number: "8813" })
  })

  it.each([
    [["Document,27/11/2026"], ["Document,04/12/2026"]],
    [["Document 8812,,27/11/2026"], ["Document 8813,,04/12/2026"]],
    [["Of: 27/11/2026"], ["Of: 04/12/2026"]],
  ])("is that of a day, too: %s", (saved, next) => {
    expect(readNext(saved, next, { ...given, number: "none" })).toEqual({ date: "2026-12-04" })
  })

  it.each([
    [["Ref 8812 dated 27/11/2026"], ["Ref 8813 dated 04/12/2026"]],
    [["Ref 8812"], ["Ref 8813 dated 04/12/2026"]],
    [["Ref 8812"], ["Account 8813"]],
    [["Ref A8812"], ["Ref A8813"]],
    [["Ref 77-8812"], ["Ref 77-8813"]],
    [["8812"], ["8813"]],
    [["Document,8812"], ["Account,10044"]],
    [["Document,8812"], [",10044"]],
    [["27/11/2026"], ["04/12/2026"]],
    [["Document,27/11/2026"], ["Due,04/12/2026"]],
    [["Due: 27/11/2026"], ["Due: 04/12/2026"]],
    [["Period ending: 27/11/2026"], ["Period ending: 04/12/2026"]],
    [["# 8812"], ["# 8813"]],
  ])("is none where the number does not stand there alone behind the same words: %s, then %s", (saved, next) => {
    expect(readNext(saved, next)).toEqual({})
  })

  it.each([
    "Invoice 1 of 2",
    "Page 1",
    "Page 1 of 1",
    "Page,1",
    "1 Smith Street",
  ])("is not kept where the same digits say something else: %s", (row) => {
    expect(findPlaces(above(row), { number: "1" }, NOW)).toEqual({})
  })
})
