/** Numbers as spreadsheets write them: with thousands, decimal commas, units and currency signs. */
import { quoted } from "../contract/parsed.ts"
import { AS_TEXT, bad, DATE_LIKE, good, type Read, taken } from "./damage.ts"

interface Figures {
  /** Only whole numbers. */
  whole?: boolean
  /** Dollars: `$` and `AUD` may stand before or after. */
  money?: boolean
  /** The unit that may stand after it. */
  unit?: "kg" | "cm"
}

/** A number in any form that spreadsheets write; the fault says where it can be read in two ways, or is none. */
export function readNumber(text: string, figures: Figures): Read<number> {
  const bare = withoutUnit(text, figures)
  const digits = bare.replace(/(?<=\d)[ '](?=\d{3}(?:\D|$))/g, "")
  const plain = (written: string) => asNumber(text, written, digits !== text || written !== digits, figures)
  if (/^-?(?:\d{1,15}(?:\.\d*)?|\.\d+)$/.test(digits)) return plain(digits)
  // 1,234.50 and 1,234,567
  if (/^-?\d{1,3}(?:,\d{3})+\.\d+$|^-?\d{1,3}(?:,\d{3}){2,}$/.test(digits))
    return plain(digits.replaceAll(",", ""))
  // 1.234,50
  if (/^-?\d{1,3}(?:\.\d{3})+,\d+$/.test(digits)) return plain(digits.replaceAll(".", "").replace(",", "."))
  if (/^-?\d{1,3},\d{3}$/.test(digits)) {
    const [thousands, decimal] = [digits.replace(",", ""), digits.replace(",", ".")]
    if (figures.whole || figures.money) return plain(thousands)
    return bad(
      "ambiguous-number",
      `${quoted(text)} can be ${thousands} or ${Number(decimal)}`,
      `write it as ${thousands} or ${Number(decimal)}`,
    )
  }
  if (/^-?\d+,\d+$/.test(digits)) return plain(digits.replace(",", "."))
  if (/^\d(?:[.,]\d+)?E[+-]?\d{1,3}$/i.test(digits))
    return bad(
      "exponent",
      `${quoted(text)} is a number that a spreadsheet shortened`,
      "format the column as a number with all its digits",
    )
  if (DATE_LIKE.test(digits))
    return bad("date-like", `${quoted(text)} is a date that a spreadsheet made of a number`, AS_TEXT)
  return bad("type", `${quoted(text)} is not a ${figures.whole ? "whole number" : "number"}`)
}

function asNumber(text: string, digits: string, changed: boolean, { whole }: Figures): Read<number> {
  const value = Number(digits)
  if (whole && !Number.isInteger(value)) return bad("type", `${quoted(text)} is not a whole number`)
  return changed ? good(value, taken("number", text, String(value))) : good(value)
}

function withoutUnit(text: string, { money, unit }: Figures): string {
  if (money) return text.replace(/^(?:A?\$|AUD) ?|(?: ?(?:A?\$|AUD))$/gi, "")
  return unit && text.toLowerCase().endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text
}
