/** Workbooks and archives as tables: cells by their types, sheets, hidden rows, and what cannot be read. */
import { Buffer } from "node:buffer"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import path from "node:path"
import { strToU8, zipSync } from "fflate"
import { describe, expect, it } from "vitest"
import type { CsvRecord } from "../../../src/input/sheets/csv.ts"
import { openSheet } from "../../../src/input/sheets/open.ts"
import type { SheetChoices } from "../../../src/input/sheets/choices.ts"
import { decodeText, fileSource } from "../../../src/input/sheets/source.ts"
import { readForm, showIsoDay, showNumber } from "../../../src/input/sheets/workbook/numbers.ts"
import { failure } from "../../failure.ts"

const fileNamed = (name: string) => path.join(import.meta.dirname, "workbooks", name)
const open = (name: string, choices: SheetChoices = {}) =>
  openSheet({ ...fileSource(fileNamed(name)), name }, choices)
const openBytes = (bytes: Uint8Array, choices: SheetChoices = {}) =>
  openSheet(
    {
      name: "file",
      chunks: async function* () {
        // As small pieces come from a pipe.
        yield bytes.subarray(0, 3)
        yield bytes.subarray(3)
      },
    },
    choices,
  )

async function recordsOf(source: Awaited<ReturnType<typeof open>>): Promise<CsvRecord[]> {
  const records: CsvRecord[] = []
  for await (const record of source.sheet?.records() ?? []) records.push(record)
  return records
}

interface Made {
  /** The inside of `sheetData`. */
  rows?: string
  sheet?: string
  texts?: string
  styles?: string
  workbook?: string
  more?: Record<string, string>
}

