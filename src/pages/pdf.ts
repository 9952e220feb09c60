/** Draws pages on A4. Loads the PDF library: import it lazily. Lengths are in millimetres. */
import { PDFDocument, type PDFEmbeddedPage } from "@cantoo/pdf-lib"
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
} from "../paper/sheet.ts"
import {
  type Aside,
  cellBelow,
  cellText,
  type Beside,
  type Fact,
  type Facts,
  type Page,
  type PlainBlock,
  type Signatures,
  type Table,
  type TableCell,
  type TableColumn,
  type TableRow,
} from "./model.ts"

const LEFT = 14
const WIDTH = 182
const RIGHT = LEFT + WIDTH
const TOP = 13
/** Below are the foot of the page and its number. */
const BOTTOM = 278
const FOOT = 285
/** Width of the aside, and of what stands left of it. */
const ASIDE = 64
const GAP = 6
/** Between blocks. */
const SPACE = 3.5
const HAIRLINE = 0.2
const SIZE = 8.5

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
    drawHead(writer, page)
    if (page.aside) drawAside(writer, page.aside, picture)
    for (const [at, block] of page.blocks.entries()) {
      const next = page.blocks[at + 1]
      if (block.kind === "table") drawTable(writer, block, next?.kind === "signatures" ? SIGNED + SPACE : 0)
      else if (block.kind === "beside") drawBeside(writer, block)
      else if (block.kind === "signatures") drawSignatures(writer, block)
      else drawFacts(writer, block)
    }
    writer.drawFeet()
  }
  const bytes = await pdf.save({ useObjectStreams: false })
  return { pdf: bytes, sheets: pdf.getPageCount(), undrawn, hasPictures }
}

type TextSetting = Partial<Omit<Setting, "face">> & { bold?: boolean }

/** Writes downwards, and on a further sheet where there is no room. */
class Writer {
  x = LEFT
  y = TOP
  /** Of the column that is being written. */
  width = WIDTH
  /** No further sheet begins within columns. */
  isInColumn = false
  /** How far down the aside goes; only on the first sheet. */
  asideBottom = 0
  /** Drawn at the top of each further sheet, below its title. */
  continueBlock: () => void = () => {}
  readonly faces: Faces
  readonly #pdf: PDFDocument
  readonly #page: PaperPage
  readonly #sheets: Sheet[] = []

  constructor(pdf: PDFDocument, faces: Faces, page: PaperPage) {
    this.faces = faces
    this.#pdf = pdf
    this.#page = page
    this.#sheets.push(new Sheet(pdf.addPage(A4)))
  }

  get sheet(): Sheet {
    const sheet = this.#sheets.at(-1)
    if (!sheet) throw new Error("a page has a sheet")
    return sheet
  }

  /** The width at this height. */
  get room(): number {
    return this.y < this.asideBottom && !this.isInColumn ? this.width - ASIDE - GAP : this.width
  }

  /** Goes on to a further sheet unless so much room is left. */
  reserve(height: number): void {
    if (this.isInColumn || this.y + height <= BOTTOM) return
    this.#sheets.push(new Sheet(this.#pdf.addPage(A4)))
    this.asideBottom = 0
    const { title, about = "", corner = [] } = this.#page
    const more = [about, ...corner, "continued"].filter(Boolean).join(", ")
    this.write(title, LEFT, TOP, { size: 13, width: 60, bold: true })
    this.write(more, LEFT + 62, TOP + 1, { size: 10, width: WIDTH - 62, align: "right", shade: GREY })
    this.sheet.block(LEFT, TOP + 8, WIDTH, 0.7)
    this.y = TOP + 13
    this.continueBlock()
  }

