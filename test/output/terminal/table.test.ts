import { describe, expect, it } from "vitest"
import { BRIEF, type Column, tableColumns } from "../../../src/output/terminal/columns.ts"
import { details } from "../../../src/output/terminal/details.ts"
import { drawGrid } from "../../../src/output/terminal/grid.ts"
import { createTable } from "../../../src/output/terminal/table.ts"
import type { View } from "../../../src/output/terminal/view.ts"

function table<Row>(
  terminal: Parameters<typeof createTable>[0],
  columns: readonly Column<Row>[],
  { rows, dim }: Pick<View<Row>, "rows" | "dim">,
): string {
  const written = createTable(terminal, columns, dim)
  const measured = written.measure(rows)
  const joined = written.heading() + written.lines(measured)
  expect(written.heading(drawGrid) + written.lines(measured, drawGrid)).toBe(joined)
  return joined
}

interface Row {
  id: string
  name: string
  note: string
  price: string
  state: string
  empty?: string
}

const ROWS: Row[] = [
  {
    id: "a48da18d-0000-4000-8000-000000000001",
    name: "Harbour Lighting Pty Ltd",
    note: "the carrier has it and nobody knows where it is",
    price: "70.29",
    state: "done",
  },
]
const NAME: Column<Row> = { key: "name", title: "NAME" }
const NOTE: Column<Row> = { key: "note", title: "NOTE", gives: "words" }
const PRICE: Column<Row> = { key: "price", title: "PRICE", align: "right" }
const STATE: Column<Row> = { key: "state", title: "STATE", isState: true }
const EMPTY: Column<Row> = { key: "empty", title: "OF NO USE" }
const ID: Column<Row> = { key: "id", title: "ID", brief: BRIEF.id, gives: "nothing" }

function at(
  width: number | undefined,
  columns: Column<Row>[],
  { unicode = true, colour = false, rows = ROWS } = {},
) {
  const stdout = { isTTY: width !== undefined, colour, columns: width ?? 80, write: async () => {} }
  return table({ stdout, unicode }, columns, { rows }).replace(/\n$/, "").split("\n")
}

describe("a row that comes after the columns are laid out", () => {
  const wide = { name: "Harbour Lighting and Ropes Pty Ltd", price: "1,234,567.89", note: "x" }
  const line = (isTTY: boolean) => {
    const stdout = { isTTY, colour: false, columns: 40, write: async () => {} }
    const { measure, heading, lines } = createTable({ stdout, unicode: true }, [NAME, PRICE, NOTE], undefined)
    const first = measure([{ name: "Dana", price: "70.29", note: "y" }] as Row[])
    return [heading() + lines(first), lines(measure([wide] as Row[]))]
  }

  it("is whole in a pipe", () => {
    expect(line(false)).toEqual([
      "NAME  PRICE  NOTE\nDana  70.29  y\n",
      "Harbour Lighting and Ropes Pty Ltd  1,234,567.89  x\n",
    ])
  })

  it("is cut on a terminal, but for its amounts", () => {
    expect(line(true)).toEqual(["NAME  PRICE  NOTE\nDana  70.29  y\n", "Har…  1,234,567.89  x\n"])
  })
})

describe("a table", () => {
  it("is whole where it fits, and in a pipe", () => {
    const whole = at(undefined, [NAME, PRICE, ID])
    expect(whole).toEqual([
      "NAME                      PRICE  ID",
      "Harbour Lighting Pty Ltd  70.29  a48da18d-0000-4000-8000-000000000001",
    ])
    expect(at(69, [NAME, PRICE, ID])).toEqual(whole)
  })

  it("shortens ids first", () => {
    expect(at(68, [NAME, PRICE, ID])[1]).toBe("Harbour Lighting Pty Ltd  70.29  a48da18d")
  })

  it("cuts the widest text after the ids", () => {
    expect(at(33, [NAME, PRICE, ID])[1]).toBe("Harbour Lightin…  70.29  a48da18d")
    expect(at(33, [NAME, PRICE, ID], { unicode: false })[1]).toBe("Harbour Light...  70.29  a48da18d")
  })

  it("leaves out empty columns after cutting, and then the last column", () => {
    expect(at(29, [NAME, EMPTY, PRICE, ID])).toEqual([
      "NAME          PRICE  ID",
      "Harbour Lig…  70.29  a48da18d",
    ])
    expect(at(28, [NAME, EMPTY, PRICE, ID])).toEqual([
      "NAME                   PRICE",
      "Harbour Lighting Pty…  70.29",
    ])
  })

  it("breaks what explains between words", () => {
    expect(at(40, [PRICE, NOTE])).toEqual([
      "PRICE  NOTE",
      "70.29  the carrier has it and nobody",
      "       knows where it is",
    ])
  })

  it("cuts one column that is all there is", () => {
    expect(at(10, [NAME])).toEqual(["NAME", "Harbour L…"])
  })

  it.each([20, 40, 60, 80, 100])("has no line longer than %i columns", (width) => {
    for (const columns of [[NAME, NOTE, PRICE, STATE, EMPTY, ID], [ID, NOTE, NAME], [NOTE], [ID]])
      for (const line of at(width, columns)) expect(line.length).toBeLessThanOrEqual(width)
  })

  it("shows a heading of a server without what a terminal obeys", () => {
    expect(at(80, [{ ...NAME, title: "\u001b[31mTOTAL\u001b[2J" }])[0]).toBe("TOTAL")
  })

  it("aligns emoji, wide letters and rows of several lines, in pages too", () => {
    const rows = ["🫠 melting", "👩🏽‍🚀 in space", "東京都港区", "café", "plain"].flatMap((name) =>
      Array.from({ length: 50 }, (_, count) => ({ ...ROWS[0], name, price: `${count}` }) as Row),
    )
    const lines = at(60, [NAME, PRICE, NOTE, STATE], { rows, colour: true })
    expect(lines.length).toBe(1 + 2 * 250)
    expect(lines.slice(1, 3)).toEqual([
      "🫠 melting       0  the carrier has it and nobody      \u001b[32mdone\u001b[39m",
      "                    knows where it is",
    ])
  })

  it("shows states in colour, where there is any", () => {
    expect(at(80, [STATE], { colour: true })[1]).toBe("\u001b[32mdone\u001b[39m")
    expect(at(80, [STATE])[1]).toBe("done")
  })
})

it("a state among details has its colour", () => {
  const stdout = { isTTY: true, colour: true, columns: 80, write: async () => {} }
  expect(
    details({ stdout } as never, [
      ["Status", "FAILED", "state"],
      ["Name", "failed"],
    ]),
  ).toBe("\u001b[1mStatus\u001b[22m  \u001b[31mFAILED\u001b[39m\n\u001b[1mName  \u001b[22m  failed\n")
})

it("a table's columns stand by their use", () => {
  const columns = [ID, { ...NAME, rank: 2 }, { ...NOTE, hidden: true }, { ...PRICE, rank: 1 }, STATE]
  expect(tableColumns(columns).map(({ key }) => key)).toEqual(["price", "name", "id", "state"])
})

it.each([
  [BRIEF.time, "Mon 23 Nov 2026, 19:00", "23 Nov 19:00"],
  [BRIEF.time, "-", "-"],
  [BRIEF.carrier, "CARRIER_A_AU", "A"],
])("a short form of %s", (brief, long, short) => {
  expect(brief(long)).toBe(short)
})
