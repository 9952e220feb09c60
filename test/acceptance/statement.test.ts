/** `freight audit --statement`: a carrier's list of invoices beside the bills that were audited. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { drawLines } from "../bills/pdfs.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"

const home = await desk(await fileSandbox())
const run = (...args: string[]) => home.freight(args)

async function save(name: string, text: string | Uint8Array): Promise<string> {
  const file = path.join(home.folder, name)
  await writeFile(file, text)
  return file
}

const HEAD = "Invoice Number,Invoice Date,Carrier,Connote,Charge,Amount ex GST,GST\n"
const bill = (number: string, day: string, cents: number, carrier = "Carrier A") =>
  `${number},2026-10-${day},${carrier},SBA9${number.replace(/\D/g, "").padStart(7, "0")},Freight,${cents / 100},${cents / 1000}\n`

/** 1001 posted, 1002 not, 1003 with a charge that is there twice, 1004 posted and not on the statements, 1005 of another carrier. */
const posted = await save("a.csv", HEAD + bill("INV-1001", "05", 10_000) + bill("INV-1004", "20", 7000))
await run("audit", posted, "--offline")
await run("post", posted, "--for", "xero", "--account", "429", "--due", "30 days")
const other = await save(
  "b.csv",
  HEAD + bill("INV-1002", "12", 20_000) + bill("1005", "13", 3000, "Carrier B"),
)
await run("audit", other, "--offline")
await run(
  "audit",
  await save("c.csv", HEAD + bill("INV-1003", "19", 2500) + bill("INV-1003", "19", 2500)),
  "--raise",
)

/** Bills that say less: a credit, and one of which nobody knows whether GST is in it. */
await run("audit", await save("d.csv", HEAD + bill("CN-1007", "21", -2000)), "--offline")
const unsaid =
  "Invoice Number,Invoice Date,Carrier,Connote,Total\nINV-1006,2026-10-22,Carrier A,SBA90001006,110.00\n"
await run("audit", await save("e.csv", unsaid), "--offline")

type Row = Record<"state" | "billNumber", string> &
  Record<"amount" | "audited" | "paid" | "disputed", number | null>

async function compare(text: string, ...flags: string[]) {
  const ran = await run("audit", "--statement", await save("statement.csv", text), "--json", ...flags)
  return { ...ran, rows: ran.code === 2 ? [] : ran.items<Row>() }
}

describe("a row of a statement", () => {
  it.each<[what: string, text: string, state: string, code: number, more?: object]>([
    [
      "audited and posted",
      "Invoice,Amount inc GST\nINV-1001,110.00",
      "posted",
      0,
      { audited: 110, disputed: 0 },
    ],
    ["audited, in another spelling", "Invoice,Amount\ninv 1001,110.00", "posted", 0],
    ["without GST, where it says so", "Invoice,Amount ex GST\nINV-1001,100.00", "posted", 0],
    ["without GST, where it says nothing", "Invoice,Amount\nINV-1001,100.00", "posted", 0],
    ["that says with GST, and is not", "Invoice,Amount inc GST\nINV-1001,100.00", "other-amount", 1],
    ["not posted", "Invoice,Total\nINV-1002,220.00", "not-posted", 0, { amount: 220, paid: null }],
    ["in dispute", "Invoice,Total\nINV-1003,55.00", "in-dispute", 0, { audited: 55, disputed: 27.5 }],
    ["never audited", "Invoice,Total\nINV-1009,55.00", "missing", 1, { audited: null }],
    ["of another carrier with this number", "Carrier,Invoice,Total\nCarrier A,1005,40.00", "missing", 1],
    [
      "whose carrier is spelt otherwise",
      "Carrier,Invoice,Total\nCarrier B Pty Ltd,1005,33.00",
      "not-posted",
      0,
    ],
    ["a cent off", "Invoice,Amount inc GST\nINV-1001,110.01", "other-amount", 1],
    [
      "a credit note, by its type",
      "Type,Number,Amount\nCredit note,CN-1007,22.00",
      "not-posted",
      0,
      { amount: -22 },
    ],
    ["a credit note, by its sign", "Number,Amount\nCN-1007,-22.00", "not-posted", 0, { amount: -22 }],
    [
      "a credit note that is listed as an invoice",
      "Type,Number,Amount\nInvoice,CN-1007,22.00",
      "other-amount",
      1,
    ],
    [
      "of a bill that does not say whether GST is in it",
      "Invoice,Amount inc GST\nINV-1006,110.00",
      "not-posted",
      0,
    ],
    ["of such a bill without GST", "Invoice,Amount ex GST\nINV-1006,100.00", "not-posted", 0],
    ["of such a bill, and neither", "Invoice,Amount ex GST\nINV-1006,99.00", "other-amount", 1],
    ["paid", "Invoice,Total,Amount paid\nINV-1001,110.00,110.00", "posted", 0, { paid: 110 }],
    [
      "of which nothing is outstanding",
      "Invoice,Total,Outstanding\nINV-1001,110.00,0.00",
      "posted",
      0,
      { paid: 110 },
    ],
    ["paid twice in a column", "Invoice,Total,Paid\nINV-1001,110.00,220.00", "paid-twice", 1, { paid: 220 }],
    ["paid too much", "Invoice,Total,Paid\nINV-1001,110.00,120.00", "overpaid", 1],
    [
      "paid twice in rows",
      "Type,Document no,Debit,Credit\nInvoice,INV-1001,110,\nPayment,INV-1001,,110\nPayment,INV-1001,,110",
      "paid-twice",
      1,
      { paid: 220 },
    ],
  ])("%s", async (_, text, state, code, more = {}) => {
    const ran = await compare(text)
    expect([ran.code, ran.rows], ran.stderr).toMatchObject([code, [{ state, ...more }]])
  })

  it("that the statement lists twice is reported", async () => {
    const { code, rows } = await compare("Invoice,Total\nINV-1001,110\nINV-1001,110")
    expect([code, rows.map(({ state }) => state)]).toEqual([1, ["listed-twice", "posted"]])
  })
})

