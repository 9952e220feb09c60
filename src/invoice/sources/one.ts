/** One document of a file that may hold several. */
import { Buffer } from "node:buffer"
import { FreightError } from "../../base/errors.ts"
import { reasonOf } from "../../base/system.ts"
import { type Files, type InputStream, readFileOrStdin, unzipWhole } from "../../output/index.ts"
import { type DocumentsOfFile, findDocuments, findOtherRequest } from "../documents.ts"

/** The documents of a file, or of standard input for `-`, with its name for messages. */
export async function readDocuments(
  deps: { files: Pick<Files, "read">; terminal: { readonly stdin: InputStream } },
  file: string,
): Promise<{ name: string; documents: ReturnType<typeof findDocuments> }> {
  const { name, bytes } = await readFileOrStdin(deps, file, "JSON")
  try {
    return { name, documents: findDocuments(file, Buffer.from(await unzipWhole(bytes))) }
  } catch (error) {
    throw new FreightError("input", `cannot read ${name}: ${reasonOf(error)}`)
  }
}

/** @param asked from 0; the first by default. */
export function chooseIndex({ count }: DocumentsOfFile, asked: number | undefined, name: string): number {
  if (count === 0) throw new FreightError("input", `${name} holds no document`)
  const index = asked ?? 0
  if (index < count) return index
  const range = count === 1 ? "there is one document, 0" : `the documents are 0 to ${count - 1}`
  throw new FreightError("usage", `--index ${index}: ${range}`)
}

/** Refuses a booking or another request. */
export function refuseOtherRequest(value: unknown, file: string, name: string): void {
  const other = findOtherRequest(value, file)
  if (!other) return
  throw new FreightError("input", `${name} is ${other.kind}, not an invoice`, {
    ...(other.next !== undefined && { next: other.next }),
  })
}
