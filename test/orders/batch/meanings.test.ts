/**
 * How columns bear on others: each bearing, each way to write it, each kind of file. What it says is converted, holds the
 * order, is asked about or refused; it is never set aside. A bearing that is added needs its samples here, and is then
 * tried everywhere.
 */
import { Buffer } from "node:buffer"
import { expect, it } from "vitest"
import { draw } from "../../drawn.ts"
import { BILL_COLUMNS, listHeadings } from "../../../src/bills/reading/columns.ts"
import { openBills } from "../../../src/bills/open.ts"
import { batchColumns } from "../../../src/orders/batch/columns/columns.ts"
import { readRows } from "../../../src/orders/batch/rows/rows.ts"
import { decideRows } from "../../../src/orders/batch/shipping.ts"
import { UNITS } from "../../../src/base/units.ts"
import { FreightError } from "../../../src/base/errors.ts"
import type { BearingName, ColumnField } from "../../../src/input/columns/notation.ts"
import { plainHeader } from "../../../src/input/columns/headings.ts"
import { UnclearColumns } from "../../../src/input/columns/questions.ts"
import { openSheet } from "../../../src/input/sheets/open.ts"
import { listHeadings as listLineHeadings, ROW_COLUMNS } from "../../../src/invoice/new/rows/fields.ts"
import { gatherInvoices } from "../../../src/invoice/new/rows/invoices.ts"
import { readInvoiceRows } from "../../../src/invoice/new/rows/read.ts"
import { writeWorkbook } from "../../../src/output/terminal/workbook.ts"
import { GIVEN } from "../../invoice/rows/rows.ts"
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

const BILL: Cells = {
  Consignment: "SBC00000001",
  "Your ref": "SO-1",
  Weight: "6",
  Description: "Freight",
  Amount: "90.00",
}

/** Samples that affect amounts and weights of bills. A count affects neither. */
const OF_BILLS: Readonly<Record<Exclude<BearingName, "count">, Samples>> = {
  unit: {
    cells: ["g", "lb", "Grams", "imperial", "stone"],
    unknown: [
      ["Measured in", "g"],
      ["Kilos or pounds", "lb"],
      ["What", "oz"],
    ],
    headings: UNIT_WORDS.filter(([heading]) => heading === "Weight").flatMap(([heading, word]) =>
      [`${heading} (${word})`, `${heading} ${word}`, `${heading} in ${word}`, `${heading}_${word}`].map(
        (written) => [heading, written] as const,
      ),
    ),
    inCells: UNIT_WORDS.filter(([heading]) => heading === "Weight").map(([heading, word]) => [
      heading,
      `6${word}`,
    ]),
  },
  currency: {
    cells: ["NZD", "USD", "EUR", "dollars"],
    unknown: [
      ["Price in", "USD"],
      ["Charged in currency", "NZD"],
    ],
    headings: ["(NZD)", "NZD", "(USD)", "in EUR", "NZ$", "US$"].map((word) => ["Amount", `Amount ${word}`]),
    inCells: ["NZD 90", "90 NZD", "US$90", "€90"].map((cell) => ["Amount", cell]),
  },
  sign: {
    cells: ["CR", "Credit note", "CRN", "ZZZ"],
    unknown: [
      ["Debit or credit?", "credit"],
      ["Reversal of", "INV-1"],
      ["Remark", "CR"],
    ],
    headings: ["(credit)", "CR", "credits"].map((word) => ["Amount", `Amount ${word}`]),
    inCells: [
      ...["90.00 CR", "-90.00", "(90.00)", "90.00-"].map((cell) => ["Amount", cell] as const),
      ...["Credit note", "Refund of freight", "Reversal"].map((cell) => ["Description", cell] as const),
    ],
  },
  basis: {
    cells: ["inc GST", "exclusive", "ex", "maybe"],
    unknown: [
      ["Terms", "ex GST"],
      ["Price incl tax?", "yes"],
    ],
    headings: ["ex GST", "(inc GST)", "excl. GST", "GST inclusive", "(ex tax)", "incl"].map((word) => [
      "Amount",
      `Amount ${word}`,
    ]),
    inCells: [
      ...["90 ex GST", "90+GST", "90 inc GST"].map((cell) => ["Amount", cell] as const),
      ...["Freight ex GST", "Freight (inc GST)", "GST"].map((cell) => ["Description", cell] as const),
    ],
  },
  state: {
    cells: ["Refunded", "Credited", "Cancelled", "void"],
    unknown: [],
    headings: [],
    inCells: [],
  },
}

const LINE: Cells = { Description: "Desk lamp", Qty: "3", Price: "20.00", "Tax rate": "10%", Unit: "EA" }

