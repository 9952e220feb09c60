/** The worst PDFs of about 1 MB: written by hand, as no program would draw them. */
import { deflateSync } from "node:zlib"

/** A PDF of some objects, the first of which is its catalogue. */
export function pdfOf(
  ...objects: readonly (string | readonly [dictionary: string, stream: Uint8Array])[]
): Uint8Array {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")]
  const offsets: number[] = []
  for (const [at, object] of objects.entries()) {
    offsets.push(Buffer.concat(parts).length)
    const [text, stream] = typeof object === "string" ? [object, undefined] : object
    parts.push(Buffer.from(`${at + 1} 0 obj\n${text}\n`))
    if (stream) parts.push(Buffer.from("stream\n"), Buffer.from(stream), Buffer.from("\nendstream\n"))
    parts.push(Buffer.from("endobj\n"))
  }
  const start = Buffer.concat(parts).length
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

export const CATALOGUE = "<< /Type /Catalog /Pages 2 0 R >>"
export const ONE_PAGE = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
export const page = (contents: string) =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 5 0 R >> >> >>`

/** A page with texts at their places, from its lower left corner. */
export function pdfWith(texts: readonly (readonly [text: string, x: number, y: number])[]): Uint8Array {
  const drawn = texts.map(([text, x, y]) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`)
  const stream = deflateSync(Buffer.from(`BT /F1 1 Tf ${drawn.join("\n")} ET`))
  const dictionary = `<< /Filter /FlateDecode /Length ${stream.length} >>`
  return pdfOf(CATALOGUE, ONE_PAGE, page("4 0 R"), [dictionary, stream])
}
