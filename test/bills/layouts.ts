/** One bill, written in layouts that have little in common; and what changes of a layout leave it the same bill. */
import { listHeadings } from "../../src/bills/reading/columns.ts"
import { BOOKED, csv, money, taxOf } from "./desk.ts"

/** The charges of a consignment: cents without GST, all multiples of ten so that no rounding differs. */
export interface Charged {
  number: string
  reference: string
  receiver: string
  freight: number
  fuel: number
}

const RECEIVERS = ["Coral Pumps", "Port Fittings", "Total Tools Fremantle"]

const rightly = BOOKED.map(({ number, reference, cents }, at): Charged => {
  const all = Math.round(cents / 10) * 10
  const fuel = Math.round(all / 77) * 10
  return { number, reference, receiver: RECEIVERS[Math.floor(at / 4)] ?? "", freight: all - fuel, fuel }
})

const [, second, third, fourth] = rightly as [Charged, Charged, Charged, Charged]

/** With one that is charged too much, one that is charged twice, one of somebody else, and a charge that is given back. */
export const CHARGED: readonly Charged[] = rightly
  .flatMap((each): Charged[] => {
    if (each === second) return [{ ...each, freight: each.freight * 2 }]
    if (each === third) return [each, each]
    if (each === fourth)
      return [each, { ...each, freight: 3000, fuel: 0 }, { ...each, freight: -3000, fuel: 0 }]
    return [each]
  })
  .concat({
    ...(rightly[11] as Charged),
    number: "SBC90000001",
    reference: "SO-99999",
    freight: 4000,
    fuel: 500,
  })

export interface Column {
  heading: string
  /** The field that other headings mean, too; none where this one is the layout's own. */
  field?: string
}

export interface Sheet {
  above: readonly (readonly string[])[]
  columns: readonly Column[]
  /** A row each, with the kind of row that it is. */
  rows: readonly { cells: readonly string[]; cents: number }[]
}

const all = ({ freight, fuel }: Charged) => freight + fuel
const inc = (cents: number) => cents + taxOf(cents)
const NUMBER = { heading: "Consignment", field: "consignment" }
const REFERENCE = { heading: "Your Ref", field: "reference" }

function wide(columns: readonly Column[], cellsOf: (each: Charged) => readonly (string | number)[]): Sheet {
  const rows = CHARGED.map((each) => ({
    cells: cellsOf(each).map((cell) => (typeof cell === "number" ? money(cell) : cell)),
    cents: all(each),
  }))
  return { above: [], columns, rows }
}

/** A row for each charge. */
function narrow(
  columns: readonly Column[],
  cellsOf: (each: Charged, label: string, cents: number, isFirst: boolean) => readonly (string | number)[],
): Sheet {
  const rows = CHARGED.flatMap((each) =>
    [["Freight", each.freight] as const, ["Fuel levy", each.fuel] as const].flatMap(([label, cents], at) =>
      cents === 0
        ? []
        : [
            {
              cells: cellsOf(each, label, cents, at === 0).map((cell) =>
                typeof cell === "number" ? money(cell) : cell,
              ),
              cents,
            },
          ],
    ),
  )
  return { above: [], columns, rows }
}