describe("a statement", () => {
  it("tells what is not on it, and payments that name nothing; its total is checked", async () => {
    const text = `Statement of account
Carrier A
Date,Type,Document no,Debit,Credit,Balance
05/10/2026,Invoice,INV-1001,110.00,,110.00
26/10/2026,Payment - thank you,,,50.00,60.00
27/10/2026,Invoice,INV-1009,5.00,,65.00
,,Total,120.00,50.00,`
    const { code, stderr, rows } = await compare(text)
    expect([code, rows.map(({ state }) => state)]).toEqual([1, ["missing", "posted"]])
    expect(stderr).toContain(
      "row 5: a payment of AUD 50.00 names no invoice of the statement: it is not counted",
    )
    expect(stderr).toContain(
      "Audited, from its days, and not on it: Carrier A INV-1002, Carrier A INV-1003, Carrier A INV-1004, Carrier A CN-1007, Carrier A INV-1006",
    )
    expect(stderr).toContain("row 7: the total is 120.00, and the rows above come to 115.00")
    expect(stderr).toContain("2 invoices on the statement: 1 not as audited, or paid too often.")
  })

  it.each([
    ["without a number", "Carrier,Total\nA,5.00", "no column has the number of an invoice"],
    ["without an amount", "Invoice,Terms\nA1,5", "no column has an amount"],
    ["in another currency", "Invoice,Total,Currency\nA1,5.00,NZD", "in which bills are compared"],
    [
      "with an amount of no invoice",
      "Invoice,Total\n,5.00",
      "row 2: it has 5.00, and no number of an invoice",
    ],
    ["with an amount that is none", "Invoice,Total\nA1,soon", "row 2, amount: "],
    ["with nothing below its headings", "Invoice,Total\n", "has no invoice in it"],
    ["with another currency in a column of no name", "Invoice,Total,X\nA1,5.00,USD", "X"],
  ])("%s is refused", async (_, text, says) => {
    const { code, stderr } = await compare(text)
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  })

  it("takes a mapped column, and writes a workbook; with bills beside it is refused", async () => {
    const { code } = await compare(
      "Our ref,Worth\nINV-1001,110.00",
      "--map",
      "Our ref=number",
      "--map",
      "Worth=amount",
    )
    expect(code).toBe(0)
    const file = await save("s.csv", "Invoice,Total\nINV-1001,110.00")
    expect((await run("audit", "--statement", file, "-o", path.join(home.folder, "s.xlsx"))).code).toBe(0)
    expect((await run("audit", file, "--statement", file)).code).toBe(2)
    const input = "Invoice,Total\nINV-1001,110.00"
    expect((await home.freight(["audit", "--statement", "-"], { input })).code).toBe(0)
  })
})

