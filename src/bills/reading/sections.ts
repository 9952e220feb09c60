/** Sections of a bill: below the words `CREDITS` amounts are given back, also where they are written without a sign. */
import { saysTotal } from "../../input/sheets/totals.ts"
import type { BillRow, Part } from "./row.ts"

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
