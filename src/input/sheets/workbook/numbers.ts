/** Numbers, days and times of cells as the text that a person sees, in the forms that freight reads in CSV. */
import { findUnit, isOwnUnit, UNIT_WORDS } from "../../../base/units.ts"

/** A number as its cell's format shows it. */
export type NumberForm = Shown & {
  /** It shows nothing for 0. */
  hidesZero?: boolean
}

type Shown =
  | { kind: "percent" | "scientific" | "day" | "time" | "moment" }
  /** With a unit that is not the one of freight's fields. */
  | { kind: "number"; unit?: string }
  /** `"SO-"0000` shows 12 as SO-0012: a zero is a place for a digit. */
  | { kind: "digits"; parts: readonly FormPart[] }

type FormPart = { text: string } | "0"

const NUMBER: Shown = { kind: "number" }

/** Formats that a workbook does not spell out (ECMA-376, part 1, 18.8.30). */
const BUILT_IN: readonly (readonly [ids: readonly number[], kind: Exclude<Shown["kind"], "digits">])[] = [
  [[9, 10], "percent"],
  [[11, 48], "scientific"],
  [[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], "day"],
  [[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56], "time"],
  [[22], "moment"],
]

/** @param code the workbook's, if it has one */
export function readForm(id: number, code: string | undefined): NumberForm {
  if (code === undefined) {
    const kind = BUILT_IN.find(([ids]) => ids.includes(id))?.[1]
    return kind ? { kind } : NUMBER
  }
  const [first = "", , zero] = code.split(";")
  return { ...readShown(first), ...(zero?.trim() === "" && { hidesZero: true }) }
}

