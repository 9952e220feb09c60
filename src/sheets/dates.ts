/** Dates and times as spreadsheets write them: also as serial numbers. */
import { quoted } from "../contract/parsed.ts"
import {
  addDays,
  type CalendarDate,
  formatClock,
  formatDate,
  formatDay,
  formatTime,
  parseCloseTime,
  parseTimeOfDay,
  type TimeOfDay,
  type WallClock,
} from "../contract/wall-clock.ts"
import { explainTwoDays, readWhen as readDayAndTime } from "../contract/when.ts"
import { reject, accept, type Read, describeRepair } from "./damage.ts"

const DAY_MS = 86_400_000

interface When {
  date: CalendarDate
  time: TimeOfDay | undefined
}

/**
 * A date, with or without a time.
 * @param nowMs to judge whether a serial number is plausible
 * @param now what the clock shows at the collection, for `tomorrow` and days without a year; they are refused without it
 */
export function readWhen(text: string, nowMs: number, now?: () => WallClock): Read<When> {
  if (/^\d{5}(?:\.\d+)?$/.test(text)) return readSerial(text, nowMs)
  const when = parseTimeOfDay(text).ok ? undefined : readDayAndTime(text, now)
  if (!when) return reject("date", `${quoted(text)} is a time without a day`, "write the day before it")
  if (!when.ok) return reject(when.rule, when.message, when.hint)
  const twoDays = explainTwoDays(text, when.value)
  // A spreadsheet may have turned the day already.
  if (twoDays) return reject("ambiguous-date", twoDays.message, twoDays.hint)
  const { date, time, isTurned } = when.value
  if (!isTurned) return accept({ date, time })
  const [written = text] = /^\S+/.exec(text) ?? []
  return accept({ date, time }, describeRepair("turned-date", written, formatDate(date), formatDay(date)))
}

/** A day alone, as `2026-11-23`. */
export function readDay(text: string, nowMs: number, now?: () => WallClock): Read<string> {
  const when = readWhen(text, nowMs, now)
  return "error" in when ? when : accept(formatDate(when.value.date), ...when.repairs)
}

/** A time of day; spreadsheets may write it as a fraction of a day. */
function readTime(text: string): Read<TimeOfDay> {
  if (/^0?\.\d+$/.test(text)) {
    const time = toTime(Number(text))
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

/** A spreadsheet's serial number: days since 1899-12-30. Serials that count from 1904 give an implausible year. */
function readSerial(text: string, nowMs: number): Read<When> {
  const days = Math.floor(Number(text))
  const date = addDays({ year: 1899, month: 12, day: 30 }, days)
  const time = toTime(Number(text) - days)
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
function toTime(part: number): TimeOfDay {
  const minutes = Math.min(Math.round(part * 1440), 1439)
  return { hour: Math.floor(minutes / 60), minute: minutes % 60, second: 0 }
}
