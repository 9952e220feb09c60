/** How a bill as a table is read: what its cells hold, which column names the consignments, and what takes a gross amount down. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { BILL_COLUMNS, type BillField } from "../../src/bills/reading/columns.ts"
import { listExplained } from "../../src/bills/reading/judge.ts"
import { checkFields, listNumberColumns, toNumberQuestion } from "../../src/bills/reading/number-columns.ts"
import { readRow } from "../../src/bills/reading/row.ts"

/** `Consignment` is of its own field, `Toll: other` of another, and `Details:` of none. */
function columnsOf(...headings: readonly string[]) {
  const split = headings.map((heading) => heading.split(": "))
  const headers = split.map(([header = ""]) => header.replace(/:$/, ""))
  const fields = split.map(([header = "", name = header.toLowerCase()]): BillField | undefined =>
    BILL_COLUMNS.fields.find((field) => field.name === name),
  )
  return { headers, fields, units: headers.map(() => undefined), isMapped: fields.map(Boolean) }
}

function read(headings: readonly string[], ...cells: readonly string[]) {
  const row = readRow(columnsOf(...headings), cells)
  if ("error" in row) return `${row.error.column}: ${row.error.message}`
  return { amounts: [...row.amounts.values()], parts: row.parts.map(({ label, cents }) => [label, cents]) }
}

describe("a row", () => {
  const HEAD = ["Consignment", "Reference", "Charge", "Net: amountExGst"]

  it.each([
    ["beside another amount", ["190.67", "", "", "5.00"]],
    ["alone", ["602.77", "", "", ""]],
  ])("is refused where an amount stands in the place of its number %s", (_, cells) => {
    const [text] = cells
    expect(read(HEAD, ...cells)).toBe(`Consignment: "${text}" is an amount, and names nothing`)
  })

  it.each([
    ["another cell names it", ["SBC00000001", "12.50", "", "5.00"]],
    ["a program wrote its number with two zeros", ["10023.00", "", "", "5.00"]],
    ["it is the total of a customer", ["64.11", "", "Total Coral Pumps", "5.00"]],
  ])("is read where %s", (_, cells) => {
    expect(read(HEAD, ...cells)).toMatchObject({ amounts: [500] })
  })

  it.each(["Total", "Total Coral Pumps"])("has words of a sum below the heading of an amount: %s", (text) => {
    const head = ["Consignment", "Freight: freight", "Fuel levy: fuel", "Total: amountExGst"]
    expect(read(head, "", "", text, "64.11")).toMatchObject({ amounts: [6411] })
  })

  it("gives back what stands in a column of credits, with a minus or without", () => {
    for (const text of ["5.00", "-5.00"])
      expect(read(["Consignment", "Credit: credit"], "SBC1", text)).toMatchObject({
        parts: [["Credit", -500]],
      })
  })

  it("takes debits and credits for the whole of it, and other columns of charges for parts, without zeros", () => {
    const head = ["Consignment", "Debit: debit", "Credit: credit"]
    expect(read(head, "SBC1", "", "5.00")).toEqual({ amounts: [-500], parts: [] })
    expect(read(["Consignment", "Fuel: fuel"], "SBC1", "0.00")).toMatchObject({ parts: [] })
  })

  it("is a charge where a column of signs says so, whatever it is called", () => {
    const head = ["Consignment", "Sign: sign", "Charge", "Net: amountExGst"]
    expect(read(head, "SBC1", "DR", "Credit note", "5.00")).toMatchObject({ amounts: [500] })
    expect(read(head.toSpliced(1, 1), "SBC1", "Credit note", "5.00")).toMatchObject({ amounts: [-500] })
  })

  it("names its one charge, and of two each by its own heading", () => {
    const head = ["Consignment", "Toll: other", "Wait: other"]
    expect(read(head, "Storage fee", "5.00", "")).toMatchObject({ parts: [["Storage fee", 500]] })
    expect(read(head, "Storage fee", "5.00", "2.00")).toMatchObject({
      parts: [
        ["Toll", 500],
        ["Wait", 200],
      ],
    })
  })

  it("names a charge by the column with its number, and by no other", () => {
    const head = ["Consignment", "Ref 1: reference", "Charge 1: charge", "Amount 1: other"]
    expect(read(head, "SBC1", "PO", "Tail lift", "5.00")).toMatchObject({ parts: [["Tail lift", 500]] })
    const plain = ["Consignment", "Details:", "Toll: other"]
    expect(read(plain, "SBC1", "Left at door", "5.00")).toMatchObject({ parts: [["Toll", 500]] })
  })
})

