/** The texts of the evidence page, without the label. */
import { decodePDFRawStream, PDFArray, PDFDocument, PDFRawStream } from "@cantoo/pdf-lib"

/** Each text in the order of drawing. @throws when it is not one page */
export async function textsOfPage(pdf: Uint8Array): Promise<string[]> {
  const document = await PDFDocument.load(pdf)
  const [page, ...others] = document.getPages()
  const contents = page?.node.Contents()
  if (!page || others.length > 0 || !(contents instanceof PDFArray)) throw new Error("it is not one page")
  const drawn = contents.asArray().map((reference) => {
    const stream = document.context.lookup(reference)
    return stream instanceof PDFRawStream
      ? Buffer.from(decodePDFRawStream(stream).decode()).toString("latin1")
      : ""
  })
  return Array.from(drawn.join("\n").matchAll(/<([0-9A-F]+)> Tj/g), ([, hex = ""]) =>
    Buffer.from(hex, "hex").toString("latin1").replaceAll("\x96", "–").replaceAll("\x85", "…"),
  )
}

/** Pages of other PDFs that are drawn into it. */
export async function picturesOfPage(pdf: Uint8Array): Promise<number> {
  const document = await PDFDocument.load(pdf)
  const resources = document.getPage(0).node.Resources()
  return String(resources).match(/\/EmbeddedPdfPage/g)?.length ?? 0
}
