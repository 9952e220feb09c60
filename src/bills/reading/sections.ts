/**
 * Sections of a bill: below the words `CREDITS` amounts are given back, also where they are written without a sign, and
 * another table may stand below the first, with other headings.
 */
import { plainHeader } from "../../input/columns/headings.ts"
import { saysTotal } from "../../input/sheets/totals.ts"
import type { BillField } from "./columns.ts"
import type { BillColumnsRead, BillRow, Part } from "./row.ts"

const CREDITS =
  /^\W*(?:less:? +)?(?:credits?|credit (?:notes?|adjustments?)|refunds?|rebates?)(?: (?:issued|applied|given|this (?:period|month|invoice)))?\W*$/i
const OF_CREDITS = /\b(?:credits?|refunds?|rebates?)\b/i

export type Sections = ReturnType<typeof createSections>

/** Follows the sections of a table from row to row. */
export function createSections() {
  let isCredits = false
  return {
    /** Notes a line that is nothing but words. @returns whether it begins or ends a section */
    note(cells: readonly string[]): boolean {
      const [text, ...others] = cells.map((cell) => cell.trim()).filter((cell) => cell !== "")
      if (text === undefined || others.length > 0 || /\d/.test(text)) return false
      const before = isCredits
      isCredits = CREDITS.test(text)
      return isCredits !== before
    },
    /** The row with the signs of its section; a total of another part ends it. */
    sign(row: BillRow): BillRow {
      if (!isCredits) return row
      const words = [...row.names, ...row.words, row.label]
      const isTotal = words.some((text) => saysTotal(text) || /\btotal\b/i.test(text))
      if (isTotal && !words.some((text) => OF_CREDITS.test(text))) {
        isCredits = false
        return row
      }
      const cents = [...row.amounts.values(), ...row.parts.map((part) => part.cents)]
      // Where some have a sign already, all of them say themselves what they are.
      return cents.some((each) => each < 0) ? row : negate(row)
    },
  }
}

function negate(row: BillRow): BillRow {
  const negateAll = (parts: readonly Part[]) => parts.map((part) => ({ ...part, cents: 0 - part.cents }))
  return {
    ...row,
    amounts: new Map(Array.from(row.amounts, ([name, cents]) => [name, 0 - cents])),
    parts: negateAll(row.parts),
    extras: negateAll(row.extras),
  }
}

/**
 * Reads the headings of another table below the first: its columns mean what they mean there, and further ones say what is
 * charged for, or nothing. Undefined where the cells are no such headings.
 * @param meaningOf what a heading means by itself
 */
export function findNextTable(
  cells: readonly string[],
  { headers, fields, units, isMapped }: BillColumnsRead,
  meaningOf: (heading: string) => BillField | undefined,
): BillColumnsRead | undefined {
  const own = cells.map((cell) => cell.trim())
  const filled = own.filter((cell) => cell !== "")
  if (filled.length < FEWEST_HEADINGS || filled.some((cell) => /\d/.test(cell))) return undefined
  const places = own.map((cell) =>
    cell === "" ? -1 : headers.findIndex((header) => plainHeader(header) === plainHeader(cell)),
  )
  const known = places.map((at) => fields[at])
  const has = (...kinds: BillField["holds"][]) =>
    known.some((field) => field?.holds && kinds.includes(field.holds))
  if (!has("name") || !has("total", "part")) return undefined
  const toField = (cell: string, at: number) => {
    const field = known[at] ?? (cell === "" ? undefined : meaningOf(REASON.test(cell) ? "Description" : cell))
    return known[at] || field?.name === "charge" ? field : undefined
  }
  return {
    headers: own,
    fields: own.map(toField),
    units: places.map((at) => units[at]),
    isMapped: places.map((at) => isMapped[at] ?? false),
  }
}

/** What an adjustment is for. */
const REASON = /^reason\b/i

/** A row has as many cells. */
const FEWEST_HEADINGS = 3
