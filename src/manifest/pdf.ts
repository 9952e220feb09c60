/** The manifest that a driver signs. Loads the PDF library: import it lazily. Lengths are in millimetres. */
import { carrierName } from "../contract/carrier-fields.ts"
import { counted } from "../contract/counted.ts"
import type { ShipmentDetail } from "../contract/generated/types.ts"
import { formatPlace } from "../contract/places.ts"
import { A4, BLACK, createPdf, type Faces, GREY, Sheet, TINT, WHITE } from "../paper/sheet.ts"
import { contactOf, decimal, streetOf } from "../paper/text.ts"
import { type Handover, totalsOf } from "./collections.ts"

/** Edges of what is printed on A4. */
const LEFT = 14
const WIDTH = 182
const RIGHT = LEFT + WIDTH
/** Below are the page number and the time of printing. */
const BOTTOM = 278
/** Top of the table: on the first page below the address, on others below a line. */
const FIRST_TOP = 76
const NEXT_TOP = 28

const HAIRLINE = 0.75

function caption({ regular }: Faces) {
  return { face: regular, size: 6.5, width: 80, shade: GREY }
}
const FOOT = 285

export interface Notes {
  /** Formatted for printing. */
  madeAt: string
  /** Printed at the foot of every page in the sandbox. */
  warning?: string
}

/**
 * An A4 PDF: each handover begins on a page of its own, which its driver can take away. The same data gives the same
 * bytes; text that is too long or not printable is fitted, never refused.
 */
export async function renderManifest(
  handovers: readonly Handover[],
  notes: Notes,
): Promise<{ pdf: Uint8Array; pages: number }> {
  const { pdf, faces } = await createPdf("Collection manifest", handovers)
  for (const handover of handovers) {
    const pages = pagesOf(handover.shipments)
    for (const [index, rows] of pages.entries()) {
      const sheet = new Sheet(pdf.addPage(A4))
      const top = index === 0 ? drawOpening(sheet, faces, handover) : drawContinuation(sheet, faces, handover)
      const end = drawTable(sheet, faces, rows, top)
      if (index === pages.length - 1) drawClosing(sheet, faces, handover.shipments, end)
      drawFoot(sheet, faces, notes, `Page ${index + 1} of ${pages.length}`)
    }
  }
  return { pdf: await pdf.save({ useObjectStreams: false }), pages: pdf.getPageCount() }
}

/** Who collects what, where and when. Returns the top of the table. */
function drawOpening(sheet: Sheet, faces: Faces, { carrier, date, collection, shipments }: Handover): number {
  const { regular, bold } = faces
  const faint = { face: regular, size: 11, width: 90, shade: GREY }
  const right = { width: 90, align: "right" } as const
  sheet.write(carrierName(carrier).toUpperCase(), LEFT, 13, { face: bold, size: 24, width: 90 })
  sheet.write("Collection manifest", LEFT, 23.5, faint)
  sheet.write(longDate(date), RIGHT - 90, 14.5, { ...right, face: bold, size: 14 })
  sheet.write(formatTimes(shipments), RIGHT - 90, 23.5, { ...faint, ...right })
  sheet.block(LEFT, 31, WIDTH, 0.7)

  const line = { face: regular, size: 9, width: 88, smallest: 6 }
  let y = sheet.write("COLLECTED FROM", LEFT, 35, caption(faces))
  y = sheet.write(collection.companyName, LEFT, y + 0.5, { ...line, face: bold, size: 12 })
  for (const text of [streetOf(collection), formatPlace(collection), contactOf(collection)])
    y = sheet.write(text, LEFT, y, line)

  const middle = LEFT + 94
  const sender = joinDistinct(shipments, (shipment) => shipment.sender.companyName)
  y = sheet.write("SENDER", middle, 35, caption(faces))
  y = sheet.write(sender, middle, y + 0.5, { ...line, face: bold, size: 10, lines: 2 })
  y = sheet.write("ACCOUNT", middle, y + 1.5, caption(faces))
  const account = joinDistinct(shipments, ({ connectorName }) => connectorName)
  sheet.write(account, middle, y + 0.5, { ...line, lines: 2 })
  drawSums(sheet, faces, shipments)
  return FIRST_TOP
}

