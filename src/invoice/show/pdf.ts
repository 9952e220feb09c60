/** An invoice on A4, to be sent. Loads the PDF library: import it lazily. Lengths are in millimetres. */
import type { PDFDocument } from "@cantoo/pdf-lib"
import {
  A4,
  BLACK,
  createPdf,
  type Faces,
  GREY,
  measureText,
  type Setting,
  Sheet,
  TINT,
  WHITE,
} from "../../paper/sheet.ts"
import { columnsOf, type Labelled, type Paper } from "./paper.ts"

const LEFT = 16
const WIDTH = 178
const RIGHT = LEFT + WIDTH
const TOP = 16
/** Below are the number of the invoice and of the page. */
const BOTTOM = 276
const FOOT = 284
const HAIRLINE = 0.15

type TextSetting = Omit<Setting, "face" | "smallest" | "height"> & { bold?: boolean }

/** Of the columns of its lines. */
const WIDTHS = [9, 75, 17, 13, 22, 19, 23]
const GAP = 3
const DESCRIPTION_LINES = 4

/**
 * The same invoice gives the same bytes; text that is too long or not printable is fitted, never refused.
 * @returns also the characters that are drawn as `?`
 */
export async function renderInvoicePdf(paper: Paper): Promise<{ pdf: Uint8Array; undrawn: string[] }> {
  const { pdf, faces, undrawn } = await createPdf(`${paper.title} ${paper.number}`, paper)
  const writer = new Writer(pdf, faces)
  drawHead(writer, paper)
  drawLines(writer, paper)
  drawTotals(writer, paper)
  drawPayment(writer, paper)
  writer.drawFeet(`${paper.supplier.name}, ${paper.title.toLowerCase()} ${paper.number}`)
  return { pdf: await pdf.save({ useObjectStreams: false }), undrawn }
}

/** Writes downwards, and on a new page where there is no room. */
class Writer {
  y = TOP
  readonly #pdf: PDFDocument
  readonly #sheets: Sheet[] = []
  readonly #faces: Faces
  /** Drawn at the top of each further page. */
  continued: () => void = () => {}

  constructor(pdf: PDFDocument, faces: Faces) {
    this.#pdf = pdf
    this.#faces = faces
    this.#sheets.push(new Sheet(pdf.addPage(A4)))
  }

  get sheet(): Sheet {
    const sheet = this.#sheets.at(-1)
    if (!sheet) throw new Error("a document has a page")
    return sheet
  }

  /** Goes on to a new page unless so much room is left. */
  reserve(height: number): void {
    if (this.y + height <= BOTTOM) return
    this.#sheets.push(new Sheet(this.#pdf.addPage(A4)))
    this.y = TOP
    this.continued()
  }

