/**
 * How columns bear on others: each bearing, each way to write it, each kind of file. What it says is converted, holds the
 * order, is asked about or refused; it is never set aside. A bearing that is added needs its samples here, and is then
 * tried everywhere.
 */
import { Buffer } from "node:buffer"
import { expect, it } from "vitest"
import { batchColumns } from "../../src/batch/columns/columns.ts"
import type { BatchField } from "../../src/batch/columns/fields.ts"
import { readRows } from "../../src/batch/rows/rows.ts"
import { decideRows } from "../../src/batch/shipping.ts"
import { UNITS } from "../../src/contract/units.ts"
import { FreightError } from "../../src/errors.ts"
import type { BearingName } from "../../src/input/columns/bearings.ts"
import { UnclearColumns } from "../../src/input/columns/questions.ts"
import { openSheet } from "../../src/input/sheets/open.ts"
import { writeWorkbook } from "../../src/terminal/workbook.ts"
import { defaults } from "./batches.ts"

type Cells = Readonly<Record<string, string>>

const ORDER: Cells = {
  Reference: "SO-1",
  Company: "Port Street Fittings",
  Street: "8 Market Street",
  Suburb: "Fremantle",
  State: "WA",
  Postcode: "6160",
  Weight: "6",
  Length: "30",
  Width: "20",
  Height: "10",
  Instructions: "Back door",
  "Max price": "90",
}

interface Samples {
  /** Cells of a column that freight knows for it. */
  readonly cells: readonly string[]
  /** Cells of those of its fields that most texts say nothing in. */
  readonly ofField?: Readonly<Record<string, readonly string[]>>
  /** Columns that it does not know, each with a cell. */
  readonly unknown: readonly (readonly [heading: string, cell: string])[]
  /** Headings of the order that say it themselves: the old and the new one. */
  readonly headings: readonly (readonly [heading: string, written: string])[]
  /** Cells of the order that say it themselves. */
  readonly inCells: readonly (readonly [heading: string, cell: string])[]
}

const OTHER_UNITS = UNITS.filter(({ name, measure }) => name !== measure)
const UNIT_WORDS = OTHER_UNITS.flatMap(({ words, measure }) =>
  words.split(", ").map((word) => [measure === "kg" ? "Weight" : "Length", word] as const),
)

const SAMPLES: Readonly<Record<BearingName, Samples>> = {
  unit: {
    cells: ["g", "lb", "mm", "in", "Grams", "imperial", "stone", "?"],
    unknown: [
      ["Measured in", "g"],
      ["Shipping units", "lbs"],
      ["Kilos or pounds", "lb"],
      ["What", "mm"],
    ],
    headings: UNIT_WORDS.filter(([, word]) => word !== '"').flatMap(([heading, word]) =>
      [`${heading} (${word})`, `${heading} ${word}`, `${heading} in ${word}`, `${heading}_${word}`].map(
        (written) => [heading, written] as const,
      ),
    ),
    inCells: UNIT_WORDS.map(([heading, word]) => [heading, `${ORDER[heading]}${word}`] as const),
  },
  currency: {
    cells: ["NZD", "USD", "EUR", "dollars"],
    unknown: [
      ["Ccy", "NZD"],
      ["Price in", "USD"],
      ["Order currency", "NZD"],
    ],
    headings: ["(NZD)", "NZD", "(USD)", "in EUR", "NZ$", "US$"].map((word) => [
      "Max price",
      `Max price ${word}`,
    ]),
    inCells: ["NZD 90", "90 NZD", "US$90", "€90"].map((cell) => ["Max price", cell]),
  },
  sign: {
    cells: ["CR", "-"],
    unknown: [
      ["DR/CR", "CR"],
      ["Sign", "-"],
      ["Debit or credit", "credit"],
      ["Transaction type", "Credit note"],
      ["+/-", "-"],
    ],
    headings: ["(credit)", "CR", "credits"].map((word) => ["Max price", `Max price ${word}`]),
    inCells: ["90 CR", "-90", "(90)", "90-"].map((cell) => ["Max price", cell]),
  },
  basis: {
    cells: ["ex GST"],
    unknown: [
      ["GST", "exclusive"],
      ["Price basis incl tax", "yes"],
      ["Terms", "ex GST"],
    ],
    headings: ["ex GST", "(inc GST)", "excl. GST", "plus GST", "(ex tax)"].map((word) => [
      "Max price",
      `Max price ${word}`,
    ]),
    inCells: ["90 ex GST", "90+GST", "90 inc GST"].map((cell) => ["Max price", cell]),
  },
  count: {
    cells: ["3", "3 ctns", "3.0", "1, 2", "about 3"],
    unknown: [
      ["Qty to send", "3"],
      ["Boxes left", "3"],
      ["Outer cartons", "3"],
      ["Units", "3"],
      ["How many pallets", "3"],
    ],
    headings: [["Weight", "Weight of 3 cartons"]],
    inCells: [
      ["Weight", "3 x 6"],
      ["Weight", "6, 8"],
      ["Weight", "3 @ 6"],
    ],
  },
  state: {
    cells: [
      "Cancelled",
      "on hold",
      "Shipped",
      "packed",
      "2026-11-19",
      "yes",
      "SBC00000001",
      "partially shipped",
    ],
    ofField: {
      paid: ["no", "$0.00"],
      toSend: ["no", "Monday"],
      deliveryMethod: ["Pickup in store", "Local Delivery", "Cancelled"],
      paymentMethod: ["(for testing) Bogus Gateway", "cancelled"],
      orderedQuantity: ["0", "-1", "two"],
      openQuantity: ["0", "-1", "2 of 3"],
      shippedQuantity: ["1", "some"],
      returnedQuantity: ["1", "-1", "all"],
    },
    unknown: [
      ["Order stage", "done"],
      ["Refund", "full"],
      ["Already shipped?", "yes"],
      ["Void order", "x"],
      ["Note to us", "Cancelled"],
      ["Shipment type", "Return"],
    ],
    headings: [["Company", "Company (cancelled)"]],
    inCells: ["CANCELLED", "Do not ship", "on hold"].flatMap((cell) => [
      ["Instructions", cell] as const,
      ["Company", cell] as const,
    ]),
  },
}

