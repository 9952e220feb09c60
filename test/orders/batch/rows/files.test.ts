/** Files as programs write them. */
import path from "node:path"
import { describe, expect, it } from "vitest"
import { fileSource } from "../../../../src/input/sheets/source.ts"
import { type BatchRow, listCells } from "../../../../src/orders/batch/rows/row.ts"
import { readRows } from "../../../../src/orders/batch/rows/rows.ts"
import { openSheet } from "../../../../src/input/sheets/open.ts"
import { workbookOf } from "../../../bills/desk.ts"
import { failure } from "../../../failure.ts"
import { defaults, said, WAREHOUSE } from "../batches.ts"

const fileNamed = (name: string) => path.join(import.meta.dirname, "files", name)

async function read(name: string): Promise<BatchRow[]> {
  const rows: BatchRow[] = []
  const common = defaults({ booking: { sender: { ...WAREHOUSE } }, service: undefined })
  for await (const row of readRows({ ...fileSource(fileNamed(name)), name }, common)) rows.push(row)
  return rows
}

describe("the same three orders", () => {
  it.each([
    "excel.csv",
    "excel-semicolon.csv",
    "numbers-mac.tsv",
    "orders.ndjson",
    "orders.json",
    "jq-pretty.txt",
  ])("are read from %s", async (name) => {
    const rows = await read(name)
    expect(rows.flatMap((row) => said(row))).toEqual([])
    expect(rows.map(({ request, wish }) => ({ request, wish }))).toEqual(
      (await read("orders.ndjson")).map(({ request, wish }) => ({ request, wish })),
    )
    expect(rows[1]?.request?.receiver).toEqual({
      companyName: "Doe, Roe & Co",
      contactName: "Kim Doe",
      address1: "Unit 4 12 Smith Street",
      suburb: "Darwin",
      state: "NT",
      postcode: "0800",
      phoneNumber: "0412345678",
    })
    expect(rows[2]?.request?.receiver).toMatchObject({ companyName: "Ana Péréz", postcode: "7000" })
    expect(rows[2]?.wish).toEqual({ kind: "code", serviceCode: "PRM" })
  })
})

describe("a damaged file", () => {
  it("has every mistake of every row reported in one pass", async () => {
    const rows = await read("damaged.csv")
    expect(rows.map((row) => said(row))).toEqual([
      ["Phone exponent", "Account number exponent"],
      ["Order exponent", "Postcode formula-error"],
      [
        ...["Street required", "Postcode lost-zero", "Weight required", "Packaging enum"],
        ...["Ready date", "Close time", "Max price type"],
      ],
      ["ragged"],
      ["Order unique", "Order unique"],
    ])
    expect(rows.every(({ request }, index) => (request === undefined) === index < 5)).toBe(true)
  })

  it("is read where it is Windows-1252", async () => {
    const [row] = await read("latin1.csv")
    expect(
      listCells(row?.cells ?? { columns: [], texts: [] })
        .map(([, text]) => text)
        .join(),
    ).toContain("é")
  })

  it("is read where it is UTF-16, as Excel saves Unicode text", async () => {
    const [row] = await read("unicode-text.txt")
    expect(row?.cells.texts.length).toBeGreaterThan(0)
  })
})

describe("what is struck through in a workbook of orders", () => {
  const head = ["Reference", "Company", "Street", "Suburb", "State", "Postcode", "Packages"]
  const rows = ["SO-71", "SO-72", "SO-73"].map((reference, at) => [
    ...[reference, "Banksia Tiles", `${at + 4} Mill Lane`, "Carlton", "VIC", "3053", "1x35x25x15@4"],
  ])
  const strike = (row: number, isStruck: (column: number) => boolean) =>
    [head, ...rows].map((cells, at) =>
      cells.map((text, column) => (at === row && isStruck(column) ? { struck: text } : text)),
    )
  const readWorkbook = async (sheet: Parameters<typeof workbookOf>[0][number][1], hidden?: "skip") => {
    const chunks = async function* () {
      yield workbookOf([["Orders", sheet]])
    }
    const source = await openSheet({ name: "orders.xlsx", chunks }, { hidden })
    const found: string[] = []
    for await (const { reference } of readRows(source, defaults())) found.push(reference ?? "")
    return found
  }

  it.each<[what: string, row: number, isStruck: (column: number) => boolean, message: string]>([
    ["a row", 2, () => true, "row 3 is struck through"],
    ["the last row", 3, () => true, "row 4 is struck through"],
    ["the packages of a row", 1, (column) => column === 6, "row 2 is struck through in part"],
  ])("is asked about: %s", async (_, row, isStruck, message) => {
    expect(await failure(readWorkbook(strike(row, isStruck)))).toMatchObject({
      kind: "usage",
      message: expect.stringContaining(message),
    })
  })

  it("is left out where it is said so", async () => {
    expect(
      await readWorkbook(
        strike(2, () => true),
        "skip",
      ),
    ).toEqual(["SO-71", "SO-73"])
  })
})
