/** Draws on a page in millimetres from its top left corner, in shades of grey. Loads the PDF library. */
import {
  fill,
  grayscale,
  PDFDocument,
  type PDFEmbeddedPage,
  type PDFImage,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rectangle,
  setFillingGrayscaleColor,
  StandardFonts,
} from "@cantoo/pdf-lib"
import { Face, fitText } from "./text.ts"

/** Points in a millimetre. */
export const MM = 72 / 25.4
/** Points in a dot of the usual label printer, 203 to the inch: bars of whole dots are printed sharp. */
const DOT = 72 / 203
/** Width and height of a page, in points. */
export const A4: [number, number] = [210 * MM, 297 * MM]
/** Shades run from black to white; label printers know only these two. */
const BLACK = 0
export const WHITE = 1
/** Grey of captions and notes on office paper, and of stripes behind text. */
export const GREY = 0.4
export const TINT = 0.93
/** Parts of the size: from the top of a line to its letters' feet, and to the next line. */
const BASELINE = 0.78
const LEADING = 1.15
/** Part of the size: twice the distance from the top of a line to the middle of its capitals. */
const CAPITALS = 0.84

export interface Faces {
  regular: Face
  bold: Face
}

/** Letters that a font is worth embedding for. */
const LETTER = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u

/**
 * An empty PDF. It has no metadata, which would contain the time: the same content gives the same bytes.
 * @param content all texts that will be drawn; a font is embedded if its letters need one
 * @returns also the characters of the content that cannot be drawn
 */
export async function createPdf(
  title: string,
  content: unknown = "",
): Promise<{ pdf: PDFDocument; faces: Faces; undrawn: string[] }> {
  const text = JSON.stringify(content, (_, value) => (value instanceof Uint8Array ? undefined : value))
  const plain = await createEmptyPdf(title)
  const face = new Face(plain.embedStandardFont(StandardFonts.Helvetica))
  if (!face.findUnknown(text).some((character) => LETTER.test(character))) {
    const bold = new Face(plain.embedStandardFont(StandardFonts.HelveticaBold))
    return { pdf: plain, faces: { regular: face, bold }, undrawn: face.findUndrawn(text) }
  }
  // Another, since a font that is not used would stay in the first.
  const pdf = await createEmptyPdf(title)
  const { embedOpenSans } = await import("./fonts.ts")
  const { regular, bold } = await embedOpenSans(pdf)
  const faces = { regular: new Face(regular), bold: new Face(bold) }
  return { pdf, faces, undrawn: faces.regular.findUndrawn(text) }
}

async function createEmptyPdf(title: string): Promise<PDFDocument> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  pdf.setTitle(title)
  return pdf
}

/** How a text is set. Width in millimetres, sizes in points. */
export interface TextStyle {
  face: Face
  size: number
  width: number
  lines?: number
  /** Smallest size to which it may shrink; three quarters of the size when left out. */
  smallest?: number
  align?: keyof typeof SPARE_BEFORE
  /** Centres the lines in this height, in millimetres; they start at the top when left out. */
  height?: number
  /** Black when left out. */
  shade?: number
}

/** @returns also the height of the lines, in millimetres; an empty text takes no room */
function layOut(text: string, style: TextStyle) {
  const { face, width, size: largest, smallest = largest * 0.75 } = style
  const { lines, size } = fitText(text, face, { ...style, width: width * MM, smallest })
  return { lines, size, high: lines[0] === "" ? 0 : (lines.length * LEADING * size) / MM }
}

/** In millimetres. */
export function measureHeight(text: string, style: TextStyle): number {
  return layOut(text, style).high
}

/** Share of a line's spare width that is before it. */
const SPARE_BEFORE = { left: 0, centre: 0.5, right: 1 } as const

export class Sheet {
  readonly #page: PDFPage
  readonly #height: number

  constructor(page: PDFPage) {
    this.#page = page
    this.#height = page.getHeight()
  }