export const LAYOUTS = {
  "parts, total, GST": wide(
    [
      NUMBER,
      REFERENCE,
      { heading: "Freight", field: "freight" },
      { heading: "Fuel levy", field: "fuel" },
      { heading: "Total ex GST" },
      { heading: "GST", field: "gst" },
      { heading: "Total inc GST" },
    ],
    (each) => [
      each.number,
      each.reference,
      each.freight,
      each.fuel,
      all(each),
      taxOf(all(each)),
      inc(all(each)),
    ],
  ),
  "parts with GST": wide(
    [
      NUMBER,
      { heading: "Base charge (inc GST)" },
      { heading: "Fuel (incl. GST)" },
      { heading: "GST included in it", field: "gst" },
      { heading: "Total (inc GST)" },
    ],
    (each) => [each.number, inc(each.freight), inc(each.fuel), taxOf(all(each)), inc(all(each))],
  ),
  "parts beside GST": wide(
    [
      NUMBER,
      { heading: "Cartage", field: "freight" },
      { heading: "FSC", field: "fuel" },
      { heading: "GST", field: "gst" },
    ],
    (each) => [each.number, each.freight, each.fuel, taxOf(all(each))],
  ),
  "an amount and its GST": wide(
    [
      { heading: "Con No", field: "consignment" },
      { heading: "Consignee" },
      { heading: "Nett $", field: "amountExGst" },
      { heading: "GST $", field: "gst" },
    ],
    (each) => [each.number, each.receiver, all(each), taxOf(all(each))],
  ),
  "an amount with GST": wide(
    [NUMBER, REFERENCE, { heading: "Amount", field: "amount" }, { heading: "GST", field: "gst" }],
    (each) => [each.number, each.reference, inc(all(each)), taxOf(all(each))],
  ),
  "a charge on each row": narrow(
    [
      { heading: "Con note", field: "consignment" },
      REFERENCE,
      { heading: "Charge Description", field: "charge" },
      { heading: "Amount ex GST" },
      { heading: "GST Amount", field: "gst" },
      { heading: "Amount inc GST" },
    ],
    (each, label, cents) => [each.number, each.reference, label, cents, taxOf(cents), inc(cents)],
  ),
  "a consignment on its first row": narrow(
    [
      { heading: "Connote", field: "consignment" },
      { heading: "Description", field: "charge" },
      { heading: "Nett", field: "amountExGst" },
      { heading: "GST", field: "gst" },
    ],
    (each, label, cents, isFirst) => [isFirst ? each.number : "", label, cents, taxOf(cents)],
  ),
  "words around numbers": narrow(
    [
      { heading: "Tracking number", field: "consignment" },
      { heading: "Details", field: "charge" },
      { heading: "Price ex GST" },
      { heading: "Tax amount", field: "gst" },
    ],
    (each, label, cents) => [`Con #${each.number}-01`, `${label} ex GST`, cents, taxOf(cents)],
  ),
  "debits and credits": narrow(
    [
      NUMBER,
      { heading: "Narration", field: "charge" },
      { heading: "Debit", field: "debit" },
      { heading: "Credit", field: "credit" },
      { heading: "GST", field: "gst" },
    ],
    (each, label, cents) => [
      each.number,
      label,
      cents < 0 ? "" : cents,
      cents < 0 ? -cents : "",
      taxOf(cents),
    ],
  ),
  "types of documents": narrow(
    [
      { heading: "Document type", field: "sign" },
      NUMBER,
      { heading: "Description", field: "charge" },
      { heading: "Nett", field: "amountExGst" },
      { heading: "GST", field: "gst" },
    ],
    (each, label, cents) => [
      cents < 0 ? "CRN" : "INV",
      each.number,
      label,
      Math.abs(cents),
      taxOf(Math.abs(cents)),
    ],
  ),
  "GST below": {
    ...narrow(
      [NUMBER, { heading: "Description", field: "charge" }, { heading: "Amount", field: "amount" }],
      (each, label, cents) => [each.number, label, cents],
    ),
  },
} as const satisfies Record<string, Sheet>

export type LayoutName = keyof typeof LAYOUTS

/** GST of the whole bill, where the rows have none. */
export function withStatedGst(name: LayoutName, sheet: Sheet): Sheet {
  if (name !== "GST below") return sheet
  const cents = sheet.rows.reduce((sum, row) => sum + row.cents, 0)
  const row = (label: string, amount: number) => ({
    cells: sheet.columns.map(({ field }) =>
      field === "charge" ? label : field === "amount" ? money(amount) : "",
    ),
    cents: 0,
  })
  return {
    ...sheet,
    rows: [...sheet.rows, row("Total GST", taxOf(cents)), row("Amount payable", inc(cents))],
  }
}

export function writeSheet({ above, columns, rows }: Sheet): string {
  return csv(
    ...above,
    columns.map(({ heading }) => heading),
    ...rows.map(({ cells }) => cells),
  )
}