/** Samples that affect prices and amounts of lines. A price excludes GST unless something says otherwise. */
const OF_LINES = {
  currency: {
    cells: ["NZD", "USD", "EUR", "dollars"],
    unknown: [
      ["Price in", "USD"],
      ["Charged in currency", "NZD"],
    ],
    headings: ["(NZD)", "NZD", "(USD)", "in EUR", "NZ$", "US$"].map((word) => ["Price", `Price ${word}`]),
    inCells: ["NZD 20", "20 NZD", "US$20", "€20"].map((cell) => ["Price", cell]),
  },
  sign: {
    cells: ["CR", "Credit note", "Debit note", "Goods"],
    // There `Debit note` is a charge, as `DR` is.
    ofField: { sign: ["CR", "Credit note", "Return", "Goods"] },
    unknown: [
      ["DR/CR", "CR"],
      ["Debit or credit?", "credit"],
      ["Reversal of", "INV-1"],
      ["+/-", "-"],
      ["Remark", "CR"],
    ],
    headings: ["(credit)", "CR", "credits"].map((word) => ["Price", `Price ${word}`]),
    inCells: ["20.00 CR", "-20.00", "(20.00)", "20.00-"].map((cell) => ["Price", cell]),
  },
  basis: {
    cells: ["inc GST", "inclusive", "maybe"],
    unknown: [
      ["What", "ex GST"],
      ["Price incl tax?", "yes"],
    ],
    headings: ["(inc GST)", "incl. GST", "GST inclusive", "inc tax", "incl", "(inc)"].map((word) => [
      "Price",
      `Price ${word}`,
    ]),
    inCells: ["20 inc GST", "20+GST"].map((cell) => ["Price", cell]),
  },
} as const satisfies Readonly<Partial<Record<BearingName, Samples>>>

/** A line of which only the whole amount is known. */
const WHOLE_LINE: Cells = { Description: "Desk lamp", Subtotal: "60.00", "Tax rate": "10%" }

const OF_WHOLE_LINES = {
  count: {
    cells: ["3", "3.0", "2 ctns", "about 3"],
    unknown: [
      ["Qty to send", "3"],
      ["Boxes left", "3"],
      ["Outer cartons", "3"],
      ["Units", "3"],
      ["How many pallets", "3"],
    ],
    headings: [],
    inCells: [["Subtotal", "3 x 20"]],
  },
} as const satisfies Readonly<Partial<Record<BearingName, Samples>>>

/** The outcome of a line of an invoice; the same text for lines that are read alike. */
async function readLineOf(file: keyof typeof FILES, cells: Cells): Promise<string> {
  const bytes = await FILES[file](cells)
  const content = async function* () {
    yield bytes
  }
  try {
    const rows = await readInvoiceRows(await openSheet({ name: "lines", chunks: content }, {}), {
      ...{ map: [], per: undefined, ignoreUnknown: false, nowMs: 0, tell: async () => undefined },
      signal: new AbortController().signal,
    })
    const { invoices } = await gatherInvoices(rows, GIVEN, "2026-11-20")
    return JSON.stringify(
      invoices.map(({ parts: { purpose, lines } }) => [
        purpose,
        lines.map(({ quantity, unitPrice, sums }) => [quantity, unitPrice, sums]),
      ]),
      (_, value) => (typeof value === "bigint" ? String(value) : value),
    )
  } catch (error) {
    if (error instanceof UnclearColumns) return "asked"
    if (error instanceof FreightError) return "refused"
    throw error
  }
}

/** The outcome of a bill; the same text for bills that are read alike. */
async function readBillOf(file: keyof typeof FILES, cells: Cells): Promise<string> {
  const bytes = await FILES[file](cells)
  const quiet = async () => undefined
  try {
    const { bills } = await openBills([{ file: "-" }], {
      ...{ map: [], ignoreUnknown: false, nowMs: 0, tell: quiet, warn: quiet, stage: "draft" },
      ...{ input: undefined, choices: {}, signal: new AbortController().signal },
      async *stdin() {
        yield bytes
      },
    })
    return JSON.stringify(
      bills.map(({ lines }) =>
        lines.map(({ charge, exGst, gst, incGst, unspecifiedGstCents, grams }) => [
          charge,
          exGst,
          gst,
          incGst,
          unspecifiedGstCents,
          grams,
        ]),
      ),
    )
  } catch (error) {
    if (error instanceof UnclearColumns) return "asked"
    if (error instanceof FreightError) return "refused"
    throw error
  }
}

/** The outcome of an order; the same text for orders that are read alike. */
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
      else read.push(JSON.stringify([row.request, row.wish]))
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

