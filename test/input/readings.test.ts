/** How columns write their numbers and days: what decides, and how far. */
import { describe, expect, it } from "vitest"
import { BILL_COLUMNS } from "../../src/bills/reading/columns.ts"
import { judgeDays } from "../../src/input/columns/days.ts"
import { judgeDecimals } from "../../src/input/columns/decimals.ts"
import { createMapping, listColumnNames } from "../../src/input/columns/mapping.ts"
import type { WrittenRecord } from "../../src/input/columns/readings.ts"
import { judgeWritings } from "../../src/input/columns/writings.ts"

const column = (cells: readonly string[], isStrict = false) =>
  new Map([[0, { name: "Weight", cells, writings: [], isStrict }]])

/** The notes and questions about a column, and its cells in one form. */
function judge(cells: readonly string[], judged = judgeDecimals(column(cells)), exact?: readonly number[]) {
  const asked = judged.listQuestions().length
  const records = cells.map((text, at) =>
    judged.settle({ row: at + 2, cells: [text], ...(exact && { exact: [...exact] }) }),
  )
  const wrong = records.flatMap((each: WrittenRecord) =>
    (each.unreadable ?? []).map(({ message }) => message),
  )
  return { notes: judged.notes, asked, read: records.map((each) => each.cells[0]), wrong }
}

describe("a column of numbers", () => {
  it("that has both signs is asked about, and nothing is reported as decided", () => {
    expect(judge(["1.800", "2,5", "3,5", "4.5"])).toMatchObject({ notes: [], asked: 1 })
  })

  it.each([
    ["1234,567", "2345,678"],
    ["1,2345", "2,3456"],
  ])("is decided by numbers with more than three figures before or behind the sign: %s", (one, other) => {
    expect(judge([one, other, "1.800"]).read[2]).toBe("1800")
  })

  it("has no thousands in a number that begins with a zero", () => {
    expect(judge(["2,5", "3,5", "012.345"]).read[2]).toBe("012.345")
  })

  it("leaves numbers of a workbook or of JSON as they are", () => {
    expect(judge(["2,5", "3,5", "1.800"], undefined, [0]).read[2]).toBe("1.800")
  })

  it("names the first cell that was read where another is against it", () => {
    const all = ["1.800", "1.900", "2,5"]
    expect(judge(all, judgeDecimals(column([]))).wrong).toEqual([
      '"2,5" has a decimal comma, and "1.800" of row 2 was read with a decimal point',
    ])
  })
})

it.each([
  ["45/06/2026", "46/06/2026"],
  ["06/45/2026", "06/46/2026"],
])("days that no month has decide nothing: %s", (one, other) => {
  const cells = ["06/12/2026", one, other]
  expect(judge(cells, judgeDays(column(cells, true)))).toMatchObject({ notes: [], asked: 1 })
})

it("a day that both orders have in common is not asked about", () => {
  expect(judge(["06/06/2026"], judgeDays(column(["06/06/2026"], true))).asked).toBe(0)
})

it("--map says it of all columns with one heading, or of one of them by its number", () => {
  const headers = ["Amount ex GST", "Amount ex GST"]
  const names = listColumnNames(headers)
  const askOf = (...map: string[]) => {
    const mapping = createMapping(BILL_COLUMNS, map)
    const meaning = mapping.meaning("Amount ex GST")
    const fields = headers.map(() => ("field" in meaning ? meaning.field : undefined))
    const judged = judgeWritings(mapping, { headers, names, fields }, () => ["1.800", "2,5"])
    return judged.listQuestions().map((each) => each.column)
  }
  expect(askOf()).toEqual(["Amount ex GST", "Amount ex GST#2"])
  expect(askOf("Amount ex GST=decimalComma")).toEqual([])
  expect(askOf("Amount ex GST#2=decimalComma")).toEqual(["Amount ex GST"])
})