  /** @returns the bottom of the text */
  write(text: string, x: number, y: number, setting: TextSetting): number {
    return this.sheet.write(text, x, y, this.#toSetting(setting))
  }

  measure(text: string, setting: TextSetting): number {
    return measureText(text, this.#toSetting(setting))
  }

  #toSetting({ bold = false, ...setting }: TextSetting): Setting {
    const face = bold ? this.faces.bold : this.faces.regular
    return { face, size: SIZE, width: this.width, smallest: 6, ...setting }
  }

  drawFeet(): void {
    const { text = "", warning = "" } = this.#page.foot ?? {}
    for (const [index, sheet] of this.#sheets.entries()) {
      const small = { face: this.faces.regular, size: 7.5, smallest: 6, shade: GREY }
      sheet.write(text, LEFT, FOOT, { ...small, width: warning === "" ? WIDTH - 40 : 62, lines: 2 })
      sheet.write(warning, LEFT + 64, FOOT, {
        face: this.faces.bold,
        size: 8,
        width: WIDTH - 128,
        align: "centre",
      })
      const number = `Page ${index + 1} of ${this.#sheets.length}`
      sheet.write(number, RIGHT - 40, FOOT, { ...small, width: 40, align: "right" })
    }
  }
}

function drawHead(
  writer: Writer,
  { title, about = "", corner: [main, more = ""] = [""], notes = [] }: PaperPage,
): void {
  const left = writer.write(title, LEFT, TOP, {
    size: 21,
    smallest: 11,
    width: main === "" ? WIDTH : 104,
    bold: true,
  })
  const below = writer.write(about, LEFT, Math.max(left + 0.5, TOP + 9), {
    size: 11,
    shade: GREY,
    width: 104,
    smallest: 7,
  })
  const x = LEFT + 106
  const right = { width: WIDTH - 106, align: "right" } as const
  const cornerBottom = writer.write(main, x, TOP + 1.5, { ...right, size: 14, bold: true })
  const moreBottom = writer.write(more, x, Math.max(cornerBottom, TOP + 9), {
    ...right,
    size: 11,
    shade: GREY,
  })
  writer.y = Math.max(left, below, moreBottom) + 3
  writer.sheet.block(LEFT, writer.y, WIDTH, 0.7)
  writer.y += SPACE
  if (notes.some(({ text }) => text !== "")) drawFacts(writer, { facts: notes })
}

function drawTitle(writer: Writer, title: string): void {
  writer.reserve(14)
  const y = writer.write(title.toUpperCase(), writer.x, writer.y, {
    size: 7.5,
    width: writer.room,
    bold: true,
  })
  writer.sheet.block(writer.x, y + 0.4, writer.room, HAIRLINE)
  writer.y = y + 2
}

const MOST_LINES = 4
const NAME_GAP = 4

function drawFacts(writer: Writer, { title, facts, layout, isWide }: Omit<Facts, "kind">): void {
  const given = facts.filter(({ text, name, style }) => text !== "" || (name && style === "small"))
  if (given.length === 0) return
  const drawLaidOut = layout && LAYOUTS[layout]
  if (drawLaidOut) {
    drawLaidOut(writer, given)
    return
  }
  if (isWide) writer.y = Math.max(writer.y, writer.asideBottom)
  if (title) drawTitle(writer, title)
  const nameWidth = measureNames(writer, given)
  for (const { name = "", text, style } of given)
    for (const part of name === "" && !writer.isInColumn ? splitText(text) : text.split("\n")) {
      const indent = name === "" ? 0 : nameWidth
      const size = style === "strong" ? 11 : style === "small" ? 7 : SIZE
      const setting = { size, bold: style === "strong", width: writer.room - indent, lines: MOST_LINES }
      const height = writer.measure(part, setting)
      writer.reserve(height)
      writer.write(name, writer.x, writer.y, { width: nameWidth - NAME_GAP / 2, shade: GREY })
      writer.y = writer.write(part, writer.x + indent, writer.y, setting) + 0.6
    }
  writer.y += SPACE
}

/** As wide as the longest name, up to two fifths of the room. */
function measureNames({ faces, room }: Writer, facts: readonly Fact[]): number {
  const widths = facts.map(
    ({ name = "" }) => (faces.regular.widthOf(faces.regular.printable(name)) * SIZE * 25.4) / 72,
  )
  const widest = widths.reduce((most, each) => Math.max(most, each), 0)
  return Math.min(Math.max(widest + NAME_GAP, 22), room * 0.4)
}

/** The lines of a text, in pieces of what is fitted into a space on paper. */
function splitText(text: string): string[] {
  return text.split("\n").flatMap((line) => line.match(/.{1,300}(?:\s|$)|.{1,300}/gsu) ?? [])
}

function drawBeside(writer: Writer, { columns }: Beside): void {
  writer.reserve(40)
  const { x, y, width } = writer
  const column = width / Math.max(columns.length, 2)
  let bottom = y
  for (const [at, blocks] of columns.entries()) {
    Object.assign(writer, { x: x + at * column, y, width: column - GAP, isInColumn: true })
    for (const block of blocks) drawFacts(writer, block)
    bottom = Math.max(bottom, writer.y)
  }
  Object.assign(writer, { x, y: bottom, width, isInColumn: false })
}

const SUMS = 85
const SUM_ROW = 5.2

/** Kept together: an amount due that stands alone on a sheet says nothing. */
function drawSums(writer: Writer, facts: readonly Fact[]): void {
  writer.reserve(facts.length * SUM_ROW + 8)
  const x = RIGHT - SUMS
  for (const { name = "", text, style } of facts) {
    const isStrong = style === "strong"
    if (isStrong) writer.sheet.block(x, writer.y, SUMS, 9.5)
    const y = writer.y + (isStrong ? 2.2 : 0)
    const setting = {
      size: isStrong ? 12 : style === "small" ? 7.5 : 9.5,
      bold: isStrong,
      shade: isStrong ? WHITE : BLACK,
    }
    writer.write(name, x + 2, y, { ...setting, width: text === "" ? SUMS - 4 : 43 })
    writer.write(text, RIGHT - 42, y, { ...setting, width: 40, align: "right" })
    writer.y += isStrong ? 12 : SUM_ROW
  }
  writer.y += SPACE
}

/** What is strong is white on black. */
function drawBoxes(writer: Writer, facts: readonly Fact[]): void {
  const width = WIDTH / facts.length
  for (const [at, { name = "", text, style }] of facts.entries()) {
    const [x, y, isBlack] = [LEFT + at * width, writer.y, style === "strong"]
    if (isBlack) writer.sheet.block(x, y, width, 12)
    writer.sheet.frame(x, y, width, 12, 0.6)
    writer.write(name.toUpperCase(), x + 2, y + 1.3, {
      size: 6.5,
      width: width - 4,
      shade: isBlack ? WHITE : GREY,
    })
    writer.write(text, x + 2, y + 4.5, {
      size: 14,
      bold: true,
      width: width - 4,
      shade: isBlack ? WHITE : BLACK,
    })
  }
  writer.y += 12 + SPACE
}

const LAYOUTS = { sums: drawSums, boxes: drawBoxes }

const HEADING = 6.5
const TICK = 8
const CELL_GAP = 2
const CELL_LINES = 4

/** @param after what has to stand on the same sheet as the last row, in height */
function drawTable(writer: Writer, table: Table, after: number): void {
  const { rows, columns, totals, isChecklist = false, empty = "" } = table
  const left = LEFT + (isChecklist ? TICK : 1.5)
  const taken = columns.reduce((sum, { width = 0 }) => sum + width, 0)
  const widths = columns.map(({ width = RIGHT - left - taken }) => width)
  const eachCell = (draw: (column: TableColumn, at: number, x: number, width: number) => void): void => {
    let x = left
    for (const [at, column] of columns.entries()) {
      draw(column, at, x, (widths[at] ?? 0) - CELL_GAP)
      x += widths[at] ?? 0
    }
  }
  const drawHeading = (): void => {
    writer.sheet.block(LEFT, writer.y, WIDTH, HEADING, TINT)
    eachCell(({ title, align = "left" }, _, x, width) =>
      writer.write(title.toUpperCase(), x, writer.y, {
        size: 6.5,
        width,
        bold: true,
        align,
        shade: GREY,
        height: HEADING,
      }),
    )
    writer.y += HEADING
  }
  const strong = { size: 9, smallest: 6.5, bold: isChecklist }
  const textSetting = (cell: TableCell | undefined) => ({
    ...strong,
    lines: cellBelow(cell) && isChecklist ? 1 : CELL_LINES,
  })
  const small = { size: 7.5, shade: GREY, lines: isChecklist ? 1 : CELL_LINES }
  const below = (cell: TableCell | undefined) => cellBelow(cell).replaceAll("\n", ", ")
  const measureRow = ({ cells }: TableRow): number => {
    let height = 0
    eachCell((_, at, __, width) => {
      const text = writer.measure(cellText(cells[at]), { ...textSetting(cells[at]), width })
      height = Math.max(height, text + writer.measure(below(cells[at]), { ...small, width }))
    })
    return Math.max(height, 3.6) + 2.8
  }
  const drawRow = ({ cells }: TableRow, height: number): void => {
    const { y, sheet } = writer
    if (isChecklist) sheet.frame(LEFT + 1, y + height / 2 - 2, 4, 4, 0.7)
    eachCell(({ align = "left" }, at, x, width) => {
      const cell = cells[at]
      if (typeof cell === "object" && cell.isMarked) sheet.block(x, y + height / 2 - 2.2, width, 4.4)
      if (typeof cell === "object" && cell.isMarked)
        writer.write(cell.text, x, y, { size: 8.5, bold: true, width, height, align: "centre", shade: WHITE })
      else {
        const bottom = writer.write(cellText(cell), x, y + 1.3, { ...textSetting(cell), width, align })
        writer.write(below(cell), x, bottom, { ...small, width, align })
      }
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
  if (rows.length === 0) writer.y = writer.write(empty, left, writer.y + 1.3, {}) + 1
  writer.sheet.block(LEFT, writer.y, WIDTH, 0.5)
  if (totals) {
    // A total of words may be wider than its column.
    eachCell(({ align = "left" }, at, x, width) =>
      writer.write(totals[at] ?? "", x, writer.y + 2, {
        size: 9.5,
        bold: true,
        align,
        width: align === "right" ? width : 100,
      }),
    )
    writer.y += TOTALS
  }
  writer.y += SPACE
}

const TOTALS = 8
/** How high signatures stand, with what is signed for. */
const SIGNED = 44

/** At the foot of the sheet, so that they are found in the same place on each. */
function drawSignatures(writer: Writer, { claim, sides }: Signatures): void {
  writer.reserve(SIGNED)
  const y = BOTTOM - SIGNED
  writer.write(claim, LEFT, y, { size: 9.5 })
  const width = (WIDTH - 8) / 2
  for (const [at, side] of sides.entries())
    drawSignature(writer, side, LEFT + at * (width + 8), y + 6.5, width)
  writer.y = BOTTOM
}

function drawSignature(writer: Writer, side: string, x: number, y: number, width: number): void {
  const title = { size: 7, bold: true, width: width - 4, height: 5.5, shade: GREY }
  writer.sheet.block(x, y, width, title.height, TINT)
  writer.write(side.toUpperCase(), x + 2, y, title)
  writer.sheet.frame(x, y, width, 36, 0.6)
  const blanks: [name: string, x: number, y: number, width: number][] = [
    ["Name", x, y + 16, width],
    ["Signature", x, y + 31, width * 0.6],
    ["Date and time", x + width * 0.6, y + 31, width * 0.4],
  ]
  for (const [name, left, line, long] of blanks) {
    writer.sheet.block(left + 2, line, long - 4, HAIRLINE, GREY)
    writer.write(name, left + 2, line + 0.8, { size: 6.5, shade: GREY, width: long - 4 })
  }
}

/** Height of the picture: a label is 150 mm high as a rule. */
const PICTURE = 93

/** The picture below the title of the first facts; the facts where there is none. */
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

const UNDRAWN = "Not here: the carrier gave a file, but it cannot be drawn."

/** The first page of a file; undefined where there is none that can be drawn. */
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
