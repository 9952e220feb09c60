/** Saves the drafts of several invoices into a folder: all of them or none, and over nothing that is there. */
import { rmSync } from "node:fs"
import path from "node:path"
import { FreightError } from "../../../base/errors.ts"
import { markOf, toFileName } from "../../../base/file-names.ts"
import type { Files } from "../../../output/index.ts"

interface DraftFile {
  /** The invoice's number, by which the file is named. */
  number: string
  text: string
}

interface DraftTarget {
  file: string
  text: string
  /** The present content. */
  before: Uint8Array | undefined
}

/**
 * Checks all files before it writes one. If a file cannot be written, those already written are removed. A file with
 * the same text does not change.
 * @param force write over files with other text
 * @returns the file of each draft
 */
export async function saveDrafts(
  files: Pick<Files, "has" | "read" | "write">,
  folder: string,
  drafts: readonly DraftFile[],
  force: boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const names = nameFiles(drafts.map(({ number }) => number))
  const places: DraftTarget[] = []
  for (const [index, { text }] of drafts.entries()) {
    const file = path.join(folder, names[index] ?? "")
    places.push({ file, text, before: (await files.has(file)) ? await files.read(file) : undefined })
  }
  const changed = places.filter(({ before, text }) => !before || Buffer.from(text).compare(before) !== 0)
  const inTheWay = changed.filter(({ before }) => before !== undefined)
  if (inTheWay.length > 0 && !force)
    throw new FreightError("input", `${folder} has other files of these names already; nothing was written`, {
      errors: inTheWay.map(({ file }) => ({ message: file })),
      hint: "Name another folder, or overwrite them with --force.",
    })
  const written: DraftTarget[] = []
  try {
    for (const place of changed) {
      signal.throwIfAborted()
      await files.write(place.file, place.text)
      written.push(place)
    }
  } catch (error) {
    for (const { file, before } of written)
      if (before) await files.write(file, before)
      else rmSync(file, { force: true })
    throw error
  }
  return places.map(({ file }) => file)
}

/** A file name for each number; some file systems take `a` and `A` for the same. */
function nameFiles(numbers: readonly string[]): string[] {
  const taken = new Set<string>()
  return numbers.map((number) => {
    const plain = toFileName(number, "invoice-") || "invoice"
    const name = taken.has(plain.toLowerCase()) ? `${plain}-${markOf(number)}` : plain
    taken.add(name.toLowerCase())
    return `${name}.json`
  })
}
