/** The reader of tables, with a dialect of its own: counts of a stocktake. */
import { describe, expect, it } from "vitest"
import { mayBeMoney } from "../../../src/input/columns/money.ts"
import type { CsvRecord } from "../../../src/input/sheets/csv.ts"
import { type Dialect, readRecords, toRowError } from "../../../src/input/sheets/records.ts"

interface Table {
  headers: readonly string[]
  fields: readonly (string | undefined)[]
  unused?: readonly string[]
}

const FIRST: Table = {
  headers: ["Bin", "Value", "Note"],
  fields: ["bin", "value", undefined],
  unused: ["Note"],
}
const SECOND: Table = { headers: ["Value", "Bin", "Levy"], fields: ["value", "bin", "levy"] }

const recordsOf = (...rows: readonly (readonly string[])[]): CsvRecord[] =>
  rows.map((cells, at) => ({ line: at + 2, row: at + 2, cells: [...cells] }))

interface Count {
  bin: string
  value: string
}

function dialectOf(told: string[]): Dialect<string, Count, Table> {
  const at = ({ cells }: CsvRecord, { fields }: Table, field: string) => cells[fields.indexOf(field)] ?? ""
  return {
    what: "a bin",
    isAmount: mayBeMoney,
    tell: async (text) => void told.push(text),
    read: (record, table) => {
      const value = at(record, table, "value")
      if (value === "?") return { error: { column: "Value", message: "is not counted" } }
      return value === "" ? undefined : { bin: at(record, table, "bin"), value }
    },
    listLabels: ({ bin }) => ({ names: [], label: bin }),
    findTable: async ({ cells, isHeadings }) =>
      isHeadings ? FIRST : cells[0] === "Value" ? SECOND : undefined,
  }
}

async function read(dialect: Dialect<string, Count, Table>, ...records: readonly CsvRecord[]) {
  const found: unknown[] = []
  for await (const { record, table, row, wrong } of readRecords(FIRST, records, dialect))
    found.push(
      row
        ? [table === FIRST ? 1 : 2, row.bin, row.value]
        : wrong.map((each) => toRowError(record, each).message),
    )
  return found
}

