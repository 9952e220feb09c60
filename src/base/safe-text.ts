import { stripVTControlCharacters } from "node:util"
import { INVISIBLE_SIGNS, SHAPES_NOTHING } from "./invisible.ts"

const MAX_LENGTH = 500
/** Control characters, lone surrogates, line separators, and invisible signs but those that shape their neighbours. */
const UNSAFE_SIGNS = String.raw`\p{Cc}\p{Cs}\u2028\u2029${INVISIBLE_SIGNS}`
export const UNSAFE = new RegExp(`[${UNSAFE_SIGNS}]${SHAPES_NOTHING}`, "gu")

/**
 * Text from a server or a file, made safe for a terminal: escape sequences are removed, line breaks and tabs become
 * spaces, any other control character is shown as `�`, and at most `longest` characters are kept.
 * @param lines keeps line breaks
 */
export function safeText(text: string, longest = MAX_LENGTH, { lines = false } = {}): string {
  if (text.length <= longest && /^[\x20-\x7e]*$/.test(text)) return text
  // Cut roughly first, so that megabytes of hostile text cost nothing.
  const plain = stripVTControlCharacters(text.slice(0, longest * 8))
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(lines ? /\t/g : /[\t\n\v\f]+/g, " ")
    .replace(UNSAFE, (mark) => (mark === "\n" ? mark : "�"))
  const kept = Array.from(plain)
  if (kept.length > longest) return `${kept.slice(0, longest - 1).join("")}…`
  return text.length > longest * 8 ? `${plain}…` : plain
}

/** The first characters of a formula, as in a character class: some spreadsheets take the full-width signs as well. */
const FORMULA_SIGNS = "=+\\-@\\uff1d\\uff0b\\uff0d\\uff20"
const FORMULA = new RegExp(`^\\s*[${FORMULA_SIGNS}]`)
const MARKED_FORMULA = new RegExp(`^'(?=\\s*[${FORMULA_SIGNS}])`)

/** A spreadsheet runs a cell that begins like a formula: an apostrophe keeps it text. */
export function markFormula(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell
}

export function unmarkFormula(cell: string): string {
  return cell.replace(MARKED_FORMULA, "")
}

/** Characters that XML 1.0 does not allow, not even escaped, besides those that terminals obey. */
const INVALID_MARKUP = new RegExp(`[${UNSAFE_SIGNS}\\ufffe\\uffff]${SHAPES_NOTHING}`, "gu")

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
}

/** Text made safe for XML or HTML, between tags and in quoted attributes. @param keep a control character to keep */
export function escapeMarkup(text: string, keep = ""): string {
  return text
    .replace(INVALID_MARKUP, (mark) => (mark === keep ? mark : "�"))
    .replace(/[&<>"']/g, (mark) => `&${ENTITIES[mark]};`)
}
