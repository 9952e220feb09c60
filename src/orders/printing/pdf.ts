/** PDFs to print: read, checked and measured before anything is sent. */
import { hash } from "node:crypto"
import { hasPdfHeader } from "../../base/pdf.ts"
import { FreightError } from "../../base/errors.ts"
import { readFileOrStdin } from "../../output/index.ts"

/** Limits: base64 characters of a print job's PDF; no line breaks among them. */
export const MAX_BASE64_LENGTH = 9_000_000

export interface Pdf {
  /** The file as it was named; `standard input` for `-`. */
  name: string
  sha256: string
  /** In bytes. */
  size: number
  base64(): string
}

/**
 * Every file, or none: a file that cannot be printed is reported before anything is sent.
 * @param names `-` is standard input; a repeated name counts once
 */
export async function readPdfs(
  deps: Parameters<typeof readFileOrStdin>[0],
  names: readonly string[],
): Promise<Pdf[]> {
  const pdfs: Pdf[] = []
  const faults: FreightError[] = []
  const distinct = [...new Set(names)]
  for (const name of distinct) {
    try {
      const { name: source, bytes } = await readFileOrStdin(deps, name, "PDF")
      pdfs.push(await preparePdf(source, bytes))
    } catch (error) {
      if (!(error instanceof FreightError) || error.kind !== "input") throw error
      faults.push(error)
    }
  }
  const [first] = faults
  if (first && distinct.length === 1) throw first
  if (first)
    throw new FreightError(
      "input",
      `${faults.length} of ${distinct.length} files cannot be printed; nothing was sent`,
      { errors: faults.map(({ message }) => ({ message })) },
    )
  return pdfs
}

export async function preparePdf(name: string, bytes: Uint8Array): Promise<Pdf> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length === 0) throw new FreightError("input", `${name} is empty: there is nothing to print`)
  if (!hasPdfHeader(buffer))
    throw new FreightError("input", `${name} is not a PDF: it does not begin with %PDF-`, {
      hint: "Only PDF can be printed: save or export the document as PDF first.",
    })
  const characters = Math.ceil(buffer.length / 3) * 4
  if (characters > MAX_BASE64_LENGTH)
    throw new FreightError(
      "input",
      `${name} is too large to print: ${megabytes(buffer.length)} make ${whole(characters)} base64 characters, and the limit is ${whole(MAX_BASE64_LENGTH)} (${megabytes((MAX_BASE64_LENGTH / 4) * 3)})`,
      { hint: "Print it in parts, or save it with smaller pictures." },
    )
  const { findPageError } = await import("../../output/paper/merge.ts")
  const error = await findPageError(buffer)
  if (error)
    throw new FreightError("input", `${name} cannot be printed: ${error.why}`, {
      hint: "Download or save it again as PDF, without a password.",
      cause: error.cause,
    })
  return {
    name,
    sha256: hash("sha256", buffer),
    size: buffer.length,
    base64: () => buffer.toString("base64"),
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`
}

function whole(number: number): string {
  return number.toLocaleString("en")
}
