/**
 * Odd cells and rows, as people and programs write them, in one order file in eleven layouts: the same orders and grams
 * come out, or freight asks about a row. All 300 seeds: `FREIGHT_TEST_EVERY=1`.
 */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { createDraw, type Draw, pick, tryDrawn } from "../../bills/layouts.ts"
import { draw as drawSome } from "../../drawn.ts"
import { rowsOf } from "./batches.ts"

const SEEDS = Array.from({ length: 300 }, (_, at) => at + 1)

interface Goods {
  reference: string
  company: string
  street: string
  suburb: string
  state: string
  postcode: string
  count: number
  kg: number
}

const PLACES = [
  ["Dee Why", "NSW", "2099"],
  ["Fremantle", "WA", "6160"],
  ["Carlton", "VIC", "3053"],
  ["Adelaide", "SA", "5000"],
  ["Darwin", "NT", "0800"],
] as const
const GOODS: readonly Goods[] = PLACES.map(([suburb, state, postcode], at) => ({
  ...{ reference: `SO-100${at}`, company: `Wattle Stores ${suburb}`, street: `${at + 1} Main Street` },
  ...{ suburb, state, postcode, count: (at % 3) + 1, kg: [5.25, 8.5, 11.75, 14.25, 0.75][at] ?? 1 },
}))

type Layout = readonly (readonly [heading: string, cellOf: (each: Goods) => string])[]

const RECEIVER: Layout = [
  ["Company", ({ company }) => company],
  ["Address 1", ({ street }) => street],
  ["Suburb", ({ suburb }) => suburb],
  ["State", ({ state }) => state],
  ["Postcode", ({ postcode }) => postcode],
]
const SIZE: Layout = [
  ["Length", () => "40.5"],
  ["Width", () => "30.5"],
  ["Height", () => "20.5"],
]
const NUMBER: Layout = [["Reference", ({ reference }) => reference]]
const WEIGHT: Layout = [["Weight each", ({ kg }) => kg.toFixed(2)]]

/** Eleven layouts of the same orders. */
const LAYOUTS: Readonly<Record<string, Layout>> = {
  plain: [...NUMBER, ...RECEIVER, ["Cartons", ({ count }) => String(count)], ...WEIGHT, ...SIZE],
  "short form": [...NUMBER, ...RECEIVER, ["Packages", ({ count, kg }) => `${count}x40.5x30.5x20.5@${kg}`]],
  grams: [
    ...[...NUMBER, ...RECEIVER],
    ["Package count", ({ count }) => String(count)],
    ["Weight each (g)", ({ kg }) => String(kg * 1000)],
    ...SIZE,
  ],
  "a unit in each cell": [
    ...[...NUMBER, ...RECEIVER],
    ["Cartons", ({ count }) => String(count)],
    ["Weight each", ({ kg }) => `${kg} kg`],
    ...SIZE.map(
      ([heading]) =>
        [heading, { Length: "405 mm", Width: "305 mm", Height: "205 mm" }[heading] ?? ""] as const,
    ).map(([heading, text]) => [heading, () => text] as const),
  ],
  "millimetres by headings": [
    ...[...NUMBER, ...RECEIVER],
    ["Cartons", ({ count }) => String(count)],
    ...WEIGHT,
    ["Length (mm)", () => "405"],
    ["Width (mm)", () => "305"],
    ["Height (mm)", () => "205"],
  ],
  "total weights": [
    ...[...NUMBER, ...RECEIVER],
    ["Cartons", ({ count }) => String(count)],
    ["Total weight", ({ kg, count }) => (kg * count).toFixed(2)],
    ...SIZE,
  ],
  "names of fields": [
    ["reference", ({ reference }) => reference],
    ["receiver.companyName", ({ company }) => company],
    ["receiver.address1", ({ street }) => street],
    ["receiver.suburb", ({ suburb }) => suburb],
    ["receiver.state", ({ state }) => state],
    ["receiver.postcode", ({ postcode }) => postcode],
    ["package.count", ({ count }) => String(count)],
    ["package.weightKg", ({ kg }) => kg.toFixed(2)],
    ["package.lengthCm", () => "40.5"],
    ["package.widthCm", () => "30.5"],
    ["package.heightCm", () => "20.5"],
  ],
  "the receiver first": [
    ...RECEIVER,
    ["Cartons", ({ count }) => String(count)],
    ...SIZE,
    ...WEIGHT,
    ...NUMBER,
  ],
  "deliver to": [
    ["Order no", ({ reference }) => reference],
    ["Deliver to name", ({ company }) => company],
    ["Deliver to address", ({ street }) => street],
    ["Deliver to suburb", ({ suburb }) => suburb],
    ["Deliver to state", ({ state }) => state],
    ["Deliver to postcode", ({ postcode }) => postcode],
    ["Cartons", ({ count }) => String(count)],
    ...[...WEIGHT, ...SIZE],
  ],
  "columns of items": [
    ...[...NUMBER, ...RECEIVER],
    ["Item description", ({ reference }) => `Lamp for ${reference}`],
    ["Cartons", ({ count }) => String(count)],
    ...[...WEIGHT, ...SIZE],
  ],
  "states in full": [
    ...NUMBER,
    ...RECEIVER.map(
      ([heading, cellOf]) =>
        [
          heading,
          (each: Goods) =>
            heading === "State"
              ? ({ NSW: "New South Wales", WA: "Western Australia", VIC: "Victoria" }[each.state] ??
                each.state)
              : cellOf(each),
        ] as const,
    ),
    ["Cartons", ({ count }) => String(count)],
    ...[...WEIGHT, ...SIZE],
  ],
}
const NAMES = Object.keys(LAYOUTS)

