import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { RowNote } from "../../src/batch/rows/row.ts"
import { rowsRefused, rowsReport } from "../../src/batch/rows/report.ts"
import { rowsOf } from "./batches.ts"

async function reportOf(text: string) {
  const report = rowsReport()
  for (const row of await rowsOf(text)) report.add(row)
  return report
}

const note = (row: number, changes: Partial<RowNote> = {}): RowNote => ({
  row,
  line: row + 1,
  column: "Suburb",
  rule: "required",
  message: "receiver.suburb is missing",
  severity: "error",
  ...changes,
})

const reported = (notes: readonly RowNote[]) => {
  const report = rowsReport()
  for (const each of notes) report.add({ row: each.row, notes: [each] })
  return report
}

describe("the report of a batch", () => {
  it("tells the same mistake of many rows once", () => {
    const told = reported([1, 2, 3, 7, 9, 10].map((row) => note(row))).told()
    expect(told).toMatchObject([{ row: 1, line: 2, rows: "1-3, 7, 9-10", count: 6 }])
  })

  it("tells mistakes apart that differ", () => {
    const told = reported([note(1), note(2, { message: "other" }), note(3, { column: "State" })]).told()
    expect(told).toHaveLength(3)
  })

  it("tells repairs of a column together, with the first as an example", () => {
    const repair = { rule: "lost-zero", severity: "repaired" } as const
    const told = reported([
      note(1, { ...repair, message: "800" }),
      note(2, { ...repair, message: "810" }),
    ]).told()
    expect(told).toMatchObject([{ message: "800", count: 2 }])
  })

  it("tells errors before warnings before repairs", () => {
    const severities = ["repaired", "warning", "error"] as const
    const told = reported(severities.map((severity, index) => note(index + 1, { severity }))).told()
    expect(told.map(({ severity }) => severity)).toEqual(["error", "warning", "repaired"])
  })

  it("counts a row once, however much is wrong with it", () => {
    const report = rowsReport()
    report.add({ row: 1, notes: [note(1), note(1, { column: "State" })] })
    report.add({ row: 2, notes: [note(2, { severity: "warning" })] })
    expect([report.total, [...report.bad]]).toEqual([2, [1]])
  })

  it("counts the earlier of two rows with one reference", async () => {
    const report = await reportOf("Order\nSO-1\nSO-1\n")
    expect(report.total).toBe(2)
    expect([...report.bad].toSorted()).toEqual([1, 2])
  })

  it("names exactly the rows that were added", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (unsorted) => {
        const rows = unsorted.toSorted((a, b) => a - b)
        const [told] = reported(rows.map((row) => note(row))).told()
        const shown = (told?.rows ?? "").split(", ").flatMap((range) => {
          const [first = 0, last = first] = range.split("-").map(Number)
          return Array.from({ length: last - first + 1 }, (_, index) => first + index)
        })
        expect(shown).toEqual(rows)
        expect(told?.count).toBe(rows.length)
      }),
    )
  })

  it("is an error when rows cannot be booked", () => {
    const error = rowsRefused(
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

  it("is no error when there is none", () => {
    expect(rowsRefused("orders.csv", reported([note(1, { severity: "repaired" })]))).toBeUndefined()
  })
})
