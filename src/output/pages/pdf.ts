/** Draws pages on A4. Loads the PDF library: import it lazily. Lengths are in millimetres. */
import { PDFDocument, type PDFEmbeddedPage, type PDFImage } from "@cantoo/pdf-lib"
import {
  A4,
  createPdf,
  type Faces,
  GREY,
  measureHeight,
  type TextStyle,
  Sheet,
  TINT,
  WHITE,
} from "../paper/sheet.ts"
import type { Logo } from "./logo.ts"
import {
  type Aside,
  type Beside,
  cellBelow,
  cellText,
  type Facts,
  isGiven,
  type Page,
  type PlainBlock,
  type Signatures,
  type Table,
  type TableColumn,
  type TableRow,
} from "./model.ts"
import { FreightError } from "../../base/errors.ts"

const LEFT = 14
const WIDTH = 182
const RIGHT = LEFT + WIDTH
const TOP = 13
/** Below are the foot of the page and its number. */
const BOTTOM = 278
const FOOT = 285
/** Width of the texts at the right side of the first sheet. */
const ASIDE = 64
const GAP = 6
/** Between blocks, and between the facts of one. */
const SPACE = 3.5
const FACT_SPACE = 0.6
const HAIRLINE = 0.2

const STYLES = {
  title: { size: 21, smallest: 11, bold: true },
  subtitle: { size: 11, shade: GREY },
  corner: { size: 14, bold: true },
  heading: { size: 7.5, bold: true },
  caption: { size: 6.5, bold: true, shade: GREY },
  note: { size: 7.5, shade: GREY, lines: 4 },
  name: { size: 8.5, shade: GREY },
  fact: { size: 8.5, lines: 4 },
  strong: { size: 11, bold: true, lines: 2 },
  item: { size: 9, smallest: 6.5, bold: true },
  mark: { size: 8.5, bold: true, shade: WHITE, align: "centre" },
} as const

type StyleName = keyof typeof STYLES
type Adjustment = Partial<Pick<TextStyle, "align" | "height" | "lines">>
type PaperPage = Page<PlainBlock | Signatures>

/**
 * Each page begins on a sheet of its own. The same content gives the same bytes; text that is too long or not printable
 * is fitted, never refused.
 * @returns also the characters that are drawn as `?`, and whether each picture could be drawn
 */
export async function renderPdf(
  title: string,
  pages: readonly PaperPage[],
): Promise<{ pdf: Uint8Array; sheets: number; undrawn: string[]; hasPictures: boolean }> {
  const { pdf, faces, undrawn } = await createPdf(title, pages)
  let hasPictures = true
  for (const page of pages) {
    const picture = await embedPicture(pdf, page.aside?.picture)
    hasPictures &&= picture !== undefined || page.aside?.picture === undefined
    const writer = new Writer(pdf, faces, page)
    drawHead(writer, page, page.logo && (await embedLogo(pdf, page.logo)))
    if (page.aside) drawAside(writer, page.aside, picture)
    for (const [at, block] of page.blocks.entries()) {
      const isSigned = page.blocks[at + 1]?.kind === "signatures"
      if (block.kind === "table") drawTable(writer, block, isSigned ? SIGNED + SPACE : 0)
      else if (block.kind === "beside") drawBeside(writer, block)
      else if (block.kind === "signatures") drawSignatures(writer, block)
      else drawFacts(writer, block)
    }
    writer.drawFeet()
  }
  const bytes = await pdf.save({ useObjectStreams: false })
  return { pdf: bytes, sheets: pdf.getPageCount(), undrawn, hasPictures }
}

/** Writes downwards, and starts another sheet if there is no room. */
class Writer {
  x = LEFT
  y = TOP
  width = WIDTH
  /** No further sheet begins within columns. */
  isInColumn = false
  /** How far down the aside goes; only on the first sheet. */
  asideBottom = 0
  /** Drawn at the top of each further sheet, below its title. */
  continueBlock: () => void = () => {}
  readonly #pdf: PDFDocument
  readonly #faces: Faces
  readonly #page: PaperPage
  readonly #sheets: Sheet[] = []
  sheet: Sheet

  constructor(pdf: PDFDocument, faces: Faces, page: PaperPage) {
    this.#pdf = pdf
    this.#faces = faces
    this.#page = page
    this.sheet = this.#addSheet()
  }

  #addSheet(): Sheet {
    const sheet = new Sheet(this.#pdf.addPage(A4))
    this.#sheets.push(sheet)
    return sheet
  }

