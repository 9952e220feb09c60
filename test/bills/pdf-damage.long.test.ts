/** Damaged and hostile PDFs: one sentence each, or the right rows; nothing hangs, and nothing is run. */
import { deflateSync } from "node:zlib"
import { expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { readByProcess, readLines } from "../../src/input/pdf/text.ts"
import { bookedDatabase, tryBill } from "./desk.ts"
import { createDraw, LAYOUTS } from "./layouts.ts"
import { CATALOGUE, ONE_PAGE, page, pdfOf } from "../worst/pdfs.ts"
import { drawPdf } from "./pdfs.ts"

const CASES = Number(process.env.FREIGHT_TEST_PDF_CASES ?? 24)
const MB = 2 ** 20
/** Processor time that a hostile one may take (ms). */
const MAX_MS = 6000
const database = await bookedDatabase()

const bomb = () => {
  let stream: Uint8Array = new Uint8Array(300 * MB).fill(32)
  for (let times = 0; times < 2; times++) stream = deflateSync(stream)
  return [`<< /Filter [/FlateDecode /FlateDecode] /Length ${stream.length} >>`, stream] as const
}

const HOSTILE: Readonly<Record<string, () => Uint8Array>> = {
  "pages that hold themselves": () => pdfOf(CATALOGUE, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"),
  "ten thousand pages": () =>
    pdfOf(CATALOGUE, "<< /Type /Pages /Kids [3 0 R] /Count 10000 >>", page("4 0 R")),
  "a form that draws itself": () =>
    pdfOf(
      CATALOGUE,
      ONE_PAGE,
      page("4 0 R"),
      ["<< /Length 5 >>", Buffer.from("/X Do")],
      [
        "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 11 >>",
        Buffer.from("/X Do /X Do"),
      ],
    ),
  "a bomb": () => pdfOf(CATALOGUE, ONE_PAGE, page("4 0 R"), bomb()),
  "an endless text": () => {
    const stream = deflateSync(Buffer.from(`BT /F1 9 Tf ${"(abcdefgh) Tj ".repeat(4_000_000)} ET`))
    return pdfOf(CATALOGUE, ONE_PAGE, page("4 0 R"), [
      `<< /Filter /FlateDecode /Length ${stream.length} >>`,
      stream,
    ])
  },
  "a script and a program to start": () =>
    pdfOf(
      "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.launchURL('http://127.0.0.1')) >> /AA << /WC << /S /Launch /F (calc.exe) >> >> >>",
      ONE_PAGE,
      page("4 0 R"),
      ["<< /Length 28 >>", Buffer.from("BT /F1 9 Tf (Hello) Tj ET   ")],
    ),
  "a name only": () => Buffer.from("%PDF-1.7\n"),
}

it.each(Object.keys(HOSTILE))("%s: is refused with a sentence", async (name) => {
  const { signal } = new AbortController()
  const lines = readLines(
    "bill.pdf",
    HOSTILE[name]?.() ?? new Uint8Array(),
    signal,
    readByProcess({ mostMs: MAX_MS }),
  )
  const ended = await lines.then(
    (all) => `${new Set(all.map(({ page }) => page)).size} pages`,
    (error: unknown) => (error instanceof FreightError ? error.message : String(error)),
  )
  expect(ended).toMatch(
    /^bill\.pdf (?:is damaged, |needs too much|takes too long|has more than|has more text|has pictures of text)|^1 pages$/,
  )
})

it("a bill with damage anywhere has no other dispute", { timeout: 900_000 }, async () => {
  const whole = await drawPdf([[LAYOUTS["a charge on each row"], { rowsOnPage: 12 }]])
  const right = await tryBill(database, { bill: whole })
  const describeDisputes = (rows: typeof right.rows) =>
    rows.flatMap(({ consignmentNumber: consignment, billed, disputed }) =>
      disputed > 0 ? [`${consignment} ${billed} ${disputed}`] : [],
    )
  const expected = describeDisputes(right.rows)
  const wrong: string[] = []
  for (let seed = 1; seed <= CASES; seed++) {
    const draw = createDraw(seed * 7907)
    const bytes = Buffer.from(draw(3) === 0 ? whole.subarray(0, draw(whole.length)) : whole)
    for (let times = draw(30); times > 0 && bytes.length > 0; times--) bytes[draw(bytes.length)] = draw(256)
    if (bytes.subarray(0, 5).toString("latin1") !== "%PDF-") continue
    const tried = await tryBill(database, { bill: bytes, readPages: readByProcess() })
    // A cent that rounding explains is told.
    if (!tried.refused && !tried.asked && tried.notes.some((note) => note.includes("may be rounding")))
      continue
    for (const each of describeDisputes(tried.rows))
      if (!expected.includes(each)) wrong.push(`seed ${seed}: ${each}`)
  }
  expect(wrong).toEqual([])
})
