/** Invoices that seven programs printed: each is read as its CSV twin, or asked about. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { auditBill, bookedDatabase, tryBill } from "./desk.ts"
import { BLIND_NAMES, listSources, TWO_INVOICES_TWIN } from "./invoices.ts"
import { LAYOUTS, writeSheet } from "./layouts.ts"

const FOLDER = path.join(import.meta.dirname, "printed", "invoices")
const FILES = (await readdir(FOLDER)).filter((name) => name.endsWith(".pdf"))

type Rows = Awaited<ReturnType<typeof auditBill>>["rows"]

/** The verdict of the audit on each consignment, without GST. A number of a PDF that nobody knows cannot be told. */
function describeRows(rows: Rows, isPdf: boolean) {
  return rows
    .map(({ consignmentNumber: consignment, shipmentId, verdict, billed, disputed, gstBasis: gst }) => {
      const isUntold = !isPdf && verdict === "not-ours"
      const [asked, claimed] = [billed, isUntold ? 0 : disputed].map((amount) =>
        Math.round(gst === "included" ? (amount * 100) / 1.1 : amount * 100),
      )
      return [shipmentId || consignment, isUntold ? "cannot-tell" : verdict, asked, claimed].join(" ")
    })
    .sort()
}

const database = await bookedDatabase()
const describeTwin = async (bill: string) => describeRows((await auditBill(database, { bill })).rows, false)
const usual = await describeTwin(writeSheet(LAYOUTS["parts, total, GST"]))
const ofTwo = await describeTwin(TWO_INVOICES_TWIN)

/** Numbers that a spreadsheet program cut off where the column was too narrow. */
const ASKED = ["a-sheet-with-a-row-of-totals.office.pdf"]

describe("an invoice that was printed", () => {
  it.each(FILES)("%s: is read as its twin, or asked about", async (file) => {
    const { rows, asked, refused } = await tryBill(database, {
      bill: await readFile(path.join(FOLDER, file)),
    })
    expect(refused?.message).toBeUndefined()
    expect(asked !== undefined).toBe(ASKED.includes(file))
    if (asked) return
    expect(describeRows(rows, true)).toEqual(file.startsWith("two-invoices") ? ofTwo : usual)
  })

  it("is one of each layout, by several programs, and many were laid out without sight of the reader", () => {
    const names = new Set(FILES.map((file) => file.split(".")[0] ?? ""))
    expect([...listSources().keys()].map((file) => file.split(".")[0] ?? "").sort()).toEqual(
      [...names].sort(),
    )
    expect([...new Set(FILES.map((file) => file.split(".")[1]))].sort()).toEqual([
      ...["chromium", "groff", "gs", "office", "qt", "weasy"],
    ])
    expect(FILES.filter((file) => BLIND_NAMES.has(file.split(".")[0] ?? "")).length).toBe(14)
  })

  it.runIf(process.env.FREIGHT_TEST_PRINT)("is written for the programs that print it", async () => {
    const folder = path.resolve(process.env.FREIGHT_TEST_PRINT ?? "")
    await mkdir(folder, { recursive: true })
    for (const [name, text] of listSources()) await writeFile(path.join(folder, name), text)
    expect((await readdir(folder)).length).toBeGreaterThanOrEqual(FILES.length)
  })
})