  get room(): number {
    return this.y < this.asideBottom && !this.isInColumn ? this.width - ASIDE - GAP : this.width
  }

  /** Starts another sheet unless this much room is left. */
  reserve(height: number): void {
    if (this.isInColumn || this.y + height <= BOTTOM) return
    this.sheet = this.#addSheet()
    this.asideBottom = 0
    const { title, about, corner = [] } = this.#page
    const more = [about, ...corner, "continued"].filter(Boolean).join(", ")
    this.write(title, "corner", LEFT, TOP, 60)
    this.write(more, "subtitle", LEFT + 62, TOP + 1, WIDTH - 62, { align: "right" })
    this.sheet.block(LEFT, TOP + 8, WIDTH, 0.7)
    this.y = TOP + 13
    this.continueBlock()
  }

  /** Writes a text whose first line has its top at `y`. @returns the bottom of its last line */
  write(text: string, style: StyleName, x: number, y: number, width: number, more: Adjustment = {}): number {
    return this.sheet.write(text, x, y, this.#toSetting(style, width, more))
  }

  measure(text: string, style: StyleName, width: number): number {
    return measureHeight(text, this.#toSetting(style, width))
  }

  measureWidth(text: string, style: StyleName): number {
    const { face, size } = this.#toSetting(style, 0)
    return (face.widthOf(face.printable(text)) * size * 25.4) / 72
  }

  #toSetting(style: StyleName, width: number, more: Adjustment = {}): TextStyle {
    const { bold = false, ...setting }: Partial<TextStyle> & { size: number; bold?: boolean } = STYLES[style]
    return { face: bold ? this.#faces.bold : this.#faces.regular, width, smallest: 6, ...setting, ...more }
  }

  drawFeet(): void {
    const { text = "", warning = "" } = this.#page.foot ?? {}
    for (const [index, sheet] of this.#sheets.entries()) {
      this.sheet = sheet
      this.write(text, "note", LEFT, FOOT, warning === "" ? WIDTH - 40 : 62, { lines: 2 })
      this.write(warning, "heading", LEFT + 64, FOOT, WIDTH - 128, { align: "centre" })
      const number = `Page ${index + 1} of ${this.#sheets.length}`
      this.write(number, "note", RIGHT - 40, FOOT, 40, { align: "right" })
    }
  }
}

/** How much room a logo has at most. */
const LOGO = { width: 60, height: 22 }

function drawHead(
  writer: Writer,
  { title, about = "", corner: [main, more = ""] = [""], notes = [] }: PaperPage,
  logo: PDFImage | undefined,
): void {
  const logoBottom = logo ? writer.sheet.image(logo, RIGHT, TOP, LOGO.width, LOGO.height) : 0
  const width = main === "" && !logo ? WIDTH : 104
  const left = writer.write(title, "title", LEFT, TOP, width)
  writer.write(main, "corner", RIGHT - 76, TOP + 1.5, 76, { align: "right" })
  const second = Math.max(left + 0.5, TOP + 9)
  writer.write(more, "subtitle", RIGHT - 76, second, 76, { align: "right" })
  writer.y = Math.max(left, writer.write(about, "subtitle", LEFT, second, width), logoBottom) + 3
  writer.sheet.block(LEFT, writer.y, WIDTH, 0.7)
  writer.y += SPACE
  drawFacts(writer, { facts: notes })
}

function drawTitle(writer: Writer, title: string): void {
  writer.reserve(14)
  const y = writer.write(title.toUpperCase(), "heading", writer.x, writer.y, writer.room)
  writer.sheet.block(writer.x, y + 0.4, writer.room, HAIRLINE)
  writer.y = y + 2
}

const SUMS = 85

/** Names beside their values. Sums are kept together: an amount due alone on a sheet means nothing. */
function drawFacts(writer: Writer, { title, facts, layout, isWide }: Omit<Facts, "kind">): void {
  const given = facts.filter(isGiven)
  if (given.length === 0) return
  if (isWide) writer.y = Math.max(writer.y, writer.asideBottom)
  if (title) drawTitle(writer, title)
  const isSums = layout === "sums"
  if (isSums) writer.reserve(given.length * 5 + 4)
  const x = isSums ? RIGHT - SUMS : writer.x
  const widest = given.reduce((most, { name = "" }) => Math.max(most, writer.measureWidth(name, "name")), 0)
  const nameWidth = isSums ? SUMS / 2 : Math.min(Math.max(widest + 4, 22), writer.room * 0.4)
  for (const { name = "", text, style = "fact" } of given) {
    const [label, value] = text === "" ? ["", name] : [name, text]
    const indent = label === "" ? 0 : nameWidth
    const textStyle = style === "small" ? "note" : style
    if (isSums && style === "strong") writer.sheet.block(x, writer.y, SUMS, 0.5)
    if (isSums) writer.y += style === "strong" ? 2 : 0.8
    const lines = label === "" && !writer.isInColumn ? splitText(value) : value.split("\n")
    for (const [at, line] of lines.entries()) {
      const width = (isSums ? SUMS : writer.room) - indent
      writer.reserve(writer.measure(line, textStyle, width))
      writer.write(at === 0 ? label : "", isSums ? textStyle : "name", x, writer.y, nameWidth - 2)
      const align = isSums && label !== "" ? "right" : "left"
      writer.y = writer.write(line, textStyle, x + indent, writer.y, width, { align }) + FACT_SPACE
    }
  }
  writer.y += SPACE
}

/** The lines of a text, in pieces that are fitted into a space on paper. */
function splitText(text: string): string[] {
  return text.split("\n").flatMap((line) => line.match(/.{1,300}(?:\s|$)|.{1,300}/gsu) ?? [])
}

function drawBeside(writer: Writer, { columns }: Beside): void {
  writer.reserve(40)
  const { x, y, width } = writer
  const column = (width + GAP) / Math.max(columns.length, 2)
  let bottom = y
  for (const [at, blocks] of columns.entries()) {
    Object.assign(writer, { x: x + at * column, y, width: column - GAP, isInColumn: true })
    for (const block of blocks) drawFacts(writer, block)
    bottom = Math.max(bottom, writer.y)
  }
  Object.assign(writer, { x, y: bottom, width, isInColumn: false })
}

const HEADING = 6.5
const TICK = 8
const CELL_GAP = 2
const TOTALS = 8

/** @param after height of the part that has to be on the same sheet as the last row */
function drawTable(
  writer: Writer,
  { rows, columns, totals, isChecklist, empty = "" }: Table,
  after: number,
): void {
  const left = LEFT + (isChecklist ? TICK : 1.5)
  const taken = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const shares = columns.map(({ width, gives }): number =>
    width !== undefined ? 0 : gives === "words" ? 3 : 1,
  )
  const share = (RIGHT - left - taken) / shares.reduce((sum, each) => sum + each, 0)
  const eachCell = (draw: (column: TableColumn, at: number, x: number, width: number) => void): void => {
    let x = left
    for (const [at, column] of columns.entries()) {
      const { width = share * (shares[at] ?? 1) } = column
      draw(column, at, x, width - CELL_GAP)
      x += width
    }
  }
  const drawHeading = (): void => {
    writer.sheet.block(LEFT, writer.y, WIDTH, HEADING, TINT)
    eachCell(({ title, align = "left" }, _, x, width) =>
      writer.write(title.toUpperCase(), "caption", x, writer.y, width, { align, height: HEADING }),
    )
    writer.y += HEADING
  }
  const style = isChecklist ? "item" : "fact"
  const readBelow = ({ cells }: TableRow, at: number) => cellBelow(cells[at]).replaceAll("\n", ", ")
  const measureRow = (row: TableRow): number => {
    let height = 3.6
    eachCell((_, at, __, width) => {
      const text = writer.measure(cellText(row.cells[at]), style, width)
      height = Math.max(height, text + writer.measure(readBelow(row, at), "note", width))
    })
    return height + 2.8
  }
  const drawRow = (row: TableRow, height: number): void => {
    const { y, sheet } = writer
    if (isChecklist) sheet.frame(LEFT + 1, y + height / 2 - 2, 4, 4, 0.7)
    eachCell(({ align = "left" }, at, x, width) => {
      const cell = row.cells[at]
      if (typeof cell === "object" && cell.isMarked) {
        sheet.block(x, y + height / 2 - 2.2, width, 4.4)
        writer.write(cell.text, "mark", x, y, width, { height })
        return
      }
      const bottom = writer.write(cellText(cell), style, x, y + 1.3, width, { align })
      writer.write(readBelow(row, at), "note", x, bottom, width, { align })
    })
    sheet.block(LEFT, y + height, WIDTH, 0.15, 0.75)
    writer.y += height
  }

  writer.reserve(HEADING + 12 + (rows.length === 1 ? after : 0))
  drawHeading()
  writer.continueBlock = drawHeading
  for (const [index, row] of rows.entries()) {
    const height = measureRow(row)
    writer.reserve(height + (index === rows.length - 1 ? after + (totals ? TOTALS : 0) : 0))
    drawRow(row, height)
  }
  writer.continueBlock = () => {}
  if (rows.length === 0) writer.y = writer.write(empty, "fact", left, writer.y + 1.3, WIDTH) + 1
  writer.sheet.block(LEFT, writer.y, WIDTH, 0.5)
  // A total in words may be wider than its column.
  eachCell(({ align = "left" }, at, x, width) =>
    writer.write(totals?.[at] ?? "", "item", x, writer.y + 2, align === "right" ? width : 100, { align }),
  )
  writer.y += SPACE + (totals ? TOTALS : 0)
}

/** Height of signatures, with the signed text. */
const SIGNED = 44
const SIDE = (WIDTH - 8) / 2
/** Blanks to fill in on each side: distance from the left and from the top, and width; the first and last as parts of the width. */
const BLANKS = [
  ["Name", 0, 16, 1],
  ["Signature", 0, 31, 0.6],
  ["Date and time", 0.6, 31, 0.4],
] as const

/** At the foot of the sheet, so that they are found in the same place on each. */
function drawSignatures(writer: Writer, { claim, sides }: Signatures): void {
  writer.reserve(SIGNED)
  writer.write(claim, "fact", LEFT, BOTTOM - SIGNED, WIDTH)
  const y = BOTTOM - SIGNED + 6.5
  for (const [at, side] of sides.entries()) {
    const x = LEFT + at * (SIDE + 8)
    writer.sheet.block(x, y, SIDE, 5.5, TINT)
    writer.write(side.toUpperCase(), "caption", x + 2, y, SIDE - 4, { height: 5.5 })
    writer.sheet.frame(x, y, SIDE, 36, 0.6)
    for (const [name, left, top, part] of BLANKS) {
      writer.sheet.block(x + left * SIDE + 2, y + top, part * SIDE - 4, HAIRLINE, GREY)
      writer.write(name, "note", x + left * SIDE + 2, y + top + 0.6, part * SIDE - 4)
    }
  }
  writer.y = BOTTOM
}

/** Height of the picture: a label is 150 mm high as a rule. */
const PICTURE = 93
const UNDRAWN = "Not here: the carrier gave a file, but it cannot be drawn."

/** The picture below the title of the first facts, in place of them. */
function drawAside(
  writer: Writer,
  { facts, picture: file }: Aside,
  picture: PDFEmbeddedPage | undefined,
): void {
  const { y } = writer
  Object.assign(writer, { x: RIGHT - ASIDE, width: ASIDE, isInColumn: true })
  for (const [at, block] of facts.entries()) {
    if (at > 0 || !file) drawFacts(writer, block)
    else if (!picture) drawFacts(writer, { ...block, facts: [{ text: UNDRAWN }] })
    else {
      drawTitle(writer, block.title ?? "")
      writer.sheet.picture(picture, writer.x, writer.y, ASIDE, PICTURE)
      writer.sheet.frame(writer.x, writer.y, ASIDE, PICTURE, 0.4)
      writer.y += PICTURE + SPACE
    }
  }
  Object.assign(writer, { x: LEFT, width: WIDTH, isInColumn: false, asideBottom: writer.y, y })
}

async function embedLogo(pdf: PDFDocument, { kind, bytes }: Logo): Promise<PDFImage> {
  let picture: PDFImage
  try {
    picture = await (kind === "png" ? pdf.embedPng(bytes) : pdf.embedJpg(bytes))
  } catch (cause) {
    throw new FreightError("input", "the logo is damaged: it cannot be drawn", { cause })
  }
  if (picture.width > 0 && picture.height > 0) return picture
  throw new FreightError(
    "input",
    `the logo is ${picture.width} × ${picture.height} pixels: there is nothing to draw`,
  )
}

/** The first page of a file; undefined if it cannot be drawn. */
async function embedPicture(
  pdf: PDFDocument,
  file: Uint8Array | undefined,
): Promise<PDFEmbeddedPage | undefined> {
  if (!file) return undefined
  try {
    const source = await PDFDocument.load(file)
    // A page that cannot be drawn would stay in the document, and fail again when that is saved.
    const { pdf: trial } = await createPdf("")
    const sheet = new Sheet(trial.addPage(A4))
    for (const page of await trial.embedPdf(source)) sheet.picture(page, LEFT, TOP, WIDTH, PICTURE)
    await trial.save()
    const [page] = await pdf.embedPdf(source)
    return page
  } catch {
    return undefined
  }
}
