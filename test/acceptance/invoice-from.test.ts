/** Invoices from the rows of a CSV file: `invoice new --lines-from`. */
import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk, ROOT } from "./freight.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const SUPPLIER = ["--supplier-id", "S-1", "--supplier-name", "Harbour Lighting", "--abn", "51824753556"]
const BILLED = ["--po", "PO-7", "--bill-to", "1 Harbour Street, Sydney NSW 2000"]
const LINES = "Description,Qty,Unit,Price,Tax code\nLamp,2,each,19.99,GST\nHandbook,1,,30.00,FRE\n"
/** November 2026 in Sydney. */
const NOW = Date.parse("2026-11-20T00:00:00Z")

interface Draft {
  data: { invoiceNumber: string; lineItems: object[]; invoiceSummary: { dueAmount: number } }
}

/** The example of the page about this, as its reader copies it. */
async function example(): Promise<string> {
  const page = await readFile(path.join(ROOT, "docs/invoices.md"), "utf8")
  return /```csv\n([^`]*)```/.exec(page)?.[1] ?? ""
}

/** A desk with these files, where invoices are written. */
async function office(files: Record<string, string> = { "lines.csv": LINES }) {
  const made = await desk()
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(made.folder, name), text)
  const before = await readdir(made.folder)
  return {
    ...made,
    make: (...args: string[]) => made.freight(["invoice", "new", ...args], { now: NOW }),
    read: (name: string) => readFile(path.join(made.folder, name), "utf8"),
    /** Files that were written since. */
    made: async () =>
      (await readdir(made.folder)).filter((name) => ![...before, "state", "config"].includes(name)),
  }
}

describe("freight invoice new --lines-from", () => {
  it("makes one draft of a file, with totals, that has no finding", async () => {
    const { make, read, freight } = await office()
    const { code, stdout, stderr } = await make(
      ...["--lines-from", "lines.csv", "--number", "INV-1", ...SUPPLIER, ...BILLED, "-o", "INV-1.json"],
    )
    expect([code, stdout, stderr]).toEqual([0, "", "Saved as INV-1.json: freight invoice show INV-1.json\n"])
    const { data } = JSON.parse(await read("INV-1.json")) as Draft
    expect([data.lineItems.length, data.invoiceSummary.dueAmount]).toEqual([2, 73.98])
    const checked = await freight(["invoice", "validate", "--draft", "--strict", "INV-1.json"])
    expect([checked.code, checked.stdout]).toEqual([0, "INV-1.json: valid\n"])
  })

  it("makes a draft for each invoice of the documented example, and shows their amounts", async () => {
    const { binary, freight, read } = await office({ "month.csv": await example() })
    const line = ["invoice", "new", "--lines-from", "month.csv", "--per", "invoiceNumber", ...SUPPLIER]
    const { code, stdout, stderr } = await binary([...line, "-o", "month"])
    expect([code, stdout]).toEqual([
      0,
      [
        "INVOICE  LINES        DUE       GST  FILE",
        `INV-101      2     353.87     23.99  ${path.join("month", "INV-101.json")}`,
        `INV-102      1  26,386.80  2,398.80  ${path.join("month", "INV-102.json")}`,
        "",
      ].join("\n"),
    ])
    expect(stderr.split("\n").at(-2)).toBe("Saved 2 drafts in month: freight invoice validate month")
    expect(JSON.parse(await read("month/INV-102.json")).data.billTo.postalCode).toBe("0800")
    const checked = await freight(["invoice", "validate", "--draft", "--strict", "month"])
    expect(checked.code, checked.stdout).toBe(0)
  })

  it("writes several as a list, as a line each, and what it saved as JSON", async () => {
    const { make, read, freight } = await office({ "month.csv": await example() })
    const line = ["--lines-from", "month.csv", "--per", "Invoice no", ...SUPPLIER]
    const list = await make(...line)
    expect(list.json<Draft[]>().map(({ data }) => data.invoiceNumber)).toEqual(["INV-101", "INV-102"])
    const lines = await make(...line, "--format", "ndjson")
    expect(
      lines.stdout
        .trimEnd()
        .split("\n")
        .map((each) => JSON.parse(each)),
    ).toEqual(list.json())
    for (const { stdout } of [list, lines]) {
      const checked = await freight(["invoice", "validate", "--draft", "--strict", "-"], { input: stdout })
      expect(checked.code, checked.stdout).toBe(0)
    }
    const saved = await make(...line, "-o", "month", "--json")
    expect(saved.items<object>()[0]).toEqual({
      ...{ invoiceNumber: "INV-101", lines: 2, amountExGst: 329.88, gst: 23.99, dueAmount: 353.87 },
      file: path.join("month", "INV-101.json"),
    })
    expect(JSON.parse(await read("month/INV-101.json"))).toEqual(list.json<object[]>()[0])
  })

  it("writes nothing where one row is wrong, and says which", async () => {
    const { make, made } = await office({ "month.csv": (await example()).replace(",12,", ",twelve,") })
    const { code, stdout, stderr } = await make(
      ...["--lines-from", "month.csv", "--per", "invoiceNumber", ...SUPPLIER, "-o", "month"],
    )
    expect([code, stdout, await made()]).toEqual([2, "", []])
    expect(stderr).toContain(
      [
        "error: month.csv: 1 of 3 rows cannot be used; nothing was written",
        '  - row 2, Qty: "twelve" is not a number (type)',
        "Fix them, and run this again. Rows are numbered as a spreadsheet shows them, headings included.",
        "",
      ].join("\n"),
    )
  })

  it.each([
    [
      "a line beside a file",
      ["--lines-from", "lines.csv", "--line", "1 x Lamp @ 5"],
      "--line and --lines-from contradict each other: choose one",
    ],
    ["--per alone", ["--per", "Invoice"], "--per needs --lines-from"],
    ["--map alone", ["--map", "A=B"], "--map needs --lines-from"],
    [
      "a file for several",
      ["--lines-from", "lines.csv", "--per", "x", "-o", "all.json"],
      "--per writes a file for each invoice",
    ],
    [
      "a field that is none",
      ["--lines-from", "lines.csv", "--map", "Qty=quantiti"],
      '--map "Qty=quantiti": there is no field',
    ],
    ["a file that is not there", ["--lines-from", "none.csv"], "cannot read none.csv: there is no such file"],
    ["a table of one invoice", ["--lines-from", "lines.csv", "--format", "csv"], "--format takes "],
    ["what is missing", ["--lines-from", "lines.csv"], "the invoices are incomplete"],
  ])("refuses %s", async (_, args, message) => {
    const { make, made } = await office()
    const { code, stdout, stderr } = await make(...args)
    expect([code, stdout, stderr.startsWith(`error: ${message}`), await made()]).toEqual([2, "", true, []])
  })
})

describe("a column that says nothing of GST", () => {
  const lines = "Description,Qty,Amount,Tax rate\nLamp,3,30.00,10%\n"

  it("is refused in a script, with a --map that says it", async () => {
    const { make, made } = await office({ "lines.csv": lines })
    const args = ["--lines-from", "lines.csv", ...SUPPLIER, ...BILLED, "--number", "I-1"]
    const { code, stdout, stderr } = await make(...args)
    expect([code, stdout, await made()]).toEqual([2, "", []])
    expect(stderr).toMatchInlineSnapshot(`
      "error: lines.csv: the columns are ambiguous; nothing was done
        - the column "Amount" (30) does not say whether GST is in it, and nor does anything else: --map Amount=subtotal or --map Amount=amountIncGst or --map Amount= (column)
      Say what they are in one line, such as --map Amount=subtotal. Nothing behind the = leaves a column out.
      next: freight help invoice new --all
      "
    `)
    const { code: then, stdout: draft } = await make(...args, "--map", "Amount=amountIncGst")
    expect([then, JSON.parse(draft).data.lineItems]).toMatchObject([
      0,
      [{ quantity: 3, unitPrice: 9.09, subtotal: 27.27, taxAmount: 2.73 }],
    ])
  })

  it.skipIf(!hasTerminal)("is asked about at a terminal", async () => {
    const { folder, env, read } = await office({ "lines.csv": lines })
    const file = path.join(folder, "I-1.json")
    const words = [
      "invoice",
      "new",
      "--lines-from",
      path.join(folder, "lines.csv"),
      "--number",
      "I-1",
      "-o",
      file,
    ]
    const { code, screen } = await atTerminal([...words, ...SUPPLIER, ...BILLED], env, [
      { see: "What is it?", type: "\u001b[B\r" },
    ])
    expect(code, screen).toBe(0)
    expect(JSON.parse(await read("I-1.json")).data.invoiceSummary.dueAmount).toBe(30)
  })
})

describe.skipIf(!hasTerminal)("freight invoice new --lines-from at a terminal", () => {
  it("asks once for what all rows lack", async () => {
    const { folder, env, read } = await office({
      "month.csv": "Invoice,Description,Qty,Price,GST\nA,Lamp,1,5,0\nB,Desk,1,9,0\n",
    })
    const { code, screen } = await atTerminal(
      [
        ...["invoice", "new", "--lines-from", path.join(folder, "month.csv"), "--per", "Invoice"],
        ...[...SUPPLIER, "-o", path.join(folder, "month")],
      ],
      env,
      [
        { see: "Purchase order that is billed", type: "PO-9\r" },
        { see: "Address to bill", type: "1 Harbour Street; Sydney NSW 2000\r" },
        { see: "Save this customer for next time?", type: "n\r" },
      ],
    )
    expect(code, screen).toBe(0)
    for (const name of ["A", "B"])
      expect(JSON.parse(await read(`month/${name}.json`)).data.poNumber).toBe("PO-9")
  })
})
