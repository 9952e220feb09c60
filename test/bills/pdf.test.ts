/** Bills as PDFs: what is read is what the CSV twin says, or nothing is judged. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { degrees, PDFDocument, PDFName, PDFString, StandardFonts } from "@cantoo/pdf-lib"
import { describe, expect, it } from "vitest"
import { findEdges } from "../../src/bills/reading/pdf/headings.ts"
import { readByProcess, readLines } from "../../src/input/pdf/text.ts"
import { failure } from "../failure.ts"
import { auditBill, BOOKED, bookedDatabase, money, tryBill } from "./desk.ts"
import { LAYOUTS, type LayoutName, type Sheet, withStatedGst, writeSheet } from "./layouts.ts"
import { drawLines, drawPdf, type PdfStyle } from "./pdfs.ts"

const NAMES = Object.keys(LAYOUTS) as LayoutName[]
const SHEET: Sheet = LAYOUTS["parts, total, GST"]
const database = await bookedDatabase()

type Rows = Awaited<ReturnType<typeof auditBill>>["rows"]

/** The verdict of the audit on each consignment, in cents. A number of a PDF that nobody knows cannot be told. */
function describeRows(rows: Rows, isPdf: boolean) {
  return rows
    .map(({ consignmentNumber: consignment, verdict, billed, disputed }) => {
      const isUntold = !isPdf && verdict === "not-ours"
      const cents = [billed, isUntold ? 0 : disputed].map((amount) => Math.round(amount * 100))
      return [consignment, isUntold ? "cannot-tell" : verdict, ...cents].join(" ")
    })
    .sort()
}

/** Why nothing was audited. */
async function refuse(pdf: Uint8Array, total?: number): Promise<string> {
  const { refused, rows } = await tryBill(database, { bill: pdf, ...(total !== undefined && { total }) })
  expect(rows).toEqual([])
  return [refused?.message ?? "", refused?.hint ?? ""].join(" | ")
}

const STYLES: readonly PdfStyle[] = [
  {},
  { font: StandardFonts.Courier, size: 7, rowsOnPage: 12, pageTotals: true },
  { headings: "left", isLandscape: true, gap: 40, watermark: true },
  { headings: "centre", wraps: true, rowsOnPage: 9, repeatsHeadings: false, brackets: true },
  {
    size: 6,
    gap: 6,
    isSpaced: true,
    font: StandardFonts.TimesRoman,
    footer: "Pay in 14 days. 1.50% a month is charged.",
  },
]

describe("a bill in a PDF", () => {
  it.each(
    NAMES.map((name, at) => [name, STYLES[at % STYLES.length] ?? {}] as const),
  )("%s: has the verdicts and cents of its CSV twin", async (name, style) => {
    const sheet = withStatedGst(name, LAYOUTS[name])
    // Sums below a column of types say nothing.
    const pdf = await drawPdf([
      [sheet, name === "types of documents" ? { ...style, pageTotals: false } : style],
    ])
    const [read, twin] = [
      await auditBill(database, { bill: pdf }),
      await auditBill(database, { bill: writeSheet(sheet) }),
    ]
    expect(describeRows(read.rows, true)).toEqual(describeRows(twin.rows, false))
  })

  it.each([
    ["chromium.pdf", "parts, total, GST"],
    ["chromium-landscape.pdf", "debits and credits"],
    ["groff.pdf", "a charge on each row"],
    ["ghostscript.pdf", "a consignment on its first row"],
  ] as const)("%s: was printed by another program, and has them too", async (file, name) => {
    const bill = await readFile(path.join(import.meta.dirname, "printed", file))
    const [read, twin] = [
      await auditBill(database, { bill }),
      await auditBill(database, { bill: writeSheet(LAYOUTS[name]) }),
    ]
    expect(describeRows(read.rows, true)).toEqual(describeRows(twin.rows, false))
  })

  it("may have two columns only", async () => {
    const cents = BOOKED.reduce((sum, each) => sum + each.cents, 0)
    const pdf = await drawLines([
      [["Coral Freight Pty Ltd", 40]],
      [
        ["Consignment", 40],
        ["Amount ex GST", 300],
      ],
      ...BOOKED.map((each) => [[each.number, 40] as const, [money(each.cents), -350] as const]),
      [
        ["Total ex GST", 40],
        [money(cents), -350],
      ],
    ])
    const { rows } = await auditBill(database, { bill: pdf })
    expect(rows.map(({ verdict }) => verdict)).toEqual(BOOKED.map(() => "agrees"))
  })

  it("may have two tables side by side", async () => {
    const pdf = await PDFDocument.create()
    const font = pdf.embedStandardFont(StandardFonts.Helvetica)
    const page = pdf.addPage([595, 842])
    const write = (text: string, x: number, y: number) => page.drawText(text, { x, y, size: 8, font })
    const writeLeftOf = (text: string, x: number, y: number) =>
      write(text, x - font.widthOfTextAtSize(text, 8), y)
    for (const left of [40, 310]) {
      write("Consignment", left, 760)
      write("Your Ref", left + 70, 760)
      writeLeftOf("Amount ex GST", left + 190, 760)
    }
    for (const [at, { number, reference, cents }] of BOOKED.entries()) {
      const [left, y] = [at < 6 ? 40 : 310, 745 - (at % 6) * 12]
      write(number, left, y)
      write(reference, left + 70, y)
      writeLeftOf(money(cents), left + 190, y)
    }
    write("Total ex GST", 310, 640)
    writeLeftOf(money(BOOKED.reduce((sum, { cents }) => sum + cents, 0)), 500, 640)
    const { rows } = await auditBill(database, { bill: await pdf.save() })
    expect(rows.map(({ verdict }) => verdict)).toEqual(BOOKED.map(() => "agrees"))
  })

  it("says where a disputed charge stands", async () => {
    const { rows } = await auditBill(database, { bill: await drawPdf([[SHEET, { rowsOnPage: 10 }]]) })
    expect(rows.filter(({ disputed }) => disputed > 0).map(({ why }) => why.replace(/^.*; /, ""))).toEqual([
      "page 1, lines 10, 11",
      "page 1, line 9",
    ])
  })

  it("has a bill for each of its invoices", async () => {
    const pdf = await drawPdf([
      [{ ...SHEET, rows: SHEET.rows.slice(0, 6) }, { number: "CF-1" }],
      [
        { ...SHEET, rows: SHEET.rows.slice(6) },
        { number: "CF-2", rowsOnPage: 4 },
      ],
    ])
    const { bills } = await auditBill(database, { bill: pdf })
    expect(bills.map(({ billNumber: number, amount }) => [number, amount])).toEqual([
      ["CF-1", 250.14],
      ["CF-2", 697.84],
    ])
  })
})

