/** Workbooks (.xlsx) wherever a table is read: by two producers, the same as CSV in each encoding. */
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate"
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { openSheet } from "../../src/input/sheets/open.ts"
import { desk, errorIn, ROOT } from "./freight.ts"
import { order } from "./orders.ts"
import { atTerminal, hasTerminal, WIDE } from "./pty.ts"

/** Friday, in the morning in Sydney. */
const NOW = Date.parse("2026-11-20T00:00:00Z")
const FOLDER = path.join(ROOT, "test/input/sheets/workbooks")
const PRODUCERS = ["libreoffice.xlsx", "written.xlsx"]
const SENDER = Object.entries(order("-")).flatMap(([name, text]) =>
  name.startsWith("sender.") ? [[name.slice("sender.".length), text] as const] : [],
)

/** A desk with these files, where it is the day that the orders are of. */
async function office(...names: string[]) {
  const made = await desk()
  for (const name of names) await copyFile(path.join(FOLDER, name), path.join(made.folder, name))
  await writeFile(path.join(made.folder, "sender.json"), JSON.stringify(Object.fromEntries(SENDER)))
  return { ...made, run: (...words: string[]) => made.freight([...words, "--sandbox"], { now: NOW }) }
}

const rowsOf = (stderr: string) => errorIn(stderr).errors?.map(({ message }: { message: string }) => message)

/** Replaces what its sheet says. */
async function changeSheet(file: string, changes: readonly (readonly [from: RegExp, to: string])[]) {
  const parts = unzipSync(await readFile(file))
  const sheet = "xl/worksheets/sheet1.xml"
  const text = changes.reduce(
    (xml, [from, to]) => xml.replace(from, to),
    strFromU8(parts[sheet] ?? new Uint8Array()),
  )
  await writeFile(file, zipSync({ ...parts, [sheet]: strToU8(text) }))
}

const BATCH = ["--sender", "sender.json", "--ready", "10:00", "--json"]

describe("the same orders", () => {
  const FILES = [
    ...["orders.utf16.csv", "orders.windows-1252.csv", "orders.semicolons.csv"],
    ...PRODUCERS.map((name) => `orders.${name}`),
  ]

  it("give the same dry run, however they are saved", async () => {
    const { folder, run } = await office("orders.csv", ...FILES)
    const zip = zipSync({ "orders.xlsx": await readFile(path.join(FOLDER, "orders.libreoffice.xlsx")) })
    await writeFile(path.join(folder, "orders.zip"), zip)
    const dryRun = async (name: string) => {
      const { code, stdout } = await run("batch", "book", name, "--dry-run", ...BATCH)
      const report = JSON.parse(stdout.replaceAll(name, "orders.csv"))
      // Programs save dates and numbers differently, so the warnings about repairs differ.
      return { code, report: { ...report, warnings: undefined } }
    }
    const first = await dryRun("orders.csv")
    const references = ["SO-1", "SO-2", "SO-3", "1004"].map((reference) => ({ reference, state: "waiting" }))
    expect(first).toMatchObject({ code: 0, report: { items: references, total: 4 } })
    for (const name of [...FILES, "orders.zip"]) expect([name, await dryRun(name)]).toEqual([name, first])
  })

  it("are booked once: a second run with another file of them books nothing", async () => {
    const { run } = await office("orders.csv", ...FILES)
    const book = async (name: string) =>
      (await run("batch", "book", name, ...BATCH)).json<Summary & Record<string, unknown>>()
    expect(await book("orders.libreoffice.xlsx")).toMatchObject({ rows: 4, booked: 4, recorded: 0 })
    for (const name of ["orders.csv", "orders.written.xlsx", "orders.semicolons.csv"])
      expect([name, await book(name)]).toMatchObject([name, { rows: 4, booked: 4, recorded: 4, changed: 0 }])
    const { stdout } = await run("batch", "status", "orders.written.xlsx", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ rows: 4, booked: 4 })
  })

  it("that were booked stay so where a cell has no value since; the same cell of a new order is reported", async () => {
    const { folder, run } = await office("orders.written.xlsx")
    const book = (...flags: string[]) => run("batch", "book", "orders.written.xlsx", ...BATCH, ...flags)
    expect((await book()).json<Summary>()).toMatchObject({ booked: 4 })
    const file = path.join(folder, "orders.written.xlsx")
    await changeSheet(file, [
      [/<c r="R2".*?<\/c>/, '<c r="R2" t="e"><f>X1</f><v>#N/A</v></c>'],
      [/<c r="J3">.*?<\/c>/, '<c r="J3"><f>X1</f></c>'],
    ])
    const again = await book()
    expect([again.code, again.json<Summary>()]).toMatchObject([0, { booked: 4, recorded: 4, invalid: 0 }])
    const { stdout } = await run("batch", "status", "orders.written.xlsx", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ booked: 4, invalid: 0 })
    await changeSheet(file, [
      [/<c r="A2".*?<\/c>/, '<c r="A2" t="inlineStr"><is><t>N-2</t></is></c>'],
      [/<c r="A3".*?<\/c>/, '<c r="A3" t="e"><v>#REF!</v></c>'],
    ])
    const { code, stderr } = await book()
    expect([code, rowsOf(stderr)]).toEqual([
      2,
      [
        expect.stringMatching(/^row 2, Notes: R2 shows #N\/A/),
        expect.stringMatching(/^row 3, Order: A3 shows #REF!/),
        expect.stringMatching(/^row 3, Weight: J3 has a formula whose result is not in the file/),
      ],
    ])
  })
})

