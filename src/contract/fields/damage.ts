/** Repairs damage by spreadsheets to text, numbers, days and times, where possible. */
import { describeRepair, type FindingText, type Parsed, parsed, quoted, refused } from "../../base/parsed.ts"
import { repairPostcode, statesOfPostcode } from "../places.ts"
import { dropHidden } from "../../base/invisible.ts"
import { saysZero } from "../../base/nothing.ts"
import { UNSAFE, unmarkFormula } from "../../base/safe-text.ts"
import { convertUnit, describeUnit, isOwnUnit, type Measure, splitUnit, type Unit } from "../../base/units.ts"
import { addDays, formatClock, formatDate, MONTHS, parseTimeOfDay } from "../../base/wall-clock.ts"
import { stateCode } from "../zones.ts"

/** The dates that spreadsheets make of `1-2` and `MAR1`. */
const DATE_LIKE = new RegExp(`^\\d{1,2}-(?:${MONTHS.join("|")})$|^(?:${MONTHS.join("|")})-\\d\\d$`, "i")

/** The same in a workbook, where the cell holds a day. */
const WHOLE_DAY = /^\d{4}-\d\d-\d\d$/

/** Hint for a column that a spreadsheet does not treat as text. */
const AS_TEXT = "format the column as text, type the cells again, and save"

const OTHER_BLANKS = /[\u00a0\u2007\u202f\u3000]/g
const MISREAD = /\u00c3[\u0080-\u00bf\u0192\u201a\u2026]|\u00e2\u20ac|\ufffd/

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", ndash: "\u2013", mdash: "\u2014" },
  ...{ lsquo: "'", rsquo: "'", ldquo: '"', rdquo: '"', hellip: "\u2026", eacute: "\u00e9", egrave: "\u00e8" },
}

/** Decodes text from web shops' exports: `Kel&#039;s` is Kel's, and `<br />` is a line break. */
export function decodeHtml(text: string): string {
  if (!/&[#\w]+;|<\/?(?:br|p)\b/i.test(text)) return text
  const decodeOnce = (each: string) =>
    each.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole
    })
  // Some shops encode text twice.
  return decodeOnce(decodeOnce(text)).replace(/(?:(?<!\s)\s+)?<(?:br|\/?p)\b[^<>]*>\s*/gi, "\n")
}

const LAST_CODE_POINT = 0x10_ffff

/**
 * Trims a cell, replaces typographic quotes, removes the apostrophe that marks text, and decodes shops' text. May be
 * empty.
 * @param isLiteral does not decode shops' text: ledger keys stay as the last release read them
 */
export function cleanText(raw: string, isLiteral = false): Parsed<string> {
  const written = isLiteral ? raw : decodeHtml(raw)
  // Text after this character is shown from right to left: a cell with 12 shows 21.
  const seen = written.includes(RIGHT_TO_LEFT) ? written : dropHidden(written)
  const text = seen.trim()
  if (/^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!|FIELD!|GETTING_DATA|#+)$/i.test(text))
    return refused(
      `${quoted(text)} is the spreadsheet's own error, not a value`,
      "fix the formula",
      "formula-error",
    )
  if (/^\[object \w+\]$/.test(text))
    return refused(
      `${quoted(text)} is what a program wrote in place of the value`,
      "type the value, or empty the cell",
      "lost-value",
    )
  const oneLine = /[\n\v\f\t\u2028\u2029]/.test(text)
    ? text.replace(/\s+/g, " ")
    : text.replace(OTHER_BLANKS, " ")
  const straight = unwrapped(
    oneLine.replace(/[\u2018\u2019\u201b]/g, "'").replace(/[\u201c\u201d\u201e]/g, '"'),
  )
  // Spreadsheets mark text with it, and exports put it before formulas.
  const mark = isLiteral ? /^'(?=\d)/ : /^'(?=\d|[A-Z](?=[\w-]*$)[\w-]*\d)/
  const unmarked = unmarkFormula(straight.replace(mark, "")).trimStart()
  const plain = TEXT_FORMULA.exec(unmarked)?.[1] ?? unmarked
  const unsafe = plain.match(UNSAFE)?.[0]
  if (unsafe !== undefined) {
    const code = (unsafe.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
    return refused(`has a control character in it (U+${code})`, "type the cell again", "control-character")
  }
  return parsed(
    plain,
    written !== raw ? describeRepair("html", raw, plain, "it was encoded for a web page") : undefined,
    text !== seen || oneLine !== text
      ? { rule: "blanks", message: `blanks or line breaks around or inside ${quoted(plain)} were removed` }
      : undefined,
    seen !== written
      ? { rule: "blanks", message: `invisible signs around or inside ${quoted(plain)} were removed` }
      : undefined,
    straight !== oneLine ? describeRepair("quotes", oneLine, plain, "it had typographic quotes") : undefined,
    plain !== straight ? describeRepair("apostrophe", straight, plain, describeMark(unmarked)) : undefined,
  )
}

const RIGHT_TO_LEFT = "\u202e"

/** `="0800"`: exports keep the zeros of a text in a spreadsheet this way. */
const TEXT_FORMULA = /^="([^"]*)"$/

