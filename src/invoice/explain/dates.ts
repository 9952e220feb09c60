/** Dates and times of an invoice (RFC 3339), and other notations that people use. */
import { adviseText, type Explanation, isContractZone } from "../../contract/index.ts"
import { quoted } from "../../base/parsed.ts"
import {
  findMonth,
  formatWallClock,
  instantOf,
  parseDate,
  parseWallClock,
  wallClockNow,
  weekdayOf,
} from "../../base/wall-clock.ts"
import { findWrongPart, isDateTime, moveDay } from "../formats.ts"

const SECONDS_A_DAY = 24 * 60 * 60

const WRONG_PARTS = {
  hour: "hours go from 00 to 23",
  minute: "minutes go from 00 to 59",
  second: "seconds go from 00 to 59",
} as const

export function explainDateTime(text: string): Explanation | undefined {
  const part = findWrongPart(text)
  if (part === undefined) return undefined
  if (part === "form") return explainDateTimeForm(text)
  const date = text.slice(0, "2026-11-20".length)
  if (part === "day") return explainDay(date)
  if (part === "offset")
    return {
      message: `${quoted(text)}: there is no offset ${text.slice(-"+10:00".length)}`,
      hint: "an offset has hours up to 23 and minutes up to 59, such as +10:00",
    }
  if (part === "second" && /:\d\d:60/.test(text))
    return {
      message: `${quoted(text)}: no leap second was then`,
      hint: "a 60th second comes only at the end of June or December in UTC: seconds go from 00 to 59",
    }
  const isMidnight = text.slice(date.length + 1).startsWith("24:00:00")
  return {
    message: `${quoted(text)}: ${WRONG_PARTS[part]}`,
    ...(isMidnight &&
      adviseText(`${moveDay(date, 1)}${text.slice(10, 11)}00${text.slice(13)}`, {
        lead: "midnight is 00:00 of the next day: write",
      })),
  }
}

/** A plain date that the calendar has: `2026-12-04`. */
export function explainDate(text: string): Explanation | undefined {
  if (parseDate(text).ok) return undefined
  const loose = readLooseDate(toPlainHyphens(text))
  if (!loose) return { message: `${quoted(text)} is not a date`, hint: 'write it like "2026-12-04"' }
  const { date, rest, remark, isCertain, rewritten } = loose
  const wrong = explainDay(date, text)
  if (wrong) return wrong
  const dash = rewritten ? undefined : describeDash(text)
  const says = rest.trim() === "" ? (dash ?? "is not written year-month-day") : "has more than a date"
  const safety = isCertain && rest.trim() === "" ? "safe" : "suggestion"
  return { message: `${quoted(text)} ${says}`, ...adviseText(date, { safety, more: remark }) }
}

/** The error of a day that the calendar does not have. @param text how the day is written */
function explainDay(date: string, text = date): Explanation | undefined {
  const day = parseDate(date)
  if (day.ok) return undefined
  return { message: day.reason.replace(quoted(date), quoted(text)), hint: "correct the day or the month" }
}

interface LooseDate {
  date: string
  /** The text behind the date. */
  rest: string
  /** Whether the date is not written year-month-day. */
  rewritten: boolean
  /** The assumption. */
  remark: string
  /** Whether it can be no other day: one with the century of its year. */
  isCertain: boolean
}

const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?=$|[\sTt])(.*)$/s
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|(?<!-)\d{2})(?=$|[\sTt])(.*)$/s
const NAMED_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?[\s./-]+([a-z]{3,9})[\s.,/-]+(\d{4}|\d{2})(?=$|[\sT,])(.*)$/is
const MONTH_FIRST = /^([a-z]{3,9})[\s.]+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?=$|[\sT,])(.*)$/is

