import { stringify } from "csv-stringify/sync"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type CsvRecord, csvRecords } from "../../../src/input/sheets/csv.ts"
import { failure } from "../../failure.ts"

const known = (header: string) => ["Order", "Name", "Suburb"].includes(header)

async function read(text: string, size = 1 << 16, headerRow?: number): Promise<CsvRecord[]> {
  const records: CsvRecord[] = []
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
  }
  for await (const record of csvRecords("orders.csv", pieces(), known, headerRow)) records.push(record)
  return records
}

const cellsOf = async (text: string, size?: number) => (await read(text, size)).map(({ cells }) => cells)

describe("a CSV file", () => {
  it.each([",", ";", "\t", "|"])("is read with the delimiter %j", async (delimiter) => {
    const text = `Order${delimiter}Name\nSO-1${delimiter}Lee\n`
    expect(await cellsOf(text)).toEqual([
      ["Order", "Name"],
      ["SO-1", "Lee"],
    ])
  })

  it("goes by the headers that mean something, not by the most marks", async () => {
    expect(await cellsOf('Order;"Name";a,b,c,d,e\n1;2;3\n')).toEqual([
      ["Order", "Name", "a,b,c,d,e"],
      ["1", "2", "3"],
    ])
  })

  it("goes by the row that a person says has the headings, whatever stands above it", async () => {
    const [title, headings, row] = await read("a;b;c;d\nGate,Bay\n1,2\n", 1 << 16, 2)
    expect([title?.cells, headings?.cells, row?.cells]).toEqual([["a;b;c;d"], ["Gate", "Bay"], ["1", "2"]])
  })

  it("goes by headings of which one is in two lines", async () => {
    expect(await cellsOf('"Gate\nno";Order;Name\n1;2;a,b\n')).toEqual([
      ["Gate\nno", "Order", "Name"],
      ["1", "2", "a,b"],
    ])
  })

  it("heeds the line that spreadsheets write for themselves", async () => {
    const records = await read("sep=|\nOrder|Name\n1|a,b\n")
    expect(records).toEqual([
      { line: 2, row: 1, cells: ["Order", "Name"] },
      { line: 3, row: 2, cells: ["1", "a,b"] },
    ])
  })

  it("may have one column", async () => {
    expect(await cellsOf("Order\nSO-1")).toEqual([["Order"], ["SO-1"]])
  })

  it("keeps delimiters, quotes and line breaks inside quotes", async () => {
    expect(await cellsOf('Order,Name\n"a,b","12"" pipe"\n"x\ny",z\n', 3)).toEqual([
      ["Order", "Name"],
      ["a,b", '12" pipe'],
      ["x\ny", "z"],
    ])
  })

  it("takes a stray quote as it stands", async () => {
    expect(await cellsOf('Order,Name\n1,12" pipe\n')).toContainEqual(["1", '12" pipe'])
  })

  it("tells the line on which each record begins, and its row in a spreadsheet, past empty lines and broken cells", async () => {
    const records = await read('Order,Name\n\n1,a\n,,\n\n"x\ny\nz",b\n2,c', 4)
    expect(records.map(({ line }) => line)).toEqual([1, 3, 6, 9])
    expect(records.map(({ row }) => row)).toEqual([1, 3, 6, 7])
  })

  it("gives back what was written, however it is cut", async () => {
    const cell = fc.string({
      unit: fc.constantFrom("a", ",", ";", "|", "\t", '"', "\n", " ", "é"),
      maxLength: 8,
    })
    const row = fc.tuple(cell, cell, cell).filter((cells) => cells.some((each) => each.trim() !== ""))
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 5 }),
        fc.constantFrom(",", ";", "\t", "|"),
        fc.integer({ min: 1, max: 9 }),
        async (rows, delimiter, size) => {
          const all = [["Order", "Name", "Suburb"], ...rows]
          expect(await cellsOf(stringify(all, { delimiter }), size)).toEqual(all)
        },
      ),
    )
  })

  it("has its last columns where Excel leaves them out, as they are empty in 16 rows", async () => {
    const rows = Array.from({ length: 39 }, (_, at) => `${at + 1},a${at < 15 || at > 30 ? "," : ""}`)
    for (const last of [39, 16, 17, 31]) {
      const cells = await cellsOf(
        `Order,Name,Suburb\n${rows.slice(0, last).join("\n").replaceAll("a,", "a,b")}\n`,
      )
      expect(cells.slice(1).map((each) => each.length)).toEqual(Array(last).fill(3))
    }
  })

  it.each([
    ["one of 16", 20, "2,a"],
    ["the first of 16", 16, "2,a"],
  ])("keeps a row as short as it is where the others are not: %s", async (_, at, row) => {
    const rows = Array.from({ length: 40 }, () => "1,a,b")
    rows[at - 1] = row
    const cells = await cellsOf(`Order,Name,Suburb\n${rows.join("\n")}\n`)
    expect(cells.map((each) => each.length)).toEqual(Array.from({ length: 41 }, (_, n) => (n === at ? 2 : 3)))
  })

  it("tells where a quote was opened that is never closed", async () => {
    const error = await failure(read('Order,Name\n1,a\n2,"b\n3,c\n'))
    expect(error.kind).toBe("input")
    expect(error.message).toContain("line 3")
  })

  it.each([
    ["that a later quote closes", '1,"Lee,3,4,5,6\n2,Kim,3,4,5,6\n3,Pat" Ltd,3,4,5,6\n4,a,3,4,5,6\n'],
    ["that ends a later cell", '1,"Lee,3,4,5,6\n2,12",3,4,5,6\n'],
    ["in the first cell", '"1,Lee,3,4,5,6\n2",Kim,3,4,5,6\n'],
    ["in the last cell", '1,Lee,3,4,5,"6\n\n2,Kim,3,4,5,6"\n'],
  ])("is refused where a quote takes in the rows after it: %s", async (_, rows) => {
    const error = await failure(read(`Order,Name,Suburb,4,5,6\n0,a,b,4,5,6\n${rows}`))
    expect([error.kind, error.message]).toEqual([
      "input",
      expect.stringMatching(
        /^orders\.csv: a quote on line 3 takes in what seem to be rows of their own, up to line \d$/,
      ),
    ])
  })

  it.each([
    ["an address", '1,"Unit 4, Dock 3\n12 Smith Street, Darwin, NT",3,4,5,6\n'],
    ["a note", '1,Lee,3,4,5,"Ring, wait\nand knock, twice"\n'],
  ])("keeps a cell of several lines: %s", async (_, rows) => {
    expect(await cellsOf(`Order,Name,Suburb,4,5,6\n${rows}2,b,3,4,5,6\n`)).toHaveLength(3)
  })

  it("does not take in a whole file behind a quote", async () => {
    const error = await failure(read(`Order,Name\n1,"${"x,y\n".repeat(400_000)}`))
    expect(error.message).toContain("line 2")
  })
})
