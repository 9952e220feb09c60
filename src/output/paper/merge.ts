/** Several PDFs as one. Loads the PDF library, so import this file only where it is needed. */
import { PDFDocument } from "@cantoo/pdf-lib"
import { hasPdfEnd } from "../../base/pdf.ts"
import { FreightError } from "../../base/errors.ts"

interface Part {
  /** For messages: `the label of shipment X`. */
  name: string
  pdf: Uint8Array
}

/**
 * All parts as one PDF, and the page, from 1, on which each begins. The same parts give the same bytes.
 * @throws FreightError `badReply` naming the part that cannot be read
 */
export async function mergePdfs(parts: readonly Part[]) {
  const whole = await createEmpty()
  const firstPages: number[] = []
  for (const { name, pdf } of parts) {
    firstPages.push(whole.getPageCount() + 1)
    const error = await appendPages(whole, pdf)
    if (error)
      throw new FreightError("badReply", `${name} cannot be merged: ${error.why}`, {
        hint: "Save it on its own, and merge the others.",
        cause: error.cause,
      })
  }
  return { pdf: await whole.save(), firstPages }
}

/** Why no pages can be taken from a PDF: it cannot be merged or printed. Undefined where they can. */
export async function findPageError(pdf: Uint8Array): Promise<PageError | undefined> {
  return appendPages(await createEmpty(), pdf)
}

interface PageError {
  /** `it is encrypted` */
  why: string
  cause?: unknown
}

async function appendPages(whole: PDFDocument, pdf: Uint8Array): Promise<PageError | undefined> {
  // The library makes something of half a file, too.
  if (!hasPdfEnd(pdf)) return { why: "it is not complete, its end is missing" }
  try {
    const source = await PDFDocument.load(pdf, { updateMetadata: false })
    const pages = await whole.copyPages(source, source.getPageIndices())
    if (pages.length === 0) return { why: "it has no pages" }
    for (const page of pages) whole.addPage(page)
    return undefined
  } catch (cause) {
    const isEncrypted = cause instanceof Error && /encrypted/i.test(cause.message)
    return { why: isEncrypted ? "it is encrypted" : "it is not a valid PDF", cause }
  }
}

function createEmpty(): Promise<PDFDocument> {
  return PDFDocument.create({ updateMetadata: false })
}
