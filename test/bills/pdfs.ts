/** Bills drawn as PDFs, as carriers print them: the same rows in other fonts, sizes, columns and pages. */
import { degrees, PDFDocument, StandardFonts } from "@cantoo/pdf-lib"
import { money, taxOf } from "./desk.ts"
import type { Draw, Sheet } from "./layouts.ts"

export interface PdfStyle {
  font?: StandardFonts
  size?: number
  isLandscape?: boolean
  /** Between columns, in points. */
  gap?: number
  rowsOnPage?: number
  /** Where headings stand over their columns. */
  headings?: "as cells" | "left" | "centre"
  repeatsHeadings?: boolean
  pageTotals?: boolean
  /** How sums stand at the end. */
  totals?: "block" | "columns" | "none" | "due" | "rebate"
  /** Added to the sums, in cents, to make them wrong. */
  wrongBy?: number
  number?: string
  watermark?: boolean
  /** Cells of words are broken into two lines where they have a blank. */
  wraps?: boolean
  /** Negative amounts stand in brackets. */
  brackets?: boolean
  /** Headings and cells are drawn a letter at a time. */
  isSpaced?: boolean
  footer?: string
}

/** In cents without GST, of a bill with one. */
export const REBATE = -1000

interface Pen {
  y: number
  page: ReturnType<PDFDocument["addPage"]>
}

const MARGIN = 40
/** Lines of a letterhead, and of sums at the end. */
const LINES_AROUND = 20

