/** About 1 MB of the worst of each kind: work that is counted, and a signal that is heard at each step. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { createStep } from "../../src/base/turns.ts"
import type { BillField } from "../../src/bills/reading/columns.ts"
import { rememberMeanings } from "../../src/bills/reading/pdf/headings.ts"
import { splitInvoices } from "../../src/bills/reading/pdf/invoices.ts"
import type { Meaning } from "../../src/input/columns/notation.ts"
import { type TextItem, toLines } from "../../src/input/pdf/lines.ts"
import { PDF_LIMITS } from "../../src/input/pdf/messages.ts"
import { createPdfStep, readLines } from "../../src/input/pdf/text.ts"
import { checkRows } from "../../src/orders/batch/check.ts"
import { type RowPriceSource, priceRows } from "../../src/orders/batch/price.ts"
import { renderPdf } from "../../src/output/pages/pdf.ts"
import { readLogo } from "../../src/output/pages/logo.ts"
import { auditBill, bookedDatabase, tryBill } from "../bills/desk.ts"
import { failure } from "../failure.ts"
import { storeIn } from "../ledger/setup.ts"
import { rowsOf } from "../orders/batch/batches.ts"
import { pdfWith } from "./pdfs.ts"
import { readPages } from "../../src/input/pdf/pages.ts"
import { manyRows, sharedWorkbook } from "./sheets.ts"

const database = await bookedDatabase()
const INTERRUPTED = new FreightError("interrupted", "interrupted")

/** A signal that comes with the next turn of the event loop, and not before. */
function signalSoon(): AbortSignal {
  const controller = new AbortController()
  setImmediate(() => controller.abort(INTERRUPTED))
  return controller.signal
}

const itemsOn = (count: number, place: (at: number) => Pick<TextItem, "text" | "x" | "y">): TextItem[] =>
  Array.from({ length: count }, (_, at) => ({ width: 1, height: 1, turn: 0, ...place(at) }))

describe("a step", () => {
  it("lets a turn go by each 16 times, and ends the work once the signal has come", async () => {
    const controller = new AbortController()
    const step = createStep(controller.signal)
    const turns: number[] = []
    for (let count = 1; count <= 48; count++) {
      const due = step()
      if (due) turns.push(count)
      await due
    }
    expect(turns).toEqual([16, 32, 48])
    controller.abort(INTERRUPTED)
    for (let count = 1; count < 16; count++) expect(step()).toBeUndefined()
    await expect(step()).rejects.toBe(INTERRUPTED)
  })
})

describe("a PDF", () => {
  it("has any number of pieces on one line", () => {
    const items = itemsOn(150_000, (at) => ({ text: `a${at}`, x: at / 260, y: 400 }))
    const lines = toLines({ page: 1, width: 595, height: 842, items })
    expect(lines.map(({ y, height }) => [y, height])).toEqual([[400, 1]])
  })

  it("is read in a process of its own up to its lines", async () => {
    const bill = pdfWith(Array.from({ length: 20_000 }, (_, at) => [`a${at}`, at % 590, 400] as const))
    const lines = await readLines("bill.pdf", bill, new AbortController().signal)
    expect(lines).toHaveLength(1)
  })

  it("is refused where it has too much that stands in no line, as what the edge of a page cuts", async () => {
    const texts = Array.from({ length: 300 }, (_, at) => ["@", -1.01, at * 2] as const)
    const pages: number[] = []
    const read = (pieces: number) =>
      readPages(new Uint8Array(pdfWith(texts)), ({ lines }) => void pages.push(lines.length), {
        ...PDF_LIMITS,
        pieces,
      })
    expect(await read(10_000)).toEqual({ done: true })
    expect(await read(10)).toEqual({ refused: "dense" })
    expect(pages).toEqual([0])
  })

  it.each([
    ["words", 8],
    ["letters", 24],
    ["lines", 4],
  ] as const)("is refused where it hands over more %s than those of full pages", async (what, count) => {
    const bill = pdfWith([1, 2, 3, 4].map((at) => ["ab bcd", 40, at * 20] as const))
    const read = (most: number) => readPages(new Uint8Array(bill), () => {}, { ...PDF_LIMITS, [what]: most })
    expect(await read(count)).toEqual({ done: true })
    expect(await read(count - 1)).toEqual({ refused: "dense" })
  })

  it("takes no longer where tables are found in it than its process may", async () => {
    const dense = async (step: () => Promise<void> | undefined) => {
      for (let count = 0; count < 1_000_000; count++) await step()
    }
    const { signal } = new AbortController()
    const error = await failure(dense(createPdfStep("bill.pdf", signal, 20)))
    expect([error.kind, error.message]).toEqual(["input", "bill.pdf takes too long to be read"])
    expect(await failure(dense(createPdfStep("bill.pdf", signalSoon())))).toBe(INTERRUPTED)
  })

  it("is refused where it has more on a page than any bill", async () => {
    const texts = Array.from(
      { length: 50_001 },
      (_, at) => ["a", Math.floor(at / 160) * 1.5, (at % 160) * 5] as const,
    )
    const error = await failure(readLines("bill.pdf", pdfWith(texts), new AbortController().signal))
    expect([error.kind, error.message]).toEqual([
      "input",
      "bill.pdf has more text on its pages than any bill, too much to be read",
    ])
  })

  const HEADINGS = ["Consignment", "Fuel", "Total", "Reference"]
  const dense = toLines({
    ...{ page: 1, width: 595, height: 842 },
    items: itemsOn(20_000, (at) => ({
      ...{ text: HEADINGS[at % 4] ?? "", x: (at % 55) * 10, y: Math.floor(at / 55) * 2 },
    })),
  })

  it("has each of its headings looked up once, however often it stands there", async () => {
    const counts = new Map<string, number>()
    const reader = rememberMeanings({
      meaning(heading): Meaning<BillField> {
        counts.set(heading, (counts.get(heading) ?? 0) + 1)
        return { field: undefined }
      },
    })
    let steps = 0
    const step = () => {
      steps++
      return undefined
    }
    await splitInvoices("bill.pdf", dense, { reader, nowMs: 0, step })
    expect(Math.max(...counts.values())).toBe(1)
    // Once to find where invoices begin, which takes two looks, and in its invoice once for tables and once for facts.
    expect(steps).toBe(4 * dense.length)
  })

  it("hears a signal at each of its lines", async () => {
    const reader = { meaning: (): Meaning<BillField> => ({ field: undefined }) }
    for (const last of [1, 2, dense.length, 2 * dense.length + 1]) {
      let steps = 0
      const step = async () => {
        if (++steps === last) throw INTERRUPTED
      }
      await expect(splitInvoices("bill.pdf", dense, { reader, nowMs: 0, step })).rejects.toBe(INTERRUPTED)
    }
  })
})