describe("the same bill", () => {
  it("gives the same audit", async () => {
    const { run } = await office("bill.csv", ...PRODUCERS.map((name) => `bill.${name}`))
    const audit = async (name: string) => {
      const { code, stdout } = await run("audit", name, "--json", "--offline", "--no-remember")
      return { code, report: JSON.parse(stdout.replaceAll(name, "bill.csv")) }
    }
    const first = await audit("bill.csv")
    expect(first).toMatchObject({ code: 0, report: { totals: { consignments: 3 } } })
    for (const name of PRODUCERS) expect(await audit(`bill.${name}`)).toEqual(first)
  })

  it("is found in a folder, where the file of a workbook that is open is left out", async () => {
    const { folder, run } = await office()
    await mkdir(path.join(folder, "bills"))
    await copyFile(path.join(FOLDER, "bill.written.xlsx"), path.join(folder, "bills", "bill.xlsx"))
    await writeFile(path.join(folder, "bills", "~$bill.xlsx"), "someone")
    const { code, stdout } = await run("audit", "bills", "--json", "--offline", "--no-remember")
    expect([code, JSON.parse(stdout).bills]).toMatchObject([
      0,
      [{ file: "bills/bill.xlsx", billNumber: "INV-7" }],
    ])
  })
})

describe("the same lines of an invoice", () => {
  it("give the same draft", async () => {
    const { run } = await office("lines.csv", ...PRODUCERS.map((name) => `lines.${name}`))
    const party = ["--supplier-id", "S-1", "--supplier-name", "Harbour Lighting", "--abn", "51824753556"]
    const buyer = ["--number", "INV-1", "--po", "PO-7", "--bill-to", "1 Harbour Street, Sydney NSW 2000"]
    const draft = async (name: string) => {
      const { code, stdout, stderr } = await run("invoice", "new", "--from", name, ...party, ...buyer)
      expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
      const { correlationId: _, ...rest } = JSON.parse(stdout)
      return rest
    }
    const first = await draft("lines.csv")
    expect(first.data.lineItems).toHaveLength(3)
    for (const name of PRODUCERS) expect(await draft(`lines.${name}`)).toEqual(first)
  })
})