  /** @returns the bottom of the text */
  write(text: string, x: number, y: number, setting: TextSetting): number {
    return this.sheet.write(text, x, y, this.#toSetting(setting))
  }

  measure(text: string, setting: TextSetting): number {
    return measureText(text, this.#toSetting(setting))
  }

  #toSetting({ bold = false, ...setting }: TextSetting): Setting {
    return { face: bold ? this.#faces.bold : this.#faces.regular, smallest: 6, ...setting }
  }

  drawFeet(about: string): void {
    for (const [index, sheet] of this.#sheets.entries()) {
      const small = { face: this.#faces.regular, size: 8, shade: GREY }
      sheet.write(about, LEFT, FOOT, { ...small, width: WIDTH - 40 })
      const page = `Page ${index + 1} of ${this.#sheets.length}`
      sheet.write(page, RIGHT - 40, FOOT, { ...small, width: 40, align: "right" })
    }
  }
}

/** Who asks for payment, what it is, and who is asked. */
function drawHead(writer: Writer, { title, number, facts, supplier, parties }: Paper): void {
  const left = { width: 95 }
  let y = writer.write(supplier.name, LEFT, TOP, { ...left, size: 15, bold: true, lines: 2 })
  y += 1
  for (const line of supplier.lines) y = writer.write(line, LEFT, y, { ...left, size: 9, lines: 2 })

  const x = LEFT + 100
  const width = WIDTH - 100
  let right = writer.write(title, x, TOP, { size: 19, bold: true, width, align: "right" })
  right = writer.write(number, x, right, { size: 12, width, align: "right" }) + 2
  for (const [label, text] of facts) {
    writer.write(label, x, right, { size: 9, width: 28, shade: GREY })
    right = writer.write(text, x + 30, right, { size: 9, width: width - 30, align: "right", lines: 2 }) + 0.6
  }
  writer.y = Math.max(y, right) + 5
  writer.sheet.block(LEFT, writer.y, WIDTH, 0.5)
  writer.y += 4

  const column = WIDTH / Math.max(parties.length, 2)
  let bottom = writer.y
  for (const [index, { title: name, lines }] of parties.entries()) {
    const at = LEFT + index * column
    let below =
      writer.write(name.toUpperCase(), at, writer.y, { size: 7, width: column - GAP, shade: GREY }) + 0.8
    for (const line of lines)
      below = writer.write(line, at, below, { size: 9.5, width: column - GAP, lines: 2 })
    bottom = Math.max(bottom, below)
  }
  writer.y = bottom + 6
}

type Columns = readonly (ReturnType<typeof columnsOf>[number] & { width: number })[]

function drawHeading(writer: Writer, columns: Columns): void {
  writer.sheet.block(LEFT, writer.y, WIDTH, 7, BLACK)
  let x = LEFT
  for (const { title, width, align } of columns) {
    writer.write(title, x + 1.5, writer.y + 1.9, {
      size: 8,
      width: width - GAP,
      bold: true,
      shade: WHITE,
      align,
    })
    x += width
  }
  writer.y += 7
}

function drawLines(writer: Writer, paper: Paper): void {
  const { lines, title, number } = paper
  const columns = columnsOf(paper).map((column, index) => ({ ...column, width: WIDTHS[index] ?? 0 }))
  drawHeading(writer, columns)
  writer.continued = () => {
    writer.write(`${title} ${number}, continued`, LEFT, writer.y, { size: 10, width: WIDTH, bold: true })
    writer.y += 7
    drawHeading(writer, columns)
  }
  const width = (columns[1]?.width ?? 0) - GAP
  const text = { size: 9, width, lines: DESCRIPTION_LINES }
  const small = { size: 7.5, width, lines: DESCRIPTION_LINES, shade: GREY }
  for (const [index, line] of lines.entries()) {
    const height = writer.measure(line.description || " ", text) + writer.measure(line.details, small) + 3
    writer.reserve(height)
    if (index % 2 === 1) writer.sheet.block(LEFT, writer.y, WIDTH, height, TINT)
    let x = LEFT
    for (const { width: wide, align, read, title: name } of columns) {
      const setting = name === "Description" ? text : { size: 9, width: wide - GAP, align }
      const below = writer.write(read(line), x + 1.5, writer.y + 1.5, setting)
      if (name === "Description") writer.write(line.details, x + 1.5, below, small)
      x += wide
    }
    writer.y += height
  }
  writer.sheet.block(LEFT, writer.y, WIDTH, HAIRLINE * 2)
  writer.y += 4
  writer.continued = () => {}
}

const ROW = 5.2

/** Kept together: an amount due that stands alone on a page says nothing. */
function drawTotals(writer: Writer, { totals, taxName, taxes, due }: Paper): void {
  writer.reserve(totals.length * ROW + taxes.length * 4 + 14)
  const x = RIGHT - 85
  const row = ([label, amount]: Labelled, size: number, bold: boolean, shade = BLACK) => {
    writer.write(label, x + 2, writer.y, { size, width: 45, bold, shade })
    writer.write(amount, RIGHT - 42, writer.y, { size, width: 40.5, bold, shade, align: "right" })
  }
  for (const [label, amount] of totals) {
    row([label, amount], 9.5, false)
    writer.y += ROW
    if (label !== taxName) continue
    for (const tax of taxes) {
      writer.write(tax, x + 2, writer.y - 0.6, { size: 7.5, width: 81.5, shade: GREY })
      writer.y += 4
    }
  }
  writer.sheet.block(x, writer.y + 0.5, 85, 9.5, BLACK)
  writer.y += 2.7
  row(due, 12, true, WHITE)
  writer.y += 12
}

function drawPayment(writer: Writer, { payment, comments }: Paper): void {
  const text = { size: 9, width: WIDTH - 34, lines: 3 }
  const height = payment.reduce((sum, [, value]) => sum + writer.measure(value, text) + 0.8, 8)
  writer.reserve(Math.min(height, 80))
  if (payment.length > 0) heading(writer, "How to pay")
  for (const [label, value] of payment) {
    writer.write(label, LEFT, writer.y, { size: 9, width: 32, shade: GREY })
    writer.y = writer.write(value, LEFT + 34, writer.y, text) + 0.8
  }
  if (comments === "") return
  // Up to 2000 characters, by paragraphs of what a text on paper holds.
  writer.y += 3
  writer.reserve(20)
  heading(writer, "Comments")
  for (const part of comments.match(/.{1,500}(?:\s|$)|.{1,500}/gsu) ?? []) {
    const setting = { size: 9, width: WIDTH, lines: 12 }
    writer.reserve(writer.measure(part, setting))
    writer.y = writer.write(part, LEFT, writer.y, setting)
  }
}

function heading(writer: Writer, title: string): void {
  writer.y = writer.write(title.toUpperCase(), LEFT, writer.y, { size: 7, width: WIDTH, shade: GREY }) + 1
}