export type Draw = (count: number) => number

/** Mulberry32. @returns a whole number below a count */
export function createDraw(seed: number): Draw {
  let state = seed
  return (count) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * count)
  }
}

type Change = (sheet: Sheet, draw: Draw) => Sheet

/** Tries one layout with one to three odd kinds for each seed. @returns how many came out how, and what is wrong */
export async function tryDrawn<Name>(
  seeds: Iterable<number>,
  names: readonly Name[],
  kinds: readonly string[],
  tryWith: (name: Name, kinds: readonly string[], draw: Draw) => Promise<string>,
): Promise<{ wrong: string[]; counts: { right: number; asked: number } }> {
  const wrong: string[] = []
  const counts = { right: 0, asked: 0 }
  for (const seed of seeds) {
    const draw = createDraw(seed)
    const drawn = [...new Set(Array.from({ length: 1 + draw(3) }, () => pick(kinds, draw)))]
    const outcome = await tryWith(pick(names, draw), drawn, draw)
    if (outcome === "right" || outcome === "asked") counts[outcome]++
    else wrong.push(`seed ${seed}: ${outcome}`)
  }
  return { wrong, counts }
}

export const pick = <Each>(some: readonly Each[], draw: Draw) => some[draw(some.length)] as Each

/** Columns whose cells are amounts. */
const isAmount = (sheet: Sheet, at: number) =>
  sheet.rows.every(({ cells, cents }) => cents === 0 || /^-?[\d.]*$/.test(cells[at] ?? ""))

