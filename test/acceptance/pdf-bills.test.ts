/** Bills that come as PDFs, as a clerk works with them: disputed, posted, and shown how to read. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { drawLines } from "../bills/pdfs.ts"
import { textsOfPage } from "../reports/evidence/page.ts"
import { money, taxOf } from "../bills/desk.ts"
import { bookToBill } from "./audits.ts"
import { order } from "./orders.ts"
import { CATALOGUE, page, pdfOf } from "../worst/pdfs.ts"
import { getCommandLine } from "./freight.ts"
import { atTerminal, hasTerminal, sitAt, WIDE } from "./pty.ts"

const { home, get } = await bookToBill(["P-1", "P-2"].map((each) => order(each)))
const run = (...args: string[]) => home.freight(args)
const [first, second] = [get("P-1"), get("P-2")]

async function draw(name: string, ...drawing: Parameters<typeof drawLines>): Promise<string> {
  await writeFile(path.join(home.folder, name), await drawLines(...drawing))
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
    expect(await told("disputes", "letter", file)).toContain(why)
    expect(await told("evidence", "P-1")).toContain(
      `N-1 AUD 127.80 + GST (freight): over; to dispute: AUD 63.90; ${why}; audited`,
    )
    expect((await run("disputes", "letter", file, "--offline", "-o", "letter.pdf")).code).toBe(0)
    const letter = await readFile(path.join(home.folder, "letter.pdf"))
    expect((await textsOfPage(letter)).join(" ")).toContain("page 1, line 5")
  })

  it("is posted by the built program with the GST that it states", async () => {
    const words = "post bill.pdf --for xero --account 429 --clearing 865 --supplier N -o posted.csv --due"
    const posted = await home.binary([...words.split(" "), "30 days"])
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

it("rows that are printed show the one that cannot be read, and why", async () => {
  const file = await draw("cut.pdf", [
    ...TOP("N-10"),
    row("Consignment", "Your ref", "Amount ex GST"),
    row(first.consignment, first.reference, "1,234."),
    [["00", -330]],
    row(second.consignment, second.reference, money(second.cents)),
  ])
  const reason = '"1,234." and "00" below it seem to be one amount over two lines'
  const shown = await run("audit", file, "--show-rows", "--format", "csv")
  expect([shown.code, shown.stdout]).toEqual([
    2,
    [
      "file,invoice,page,line,Consignment,Your ref,Amount ex GST,refused",
      `cut.pdf,N-10,1,5,SBB00000001,P-1,"1,234.","${reason.replaceAll('"', '""')}"`,
      "cut.pdf,N-10,1,6,,,00,",
      "cut.pdf,N-10,1,7,SBB00000002,P-2,63.90,",
      "",
    ].join("\n"),
  ])
  expect(shown.stderr).toContain(`error: cut.pdf, page 1, line 5: ${reason}; nothing was audited`)
  const items = (await run("audit", file, "--show-rows", "--json")).items()
  expect(items).toMatchObject([{ line: 5, refused: reason }, { line: 6, refused: null }, { line: 7 }])
})

it.runIf(hasTerminal)(
  "a long PDF shows its pages at a real terminal, and is given up with Ctrl-C",
  async () => {
    const pages = 300
    const kids = Array.from({ length: pages }, () => "3 0 R").join(" ")
    const texts = Array.from(
      { length: 2000 },
      (_, at) => `1 0 0 1 ${(at % 10) * 55} ${Math.floor(at / 10) * 4} Tm (SBC00000001) Tj`,
    )
    const stream = Buffer.from(`BT /F1 3 Tf ${texts.join("\n")} ET`)
    const pdf = pdfOf(...[CATALOGUE, `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`, page("4 0 R")], [
      `<< /Length ${stream.length} >>`,
      stream,
    ])
    const file = path.join(home.folder, "long.pdf")
    await writeFile(file, pdf)
    const seat = await sitAt(getCommandLine(["audit", file, "--no-remember"]).flat(), { ...home.env }, WIDE)
    await seat.see(/long\.pdf: page [1-9]\d* of 300/)
    seat.press("ctrl-c")
    expect(await seat.exit).toBe(130)
    expect(await seat.screen()).not.toContain("of 300")
  },
)

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
        - column 1, "Whatsit" (SBB00000001, SBB00000002) has a heading that freight does not know: --map Whatsit=consignment (the consignment number) or --map Whatsit=reference (your own reference) or --map Whatsit=order (the order or booking number) or --map Whatsit=invoiceNumber (the number of the bill) or --map Whatsit= (column)
        - column 2, "Our mark" (P-1, P-2) has a heading that freight does not know: --map "Our mark=reference" (your own reference) or --map "Our mark=charge" (the name of the charge) or --map "Our mark=service" (the service) or --map "Our mark=carrier" (the carrier) or --map "Our mark=" (column)
        - column 3, "Worth" (63.90) has a heading that freight does not know: --map Worth=amountExGst (the amount without GST) or --map Worth=amountIncGst (the amount with GST) or --map Worth=amount (the amount) or --map Worth=gst (the GST) or --map Worth=freight (the charge for freight) or --map Worth=fuel (the fuel levy) or --map Worth=other (another charge) or --map Worth= (column)
      Say what they are in one line, such as --map Whatsit=consignment --map "Our mark=reference" --map Worth=amountExGst. Nothing behind the = leaves a column out.
      next: freight help audit --all
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
      expect.stringContaining('unknown.pdf is read by the map "north", which was saved for this supplier.'),
    ])
    const other = [[["Southern Lines", 40]], [[`ABN ${OWN}`, 40]]] as const
    expect((await audit(await unknown("N-5", [...other, ...TOP("N-5").slice(3)] as never))).code).toBe(2)
  })

  it.each([
    ["--header-row", "4"],
    ["--sheet", "May"],
    ["--sheet", "May", "--show-rows"],
  ])("is not a spreadsheet: %s is refused", async (...flags) => {
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
    expect(ran.screen).toContain('Saved as "mine"')
  })
})

describe("a layout without headings", () => {
  /** As its carrier prints it each month: the number, a mark, and the amount. */
  const bare = (number: string, { top = TOP(number), scale = 1, more = "", hasMarks = true } = {}) =>
    draw(
      "bare.pdf",
      [
        ...top,
        ...[first, second].map(({ consignment, reference, cents }) =>
          row(consignment, hasMarks ? reference : "", money(cents), more),
        ),
        [
          ["Total ex GST", 40],
          [money(first.cents + second.cents), -330],
        ],
      ],
      { scale },
    )
  const audit = (file: string, ...flags: string[]) => run("audit", file, "--no-remember", "--json", ...flags)
  const read = (ran: Awaited<ReturnType<typeof audit>>) =>
    ran.code === 2
      ? ran.stderr
      : ran.items<{ billed: number }>().map(({ billed }: { billed: number }) => billed)
  const amounts = [first, second].map(({ cents }) => cents / 100)
  const ANSWERS = ["--map", "Column 1=consignment", "--map", "Column 2=", "--map", "Column 3=amountExGst"]

  it("is refused in a script with the flags that say what its columns are", async () => {
    await run("batch", "maps", "--remove", "mine")
    const file = await bare("B-1")
    expect(read(await audit(file))).toMatchInlineSnapshot(`
      "{"error":{"kind":"input","message":"bare.pdf: the columns are ambiguous; nothing was done","code":"INPUT","errors":[{"message":"column 1 (SBB00000001, SBB00000002) has no heading that freight finds: --map \\"Column 1=consignment\\" (the consignment number) or --map \\"Column 1=reference\\" (your own reference) or --map \\"Column 1=order\\" (the order or booking number) or --map \\"Column 1=invoiceNumber\\" (the number of the bill) or --map \\"Column 1=\\"","field":"Column 1","code":"column"},{"message":"column 2 (P-1, P-2) has no heading that freight finds: --map \\"Column 2=reference\\" (your own reference) or --map \\"Column 2=charge\\" (the name of the charge) or --map \\"Column 2=service\\" (the service) or --map \\"Column 2=carrier\\" (the carrier) or --map \\"Column 2=\\"","field":"Column 2","code":"column"},{"message":"column 3 (63.90) has no heading that freight finds: --map \\"Column 3=amountExGst\\" (the amount without GST) or --map \\"Column 3=amountIncGst\\" (the amount with GST) or --map \\"Column 3=amount\\" (the amount) or --map \\"Column 3=gst\\" (the GST) or --map \\"Column 3=freight\\" (the charge for freight) or --map \\"Column 3=fuel\\" (the fuel levy) or --map \\"Column 3=other\\" (another charge) or --map \\"Column 3=\\"","field":"Column 3","code":"column"}],"retry":"never","next":"freight help audit --all","nextArgs":["help","audit","--all"],"hint":"Say what they are in one line, such as --map \\"Column 1=consignment\\" --map \\"Column 2=reference\\" --map \\"Column 3=amountExGst\\". Nothing behind the = leaves a column out."}}
      "
    `)
    expect(read(await audit(file, ...ANSWERS))).toEqual(amounts)
  })

  it.runIf(hasTerminal)("is shown once to a person, and read from then on", async () => {
    const file = path.join(home.folder, await bare("B-2"))
    const ran = await atTerminal(["audit", file, "--no-remember", "--save-map", "bare"], { ...home.env }, [
      { see: "Column 1 (", type: "\r" },
      { see: "Column 2 (", type: "\u001b[B\r" },
      { see: "Column 3 (", type: "\r" },
    ])
    expect(ran.screen.replaceAll(/\s+/g, " ")).toContain("It keeps where the columns of the PDF are.")
    const months = {
      "the next month": await audit(await bare("B-3")),
      "a page twice as large": await audit(await bare("B-4", { scale: 2 })),
      "a column that is empty": await audit(await bare("B-5", { hasMarks: false })),
      "a map that is named": await audit(await bare("B-6"), "--use-map", "bare"),
    }
    for (const [month, each] of Object.entries(months)) expect([month, read(each)]).toEqual([month, amounts])
    const rows = ["--show-rows", "--format", "csv"]
    const shown = {
      "the supplier's map": await run("audit", await bare("B-6", { hasMarks: false }), ...rows),
      "a map that is named": await run(
        "audit",
        await bare("B-6", { hasMarks: false }),
        ...rows,
        "--use-map",
        "bare",
      ),
    }
    for (const [map, { stdout }] of Object.entries(shown))
      expect([map, stdout]).toEqual([
        map,
        expect.stringMatching(/^file,invoice,page,line,Column 1,Column 2,Column 3\n.*,SBB00000001,,63.90\n/),
      ])
  })

  it.runIf(hasTerminal)("is asked about where its columns stand elsewhere", async () => {
    const other = [[["Southern Lines", 40]], [["ABN 51 824 753 556", 40]], ...TOP("B-7").slice(2)] as never
    const asked = "is not where the saved map has it"
    expect(read(await audit(await bare("B-8", { more: "7.00" })))).toContain(asked)
    expect(read(await audit(await bare("B-8", { more: "7.00" }), "--use-map", "bare"))).toContain(asked)
    expect(read(await audit(await bare("B-9", { top: other })))).toContain(
      "has no heading that freight finds",
    )
  })
})