const MAIN =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const relations = (...list: [id: string, type: string, target: string][]) =>
  `<Relationships>${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`).join("")}</Relationships>`

/** A workbook that is written by hand. */
function workbook({
  rows = "",
  sheet,
  texts = "",
  styles = "",
  workbook: attributes = "",
  more = {},
}: Made): Uint8Array {
  const parts = {
    "_rels/.rels": relations(["r1", "officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": `<workbook ${MAIN}><workbookPr ${attributes}/><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations(
      ["r1", "worksheet", "/xl/worksheets/sheet1.xml"],
      ["r2", "sharedStrings", "sharedStrings.xml"],
      ["r3", "styles", "styles.xml"],
    ),
    "xl/worksheets/sheet1.xml": sheet ?? `<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
    "xl/sharedStrings.xml": `<sst ${MAIN}>${texts}</sst>`,
    "xl/styles.xml": `<styleSheet ${MAIN}>${styles}</styleSheet>`,
    ...more,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
}

const cellsOf = async (made: Made) =>
  (await recordsOf(await openBytes(workbook(made)))).map(({ cells }) => cells)

describe("the number of a cell", () => {
  it.each([
    // General, decimals and noise
    ["6160", 0, undefined, "6160"],
    ["0.30000000000000004", 0, undefined, "0.3"],
    ["5.5", 2, undefined, "5.5"],
    ["1.1000000000000001E-7", 0, undefined, "0.00000011"],
    ["4.12345678E8", 0, undefined, "412345678"],
    ["1.2345678901234567E+19", 0, undefined, "12345678901234600000"],
    ["1E+22", 0, undefined, "10000000000000000000000"],
    ["-3.1", 164, "#,##0.00;[Red]-#,##0.00", "-3.1"],
    // As it is shown: typed as 12E4, or a long number of CSV that had lost its digits
    ["1234570000000", 11, undefined, "1.23E+12"],
    ["120000", 164, "0.00E+00", "1.20E+05"],
    ["-0.00125", 48, undefined, "-1.25E-03"],
    ["0", 11, undefined, "0.00E+00"],
    ["1E+120", 164, "0.0E+0", "1.00E+120"],
    ["12", 164, 'General" kg"', "12"],
    ["12", 164, '0.0" days"', "12"],
    ["800", 164, "0000", "0800"],
    ["-5", 164, "0000", "-5"],
    ["12.5", 164, "0000", "12.5"],
    // Numbers of orders and the like, with their text
    ["12", 164, '"SO-"0000', "SO-0012"],
    ["123456", 164, '"SO-"0000', "SO-123456"],
    ["7", 164, "\\I\\N\\V\\ 0", "INV 7"],
    ["1234567", 164, "000-0000", "123-4567"],
    ["412345678", 164, "0000 000 000", "0412 345 678"],
    ["12", 164, '[Red]"SO-"00"/26"', "SO-12/26"],
    ["0", 164, '"SO-"0000', "SO-0000"],
    ["1001", 164, "\\#0", "#1001"],
    ["1E+22", 164, '"SO-"0', "SO-10000000000000000000000"],
    ["-12", 164, '"SO-"0000', "-12"],
    // Zeros that a format hides, as of formulas about empty cells
    ["0", 164, "0;-0;;@", ""],
    ["0", 164, "dd/mm/yyyy;;", ""],
    ["0.0", 164, "#,##0.00;-#,##0.00;", ""],
    ["0", 164, "0;-0", "0"],
    ["0", 164, '0;-0;"-"', "0"],
    ["5", 164, "0;-0;;@", "5"],
    // Units, amounts and what differs by the number stay numbers
    ["12", 164, '0" kg"', "12"],
    ["400", 164, '0" mm"', "400 mm"],
    ["400.5", 164, "#,##0.0\\ \\m\\m_)", "400.5 mm"],
    ["500", 164, 'General" g"', "500 g"],
    ["12", 164, '[Blue]0.00" lb"', "12 lb"],
    ["0.5", 164, '0.0 "t";-0.0 "t"', "0.5 t"],
    ["12", 164, '"$"0', "12"],
    ["12", 164, '"$"#,##0.00', "12"],
    ["12", 164, '_-"$"* #,##0_-', "12"],
    ["12", 164, '[>9]"SO-"0;0', "12"],
    ["12", 164, '"about "0.0', "12"],
    ["12", 164, "+0", "12"],
    ["12", 164, "(0)", "12"],
    ["0.1", 9, undefined, "10%"],
    ["0.125", 164, "0.0%", "12.5%"],
    // Days and times
    ["46351", 14, undefined, "2026-11-25"],
    ["46351.4375", 22, undefined, "2026-11-25 10:30"],
    ["46351.4375", 14, undefined, "2026-11-25"],
    ["46351", 22, undefined, "2026-11-25"],
    ["46350.999999", 22, undefined, "2026-11-25"],
    ["0.708333333333333", 20, undefined, "17:00"],
    ["0.5000115740740741", 21, undefined, "12:00:01"],
    ["46351", 164, "[$-C09]dddd, d mmmm yyyy", "2026-11-25"],
    ["46351", 164, "yyyy\\-mm\\-dd", "2026-11-25"],
    ["46351.5", 164, "d/m/yy\\ h:mm\\ AM/PM", "2026-11-25 12:00"],
    ["0.25", 164, "[h]:mm", "06:00"],
    ["59", 14, undefined, "1900-02-28"],
    ["-1", 14, undefined, "-1"],
    ["9999999", 14, undefined, "9999999"],
  ])("%s in the format %s %s is %s", (written, id, code, shown) => {
    expect(showNumber(written, readForm(id, code), false)).toBe(shown)
  })

  it.each([
    [[9, 10], "4635150%"],
    [[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], "2026-11-25"],
    [[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56], "12:00"],
    [[22], "2026-11-25 12:00"],
    [[11, 48], "4.64E+04"],
    [[0, 1, 2, 3, 4, 12, 13, 23, 37, 38, 39, 40, 44, 49], "46351.5"],
  ])("is shown by the formats %j, which no workbook spells out, as %s", (ids, shown) => {
    for (const id of ids)
      expect([id, showNumber("46351.5", readForm(id, undefined), false)]).toEqual([id, shown])
  })

  it("is a day of a workbook that counts from 1904", () => {
    expect(showNumber("44889", readForm(14, undefined), true)).toBe("2026-11-25")
  })

  it.each([
    ["2026-11-25", "2026-11-25"],
    ["2026-11-25T00:00:00Z", "2026-11-25"],
    ["2026-11-25T10:30:00.000Z", "2026-11-25 10:30"],
    ["10:30:00", "10:30"],
    ["later", "later"],
  ])("%s, as strict workbooks write days, is %s", (written, shown) => {
    expect(showIsoDay(written)).toBe(shown)
  })
})

describe("the cells of a sheet", () => {
  it("are read by their types, at the places that they say", async () => {
    const rows = `<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c></row>
      <row r="7"><c r="A7" t="b"><v>1</v></c><c t="str"><f>A1</f><v>kept</v></c><c r="C7" t="str"><f>""</f><v></v></c><c r="AB7"><v>1</v></c></row>`
    const texts = `<si><r><t>Rich </t></r><r><t xml:space="preserve">text_x000D_</t></r><rPh><t>sound</t></rPh></si>`
    expect(await recordsOf(await openBytes(workbook({ rows, texts })))).toEqual([
      { line: 2, row: 2, cells: ["", "Rich text\r", "", "inline", ...Array(24).fill("")] },
      { line: 7, row: 7, cells: ["TRUE", "kept", ...Array(25).fill(""), "1"] },
    ])
  })

  it("are read where nothing says a place, and elements have a prefix", async () => {
    const sheet = `<x:worksheet xmlns:x="main"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c><x:c><x:v>2</x:v></x:c></x:row><x:row/><x:row><x:c><x:v>3</x:v></x:c></x:row></x:sheetData></x:worksheet>`
    const records = await recordsOf(await openBytes(workbook({ sheet })))
    expect(records.map(({ row, cells }) => [row, ...cells])).toEqual([
      [1, "1", "2"],
      [3, "3", ""],
    ])
  })

  it("are text and days of strict workbooks, in the formats of the workbook's own", async () => {
    const rows = `<row><c t="inlineStr"><is><t>word</t><rPh><t>sound</t></rPh></is></c><c t="d"><v>2026-11-25T00:00:00Z</v></c><c s="1"><v>800</v></c><c><v>800</v></c></row>`
    const styles = `<numFmts><numFmt numFmtId="170" formatCode="0000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>`
    expect(await cellsOf({ rows, styles })).toEqual([["word", "2026-11-25", "0800", "800"]])
  })

  it("keep their letters, wherever the file is cut as it is unpacked", async () => {
    const names = Array.from({ length: 3000 }, (_, n) => `Pérez ${"ü€".repeat(n % 7)}`)
    const rows = names.map((name) => `<row><c t="inlineStr"><is><t>${name}</t></is></c></row>`).join("")
    const texts = names.map((name) => `<si><t>${name}</t></si>`).join("")
    expect(await cellsOf({ rows })).toEqual(names.map((name) => [name]))
    const shared = names.map((_, at) => `<row><c t="s"><v>${at}</v></c></row>`).join("")
    expect(await cellsOf({ rows: shared, texts })).toEqual(names.map((name) => [name]))
  })

  it("count from 1904 where the workbook says so", async () => {
    const rows = `<row><c s="1"><v>44889</v></c></row>`
    const styles = `<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>`
    expect(await cellsOf({ rows, styles, workbook: 'date1904="1"' })).toEqual([["2026-11-25"]])
  })

  it.each([
    [
      "a formula without a result",
      `<c r="B3"><f>A1</f></c>`,
      "B3 has a formula whose result is not in the file",
    ],
    ["an empty result", `<c r="B3"><f>A1</f><v></v></c>`, "B3 has a formula whose result is not in the file"],
    ["an error", `<c r="B3" t="e"><f>A1</f><v>#REF!</v></c>`, "B3 shows #REF!"],
  ])("that have %s are reported, with their place", async (_, cell, message) => {
    const [record] = await recordsOf(await openBytes(workbook({ rows: `<row r="3">${cell}</row>` })))
    expect(record).toMatchObject({ row: 3, cells: ["", ""], unreadable: [{ index: 1, message }] })
  })
})

