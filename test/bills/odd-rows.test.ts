/**
 * Rows and cells that people and programs add to a bill, tried with one bill in each of its layouts: the audit has the
 * same cents, or asks a question. All 300 seeds: `FREIGHT_TEST_EVERY=1`.
 */
import { describe, expect, it } from "vitest"
import { draw as drawSome } from "../drawn.ts"
import { auditBill, bookedDatabase, csv, tryBill } from "./desk.ts"
import {
  createDraw,
  type Draw,
  LAYOUTS,
  type LayoutName,
  pick,
  type Sheet,
  tryDrawn,
  withStatedGst,
  writeSheet,
} from "./layouts.ts"

const NAMES = Object.keys(LAYOUTS) as LayoutName[]
const SEEDS = Array.from({ length: 300 }, (_, at) => (at + 1) * 104_729)
/** Seeds that found a fault. */
const FOUND = [...[17, 93, 292].map((seed) => seed * 104_729), 108 * 49_979_687]

type Rows = Awaited<ReturnType<typeof auditBill>>["rows"]

function describeRows(rows: Rows) {
  const exGst = (amount: number, gst: string) =>
    Math.round(gst === "included" ? (amount * 100) / 1.1 : amount * 100)
  return rows
    .map(({ consignmentNumber: consignment, shipmentId, billed, disputed, gstBasis: gst }) => {
      const name = shipmentId ?? /[A-Z]{3}\d{8}/.exec(consignment ?? "")?.[0] ?? consignment ?? ""
      return [name, exGst(billed, gst), exGst(disputed, gst)].join(" ")
    })
    .sort()
}

const isAmount = (text: string) => /^-?\d+\.\d\d$/.test(text)
const amountsOf = (sheet: Sheet) =>
  sheet.columns.flatMap((_, at) => (sheet.rows.some(({ cells }) => isAmount(cells[at] ?? "")) ? [at] : []))
const blank = (sheet: Sheet) => sheet.columns.map(() => "")

/** A row with a label in the first column that holds words, and an amount in one of those of amounts. */
function labelled(sheet: Sheet, label: string, amount: string, draw: Draw) {
  const amounts = amountsOf(sheet)
  const words = sheet.columns.findIndex((_, at) => !amounts.includes(at))
  const own = pick(amounts, draw)
  return {
    cells: blank(sheet).map((_, at) => (at === words ? label : at === own ? amount : "")),
    cents: 0,
  }
}

/** Changes every cell that is an amount, or every other one. */
function mapCells(sheet: Sheet, change: (cell: string, at: number, row: number) => string): Sheet {
  return {
    ...sheet,
    rows: sheet.rows.map((row, index) => ({
      ...row,
      cells: row.cells.map((cell, at) => change(cell, at, index)),
    })),
  }
}

interface Odd {
  put(sheet: Sheet, draw: Draw): Sheet
  /** The notes must contain it if the bill is read. */
  tells?: string
}

