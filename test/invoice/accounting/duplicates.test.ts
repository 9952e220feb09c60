import { describe, expect, it } from "vitest"
import { createDuplicateFinder } from "../../../src/invoice/accounting/duplicates.ts"

/** Remembers invoices by supplier and number, which a line break separates. */
function duplicates() {
  const seen = createDuplicateFinder("warning")
  return {
    add(file: string, index: number | undefined, name: string) {
      const [supplierId = "", invoiceNumber = ""] = name.split("\n")
      return seen.find(file, index, { supplierId, invoiceNumber, line: 2, column: 3 })
    },
  }
}

describe("the same invoice twice in a run", () => {
  it("is found, and where it was before is named", () => {
    const seen = duplicates()
    seen.add("a.json", undefined, "S-1\nINV-1")
    expect(seen.add("b.json", undefined, "S-1\n INV-1")).toEqual({
      rule: "accounting/duplicate-invoice",
      severity: "warning",
      pointer: "/data/invoiceNumber",
      message: 'invoice number: "INV-1" of supplier "S-1" is also in a.json',
      hint: "send one of the two, or give this one a number of its own",
      line: 2,
      column: 3,
    })
  })

  it("names the document of a file that holds several", () => {
    const seen = duplicates()
    for (const [index, number] of ["A", "B", "C"].entries()) seen.add("all.ndjson", index, `S-1\n${number}`)
    const found = seen.add("all.ndjson", 3, "S-1\nB")
    expect(found?.message).toBe('invoice number: "B" of supplier "S-1" is also in all.ndjson, index 1')
  })

  it("names standard input in words", () => {
    const seen = duplicates()
    seen.add("-", 0, "S-1\nINV-1")
    expect(seen.add("-", 1, "S-1\nINV-1")?.message).toMatch(/is also in standard input, index 0$/)
  })

  it.each([
    ["a tab", "S-1\n\tINV-1"],
    ["a wide blank", "S-1\u3000\nINV-1"],
    ["a byte order mark", "\ufeffS-1\nINV-1"],
    ["one that does not break", "S-1\nINV-1\u00a0"],
    ["several", " S-1 \n\u2003 INV-1\r"],
    ["and one that nobody sees", "S-1\nIN\u200bV-1\u2060"],
    ["and wide letters", "Ｓ-1\nＩＮＶ-1"],
  ])("is found with blanks around: %s", (_, name) => {
    const seen = duplicates()
    seen.add("a.json", undefined, "S-1\nINV-1")
    expect(seen.add("b.json", undefined, name)).toBeDefined()
    seen.add("c.json", undefined, name.replaceAll("1", "2"))
    expect(seen.add("d.json", undefined, "S-2\nINV-2")).toBeDefined()
  })

  it.each([
    ["an accent", "Sé\nINV-é", "Se\nINV-e"],
    ["no supplier", "\nINV-1", "S-1\nINV-1"],
    ["a letter behind the number", "S-1\nINV-1", "S-1\nINV-1A"],
    ["what moves over", "S-1\nINV-1", "S-1I\nNV-1"],
  ])("is not found where the names differ: %s", (_, one, other) => {
    const seen = duplicates()
    expect([one, other, one, other].map((name) => seen.add("a.json", 0, name) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it("is not found where the suppliers differ", () => {
    const seen = duplicates()
    seen.add("a.json", undefined, "S-1\nINV-1")
    expect(seen.add("b.json", undefined, "S-2\nINV-1")).toBeUndefined()
  })

  it.each(["INV 1", "inv1", "Inv-001", "INV/1"])("is found however its number is written: %s", (number) => {
    const seen = duplicates()
    seen.add("a.json", undefined, "S-1\nINV-1")
    expect(seen.add("b.json", undefined, `S-1\n${number}`)).toBeDefined()
  })

  it("is not found where there is no number", () => {
    const seen = duplicates()
    seen.add("a.json", undefined, "S-1\n ")
    expect(seen.add("b.json", undefined, "S-1\n")).toBeUndefined()
  })

  it("names the first of three", () => {
    const seen = duplicates()
    seen.add("a.json", undefined, "S-1\nINV-1")
    seen.add("b.json", undefined, "S-1\nINV-1")
    expect(seen.add("c.json", undefined, "S-1\nINV-1")?.message).toContain("is also in a.json")
  })

  it("tells a hundred thousand invoices apart, and finds each again", () => {
    const seen = duplicates()
    const numbers = Array.from({ length: 100_000 }, (_, index) => `INV-${index}`)
    const found = () => numbers.filter((each, index) => seen.add("all.ndjson", index, `S-1\n${each}`))
    expect([found().length, found().length]).toEqual([0, 100_000])
  })

  it("shows no escape sequence of a file's name", () => {
    const seen = duplicates()
    seen.add("\u001b[31ma.json", undefined, "S-1\nINV-1")
    expect(seen.add("b.json", undefined, "S-1\nINV-1")?.message).toMatch(/is also in a\.json$/)
  })

  it("is looked for among as many invoices as can be compared, and more are said not to be", () => {
    const seen = createDuplicateFinder("error", 3)
    const isRepeated = (invoiceNumber: string, index: number) =>
      seen.find("in.ndjson", index, { supplierId: "S-1", invoiceNumber, line: 1, column: 1 }) !== undefined
    expect([...["1", "2", "1"].map(isRepeated), seen.isFull]).toEqual([false, false, true, false])
    expect([isRepeated("1", 3), seen.isFull]).toEqual([false, true])
  })
})