  /** Writes a text whose first line has its top at `y`; gives the bottom of its last line. An empty text takes no room. */
  write(text: string, x: number, y: number, style: TextStyle): number {
    const { face, width, align = "left", height, shade = BLACK } = style
    const { lines, size, high } = layOut(text, style)
    if (high === 0) return y
    const tall = (((lines.length - 1) * LEADING + CAPITALS) * size) / MM
    const top = height === undefined ? y : y + (height - tall) / 2
    for (const [index, line] of lines.entries()) {
      const spare = width * MM - face.widthOf(line) * size
      this.#page.drawText(line, {
        x: x * MM + spare * SPARE_BEFORE[align],
        y: this.#height - top * MM - (index * LEADING + BASELINE) * size,
        font: face.font,
        size,
        color: grayscale(shade),
      })
    }
    return y + high
  }

  block(x: number, y: number, width: number, height: number, shade = BLACK): void {
    this.#page.drawRectangle({ ...this.#box(x, y, width, height), color: grayscale(shade) })
  }

  /** A rectangle's outline, `line` points thick. */
  frame(x: number, y: number, width: number, height: number, line: number): void {
    this.#page.drawRectangle({
      ...this.#box(x, y, width, height),
      borderColor: grayscale(BLACK),
      borderWidth: line,
    })
  }

  /** A page of another PDF, as large as the box allows and in its middle. */
  picture(page: PDFEmbeddedPage, x: number, y: number, width: number, height: number): void {
    const scale = Math.min((width * MM) / page.width, (height * MM) / page.height)
    const [wide, tall] = [(page.width * scale) / MM, (page.height * scale) / MM]
    this.#page.drawPage(page, this.#box(x + (width - wide) / 2, y + (height - tall) / 2, wide, tall))
  }

  /** An image with its top right corner at a place, as large as the box allows. @returns its lower edge */
  image(image: PDFImage, right: number, y: number, width: number, height: number): number {
    const scale = Math.min(width / image.width, height / image.height)
    const [wide, tall] = [image.width * scale, image.height * scale]
    this.#page.drawImage(image, this.#box(right - wide, y, wide, tall))
    return y + tall
  }

  /** The outline of a square on its corner, `line` millimetres thick. */
  diamond(x: number, y: number, size: number, line: number): void {
    const half = size / 2
    this.#page.drawSvgPath(`M 0 ${-half} L ${half} 0 L 0 ${half} L ${-half} 0 Z`, {
      x: (x + half) * MM,
      y: this.#height - (y + half) * MM,
      scale: MM,
      borderColor: grayscale(BLACK),
      borderWidth: line,
    })
  }

  /**
   * Bars and gaps by turns, centred in the width with `quiet` blank modules on each side at least: as wide as the
   * width allows in whole printer dots, and at most five dots a module.
   * @param widths in modules, a bar first
   */
  bars(widths: readonly number[], quiet: number, x: number, y: number, width: number, height: number): void {
    const modules = widths.reduce((sum, one) => sum + one, 0)
    // One dot is kept for moving the bars onto the printer's grid.
    const widest = (width * MM - DOT) / (modules + 2 * quiet)
    const module = widest < DOT ? widest : Math.min(Math.floor(widest / DOT), 5) * DOT
    let left = Math.round((x * MM + (width * MM - modules * module) / 2) / DOT) * DOT
    const operators = [pushGraphicsState(), setFillingGrayscaleColor(BLACK)]
    for (const [index, one] of widths.entries()) {
      if (index % 2 === 0)
        operators.push(rectangle(left, this.#height - (y + height) * MM, one * module, height * MM))
      left += one * module
    }
    this.#page.pushOperators(...operators, fill(), popGraphicsState())
  }

  #box(x: number, y: number, width: number, height: number) {
    return { x: x * MM, y: this.#height - (y + height) * MM, width: width * MM, height: height * MM }
  }
}