describe("what is not proven", () => {
  it("is a bill whose rows do not come to its sum", async () => {
    expect(await refuse(await drawPdf([[SHEET, { wrongBy: 10 }]]))).toMatchInlineSnapshot(
      `"standard input, page 1, line 26: "Total inc GST" is 948.09, and the 16 rows that freight reads come to 947.98; nothing was audited; left out, for their words are of the account, not of charges: "Payments received, thank you" (-120.00, page 1, line 28) | freight audit FILE --show-rows prints the rows as freight reads them. Or ask the carrier for a spreadsheet."`,
    )
  })

  it("is a cent or two that may be rounding: the bill is judged, and they are reported", async () => {
    const { rows, notes } = await auditBill(database, {
      bill: await drawPdf([[SHEET, { wrongBy: 2 }]]),
    })
    expect(rows).toHaveLength(13)
    expect(notes.filter((note) => note.includes("rounding"))).toMatchInlineSnapshot(`
      [
        "standard input, page 1, line 26: "Total inc GST" is 948.00, and the 16 rows that freight reads come to 947.98: the difference may be rounding, or a cent of a row was read wrongly",
      ]
    `)
    const exact = await auditBill(database, { bill: await drawPdf([[SHEET, {}]]) })
    expect(exact.notes.join()).not.toContain("rounding")
  })

  it("is a bill that states no sum", async () => {
    expect(await refuse(await drawPdf([[SHEET, { totals: "due" }]]))).toMatchInlineSnapshot(
      `"standard input states no sum of its charges, so that nothing proves its 16 rows | Say what they come to: --total 1234.56. --show-rows prints them."`,
    )
  })

  it("is read by the sum that a person gives", async () => {
    const pdf = await drawPdf([[SHEET, { totals: "none" }]])
    expect(await refuse(pdf, 1000)).toMatchInlineSnapshot(
      `"standard input: the 16 rows that freight reads come to 861.80 or 947.98, not to 10.00; nothing was audited | freight audit FILE --show-rows prints the rows as freight reads them. Or ask the carrier for a spreadsheet."`,
    )
    expect((await auditBill(database, { bill: pdf, total: 86_180 })).rows).toHaveLength(13)
  })

  it("is a row of which a digit was altered", async () => {
    const rows = SHEET.rows.map((row, at) =>
      at === 4 ? { ...row, cells: row.cells.map((cell) => cell.replace(/^4/, "9")) } : row,
    )
    const pdf = await drawPdf([[{ ...SHEET, rows }, {}]])
    expect(await refuse(pdf)).toMatchInlineSnapshot(
      `"standard input, page 1, line 26: "Total inc GST" is 947.98, and the 16 rows that freight reads come to 1,002.98; nothing was audited; left out, for their words are of the account, not of charges: "Payments received, thank you" (-120.00, page 1, line 28) | freight audit FILE --show-rows prints the rows as freight reads them. Or ask the carrier for a spreadsheet."`,
    )
  })

  it("is a column of which freight cannot tell the heading", () => {
    const span = (text: string, x0: number, x1: number) => ({ text, x0, x1 })
    const headings = [
      span("Con", 10, 40),
      span("Fuel", 200, 220),
      span("Other", 300, 325),
      span("Total", 400, 420),
    ]
    const row = (...spans: readonly ReturnType<typeof span>[]) => {
      return {
        page: 1,
        width: 595,
        line: 1,
        y: 100,
        height: 8,
        phrases: spans.map((each) => ({ ...each, words: [each] })),
      }
    }
    const centred = span("SBC1", 2, 60)
    expect([
      findEdges(headings, [row(centred, span("2.00", 270, 295), span("9.00", 470, 495))]),
      findEdges(headings, [
        row(centred, span("2.00", 270, 295), span("1.00", 370, 395), span("9.00", 470, 495)),
      ]),
    ]).toEqual([undefined, [130, 297.5, 397.5]])
  })
})

