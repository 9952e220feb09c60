/** Dates and times as spreadsheets write them: reordered, with month names, or as serial numbers. */
import { quoted } from "../../contract/parsed.ts"
import {
  addDays,
  type CalendarDate,
  formatClock,
  formatDate,
  findMonth,
  formatDay,
  formatTime,
  parseCloseTime,
  parseDate,
  parseTimeOfDay,
  type TimeOfDay,
} from "../../contract/wall-clock.ts"
import { reject, accept, type Read, type FindingText, describeRepair } from "./text.ts"

const MONTH = "([a-z]{3,9})\\.?"
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+/i
const DAY_MS = 86_400_000
/** Longest text that can be a day and a time. */
const LONGEST = 60

interface When {
  date: CalendarDate
  time: TimeOfDay | undefined
}

/**
 * A date, with or without a time.
 * @param nowMs to judge whether a serial number is plausible
 */
export function readWhen(text: string, nowMs: number): Read<When> {
  if (/^\d{5}(?:\.\d+)?$/.test(text)) return readSerial(text, nowMs)
  if (/\d(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && /\d[T ]\d/.test(text))
    return reject(
      "zone",
      `${quoted(text)} has a zone`,
      "leave it off: the time is read on the collection's own clock",
    )
  if (text.length > LONGEST) return reject("date", `${quoted(text)} is not a date`)
  const plain = text.replace(WEEKDAY, "").replace(/(:\d\d)\.\d+$/, "$1")
  const [, day = plain, clock] =
    /^(.*?\d)(?:T|,? +|, *)(\d{1,2}(?::?\d\d){0,2}\s*(?:am|pm)?|\d{1,2}:\d\d.*)$/i.exec(plain) ?? []
  const whole = dayOf(plain)
  const date = "error" in whole && clock !== undefined ? dayOf(day) : whole
  if ("error" in date) return date
  if (date === whole || clock === undefined)
    return accept({ date: date.value, time: undefined }, ...date.repairs)
  const time = parseTimeOfDay(clock)
  if (!time.ok) return reject("time", time.reason)
  return accept({ date: date.value, time: time.value }, ...date.repairs)
}

/** A day alone, as `2026-11-23`. */
export function readDay(text: string, nowMs: number): Read<string> {
  const when = readWhen(text, nowMs)
  return "error" in when ? when : accept(formatDate(when.value.date), ...when.repairs)
}

/** A time of day; spreadsheets may write it as a fraction of a day. */
function readTime(text: string): Read<TimeOfDay> {
  if (/^0?\.\d+$/.test(text)) {
    const time = timeOf(Number(text))
    return accept(time, describeRepair("serial", text, formatClock(time), "a spreadsheet's part of a day"))
  }
  const time = parseTimeOfDay(text)
  return time.ok ? accept(time.value) : reject("time", time.reason)
}

/** Any way of writing a time, as `hhmm`. */
export function readCloseTime(text: string): Read<string> {
  const time = readTime(text)
  if ("error" in time) return time
  const close = parseCloseTime(formatTime(time.value))
  return close.ok ? accept(close.value, ...time.repairs) : reject("time", close.reason)
}

/** `HH:MM`. */
export function readClock(text: string): Read<string> {
  const time = readTime(text)
  return "error" in time ? time : accept(formatClock(time.value), ...time.repairs)
}

function dayOf(text: string): Read<CalendarDate> {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text)
  if (iso) return checkDate(text, iso.slice(1).map(Number))
  const named =
    new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[ -]?${MONTH}[ -]?,? ?(\\d{4}|\\d\\d)$`, "i").exec(text) ??
    new RegExp(`^${MONTH}[ -]?(\\d{1,2})(?:st|nd|rd|th)?,? ?[ -]?(\\d{4})$`, "i").exec(text)
  if (named) return readNamedDate(text, named.slice(1))
  const figures = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d\d)$/.exec(text)
  if (!figures)
    return reject("date", `${quoted(text)} is not a date`, "write it as 2026-11-23, or 2026-11-23 10:00")
  const [first = 0, second = 0, year = 0] = figures.slice(1).map(Number)
  if (year < 100)
    return reject(
      "date",
      `${quoted(text)} has a year of two digits`,
      "write it as 2026-11-23: year, month, day",
    )
  return readOrderedDate(text, first, second, year)
}

/** `21/11/2026` can be read in one way, `11/12/2026` in two. */
function readOrderedDate(text: string, first: number, second: number, year: number): Read<CalendarDate> {
  const dayFirst = parseDate(formatDate({ year, month: second, day: first }))
  const monthFirst = parseDate(formatDate({ year, month: first, day: second }))
  if (dayFirst.ok && monthFirst.ok && first !== second) {
    const readings = [dayFirst, monthFirst].map(({ value }) => formatDay(value)).join(" or ")
    return reject(
      "ambiguous-date",
      `${quoted(text)} can be ${readings}`,
      `write it as ${formatDate(dayFirst.value)} or ${formatDate(monthFirst.value)}`,
    )
  }
  const only = dayFirst.ok ? dayFirst : monthFirst
  if (!only.ok) return reject("date", `${quoted(text)} is not a date: there is no such day`)
  return accept(only.value, turned(text, only.value))
}

function turned(text: string, date: CalendarDate): FindingText {
  return describeRepair("turned-date", text, formatDate(date), formatDay(date))
}

function readNamedDate(text: string, parts: readonly string[]): Read<CalendarDate> {
  const [one = "", two = "", year = ""] = parts
  const [day, name] = /^\d/.test(one) ? [one, two] : [two, one]
  return checkDate(text, [Number(year.length === 2 ? `20${year}` : year), findMonth(name) ?? 0, Number(day)])
}

function checkDate(text: string, [year = 0, month = 0, day = 0]: readonly number[]): Read<CalendarDate> {
  const date = parseDate(formatDate({ year, month, day }))
  if (!date.ok) return reject("date", `${quoted(text)} is not a date: there is no such day`)
  return accept(date.value)
}

/** A spreadsheet's serial number: days since 1899-12-30. Serials that count from 1904 give an implausible year. */
function readSerial(text: string, nowMs: number): Read<When> {
  const days = Math.floor(Number(text))
  const date = addDays({ year: 1899, month: 12, day: 30 }, days)
  const time = timeOf(Number(text) - days)
  const away = Math.abs(Date.UTC(date.year, date.month - 1, date.day) - nowMs) / DAY_MS
  const shown = text.includes(".") ? `${formatDate(date)} ${formatClock(time)}` : formatDate(date)
  if (away > 400)
    return reject(
      "serial",
      `${quoted(text)} is a spreadsheet's number for a day, ${shown} if it counts from 1900`,
      "format the column as a date, yyyy-mm-dd, and save",
    )
  return accept(
    { date, time: text.includes(".") ? time : undefined },
    describeRepair("serial", text, shown, "a spreadsheet's number for it"),
  )
}

/** A fraction of a day, rounded to minutes. */
function timeOf(part: number): TimeOfDay {
  const minutes = Math.min(Math.round(part * 1440), 1439)
  return { hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0 }
}