describe("the rows of LibreOffice's workbook", () => {
  it("are those of the sheet that is chosen, with what is hidden, or without", async () => {
    const choices = { sheets: ["orders"] } as const
    const all = await open("odd.libreoffice.xlsx", { ...choices, hidden: "include" })
    const some = await open("odd.libreoffice.xlsx", { ...choices, hidden: "skip" })
    const rows = async (source: typeof all) => (await recordsOf(source)).map(({ row }) => row)
    expect(await rows(all)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 12])
    expect(await rows(some)).toEqual([1, 3, 4, 7, 8, 9, 10, 12])
    expect(all.sheet?.notes).toEqual([])
    expect(some.sheet?.notes).toEqual([
      "odd.libreoffice.xlsx: rows 5-6 are hidden or filtered out, and are not read",
    ])
    expect(all.sheet?.merged.map(({ name }) => name)).toEqual(["A1:G1", "B7:B8"])
    // Each pass is the same.
    expect(await rows(all)).toHaveLength(10)
  })

  it("are asked about: the sheet, and hidden rows", async () => {
    const asked: unknown[] = []
    const source = await open("odd.libreoffice.xlsx", {
      person: {
        chooseSheet: async (...question) => {
          asked.push(question)
          return "Orders"
        },
        chooseHidden: async (what) => {
          asked.push(what)
          return "skip"
        },
      },
    })
    expect(await recordsOf(source)).toHaveLength(8)
    expect(asked).toEqual([
      ["Which sheet of odd.libreoffice.xlsx?", ["Read me", "Orders"]],
      'odd.libreoffice.xlsx, sheet "Orders": rows 5-6 are hidden or filtered out',
    ])
  })

  it.each([
    [
      {},
      'odd.libreoffice.xlsx has 2 sheets: "Read me", "Orders"',
      'Say which one holds the rows: --sheet "Read me"',
    ],
    [
      { sheets: ["Order"] },
      'odd.libreoffice.xlsx has no sheet "Order"; it has "Read me", "Orders"',
      'Did you mean --sheet "Orders"?',
    ],
    [
      { sheets: ["Orders"] },
      'odd.libreoffice.xlsx, sheet "Orders": rows 5-6 are hidden or filtered out; nothing was done',
      "Say whether they count: --hidden include takes them like the others, --hidden skip leaves them out.",
    ],
  ])("are refused in a script where nobody chose: %j", async (choices, message, hint) => {
    expect(await failure(open("odd.libreoffice.xlsx", choices))).toMatchObject({
      kind: "usage",
      message,
      hint,
    })
  })

  it("may be those of a hidden sheet, by its name", async () => {
    expect(
      (await recordsOf(await open("odd.libreoffice.xlsx", { sheets: ["Old"] }))).map(({ cells }) => cells),
    ).toEqual([["Order"]])
  })

  it.each([
    ["the hidden attribute", `<row r="1"><c><v>1</v></c></row><row r="2" hidden="1"><c><v>2</v></c></row>`],
    ["no height", `<row r="1"><c><v>1</v></c></row><row r="2" ht="0" customHeight="1"><c><v>2</v></c></row>`],
  ])("are hidden by %s", async (_, rows) => {
    expect(await failure(openBytes(workbook({ rows })))).toMatchObject({
      kind: "usage",
      message: expect.stringContaining("row 2 is hidden"),
    })
  })

  it("are hidden where all rows are that do not say otherwise", async () => {
    const all = `<sheetFormatPr zeroHeight="1"/><sheetData><row r="1"><c><v>1</v></c></row><row r="2" hidden="0"><c><v>2</v></c></row></sheetData>`
    const sheet = `<worksheet>${all}</worksheet>`
    const message = expect.stringContaining("row 1 is hidden")
    expect(await failure(openBytes(workbook({ sheet })))).toMatchObject({ kind: "usage", message })
  })

  const struck = `<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts><cellXfs><xf/><xf fontId="1"/><xf fontId="2"/></cellXfs>`
  const rich = (...runs: string[]) =>
    `<r><t> </t></r>${runs.map((run) => `<r><rPr><strike/></rPr><t>${run}</t></r>`).join("")}`
  it.each([
    ["the style of its cells", `<c s="1"><v>2</v></c><c s="1"><v>3</v></c>`],
    ["the style of most cells", `<c s="1"><v>2</v></c><c><v>3</v></c>`],
    ["the letters of a text of its own", `<c t="inlineStr"><is>${rich("a", "b")}</is></c>`],
    ["the letters of a shared text", `<c t="s"><v>1</v></c>`],
  ])("are asked about as hidden ones are where a row is struck through: by %s", async (_, cells) => {
    const rows = `<row r="1"><c><v>1</v></c></row><row r="2">${cells}</row>`
    const made = { rows, styles: struck, texts: `<si><t>plain</t></si><si>${rich("of", "f")}</si>` }
    expect(await failure(openBytes(workbook(made)))).toMatchObject({
      kind: "usage",
      message: expect.stringContaining("row 2 is struck through"),
    })
    const skipped = await openBytes(workbook(made), { hidden: "skip" })
    expect((await recordsOf(skipped)).map(({ row }) => row)).toEqual([1])
    const taken = await openBytes(workbook(made), { hidden: "include" })
    expect((await recordsOf(taken)).map(({ row }) => row)).toEqual([1, 2])
  })

  it.each([
    ["its style says that it is not", `<c s="2"><v>2</v></c>`],
    ["only empty cells are", `<c s="1"/><c><v>4</v></c>`],
  ])("are not asked about where %s", async (_, cells) => {
    const rows = `<row r="1"><c><v>1</v></c></row><row r="2">${cells}</row>`
    const records = await recordsOf(await openBytes(workbook({ rows, styles: struck })))
    expect(records.map(({ row }) => row)).toEqual([1, 2])
  })

  it.each([
    ["a number", `<c s="1"><v>2</v></c>`],
    ["a weight with its unit", `<c s="1" t="inlineStr"><is><t>12kg</t></is></c>`],
    ["a reference", `<c s="1" t="inlineStr"><is><t>SO-1003</t></is></c>`],
    ["a heading", `<c s="1" t="inlineStr"><is><t>Weight</t></is></c>`],
    ["a text of its own", `<c t="inlineStr"><is>${rich("off")}</is></c>`],
  ])("are asked about where one cell of many is struck through: %s", async (_, cell) => {
    const plain = "<c><v>3</v></c>".repeat(4)
    const made = { rows: `<row r="2">${plain}${cell}</row><row r="3">${plain}</row>`, styles: struck }
    expect(await failure(openBytes(workbook(made)))).toMatchObject({
      message: expect.stringContaining("row 2 is struck through in part"),
    })
    const skipped = await openBytes(workbook(made), { hidden: "skip" })
    expect((await recordsOf(skipped)).map(({ row }) => row)).toEqual([3])
  })

  it.each<[what: string, format: string, notes: unknown[]]>([
    ["does", `<dxf><font><strike/></font></dxf>`, [expect.stringContaining("conditional formatting")]],
    ["does not", `<dxf><font><b/></font></dxf>`, []],
    ["takes a strike away", `<dxf><font><strike val="0"/></font></dxf>`, []],
  ])("have a note where the format of a condition strikes cells through: it %s", async (_, format, notes) => {
    const styles = `<dxfs><dxf><font><b/></font></dxf>${format}</dxfs>`
    const rows = `<row r="1"><c><v>1</v></c></row>`
    const rule = `<conditionalFormatting sqref="A1:A9"><cfRule type="expression" dxfId="1"/></conditionalFormatting>`
    const sheet = `<worksheet ${MAIN}><sheetData>${rows}</sheetData>${rule}</worksheet>`
    expect((await openBytes(workbook({ sheet, styles }))).sheet?.notes).toEqual(notes)
  })

  it.each([
    ["its own text", `<c t="inlineStr"><is>${rich("10")}<r><t>12</t></r></is></c>`],
    ["a shared text", `<c t="s"><v>0</v></c>`],
  ])("have no value in a cell where a part of %s is struck through", async (_, cell) => {
    const rows = `<row r="1"><c><v>1</v></c></row><row r="2"><c><v>3</v></c>${cell}<c><v>4</v></c></row>`
    const texts = `<si>${rich("10")}<r><t>12</t></r></si>`
    const [, { cells, unreadable } = { cells: [], unreadable: [] }] = await recordsOf(
      await openBytes(workbook({ rows, styles: struck, texts })),
    )
    expect([cells, unreadable?.map(({ index, rule, message }) => [index, rule, message])]).toEqual([
      ["3", "", "4"],
      [[1, "struck", `B2 has letters that are struck through: " 1012"`]],
    ])
  })

  it("say which cells are numbers that would have two readings as texts", async () => {
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
    const rows = `<row r="1"><c><v>1.125</v></c>${text("1.125")}<c><v>2.5</v></c><c><v>-0.125</v></c></row>`
    const [record] = await recordsOf(await openBytes(workbook({ rows })))
    expect(record?.exact).toEqual([0, 3])
  })

  it("are not asked about where hidden rows are empty", async () => {
    const rows = `<row r="1"><c><v>1</v></c></row><row r="2" hidden="1"><c s="1"/></row>`
    expect(await cellsOf({ rows })).toEqual([["1"]])
  })
})

