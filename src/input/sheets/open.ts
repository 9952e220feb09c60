/** Opens possible workbooks or archives, by content; the libraries are loaded only for those. */
import { Buffer } from "node:buffer"
import { FreightError } from "../../base/errors.ts"
import { isPacked, SIGNATURE_BYTES, type TextSource } from "./source.ts"
import type { SheetChoices } from "./choices.ts"

/**
 * The one sheet of a table, as `openSheets`.
 * @throws FreightError also `usage` if several are chosen
 */
export async function openSheet(source: TextSource, choices: SheetChoices): Promise<TextSource> {
  if (choices.sheets && choices.sheets.length > 1)
    throw new FreightError(
      "usage",
      `--sheet is given ${choices.sheets.length} times, and one sheet is read here`,
      {
        hint: "Name one sheet.",
      },
    )
  const [only] = await openSheets(source, choices)
  return only ?? source
}

/**
 * The source itself if it is text; else one for each chosen sheet of a workbook, or one with the text of the one file
 * in an archive.
 * @throws FreightError `input` for an unreadable file, `usage` if a sheet or the hidden rows are not chosen
 */
export async function openSheets(source: TextSource, choices: SheetChoices): Promise<TextSource[]> {
  const pieces = source.chunks()[Symbol.asyncIterator]()
  const start: Uint8Array[] = []
  let size = 0
  let isAtEnd = false
  while (size < SIGNATURE_BYTES && !isAtEnd) {
    const { value, done } = await pieces.next()
    isAtEnd = done === true
    if (!value) continue
    start.push(value)
    size += value.length
  }
  async function* begun() {
    yield* start
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  if (isPacked(Buffer.concat(start))) {
    const { openPacked } = await import("./workbook/open.ts")
    const opened = await openPacked(source.name, begun(), choices)
    return opened.map((each) => ({ ...each, headerRow: choices.headerRow }))
  }
  // Standard input can be read only once: its beginning must not be read again.
  let isBegun = false
  return [
    {
      ...source,
      headerRow: choices.headerRow,
      chunks() {
        if (isBegun) return source.chunks()
        isBegun = true
        return begun()
      },
    },
  ]
}