/** A reader of tables: a row that says nothing but itself, and what comes of it. */
interface Reader {
  row: Cells
  files: readonly (keyof typeof FILES)[]
  samples: Readonly<Partial<Record<BearingName, Samples>>>
  fields: readonly ColumnField[]
  headingsOf(name: string): readonly string[]
  read(file: keyof typeof FILES, cells: Cells): Promise<string>
}

const READERS: Readonly<Record<string, Reader>> = {
  orders: {
    ...{
      row: ORDER,
      files: ["csv", "xlsx", "ndjson"],
      samples: SAMPLES,
      fields: columns.fields,
      read: readOrder,
    },
    headingsOf(name) {
      const field = columns.fields.find((each) => each.name === name)
      return field ? columns.aliases(field) : []
    },
  },
  bills: {
    ...{
      row: BILL,
      files: ["csv", "xlsx"],
      samples: OF_BILLS,
      fields: BILL_COLUMNS.fields,
      read: readBillOf,
    },
    headingsOf: listHeadings,
  },
  lines: {
    ...{ row: LINE, files: ["csv", "xlsx"], samples: OF_LINES, read: readLineOf },
    fields: ROW_COLUMNS.fields.filter(({ bearing }) => bearing?.as !== "count"),
    headingsOf: listLineHeadings,
  },
  "lines without a quantity": {
    ...{ row: WHOLE_LINE, files: ["csv", "xlsx"], samples: OF_WHOLE_LINES, read: readLineOf },
    fields: ROW_COLUMNS.fields.filter(({ bearing }) => bearing?.as === "count"),
    headingsOf: listLineHeadings,
  },
}

/** Every way to write a bearing, with the row that says it so. */
function* listWays(
  reader: Reader,
  bearing: BearingName,
  file: string,
): Generator<[way: string, cells: Cells]> {
  const { row, samples, fields, headingsOf } = reader
  const { unknown, headings, inCells, ...known } = samples[bearing] as Samples
  // Beside a number of packages, a weight is asked about that may be of all of them.
  const counted = bearing === "count" ? rename(row, "Weight", "Weight each") : row
  for (const { name } of fields.filter((field) => field.bearing?.as === bearing)) {
    const cells = known.ofField?.[name] ?? known.cells
    // A heading is found in the same way in each file, and a cell is read in the same way below each heading.
    for (const [at, heading] of headingsOf(name).entries())
      for (const cell of at < 2 ? cells : file === "csv" ? cells.slice(0, 1) : [])
        yield [`own column ${heading}: ${cell}`, { ...counted, [heading]: cell }]
  }
  for (const [heading, cell] of unknown)
    yield [`unknown column ${heading}: ${cell}`, { ...row, [heading]: cell }]
  for (const [heading, written] of headings) yield [`heading ${written}`, rename(row, heading, written)]
  for (const [heading, cell] of inCells) yield [`cell ${heading}: ${cell}`, { ...row, [heading]: cell }]
}

it.each(
  Object.entries(READERS).flatMap(([name, { samples, files }]) =>
    (Object.keys(samples) as BearingName[]).flatMap((bearing) =>
      files.map((file) => [name, bearing, file] as const),
    ),
  ),
)("%s: %s in %s is never set aside", async (name, bearing, file) => {
  const reader = READERS[name] as Reader
  const plain = await reader.read(file, reader.row)
  expect(plain).toMatch(/^\[/)
  const setAside: string[] = []
  const outcomes = new Map<string, number>()
  for (const [way, cells] of draw([...listWays(reader, bearing, file)])) {
    const read = await reader.read(file, cells)
    const isBooked = read.startsWith("[")
    // A state keeps an order from being booked; the text that says it may stand in the booking.
    if (read === plain || (name === "orders" && bearing === "state" && isBooked)) setAside.push(way)
    const outcome = isBooked ? "converted" : read
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  expect(setAside).toEqual([])
  expect(outcomes.size).toBeGreaterThan(0)
})

it.each(
  Object.entries(READERS),
)("%s: each bearing of a field or of an unknown column has samples", (_, reader) => {
  const used = reader.fields.flatMap(({ bearing }) => bearing?.as ?? [])
  for (const bearing of new Set(used)) expect(Object.keys(reader.samples)).toContain(bearing)
})

it.each(Object.entries(READERS))("%s: no heading stands in the lists of two fields", (_, reader) => {
  const seen = new Map<string, string>()
  const doubled: string[] = []
  for (const { name } of reader.fields)
    for (const heading of reader.headingsOf(name)) {
      const key = (plainHeader(heading) || heading) + (/[%$]/.exec(heading)?.[0] ?? "")
      const before = seen.get(key) ?? name
      if (before !== name) doubled.push(`${heading}: ${before} and ${name}`)
      seen.set(key, name)
    }
  expect(doubled).toEqual([])
})