/** The container of a workbook of before 2007, with a stream. */
const container = (stream: string) =>
  Buffer.concat([
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    Buffer.alloc(600),
    Buffer.from(stream, "utf16le"),
    Buffer.alloc(600),
  ])

describe("a file that is packed", () => {
  const csv = strToU8("Order,Name\nSO-1,Lee\n")
  const xlsx = readFileSync(fileNamed("orders.written.xlsx"))

  async function textIn(bytes: Uint8Array) {
    const source = await openBytes(bytes)
    let text = ""
    for await (const piece of decodeText(source)) text += piece
    return text
  }

  it("is read as the one CSV file or workbook in it", async () => {
    const added = { "__MACOSX/._orders.csv": csv, ".DS_Store": csv, "read.me": csv }
    expect(await textIn(zipSync({ "in/orders.csv": csv, ...added }))).toBe("Order,Name\nSO-1,Lee\n")
    const inside = await recordsOf(await openBytes(zipSync({ "orders.xlsx": xlsx, ...added })))
    expect(inside).toEqual(await recordsOf(await open("orders.written.xlsx")))
    expect(inside).toHaveLength(5)
  })

  it("is left as it is where it is text, also when it can be read only once", async () => {
    expect(await textIn(csv)).toBe("Order,Name\nSO-1,Lee\n")
    expect(await textIn(strToU8("P"))).toBe("P")
  })

  it("ends after as many characters as its archive says", async () => {
    const broken = Buffer.from(zipSync({ "orders.csv": strToU8("Order,Name\n".repeat(1000)) }))
    const directory = broken.lastIndexOf(Buffer.from("504b0102", "hex"))
    broken.writeUInt32LE(20, directory + 24)
    expect(await failure(textIn(broken))).toMatchObject({
      kind: "input",
      message: expect.stringContaining("file is damaged, or is not complete"),
    })
  })

  it.each<[what: string, bytes: () => Uint8Array, message: string, hint: string]>([
    [
      "two files",
      () => zipSync({ "a.csv": csv, "b.xlsx": xlsx }),
      'file is a zip archive with 2 files in it that could be meant: "a.csv", "b.xlsx"',
      "Unpack it, and name one of them.",
    ],
    [
      "no table",
      () => zipSync({ "a.json": csv }),
      "file is a zip archive without a CSV file or workbook (.xlsx) in it",
      "Unpack it, and name the file with the rows.",
    ],
    [
      "an archive",
      () => zipSync({ "a.csv": zipSync({ "b.csv": csv }) }),
      "file: a.csv in it is an archive again",
      "Unpack it, and name the file with the rows.",
    ],
    [
      "a spreadsheet of LibreOffice",
      () => readFileSync(fileNamed("orders.ods")),
      "file is a spreadsheet (.ods) of LibreOffice or OpenOffice",
      "Open it, and save it as an Excel workbook (.xlsx).",
    ],
    [
      "an old workbook",
      () => readFileSync(fileNamed("orders.xls")),
      "file is an old workbook (.xls) or document",
      "Open it, and save it as an Excel workbook (.xlsx).",
    ],
    [
      "an encrypted workbook",
      () => container("EncryptedPackage"),
      "file is protected with a password",
      "Open it, save it without the password, and run the same command again.",
    ],
    [
      "a binary workbook",
      () => workbook({ more: { "_rels/.rels": relations(["r", "officeDocument", "xl/workbook.bin"]) } }),
      "file is a binary workbook (.xlsb)",
      "Open it, and save it as an Excel workbook (.xlsx).",
    ],
    [
      "a letter",
      () => workbook({ more: { "xl/workbook.xml": "<document/>" } }),
      "file is a document without sheets",
      "Name a file with rows: CSV or an Excel workbook (.xlsx).",
    ],
  ])("with %s is refused with what to do", async (_, bytes, message, hint) => {
    expect(await failure(openBytes(bytes()))).toMatchObject({ kind: "input", message, hint })
  })

  it("with another byte than was packed is refused", async () => {
    const bytes = Buffer.from(zipSync({ "orders.csv": csv }, { level: 0 }))
    bytes[bytes.indexOf("SO-1")] = 0x54
    const message = expect.stringContaining("orders.csv has other bytes than were packed")
    expect(await failure(textIn(bytes))).toMatchObject({ kind: "input", message })
  })

  it("with a password on what is in it is refused", async () => {
    const locked = Buffer.from(zipSync({ "orders.csv": csv }))
    locked.writeUInt16LE(1, 6)
    locked.writeUInt16LE(1, locked.lastIndexOf(Buffer.from("504b0102", "hex")) + 8)
    expect(await failure(openBytes(locked))).toMatchObject({
      kind: "input",
      message: "file is protected with a password",
    })
  })

  it.each<[what: string, bytes: () => Uint8Array, reason: string]>([
    ["cut", () => xlsx.subarray(0, 2000), "End of central directory record signature not found"],
    [
      "without its sheet",
      () => workbook({ more: { "xl/_rels/workbook.xml.rels": relations(["r1", "worksheet", "gone.xml"]) } }),
      "xl/gone.xml is missing",
    ],
    ["not XML", () => workbook({ sheet: "<worksheet><sheetData><row></sheetData>" }), "Unexpected close tag"],
    ["cut XML", () => workbook({ sheet: "<worksheet><sheetData><row>" }), "Unclosed root tag"],
    [
      "an entity",
      () =>
        workbook({
          sheet:
            '<!DOCTYPE x [<!ENTITY e "1">]><worksheet><sheetData><row><c><v>&e;</v></c></row></sheetData></worksheet>',
        }),
      "Invalid character entity",
    ],
    ["a text too few", () => workbook({ rows: '<row><c t="s"><v>7</v></c></row>' }), "text 7 is missing"],
    [
      "a row too far",
      () => workbook({ rows: '<row r="2000000"><c><v>7</v></c></row>' }),
      "row 2000000 cannot be",
    ],
    [
      "a column too far",
      () => workbook({ rows: '<row><c r="ZZZ1"><v>7</v></c></row>' }),
      "a cell is beyond column 16384",
    ],
  ])("and damaged (%s) is refused", async (_, bytes, reason) => {
    expect(await failure(openBytes(bytes()))).toMatchObject({
      kind: "input",
      message: expect.stringContaining(`file is damaged, or is not complete: ${reason}`),
    })
  })

  it.each([
    ["more than freight takes", 1_500_000_000, randomBytes(7_000_000)],
    ["much more than it is", 120_000_000, new Uint8Array(1000)],
  ])("that would unpack to %s is refused before it is unpacked", async (_, unpacked, content) => {
    const bomb = Buffer.from(zipSync({ "orders.csv": content }))
    bomb.writeUInt32LE(unpacked, bomb.lastIndexOf(Buffer.from("504b0102", "hex")) + 24)
    const message = `file would unpack to ${unpacked.toLocaleString("en")} bytes, and is not read`
    expect(await failure(openBytes(bomb))).toMatchObject({ kind: "input", message })
  })

  it("with a row that never ends is refused", async () => {
    const rows = `<row><c t="inlineStr"><is><t>${"x".repeat(1_000_001)}</t></is></c></row>`
    const message = "file: row 1 has more than 1,000,000 characters, the most that freight reads"
    expect(await failure(openBytes(workbook({ rows })))).toMatchObject({ kind: "input", message })
  })

  it("with more files than freight takes is refused", async () => {
    const names = Array.from({ length: 10_001 }, (_, n) => [`${n}.csv`, new Uint8Array()])
    const many = zipSync(Object.fromEntries(names), { level: 0 })
    const message = "file would unpack to 10,001 files, and is not read"
    expect(await failure(openBytes(many))).toMatchObject({ kind: "input", message })
  })
})