describe("a workbook as people keep it", () => {
  const ODD = "odd.libreoffice.xlsx"
  const FLAGS = [
    ...BATCH,

    "--packaging",
    "CT",
    "--service",
    "cheapest",
    "--close",
    "17:00",
  ]

  it.each([
    [["batch", "book", ODD, "--dry-run", ...BATCH]],
    [["batch", "plan", ODD, ...BATCH]],
    [["batch", "status", ODD, "--json"]],
    [["audit", ODD, "--offline", "--json"]],
    [["invoice", "new", "--from", ODD, "--json"]],
  ])("is read by a script only as its flags say: %j", async (words) => {
    const { run } = await office(ODD)
    const several = await run(...words)
    expect([several.code, several.stdout]).toEqual([2, ""])
    expect(errorIn(several.stderr)).toMatchObject({ message: `${ODD} has 2 sheets: "Read me", "Orders"` })
    const hidden = await run(...words, "--sheet", "Orders")
    expect([hidden.code, hidden.stdout]).toEqual([2, ""])
    expect(errorIn(hidden.stderr).message).toBe(
      `${ODD}, sheet "Orders": rows 5-6 are hidden or filtered out; nothing was done`,
    )
  })

  it("is read with the sheet's own numbers of rows, and says what is merged, left out and without a value", async () => {
    const { run } = await office(ODD)
    const words = [
      "batch",
      "book",
      ODD,
      "--dry-run",
      "--sheet",
      "Orders",
      ...FLAGS,
      "--ready",
      "2026-11-23T10:00",
    ]
    const skipped = await run(...words, "--hidden", "skip")
    expect(skipped.code).toBe(2)
    expect(rowsOf(skipped.stderr)).toEqual([
      "row 8, Company: is missing: fill in the cell",
      "row 10, Weight: G10 shows #DIV/0! Fix its formula, and save the file again",
    ])
    for (const note of [
      'row 1: "Orders of November" is above the headings and is left out',
      `${ODD}: rows 5-6 are hidden or filtered out, and are not read`,
      `${ODD}: merged cells (B7:B8) count for their first cell only; the others are empty`,
      "row 12 is a total, not an order, and is left out",
    ])
      expect(skipped.stderr).toContain(note)
    const included = await run(...words, "--hidden", "include", "--skip-invalid")
    expect([included.code, included.items<{ row: number }>().map(({ row }) => row)]).toEqual([
      1,
      [4, 5, 6, 7, 8, 9, 10],
    ])
  })

  it("has results of its own beside those of the other sheets", async () => {
    const { run } = await office(ODD)
    const words = ["--sheet", "Orders", "--hidden", "skip", "--skip-invalid", "--yes", ...FLAGS]
    const { stdout, stderr } = await run("batch", "book", ODD, ...words, "--ready", "2026-11-23T10:00")
    expect(JSON.parse(stdout), stderr).toMatchObject({ resultsFile: "odd.libreoffice.Orders.results.xlsx" })
  })

  it("comes through standard input, and its sheet is kept with a map", async () => {
    const { freight } = await office()
    const book = async (...flags: string[]) => {
      const words = ["batch", "book", "-", "--sandbox", "--dry-run", "--hidden", "skip", ...FLAGS, ...flags]
      return freight(words, { now: NOW, input: await readFile(path.join(FOLDER, ODD)) })
    }
    const orders = [...["--ready", "2026-11-23T10:00"], "--skip-invalid"]
    const first = await book("--sheet", "Orders", "--save-map", "monthly", ...orders)
    expect([first.code, first.items().length]).toEqual([1, 5])
    const second = await book("--use-map", "monthly", ...orders)
    expect([second.code, second.json()]).toEqual([1, first.json()])
  })

  it.each([
    [["batch", "book", ODD, "--dry-run", ...BATCH]],
    [["batch", "plan", ODD, ...BATCH]],
    [["batch", "status", ODD, "--json"]],
    [["invoice", "new", "--from", ODD, "--json"]],
  ])("is refused where one sheet is read and several are named: %j", async (words) => {
    const { run } = await office(ODD)
    const { code, stdout, stderr } = await run(...words, "--sheet", "Orders", "--sheet", "Read me")
    expect([code, stdout]).toEqual([2, ""])
    expect(errorIn(stderr).message).toBe("--sheet is given 2 times, and one sheet is read here")
  })

  it.each([
    ["batch", ["batch", "book", "formula.written.xlsx", "--dry-run", ...BATCH]],
    [
      "audit",
      [
        "audit",
        "formula.written.xlsx",
        "--offline",
        "--json",
        "--map",
        "Order=reference",
        "--map",
        "Weight=amount",
      ],
    ],
    [
      "invoice",
      [
        "invoice",
        "new",
        "--from",
        "formula.written.xlsx",
        "--map",
        "Service=",
        "--map",
        "Notes=description",
        "--map",
        "Weight=amountIncGst",
        "--json",
      ],
    ],
  ])("stops at a row whose formula has no result: %s", async (_, words) => {
    const { run } = await office("formula.written.xlsx")
    const { code, stderr } = await run(...words)
    expect(code).toBe(2)
    expect(rowsOf(stderr)).toContainEqual(
      expect.stringContaining("row 2, Weight: J2 has a formula whose result is not in the file"),
    )
  })

  it.runIf(hasTerminal)("is asked about at a terminal", async () => {
    const { folder, env } = await office(ODD)
    const words = [
      "batch",
      "book",
      path.join(folder, ODD),
      "--sandbox",
      "--dry-run",
      ...FLAGS.filter((flag) => flag !== "--json"),
    ]
    words[words.indexOf("sender.json")] = path.join(folder, "sender.json")
    const steps = [
      { see: "Which sheet of", type: "\u001b[B\r" },
      { see: "rows 5-6 are hidden or filtered out. Do they count?", type: "\r" },
    ]
    const { code, screen } = await atTerminal(words, env, steps, WIDE)
    expect([code, screen]).toEqual([2, expect.stringContaining("row 10, Weight: G10 shows #DIV/0!")])
  })
})