/** A date in a common notation (in Australia the day comes before the month), and the rest of the text. */
function readLooseDate(text: string): LooseDate | undefined {
  const trimmed = text.slice(0, MAX_LENGTH).trim()
  const [year, month, day, rest, remark = ""] = readDateParts(trimmed) ?? []
  if (!year || !month || !day || rest === undefined) return undefined
  const date = `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  const isCertain = remark === "" && year.length === 4
  return { date, rest, rewritten: !trimmed.startsWith(date), remark, isCertain }
}

function readDateParts(text: string): (string | undefined)[] | undefined {
  const first = YEAR_FIRST.exec(text)
  if (first) return [first[1], first[3], first[4], first[5]]
  const last = YEAR_LAST.exec(text)
  if (last) {
    const [, one, , two, year, rest] = last
    if (Number(one) <= 12 && Number(two) > 12) return [year, one, two, rest]
    const either = Number(one) <= 12 && one !== two
    return [year, two, one, rest, either ? ", if the day is written before the month" : ""]
  }
  const named = NAMED_MONTH.exec(text)
  if (named) return [named[3], toMonth(named[2]), named[1], named[4]]
  const american = MONTH_FIRST.exec(text)
  return american ? [american[3], toMonth(american[1]), american[2], american[4]] : undefined
}

function toMonth(name = ""): string | undefined {
  return findMonth(name)?.toString()
}

/** The days that spreadsheets count from 30 December 1899 to 1 January 2000, and to 2100. */
const SERIALS = { first: 36526, end: 73051 }

/** The day that a spreadsheet means by a number; undefined for one that is not a day of this century. */
export function formatSerialDay(value: number): string | undefined {
  return value >= SERIALS.first && value < SERIALS.end ? moveDay("1899-12-30", Math.floor(value)) : undefined
}

/** The time of day that a spreadsheet means by the fraction of such a number; undefined for a whole number. */
export function formatSerialTime(value: number): string | undefined {
  if (Number.isInteger(value)) return undefined
  const seconds = Math.min(Math.round((value - Math.floor(value)) * SECONDS_A_DAY), SECONDS_A_DAY - 1)
  return new Date(seconds * 1000).toISOString().slice(11, 19)
}

const LOOSE_TIME =
  /^(\s*(?:[Tt,]\s*)?)(\d{1,2}):(\d\d)(?::(\d\d)([.,]\d+)?)?(?:\s*([ap])\.?m\b\.?)?(\s*)(\S.*)?$/i

/** ISO 8601 without hyphens and colons, or with the day of the year, or with week and weekday. */
const OTHER_ISO =
  /^(\d{4})-?(?:(\d\d)-?(\d\d)|W(\d\d)-?([1-7])|(\d{3}))T(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)$/

/** Converts a time in another ISO 8601 notation to RFC 3339; undefined for other texts. */
function readOtherIso(text: string): string | undefined {
  const [, year = "", month, day = "", week, weekday, nth, hour, minute, second = "00", fraction, zone = ""] =
    OTHER_ISO.exec(text) ?? []
  // The fourth of January is in the first week.
  const fourth = parseDate(`${year}-01-04`)
  if (!fourth.ok) return undefined
  const monday = 1 - (weekdayOf(fourth.value) || 7)
  const date =
    week !== undefined
      ? moveDay(`${year}-01-04`, monday + (Number(week) - 1) * 7 + Number(weekday) - 1)
      : nth !== undefined
        ? moveDay(`${year}-01-01`, Number(nth) - 1)
        : `${year}-${month}-${day}`
  const meant = `${date}T${hour}:${minute}:${second}${fraction === undefined ? "" : `.${fraction}`}${readOffset(zone, "")}`
  const isOfYear = nth === undefined || date.startsWith(year)
  return isOfYear && isDateTime(meant) ? meant : undefined
}

/** Lists everything that is wrong with the form of a date with time, and gives the right form. */
function explainDateTimeForm(text: string): Explanation {
  const loose = text.trim().length > MAX_LENGTH ? undefined : readLooseDate(toPlainHyphens(text))
  const time = loose && LOOSE_TIME.exec(loose.rest.trimEnd())
  if (!loose || (loose.rest.trim() !== "" && !time)) {
    const other = readOtherIso(text)
    if (other !== undefined)
      return { message: `${quoted(text)} is a form of ISO 8601 that RFC 3339 has not`, ...adviseText(other) }
    return {
      message: `${quoted(text)} is not a date with time and offset`,
      hint: 'write the date, T, the time and its offset from UTC, such as "2026-11-20T09:30:00+10:00"',
    }
  }
  const wrong = explainDay(loose.date, loose.rewritten ? text : loose.date)
  if (wrong) return wrong
  if (!time) {
    const says = loose.rewritten
      ? "is not written year-month-day and has no time"
      : "is a date without a time"
    const example = `"${loose.date}T09:30:00+10:00"${loose.remark}`
    const hint = `write it with a time and its offset from UTC, such as ${example}`
    return { message: `${quoted(text)} ${says}`, hint }
  }
  const [, between = "", hour = "", minute = "", second, fraction, half, blank, zone = ""] = time
  const hours = half === undefined ? Number(hour) : readHour(Number(hour), half)
  const clock = `${String(hours ?? "").padStart(2, "0")}:${minute}:${second ?? "00"}`
  const offset = readOffset(zone, `${loose.date}T${clock}`)
  const errors = [
    text !== text.trim() && "has blanks around it",
    describeDash(text),
    loose.rewritten && "is not written year-month-day",
    !/^[Tt]$/.test(between) && "has no T between the date and the time",
    hour.length === 1 && "has an hour of one digit",
    second === undefined && "has no seconds",
    fraction?.startsWith(",") && "has a comma where a point belongs",
    half !== undefined && `has the time in twelve hours (${half.toUpperCase()}M)`,
    zone === "" && "has no offset from UTC",
    blank !== "" && offset === zone && "has a blank before the offset",
    zone !== "" && offset !== zone && describeOffset(zone, offset),
  ].filter((error) => typeof error === "string")
  const meant = `${loose.date}T${clock}${fraction?.replace(",", ".") ?? ""}${offset ?? "+10:00"}`
  const isTime = hours !== undefined && isDateTime(meant)
  return {
    message: `${quoted(text)} ${joinWords(errors) || "is not a date with time and offset"}`,
    ...(isTime &&
      (offset === undefined
        ? { hint: hintForOffset(zone, meant) + loose.remark }
        : adviseText(meant, { safety: loose.isCertain ? "safe" : "suggestion", more: loose.remark }))),
  }
}

/** `half` is `a` or `p`. Undefined for hours that twelve-hour clocks do not have. */
function readHour(hour: number, half: string): number | undefined {
  const isAfternoon = half.toLowerCase() === "p"
  if (isAfternoon && hour > 12 && hour < 24) return hour
  return hour < 1 || hour > 12 ? undefined : (hour % 12) + (isAfternoon ? 12 : 0)
}

/** Names of zones, and their offsets. EST and CST are left out: other countries mean other offsets by them. */
const ZONE_OFFSETS: Readonly<Record<string, string>> = {
  Z: "Z",
  UTC: "Z",
  GMT: "Z",
  AEST: "+10:00",
  AEDT: "+11:00",
  ACST: "+09:30",
  ACDT: "+10:30",
  ACWST: "+08:45",
  AWST: "+08:00",
  AWDT: "+09:00",
  LHST: "+10:30",
  LHDT: "+11:00",
}

const LOOSE_OFFSET = /^(?:(?:UTC|GMT)\s*)?([+-])(\d{1,2}):?(\d\d)?$/i
/** A minus sign, dashes and hyphens that word processors put in the place of `-`. */
const DASHES = /[\u2010-\u2015\u2212\ufe63\uff0d]/g

function toPlainHyphens(text: string): string {
  return text.replace(DASHES, "-")
}

/** Names a dash that looks like a hyphen; undefined if there is none. */
function describeDash(text: string): string | undefined {
  const [dash] = text.match(DASHES) ?? []
  const code = dash?.charCodeAt(0).toString(16).toUpperCase()
  return dash && `has the sign ${dash} (U+${code}) where a plain - belongs`
}

/** An offset or the name of a zone, then a zone in brackets or parentheses. */
const ANNOTATED = /^(.*?)(?<!\s)\s*(?:\[([^[\]]*)\]|\(([^()]*)\))$/

/**
 * The offset from UTC that a text states in any way: `+1000`, `AEDT`, `+11:00[Australia/Sydney]`.
 * @param local the date and time that it belongs to
 */
function readOffset(text: string, local: string): string | undefined {
  const [, stated = text, zone, remark] = ANNOTATED.exec(text) ?? []
  const named = zone ?? remark
  if (named !== undefined && stated === "") return readOffset(named, local)
  const [, sign, hours = "", minutes = "00"] = LOOSE_OFFSET.exec(stated) ?? []
  const offset = sign ? `${sign}${hours.padStart(2, "0")}:${minutes}` : findOffsetOfZone(stated, local)
  // A name in parentheses that contradicts the offset leaves open which of the two is right.
  const contradiction = remark === undefined ? undefined : findOffsetOfZone(remark, local)
  return contradiction === undefined || contradiction === offset ? offset : undefined
}

function findOffsetOfZone(name: string, local: string): string | undefined {
  const short = name.toUpperCase()
  if (Object.hasOwn(ZONE_OFFSETS, short)) return ZONE_OFFSETS[short]
  const wall = parseWallClock(local)
  if (!isContractZone(name) || !wall.ok) return undefined
  const instant = instantOf(wall.value, name)
  const isShownAt = (time: number) => formatWallClock(wallClockNow(time, name)) === local
  // Clocks that are put back show an hour twice, and clocks that are put forward skip one.
  if (!isShownAt(instant) || isShownAt(instant + HOUR_MS)) return undefined
  const minutes = (Date.parse(`${local}Z`) - instant) / MINUTE_MS
  return `+${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** @param offset the meaning of the text, if it is known */
function describeOffset(text: string, offset: string | undefined): string {
  return `has ${quoted(text)}${offset === undefined ? " where the offset belongs" : `, which is written ${offset}`}`
}

/** @param example the text with an assumed offset */
function hintForOffset(zone: string, example: string): string {
  return zone === ""
    ? `write it with its offset, such as "${example}" for AEST; AEDT is +11:00 and UTC is Z`
    : "write the offset from UTC there: +10:00 for AEST, +11:00 for AEDT, Z for UTC"
}

function joinWords(parts: readonly string[]): string {
  const last = parts.at(-1)
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${last}` : (last ?? "")
}

/** No date or time is longer than this, in code units, however it is written. */
const MAX_LENGTH = 60
