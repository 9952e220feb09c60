/** Bills that come as PDFs, as a clerk works with them: disputed, posted, and shown how to read. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { drawLines } from "../bills/pdfs.ts"
import { textsOfPage } from "../bills/evidence/page.ts"
import { money, taxOf } from "../bills/desk.ts"
import { bookToBill } from "./audits.ts"
import { order } from "./orders.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

const { home, get } = await bookToBill(["P-1", "P-2"].map((each) => order(each)))
const run = (...args: string[]) => home.freight(args)
const [first, second] = [get("P-1"), get("P-2")]

async function draw(name: string, lines: Parameters<typeof drawLines>[0]): Promise<string> {
  await writeFile(path.join(home.folder, name), await drawLines(lines))
  return name
}

const TOP = (number: string) =>
  [
    [["Northern Freight Lines Pty Ltd", 40]],
    [
      ["ABN 53 004 085 616", 40],
      [`Invoice No: ${number}`, 300],
    ],
    [["Invoice date: 24/11/2026", 300]],
    [["", 40]],
  ] as const

const row = (...texts: readonly string[]) =>
  [40, 150, -330, -400, -480].flatMap((x, at) => (texts[at] ? [[texts[at], x] as const] : []))

/** The first is billed twice its price. */
const charges = [
  [first, first.cents * 2],
  [second, second.cents],
] as const
const all = charges.reduce((sum, [, cents]) => sum + cents, 0)
const sums = [
  ["Total ex GST", all],
  ["GST", taxOf(all)],
  ["Total inc GST", all + taxOf(all)],
].map(
  ([label, cents]) =>
    [
      [String(label), 40],
      [money(Number(cents)), -330],
    ] as const,
)

describe("a bill in a PDF", () => {
  it("is disputed by page and line: in the list, the letter and the evidence", async () => {
    const file = await draw("bill.pdf", [
      ...TOP("N-1"),
      row("Consignment", "Your ref", "Amount ex GST"),
      ...charges.map(([{ consignment, reference }, cents]) => row(consignment, reference, money(cents))),
      ...sums,
    ])
    const why = "63.90 more than quoted, 100.0 %; page 1, line 5"
    const list = await run("audit", file, "--raise", "--disputes", "-", "-o", "audit.html")
    expect([list.code, list.stdout], list.stderr).toEqual([1, expect.stringContaining(`"${why}"`)])
    expect(await readFile(path.join(home.folder, "audit.html"), "utf8")).toContain(why)
    const told = async (...words: string[]) => (await run(...words)).stdout.replaceAll(/\s+/g, " ")
    expect(await told("disputes", "letter", file)).toContain(
      `WHAT WE DISPUTE ${first.consignment} AUD 63.90, over: ${why} Our`,
    )
    expect(await told("evidence", "P-1")).toContain(
      `N-1 AUD 127.80 + GST (freight): over; to dispute: AUD 63.90; ${why}; audited`,
    )
    expect((await run("disputes", "letter", file, "--no-evidence", "-o", "letter.pdf")).code).toBe(0)
    const letter = await readFile(path.join(home.folder, "letter.pdf"))
    expect((await textsOfPage(letter)).join(" ")).toContain("page 1, line 5")
  })

  it("is posted with the GST that it states", async () => {
    const posted = await run(
      ..."post bill.pdf --for xero --account 429 --clearing 865 --due".split(" "),
      "30 days",
      "--supplier",
      "N",
      "-o",
      "posted.csv",
    )
    expect([posted.code, posted.stderr]).toEqual([0, expect.stringContaining("Posted 1 bill")])
    expect(await readFile(path.join(home.folder, "posted.csv"), "utf8")).toMatchInlineSnapshot(`
      "*ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry,*InvoiceNumber,*InvoiceDate,*DueDate,Total,InventoryItemCode,Description,*Quantity,*UnitAmount,*AccountCode,*TaxType,TaxAmount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2,Currency
      N,,,,,,,,,,N-1,24/11/2026,24/12/2026,,,Freight SBB00000001 P-1,1,63.90,429,GST on Expenses,6.39,,,,,AUD
      N,,,,,,,,,,N-1,24/11/2026,24/12/2026,,,Disputed: Freight SBB00000001 P-1,1,63.90,865,GST on Expenses,6.39,,,,,AUD
      N,,,,,,,,,,N-1,24/11/2026,24/12/2026,,,Freight SBB00000002 P-2,1,63.90,429,GST on Expenses,6.39,,,,,AUD
      "
    `)
  })
})

