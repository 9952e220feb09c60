/** Opens what may be a workbook or an archive, by its content; the libraries are loaded when it is one. */
import { Buffer } from "node:buffer"
import { FreightError } from "../../base/errors.ts"
import type { TextSource } from "./source.ts"

/** What `--hidden` takes. */
export const HIDDEN_CHOICES = ["include", "skip"] as const
export type HiddenChoice = (typeof HIDDEN_CHOICES)[number]

/** Which sheets are read, and whether their hidden rows are; the person chooses what the flags leave open. */
export interface SheetChoices {
  sheets?: readonly string[] | undefined
  /** Whether several may be, which are then one table. */
  mayBeSeveral?: boolean
  hidden?: HiddenChoice | undefined
  /** The row of the headings, as a spreadsheet numbers it. */
  headerRow?: number | undefined
  /** Ends the reading of a workbook. */
  signal?: AbortSignal | undefined
  person?: {
    chooseSheet(question: string, names: readonly string[]): Promise<string>
    /** @param what which rows are hidden */
    chooseHidden(what: string): Promise<HiddenChoice>
  }
}

/** How zip archives begin, workbooks among them, and how the containers of old and of encrypted ones do. */
const ZIP = "504b0304"
const CONTAINER = "d0cf11e0"
const SIGNATURE_BYTES = 4

/** Whether these first bytes are those of a workbook, an archive, or an old workbook. */
export function isPacked(start: Uint8Array): boolean {
  const signature = Buffer.from(start.subarray(0, SIGNATURE_BYTES)).toString("hex")
  return signature === ZIP || signature === CONTAINER
}

/**
 * The one sheet of a table, as `openSheets`.
 * @throws FreightError also `usage` where several are chosen
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
 * The source as it is, where it is text; else one for each chosen sheet of a workbook, or one with the text of the one
 * file in an archive.
 * @throws FreightError `input` for what cannot be read, `usage` where a sheet or the hidden rows are not chosen
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
  // Standard input can be read only once: what was read of it is not read again.
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