describe("a CSV file", () => {
  it("hears a signal between its rows", async () => {
    const heard = failure(
      auditBill(database, { bill: manyRows(60_000), isOffline: true, signal: signalSoon() }),
    )
    expect(await heard).toBe(INTERRUPTED)
  })

  it("of one row is refused where it is too long", async () => {
    const { refused } = await tryBill(database, { bill: `Consignment,Amount\n"${"x,".repeat(600_000)}` })
    expect(refused?.message).toContain("has more than 1,000,000 characters")
  })
})

describe("a workbook", () => {
  const texts = ["Consignment", "Amount", "Note", "x ".repeat(15_000), "SBC00000001", "1.00"]
  const shared = (rows: number) =>
    sharedWorkbook(texts, [[0, 1, 2], ...Array.from({ length: rows }, () => [4, 5, 3])])

  it("is refused where one text is shared by so many cells that they hold more than an archive may", async () => {
    const { refused } = await tryBill(database, { bill: shared(4_000) })
    expect(refused?.message).toBe(
      "standard input would unpack to more than 100,000,000 characters, and is not read",
    )
  })

  it("is read where they hold less", async () => {
    const { rows } = await tryBill(database, { bill: shared(20) })
    expect(rows.map(({ consignmentNumber: consignment }) => consignment)).toEqual(["SBC00000001"])
  })

  it("hears a signal while it is read", async () => {
    const bill = sharedWorkbook(texts, [[0, 1], ...Array.from({ length: 60_000 }, () => [4, 5])])
    expect(await failure(auditBill(database, { bill, isOffline: true, signal: signalSoon() }))).toBe(
      INTERRUPTED,
    )
  })
})

describe("a file of orders", () => {
  const ROW = { reference: "SO-1", "receiver.suburb": "Fremantle", packages: "2x40x30x20@5.5" }
  const orders = Array.from({ length: 200 }, (_, at) => ({ ...ROW, reference: `SO-${at}` }))
  const lines = orders.map((each) => JSON.stringify(each))
  const csv = [Object.keys(ROW), ...orders.map(Object.values)].map((cells) => cells.join(",")).join("\n")
  const forms: [form: string, text: string][] = [
    ["CSV", csv],
    ["NDJSON", lines.join("\n")],
    ["a list of JSON", `[${lines.join(",")}]`],
  ]

  it.each(forms)("as %s hears a signal between its rows, which are in one piece of it", async (_, text) => {
    expect(await failure(rowsOf(text, { signal: signalSoon() }))).toBe(INTERRUPTED)
  })

  it("hears a signal while its rows are looked up, also those that need no look", async () => {
    const rows = await rowsOf(lines.join("\n").replaceAll(/SO-\d+/g, ""))
    const ledger = { store: storeIn(database), owner: undefined }
    expect(await failure(checkRows(ledger, rows, signalSoon()))).toBe(INTERRUPTED)
  })

  it("hears a signal while its rows are priced, also those that are not sent", async () => {
    const rows = await rowsOf(lines.join("\n"))
    const deps = { signal: signalSoon() } as RowPriceSource
    expect(await failure(priceRows(deps, rows, 8, async () => {}))).toBe(INTERRUPTED)
  })
})

describe("a JPEG", () => {
  it("of markers without an end is a message", async () => {
    const bytes = Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(1_000_000)])
    const page = { title: "Invoice", logo: readLogo("logo.jpg", bytes), blocks: [] }
    const error = await failure(renderPdf("Invoice", [page]))
    expect([error.kind, error.message]).toEqual(["input", "the logo is damaged: it cannot be drawn"])
  })
})
