import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createRowsReport, type RowFinding } from "../../../../src/input/sheets/findings.ts"
import { rowsError } from "../../../../src/orders/batch/book.ts"
import { rowsOf } from "../batches.ts"

async function reportOf(text: string) {
  const report = createRowsReport()
  for (const row of await rowsOf(text)) report.add(row)
  return report
}

const note = (row: number, changes: Partial<RowFinding> = {}): RowFinding => ({
  row,
  line: row + 1,
  column: "Suburb",
  rule: "required",
  message: "receiver.suburb is missing",
  severity: "error",
  ...changes,
})

const reported = (findings: readonly RowFinding[]) => {
  const report = createRowsReport()
  for (const each of findings) report.add({ row: each.row, findings: [each] })
  return report
}

describe("the report of a batch", () => {
  it("tells the same mistake of many rows once", () => {
    const list = reported([1, 2, 3, 7, 9, 10].map((row) => note(row))).list()
    expect(list).toMatchObject([{ row: 1, line: 2, rows: "1-3, 7, 9-10", count: 6 }])
  })

  it("names the first of very many rows, and counts the others", () => {
    const list = reported(Array.from({ length: 30 }, (_, at) => note(2 * at + 1))).list()
    expect(list).toMatchObject([{ rows: expect.stringMatching(/^1, 3, .*, 39 and 10 more$/), count: 30 }])
  })

  it("tells mistakes apart that differ", () => {
    const list = reported([note(1), note(2, { message: "other" }), note(3, { column: "State" })]).list()
    expect(list).toHaveLength(3)
  })

  it("tells repairs of a column together, with the first as an example", () => {
    const repair = { rule: "lost-zero", severity: "repaired" } as const
    const list = reported([
      note(1, { ...repair, message: "800" }),
      note(2, { ...repair, message: "810" }),
    ]).list()
    expect(list).toMatchObject([{ message: "800", count: 2 }])
  })

  it("tells errors before warnings before repairs", () => {
    const severities = ["repaired", "warning", "error"] as const
    const list = reported(severities.map((severity, index) => note(index + 1, { severity }))).list()
    expect(list.map(({ severity }) => severity)).toEqual(["error", "warning", "repaired"])
  })

  it("counts a row once, however much is wrong with it", () => {
    const report = createRowsReport()
    report.add({ row: 1, findings: [note(1), note(1, { column: "State" })] })
    report.add({ row: 2, findings: [note(2, { severity: "warning" })] })
    expect([report.total, [...report.bad]]).toEqual([2, [1]])
  })

  it("counts the earlier of two rows with one reference", async () => {
    const report = await reportOf("Order\nSO-1\nSO-1\n")
    expect(report.total).toBe(2)
    expect([...report.bad].toSorted()).toEqual([2, 3])
  })

  it("names exactly the rows that were added", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (unsorted) => {
        const rows = unsorted.toSorted((a, b) => a - b)
        const [list] = reported(rows.map((row) => note(row))).list()
        const shown = (list?.rows ?? "").split(", ").flatMap((range) => {
          const [first = 0, last = first] = range.split("-").map(Number)
          return Array.from({ length: last - first + 1 }, (_, index) => first + index)
        })
        expect(shown).toEqual(rows)
        expect(list?.count).toBe(rows.length)
      }),
    )
  })

  it("is an error when rows cannot be booked", () => {
    const error = rowsError(
      "orders.csv",
      reported([note(1, { hint: "fill in the cell" }), note(2, { severity: "warning" })]),
    )
    expect(error?.message).toBe("orders.csv: 1 of 2 rows cannot be booked; nothing was sent")
    expect(error?.errors).toEqual([
      {
        message: "row 1, Suburb: receiver.suburb is missing: fill in the cell",
        field: "Suburb",
        code: "required",
        line: 2,
      },
    ])
  })

  it("is not an error when there is none", () => {
    expect(rowsError("orders.csv", reported([note(1, { severity: "repaired" })]))).toBeUndefined()
  })
})