interface Sheet {
  above: string[][]
  headings: string[]
  rows: string[][]
  delimiter: string
}

const isNumber = (text: string) => /^\d+\.\d+$/.test(text)

/** A cell too many and one too few in one row are a cell that somebody typed, which nothing in the file shows. */
const pickWhole = ({ rows, headings }: Sheet, draw: Draw) =>
  pick(
    rows.filter((row) => row.length === headings.length),
    draw,
  )

const ODD: Readonly<Record<string, (sheet: Sheet, draw: Draw) => void>> = {
  "a cell too many"(sheet, draw) {
    const row = pickWhole(sheet, draw)
    row.splice(draw(row.length), 0, pick(["1", "Unit 4", ""], draw))
  },
  "a cell too few"(sheet, draw) {
    const row = pickWhole(sheet, draw)
    row.splice(draw(row.length), 1)
  },
  "a cell without a heading"(sheet, draw) {
    sheet.headings.push("")
    const at = draw(sheet.rows.length)
    for (const [index, row] of sheet.rows.entries())
      row.push(index === at ? pick(["12.34", "leave at door"], draw) : "")
  },
  "a total"(sheet, draw) {
    sheet.rows.push(
      sheet.headings.map((_, at) =>
        at === 0 ? pick(["Total", "Grand total", "Totals"], draw) : at > 5 ? "99" : "",
      ),
    )
  },
  "the end of an export"(sheet, draw) {
    sheet.rows.push([pick(["5 record(s) downloaded", "5 rows exported", "End of report"], draw)])
  },
  "words for nothing"(sheet, draw) {
    const words = ["null", "None", "undefined", "NaN", "N/A", "-", "nil", "NULL"]
    sheet.headings.push("Contact", "Address 2", "Instructions", "Email")
    for (const row of sheet.rows) row.push(...[0, 1, 2, 3].map(() => pick(words, draw)))
  },
  "signs without width"(sheet, draw) {
    const sign = pick(["\u200e", "\u200b", "\ufeff", "\u2060", "\u00ad"], draw)
    for (const row of sheet.rows)
      for (const [at, cell] of row.entries()) if (cell !== "" && draw(3) === 0) row[at] = `${cell}${sign}`
  },
  "decimal commas, and one point"(sheet, draw) {
    sheet.delimiter = pick([";", "\t", ","], draw)
    const one = draw(sheet.rows.length)
    for (const [index, row] of sheet.rows.entries())
      for (const [at, cell] of row.entries())
        if (isNumber(cell) && (index !== one || draw(2) === 0)) row[at] = cell.replace(".", ",")
  },
  "three decimals beside others"(sheet, draw) {
    for (const row of sheet.rows)
      for (const [at, cell] of row.entries())
        if (isNumber(cell) && draw(3) === 0)
          row[at] = Number(cell)
            .toFixed(3)
            .replace(".", pick([".", ","], draw))
  },
  "a title above"(sheet, draw) {
    sheet.above.push([pick(["Orders of November", "Export 29/11/2026"], draw)])
  },
  "the headings again"(sheet, draw) {
    sheet.rows.splice(draw(sheet.rows.length), 0, [...sheet.headings])
  },
  "empty rows"(sheet, draw) {
    sheet.rows.splice(
      draw(sheet.rows.length),
      0,
      sheet.headings.map(() => ""),
    )
  },
  "a column of amounts that nobody knows"(sheet) {
    sheet.headings.push("Blorb")
    for (const row of sheet.rows) row.push("49.00")
  },
}