describe("the supplier of a PDF", () => {
  const BOOKS = ["--map", "Whatsit=consignment", "--map", "Worth=amountExGst", "--map", "Our mark="]
  const bill = (top: Parameters<typeof drawLines>[0]) =>
    draw("supplier.pdf", [
      ...top,
      [["", 40]],
      row("Whatsit", "Our mark", "Worth"),
      ...[first, second].map(({ consignment, reference, cents }) =>
        row(consignment, reference, money(cents)),
      ),
      [
        ["Total ex GST", 40],
        [money(first.cents + second.cents), -330],
      ],
    ])
  const audit = (file: string, ...flags: string[]) => run("audit", file, "--no-remember", ...flags)
  /** The first consignment was billed before, where the other tests ran. */
  const READ = expect.toBeOneOf([0, 1])
  const OURS = "ABN 51 824 753 556"
  const below = [
    [["Invoice No: S-1", 40]],
    [
      ["Bill to:", 40],
      ["From:", 300],
    ],
    [
      ["Port Fittings Pty Ltd", 40],
      ["Northern Freight Lines Pty Ltd", 300],
    ],
    [["1 Port Street", 40]],
    [
      [OURS, 40],
      ["ABN 53 004 085 616", 300],
    ],
  ] as const
  const beside = [
    [["Southern Couriers Pty Ltd", 40]],
    [["Invoice No: S-2", 40]],
    [
      ["Invoice to", 40],
      ["Port Fittings Pty Ltd", 120],
    ],
    [[OURS, 120]],
  ] as const

  it("is never who the bill is for, and has a name where it has no ABN", async () => {
    await run("batch", "maps", "--remove", "bare")
    const saved = await audit(await bill(below), ...BOOKS, "--save-map", "north")
    expect([saved.code, saved.stderr]).toEqual([
      READ,
      expect.stringMatching(/\. Bills of 53004085616 are read by it\n/),
    ])
    const named = await audit(await bill(beside), ...BOOKS, "--save-map", "south")
    expect([named.code, named.stderr]).toEqual([
      READ,
      expect.stringMatching(/\. Bills of Southern Couriers Pty Ltd are read by it\n/),
    ])
    const again = await audit(await bill(beside))
    expect([again.code, again.stderr]).toEqual([READ, expect.stringContaining('is read by the map "south"')])
  })

  it("is asked about where two maps are for it", async () => {
    const file = path.join(home.folder, await bill(below))
    await audit(file, ...BOOKS, "--use-map", "south", "--save-map", "other")
    const { code, stderr } = await audit(file)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/supplier of .*supplier\.pdf: north, other/)])
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("Say which: --use-map north or --use-map other.")
    if (!hasTerminal) return
    const ran = await atTerminal(["audit", file, "--no-remember"], { ...home.env }, [
      { see: "Several saved maps", type: "\u001b[B\r" },
    ])
    expect([ran.code, ran.screen]).toEqual([READ, expect.stringContaining("2 consignments:")])
  })
})
