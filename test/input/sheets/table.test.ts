/** A table as it is opened: what is told of what stands above its headings and of its merged cells. */
import { describe, expect, it } from "vitest"
import { BILL_COLUMNS } from "../../../src/bills/reading/columns.ts"
import { mayBeMoney } from "../../../src/input/columns/money.ts"
import { createMapping } from "../../../src/input/columns/mapping.ts"
import type { ColumnField, SheetColumns } from "../../../src/input/columns/notation.ts"
import type { ColumnQuestion } from "../../../src/input/columns/questions.ts"
import { repeatsHeadings } from "../../../src/input/sheets/heading-lines.ts"
import { checkRecord, openTable, type SheetRecords } from "../../../src/input/sheets/table.ts"
import { ROW_COLUMNS } from "../../../src/invoice/new/rows/fields.ts"

/** The notes about a sheet with these rows. */
async function open<Field extends ColumnField>(
  columns: SheetColumns<Field>,
  rows: readonly (readonly string[])[],
  merged: SheetRecords["merged"] = [],
): Promise<string[]> {
  const told: string[] = []
  async function* records() {
    for (const [at, cells] of rows.entries()) yield { line: at + 1, row: at + 1, cells: [...cells] }
  }
  await openTable("orders.xlsx", { sheet: { records, merged, notes: [] } }, createMapping(columns, []), {
    ...{ ignoreUnknown: false, signal: new AbortController().signal },
    tell: async (note) => void told.push(note),
  })
  return told
}

const LINES = [
  ["Description", "Qty", "Price"],
  ["Lamp", "2", "19.99"],
]

describe("a table", () => {
  it("has a date above its headings told, where its rows alone say what it is", async () => {
    expect(await open(ROW_COLUMNS, [["Date", "30/11/2026"], ...LINES])).toEqual([
      'row 1: "Date" is above the headings and is left out',
    ])
  })

  it("has a date above its headings for a fact, where it is one of a bill", async () => {
    const rows = [
      ["Date", "30/11/2026"],
      ["Consignment", "Total"],
      ["A-1001", "5.00"],
    ]
    expect(await open(BILL_COLUMNS, rows)).toEqual([])
  })

  it("takes a number of a workbook as it is, however texts beside it are written", async () => {
    async function* records() {
      const rows = [
        ["Description", "Qty", "Price"],
        ["A", "1,5", "2,5"],
        ["B", "2,5", "3,5"],
        ["C", "1.125", "1.125"],
      ]
      for (const [at, cells] of rows.entries())
        yield { line: at + 1, row: at + 1, cells, ...(at === 3 && { exact: [2] }) }
    }
    const sheet = { records, merged: [], notes: [] }
    const table = await openTable("lines.xlsx", { sheet }, createMapping(ROW_COLUMNS, []), {
      ...{ ignoreUnknown: false, signal: new AbortController().signal, tell: async () => {} },
    })
    const read: (readonly string[])[] = []
    for await (const { cells } of table.records) read.push(cells)
    expect(read.at(-1)).toEqual(["C", "1125", "1.125"])
  })

  it("tells ten of its merged cells by name, and how many there are besides; of those above the headings none", async () => {
    const cellsOf = (count: number, row: number) =>
      Array.from({ length: count }, (_, at) => ({
        name: `A${row + at}:B${row + at}`,
        first: row + at,
        last: row + at,
      }))
    const above = { name: "A1:C1", first: 1, last: 1 }
    const rows = [["Lamps"], ...LINES]
    const [title, note] = await open(ROW_COLUMNS, rows, [above, ...cellsOf(11, 3)])
    expect([title, note]).toEqual([
      'row 1: "Lamps" is above the headings and is left out',
      expect.stringMatching(/merged cells \(A3:B3, .*, A12:B12 and 1 more\) count for their first cell only/),
    ])
    expect((await open(ROW_COLUMNS, rows, [above, ...cellsOf(10, 3)]))[1]).toContain("A12:B12) count")
    expect(await open(ROW_COLUMNS, rows, [above])).toHaveLength(1)
  })
})

describe("a column whose numbers have two readings", () => {
  const rows = [
    ["Item", "Price"],
    ["A", "1.800"],
    ["B", "2,5"],
  ]
  const openRows = async (sampleRows?: number) => {
    const questions: ColumnQuestion[] = []
    async function* records() {
      for (const [at, cells] of rows.entries()) yield { line: at + 1, row: at + 1, cells: [...cells] }
    }
    const sheet = { records, merged: [], notes: [] }
    const table = await openTable("lines.xlsx", { sheet }, createMapping(ROW_COLUMNS, []), {
      ...{ ignoreUnknown: false, signal: new AbortController().signal, tell: async () => {} },
      ...(sampleRows === undefined ? { questions } : { sampleRows }),
    })
    const wrong: number[] = []
    for await (const { row, unreadable } of table.records) if (unreadable) wrong.push(row)
    return { wrong, asked: questions.map(({ column }) => column) }
  }

  it("is asked about once, however often it is read", async () => {
    expect((await openRows()).asked).toEqual(["Price"])
  })

  it("is not asked about at its end where rows are taken as they come: the row against others is wrong", async () => {
    expect(await openRows(0)).toEqual({ wrong: [3], asked: [] })
  })
})

describe("a row with cells that are too many or too few", () => {
  const rulesOf = (headers: readonly string[], cells: string[]) =>
    checkRecord({ headers, fields: headers }, { cells }, { isAmount: mayBeMoney }).map(({ rule }) => rule)
  const [NAMED, THREE] = [
    ["Bin", "Value"],
    ["Bin", "Items", "Kg"],
  ]

  it.each([
    ["a thousands comma parts an amount without cents", NAMED, ["A-1", "113", "072"]],
    ["the last cell is one too many", NAMED, ["A-1", "5.00", "6.00"]],
    ["an amount stands in a row that is too short", NAMED, ["5.00"]],
  ])("is wrong where %s", (_, headers, cells) => {
    expect(rulesOf(headers, cells)).toEqual(["ragged"])
  })

  it.each([
    ["a count stands beside a weight", THREE, ["A-1", "1", "150"]],
    ["a row without an amount is too long", NAMED, ["A-1", "", "*"]],
    ["a row that is too short has no amount", NAMED, ["A-1"]],
  ])("is not wrong where %s", (_, headers, cells) => {
    expect(rulesOf(headers, cells)).toEqual([])
  })

  it("is wrong where an amount stands in the first column, which has no name", () => {
    expect(rulesOf(["", "Value"], ["9.00", "5.00"])).toEqual(["nameless"])
  })

  it("has no other fault told beside a cell without a value", () => {
    const unreadable = [{ index: 1, rule: "struck", message: "is struck through", hint: "type it again" }]
    const found = checkRecord({ headers: NAMED, fields: NAMED }, { cells: ["A-1", "", "6.00"], unreadable })
    expect(found.map(({ rule, column }) => [rule, column])).toEqual([["struck", "Value"]])
  })
})

it.each([
  ["each of its cells is the heading above it", ["Item", "", "UNIT price"], true],
  ["one cell is, which may be a value", ["Item", "", ""], false],
  ["they stand elsewhere", ["", "Item", "Unit price"], false],
  ["one of its cells is another", ["Item", "2", "Unit price"], false],
])("a row repeats the headings where %s", (_, cells, repeats) => {
  expect(repeatsHeadings(cells, ["Item", "Qty", "Unit price"])).toBe(repeats)
})