it("rows that are printed are a bill that can be audited", async () => {
  const amounts = [first.cents, -500, 500]
  const file = await draw("credit.pdf", [
    ...TOP("N-9"),
    row("Consignment", "Your ref", "Amount ex GST"),
    ...amounts.map((cents) => row(first.consignment, first.reference, money(cents))),
    [
      ["Total ex GST", 40],
      [money(first.cents), -330],
    ],
  ])
  await run("audit", file, "--show-rows", "-o", "rows.csv", "--format", "csv")
  const { code: rowsCode, stderr } = await run("audit", "rows.csv", "--no-remember", "--offline")
  expect([rowsCode, stderr]).toEqual([expect.any(Number), expect.not.stringContaining("error:")])
  expect(await readFile(path.join(home.folder, "rows.csv"), "utf8")).toContain(",-5\n")
})

describe("a layout that freight does not know", () => {
  const OWN = "51 824 753 556"
  const unknown = (number: string, top = TOP(number)) =>
    draw("unknown.pdf", [
      ...top,
      row("Whatsit", "Our mark", "Worth"),
      ...[first, second].map(({ consignment, reference, cents }) =>
        row(consignment, reference, money(cents)),
      ),
      [
        ["Total ex GST", 40],
        [money(first.cents + second.cents), -330],
      ],
    ])
  const audit = async (file: string, ...flags: string[]) => run("audit", file, "--no-remember", ...flags)

  it("is refused in a script with the flags that say it, and its rows can be printed", async () => {
    const file = await unknown("N-2")
    const { code, stderr } = await audit(file)
    expect(code).toBe(2)
    expect(stderr).toMatchInlineSnapshot(`
      "error: unknown.pdf: the columns are ambiguous; nothing was done
        - column 1, "Whatsit" (SBB00000001, SBB00000002) has a heading that freight does not know: --map Whatsit=consignment or --map Whatsit=reference or --map Whatsit=order or --map Whatsit=invoiceNumber or --map Whatsit= (column)
        - column 2, "Our mark" (P-1, P-2) has a heading that freight does not know: --map "Our mark=reference" or --map "Our mark=charge" or --map "Our mark=service" or --map "Our mark=carrier" or --map "Our mark=" (column)
        - column 3, "Worth" (63.90) has a heading that freight does not know: --map Worth=amountExGst or --map Worth=amountIncGst or --map Worth=amount or --map Worth=gst or --map Worth=freight or --map Worth=fuel or --map Worth=other or --map Worth= (column)
      Say what they are in one line, such as --map Whatsit=consignment --map "Our mark=reference" --map Worth=amountExGst. Nothing behind the = leaves a column out.
      next: freight audit --help
      "
    `)
    expect((await run("audit", file, "--show-rows", "--format", "csv")).stdout).toMatchInlineSnapshot(`
      "file,invoice,page,line,Whatsit,Our mark,Worth
      unknown.pdf,N-2,1,5,SBB00000001,P-1,63.90
      unknown.pdf,N-2,1,6,SBB00000002,P-2,63.90
      unknown.pdf,N-2,1,7,Total ex GST,,127.80
      "
    `)
  })

  it("is read by a map, which is found by the ABN of the supplier", async () => {
    const map = ["--map", "Whatsit=consignment", "--map", "Worth=amountExGst", "--map", "Our mark="]
    const saved = await audit(await unknown("N-3"), ...map, "--save-map", "north")
    // The first consignment was billed before.
    expect([saved.code, saved.stderr]).toEqual([
      1,
      expect.stringContaining("Bills of 53004085616 are read by it"),
    ])
    const again = await audit(await unknown("N-4"), "--json")
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining("unknown.pdf is read by the map 'north', which was saved for this supplier."),
    ])
    const other = [[["Southern Lines", 40]], [[`ABN ${OWN}`, 40]]] as const
    expect((await audit(await unknown("N-5", [...other, ...TOP("N-5").slice(3)] as never))).code).toBe(2)
  })

  it.each([
    ["--header-row", "4"],
    ["--sheet", "May"],
  ])("is no spreadsheet: %s is refused", async (...flags) => {
    const { code, stderr } = await audit(await unknown("N-6"), ...flags)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${flags[0]} is for spreadsheets, and unknown.pdf is a PDF`),
    ])
  })

  it.runIf(hasTerminal)("is shown to a person, who says what its columns are", async () => {
    await run("batch", "maps", "--remove", "north")
    const file = path.join(home.folder, await unknown("N-7"))
    const ran = await atTerminal(["audit", file, "--no-remember", "--save-map", "mine"], { ...home.env }, [
      { see: 'Column 1, "Whatsit"', type: "\r" },
      { see: 'Column 2, "Our mark"', type: "\u001b[B\r" },
      { see: 'Column 3, "Worth"', type: "\r" },
    ])
    expect(ran.code).toBeLessThan(2)
    expect(ran.screen).toContain("2 consignments:")
    expect(ran.screen).toContain("Saved as 'mine'")
  })
})
