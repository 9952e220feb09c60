/** Several PDFs as one. Loads the PDF library, so import this file only where it is needed. */
import { degrees, PDFDocument, PDFDict, PDFName, PDFNumber, type PDFPage } from "@cantoo/pdf-lib"
import { hasPdfEnd } from "../../base/pdf.ts"
import { FreightError } from "../../base/errors.ts"
import { countPlaces, type Layout, LAYOUTS } from "./layouts.ts"
import { A4, MM } from "./sheet.ts"

interface Part {
  /** For messages: `the label of shipment X`. */
  name: string
  pdf: Uint8Array
}

/** All parts as one PDF, and the page, from 1, on which each begins. The same parts give the same bytes. */
export async function mergePdfs(parts: readonly Part[]) {
  const whole = await createEmpty()
  const firstPages: number[] = []
  for (const { name, pdf } of parts) {
    firstPages.push(whole.getPageCount() + 1)
    const error = await appendPages(whole, pdf)
    if (error) throw createMergeError(name, error)
  }
  return { pdf: await whole.save(), firstPages }
}

/** How much paper may be larger than its place, because sizes are rounded. */
const SLACK = 0.5

/**
 * The pages of all parts on sheets of A4, in the places of a layout from the left and from the top, none of them smaller than
 * it is: a barcode may not be read any more then. One that fits lying on its side is turned.
 * @param start the first place that is free on the first sheet, from 1
 * @returns the sheet on which each part begins, and its place there, both from 1
 */
export async function arrangePdfs(parts: readonly Part[], layout: Layout, start: number) {
  const whole = await createEmpty()
  const count = countPlaces(layout)
  const firstPages: number[] = []
  const firstPlaces: number[] = []
  let at = start - 1
  let sheet: PDFPage | undefined
  for (const { name, pdf } of parts) {
    firstPages.push(Math.floor(at / count) + 1)
    firstPlaces.push((at % count) + 1)
    const read = await readPages(pdf)
    if ("why" in read) throw createMergeError(name, read)
    for (const page of read.pages) {
      if (sheet === undefined || at % count === 0) sheet = whole.addPage(A4)
      await place(sheet, page, findPlace(layout, at % count), `${name} (${layout})`).catch((cause) => {
        throw cause instanceof FreightError ? cause : createMergeError(name, { why: INVALID, cause })
      })
      at++
    }
  }
  return { pdf: await whole.save(), firstPages, firstPlaces }
}

/** In points, from the left and from the bottom of the sheet. */
interface Place {
  x: number
  y: number
  width: number
  height: number
}

function findPlace(layout: Layout, at: number): Place {
  const { columns, rows } = LAYOUTS[layout]
  const [width, height] = [A4[0] / columns, A4[1] / rows]
  return { x: (at % columns) * width, y: A4[1] - (Math.floor(at / columns) + 1) * height, width, height }
}

/** Draws a page in the middle of a place, as large as it is. */
async function place(sheet: PDFPage, page: PDFPage, to: Place, name: string): Promise<void> {
  if (hasMarks(page)) throw createMarksError(name)
  const { box, width, height, unit } = measure(page)
  const own = ((page.getRotation().angle % 360) + 360) % 360
  const [seenWidth, seenHeight] = own % 180 === 0 ? [width, height] : [height, width]
  const fits = (across: number, up: number) => across <= to.width + SLACK && up <= to.height + SLACK
  const isTurned = !fits(seenWidth, seenHeight)
  if (isTurned && !fits(seenHeight, seenWidth)) throw createTooLargeError(name, seenWidth, seenHeight, to)
  const [across, up] = isTurned ? [seenHeight, seenWidth] : [seenWidth, seenHeight]
  const x = to.x + (to.width - across) / 2
  const y = to.y + (to.height - up) / 2
  const turned = (own + (isTurned ? 90 : 0)) % 360
  // Turned around its lower left corner, which is another one of the page then.
  const corner: Record<number, [x: number, y: number]> = {
    0: [x, y],
    90: [x, y + up],
    180: [x + across, y + up],
    270: [x + across, y],
  }
  const [cornerX, cornerY] = corner[turned] ?? [x, y]
  const [drawn] = await sheet.doc.embedPages([page], [box])
  // Embed it now, so that an unreadable one is reported by its name.
  await drawn?.embed()
  const placed = { x: cornerX, y: cornerY, rotate: degrees(-turned), xScale: unit, yScale: unit }
  if (drawn) sheet.drawPage(drawn, placed)
}

