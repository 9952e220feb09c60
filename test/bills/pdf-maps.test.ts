/** An answer about the columns of a PDF is enough: they are not asked about again. The headings are drawn by lot. */
import { describe, expect, it } from "vitest"
import { auditBill, bookedDatabase, tryBill } from "./desk.ts"
import { createDraw, type LayoutName, LAYOUTS, withStatedGst, writeSheet } from "./layouts.ts"
import { describeBilled, drawBill } from "./pdf-draws.ts"
import { drawPdf, drawStyle } from "./pdfs.ts"

const SEEDS = Number(process.env.FREIGHT_TEST_PDF_SEEDS ?? 24)
const database = await bookedDatabase()

const FIELDS: Readonly<Record<string, string>> = {
  ...{ Consignment: "consignment", Connote: "consignment", "Connote No": "consignment" },
  ...{ "Con Note": "consignment", "Your Ref": "reference", "Cust Ref": "reference" },
  ...{ Reference: "reference", Ref: "reference", "Item / Charge Description": "charge", GST: "gst" },
  ...{ "Ex GST": "amountExGst", "Charge ex GST": "amountExGst", "Charge Amt": "amountExGst" },
  ...{ "Inc GST": "amountIncGst", "Total inc GST": "amountIncGst", Gross: "amountIncGst" },
  ...{ Net: "amountExGst", Freight: "freight", Fuel: "fuel" },
}
/** Headings that nobody knows. */
const ODD = [
  ...["Whatsit", "Our mark", "Worth", "Sum of it", "What for", "Kronen", "Bin", "Ledger mark no", "Figure"],
  ...["Item of note", "Tally", "Slip"],
]

type Asked = NonNullable<Awaited<ReturnType<typeof tryBill>>["asked"]>

/** The answers of a person who knows the headings, and has the bill in a spreadsheet beside it. */
function answer(asked: Asked, meanings: ReadonlyMap<string, string>, twin: string): string[] {
  const [headings = [], ...rows] = twin.split("\n").map((line) => line.split(","))
  const byCell = (cell: string) => {
    if (/SBC\d/.test(cell)) return "consignment"
    if (/SO-\d/.test(cell)) return "reference"
    const [amount, ...others] = cell.match(/\d[\d,]*\.\d\d/g) ?? []
    if (amount === undefined || others.length > 0) return ""
    const plain = amount.replaceAll(",", "")
    const at = rows
      .map((row) => row.findIndex((each) => each.replace("-", "") === plain))
      .find((of) => of >= 0)
    return FIELDS[headings[at ?? -1] ?? ""] ?? ""
  }
  return asked.map(({ column, values, choices }) => {
    const field = meanings.get(column) ?? FIELDS[column] ?? byCell(values.find((cell) => cell !== "") ?? "")
    const isFirstOnly = field === "consignment" && choices.includes("consignmentAbove")
    return `${column}=${isFirstOnly ? "consignmentAbove" : field}`
  })
}

/** Tries a bill as it is, and with answers to what it asks. @returns what came of it, and what is wrong */
async function tryTwice(bill: Uint8Array, meanings: ReadonlyMap<string, string>, twin: string) {
  const { asked } = await tryBill(database, { bill })
  if (!asked) return { outcome: "not asked" as const }
  const map = answer(asked, meanings, twin)
  const second = await tryBill(database, { bill, map })
  if (second.asked)
    return { outcome: "again" as const, wrong: `${map.join("; ")}: ${JSON.stringify(second.asked)}` }
  if (second.refused) return { outcome: "refused" as const }
  // A charge of the whole bill may have its words or none; what nobody knows may be with GST or without.
  const describe = (rows: Parameters<typeof describeBilled>[0]) =>
    describeBilled(
      rows
        .filter(({ consignmentNumber: consignment }) => !consignment?.startsWith("SBC9"))
        .map((row) => (row.consignmentNumber?.startsWith("SBC") ? row : { ...row, consignmentNumber: null })),
    )
  const [own, other] = [second.rows, (await auditBill(database, { bill: twin })).rows].map((rows) =>
    JSON.stringify(describe(rows)),
  )
  return own === other
    ? { outcome: "read" as const }
    : { outcome: "other" as const, wrong: `${map.join("; ")}: ${own} and not ${other}` }
}

describe("what is said once of the columns of a PDF is enough", () => {
  it("where papers, levies, columns and some of the headings are drawn by lot", {
    timeout: 1_500_000,
  }, async () => {
    const wrong: string[] = []
    const counts = { "not asked": 0, again: 0, refused: 0, read: 0, other: 0 }
    for (let seed = 1; seed <= SEEDS; seed++) {
      const meanings = new Map<string, string>()
      const bill = await drawBill(seed, (heading, draw) => {
        const odd = ODD.filter((each) => !meanings.has(each))
        const name = odd[draw(odd.length)]
        if (draw(2) === 0 || name === undefined) return heading
        meanings.set(name, FIELDS[heading] ?? "")
        return name
      })
      const tried = await tryTwice(bill.pdf, meanings, bill.twin)
      counts[tried.outcome]++
      // A levy below the GST is named in a note, and its twin does not charge it.
      if (tried.wrong && !(bill.told && tried.outcome === "other"))
        wrong.push(`seed ${seed}: ${bill.what}: ${tried.wrong}`)
    }
    expect(wrong).toEqual([])
    expect(counts.read, JSON.stringify(counts)).toBeGreaterThan(SEEDS / 4)
  })

  it("where all headings of a usual layout are odd", { timeout: 1_500_000 }, async () => {
    const wrong: string[] = []
    const counts = { "not asked": 0, again: 0, refused: 0, read: 0, other: 0 }
    const names = (Object.keys(LAYOUTS) as LayoutName[]).filter((name) => name !== "types of documents")
    for (const [seed, name] of names.entries()) {
      const sheet = withStatedGst(name, LAYOUTS[name])
      const meanings = new Map<string, string>()
      const columns = sheet.columns.map((column, at) => {
        const heading = ODD[at] ?? column.heading
        if (!("field" in column)) return column
        meanings.set(heading, String(column.field))
        return { ...column, heading }
      })
      const style = { ...drawStyle(createDraw(seed + 1)), pageTotals: false, totals: "block" as const }
      const pdf = await drawPdf([[{ ...sheet, columns }, style]])
      const tried = await tryTwice(pdf, meanings, writeSheet(sheet))
      counts[tried.outcome]++
      if (tried.wrong) wrong.push(`${name}: ${tried.wrong}`)
    }
    expect(wrong).toEqual([])
    expect(counts.read, JSON.stringify(counts)).toBeGreaterThan(0)
  })
})
