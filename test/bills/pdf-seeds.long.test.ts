/** Bills in PDFs whose bands, fonts, sizes and pages are drawn by lot; and some of them with a digit that is wrong. */
import { expect, it } from "vitest"
import { auditBill, bookedDatabase, tryBill } from "./desk.ts"
import { createDraw, LAYOUTS, type LayoutName, type Sheet, withStatedGst, writeSheet } from "./layouts.ts"
import { tryDrawnBills } from "./pdf-draws.ts"
import { drawPdf, drawStyle } from "./pdfs.ts"

const SEEDS = Number(process.env.FREIGHT_TEST_PDF_SEEDS ?? 16)
const NAMES = Object.keys(LAYOUTS) as LayoutName[]
const ODD_COLUMNS: readonly LayoutName[] = ["types of documents", "GST below"]
const database = await bookedDatabase()

type Rows = Awaited<ReturnType<typeof auditBill>>["rows"]

const describeDisputes = (rows: Rows) =>
  rows
    .filter(({ disputed, verdict }) => disputed > 0 && verdict !== "not-ours")
    .map(({ consignmentNumber: consignment, verdict, disputed }) => `${consignment} ${verdict} ${disputed}`)
    .sort()

/** The first digit of an amount, or of a number, of one row is another. */
function misprint(sheet: Sheet, at: number, isNumber: boolean): Sheet {
  const rows = sheet.rows.map((row, index) => {
    if (index !== at) return row
    const wrong = (cell: string) =>
      isNumber
        ? cell.replace(/SBC0/, "SBC9")
        : cell.replace(/^(-?)(\d)(?=[\d.]*\d\d$)/, (_, sign, digit) => `${sign}${(Number(digit) + 1) % 10}`)
    const found = row.cells.findIndex((cell) => wrong(cell) !== cell)
    return { ...row, cells: row.cells.map((cell, each) => (each === found ? wrong(cell) : cell)) }
  })
  return { ...sheet, rows }
}

it("a bill is read as its twin, or asked about", { timeout: 1_500_000 }, async () => {
  const counts = { read: 0, asked: 0, refused: 0 }
  const wrong: string[] = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    const draw = createDraw(seed * 7919)
    const name = NAMES[seed % NAMES.length] as LayoutName
    const sheet = withStatedGst(name, LAYOUTS[name])
    // Sums of columns that have types, or sums, in them say nothing.
    const style = {
      ...drawStyle(draw),
      ...(ODD_COLUMNS.includes(name) && { pageTotals: false, totals: "block" as const }),
    }
    const twin = describeDisputes((await auditBill(database, { bill: writeSheet(sheet) })).rows)
    const { rows, asked, refused } = await tryBill(database, { bill: await drawPdf([[sheet, style]]) })
    if (asked) counts.asked++
    else if (refused) counts.refused++
    else counts.read++
    const is = describeDisputes(rows)
    if (is.length > 0 && JSON.stringify(is) !== JSON.stringify(twin))
      wrong.push(`seed ${seed}, ${name}: ${is.join("; ")} and not ${twin.join("; ")}`)
  }
  expect(wrong).toEqual([])
  expect(counts.read, JSON.stringify(counts)).toBeGreaterThan(SEEDS * 0.95)
})

it("a digit that is wrong disputes nothing else", { timeout: 1_500_000 }, async () => {
  const wrong: string[] = []
  for (let seed = 1; seed <= SEEDS / 4; seed++) {
    const draw = createDraw(seed * 104_729)
    const name = NAMES[seed % NAMES.length] as LayoutName
    const sheet = withStatedGst(name, LAYOUTS[name])
    const style = { ...drawStyle(draw), pageTotals: false, totals: "block" as const }
    const isNumber = seed % 2 === 0
    const at = draw(sheet.rows.length)
    // A credit under another number leaves its consignment with too much, as it is printed.
    if (isNumber && (sheet.rows[at]?.cents ?? 0) < 0) continue
    // The sums are those of the rows as they should be.
    const drawn = await drawPdf([[misprint(sheet, at, isNumber), style]])
    const { rows } = await tryBill(database, { bill: drawn })
    const twin = describeDisputes((await auditBill(database, { bill: writeSheet(sheet) })).rows).map(
      (each) => each.split(" ")[0],
    )
    for (const each of describeDisputes(rows))
      if (!twin.includes(each.split(" ")[0])) wrong.push(`seed ${seed}, ${name}: ${each}`)
  }
  expect(wrong).toEqual([])
})

it("a bill with papers, levies and figures by lot has the cents of its CSV twin, or is refused", {
  timeout: 1_500_000,
}, async () => {
  // Those after the ones that are drawn without this file.
  const { wrong, counts, refusals } = await tryDrawnBills(database, { from: 31, count: SEEDS })
  expect(wrong).toEqual([])
  expect(counts.read, refusals.join("\n")).toBeGreaterThan((SEEDS - counts.wronglyMade) / 2)
})