describe("a table that is read by a dialect", () => {
  it("gives each record with the table it is in, and reads it by that", async () => {
    const [one, headings, two, again, three] = recordsOf(
      ["A-1", "5.00", ""],
      ["Value", "Bin", "Levy"],
      ["7.00", "B-1", ""],
      ["Bin", "Value", "Note"],
      ["A-2", "6.00", ""],
    ) as [CsvRecord, CsvRecord, CsvRecord, CsvRecord, CsvRecord]
    expect(await read(dialectOf([]), one, headings, two, { ...again, isHeadings: true }, three)).toEqual([
      [1, "A-1", "5.00"],
      [2, "B-1", "7.00"],
      [1, "A-2", "6.00"],
    ])
  })

  it("lets what the records come from know the table of the next one", async () => {
    const seen: (readonly string[])[] = []
    async function* follow(current: () => Table) {
      for (const record of recordsOf(["A-1", "5.00", ""], ["Value", "Bin", "Levy"], ["7.00", "B-1"])) {
        seen.push(current().headers)
        yield record
      }
    }
    for await (const _ of readRecords(FIRST, follow, dialectOf([])));
    expect(seen).toEqual([FIRST.headers, FIRST.headers, SECOND.headers])
  })

  it("tells what is left out with money in it: rows of the account, notes, and columns of the first table with their sum", async () => {
    const told: string[] = []
    const found = await read(
      dialectOf(told),
      ...recordsOf(
        ["A-1", "5.00", "1.50"],
        ["Opening balance", "412.10", ""],
        ["counted by Lee, 3.20 short", "", ""],
        ["counted by Lee", "", ""],
        ["counted by Kim, 3,20 over", "", ""],
        ["A-2", "", "9.00"],
        ["A-3", "6.00", "2.50"],
        ["Value", "Bin", "Levy"],
        ["8.00", "B-1", "1.00"],
      ),
    )
    expect(found).toHaveLength(3)
    expect(told).toEqual([
      'row 3: "Opening balance" (412.10) is of the account, not a bin, and is left out',
      'row 4: "counted by Lee, 3.20 short" is a note, not a bin, and is left out',
      'row 6: "counted by Kim, 3,20 over" is a note, not a bin, and is left out',
      'amounts that are not used: "Note" (2 amounts, 4.00 in all)',
    ])
  })

  it("tells an amount without a heading beside a sum, and takes one alone for the sum", async () => {
    const told: string[] = []
    const table = { headers: ["Bin", "Value", ""], fields: ["bin", "value", undefined] }
    const rows = recordsOf(
      ["Total", "11.00", "12.34"],
      ["Total", "11.00", ""],
      ["Total", "", "12.34"],
      ["Total Aisle 4", "11.00", "5.00"],
    )
    const dialect = {
      ...dialectOf(told),
      read: ({ cells: [bin = "", value = ""] }: CsvRecord) => ({ bin, value }),
    }
    for await (const { wrong } of readRecords(table, rows, dialect)) expect(wrong).toEqual([])
    expect(told).toEqual([
      "row 2: 12.34 has no heading and is not read",
      "row 5: 5.00 has no heading and is not read",
    ])
  })

  it("takes what was paid as a row of the account by itself, and beside a name as who pays for it", async () => {
    const told: string[] = []
    const dialect = dialectOf(told)
    const named = {
      ...dialect,
      listLabels: ({ bin }: Count) => ({ names: bin === "PAID" ? ["A-1"] : [], label: bin }),
    }
    expect(await read(named, ...recordsOf(["Paid", "5.00", ""], ["PAID", "6.00", ""]))).toEqual([
      [1, "PAID", "6.00"],
    ])
    expect(told).toEqual(['row 2: "Paid" (5.00) is of the account, not a bin, and is left out'])
  })

  it("takes payments for rows where they are, and leaves out what is owed anyway", async () => {
    const told: string[] = []
    const found = await read(
      { ...dialectOf(told), takes: "payment" },
      ...recordsOf(["Payment received", "5.00", ""], ["Opening balance", "6.00", ""]),
    )
    expect(found).toEqual([[1, "Payment received", "5.00"]])
    expect(told).toEqual(['row 3: "Opening balance" (6.00) is of the account, not a bin, and is left out'])
  })

  it("leaves out amounts below a line of labels of the account, and nothing below a line that has another word", async () => {
    const told: string[] = []
    const rows = recordsOf(
      ["Current", "30 days", "Total"],
      ["5.00", "-", "412.10"],
      ["5.00", "6.00", ""],
      ["Closing balance", "Receipts", ""],
      ["Opening balance", "Payments", ""],
      ["", "", ""],
      ["A-1", "7.00", ""],
      ["Aisle", "Current", ""],
      ["8.00", "9.00", ""],
    )
    expect(await read(dialectOf(told), ...rows)).toEqual([
      [1, "5.00", "6.00"],
      [1, "A-1", "7.00"],
      [1, "Aisle", "Current"],
      [1, "8.00", "9.00"],
    ])
    expect(told).toEqual(['row 3: "Current" (5.00, -, 412.10) is of the account, not a bin, and is left out'])
  })

  it("leaves out ages and their amounts in one line, and nothing with another word in it", async () => {
    const told: string[] = []
    const named = {
      ...dialectOf(told),
      listLabels: ({ bin, value }: Count) => ({ names: [bin, value], label: "" }),
    }
    const found = await read(
      named,
      ...recordsOf(
        ["Current", "5.00", "Over 30 days"],
        ["Current", "6.00", "Freight"],
        ["Overdue", "7.00", ""],
        ["Paid", "8.00", "30 days"],
      ),
    )
    expect(found).toEqual([
      [1, "Current", "6.00"],
      [1, "Overdue", "7.00"],
      [1, "Paid", "8.00"],
    ])
    expect(told).toContain('row 2: "Current" (5.00) is of the account, not a bin, and is left out')
  })

  it("says where a row is wrong, and reads nothing of it", async () => {
    expect(
      await read(
        dialectOf([]),
        ...recordsOf(["A-1", "?", ""], ["A-2", "1", "072.70", "3.00"], ["A-3", "5.00", ""]),
      ),
    ).toEqual([
      ["row 2, Value: is not counted"],
      [expect.stringMatching(/^row 3: has 4 cells, and the first line has 3 columns/)],
      [1, "A-3", "5.00"],
    ])
  })

  it("says which cell of a note has no value", async () => {
    const [note] = recordsOf(["counted by Lee", "", ""])
    const unreadable = [{ index: 1, rule: "struck", message: "is struck through", hint: "type it again" }]
    expect(await read(dialectOf([]), { ...(note as CsvRecord), unreadable })).toEqual([
      ["row 2, Value: is struck through: type it again"],
    ])
  })

  it("tells cells without a value by itself only where their reader does not", async () => {
    const { isAmount: _, listLabels: __, ...plain } = dialectOf([])
    const [one] = recordsOf(["A-1", "5.00", ""]) as [CsvRecord]
    const unreadable = [{ index: 0, rule: "struck", message: "is struck through", hint: "type it again" }]
    const wrongOf = async (dialect: Dialect<string, Count, Table>) => {
      for await (const { wrong } of readRecords(FIRST, [{ ...one, unreadable }], dialect)) return wrong.length
      return undefined
    }
    expect(await wrongOf(plain)).toBe(1)
    expect(await wrongOf({ ...plain, readsUnreadable: true })).toBe(0)
  })

  it("is quiet about columns where it is known what they are", async () => {
    const told: string[] = []
    await read({ ...dialectOf(told), isQuiet: true }, ...recordsOf(["A-1", "5.00", "1.50"]))
    expect(told).toEqual([])
  })
})