/** Bills one after the other in one PDF. */
export async function drawPdf(bills: readonly (readonly [Sheet, PdfStyle])[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (const [sheet, style] of bills) await drawBill(pdf, sheet, style)
  return pdf.save()
}

async function drawBill(pdf: PDFDocument, sheet: Sheet, style: PdfStyle): Promise<void> {
  const { size = 8, gap = 14, isLandscape = false, headings = "as cells" } = style
  const { repeatsHeadings = true, totals = "block", wrongBy = 0, number = "CF-1001", footer } = style
  const font = pdf.embedStandardFont(style.font ?? StandardFonts.Helvetica)
  const { columns, rows } = sheet
  const cells = rows.map((row) =>
    row.cells.map((cell) => (style.brackets ? cell.replace(/^-(\d.*)$/, "($1)") : cell)),
  )
  const isAmount = columns.map((_, at) => cells.every((row) => /^[-(]?[\d.]*\)?$/.test(row[at] ?? "")))
  const widthOf = (text: string) => font.widthOfTextAtSize(text, size)
  const partsOf = (text: string) =>
    style.wraps && /[A-Za-z] /.test(text) && !/total|payable/i.test(text) ? text.split(" ") : [text]
  const widths = columns.map(({ heading }, at) =>
    Math.max(widthOf(heading), ...cells.flatMap((row) => partsOf(row[at] ?? "").map(widthOf))),
  )
  const lefts = widths.map((_, at) => MARGIN + widths.slice(0, at).reduce((sum, each) => sum + each + gap, 0))
  const wide = MARGIN * 2 + widths.reduce((all, each) => all + each + gap, 0)
  const box: [number, number] = isLandscape ? [Math.max(842, wide), 595] : [Math.max(595, wide), 842]
  const leading = size * 1.3
  const most = Math.max(...cells.flatMap((row) => row.map((cell) => partsOf(cell).length)))
  const fitting = (box[1] - 2 * MARGIN - LINES_AROUND * leading) / (leading * (most > 1 ? most + 0.5 : 1))
  const rowsOnPage = Math.min(style.rowsOnPage ?? 40, Math.floor(fitting))
  const pages: Pen[] = []
  const begin = (): Pen => {
    const page = pdf.addPage(box)
    const pen = { page, y: box[1] - MARGIN }
    pages.push(pen)
    return pen
  }
  let pen = begin()
  const write = (text: string, x: number, big = size) => {
    if (!style.isSpaced) return pen.page.drawText(text, { x, y: pen.y, size: big, font })
    let at = x
    for (const letter of text) {
      pen.page.drawText(letter, { x: at, y: pen.y, size: big, font })
      at += font.widthOfTextAtSize(letter, big)
    }
  }
  const line = (text: string, x = MARGIN, big = size) => {
    write(text, x, big)
    pen.y -= big * 1.3
  }
  const writeHeadings = () => {
    for (const [at, { heading }] of columns.entries()) {
      const spare = (widths[at] ?? 0) - widthOf(heading)
      const share = headings === "centre" ? 0.5 : headings === "as cells" && isAmount[at] ? 1 : 0
      write(heading, (lefts[at] ?? 0) + spare * share)
    }
    pen.y -= leading * 1.2
  }
  const writeRow = (texts: readonly string[]) => {
    const lines = texts.map((text) => partsOf(text))
    const most = Math.max(...lines.map(({ length }) => length))
    for (let part = 0; part < most; part++) {
      for (const [at, own] of lines.entries()) {
        const text = own[part] ?? ""
        if (text === "") continue
        write(text, (lefts[at] ?? 0) + (isAmount[at] ? (widths[at] ?? 0) - widthOf(text) : 0))
      }
      pen.y -= leading
    }
    if (most > 1) pen.y -= leading * 0.5
  }
  line("Coral Freight Pty Ltd", MARGIN, size * 2)
  line("ABN 51 824 753 556")
  line("TAX INVOICE")
  line(`Invoice No: ${number}`)
  line("Invoice date: 24/11/2026")
  line("Bill to: Port Fittings Pty Ltd, ABN 53 004 085 616")
  pen.y -= leading
  writeHeadings()
  const sum = (from: number, to: number, at: number) =>
    cells.slice(from, to).reduce((all, row) => all + toCents(row[at] ?? ""), 0)
  for (const [at, row] of cells.entries()) {
    if (at > 0 && at % rowsOnPage === 0) {
      if (style.pageTotals)
        writeRow(
          columns.map((_, each) =>
            each === 0 ? "Page total" : isAmount[each] ? money(sum(at - rowsOnPage, at, each)) : "",
          ),
        )
      pen = begin()
      line("Coral Freight Pty Ltd")
      if (style.pageTotals) line("Carried forward from page 1")
      pen.y -= leading
      if (repeatsHeadings) writeHeadings()
    }
    writeRow(row)
  }
  const cents = rows.reduce((all, row) => all + row.cents, 0) + wrongBy
  const right = MARGIN + widths.reduce((all, each) => all + each + gap, 0) - gap
  const total = (label: string, amount: number) => {
    const text = `$${money(amount)}`
    write(label, MARGIN)
    line(text, Math.max(right, MARGIN + 220) - widthOf(text))
  }
  pen.y -= leading
  if (totals === "columns")
    writeRow(
      columns.map((_, at) =>
        at === 0 ? "Total" : isAmount[at] ? money(sum(0, cells.length, at) + wrongBy) : "",
      ),
    )
  if (totals === "rebate") {
    const last = (label: string, exGst: number) => {
      const amounts = [exGst, taxOf(exGst), exGst + taxOf(exGst)]
      writeRow(
        columns
          .map((_, at) => (at === 1 ? label : money(amounts.at(at - columns.length) ?? 0)))
          .map((cell, at) => (at === 1 || at >= columns.length - 3 ? cell : "")),
      )
    }
    last("Sub total", cents - wrongBy)
    last("Volume rebate", REBATE)
    last("Amount due", cents + REBATE)
  }
  if (totals === "block") {
    total("Total ex GST", cents)
    total("GST", taxOf(cents))
    total("Total inc GST", cents + taxOf(cents))
  }
  if (totals === "block" || totals === "due") {
    total("Balance brought forward", 12_345)
    total("Payments received, thank you", -12_000)
    total("Amount due", cents + taxOf(cents) + 345)
  }
  for (const [at, { page }] of pages.entries()) {
    page.drawText(`Page ${at + 1} of ${pages.length}`, { x: box[0] - 100, y: 20, size: 6, font })
    if (footer) page.drawText(footer, { x: MARGIN, y: 28, size: 6, font })
    if (style.watermark)
      page.drawText("COPY", { x: 150, y: 200, size: 120, font, rotate: degrees(45), opacity: 0.2 })
  }
}

const toCents = (cell: string) => Math.round(Number(cell.replace(/^\((.*)\)$/, "-$1") || "0") * 100)

const FONTS = [
  StandardFonts.Helvetica,
  StandardFonts.TimesRoman,
  StandardFonts.Courier,
  StandardFonts.HelveticaBold,
]

/**
 * Lines of text on one page. @param lines texts with their left edges in points, or with their right edges below nothing
 */
export async function drawLines(
  lines: readonly (readonly (readonly [text: string, x: number])[])[],
  {
    scale = 1,
    apart = 0,
    isAllApart = false,
    font: fontName,
    leading = 1.4,
    isTyped = false,
    raised = false,
  }: LineStyle = {},
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = pdf.embedStandardFont(fontName ?? (isTyped ? StandardFonts.Courier : StandardFonts.Helvetica))
  const page = pdf.addPage([595 * scale, 842 * scale])
  const size = SMALL * scale
  for (const [at, line] of lines.entries())
    for (const [text, x] of line) {
      const y = (800 - at * SMALL * leading) * scale
      const letters = apart > 0 && (isAllApart || /\d/.test(text)) ? [...text] : [text]
      const widths = letters.map((each) => font.widthOfTextAtSize(each, size) + apart * size)
      const width = widths.reduce((sum, each) => sum + each, -apart * size)
      let left = x < 0 ? -x * scale - width : x * scale
      const [, dollars, cents] = (raised && /^(-?\d+)\.(\d\d)$/.exec(text)) || []
      if (dollars !== undefined && cents !== undefined) {
        page.drawText(dollars, { x: left, y, size, font })
        const at = left + font.widthOfTextAtSize(dollars, size)
        page.drawText(cents, { x: at, y: y + size * 0.35, size: size * 0.65, font })
        continue
      }
      for (const [index, letter] of letters.entries()) {
        page.drawText(letter, { x: left, y, size, font })
        left += widths[index] ?? 0
      }
    }
  return pdf.save()
}

export interface LineStyle {
  /** How large the page is, and all on it. */
  scale?: number
  /** How far the letters of amounts and numbers stand apart, as a share of their size. */
  apart?: number
  /** Whether letters of words stand apart, too. */
  isAllApart?: boolean
  font?: StandardFonts
  /** Distance from one line to the next, as a multiple of the size. */
  leading?: number
  /** Whether all letters are as wide. */
  isTyped?: boolean
  /** Whether cents are small and raised, without a point. */
  raised?: boolean
}

const SMALL = 8

/** Another way to print, which leaves the bill what it is. */
export function drawStyle(draw: Draw): PdfStyle {
  const pick = <Each>(...some: readonly Each[]) => some[draw(some.length)] as Each
  return {
    font: pick(...FONTS),
    size: pick(6, 7, 8, 9),
    gap: pick(6, 10, 14, 22),
    isLandscape: pick(true, false),
    rowsOnPage: pick(7, 12, 40),
    headings: pick("as cells", "left", "centre"),
    repeatsHeadings: pick(true, true, false),
    pageTotals: pick(false, false, true),
    totals: pick("block", "block", "columns"),
    watermark: pick(true, false, false),
    wraps: pick(true, false, false),
    brackets: pick(true, false),
    isSpaced: pick(true, false, false),
    ...(pick(true, false) && {
      footer: "Please pay within 14 days. 1.50% a month is charged on overdue accounts.",
    }),
  }
}