describe("a workbook that freight writes", () => {
  /** The cells of a workbook's sheet, and how many hold numbers in the format of amounts. */
  async function read(folder: string, name: string) {
    const bytes = await readFile(path.join(folder, name))
    const xml = strFromU8(unzipSync(bytes)["xl/worksheets/sheet1.xml"] ?? new Uint8Array())
    const chunks = async function* () {
      yield bytes
    }
    const rows: string[][] = []
    for await (const { cells } of (await openSheet({ name, chunks }, {})).sheet?.records() ?? [])
      rows.push(cells)
    const [headings = [], ...records] = rows
    return {
      headings,
      amounts: xml.match(/<c s="2"><v>/g)?.length ?? 0,
      rows: records.map((cells) =>
        Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? ""])),
      ),
    }
  }

  it("holds the results of a batch, which is booked from them again without booking anything", async () => {
    const { folder, run } = await office("orders.libreoffice.xlsx")
    const first = await run("batch", "book", "orders.libreoffice.xlsx", ...BATCH)
    expect(first.json()).toMatchObject({ booked: 4, resultsFile: "orders.libreoffice.results.xlsx" })
    const { rows, amounts, headings } = await read(folder, "orders.libreoffice.results.xlsx")
    expect(headings.slice(16)).toEqual([
      "Close",
      "Notes",
      ...[
        "state",
        "shipment",
        "consignment",
        "price",
        "label",
        "error",
        "why",
        "warnings",
        "carrier",
        "service",
        "day",
        "costCentre",
        "barcodes",
      ].map((name) => `freight.${name}`),
    ])
    expect(rows.map((row) => [row.Order, row.Postcode, row["freight.state"]])).toEqual([
      ["SO-1", "6160", "booked"],
      ["SO-2", "800", "booked"],
      ["SO-3", "7000", "booked"],
      ["1004", "870", "booked"],
    ])
    expect(amounts).toBe(4)
    // Its own results are overwritten, and are orders again.
    const again = await run(
      "batch",
      "book",
      "orders.libreoffice.xlsx",
      ...BATCH,
      "--results",
      "orders.libreoffice.results.xlsx",
    )
    expect([again.code, again.json()]).toMatchObject([0, { booked: 4, recorded: 4 }])
    const fromResults = await run("batch", "book", "orders.libreoffice.results.xlsx", ...BATCH)
    expect(fromResults.json()).toMatchObject({ rows: 4, booked: 4, recorded: 4, changed: 0 })
    // Anything else is kept.
    await copyFile(path.join(FOLDER, "bill.written.xlsx"), path.join(folder, "bill.xlsx"))
    const refused = await run("batch", "book", "orders.libreoffice.xlsx", ...BATCH, "--results", "bill.xlsx")
    expect([refused.code, errorIn(refused.stderr).message]).toEqual([
      2,
      "bill.xlsx already exists, and is not a results file of these orders; nothing was sent",
    ])
  })

  it("holds a template, a bill, an audit with its disputes, and lists", async () => {
    const { folder, run } = await office("orders.csv")
    expect((await run("batch", "template", "-o", "template.xlsx")).code).toBe(0)
    const template = await run("batch", "book", "template.xlsx", "--json")
    expect(template.json()).toMatchObject({ rows: 1, booked: 1, resultsFile: "template.results.xlsx" })
    await run("batch", "book", "orders.csv", ...BATCH)
    const billed = await run("sandbox", "bill", "--delivered", "--errors", "100%", "-o", "bill.xlsx")
    expect([billed.code, billed.stderr]).toEqual([0, expect.anything()])
    const audited = await run("audit", "bill.xlsx", "-o", "audit.xlsx", "--disputes", "disputes.xlsx")
    expect([audited.code, audited.stdout]).toEqual([1, ""])
    const bill = await read(folder, "bill.xlsx")
    expect(bill.amounts).toBe(bill.rows.length * 3)
    const audit = await read(folder, "audit.xlsx")
    const disputes = await read(folder, "disputes.xlsx")
    expect(disputes.headings[0]).toBe("Invoice Number")
    expect(disputes.rows.length).toBeGreaterThan(0)
    expect(audit.rows.length).toBeGreaterThanOrEqual(disputes.rows.length)
    expect(Math.min(audit.amounts, disputes.amounts)).toBeGreaterThan(0)
    const csv = await run("audit", "bill.xlsx", "--disputes", "disputes.csv", "--json")
    expect(csv.code).toBe(1)
    const [headings] = (await readFile(path.join(folder, "disputes.csv"), "utf8")).split("\n")
    expect(headings).toBe(disputes.headings.join(","))

    for (const words of [
      ["history"],
      ["shipments", "list"],
      ["shipments", "list", "--all"],
      ["connectors"],
    ]) {
      const { code, bytes, stderr } = await run(...words, "--format", "xlsx")
      expect([words, code, stderr]).toEqual([words, 0, ""])
      await writeFile(path.join(folder, "list.xlsx"), bytes)
      const list = await read(folder, "list.xlsx")
      const { stdout } = await run(...words, "--format", "csv")
      expect(list.headings.join(",")).toBe(stdout.split("\n")[0])
      expect(list.rows.length).toBe(stdout.trimEnd().split("\n").length - 1)
    }
    await writeFile(path.join(folder, "invoice.json"), "{}")
    for (const [command, headings] of [
      ["validate", "file"],
      ["list", "number"],
    ] as const) {
      expect((await run("invoice", command, "invoice.json", "-o", "invoices.xlsx")).code).toBe(1)
      expect((await read(folder, "invoices.xlsx")).headings[0]).toBe(headings)
    }
  })

  it("goes into a file or a pipe, never to a terminal", async () => {
    const { freight, run } = await office()
    const refused = await freight(["connectors", "--sandbox", "--format", "xlsx"], { columns: 80 })
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      2,
      "",
      expect.stringContaining("--format xlsx is a file for spreadsheets, and not for a terminal"),
    ])
    const { code } = await run("invoice", "new", "--format", "xlsx")
    expect(code).toBe(2)
  })
})
