/**
 * What spreadsheets do to text and numbers. Each reader gives the value with the repairs made to it, or the error and
 * what to do in the spreadsheet.
 */
import { OTHER_UNITS } from "../contract/packages.ts"
import { quoted } from "../contract/parsed.ts"
import { repairPostcode, statesOfPostcode } from "../contract/places.ts"
import { UNSAFE } from "../contract/safe-text.ts"
import { MONTHS } from "../contract/wall-clock.ts"
import { stateCode } from "../contract/zones.ts"

export interface FindingText {
  rule: string
  message: string
  hint?: string
}

export type Read<T> = { value: T; repairs: readonly FindingText[] } | { error: FindingText }

/** A value with the repairs made to it; undefined ones are left out. */
export function accept<T>(value: T, ...repairs: (FindingText | undefined)[]): Read<T> {
  return { value, repairs: repairs.filter((each) => each !== undefined) }
}

/** A cell that cannot be read. @param hint what to do in the spreadsheet */
export function reject(rule: string, message: string, hint?: string): { error: FindingText } {
  return { error: { rule, message, ...(hint !== undefined && { hint }) } }
}

/** A repair: what the cell has, and how it is read. */
export function describeRepair(rule: string, text: string, as: string, why?: string): FindingText {
  return { rule, message: `${quoted(text)} is taken as ${quoted(as)}${why === undefined ? "" : `: ${why}`}` }
}

/** What spreadsheets make of `1-2` and `MAR1`. */
const DATE_LIKE = new RegExp(`^\\d{1,2}-(?:${MONTHS.join("|")})$|^(?:${MONTHS.join("|")})-\\d\\d$`, "i")

/** Hint for a column that a spreadsheet does not treat as text. */
const AS_TEXT = "format the column as text, type the cells again, and save"

const OTHER_BLANKS = /[\u00a0\u2007\u202f\u3000]/g
const MISREAD = /\u00c3[\u0080-\u00bf\u0192\u201a\u2026]|\u00e2\u20ac|\ufffd/

