/** The worst file of each kind of about 1 MB, and the command that reads it. */
import { Buffer } from "node:buffer"
import { deflateSync } from "node:zlib"
import { fullDraft } from "../invoice/samples.ts"
import { CATALOGUE, page, pdfOf, pdfWith } from "./pdfs.ts"
import { drawPng, packedZeros, PNG_END, pngHeader, pngOf } from "./pictures.ts"
import { manyRows, sharedWorkbook } from "./sheets.ts"

interface WorstFile {
  what: string
  name: string
  bytes: Uint8Array
  words: readonly string[]
}

const AUDIT = ["audit", "--sandbox", "--offline", "--format", "ndjson", "--no-remember"]
const bill = (what: string, ending: string, bytes: Uint8Array | string): WorstFile => {
  const name = `bill.${ending}`
  return { what, name, bytes: Buffer.from(bytes), words: [...AUDIT, name] }
}
/** The invoice that gets the logo. */
export const INVOICE = JSON.stringify(fullDraft())
const logo = (what: string, ending: string, bytes: Uint8Array): WorstFile => {
  const name = `logo.${ending}`
  const words = ["invoice", "show", "invoice.json", "-o", "invoice.pdf", "--force", "--logo", name]
  return { what, name, bytes, words }
}

const PAGES = 12
/** Pages that all draw the same: a small file with as much text as is read. */
function sharedPages(pieces: number): Uint8Array {
  const texts = Array.from(
    { length: pieces },
    (_, at) => `1 0 0 1 ${(at % 200) * 2.9} ${Math.floor(at / 200) * 4} Tm (a) Tj`,
  )
  const stream = deflateSync(Buffer.from(`BT /F1 1 Tf ${texts.join("\n")} ET`))
  const kids = Array.from({ length: PAGES }, (_, at) => `${at + 3} 0 R`).join(" ")
  return pdfOf(
    ...[CATALOGUE, `<< /Type /Pages /Kids [${kids}] /Count ${PAGES} >>`],
    ...Array.from({ length: PAGES }, () => page(`${PAGES + 3} 0 R`)),
    [`<< /Filter /FlateDecode /Length ${stream.length} >>`, stream],
  )
}

/** One page whose stream unpacks to 1 GB. */
function packedPage(): Uint8Array {
  const stream = packedZeros()
  const dictionary = `<< /Filter /FlateDecode /Length ${stream.length} >>`
  return pdfOf(CATALOGUE, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page("4 0 R"), [dictionary, stream])
}

const LONG = "x ".repeat(15_000)
const TEXTS = ["Consignment", "Amount", "Note", LONG, "SBC00000001", "1.00"]
const shared = (rows: number, ...cells: number[]) =>
  sharedWorkbook(TEXTS, [[0, 1, 2], ...Array.from({ length: rows }, () => cells)])

export function listWorstFiles(): WorstFile[] {
  const onOneLine = Array.from({ length: 20_000 }, (_, at) => [`a${at}`, at % 590, 400] as const)
  return [
    bill("a PDF with 20,000 texts on a line", "pdf", pdfWith(onOneLine)),
    bill(`a PDF of ${PAGES} pages that share 40,000 texts`, "pdf", sharedPages(40_000)),
    bill("a PDF that unpacks to 1 GB", "pdf", packedPage()),
    bill("a workbook of 140,000 cells of one text", "xlsx", shared(70_000, 4, 5)),
    bill("a workbook of as many long texts as are read", "xlsx", shared(3_200, 4, 5, 3)),
    bill("a workbook of more long texts than are read", "xlsx", shared(70_000, 4, 5, 3)),
    bill("a CSV file of 60,000 rows", "csv", manyRows(60_000)),
    bill("a CSV file of 500,000 empty rows", "csv", `Consignment,Amount\n${",\n".repeat(500_000)}`),
    bill("a CSV file of one row", "csv", `Consignment,Amount\n"${"x,".repeat(450_000)}"`),
    bill("a CSV file of 500,000 columns", "csv", `Consignment,Amount${",x".repeat(500_000)}\n`),
    logo("a PNG of as many pixels as are drawn", "png", drawPng(3_160, 3_160)),
    logo("a PNG that unpacks to 1 GB", "png", pngOf(pngHeader(3, 3), ["IDAT", packedZeros()], PNG_END)),
    logo("a JPEG of nothing but markers", "jpg", Buffer.alloc(1_000_000, Buffer.from("ffd8ffe0", "hex"))),
  ]
}
