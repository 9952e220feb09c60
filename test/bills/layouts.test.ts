/** The same bill in any two layouts has the same cents, verdicts and posting; a changed layout is read right or asked about. */
import { describe, expect, it } from "vitest"
import { share } from "../drawn.ts"
import { writeWorkbook } from "../../src/output/terminal/workbook.ts"
import { auditBill, bookedDatabase, postBill, tryBill } from "./desk.ts"
import {
  CHANGES,
  createDraw,
  LAYOUTS,
  type LayoutName,
  type Sheet,
  withStatedGst,
  writeSheet,
} from "./layouts.ts"

const NAMES = Object.keys(LAYOUTS) as LayoutName[]
const write = (name: LayoutName, sheet: Sheet = LAYOUTS[name]) => writeSheet(withStatedGst(name, sheet))

type Rows = Awaited<ReturnType<typeof auditBill>>["rows"]

/** The verdict of the audit on each consignment, whatever the layout. */
function describeRows(rows: Rows) {
  const exGst = (amount: number, gst: string) =>
    Math.round(gst === "included" ? (amount * 100) / 1.1 : amount * 100)
  return rows
    .map(({ consignmentNumber: consignment, shipmentId, verdict, billed, disputed, gstBasis: gst }) => {
      const name = shipmentId ?? /[A-Z]{3}\d{8}/.exec(consignment ?? "")?.[0] ?? consignment ?? ""
      return [name, verdict, exGst(billed, gst), exGst(disputed, gst)].join(" ")
    })
    .sort()
}

const database = await bookedDatabase()
const [first] = NAMES as [LayoutName]
const expected = describeRows((await auditBill(database, { bill: write(first) })).rows)

describe("one bill", () => {
  it("has a mistake of each kind", () => {
    const verdicts = expected.map((text) => text.split(" ")[1])
    expect(verdicts.filter((verdict) => verdict !== "agrees").sort()).toEqual([
      "billed-twice",
      "not-ours",
      "over",
    ])
  })

  it.each(NAMES)("%s: has the same cents and verdicts", async (name) => {
    const { rows, notes } = await auditBill(database, { bill: write(name) })
    expect([describeRows(rows), notes.filter((note) => note.includes("left out"))]).toEqual([expected, []])
  })

  it.each(NAMES)("%s: has the same posting", async (name) => {
    const booked = await postBill(database, { bill: write(first) })
    const posted = await postBill(database, { bill: write(name) })
    const plain = (entries: Map<string, [number, number]>) =>
      Array.from(entries, ([key, sums]) => [/[A-Z]{3}\d{8}/.exec(key)?.[0] ?? key, ...sums].join(" ")).sort()
    expect(plain(posted)).toEqual(plain(booked))
  })

  it.each(NAMES)("%s: is the same in a workbook", async (name) => {
    const { columns, rows } = withStatedGst(name, LAYOUTS[name])
    async function* cells() {
      for (const row of rows) yield row.cells
    }
    const pieces: Uint8Array[] = []
    const headings = columns.map(({ heading }) => ({ heading, isText: false }))
    for await (const piece of writeWorkbook(headings, cells())) pieces.push(piece)
    const audited = await auditBill(database, { bill: Buffer.concat(pieces) })
    expect(describeRows(audited.rows)).toEqual(expected)
  })
})

const SEEDS = Number(process.env.FREIGHT_TEST_BILL_SEEDS ?? share(40))
const MAX_CHANGES = 3

describe("a layout that is changed", () => {
  it.each(NAMES)("%s: is read right or asked about", async (name) => {
    const wrong: string[] = []
    const counts = { right: 0, asked: 0, refused: 0 }
    for (let seed = 1; seed <= SEEDS; seed++) {
      const draw = createDraw(seed * 7919 + NAMES.indexOf(name))
      const kinds = Object.keys(CHANGES)
      const drawn = Array.from({ length: 1 + draw(MAX_CHANGES) }, () => kinds[draw(kinds.length)] ?? "")
      const changes = [...new Set(drawn)].sort((one, other) => kinds.indexOf(one) - kinds.indexOf(other))
      const sheet = changes.reduce<Sheet>((all, kind) => CHANGES[kind]?.(all, draw) ?? all, LAYOUTS[name])
      const bill = write(name, sheet)
      const { rows, asked, refused } = await tryBill(database, { bill })
      if (asked) counts.asked++
      else if (refused) counts.refused++
      else if (JSON.stringify(describeRows(rows)) === JSON.stringify(expected)) counts.right++
      else {
        const differs = describeRows(rows).filter((row) => !expected.includes(row))
        const headings = sheet.columns.map(({ heading }) => heading).join(",")
        wrong.push(
          `${name}, seed ${seed}: ${changes.join(", ")}: ${headings}: ${differs.slice(0, 3).join("; ")}`,
        )
      }
    }
    expect(wrong).toEqual([])
    expect(counts.right, JSON.stringify(counts)).toBeGreaterThan(SEEDS / 2)
  })
})
