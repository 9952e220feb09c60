/** Numbers, days and times of cells as the text that a person sees, in the forms that freight reads in CSV. */

/** What a cell's format makes of its number. */
export type NumberForm =
  | { kind: "number" | "percent" | "day" | "time" | "moment" }
  /** `0000` shows 800 as 0800. */
  | { kind: "digits"; length: number }

const NUMBER: NumberForm = { kind: "number" }

/** Formats that a workbook does not spell out (ECMA-376, part 1, 18.8.30). */
const BUILT_IN: readonly (readonly [ids: readonly number[], kind: "percent" | "day" | "time" | "moment"])[] =
  [
    [[9, 10], "percent"],
    [[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], "day"],
    [[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56], "time"],
    [[22], "moment"],
  ]

/** @param code as the workbook has it, where it does */
export function readForm(id: number, code: string | undefined): NumberForm {
  if (code === undefined) {
    const kind = BUILT_IN.find(([ids]) => ids.includes(id))?.[1]
    return kind ? { kind } : NUMBER
  }
  const [first = ""] = code.split(";")
  if (/^0{2,}$/.test(first)) return { kind: "digits", length: first.length }
  // Texts, colours and conditions; what stands in brackets otherwise is a duration: [h]:mm.
  const plain = first.replace(/"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "").toLowerCase()
  if (plain.includes("general")) return NUMBER
  const hasDay = /[yd]/.test(plain) || (plain.includes("m") && !/[hs]/.test(plain))
  const hasTime = /[hs]/.test(plain)
  if (hasDay) return { kind: hasTime ? "moment" : "day" }
  if (hasTime) return { kind: "time" }
  return plain.includes("%") ? { kind: "percent" } : NUMBER
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
  switch (form.kind) {
    case "number":
      return showDecimal(value)
    case "percent":
      return `${showDecimal(value * 100)}%`
    case "digits":
      return Number.isInteger(value) && value >= 0
        ? showDecimal(value).padStart(form.length, "0")
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

/** Digits that a spreadsheet keeps: 0.1 + 0.2 is 0.3 in its cell. */
const DIGITS = 15
/** Numbers from here on, and those below the inverse, JavaScript would write with an exponent. */
const LONGEST_PLAIN = 1e21
const MOST_DECIMALS = 20

function showDecimal(value: number): string {
  const rounded = Number(value.toPrecision(DIGITS))
  const text = String(rounded)
  if (!text.includes("e")) return text
  return Math.abs(rounded) >= LONGEST_PLAIN
    ? BigInt(rounded).toString()
    : rounded.toFixed(MOST_DECIMALS).replace(/\.?0+$/, "")
}

/** A day as strict workbooks write it, `2026-11-24T10:30:00Z`, as that of other workbooks. */
export function showIsoDay(written: string): string {
  const [, day = "", clock = ""] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d)?)?/.exec(written) ?? []
  const short = clock.replace(/:00$/, "")
  if (day === "") return clock === "" ? written : short
  return clock === "" || short === "00:00" ? day : `${day} ${short}`
}
