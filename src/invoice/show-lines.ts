/** The lines of an invoice as a table. */
import { widthOf, wrap } from "../terminal/width.ts"
import { type Look, padded } from "./reporters/layout.ts"
import { BLANK, type Cell, columnWidth, type Row } from "./show-page.ts"
import { joined } from "./show-parties.ts"
import { DATA, type Reading } from "./show-reading.ts"

interface LineColumn {
  title: string
  side: "left" | "right"
  read(reading: Reading, at: string): string
}

const COLUMNS: readonly LineColumn[] = [
  { title: "#", side: "right", read: (reading, at) => reading.text(`${at}/invoiceLineNumber`) },
  { title: "Description", side: "left", read: described },
  { title: "Qty", side: "right", read: (reading, at) => reading.quantity(`${at}/quantity`) },
  { title: "Unit", side: "left", read: (reading, at) => reading.text(`${at}/unitOfMeasure`) },
  { title: "Unit price", side: "right", read: (reading, at) => reading.money(`${at}/unitPrice`) },
  { title: "Tax", side: "right", read: taxed },
  { title: "Amount", side: "right", read: (reading, at) => reading.money(`${at}/subtotal`) },
]
/** The column that takes the room that the others leave. */
const DESCRIPTION = 1
const GAP = 2
/** Numbers of more characters than this are cut, and shorter ones where the page is too narrow for all. */
const LONGEST = 16
const SHORTEST = 6
const NARROWEST = 12

export function lineRows(reading: Reading, look: Look, rule: Row): Row[] {
  const width = columnWidth(look, 1)
  const lines = reading.entries(`${DATA}/lineItems`)
  const { table, used } = fitted(
    lines.map((at) => COLUMNS.map(({ read }) => read(reading, at))),
    width,
    look.unicode ? "…" : ".",
  )

  const head: Cell = {
    shows: [`${DATA}/lineItems`],
    lines: laidOut(
      COLUMNS.map(({ title }) => title),
      used,
    ),
    style: "bold",
  }
  const indent = " ".repeat((used[0] ?? 0) + (used[0] ? GAP : 0))
  const rows = lines.map((at, index): Row => {
    const details = detailsOf(reading, at).flatMap((each) => wrap(each, width - indent.length))
    const detail: Cell = { shows: [], lines: details.map((each) => indent + each), style: "dim" }
    return [[{ shows: [at], lines: laidOut(table[index] ?? [], used) }, detail]]
  })
  const none: Row[] = lines.length > 0 ? [] : [[[{ shows: [], lines: ["(no lines)"] }]]]
  return [[[head]], rule, ...rows, ...none, rule, BLANK]
}

/** The cells, cut so that the numbers leave room for the description, and the width of each column. */
function fitted(
  rows: readonly string[][],
  width: number,
  cut: string,
): { table: string[][]; used: number[] } {
  for (let longest = LONGEST; ; longest--) {
    const table = rows.map((row) =>
      row.map((text, index) => shortened(text, index === DESCRIPTION ? 400 : longest, cut)),
    )
    const used = COLUMNS.map(({ title }, index) =>
      index !== DESCRIPTION && table.some((row) => row[index] !== "")
        ? Math.max(widthOf(title), ...table.map((row) => widthOf(row[index] ?? "")))
        : 0,
    )
    const room = width - used.reduce((sum, each) => sum + (each > 0 ? each + GAP : 0), 0)
    used[DESCRIPTION] = Math.max(NARROWEST, room)
    if (room >= NARROWEST || longest === SHORTEST) return { table, used }
  }
}

/** One row of the table: its cells side by side, the description over as many lines as it takes. */
function laidOut(cells: readonly string[], widths: readonly number[]): string[] {
  const description = wrap(cells[DESCRIPTION] ?? "", widths[DESCRIPTION] ?? NARROWEST)
  return description.map((text, line) =>
    COLUMNS.flatMap(({ side }, index) => {
      const width = widths[index] ?? 0
      if (width === 0) return []
      const content = index === DESCRIPTION ? text : line === 0 ? (cells[index] ?? "") : ""
      return [padded(content, width, side)]
    })
      .join(" ".repeat(GAP))
      .trimEnd(),
  )
}

function described(reading: Reading, at: string): string {
  const names = ["description", "supplierItemId", "buyerItemId", "manufacturerPartId"]
  return names.map((name) => reading.text(`${at}/${name}`)).find((text) => text !== "") ?? reading.stray(at)
}

function taxed(reading: Reading, at: string): string {
  const rate = reading.quantity(`${at}/taxRate`)
  return reading.money(`${at}/taxAmount`) || (rate && `${rate}%`)
}

/** What a line has besides its columns, each with its name. */
function detailsOf(reading: Reading, at: string): string[] {
  const named = (label: string, text: string) => (text === "" ? "" : `${label} ${text}`)
  const text = (label: string, name: string) => named(label, reading.text(`${at}/${name}`))
  const money = (label: string, name: string) => named(label, reading.money(`${at}/${name}`))
  const list = (label: string, name: string, read: (entry: string) => string) =>
    named(label, joined(...reading.entries(`${at}/${name}`).map(read)))
  const rate = reading.quantity(`${at}/taxRate`)
  return [
    joined(
      text("item", "supplierItemId"),
      text("buyer's item", "buyerItemId"),
      text("order line", "poLineReference"),
      text("ship notice line", "asnLineReference"),
    ),
    joined(
      reading.has(`${at}/taxAmount`) && rate !== "" ? `tax at ${rate}%` : "",
      money("shipping", "shippingAmount"),
      money("discount", "discountAmount"),
      money("gross", "grossAmount"),
      money("net", "netAmount"),
    ),
    joined(
      text("made by", "manufacturerName"),
      text("part", "manufacturerPartId"),
      text("from", "countryOfOrigin"),
      text("batch", "batchId"),
      list("serial", "serialNumbers", (entry) => reading.text(entry)),
      list("class", "classification", (entry) =>
        `${reading.text(`${entry}/domain`)} ${reading.text(`${entry}/code`)}`.trim(),
      ),
    ),
    reading.text(`${at}/comments`),
  ].filter((line) => line !== "")
}

function shortened(text: string, longest: number, cut: string): string {
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}${cut}` : text
}
