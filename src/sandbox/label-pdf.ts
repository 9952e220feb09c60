/** The label of a shipment. Loads the PDF library, so import this file only where a label is made. */
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib"
import type { BookingAddress, Items } from "../contract/generated/types.ts"
import { Sheet, WHITE } from "../paper/sheet.ts"
import { contactOf, decimal, Face, streetOf, townOf } from "../paper/text.ts"
import { encodeCode128, QUIET_ZONE } from "./code128.ts"

export interface LabelData {
  carrier: string
  serviceCode: string
  serviceDescription: string
  /** Printable ASCII: it is what the barcode says. */
  consignmentNumber: string
  orderNumber: string
  sender: BookingAddress
  receiver: BookingAddress
  items: Items
  packagingCode: string
  /** As it is to be printed, such as 2026-11-23. */
  collectionDate: string
  specialInstructions?: string
  customerReference?: string
  dangerousGoods: boolean
}

/** A6, in points. */
const PAGE: [number, number] = [(105 / 25.4) * 72, (148 / 25.4) * 72]
/** Left edge and width of what is printed, in millimetres. */
const LEFT = 4
const WIDTH = 97
const NOTE = "SANDBOX – not for carriage"

interface Faces {
  regular: Face
  bold: Face
}

/**
 * A one-page A6 PDF. The same data gives the same bytes. Text that is too long or not printable is fitted, never
 * refused, except that of the barcode.
 * @throws RangeError when the consignment number is empty or not printable ASCII
 */
export async function renderLabel(label: LabelData): Promise<Uint8Array> {
  const bars = encodeCode128(label.consignmentNumber)
  // Without metadata, which would hold the time.
  const pdf = await PDFDocument.create({ updateMetadata: false })
  pdf.setTitle(`Label ${label.consignmentNumber}`)
  const faces = {
    regular: new Face(pdf.embedStandardFont(StandardFonts.Helvetica)),
    bold: new Face(pdf.embedStandardFont(StandardFonts.HelveticaBold)),
  }
  const sheet = new Sheet(pdf.addPage(PAGE))
  drawService(sheet, faces, label)
  drawSender(sheet, faces, label)
  drawReceiver(sheet, faces, label.receiver)
  drawGoods(sheet, faces, label)
  drawNotes(sheet, faces, label)
  const number = { face: faces.bold, size: 14, width: WIDTH, smallest: 5, align: "centre" } as const
  sheet.bars(bars, QUIET_ZONE, 0, 111, 105, 20)
  sheet.write(label.consignmentNumber, LEFT, 131.5, number)
  sheet.block(LEFT, 138.5, WIDTH, 6)
  sheet.write(NOTE, LEFT, 138.5, { ...centred(faces), size: 11, width: WIDTH, height: 6 })
  return pdf.save({ useObjectStreams: false, objectsPerTick: Number.POSITIVE_INFINITY })
}

/** Top: who carries it, and how fast. */
function drawService(sheet: Sheet, { regular, bold }: Faces, label: LabelData): void {
  const carrier = label.carrier.replace(/_AU$/, "").replaceAll("_", " ")
  sheet.write(carrier, LEFT, 4, { face: bold, size: 20, width: 60, smallest: 10 })
  sheet.write(label.serviceDescription, LEFT, 13, { face: regular, size: 11, width: 60, smallest: 7 })
  sheet.block(67, 4, 34, 14)
  const code = { ...centred({ regular, bold }), size: 28, smallest: 9, lines: 2 }
  sheet.write(label.serviceCode, 68, 4, { ...code, width: 32, height: 14 })
}

/** Where it comes from, small, and beside it the collection date and the order. */
function drawSender(sheet: Sheet, faces: Faces, { sender, collectionDate, orderNumber }: LabelData): void {
  const line = { face: faces.regular, size: 8, width: 60, smallest: 6 }
  let y = sheet.write("FROM", LEFT, 20.5, caption(faces))
  y = sheet.write(sender.companyName, LEFT, y, { ...line, face: faces.bold })
  for (const text of [contactOf(sender), streetOf(sender), townOf(sender)])
    y = sheet.write(text, LEFT, y, line)
  drawField(sheet, faces, "COLLECT", collectionDate, 67, 20.5, 34)
  drawField(sheet, faces, "ORDER", orderNumber, 67, 28.5, 34)
}

/** Where it goes: the part that is read from afar. */
function drawReceiver(sheet: Sheet, faces: Faces, receiver: BookingAddress): void {
  const { regular, bold } = faces
  const x = LEFT + 3
  const width = WIDTH - 6
  sheet.frame(LEFT, 37.5, WIDTH, 46.5, 1.5)
  sheet.block(LEFT, 37.5, 14, 5.5)
  sheet.write("TO", LEFT, 37.5, { ...centred(faces), size: 11, width: 14, height: 5.5 })
  let y = sheet.write(receiver.companyName, x, 44, { face: bold, size: 15, width, lines: 2, smallest: 10 })
  y = sheet.write(contactOf(receiver), x, y, { face: regular, size: 9, width, smallest: 7 })
  sheet.write(streetOf(receiver), x, y, { face: regular, size: 10, width, lines: 2, smallest: 7 })
  sheet.write(receiver.suburb, x, 66, { face: bold, size: 18, width, smallest: 10 })
  sheet.write(`${receiver.state} ${receiver.postcode}`, x, 72, { face: bold, size: 32, width, smallest: 10 })
}

/** What it is: a row of boxes. */
function drawGoods(sheet: Sheet, faces: Faces, { items, packagingCode }: LabelData): void {
  const size = [items.maxLengthCm, items.maxWidthCm, items.maxHeightCm].map(decimal).join(" × ")
  const cells: [name: string, text: string, width: number][] = [
    ["PIECES", `${decimal(items.count)} × ${packagingCode}`, 28],
    ["WEIGHT", `${decimal(items.totalWeightKg)} kg`, 28],
    ["LARGEST", `${size} cm`, 41],
  ]
  let x = LEFT
  for (const [name, text, width] of cells) {
    sheet.frame(x, 85.5, width, 9.5, 0.6)
    drawField(sheet, faces, name, text, x + 1.5, 86.3, width - 3)
    x += width
  }
}

/** What the driver and the receiver should know. */
function drawNotes(sheet: Sheet, faces: Faces, label: LabelData): void {
  const width = label.dangerousGoods ? 78 : WIDTH
  const { customerReference = "", specialInstructions = "" } = label
  const reference = customerReference && `Ref ${customerReference}`
  sheet.write(reference, LEFT, 96.3, { face: faces.bold, size: 10, width, smallest: 6 })
  sheet.write(specialInstructions, LEFT, 100.3, {
    face: faces.regular,
    size: 8.5,
    width,
    lines: 3,
    smallest: 6,
  })
  if (!label.dangerousGoods) return
  sheet.diamond(87, 96.3, 13.5, 0.6)
  sheet.write("DG", 87, 96.3, { face: faces.bold, size: 13, width: 13.5, height: 13.5, align: "centre" })
}

function drawField(
  sheet: Sheet,
  faces: Faces,
  name: string,
  text: string,
  x: number,
  y: number,
  width: number,
): void {
  const below = sheet.write(name, x, y, { ...caption(faces), width })
  sheet.write(text, x, below, { face: faces.bold, size: 12, width, smallest: 6 })
}

function caption({ regular }: Faces) {
  return { face: regular, size: 6, width: 60 }
}

/** White on black, in the middle. */
function centred({ bold }: Faces) {
  return { face: bold, align: "centre", shade: WHITE } as const
}