/** Trims a cell and replaces typographic quotes and the apostrophe that marks text. May be empty. */
export function cleanText(written: string): Read<string> {
  const text = written.replace(/[\u200b\ufeff]/g, "").trim()
  if (/^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|GETTING_DATA|#+)$/i.test(text))
    return reject(
      "formula-error",
      `${quoted(text)} is the spreadsheet's own error, not a value`,
      "fix the formula",
    )
  const oneLine = /[\n\v\f\t]/.test(text) ? text.replace(/\s+/g, " ") : text.replace(OTHER_BLANKS, " ")
  const straight = unwrapped(
    oneLine.replace(/[\u2018\u2019\u201b]/g, "'").replace(/[\u201c\u201d\u201e]/g, '"'),
  )
  // Spreadsheets mark text with it, and exports put it before formulas.
  const plain = straight.replace(/^'(?=[=+\-@\d])/, "")
  const unsafe = plain.match(UNSAFE)?.[0]
  if (unsafe !== undefined) {
    const code = unsafe.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")
    return reject("control-character", `has a control character in it (U+${code})`, "type the cell again")
  }
  return accept(
    plain,
    text !== written || oneLine !== text
      ? { rule: "blanks", message: `blanks or line breaks around or inside ${quoted(plain)} were removed` }
      : undefined,
    straight !== oneLine ? describeRepair("quotes", oneLine, plain, "it had typographic quotes") : undefined,
    plain !== straight
      ? describeRepair("apostrophe", straight, plain, "the apostrophe only marks text")
      : undefined,
  )
}

function unwrapped(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text
}

/** Plain text; rejects numbers in a spreadsheet's short form, which have lost digits. */
export function readText(text: string): Read<string> {
  if (/^\d(?:[.,]\d+)?E\+\d{2,3}$/i.test(text))
    return reject(
      "exponent",
      `${quoted(text)} is a long number that a spreadsheet shortened: its last digits are gone`,
      `${AS_TEXT}; it cannot be repaired from here`,
    )
  return accept(text)
}

export function textWarnings(text: string): FindingText[] {
  const said: FindingText[] = []
  if (/^\d{15}0+$/.test(text))
    said.push({
      rule: "digits",
      message: `${quoted(text)} ends in zeros after 15 digits, where spreadsheets lose the rest`,
      hint: `compare it with where it came from. ${AS_TEXT} if it is wrong`,
    })
  if (MISREAD.test(text))
    said.push({
      rule: "misread",
      message: `${quoted(text)} looks like text that was opened in the wrong encoding`,
      hint: "open the export as UTF-8, and save it again",
    })
  return said
}

/** Warns about a reference that a spreadsheet took for a date: `1-2` becomes `1-Feb`. */
export function dateWarnings(text: string): FindingText[] {
  if (!DATE_LIKE.test(text)) return []
  return [
    {
      rule: "date-like",
      message: `${quoted(text)} looks like a date that a spreadsheet made of something else`,
      hint: `${AS_TEXT} if it is wrong`,
    },
  ]
}

/** @param state as the same address has it */
export function readPostcode(text: string, state: string | undefined): Read<string> {
  const whole = withoutFraction(text)
  if (!/^\d{1,3}$/.test(whole.value)) return accept(whole.value, whole.repair)
  const code = state === undefined ? undefined : stateCode(state)
  const repaired = code && repairPostcode(whole.value, code)
  if (repaired)
    return accept(
      repaired,
      describeRepair("lost-zero", text, repaired, `it has lost its leading 0, and ${code} has ${repaired}`),
    )
  const four = whole.value.padStart(4, "0")
  const states = statesOfPostcode(four)
  const why = states.length > 0 ? `${four} is in ${states.join(" or ")}` : `no state has ${four}`
  const not = states.length > 0 && code ? `, not in ${code}` : ""
  return reject(
    "lost-zero",
    `${quoted(text)} is not a postcode of four digits, and ${why}${not}`,
    "fix the postcode or the state",
  )
}

/** `western australia` becomes WA. Unknown states are left to the contract check. */
export function readState(text: string): Read<string> {
  const code = stateCode(text)
  return accept(
    code ?? text,
    code && code !== text ? describeRepair("state", text, code, "its short form") : undefined,
  )
}

/** Only Australian addresses can be booked. */
export function readCountry(text: string): Read<string> {
  if (/^(?:au|aus|australia|commonwealth of australia)$/i.test(text)) return accept("AU")
  return reject("country", `${quoted(text)} is not Australia`, "only addresses in Australia can be booked")
}

/** Restores the leading 0 that mobiles and area codes lose. */
export function readPhone(text: string): Read<string> {
  const exact = readText(text)
  if ("error" in exact) return exact
  const whole = withoutFraction(text)
  if (!/^[23478]\d{8}$/.test(whole.value)) return accept(whole.value, whole.repair)
  const repaired = `0${whole.value}`
  return accept(repaired, describeRepair("lost-zero", text, repaired, "it has lost its leading 0"))
}

/** Restores a lost leading 0. */
export function readAreaCode(text: string): Read<string> {
  const { value, repair } = withoutFraction(text)
  if (!/^[23478]$/.test(value)) return accept(value, repair)
  return accept(`0${value}`, describeRepair("lost-zero", text, `0${value}`, "it has lost its leading 0"))
}

/** Restores lost zeros and drops the letters UN. */
export function readUnNumber(text: string): Read<string> {
  const { value } = withoutFraction(text.replace(/^UN ?/i, ""))
  if (!/^\d{1,3}$/.test(value)) return accept(value)
  const repaired = value.padStart(4, "0")
  return accept(repaired, describeRepair("lost-zero", text, repaired, "it has lost its leading zeros"))
}

/** Removes `.0`, which programs add to numbers. */
export function withoutFraction(text: string): { value: string; repair: FindingText | undefined } {
  const value = /^\d+(?=\.0+$)/.exec(text)?.[0]
  if (value === undefined) return { value: text, repair: undefined }
  return { value, repair: describeRepair("fraction", text, value, "it is not a number") }
}

interface Figures {
  whole?: boolean
  /** `$` and `AUD` may stand before or after. */
  money?: boolean
  unit?: "kg" | "cm"
}

/** A number in any form that spreadsheets write. The error says if it has two readings or none. */
export function readNumber(text: string, figures: Figures): Read<number> {
  const { unit } = figures
  const [other, each] = unit ? OTHER_UNITS[unit] : []
  if (other?.test(text)) {
    const read = readNumber(text.replace(other, ""), {})
    const value = "error" in read ? Number.NaN : read.value / (each ?? 1)
    return "error" in read ? read : accept(value, describeRepair("unit", text, `${value} ${unit}`))
  }
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
    return reject(
      "ambiguous-number",
      `${quoted(text)} can be ${thousands} or ${Number(decimal)}`,
      `write it as ${thousands} or ${Number(decimal)}`,
    )
  }
  if (/^-?\d+,\d+$/.test(digits)) return plain(digits.replace(",", "."))
  if (/^\d(?:[.,]\d+)?E[+-]?\d{1,3}$/i.test(digits))
    return reject(
      "exponent",
      `${quoted(text)} is a number that a spreadsheet shortened`,
      "format the column as a number with all its digits",
    )
  if (DATE_LIKE.test(digits))
    return reject("date-like", `${quoted(text)} is a date that a spreadsheet made of a number`, AS_TEXT)
  return reject("type", `${quoted(text)} is not a ${figures.whole ? "whole number" : "number"}`)
}

/** Dashes that programs write for a minus. */
const MINUS = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g

/** As accountants write it, too: `(12.50)`, `12.50-` and `12.50 CR` are negative, `12.50 DR` is not. */
export function readSignedNumber(text: string, figures: Figures): Read<number> {
  const plain = text.replace(MINUS, "-").replace(/\s*DR$/i, "")
  const inner = /^(?:A?\$ ?)?\((.+)\)$/.exec(plain)?.[1] ?? /^(.+?)\s*(?:-|CR)$/i.exec(plain)?.[1]
  const read = readNumber((inner ?? plain).trim(), figures)
  if ("error" in read || inner === undefined) return read
  return accept(0 - read.value, describeRepair("negative", text, String(0 - read.value)))
}

function asNumber(text: string, digits: string, changed: boolean, { whole }: Figures): Read<number> {
  const value = Number(digits)
  if (whole && !Number.isInteger(value)) return reject("type", `${quoted(text)} is not a whole number`)
  return changed ? accept(value, describeRepair("number", text, String(value))) : accept(value)
}

function withoutUnit(text: string, { money, unit }: Figures): string {
  if (money) return text.replace(/^(-?)(?:A?\$|AUD) ?|(?: ?(?:A?\$|AUD))$/gi, "$1")
  return unit && text.toLowerCase().endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text
}
