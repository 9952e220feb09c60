/** PDFs as software that is half right writes them, by hand: a catalog, a page tree, one page and what it draws. */
import { deflateSync } from "node:zlib"
import { PDFDocument } from "@cantoo/pdf-lib"

const DRAWING = "0 0 m 100 100 l S"
const PAGE = "/Type /Page /Parent 2 0 R /Resources << >>"
const BOX = "/MediaBox [0 0 283 425]"

const stream = (data: string | Uint8Array, fields = ""): Buffer => {
  const bytes = Buffer.from(data as string, "latin1")
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${fields} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ])
}

/** @param objects by their number, from 1; the first is the catalog */
function write(objects: readonly (string | Buffer)[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")]
  const offsets: number[] = []
  const length = () => parts.reduce((sum, { length }) => sum + length, 0)
  for (const [at, body] of objects.entries()) {
    offsets.push(length())
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(body as string), Buffer.from("\nendobj\n"))
  }
  const start = length()
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`)
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>"
const TREE = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"

/** A page with these entries, and what it draws. */
const page = (fields: string, content: string | Buffer = stream(DRAWING), ...more: (string | Buffer)[]) =>
  write([CATALOG, TREE, `<< ${PAGE} ${fields} >>`, content, ...more])
const drawn = (fields: string, data: string | Uint8Array = DRAWING) =>
  page(`${BOX} /Contents 4 0 R`, stream(data, fields))

/** A sound PDF of one page. @param said in it, so that it is not the same as another */
export const soundPdf = (said: string): Buffer => drawn("", `${DRAWING} % ${said}`)

/** Odd, but drawn and merged. */
export const DRAWN: Record<string, Buffer> = {
  "a list behind a reference": page(`${BOX} /Contents 5 0 R`, stream(DRAWING), "[4 0 R]"),
  "an empty stream": page(`${BOX} /Contents 4 0 R`, stream("")),
  "a box behind a reference": page("/MediaBox 5 0 R /Contents 4 0 R", stream(DRAWING), "[0 0 283 425]"),
  "a box whose corners are swapped": page("/MediaBox [283 425 0 0] /Contents 4 0 R"),
  "a turned page": page(`${BOX} /Rotate 90 /Contents 4 0 R`),
  "no /Resources": write([
    CATALOG,
    TREE,
    `<< /Type /Page /Parent 2 0 R ${BOX} /Contents 4 0 R >>`,
    stream(DRAWING),
  ]),
  "a box of the page tree": write([
    CATALOG,
    TREE.replace("/Count", `${BOX} /Count`),
    `<< ${PAGE} /Contents 4 0 R >>`,
    stream(DRAWING),
  ]),
  "a crop box of words": page(`${BOX} /CropBox [(a) (b) (c) (d)] /Contents 4 0 R`),
  "parameters that are words": drawn("/Filter /FlateDecode /DecodeParms (none)", deflateSync(DRAWING)),
  "a predictor that is not one": drawn(
    "/Filter /FlateDecode /DecodeParms << /Predictor 99 >>",
    deflateSync(DRAWING),
  ),
  "hexadecimal that is not": drawn("/Filter /ASCIIHexDecode", "zz zz >"),
  "base 85 that is not": drawn("/Filter /ASCII85Decode", "zzzz~~~~>"),
  "runs that are not": drawn("/Filter /RunLengthDecode", "\x7f"),
  "resources that are dangling": write([
    CATALOG,
    TREE,
    `<< /Type /Page /Parent 2 0 R ${BOX} /Resources 9 0 R /Contents 4 0 R >>`,
    stream(DRAWING),
  ]),
  "resources in a circle": page(`${BOX} /Contents 4 0 R`, stream(DRAWING, "/Self 4 0 R /Page 3 0 R")),
  "a rotation of words": page(`${BOX} /Rotate (left) /Contents 4 0 R`),
}

/** Legal or nearly, and merged as they are; what they draw cannot be read. */
export const NOT_DRAWN: Record<string, Buffer> = {
  "no /Contents": page(BOX),
  "null as /Contents": page(`${BOX} /Contents null`),
  "a dangling /Contents": page(`${BOX} /Contents 9 0 R`),
  "a list of /Contents with a dangling one": page(`${BOX} /Contents [4 0 R 9 0 R]`),
  "a number as /Contents": page(`${BOX} /Contents 7`),
  "a dictionary as /Contents": page(`${BOX} /Contents 4 0 R`, "<< /Length 0 >>"),
  "a page as its own /Contents": page(`${BOX} /Contents 3 0 R`),
  "a list of words as /Contents": page(`${BOX} /Contents [(draw) (this)]`),
  "a list in itself": page(`${BOX} /Contents 5 0 R`, stream(DRAWING), "[5 0 R]"),
  "a box of words": page("/MediaBox [(a) (b) (c) (d)] /Contents 4 0 R"),
  "a box of nulls": page("/MediaBox [null null null null] /Contents 4 0 R"),
  "a box of two": page("/MediaBox [0 0] /Contents 4 0 R"),
  "a box of nothing": page("/MediaBox [] /Contents 4 0 R"),
  "a box without area": page("/MediaBox [0 0 0 0] /Contents 4 0 R"),
  "a dangling box": page("/MediaBox 9 0 R /Contents 4 0 R"),
  "a box that is a word": page("/MediaBox (A6) /Contents 4 0 R"),
  "no box": page("/Contents 4 0 R"),
  "a stream that does not unpack": drawn("/Filter /FlateDecode", "not packed at all"),
  "a stream that is cut": drawn("/Filter /FlateDecode", deflateSync(DRAWING.repeat(50)).subarray(0, 20)),
  "an unknown filter": drawn("/Filter /Zip"),
  "a filter that is a number": drawn("/Filter 7"),
  "a filter of itself": drawn("/Filter 4 0 R"),
  "a filter list of words": drawn("/Filter [(FlateDecode)]"),
  "resources that are words": write([
    CATALOG,
    TREE,
    `<< /Type /Page /Parent 2 0 R ${BOX} /Resources (none) /Contents 4 0 R >>`,
    stream(DRAWING),
  ]),
}

/** Not even pages can be found in them. */
export const UNREADABLE: Record<string, Buffer> = {
  "a box of more digits": page(`/MediaBox [0 0 ${"9".repeat(400)} ${"9".repeat(400)}] /Contents 4 0 R`),
  "a page that is null": write([CATALOG, TREE, "null"]),
  "a page that is missing": write([CATALOG, TREE]),
  "no pages": write([CATALOG, "<< /Type /Pages /Kids [] /Count 0 >>"]),
  "a page tree in itself": write([CATALOG, "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"]),
  "a page whose parent is itself": write([
    CATALOG,
    TREE,
    "<< /Type /Page /Parent 3 0 R /Contents 4 0 R >>",
    stream(DRAWING),
  ]),
  "a page tree that is null": write([CATALOG, "null"]),
  "kids that are a number": write([CATALOG, "<< /Type /Pages /Kids 7 /Count 1 >>"]),
  "a catalog that is null": write(["null"]),
  "a root that is missing": write([], "/Root 9 0 R"),
  "encryption that is empty": write(
    [CATALOG, TREE, `<< ${PAGE} ${BOX} /Contents 4 0 R >>`, stream(DRAWING)],
    "/Encrypt << >>",
  ),
  "deep lists": page(`${BOX} /Contents 4 0 R /Deep ${"[".repeat(100_000)}${"]".repeat(100_000)}`),
  nothing: Buffer.from("%PDF-1.4\n%%EOF"),
  zeros: Buffer.concat([Buffer.from("%PDF-1.4\n"), Buffer.alloc(100_000), Buffer.from("\n%%EOF")]),
}

/** One page behind a password. */
export async function encryptedPdf(): Promise<Uint8Array> {
  const locked = await PDFDocument.create()
  locked.addPage()
  locked.encrypt({ ownerPassword: "a", userPassword: "b" })
  return locked.save()
}
