/** The manifest that a driver signs. Loads the PDF library: import it lazily. */
import { carrierName } from "../contract/carrier-fields.ts"
import type { ShipmentDetail } from "../contract/generated/types.ts"
import { formatPlace } from "../contract/places.ts"
import { A4, BLACK, createPdf, type Faces, Sheet, WHITE } from "../paper/sheet.ts"
import { contactOf, decimal, streetOf } from "../paper/text.ts"
import { type Handover, totalsOf } from "./collections.ts"
import {
  caption,
  drawClosing,
  drawTable,
  FIRST_TOP,
  GREY,
  LEFT,
  NEXT_TOP,
  pagesOf,
  RIGHT,
  WIDTH,
} from "./table.ts"

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
  const { pdf, faces } = await createPdf("Collection manifest")
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
  const sender = listed(shipments, (shipment) => shipment.sender.companyName)
  y = sheet.write("SENDER", middle, 35, caption(faces))
  y = sheet.write(sender, middle, y + 0.5, { ...line, face: bold, size: 10, lines: 2 })
  y = sheet.write("ACCOUNT", middle, y + 1.5, caption(faces))
  const account = listed(shipments, ({ connectorName }) => connectorName)
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

function listed(shipments: readonly ShipmentDetail[], nameOf: (shipment: ShipmentDetail) => string): string {
  return [...new Set(shipments.map(nameOf))].join(", ")
}