/** Totals in boxes; black for dangerous goods. */
function drawSums(sheet: Sheet, faces: Faces, shipments: readonly ShipmentDetail[]): void {
  const { pieces, weightKg } = totalsOf(shipments)
  const dangerous = shipments.filter(({ dangerousGoods }) => dangerousGoods).length
  const boxes: [name: string, text: string, black: boolean][] = [
    ["CONSIGNMENTS", String(shipments.length), false],
    ["PIECES", String(pieces), false],
    ["WEIGHT", `${decimal(weightKg)} kg`, false],
    ["DANGEROUS GOODS", dangerous === 0 ? "none" : `${dangerous}, marked DG`, dangerous > 0],
  ]
  const width = WIDTH / boxes.length
  for (const [index, [name, text, black]] of boxes.entries()) {
    const x = LEFT + index * width
    if (black) sheet.block(x, 60, width, 12)
    sheet.frame(x, 60, width, 12, 0.6)
    sheet.write(name, x + 2, 61.3, { ...caption(faces), width: width - 4, shade: black ? WHITE : GREY })
    const value = { face: faces.bold, size: 14, width: width - 4, smallest: 7, shade: black ? WHITE : BLACK }
    sheet.write(text, x + 2, 64.5, value)
  }
}

function drawContinuation(sheet: Sheet, faces: Faces, { carrier, date, collection }: Handover): number {
  sheet.write(carrierName(carrier).toUpperCase(), LEFT, 14, { face: faces.bold, size: 14, width: 50 })
  const from = `${collection.companyName}, ${collection.suburb}: ${longDate(date)}, continued`
  const faint = { face: faces.regular, size: 10, smallest: 6, shade: GREY }
  sheet.write(from, LEFT + 52, 15, { ...faint, width: WIDTH - 52, align: "right" })
  sheet.block(LEFT, 22.5, WIDTH, 0.7)
  return NEXT_TOP
}

function drawFoot(
  sheet: Sheet,
  { regular, bold }: Faces,
  { madeAt, warning = "" }: Notes,
  page: string,
): void {
  const small = { face: regular, size: 8, width: 60, shade: GREY }
  sheet.write(`Made ${madeAt}`, LEFT, FOOT, small)
  sheet.write(warning, LEFT + 60, FOOT, { face: bold, size: 8, width: WIDTH - 120, align: "centre" })
  sheet.write(page, RIGHT - 60, FOOT, { ...small, align: "right" })
}

/** `Monday 23 November 2026` */
function longDate(date: string): string {
  const format = { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const
  return new Intl.DateTimeFormat("en-AU", format).format(Date.parse(`${date}T00:00:00Z`))
}

/** When all are ready, and when the first premises close. */
function formatTimes(shipments: readonly ShipmentDetail[]): string {
  const ready = shipments.map(({ collectionDateTime }) => collectionDateTime.slice(11, 16)).sort()
  const close = shipments.map(({ collectionCloseTime }) => collectionCloseTime).sort()
  return `ready ${ready.at(-1) ?? ""}, closes ${(close[0] ?? "").replace(/^(\d\d)(\d\d)$/, "$1:$2")}`
}

function joinDistinct(
  shipments: readonly ShipmentDetail[],
  nameOf: (shipment: ShipmentDetail) => string,
): string {
  return [...new Set(shipments.map(nameOf))].join(", ")
}

// The rows, and where both sides sign for them.

const HEADING = 6.5
const ROW = 9.6
/** Room for totals and signatures. */
const CLOSING = 58

/** Rows by page. Signatures never stand on a page without a row. */
function pagesOf(shipments: readonly ShipmentDetail[]): ShipmentDetail[][] {
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
function drawTable(sheet: Sheet, faces: Faces, rows: readonly ShipmentDetail[], top: number): number {
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

/**
 * The totals below the last row, and where both sides sign: at the foot of the page, so that it is found in the same
 * place on every manifest.
 */
function drawClosing(sheet: Sheet, faces: Faces, shipments: readonly ShipmentDetail[], top: number): void {
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