/** @param first the section of a format's code for numbers above zero */
function readShown(first: string): Shown {
  const parts = readDigitParts(first)
  if (parts) return { kind: "digits", parts }
  // Removes texts, colours and conditions; other brackets are a duration: [h]:mm.
  const plain = first.replace(/"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^[\]]*\]/gi, "").toLowerCase()
  const unit = readUnit(first)
  if (unit !== undefined) return { kind: "number", unit }
  if (plain.includes("general")) return NUMBER
  if (/[0#?]e[+-]/.test(plain)) return { kind: "scientific" }
  const hasDay = /[yd]/.test(plain) || (plain.includes("m") && !/[hs]/.test(plain))
  const hasTime = /[hs]/.test(plain)
  if (hasDay) return { kind: hasTime ? "moment" : "day" }
  if (hasTime) return { kind: "time" }
  return plain.includes("%") ? { kind: "percent" } : NUMBER
}

/** Behind a number. */
const UNIT_BEHIND = new RegExp(`(?:[0#?]|general)\\s*(${UNIT_WORDS})$`, "i")

/** `0.0" mm"` → `mm`; undefined for other text, and for kg and cm. */
function readUnit(code: string): string | undefined {
  const shown = code.replace(/[_*].|\[[^[\]]*\]|["\\]/g, "").trim()
  const unit = findUnit(UNIT_BEHIND.exec(shown)?.[1] ?? "")
  return unit && !isOwnUnit(unit) ? unit.name : undefined
}

/** Text in quotes, an escaped character, a blank as wide as a character, text in brackets. */
const FORM_PART = /"([^"]*)"|\\(.)|([ ():-])|[_*].|\[[^\]<>=]*\]|0/gy

/** The digits and texts of a format with nothing else; undefined for units, amounts and all others. */
function readDigitParts(code: string): FormPart[] | undefined {
  const parts: FormPart[] = []
  let read = 0
  for (const [whole, quoted, escaped, plain] of code.matchAll(FORM_PART)) {
    read += whole.length
    const text = quoted ?? escaped ?? plain
    if (text !== undefined) parts.push({ text })
    else if (whole === "0") parts.push("0")
  }
  const isText = (part: FormPart) => part !== "0" && /[\p{L}\p{N}#]/u.test(part.text)
  const last = parts.lastIndexOf("0")
  const isNumber = parts.filter((part) => part === "0").length < 2 && !parts.slice(0, last).some(isText)
  const isAmount = parts.some((part) => part !== "0" && part.text.includes("$"))
  return read < code.length || last < 0 || isNumber || isAmount ? undefined : parts
}

/** From the right; the remaining digits go to the first place. */
function fillDigits(digits: string, parts: readonly FormPart[]): string {
  const first = parts.indexOf("0")
  let left = digits
  return parts.reduceRight<string>((text, part, at) => {
    if (part !== "0") return part.text + text
    const own = at === first ? left : left.slice(-1)
    left = left.slice(0, -1)
    return (own || "0") + text
  }, "")
}

const DAY_MS = 86_400_000
const DAY_SECONDS = 86_400
/** Day 0 of workbooks that count from 1900, and of those that count from 1904. */
const EPOCHS = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) }
/** Workbooks hold 29 February 1900, which never was: days before it are one less. */
const FALSE_LEAP_DAY = 60
/** The last day that a workbook can show. */
const LAST_DAY = 2_958_465

/** The text of a cell's number. @param written as the workbook has it */
export function showNumber(written: string, form: NumberForm, is1904: boolean): string {
  const value = Number(written)
  if (!Number.isFinite(value)) return written
  if (value === 0 && form.hidesZero) return ""
  switch (form.kind) {
    case "number":
      return form.unit === undefined ? showDecimal(value) : `${showDecimal(value)} ${form.unit}`
    case "scientific":
      return showScientific(value)
    case "percent":
      return `${showDecimal(value * 100)}%`
    case "digits":
      return Number.isInteger(value) && value >= 0
        ? fillDigits(showDecimal(value), form.parts)
        : showDecimal(value)
    default:
      return value >= 0 && value <= LAST_DAY ? showDay(value, form.kind, is1904) : showDecimal(value)
  }
}

function showDay(value: number, kind: "day" | "time" | "moment", is1904: boolean): string {
  const seconds = Math.round((value % 1) * DAY_SECONDS)
  const whole = Math.floor(value) + (!is1904 && value < FALSE_LEAP_DAY ? 1 : 0)
  const epoch = is1904 ? EPOCHS.from1904 : EPOCHS.from1900
  const iso = new Date(epoch + whole * DAY_MS + seconds * 1000).toISOString()
  const clock = iso.slice(11, 19).replace(/:00$/, "")
  if (kind === "time") return clock
  const day = iso.slice(0, 10)
  return kind === "day" || seconds % DAY_SECONDS === 0 ? day : `${day} ${clock}`
}

/** Only a number typed or read with an exponent has that format: digits of a long number are lost, and `12E4` was a code. */
function showScientific(value: number): string {
  const [mantissa = "", exponent = "0"] = value.toExponential(2).split("e")
  const sign = exponent.startsWith("-") ? "-" : "+"
  return `${mantissa}E${sign}${exponent.replace(/^[+-]/, "").padStart(2, "0")}`
}

/** Digits that a spreadsheet keeps: 0.1 + 0.2 is 0.3 in its cell. */
const DIGITS = 15
/** Numbers from here on, and those below the inverse, JavaScript would write with an exponent. */
const MAX_PLAIN = 1e21
const MAX_DECIMALS = 20

function showDecimal(value: number): string {
  const rounded = Number(value.toPrecision(DIGITS))
  const text = String(rounded)
  if (!text.includes("e")) return text
  return Math.abs(rounded) >= MAX_PLAIN
    ? BigInt(rounded).toString()
    : rounded.toFixed(MAX_DECIMALS).replace(/(?:\.|(?<![.0]))0+$/, "")
}

/** A day as strict workbooks write it, `2026-11-24T10:30:00Z`, as that of other workbooks. */
export function showIsoDay(written: string): string {
  const [, day = "", clock = ""] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d)?)?/.exec(written) ?? []
  const short = clock.replace(/:00$/, "")
  if (day === "") return clock === "" ? written : short
  return clock === "" || short === "00:00" ? day : `${day} ${short}`
}