const sampleOf = (...columns: readonly (readonly string[])[]) =>
  (columns[0] ?? []).map((_, at) => ({
    ...{ line: at + 2, row: at + 2, cells: columns.map((cells) => cells[at] ?? "") },
  }))

describe("the columns of a bill", () => {
  const NUMBERS = ["SBC00000001", "SBC00000002"]
  const check = (...headings: readonly string[]) => {
    const { headers, fields } = columnsOf(...headings)
    const sample = sampleOf(...headings.map(() => NUMBERS))
    try {
      return checkFields("bill.csv", { fields, names: headers, sample }, []).map(({ column }) => column)
    } catch (error) {
      if (error instanceof FreightError) return [error.message, error.errors]
      throw error
    }
  }

  it.each([
    ["both are there", ["Consignment", "Net: amountExGst"], []],
    ["one may name the consignments", ["Job:", "Net: amountExGst"], ["Job"]],
    [
      "no amount is there, whatever else is",
      ["Consignment", "Job:"],
      ["bill.csv: no column has an amount", undefined],
    ],
    [
      "neither is there",
      ["Job:"],
      ["bill.csv: no column has a consignment number or a reference, and none an amount", undefined],
    ],
  ])("are asked about, or refused, where %s", (_, headings, found) => {
    expect(check(...headings)).toEqual(found)
  })

  it.each(["Total", "Add GST"])("may name the consignments where the other cells are %s", (word) => {
    const sample = sampleOf([...NUMBERS, word, word])
    expect(listNumberColumns([undefined], ["Job"], sample)).toHaveLength(1)
  })

  it.each([
    ["most of the cells of an unknown one are numbers", [...NUMBERS, "SBC00000003", "Freight"], 1],
    ["only half of them are", [...NUMBERS, "Fuel", "Freight"], 0],
  ])("may name the consignments where %s", (_, cells, count) => {
    expect(listNumberColumns([undefined], ["Job"], sampleOf(cells))).toHaveLength(count)
  })

  it("may name the consignments the more, the more numbers they have, each counted once", () => {
    const sample = sampleOf(["ACC10023", "ACC10023", "ACC10023"], [...NUMBERS, ""])
    const found = listNumberColumns([undefined, undefined], ["Account", "Job"], sample)
    expect(found.map(({ column }) => column)).toEqual(["Job", "Account"])
  })

  it("are offered as numbers that stand on the first row only, where they do", () => {
    expect(toNumberQuestion("Job", NUMBERS, true).choices).toEqual(["consignmentAbove", "consignment"])
    expect(toNumberQuestion("Job", NUMBERS).choices).toEqual(["consignment"])
  })
})

describe("what is taken off a gross amount", () => {
  const explained = (headings: readonly string[], ...rows: readonly (readonly string[])[]) => {
    const { headers, fields } = columnsOf(...headings)
    return listExplained(
      headers.map((header, at) => ({ header, field: fields[at], isMapped: false })),
      rows,
    ).map((at) => headers[at])
  }
  const LIST = ["List price:", "Volume discount:", "Net: amountExGst", "GST: gst"]
  const ROW = ["16.96", "3.00", "13.96", "1.40"]
  const BOTH = ["List price", "Volume discount"]

  it("needs two rows where the column is not called gross, and one where it is", () => {
    expect(explained(LIST, ROW)).toEqual([])
    expect(explained(LIST, ROW, ROW)).toEqual(BOTH)
    const gross = ["Gross: amountIncGst", ...LIST.slice(1)]
    expect(explained(gross, ROW)).toEqual(["Gross", "Volume discount"])
  })

  it("has to explain the net amount to the cent, and is not the GST", () => {
    expect(explained(LIST, ROW, ["16.96", "3.01", "13.96", "1.40"])).toEqual([])
    const gst = ["11.00", "1.00", "10.00", "1.00"]
    expect(explained(LIST, gst, gst)).toEqual([])
  })

  it("may be a rate, by which a cent is rounded either way", () => {
    const row = ["10.03", "20%", "8.03", "0.80"]
    expect(explained(LIST, row, row)).toEqual(BOTH)
    const two = ["10.03", "20%", "8.04", "0.80"]
    expect(explained(LIST, two, two)).toEqual([])
  })

  it("is not a charge that freight knows", () => {
    const head = LIST.with(1, "Less freight: freight")
    expect(explained(head, ROW, ROW)).toEqual([])
  })
})