function describeMark(unmarked: string): string {
  return TEXT_FORMULA.test(unmarked) ? "the formula only keeps it as text" : "the apostrophe only marks text"
}

function unwrapped(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text
}

/** Plain text; rejects numbers in a spreadsheet's short form, which have lost digits. */
export function readText(text: string): Parsed<string> {
  if (/^\d(?:[.,]\d+)?E\+\d{2,3}$/i.test(text))
    return refused(
      `${quoted(text)} is a long number that a spreadsheet shortened: its last digits are gone`,
      `${AS_TEXT}; it cannot be repaired from here`,
      "exponent",
    )
  return parsed(text)
}

export function textWarnings(text: string): FindingText[] {
  const warnings: FindingText[] = []
  if (/^\d{15}0+$/.test(text))
    warnings.push({
      rule: "digits",
      message: `${quoted(text)} ends in zeros after 15 digits, where spreadsheets lose the rest`,
      hint: `compare it with where it came from. ${AS_TEXT} if it is wrong`,
    })
  if (MISREAD.test(text))
    warnings.push({
      rule: "misread",
      message: `${quoted(text)} looks like text that was opened in the wrong encoding`,
      hint: "open the export as UTF-8, and save it again",
    })
  return warnings
}

/** Warns about a text of 0, which a formula gives that refers to an empty cell. */
export function zeroWarnings(text: string): FindingText[] {
  if (text !== "0") return []
  return [
    {
      rule: "zero",
      message: `"0" is what a formula makes of an empty cell`,
      hint: "empty the cell if it is wrong",
    },
  ]
}

/** Warns about text that a spreadsheet took for a date: `1-2` becomes `1-Feb`, and 2026-02-01 in a workbook. */
export function dateWarnings(text: string): FindingText[] {
  if (!DATE_LIKE.test(text) && !WHOLE_DAY.test(text)) return []
  return [
    {
      rule: "date-like",
      message: `${quoted(text)} looks like a date that a spreadsheet made of something else`,
      hint: `${AS_TEXT} if it is wrong`,
    },
  ]
}

/** Restores the leading 0 that a postcode lost. @param state as the same address has it */
export function repairPostcodeCell(text: string, state: string | undefined): Parsed<string> {
  const whole = removeFraction(text)
  if (!whole.ok || !/^\d{1,3}$/.test(whole.value)) return whole
  const code = state === undefined ? undefined : stateCode(state)
  const repaired = code && repairPostcode(whole.value, code)
  if (repaired)
    return parsed(
      repaired,
      describeRepair("lost-zero", text, repaired, `it has lost its leading 0, and ${code} has ${repaired}`),
    )
  const four = whole.value.padStart(4, "0")
  const states = statesOfPostcode(four)
  const why = states.length > 0 ? `${four} is in ${states.join(" or ")}` : `no state has ${four}`
  const not = states.length > 0 && code ? `, not in ${code}` : ""
  return refused(
    `${quoted(text)} is not a postcode of four digits, and ${why}${not}`,
    "fix the postcode or the state",
    "lost-zero",
  )
}

/** Restores the zeros in front that a code lost, and removes the decimals that it gained. */
export function restoreZeros(text: string, shortened: RegExp, length: number): Parsed<string> {
  const exact = readText(text)
  const whole = exact.ok ? removeFraction(text) : exact
  if (!whole.ok || !shortened.test(whole.value)) return whole
  const missing = length - whole.value.replaceAll(" ", "").length
  const repaired = "0".repeat(missing) + whole.value
  const zeros = missing === 1 ? "its leading 0" : "its leading zeros"
  return parsed(repaired, describeRepair("lost-zero", text, repaired, `it has lost ${zeros}`))
}

/** Removes `.0`, which programs add to numbers. */
export function removeFraction(text: string): Parsed<string> {
  const value = /^\d+(?=\.0+$)/.exec(text)?.[0]
  return value === undefined
    ? parsed(text)
    : parsed(value, describeRepair("fraction", text, value, "it is not a number"))
}

/** Serial numbers of days further from now are not read as days; neither are those that count from 1904. */
const MAX_SERIAL_DAYS = 400
const DAY_MS = 86_400_000

/**
 * Reads a day that a spreadsheet writes as a number, the days since 1899-12-30, as `2026-11-23` or `2026-11-23 10:30`.
 * Other text stays as it is, except a time alone, which would be that time today.
 * @param nowMs to judge whether the number is plausible
 */
