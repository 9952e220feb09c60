/** Evidence on one page. Loads the PDF library: import it lazily. Lengths are in millimetres. */
import { PDFDocument, type PDFEmbeddedPage } from "@cantoo/pdf-lib"
import { A4, createPdf, type Faces, GREY, Sheet } from "../paper/sheet.ts"
import type { Line, Section } from "./sections.ts"

const LEFT = 14
const WIDTH = 182
const RIGHT = LEFT + WIDTH
const TOP = 31
const BOTTOM = 281
const FOOT = 285
/** Of the left column, and between the two. */
const COLUMN = 112
const GAP = 6
/** Between sections. */
const SPACE = 2.5
/** Of the names beside the values: of the width of a column, and where there is the whole page. */
const NAME_SHARE = 0.24
const WIDE_NAME = 40
const SIZE = 8
/** Height of the picture of a label, which is 150 mm high as a rule. */
const PICTURE = 93

interface Content {
  title: string
  about: string
  /** By the title: `Label` and `Proof of delivery` stand beside the others, and those in `below` under all. */
  sections: readonly Section[]
  label: Uint8Array | undefined
  /** Formatted for printing. */
  madeAt: string
  /** Of the machine that made it. */
  zone: string
  warning?: string
}

const BESIDE = ["Label", "Proof of delivery"]
const BELOW = ["Charges", "Tracking"]
/** Most lines of a value in a column; one where there is the whole page. */
const LINES_AT_MOST = 2
const NO_PICTURE: Line = ["", "Not here: the carrier gave a file, but it cannot be drawn."]

/**
 * An A4 PDF of one page. The same content gives the same bytes; what is too long is cut with an ellipsis, and where lines
 * are left out the page says how many. `hasLabel` is false when there is no label, or none that can be drawn.
 */
export async function renderEvidence(content: Content): Promise<{ pdf: Uint8Array; hasLabel: boolean }> {
  const { pdf, faces } = await createPdf(`Evidence for ${content.title}`, [
    content.title,
    content.about,
    content.sections,
  ])
  const sheet = new Sheet(pdf.addPage(A4))
  drawHeading(sheet, faces, content)
  const { sections } = content
  const titled = (titles: readonly string[]) => sections.filter(({ title }) => titles.includes(title))
  const draw = (section: Section, place: Place) => drawSection(sheet, faces, section, place)

  let left = TOP
  for (const section of sections.filter(({ title }) => ![...BESIDE, ...BELOW].includes(title)))
    left = draw(section, { x: LEFT, y: left, width: COLUMN, bottom: BOTTOM }) + SPACE
  const beside = { x: LEFT + COLUMN + GAP, width: WIDTH - COLUMN - GAP }
  let right = TOP
  const label = await embedLabel(pdf, content.label)
  for (const section of titled(BESIDE)) {
    const picture = section.title === "Label" ? label : undefined
    const isBroken = section.title === "Label" && content.label !== undefined
    const lines = picture ? [] : isBroken ? [NO_PICTURE] : section.lines
    right = draw({ ...section, lines }, { ...beside, y: right, bottom: BOTTOM })
    if (picture) right = drawPicture(sheet, picture, beside.x, right, beside.width)
    right += SPACE
  }
  let y = Math.max(left, right)
  const below = titled(BELOW)
  for (const [index, section] of below.entries()) {
    // The last has what room is left; those before it leave it some.
    const bottom = index === below.length - 1 ? BOTTOM : y + (BOTTOM - y) / 2
    y = draw(section, { x: LEFT, y, width: WIDTH, bottom }) + SPACE
  }
  drawFoot(sheet, faces, content)
  return { pdf: await pdf.save({ useObjectStreams: false }), hasLabel: label !== undefined }
}

function drawHeading(sheet: Sheet, { regular, bold }: Faces, { title, about }: Content): void {
  sheet.write(title, LEFT, 13, { face: bold, size: 20, width: 120, smallest: 9 })
  sheet.write(about, LEFT, 21.5, { face: regular, size: 10, width: WIDTH, smallest: 7, shade: GREY })
  const right = { width: 60, align: "right", shade: GREY } as const
  sheet.write("Evidence", RIGHT - 60, 14.5, { face: bold, size: 12, ...right })
  sheet.block(LEFT, 27.5, WIDTH, 0.7)
}

interface Place {
  x: number
  y: number
  width: number
  /** Nothing is drawn below it. */
  bottom: number
}

const TITLE = 5
const ROW = 3.9

/** A title and its lines, as many as there is room for. Returns the bottom of the last. */
function drawSection(sheet: Sheet, faces: Faces, { title, lines }: Section, place: Place): number {
  const { x, y: top, width, bottom } = place
  sheet.write(title.toUpperCase(), x, top, { face: faces.bold, size: 8.5, width })
  sheet.block(x, top + TITLE - 1, width, 0.2)
  let y = top + TITLE
  const room = Math.max(Math.floor((bottom - y) / ROW), 1)
  const nameWidth = width === WIDTH ? WIDE_NAME : width * NAME_SHARE
  const small = { face: faces.regular, size: SIZE, smallest: 6.5 }
  for (const [name, text] of cutLines(lines, room)) {
    const indent = name === "" ? 0 : nameWidth
    sheet.write(name, x, y, { ...small, width: nameWidth - 2, shade: GREY })
    const value = { ...small, width: width - indent, lines: width === WIDTH ? 1 : LINES_AT_MOST }
    y = Math.max(sheet.write(text, x + indent, y, value) + 0.5, y + ROW)
  }
  return y
}

/** The first and the last lines, with a mark between them that says how many are left out. */
function cutLines(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= room) return lines
  const first = Math.ceil((room - 1) / 2)
  const last = room - 1 - first
  const mark: Line = ["…", `${lines.length - first - last} more lines are left out here; --json has all`]
  return [...lines.slice(0, first), mark, ...lines.slice(lines.length - last)]
}

/** The first page of the label; undefined where there is none that can be drawn. */
async function embedLabel(
  pdf: PDFDocument,
  label: Uint8Array | undefined,
): Promise<PDFEmbeddedPage | undefined> {
  if (!label) return undefined
  try {
    const source = await PDFDocument.load(label)
    // A page that cannot be drawn would stay in the document, and fail again when that is saved.
    const { pdf: trial } = await createPdf("")
    const sheet = new Sheet(trial.addPage(A4))
    for (const page of await trial.embedPdf(source)) drawPicture(sheet, page, LEFT, TOP, WIDTH)
    await trial.save()
    const [page] = await pdf.embedPdf(source)
    return page
  } catch {
    return undefined
  }
}

function drawPicture(sheet: Sheet, picture: PDFEmbeddedPage, x: number, y: number, width: number): number {
  sheet.picture(picture, x, y, width, PICTURE)
  sheet.frame(x, y, width, PICTURE, 0.4)
  return y + PICTURE
}

function drawFoot(sheet: Sheet, { regular, bold }: Faces, { madeAt, zone, warning = "" }: Content): void {
  sheet.write(`Made ${madeAt}. A time without a place is by the clock of ${zone}.`, LEFT, FOOT, {
    face: regular,
    size: 8,
    width: 60,
    shade: GREY,
  })
  sheet.write(warning, LEFT + 60, FOOT, { face: bold, size: 8, width: WIDTH - 120, align: "centre" })
}