const FILES = {
  csv: async (cells: Cells) => {
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
    return Buffer.from(
      [Object.keys(cells), Object.values(cells)].map((row) => row.map(quote).join(",")).join("\n"),
    )
  },
  async xlsx(cells: Cells) {
    const pieces: Uint8Array[] = []
    const columns = Object.keys(cells).map((heading) => ({ heading, isText: true }))
    async function* rows() {
      yield Object.values(cells)
    }
    for await (const piece of writeWorkbook(columns, rows())) pieces.push(piece)
    return Buffer.concat(pieces)
  },
  ndjson: async (cells: Cells) => Buffer.from(`${JSON.stringify(cells)}\n`),
} as const

/** What comes of an order; the same text for orders that are read alike. */
async function readOrder(file: keyof typeof FILES, cells: Cells): Promise<string> {
  const bytes = await FILES[file](cells)
  const content = async function* () {
    yield bytes
  }
  const source = await openSheet({ name: "orders", chunks: content }, {})
  try {
    const read: string[] = []
    for await (const row of decideRows(readRows(source, defaults()), {})) {
      const isWrong = row.findings.some(({ severity }) => severity === "error")
      if (isWrong) read.push("refused")
      else if (row.held) read.push(`held: ${row.held.means}`)
      else read.push(JSON.stringify([row.booking, row.wish]))
    }
    return read.join("; ")
  } catch (error) {
    if (error instanceof UnclearColumns) return "asked"
    if (error instanceof FreightError) return "refused"
    throw error
  }
}

function rename(cells: Cells, from: string, to: string): Cells {
  return Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name === from ? to : name, cell]))
}

const columns = batchColumns()
const fieldsOf = (bearing: BearingName): readonly BatchField[] =>
  columns.fields.filter((field) => field.bearing?.as === bearing)

/** Every way to write a bearing, with the order that says it so. */
function* listWays(bearing: BearingName, file: string): Generator<[way: string, cells: Cells]> {
  const { unknown, headings, inCells, ...known } = SAMPLES[bearing]
  // Beside a number of packages, a weight is asked about that may be of all of them.
  const order = bearing === "count" ? rename(ORDER, "Weight", "Weight each") : ORDER
  for (const field of fieldsOf(bearing)) {
    const cells = known.ofField?.[field.name] ?? known.cells
    // A heading is found in the same way in each file, and a cell is read in the same way below each heading.
    for (const [at, heading] of columns.aliases(field).entries())
      for (const cell of at < 2 ? cells : file === "csv" ? cells.slice(0, 1) : [])
        yield [`own column ${heading}: ${cell}`, { ...order, [heading]: cell }]
  }
  for (const [heading, cell] of unknown)
    yield [`unknown column ${heading}: ${cell}`, { ...ORDER, [heading]: cell }]
  for (const [heading, written] of headings) yield [`heading ${written}`, rename(ORDER, heading, written)]
  for (const [heading, cell] of inCells) yield [`cell ${heading}: ${cell}`, { ...ORDER, [heading]: cell }]
}

const BEARING_NAMES = Object.keys(SAMPLES) as BearingName[]

it.each(
  BEARING_NAMES.flatMap((bearing) =>
    Object.keys(FILES).map((file) => [bearing, file as keyof typeof FILES] as const),
  ),
)(
  "%s in %s is never set aside",
  async (bearing, file) => {
    const plain = await readOrder(file, ORDER)
    expect(plain).toContain("Fremantle")
    const setAside: string[] = []
    const outcomes = new Map<string, number>()
    for (const [way, cells] of listWays(bearing, file)) {
      const read = await readOrder(file, cells)
      const isBooked = read.startsWith("[")
      // A state keeps an order from being booked; the text that says it may stand in the booking.
      if (read === plain || (bearing === "state" && isBooked)) setAside.push(way)
      const outcome = isBooked ? "converted" : read
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    expect(setAside).toEqual([])
    expect(outcomes.size).toBeGreaterThan(0)
  },
  120_000,
)
