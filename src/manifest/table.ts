/** The rows of a manifest, and where both sides sign for them. Lengths are in millimetres. */
import { formatPlace } from "../contract/places.ts"
import { counted } from "../contract/counted.ts"
import type { ShipmentDetail } from "../contract/generated/types.ts"
import { type Faces, type Sheet, WHITE } from "../paper/sheet.ts"
import { decimal } from "../paper/text.ts"
import { totalsOf } from "./collections.ts"

/** Edges of what is printed on A4. */
export const LEFT = 14
export const WIDTH = 182
export const RIGHT = LEFT + WIDTH
/** Below are the page number and the time of printing. */
const BOTTOM = 278
/** Top of the table: on the first page below the address, on others below a line. */
export const FIRST_TOP = 76
export const NEXT_TOP = 28

export const GREY = 0.4
const HAIRLINE = 0.75
const TINT = 0.93

export function caption({ regular }: Faces) {
  return { face: regular, size: 6.5, width: 80, shade: GREY }
}

const HEADING = 6.5
const ROW = 9.6
/** Room for totals and signatures. */
const CLOSING = 58

/** Rows by page. Signatures never stand on a page without a row. */
export function pagesOf(shipments: readonly ShipmentDetail[]): ShipmentDetail[][] {
  const pages: ShipmentDetail[][] = []
  for (let from = 0; from < shipments.length; ) {
    const height = BOTTOM - (pages.length === 0 ? FIRST_TOP : NEXT_TOP) - HEADING
    const left = shipments.length - from
    const signed = Math.floor((height - CLOSING) / ROW)
    const count = left <= signed ? left : Math.min(Math.floor(height / ROW), left - 1)
    pages.push(shipments.slice(from, from + count))
    from += count
  }
  return pages
}

interface Cell {
  title: string
  width: number
  align: "left" | "right"
  /** What is read first. */
  text?: (shipment: ShipmentDetail) => string
  /** Below it, small. */
  more?: (shipment: ShipmentDetail) => string
  /** Below the last row. */
  total?: (totals: { pieces: number; weightKg: number }) => string
}

/** Before the cells: a box for the driver to tick. */
const TICK = 8
const GAP = 2
/** Dangerous goods are marked in the cell without a title. */
const CELLS: readonly Cell[] = [
  {
    title: "CONSIGNMENT",
    width: 31,
    align: "left",
    text: ({ consignmentNumber }) => consignmentNumber ?? "no number yet",
    more: ({ orderNumber }) => orderNumber,
  },
  { title: "", width: 9, align: "left" },
  { title: "REFERENCE", width: 28, align: "left", text: ({ customerReference }) => customerReference ?? "" },
  {
    title: "RECEIVER",
    width: 52,
    align: "left",
    text: ({ receiver }) => receiver.companyName,
    more: ({ receiver }) => formatPlace(receiver),
  },
  {
    title: "SERVICE",
    width: 24,
    align: "left",
    text: ({ serviceCode }) => serviceCode,
    more: ({ serviceDescription }) => serviceDescription ?? "",
  },
  {
    title: "PIECES",
    width: 12,
    align: "right",
    text: ({ items }) => String(items.count),
    total: ({ pieces }) => String(pieces),
  },
  {
    title: "WEIGHT",
    width: 18,
    align: "right",
    text: ({ items }) => `${decimal(items.totalWeightKg)} kg`,
    total: ({ weightKg }) => `${decimal(weightKg)} kg`,
  },
]
const DANGER_X = LEFT + TICK + 31

/** Returns the lower edge of the last row. */
export function drawTable(sheet: Sheet, faces: Faces, rows: readonly ShipmentDetail[], top: number): number {
  const heading = { face: faces.bold, size: 6.5, height: HEADING, shade: GREY }
  sheet.block(LEFT, top, WIDTH, HEADING, TINT)
  eachCell(({ title, align }, x, width) => sheet.write(title, x, top, { ...heading, width, align }))
  for (const [index, row] of rows.entries()) drawRow(sheet, faces, row, top + HEADING + index * ROW)
  return top + HEADING + rows.length * ROW
}

function drawRow(sheet: Sheet, { regular, bold }: Faces, shipment: ShipmentDetail, y: number): void {
  sheet.frame(LEFT + 1, y + 2.6, 4, 4, 0.7)
  eachCell(({ text, more, align }, x, width) => {
    const first = { face: bold, size: 9, smallest: 6.5, width, align, lines: more ? 1 : 2 }
    sheet.write(text?.(shipment) ?? "", x, y + 1.3, first)
    const second = { face: regular, size: 7.5, smallest: 6, width, align, shade: GREY }
    sheet.write(more?.(shipment) ?? "", x, y + 5, second)
  })
  sheet.block(LEFT, y + ROW, WIDTH, 0.15, HAIRLINE)
  if (!shipment.dangerousGoods) return
  const mark = { face: bold, size: 8.5, width: 7, height: 4.4, align: "centre", shade: WHITE } as const
  sheet.block(DANGER_X, y + 2.4, mark.width, mark.height)
  sheet.write("DG", DANGER_X, y + 2.4, mark)
}

function eachCell(draw: (cell: Cell, x: number, width: number) => void): void {
  let x = LEFT + TICK
  for (const cell of CELLS) {
    draw(cell, x, cell.width - GAP)
    x += cell.width
  }
}

/** The totals; both sides sign at the foot of the page, in the same place on every manifest. */
export function drawClosing(
  sheet: Sheet,
  faces: Faces,
  shipments: readonly ShipmentDetail[],
  top: number,
): void {
  const totals = totalsOf(shipments)
  const consignments = counted(shipments.length, "consignment")
  const line = { face: faces.bold, size: 9.5, smallest: 6 }
  sheet.block(LEFT, top, WIDTH, 0.5)
  sheet.write(`Total: ${consignments}`, LEFT + TICK, top + 2, { ...line, width: 100 })
  eachCell(({ total, align }, x, width) =>
    sheet.write(total?.(totals) ?? "", x, top + 2, { ...line, width, align }),
  )

  const y = BOTTOM - CLOSING + 14
  const claim = `Taken over by the driver: ${consignments}, ${counted(totals.pieces, "piece")}, ${decimal(totals.weightKg)} kg.`
  sheet.write(claim, LEFT, y, { face: faces.regular, size: 9.5, width: WIDTH })
  const width = (WIDTH - 8) / 2
  drawSignature(sheet, faces, "FOR THE CARRIER", LEFT, y + 6.5, width)
  drawSignature(sheet, faces, "FOR THE SENDER", LEFT + width + 8, y + 6.5, width)
}

function drawSignature(sheet: Sheet, faces: Faces, side: string, x: number, y: number, width: number): void {
  const title = { face: faces.bold, size: 7, width: width - 4, height: 5.5, shade: GREY }
  sheet.block(x, y, width, title.height, TINT)
  sheet.write(side, x + 2, y, title)
  sheet.frame(x, y, width, 36, 0.6)
  const blanks: [name: string, x: number, y: number, width: number][] = [
    ["Name", x, y + 16, width],
    ["Signature", x, y + 31, width * 0.6],
    ["Date and time", x + width * 0.6, y + 31, width * 0.4],
  ]
  for (const [name, left, line, long] of blanks) {
    sheet.block(left + 2, line, long - 4, 0.2, GREY)
    sheet.write(name, left + 2, line + 0.8, { ...caption(faces), width: long - 4 })
  }
}
