/** Tables as workbooks: read back, and as their XML has them. */
import { strFromU8, unzipSync } from "fflate"
import { describe, expect, it } from "vitest"
import { openSheet } from "../../../src/input/sheets/open.ts"
import { type SheetColumn, writeWorkbook } from "../../../src/output/terminal/workbook.ts"

async function write(
  columns: readonly SheetColumn[],
  rows: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
) {
  const pieces: Uint8Array[] = []
  for await (const piece of writeWorkbook(columns, rows)) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function readBack(bytes: Uint8Array): Promise<string[][]> {
  const chunks = async function* () {
    yield bytes
  }
  const cells: string[][] = []
  for await (const record of (await openSheet({ name: "list.xlsx", chunks }, {})).sheet?.records() ?? [])
    cells.push(record.cells)
  return cells
}

const sheetOf = (bytes: Uint8Array) =>
  strFromU8(unzipSync(bytes)["xl/worksheets/sheet1.xml"] ?? new Uint8Array())

describe("a table as a workbook", () => {
  it.each<[what: string, column: Partial<SheetColumn>, value: unknown, cell: string, read: string]>([
    ["an amount", { isMoney: true }, 40, '<c s="2"><v>40</v></c>', "40"],
    ["a number", {}, 12.5, "<c><v>12.5</v></c>", "12.5"],
    ["a Boolean", {}, true, '<c t="b"><v>1</v></c>', "TRUE"],
    ["a day", {}, "2026-11-25", '<c s="3"><v>46351</v></c>', "2026-11-25"],
    ["a time at a place", {}, "2026-11-25T10:30:00", '<c s="4"><v>46351.4375</v></c>', "2026-11-25 10:30"],
    ["the same with a blank", {}, "2026-11-25 10:30", '<c s="4"><v>46351.4375</v></c>', "2026-11-25 10:30"],
    [
      "a day that is a reference",
      { isText: true },
      "2026-11-25",
      '<c s="5" t="inlineStr"><is><t xml:space="preserve">2026-11-25</t></is></c>',
      "2026-11-25",
    ],
    [
      "a postcode",
      {},
      "0800",
      '<c s="5" t="inlineStr"><is><t xml:space="preserve">0800</t></is></c>',
      "0800",
    ],
    ["a formula", {}, "=1+1", '<c s="5" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>', "=1+1"],
    ["a plus", {}, "+61 2", '<c s="5" t="inlineStr"><is><t xml:space="preserve">+61 2</t></is></c>', "+61 2"],
    ["a minus", {}, "-x", '<c s="5" t="inlineStr"><is><t xml:space="preserve">-x</t></is></c>', "-x"],
    [
      "an at",
      {},
      "@SUM(A1)",
      '<c s="5" t="inlineStr"><is><t xml:space="preserve">@SUM(A1)</t></is></c>',
      "@SUM(A1)",
    ],
    [
      "marks of XML",
      {},
      "<a> & b",
      '<c s="5" t="inlineStr"><is><t xml:space="preserve">&lt;a&gt; &amp; b</t></is></c>',
      "<a> & b",
    ],
    [
      "what XML cannot hold, or a screen would obey",
      {},
      "a\u0000\r\n_x0041_b",
      '<c s="5" t="inlineStr"><is><t xml:space="preserve">a�\n_x005F_x0041_b</t></is></c>',
      "a�\n_x0041_b",
    ],
    [
      "a list",
      {},
      ["a", 1],
      '<c s="5" t="inlineStr"><is><t xml:space="preserve">[&quot;a&quot;,1]</t></is></c>',
      '["a",1]',
    ],
    ["nothing", {}, null, "<c/>", ""],
    [
      "not a number",
      {},
      Number.NaN,
      '<c s="5" t="inlineStr"><is><t xml:space="preserve">null</t></is></c>',
      "null",
    ],
  ])("has %s by its type", async (_, column, value, cell, read) => {
    const bytes = await write([{ heading: "A" }, { heading: "B", ...column }], [["x", value]])
    expect(sheetOf(bytes)).toContain(`</c>${cell}</row></sheetData>`)
    expect((await readBack(bytes))[1]).toEqual(["x", read])
  })

  it("has an instant as clocks show it here", async () => {
    const instant = "2026-11-25T10:30:00.000Z"
    const at = new Date(instant)
    const two = (number: number) => String(number).padStart(2, "0")
    const local = `2026-11-25 ${two(at.getHours())}:${two(at.getMinutes())}`
    expect(at.getDate()).toBe(25)
    expect(await readBack(await write([{ heading: "At" }], [[instant]]))).toEqual([["At"], [local]])
  })

  it("has a bold heading that stays in sight, and columns as wide as what is in them", async () => {
    const columns = [
      { heading: "A" },
      { heading: "A long heading" },
      { heading: "Text" },
      { heading: "Day" },
      { heading: "At" },
    ]
    const bytes = await write(columns, [["x", "y", "z".repeat(80), "2026-11-25", "2026-11-25T10:30:00"]])
    expect(sheetOf(bytes)).toContain(
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    )
    expect(
      [...sheetOf(bytes).matchAll(/<col [^>]* width="(\d+)"/g)].map(([, width]) => Number(width)),
    ).toEqual([8, 16, 50, 12, 17])
    expect(sheetOf(bytes)).toContain('<row r="1"><c s="1" t="inlineStr">')
    expect(strFromU8(unzipSync(bytes)["xl/styles.xml"] ?? new Uint8Array())).toMatch(
      /<fonts[^>]*><font>.*?<\/font><font><b\/>.*<cellXfs count="6"><xf numFmtId="0"[^>]*\/><xf numFmtId="49" fontId="1"/,
    )
  })

  it("is written row by row, however many there are, and is the same each time", async () => {
    const rows = Array.from({ length: 500 }, (_, n) => [`R-${n}`, n])
    async function* slowly() {
      yield* rows
    }
    const columns = [{ heading: "Name" }, { heading: "N" }]
    const bytes = await write(columns, slowly())
    expect(await readBack(bytes)).toEqual([["Name", "N"], ...rows.map((row) => row.map(String))])
    expect((await write(columns, rows)).equals(bytes)).toBe(true)
    expect(await readBack(await write(columns, []))).toEqual([["Name", "N"]])
  })

  it("has the parts that spreadsheets ask for", async () => {
    const parts = unzipSync(await write([{ heading: "A" }, { heading: "B" }], [["x", 1]]))
    const text = Object.entries(parts).map(
      ([name, bytes]) => `${name}\n${strFromU8(bytes).replaceAll("><", ">\n<")}\n`,
    )
    await expect(text.join("\n")).toMatchFileSnapshot("texts/workbook.txt")
  })

  it("ends with the error of its rows", async () => {
    async function* rows() {
      yield ["a"]
      throw new Error("gone")
    }
    await expect(write([{ heading: "A" }], rows())).rejects.toThrow("gone")
  })

  it("holds as much of a text as a cell can", async () => {
    const [, [cell = ""] = []] = await readBack(await write([{ heading: "A" }], [["x".repeat(40_000)]]))
    expect([cell.length, cell.at(-1)]).toEqual([32_767, "…"])
  })
})