export function restoreDay(text: string, nowMs: number): Parsed<string> {
  if (parseTimeOfDay(text).ok)
    return refused(`${quoted(text)} is a time without a day`, "write the day before it", "date")
  if (!/^\d{5}(?:\.\d+)?$/.test(text)) return parsed(text)
  const days = Math.floor(Number(text))
  const date = addDays({ year: 1899, month: 12, day: 30 }, days)
  const time = text.includes(".") ? ` ${formatPartOfDay(Number(text) - days)}` : ""
  const shown = `${formatDate(date)}${time}`
  if (Math.abs(Date.UTC(date.year, date.month - 1, date.day) - nowMs) > MAX_SERIAL_DAYS * DAY_MS)
    return refused(
      `${quoted(text)} is a spreadsheet's number for a day, ${shown} if it counts from 1900`,
      "format the column as a date, yyyy-mm-dd, and save",
      "serial",
    )
  return parsed(shown, describeRepair("serial", text, shown, "a spreadsheet's number for it"))
}

/** Reads a time that a spreadsheet writes as a fraction of a day, as `10:30`. */
export function restoreTime(text: string): Parsed<string> {
  if (!/^0?\.\d+$/.test(text)) return parsed(text)
  const time = formatPartOfDay(Number(text))
  return parsed(time, describeRepair("serial", text, time, "a spreadsheet's part of a day"))
}

/** Rounded to minutes. */
function formatPartOfDay(part: number): string {
  const minutes = Math.min(Math.round(part * 1440), 1439)
  return formatClock({ hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0 })
}

interface Figures {
  whole?: boolean
  /** `$` and `AUD` are allowed before or after it. */
  money?: boolean
  unit?: Measure
  /** The unit for numbers without one, from a heading or another column; otherwise the field's. */
  givenUnit?: Unit | undefined
}

/** A number in any format of spreadsheets. The error says whether it has two readings or none. */
export function readNumber(text: string, figures: Figures): Parsed<number> {
  return figures.unit
    ? readMeasure(text, figures.unit, figures.givenUnit)
    : readDigits(text, withoutCurrency(text, figures), figures)
}

/** @param bare the text without the characters around its digits */
function readDigits(text: string, bare: string, figures: Figures): Parsed<number> {
  const digits = bare
    .replace(/^\+ ?(?=[\d.])|(?<=^-) (?=[\d.])/, "")
    .replace(/(?<=\d)[ '](?=\d{3}(?:\D|$))/g, "")
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
    return refused(
      `${quoted(text)} can be ${thousands} or ${Number(decimal)}`,
      `write it as ${thousands} or ${Number(decimal)}`,
      "ambiguous-number",
    )
  }
  if (/^-?\d+,\d+$/.test(digits)) return plain(digits.replace(",", "."))
  if (/^\d(?:[.,]\d+)?E[+-]?\d{1,3}$/i.test(digits))
    return refused(
      `${quoted(text)} is a number that a spreadsheet shortened`,
      "format the column as a number with all its digits",
      "exponent",
    )
  if (DATE_LIKE.test(digits))
    return refused(`${quoted(text)} is a date that a spreadsheet made of a number`, AS_TEXT, "date-like")
  return refused(`${quoted(text)} is not a ${figures.whole ? "whole number" : "number"}`)
}

function readMeasure(text: string, measure: Measure, given: Unit | undefined): Parsed<number> {
  const split = splitUnit(text, measure)
  if (split && given && !isOwnUnit(given) && split.unit !== given)
    return refused(
      `${quoted(text)} is in ${split.unit.name}, but its column is in ${given.name}`,
      "write both in one unit",
      "unit",
    )
  const unit = split?.unit ?? given
  const read = readDigits(text, split?.number.trim() ?? text, {})
  if (!read.ok || !unit || isOwnUnit(unit)) return read
  const value = convertUnit(read.value, unit)
  return parsed(value, {
    rule: "unit",
    message: describeUnit(split ? text : `${text} ${unit.name}`, value, unit),
  })
}

/** Dashes that programs write instead of a minus. */
const MINUS = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g

/** Also reads accountants' signs: `(12.50)`, `12.50-` and `12.50 CR` are negative, `12.50 DR` is not. */
export function readSignedNumber(text: string, figures: Figures): Parsed<number> {
  if (saysZero(text)) return parsed(0, describeRepair("number", text, "0"))
  const plain = text.replace(MINUS, "-").replace(/(?<!\s)\s*DR$/i, "")
  const inner = /^(?:A?\$ ?)?\((.+)\)$/.exec(plain)?.[1] ?? /^(.*?\S)\s*(?:-|CR)$/i.exec(plain)?.[1]
  const read = readNumber((inner ?? plain).trim(), figures)
  if (!read.ok || inner === undefined) return read
  return parsed(0 - read.value, describeRepair("negative", text, String(0 - read.value)))
}

function asNumber(text: string, digits: string, changed: boolean, { whole }: Figures): Parsed<number> {
  const value = Number(digits)
  if (whole && !Number.isInteger(value)) return refused(`${quoted(text)} is not a whole number`)
  return changed ? parsed(value, describeRepair("number", text, String(value))) : parsed(value)
}

function withoutCurrency(text: string, { money }: Figures): string {
  return money ? text.replace(/^([+-]? ?)(?:A?\$|AUD) ?|(?: ?(?:A?\$|AUD))$/gi, "$1") : text
}
