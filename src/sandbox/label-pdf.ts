/** The label of a shipment. Loads the PDF library, so import this file only to make a label. */
import type { BookingAddress, Items } from "../contract/generated/types.ts"
import { formatPlace } from "../contract/index.ts"
import { contactOf, createPdf, decimal, type Faces, Sheet, streetOf, WHITE } from "../output/index.ts"

export interface LabelData {
  carrier: string
  serviceCode: string
  serviceDescription: string
  /** Printable ASCII: the text of the barcode. */
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

const PAGE: [number, number] = [(105 / 25.4) * 72, (148 / 25.4) * 72]
/** Left edge and width of the printed area, in millimetres. */
const LEFT = 4
const WIDTH = 97
const NOTE = "SANDBOX – not for carriage"

/**
 * A one-page A6 PDF. The same data gives the same bytes. Text that is too long or not printable is fitted, never
 * refused, except that of the barcode.
 */
export async function renderLabel(label: LabelData): Promise<Uint8Array> {
  const bars = encodeCode128(label.consignmentNumber)
  const { pdf, faces } = await createPdf(`Label ${label.consignmentNumber}`)
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
  sheet.write(NOTE, LEFT, 138.5, { ...getCentredStyle(faces), size: 11, width: WIDTH, height: 6 })
  return pdf.save({ useObjectStreams: false, objectsPerTick: Number.POSITIVE_INFINITY })
}

function drawService(sheet: Sheet, { regular, bold }: Faces, label: LabelData): void {
  const carrier = label.carrier.replace(/_AU$/, "").replaceAll("_", " ")
  sheet.write(carrier, LEFT, 4, { face: bold, size: 20, width: 60, smallest: 10 })
  sheet.write(label.serviceDescription, LEFT, 13, { face: regular, size: 11, width: 60, smallest: 7 })
  sheet.block(67, 4, 34, 14)
  const code = { ...getCentredStyle({ regular, bold }), size: 28, smallest: 9, lines: 2 }
  sheet.write(label.serviceCode, 68, 4, { ...code, width: 32, height: 14 })
}

function drawSender(sheet: Sheet, faces: Faces, { sender, collectionDate, orderNumber }: LabelData): void {
  const line = { face: faces.regular, size: 8, width: 60, smallest: 6 }
  let y = sheet.write("FROM", LEFT, 20.5, getCaptionStyle(faces))
  y = sheet.write(sender.companyName, LEFT, y, { ...line, face: faces.bold })
  for (const text of [contactOf(sender), streetOf(sender), formatPlace(sender)])
    y = sheet.write(text, LEFT, y, line)
  drawField(sheet, faces, "COLLECT", collectionDate, 67, 20.5, 34)
  drawField(sheet, faces, "ORDER", orderNumber, 67, 28.5, 34)
}

/** The receiver is read from afar. */
function drawReceiver(sheet: Sheet, faces: Faces, receiver: BookingAddress): void {
  const { regular, bold } = faces
  const x = LEFT + 3
  const width = WIDTH - 6
  sheet.frame(LEFT, 37.5, WIDTH, 46.5, 1.5)
  sheet.block(LEFT, 37.5, 14, 5.5)
  sheet.write("TO", LEFT, 37.5, { ...getCentredStyle(faces), size: 11, width: 14, height: 5.5 })
  let y = sheet.write(receiver.companyName, x, 44, { face: bold, size: 15, width, lines: 2, smallest: 10 })
  y = sheet.write(contactOf(receiver), x, y, { face: regular, size: 9, width, smallest: 7 })
  sheet.write(streetOf(receiver), x, y, { face: regular, size: 10, width, lines: 2, smallest: 7 })
  sheet.write(receiver.suburb, x, 66, { face: bold, size: 18, width, smallest: 10 })
  sheet.write(`${receiver.state} ${receiver.postcode}`, x, 72, { face: bold, size: 32, width, smallest: 10 })
}

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
  const below = sheet.write(name, x, y, { ...getCaptionStyle(faces), width })
  sheet.write(text, x, below, { face: faces.bold, size: 12, width, smallest: 6 })
}

function getCaptionStyle({ regular }: Faces) {
  return { face: regular, size: 6, width: 60 }
}

function getCentredStyle({ bold }: Faces) {
  return { face: bold, align: "centre", shade: WHITE } as const
}

/** Bars and gaps of each symbol value, in modules; 103 to 105 are the starts, 106 is the stop with its last bar. */
const PATTERNS = (
  "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 " +
  "123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 " +
  "232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 " +
  "313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 " +
  "111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 " +
  "111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 " +
  "114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112"
).split(" ")

type CodeSet = "B" | "C"

const START = { B: 104, C: 105 }
/** The value that switches to a set from the other one. */
const CHANGE_TO = { B: 100, C: 99 }
const STOP = 106
const CHECK_MODULUS = 103

/** Modules that must stay blank before and after a symbol. */
const QUIET_ZONE = 10

/**
 * The symbol of a text: widths in modules, a bar first, then gap and bar by turns, without the quiet zones.
 * No other coding by sets B and C is shorter.
 */
export function encodeCode128(text: string): number[] {
  if (!/^[ -~]+$/.test(text))
    throw new RangeError(`Code 128 holds printable ASCII, at least one character: ${JSON.stringify(text)}`)
  const values = chooseSymbolValues(text)
  const check = values.reduce((sum, value, index) => sum + value * Math.max(index, 1), 0) % CHECK_MODULUS
  return [...values, check, STOP].flatMap((value) => Array.from(PATTERNS[value] ?? "", Number))
}

function chooseSymbolValues(text: string): number[] {
  const left = countSymbolsLeft(text)
  let set: CodeSet = left("C", 0) < left("B", 0) ? "C" : "B"
  const values = [START[set]]
  for (let at = 0; at < text.length; at += set === "B" ? 1 : 2) {
    const other = set === "B" ? "C" : "B"
    if (left(other, at) + 1 < left(set, at)) {
      set = other
      values.push(CHANGE_TO[set])
    }
    values.push(set === "B" ? text.charCodeAt(at) - " ".charCodeAt(0) : Number(text.slice(at, at + 2)))
  }
  return values
}

/**
 * The number of symbols for the rest of the text from an offset, if the next one is of a given set; computed from the end.
 */
function countSymbolsLeft(text: string): (set: CodeSet, at: number) => number {
  const fewest: Record<CodeSet, number[]> = { B: [], C: [] }
  const left = (set: CodeSet, at: number) => fewest[set][at] ?? 0
  for (let at = text.length - 1; at >= 0; at--) {
    fewest.B[at] = 1 + Math.min(left("B", at + 1), left("C", at + 1) + 1)
    const pair = /^\d\d$/.test(text.slice(at, at + 2))
    fewest.C[at] = pair ? 1 + Math.min(left("C", at + 2), left("B", at + 2) + 1) : Number.POSITIVE_INFINITY
  }
  return left
}