describe("what is not a bill", () => {
  const draw = async (work: (pdf: PDFDocument) => void) => {
    const pdf = await PDFDocument.create()
    work(pdf)
    return pdf
  }

  it("has a font that does not name its letters", async () => {
    // The places of glyphs in a font, as a program writes them that leaves out what they mean.
    const glyphs = [..."Consignment Amount SBA00000001 92.80"].map((each) => each.charCodeAt(0) - 29)
    const codes = glyphs.map((each) => each.toString(16).padStart(4, "0")).join("")
    const pdf = await draw((each) => void each.addPage())
    const { context } = pdf
    const [page] = pdf.getPages()
    const descendant = context.obj({
      Type: "Font",
      Subtype: "CIDFontType2",
      BaseFont: "AAAAAA+X",
      CIDSystemInfo: { Registry: PDFString.of("Adobe"), Ordering: PDFString.of("Identity"), Supplement: 0 },
      DW: 500,
    })
    const font = { Type: "Font", Subtype: "Type0", BaseFont: "AAAAAA+X", Encoding: "Identity-H" }
    page?.node.setFontDictionary(
      PDFName.of("F1"),
      context.register(context.obj({ ...font, DescendantFonts: [context.register(descendant)] })),
    )
    page?.node.addContentStream(context.register(context.stream(`BT /F1 9 Tf 40 700 Td <${codes}> Tj ET`)))
    expect(await refuse(await pdf.save())).toContain("has pictures of text, not text")
  })

  it("is a picture, a locked PDF, half a PDF, or one that is too long", async () => {
    const picture = await draw((pdf) => void pdf.addPage())
    const locked = await PDFDocument.load(await drawPdf([[SHEET, {}]]))
    locked.encrypt({ userPassword: "secret", ownerPassword: "secret" })
    const whole = await drawPdf([[SHEET, {}]])
    const long = await draw((pdf) => {
      for (let page = 0; page < 501; page++) pdf.addPage()
    })
    const note = await draw((pdf) => void pdf.addPage().drawText("Dear customer, our new depot is open."))
    const watermark = await draw((pdf) => void pdf.addPage().drawText("COPY", { rotate: degrees(45) }))
    expect([
      await refuse(await picture.save()),
      await refuse(await locked.save()),
      await refuse(whole.subarray(0, whole.length / 3)),
      await refuse(await long.save()),
      await refuse(await note.save()),
      await refuse(await watermark.save()),
    ]).toMatchInlineSnapshot(`
      [
        "standard input has pictures of text, not text | Ask the carrier for a CSV file, or for a PDF from their portal. A scan cannot be read.",
        "standard input is locked with a password | Open it, print it as a PDF without a password, and use that.",
        "standard input is damaged, and cannot be read as a PDF | Ask the carrier for it again.",
        "standard input has more than 500 pages, the most that freight reads | Print it as several PDFs, each with whole invoices.",
        "standard input: freight finds no table of charges in this PDF | It looks for a line of headings with a number and an amount, and rows below them. --map COLUMN=FIELD says what a heading means; or ask the carrier for a spreadsheet.",
        "standard input: freight finds no table of charges in this PDF | It looks for a line of headings with a number and an amount, and rows below them. --map COLUMN=FIELD says what a heading means; or ask the carrier for a spreadsheet.",
      ]
    `)
  })

  it("is one that takes too long, or is given up", async () => {
    const pdf = await drawPdf([[SHEET, {}]])
    const { signal } = new AbortController()
    await expect(readLines("bill.pdf", pdf, signal, readByProcess({ mostMs: 1 }))).rejects.toThrow(
      "bill.pdf takes too long to be read",
    )
    await expect(readLines("bill.pdf", pdf, AbortSignal.abort(new Error("given up")))).rejects.toThrow(
      "given up",
    )
  })

  it.each([
    ["cannot be started: spawn", undefined, "unavailable"],
    ["ended with exit code 3", "exit 3", "unavailable"],
    ["was ended by SIGTERM", "kill -TERM $$", "unavailable"],
    ["was ended by SIGTERM", 'printf \'{"page":1,"items":[\'; kill -TERM $$', "unavailable"],
    ["bill.pdf needs too much memory to be read", "kill -KILL $$", "input"],
  ])("is one whose reader %s", async (told, script, kind) => {
    const program = path.join(await mkdtemp(path.join(tmpdir(), "reader-")), "reader")
    if (script !== undefined) await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const { signal } = new AbortController()
    const error = await failure(
      readLines("bill.pdf", await drawPdf([[SHEET, {}]]), signal, readByProcess({ program })),
    )
    expect([error.kind, error.message]).toEqual([kind, expect.stringContaining(told)])
  })
})