const ODD: Readonly<Record<string, Odd>> = {
  "a comma that nobody quoted": {
    put(sheet, draw) {
      const at = pick(amountsOf(sheet), draw)
      const row = draw(sheet.rows.length)
      return {
        ...sheet,
        rows: sheet.rows.map((each, index) =>
          index === row && isAmount(each.cells[at] ?? "")
            ? {
                ...each,
                cells: each.cells.flatMap((cell, place) => (place === at ? ["1", "072.70"] : [cell])),
              }
            : each,
        ),
      }
    },
  },
  "an amount without a heading": {
    tells: "12.34",
    put(sheet, draw) {
      const row = draw(sheet.rows.length)
      return {
        ...sheet,
        columns: [...sheet.columns, { heading: "" }],
        rows: sheet.rows.map((each, index) => ({
          ...each,
          cells: [...each.cells, index === row ? "12.34" : ""],
        })),
      }
    },
  },
  "what was owed before": {
    put(sheet, draw) {
      const label = pick(
        ["Opening balance", "Balance brought forward", "Previous balance", "Last statement"],
        draw,
      )
      return { ...sheet, rows: [labelled(sheet, label, "412.10", draw), ...sheet.rows] }
    },
  },
  "ages below the rows": {
    put(sheet, draw) {
      const ages = ["Current", "Over 30 days", "61-90 days", "Total outstanding"]
      return { ...sheet, rows: [...sheet.rows, ...ages.map((age) => labelled(sheet, age, "190.67", draw))] }
    },
  },
  "a payment": {
    put(sheet, draw) {
      const label = pick(["Payment received", "Payment - thank you", "Less payments"], draw)
      return { ...sheet, rows: [...sheet.rows, labelled(sheet, label, "-200.00", draw)] }
    },
  },
  "words for nothing": {
    put(sheet, draw) {
      const words = ["null", "None", "undefined", "NaN", "N/A", "-", "nil"]
      return {
        ...sheet,
        columns: [...sheet.columns, { heading: pick(["Notes", "Depot", "Zone"], draw) }],
        rows: sheet.rows.map((row) => ({
          ...row,
          cells: [...row.cells, row.cents === 0 ? "" : pick(words, draw)],
        })),
      }
    },
  },
  "signs without width": {
    put(sheet, draw) {
      const sign = pick(["\u200e", "\u200b", "\ufeff", "\u2060", "\u00ad"], draw)
      return mapCells(sheet, (cell) => (cell !== "" && draw(4) === 0 ? `${cell}${sign}` : cell))
    },
  },
  "decimal commas, and one point": {
    put(sheet, draw) {
      const one = draw(sheet.rows.length)
      return mapCells(sheet, (cell, _, row) =>
        isAmount(cell) && (row !== one || draw(2) === 0) ? cell.replace(".", ",") : cell,
      )
    },
  },
  "a note with an amount": {
    tells: "5.00",
    put(sheet, draw) {
      const at = draw(sheet.rows.length)
      const note = {
        cells: blank(sheet).map((_, index) => (index === 0 ? "Ask us about 5.00 off" : "")),
        cents: 0,
      }
      return { ...sheet, rows: [...sheet.rows.slice(0, at), note, ...sheet.rows.slice(at)] }
    },
  },
  "a column of amounts that nobody knows": {
    put: (sheet, draw) => ({
      ...sheet,
      columns: [...sheet.columns, { heading: pick(["Blorb", "Quoted price", "Running balance"], draw) }],
      rows: sheet.rows.map((row) => ({ ...row, cells: [...row.cells, row.cents === 0 ? "" : "77.70"] })),
    }),
  },
}

const database = await bookedDatabase()
const [first] = NAMES as [LayoutName]
const expected = describeRows(
  (await auditBill(database, { bill: writeSheet(withStatedGst(first, LAYOUTS[first])) })).rows,
)

async function tryWith(name: LayoutName, kinds: readonly string[], draw: Draw) {
  const sheet = kinds.reduce<Sheet>(
    (all, kind) => ODD[kind]?.put(all, draw) ?? all,
    withStatedGst(name, LAYOUTS[name]),
  )
  const { above, columns, rows: written } = sheet
  const bill = csv(
    ...above,
    columns.map(({ heading }) => heading),
    ...written.map(({ cells }) => cells),
  )
  const tried = await tryBill(database, { bill })
  if (tried.asked || tried.refused) return "asked"
  const told = tried.notes.join("\n")
  const untold = kinds.flatMap((kind) => ODD[kind]?.tells ?? []).filter((text) => !told.includes(text))
  const differs = describeRows(tried.rows).filter((row) => !expected.includes(row))
  const isSame = describeRows(tried.rows).join() === expected.join()
  return isSame && untold.length === 0
    ? "right"
    : `${name}: ${kinds.join(", ")}: ${[...differs, ...untold].join("; ")}`
}

describe("what stands between the rows of a bill", () => {
  it.each(Object.keys(ODD))("%s: has the same cents in each layout, or is asked about", async (kind) => {
    const outcomes: string[] = []
    for (const [at, name] of NAMES.entries()) outcomes.push(await tryWith(name, [kind], createDraw(at + 1)))
    expect(outcomes.filter((outcome) => outcome !== "asked" && outcome !== "right")).toEqual([])
  })

  it("has no amount without a heading that is lost, however decimals are written", async () => {
    const kinds = ["an amount without a heading", "decimal commas, and one point"]
    const outcomes: string[] = []
    for (const [at, name] of NAMES.entries()) outcomes.push(await tryWith(name, kinds, createDraw(at + 1)))
    expect(outcomes.filter((outcome) => outcome !== "asked" && outcome !== "right")).toEqual([])
  })

  it("is never read wrong in silence, whatever comes together", async () => {
    const seeds = [...new Set([...FOUND, ...drawSome(SEEDS)])]
    const { wrong, counts } = await tryDrawn(seeds, NAMES, Object.keys(ODD), tryWith)
    expect(wrong).toEqual([])
    expect(counts.right, JSON.stringify(counts)).toBeGreaterThan(0)
  })
})
