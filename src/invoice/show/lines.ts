/** The lines of an invoice as a table. */
import { widthOf, wrap } from "../../terminal/width.ts"
import { type ReportLayout, padText } from "../reporters/layout.ts"
import { BLANK, type Cell, getColumnWidth, type Row } from "./page.ts"
import { joinTexts, type Reading } from "./reading.ts"
import { findTaxName, TAX_NAME } from "./sections.ts"

interface LineColumn {
  title: string
  side: "left" | "right"
  read(line: Reading): string
}

const COLUMNS: readonly LineColumn[] = [
  { title: "#", side: "right", read: (line) => line.text("invoiceLineNumber") },
  { title: "Description", side: "left", read: readDescription },
  { title: "Qty", side: "right", read: (line) => line.quantity("quantity") },
  { title: "Unit", side: "left", read: (line) => line.text("unitOfMeasure") },
  { title: "Unit price", side: "right", read: (line) => line.money("unitPrice") },
  { title: TAX_NAME, side: "right", read: readTax },
  { title: "Amount", side: "right", read: (line) => line.money("subtotal") },
]
/** The column that takes the room that the others leave. */
const DESCRIPTION = 1
const GAP = 2
/** Numbers of more characters than this are cut, and shorter ones where the page is too narrow for all. */
const LONGEST = 16
const SHORTEST = 6
const NARROWEST = 12

export function createLines(data: Reading, layout: ReportLayout, rule: Row): Row[] {
  const width = getColumnWidth(layout, 1)
  const lines = data.elements("lineItems")
  const cells = lines.map((line) => COLUMNS.map(({ read }) => read(line)))
  const { table, widths } = fitTable(cells, width, layout.unicode ? "…" : ".")
  const tax = findTaxName(data)
  const titles = COLUMNS.map(({ title }) => (title === TAX_NAME ? tax : title))
  const head: Cell = { shows: [data.at("lineItems")], lines: layOutRow(titles, widths), style: "bold" }
  const indent = " ".repeat((widths[0] ?? 0) + (widths[0] ? GAP : 0))
  const rows = lines.map((line, index): Row => {
    const details = getDetails(line, tax).flatMap((each) => wrap(each, width - indent.length))
    const detail: Cell = { shows: [], lines: details.map((each) => indent + each), style: "dim" }
    return [[{ shows: [line.pointer], lines: layOutRow(table[index] ?? [], widths) }, detail]]
  })
  const none: Row[] = lines.length > 0 ? [] : [[[{ shows: [], lines: ["(no lines)"] }]]]
  return [[[head]], rule, ...rows, ...none, rule, BLANK]
}

/** The cells, cut so that the numbers leave room for the description, and the width of each column. */
function fitTable(
  rows: readonly string[][],
  width: number,
  ellipsis: string,
): { table: string[][]; widths: number[] } {
  for (let longest = LONGEST; ; longest--) {
    const table = rows.map((row) =>
      row.map((text, index) => shorten(text, index === DESCRIPTION ? 400 : longest, ellipsis)),
    )
    const widths = COLUMNS.map(({ title }, index) =>
      index !== DESCRIPTION && table.some((row) => row[index] !== "")
        ? table.reduce((widest, row) => Math.max(widest, widthOf(row[index] ?? "")), widthOf(title))
        : 0,
    )
    const room = width - widths.reduce((sum, each) => sum + (each > 0 ? each + GAP : 0), 0)
    widths[DESCRIPTION] = Math.max(NARROWEST, room)
    if (room >= NARROWEST || longest === SHORTEST) return { table, widths }
  }
}

/** One row of the table: its cells side by side, the description over as many lines as it takes. */
function layOutRow(cells: readonly string[], widths: readonly number[]): string[] {
  const description = wrap(cells[DESCRIPTION] ?? "", widths[DESCRIPTION] ?? NARROWEST)
  return description.map((text, line) =>
    COLUMNS.flatMap(({ side }, index) => {
      const width = widths[index] ?? 0
      if (width === 0) return []
      const content = index === DESCRIPTION ? text : line === 0 ? (cells[index] ?? "") : ""
      return [padText(content, width, side)]
    })
      .join(" ".repeat(GAP))
      .trimEnd(),
  )
}

function readDescription(line: Reading): string {
  const [text] = line.texts("description", "supplierItemId", "buyerItemId", "manufacturerPartId")
  return text ?? line.stray
}

function readTax(line: Reading): string {
  const rate = line.quantity("taxRate")
  return line.money("taxAmount") || (rate && `${rate}%`)
}

/** What a line has besides its columns, each with its name. */
function getDetails(line: Reading, tax: string): string[] {
  const label = (name: string, text: string) => (text === "" ? "" : `${name} ${text}`)
  const rate = line.quantity("taxRate")
  const serials = line.elements("serialNumbers").map(({ whole }) => whole)
  const classes = line.elements("classification").map((each) => each.texts("domain", "code").join(" "))
  return [
    joinTexts(
      label("item", line.text("supplierItemId")),
      label("buyer's item", line.text("buyerItemId")),
      label("order line", line.text("poLineReference")),
      label("ship notice line", line.text("asnLineReference")),
    ),
    joinTexts(
      line.has("taxAmount") && rate !== "" ? `${tax} at ${rate}%` : "",
      label("shipping", line.money("shippingAmount")),
      label("discount", line.money("discountAmount")),
      label("gross", line.money("grossAmount")),
      label("net", line.money("netAmount")),
    ),
    joinTexts(
      label("made by", line.text("manufacturerName")),
      label("part", line.text("manufacturerPartId")),
      label("from", line.text("countryOfOrigin")),
      label("batch", line.text("batchId")),
      label("serial", joinTexts(...serials)),
      label("class", joinTexts(...classes)),
    ),
    line.text("comments"),
  ].filter((text) => text !== "")
}

function shorten(text: string, longest: number, ellipsis: string): string {
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}${ellipsis}` : text
}