function write({ above, headings, rows, delimiter }: Sheet): string {
  const quote = (cell: string) =>
    cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
  return [...above, headings, ...rows].map((row) => row.map(quote).join(delimiter)).join("\n")
}

const describeGoods = ({ reference, company, street, suburb, state, postcode, count, kg }: Goods) =>
  JSON.stringify([
    reference,
    company,
    street,
    suburb,
    state,
    postcode,
    count,
    Math.round(kg * 1000),
    405,
    305,
    205,
  ])
const right = new Map(GOODS.map((each) => [each.reference, describeGoods(each)]))
const round = (value = 0, by = 10) => Math.round(value * by)

async function tryWith(name: string, kinds: readonly string[], draw: Draw): Promise<string> {
  const layout = LAYOUTS[name] ?? []
  const sheet: Sheet = {
    above: [],
    headings: layout.map(([heading]) => heading),
    rows: GOODS.map((each) => layout.map(([, cellOf]) => cellOf(each))),
    delimiter: ",",
  }
  for (const kind of kinds) ODD[kind]?.(sheet, draw)
  const text = write(sheet)
  try {
    const rows = await rowsOf(text)
    const isAsked =
      rows.some(({ findings }) => findings.some(({ severity }) => severity === "error")) ||
      rows.some((row) => row.request && row.late.length > 0)
    const booked = rows.flatMap((row) => {
      const { request, reference } = row
      // Orders that are far too large are refused before they are sent.
      if (!request || row.late.length > 0) return []
      const { receiver, packages, specialInstructions = "" } = request
      const [one, ...others] = packages
      const { companyName, address1, suburb, state, postcode, ...more } = receiver
      const written = JSON.stringify([
        ...[
          reference,
          companyName,
          address1,
          suburb,
          state,
          postcode,
          one?.count,
          round(one?.weightKg, 1000),
        ],
        ...[round(one?.lengthCm), round(one?.widthCm), round(one?.heightCm)],
      ])
      const isRight = written === right.get(reference) && others.length === 0 && specialInstructions === ""
      return isRight && Object.keys(more).length === 0 ? ["right"] : [`${written} ${JSON.stringify(more)}`]
    })
    const wrong = booked.filter((each) => each !== "right")
    if (wrong.length > 0) return `${name}: ${kinds.join(", ")}: ${wrong.join("; ")}`
    if (isAsked) return "asked"
    return booked.length === GOODS.length ? "right" : `${name}: ${kinds.join(", ")}: ${booked.length} orders`
  } catch (error) {
    if (error instanceof FreightError) return "asked"
    throw error
  }
}

it.each(NAMES)("an order file has the same orders as others: %s", async (name) => {
  expect(await tryWith(name, [], createDraw(1))).toBe("right")
})

describe("what stands between the rows of orders", () => {
  it.each(Object.keys(ODD))("%s: has the same orders in each layout, or is asked about", async (kind) => {
    const outcomes: string[] = []
    for (const [at, name] of NAMES.entries()) outcomes.push(await tryWith(name, [kind], createDraw(at + 1)))
    expect(outcomes.filter((outcome) => outcome !== "asked" && outcome !== "right")).toEqual([])
  })

  it("is never read wrong in silence, whatever comes together", async () => {
    const seeds = drawSome(SEEDS).map((seed) => seed * 15_485_863)
    const { wrong, counts } = await tryDrawn(seeds, NAMES, Object.keys(ODD), tryWith)
    expect(wrong).toEqual([])
    expect(counts.right, JSON.stringify(counts)).toBeGreaterThan(0)
  })
})
