/** Words that say whether an amount includes GST, in headings, labels and cells. */

export type Basis = "exGst" | "incGst"

const TAX = "(?:gst|tax|vat)"
const NOT = "(?:not|never|n't|n\u2019t)"
const FREE = new RegExp(`\\b${TAX}[ _-]{0,2}(?:free|exempt)\\b|\\bnon[ _-]?taxable\\b|\\bno ${TAX}\\b`, "i")

/** Whether a text says that an amount is free of GST, and not only that it excludes GST. */
export const saysFree = (text: string): boolean => FREE.test(text)

/** Patterns that also match another basis come before it. */
const SAYINGS: readonly (readonly [basis: Basis, pattern: RegExp])[] = [
  [
    "exGst",
    new RegExp(
      `${NOT}\\s+(?:inc|incl|includ(?:e[sd]?|ing)|inclusive of)\\.?[ _-]{0,2}(?:any )?${TAX}\\b`,
      "i",
    ),
  ],
  ["exGst", new RegExp(`\\b${TAX}[ _-]{0,2}(?:is )?${NOT}\\s+(?:inclusive|included|incl|inc)\\b\\.?`, "i")],
  ["incGst", new RegExp(`${NOT}\\s+(?:exclud(?:e[sd]?|ing)|exclusive of)[ _-]{0,2}${TAX}\\b`, "i")],
  ["incGst", new RegExp(`\\b${TAX}[ _-]{0,2}(?:is )?${NOT}\\s+(?:exclusive|excluded|excl)\\b\\.?`, "i")],
  ["exGst", FREE],
  [
    "exGst",
    new RegExp(
      `\\b(?:ex|exc|excl|excludes?|excluding|exclusive of|before|without|pre|net of)\\.?[ _-]{0,2}${TAX}\\b`,
      "i",
    ),
  ],
  ["exGst", new RegExp(`\\bw/o ${TAX}\\b|[([] ?(?:plus|\\+) ?${TAX} ?[)\\]]`, "i")],
  ["exGst", new RegExp(`\\b${TAX}[ _-]{0,2}(?:is )?(?:exclusive|excluded|excl|exc|ex)\\b\\.?`, "i")],
  ["incGst", new RegExp(`\\b(?:inc|incl|includes?|including|inclusive of|with)\\.?[ _-]{0,2}${TAX}\\b`, "i")],
  ["incGst", new RegExp(`\\b${TAX}[ _-]{0,2}(?:is )?(?:inclusive|included|incl|inc)\\b\\.?`, "i")],
]

/** The basis that a text names, and the text without it: `Fuel levy (inc GST)` is `Fuel levy`. */
export function findBasis(text: string): { basis: Basis; rest: string } | undefined {
  const spaced = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
  for (const [basis, pattern] of SAYINGS)
    if (pattern.test(spaced)) {
      const rest = spaced.replace(pattern, " ").replace(/[([]\s?[)\]]/g, " ")
      return { basis, rest: rest.replace(/\s+/g, " ").trim() }
    }
  return undefined
}

const CELLS: readonly (readonly [Basis, RegExp])[] = [
  ["exGst", /^(?:ex|exc|excl|exclusive|excluded|excluding|net|no|n|plus(?: gst)?|\+ ?gst)\.?$/i],
  ["incGst", /^(?:inc|incl|inclusive|included|including|gross|yes|y)\.?$/i],
]

/** The basis that a cell of a column states for its row: `ex GST`, `inclusive`. */
export function readBasis(cell: string): Basis | undefined {
  const text = cell.trim()
  return CELLS.find(([, pattern]) => pattern.test(text))?.[0] ?? findBasis(text)?.basis
}