/** Each leaves the bill what it is. */
export const CHANGES: Readonly<Record<string, Change>> = {
  "another order of columns"({ above, columns, rows }, draw) {
    const order = columns.map((_, at) => at)
    for (let at = order.length - 1; at > 0; at--) {
      const other = draw(at + 1)
      ;[order[at], order[other]] = [order[other] as number, order[at] as number]
    }
    return {
      above,
      columns: order.map((at) => columns[at] as Column),
      rows: rows.map((row) => ({ ...row, cells: order.map((at) => row.cells[at] ?? "") })),
    }
  },
  "another heading"(sheet, draw) {
    const named = sheet.columns.filter(({ field }) => field !== undefined)
    const column = pick(named, draw)
    const headings = listHeadings(column.field ?? "")
    const heading = pick(headings, draw)
    return { ...sheet, columns: sheet.columns.map((each) => (each === column ? { ...each, heading } : each)) }
  },
  "a total row"(sheet, draw) {
    const sums = sheet.columns.map((_, at) =>
      isAmount(sheet, at) && sheet.rows.some(({ cells }) => cells[at] !== "")
        ? sheet.rows.reduce((sum, { cells }) => sum + Math.round(Number(cells[at] ?? 0) * 100), 0)
        : undefined,
    )
    const open = sums.flatMap((sum, at) => (sum === undefined ? [at] : []))
    const label = pick(["Total", "Grand Total", "Page total", "Totals:"], draw)
    const at = pick(open, draw)
    const cells = sums.map((sum, index) => (sum !== undefined ? money(sum) : index === at ? label : ""))
    // A total says nothing about columns of types and of credits.
    const isPlain = sheet.columns.every(({ field }) => field !== "sign")
    return isPlain ? { ...sheet, rows: [...sheet.rows, { cells, cents: 0 }] } : sheet
  },
  "a page break"(sheet, draw) {
    const at = 1 + draw(sheet.rows.length - 1)
    const blank = sheet.columns.map(() => "")
    const headings = { cells: sheet.columns.map(({ heading }) => heading), cents: 0 }
    const page = { cells: blank.map((_, index) => (index === 0 ? "Page 2 of 2" : "")), cents: 0 }
    return { ...sheet, rows: [...sheet.rows.slice(0, at), page, headings, ...sheet.rows.slice(at)] }
  },
  "a sign of its own"(sheet, draw) {
    if (sheet.columns.some(({ field }) => field === "sign" || field === "debit")) return sheet
    const [heading, charge, credit] = pick(
      [
        ["DR/CR", "DR", "CR"],
        ["Transaction type", "Invoice", "Credit note"],
        ["Sign", "+", "-"],
      ] as const,
      draw,
    )
    const amounts = sheet.columns.map((_, at) => isAmount(sheet, at))
    return {
      ...sheet,
      columns: [{ heading }, ...sheet.columns],
      rows: sheet.rows.map((row) => ({
        ...row,
        cells: [
          row.cents === 0 ? "" : row.cents < 0 ? credit : charge,
          ...row.cells.map((cell, at) => (amounts[at] && row.cents !== 0 ? cell.replace(/^-/, "") : cell)),
        ],
      })),
    }
  },
  "a title and facts above"(sheet, draw) {
    const above = pick(
      [
        [["Carrier C Pty Ltd - Tax invoice"], ["Invoice", "INV-1", "Date", "30/11/2026"]],
        [["Statement of freight charges"], ["Invoice No: INV-1"]],
      ],
      draw,
    )
    return { ...sheet, above: [...above, ...sheet.above] }
  },
  "columns that say nothing"(sheet, draw) {
    const [heading, cell] = pick(
      [
        ["Sender suburb", "ALEXANDRIA"],
        ["Pieces", "2"],
        ["Zone", "SYD"],
        ["Notes", ""],
        ["Account Number", "10012345"],
        ["Cubic m3", "0.05"],
        ["Declared value", "500.00"],
        ["Fuel levy %", "12.50"],
      ],
      draw,
    )
    return {
      ...sheet,
      columns: [...sheet.columns, { heading }],
      rows: sheet.rows.map((row) => ({ ...row, cells: [...row.cells, row.cents === 0 ? "" : cell] })),
    }
  },
  "amounts as spreadsheets write them"(sheet, draw) {
    const write = pick<(text: string) => string>(
      [
        (text) => `$${text}`.replace("$-", "-$"),
        (text) => text.replace(/^-(.*)$/, "($1)"),
        (text) => text.replace(/^-(.*)$/, "$1 CR"),
        (text) => (/^-?0\.00$/.test(text) ? " $-   " : text),
      ],
      draw,
    )
    const amounts = sheet.columns.map((_, at) => isAmount(sheet, at))
    return {
      ...sheet,
      rows: sheet.rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell, at) =>
          amounts[at] && /\d/.test(cell) && row.cents !== 0 ? write(cell) : cell,
        ),
      })),
    }
  },
  "a document's number before each consignment"(sheet) {
    const at = sheet.columns.findIndex(({ field }) => field === "consignment")
    const write = (cell: string) => (/\d/.test(cell) ? `77105/${cell}` : cell)
    return {
      ...sheet,
      rows: sheet.rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell, index) => (index === at && row.cents !== 0 ? write(cell) : cell)),
      })),
    }
  },
  "weights of several kinds"(sheet) {
    const weights: readonly (readonly [heading: string, cell: string])[] = [
      ["Charged weight (g)", "9000000"],
      ["Dead weight (g)", "1000"],
      ["Cubic weight (g)", "9000000"],
    ]
    return {
      ...sheet,
      columns: [...sheet.columns, ...weights.map(([heading]) => ({ heading }))],
      rows: sheet.rows.map((row) => ({
        ...row,
        cells: [...row.cells, ...weights.map(([, cell]) => (row.cents === 0 ? "" : cell))],
      })),
    }
  },
  "groups above the headings"(sheet, draw) {
    const groups = sheet.columns.map((_, at) =>
      at % 2 === 0 ? pick(["Details", "Charges", "Tax", ""], draw) : "",
    )
    return { ...sheet, above: [...sheet.above, groups] }
  },
  "units below the headings"(sheet, draw) {
    const unit = pick(["$", "(AUD)", "A$"], draw)
    const cells = sheet.columns.map((_, at) => (isAmount(sheet, at) ? unit : ""))
    return { ...sheet, rows: [{ cells, cents: 0 }, ...sheet.rows] }
  },
}
