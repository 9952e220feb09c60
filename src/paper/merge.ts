/** Several PDFs as one. Loads the PDF library, so import this file only where it is needed. */
import { PDFDocument } from "@cantoo/pdf-lib"
import { FreightError } from "../errors.ts"

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
  const whole = await PDFDocument.create({ updateMetadata: false })
  const firstPages: number[] = []
  for (const part of parts) {
    firstPages.push(whole.getPageCount() + 1)
    try {
      const pages = await PDFDocument.load(part.pdf, { updateMetadata: false })
      for (const page of await whole.copyPages(pages, pages.getPageIndices())) whole.addPage(page)
    } catch (cause) {
      throw unreadable(part, cause)
    }
    if (whole.getPageCount() < (firstPages.at(-1) ?? 0)) throw unreadable(part)
  }
  return { pdf: await whole.save(), firstPages }
}

function unreadable({ name }: Part, cause?: unknown): FreightError {
  const encrypted = cause instanceof Error && /encrypted/i.test(cause.message)
  const why = encrypted ? "it is encrypted" : "it is not a valid PDF"
  return new FreightError("badReply", `${name} cannot be merged: ${why}`, {
    hint: "Save it on its own, and merge the others.",
    cause,
  })
}