/** The visible part of a page: its box in the page's own units, and its size in points. */
function measure(page: PDFPage) {
  const [crop, media] = [page.getCropBox(), page.getMediaBox()].map(({ x, y, width, height }) => ({
    ...{ left: Math.min(x, x + width), bottom: Math.min(y, y + height) },
    ...{ right: Math.max(x, x + width), top: Math.max(y, y + height) },
  }))
  if (!crop || !media) throw new Error("the page has no boxes")
  const box = {
    ...{ left: Math.max(crop.left, media.left), bottom: Math.max(crop.bottom, media.bottom) },
    ...{ right: Math.min(crop.right, media.right), top: Math.min(crop.top, media.top) },
  }
  const unit = page.node.lookupMaybe(PDFName.of("UserUnit"), PDFNumber)?.asNumber() ?? 1
  const [width, height] = [(box.right - box.left) * unit, (box.top - box.bottom) * unit]
  if (!(width > 0 && height > 0)) throw new Error("nothing of the page is seen")
  return { box, width, height, unit }
}

/** Marks that change nothing on paper. */
const UNSEEN = ["/Link", "/Popup"]

/** Whether something lies on the page that is not among its contents, as the fields of a form do: it would be lost. */
function hasMarks({ node }: PDFPage): boolean {
  const marks = node.Annots()
  const kinds = Array.from({ length: marks?.size() ?? 0 }, (_, at) =>
    String(marks?.lookupMaybe(at, PDFDict)?.get(PDFName.of("Subtype"))),
  )
  return kinds.some((kind) => !UNSEEN.includes(kind))
}

function createMarksError(name: string): FreightError {
  return new FreightError("input", `${name} has form fields or notes, which a sheet would not show`, {
    hint: "Without --layout each label is a page of its own, with all that is on it.",
  })
}

function createTooLargeError(name: string, width: number, height: number, place: Place): FreightError {
  const size = (across: number, up: number) => `${Math.round(across / MM)} × ${Math.round(up / MM)} mm`
  return new FreightError(
    "input",
    `${name} is ${size(width, height)}, and a place on the sheet is ${size(place.width, place.height)}`,
    {
      hint: "A label is never made smaller, as its barcode may not be read then. a4x2 has two places of 210 × 148 mm; without --layout each label is a page of its own.",
    },
  )
}

/** Why a PDF cannot be merged or printed; undefined if it can. */
export async function findPageError(pdf: Uint8Array): Promise<PageError | undefined> {
  return appendPages(await createEmpty(), pdf)
}

interface PageError {
  /** `it is encrypted` */
  why: string
  cause?: unknown
}

async function appendPages(whole: PDFDocument, pdf: Uint8Array): Promise<PageError | undefined> {
  const read = await readPages(pdf)
  if ("why" in read) return read
  try {
    const pages = await whole.copyPages(read.source, read.source.getPageIndices())
    for (const page of pages) whole.addPage(page)
    return undefined
  } catch (cause) {
    return { why: INVALID, cause }
  }
}

const INVALID = "it is not a valid PDF"

async function readPages(pdf: Uint8Array): Promise<{ source: PDFDocument; pages: PDFPage[] } | PageError> {
  // The library makes something of half a file, too.
  if (!hasPdfEnd(pdf)) return { why: "it is not complete, its end is missing" }
  try {
    const source = await PDFDocument.load(pdf, { updateMetadata: false })
    const pages = source.getPages()
    return pages.length === 0 ? { why: "it has no pages" } : { source, pages }
  } catch (cause) {
    const isEncrypted = cause instanceof Error && /encrypted/i.test(cause.message)
    return { why: isEncrypted ? "it is encrypted" : INVALID, cause }
  }
}

function createMergeError(name: string, { why, cause }: PageError): FreightError {
  return new FreightError("badReply", `${name} cannot be merged: ${why}`, {
    hint: "Save it on its own, and merge the others.",
    cause,
  })
}

function createEmpty(): Promise<PDFDocument> {
  return PDFDocument.create({ updateMetadata: false })
}