describe("a statement in a PDF", () => {
  const HEAD = [
    [["Carrier A Pty Ltd", 40]],
    [["STATEMENT OF ACCOUNT", 40]],
    [["Statement date: 31/10/2026", 40]],
    [["", 40]],
  ] as const
  const columns = (...texts: readonly string[]) =>
    [40, 110, 230, -400, -470, -540].flatMap((x, at) => (texts[at] ? [[texts[at], x] as const] : []))

  async function compareDrawn(lines: Parameters<typeof drawLines>[0], ...flags: string[]) {
    const file = await save("statement.pdf", await drawLines([...HEAD, ...lines]))
    const ran = await run("audit", "--statement", file, "--json", ...flags)
    return { ...ran, rows: ran.code === 2 ? [] : ran.items<Row & { page: number; row: number }>() }
  }

  const OPEN = [
    columns("Date", "Invoice No", "Due date", "Amount", "Paid", "Outstanding"),
    columns("05/10/2026", "INV-1001", "04/11/2026", "110.00", "110.00", "0.00"),
    columns("12/10/2026", "INV-1002", "11/11/2026", "220.00", "0.00", "220.00"),
    columns("19/10/2026", "INV-1009", "18/11/2026", "1,055.00", "0.00", "1,055.00"),
  ]

  it("is compared where its balance proves the rows, and each has its page and line", async () => {
    const { code, rows, stderr } = await compareDrawn([
      ...OPEN,
      [
        ["Total amount due", 230],
        ["$1,275.00", -540],
      ],
    ])
    expect(
      [code, rows.map(({ billNumber, state, page, row }) => [billNumber, state, page, row])],
      stderr,
    ).toEqual([
      1,
      [
        ["INV-1009", "missing", 1, 7],
        ["INV-1002", "not-posted", 1, 6],
        ["INV-1001", "posted", 1, 5],
      ],
    ])
  })

  it("may have payments as rows, and begin with what was owed before", async () => {
    const { code, rows, stderr } = await compareDrawn([
      columns("Date", "Document no", "Type", "Debit", "Credit", "Balance"),
      columns("01/10/2026", "", "Opening balance", "", "", "40.00"),
      columns("05/10/2026", "INV-1001", "Invoice", "110.00", "", "150.00"),
      columns("26/10/2026", "", "Payment - thank you", "", "50.00", "100.00"),
      [
        ["Closing balance", 230],
        ["100.00", -540],
      ],
    ])
    expect([code, rows.map(({ state }) => state)], stderr).toEqual([0, ["posted"]])
    expect(stderr).toContain(
      "page 1, line 7: a payment of AUD 50.00 names no invoice of the statement: it is not counted",
    )
  })

  it("has a row without a number by its page and line, and no row of a spreadsheet", async () => {
    const { code, stderr } = await compareDrawn([
      ...OPEN.slice(0, 3),
      columns("19/10/2026", "", "18/11/2026", "1,055.00", "0.00", "1,055.00"),
      [
        ["Amount due", 230],
        ["$1,275.00", -540],
      ],
    ])
    expect(code).toBe(2)
    expect(stderr).toContain("page 1, line 7: it has 1,055.00, and no number of an invoice")
    expect(stderr).not.toContain("as a spreadsheet shows")
  })

  it("is refused where nothing proves it, and is read by what a person says it comes to", async () => {
    const wrong = await compareDrawn([
      ...OPEN,
      [
        ["Amount due", 230],
        ["$1,285.00", -540],
      ],
    ])
    const none = await compareDrawn(OPEN)
    const said = await compareDrawn(OPEN, "--total", "1275.00")
    const other = await compareDrawn(OPEN, "--total", "1276.00")
    const letter = await compareDrawn([[["Our new depot is open.", 40]]])
    expect([said.code, said.rows.length]).toEqual([1, 3])
    const told = [wrong, none, other, letter].map(({ code, stderr }) => [
      code,
      stderr.replaceAll(path.join(home.folder, "statement.pdf"), "statement.pdf").trim(),
    ])
    expect(told).toMatchInlineSnapshot(`
      [
        [
          2,
          "{"error":{"kind":"input","message":"statement.pdf, page 1, line 8: \\"Amount due\\" is 1,285.00, and the 3 rows that freight reads come to 1,275.00; nothing was compared","code":"INPUT","retry":"never","hint":"Compare them with the page; or ask the carrier for a spreadsheet."}}",
        ],
        [
          2,
          "{"error":{"kind":"input","message":"statement.pdf states no balance of its invoices, so that nothing proves its 3 rows","code":"INPUT","retry":"never","hint":"Say what they come to: --total 1234.56."}}",
        ],
        [
          2,
          "{"error":{"kind":"input","message":"statement.pdf: the 3 rows that freight reads come to 1,275.00, not to 1,276.00; nothing was compared","code":"INPUT","retry":"never","hint":"Compare them with the page; or ask the carrier for a spreadsheet."}}",
        ],
        [
          2,
          "{"error":{"kind":"input","message":"statement.pdf: freight finds no list of invoices in this PDF","code":"INPUT","retry":"never","hint":"It looks for a line of headings with the number of an invoice and its amount, and rows below them. --map COLUMN=FIELD says what a heading means."}}",
        ],
      ]
    `)
  })
})
