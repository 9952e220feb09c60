/**
 * Dates and times of the contract: without a zone, in local time at the collection address. None is converted by a JS
 * Date in the workstation's zone (Date serves below as a UTC calendar only).
 * The shapes: `yyyy-MM-ddTHH:mm:ss` (collectionDateTime, localDateTime), `hhmm` (collectionCloseTime), `HH:mm:ss`
 * (cut-offs) and `HH:MM` (delivery window). A pickup's times have no stated shape.
 */
import { type Parsed, parsed, quoted, refused } from "./parsed.ts"

const MONTH_NAMES = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
]
export const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3))

/** The month (1 to 12) of a name or its short form, in any case: `Nov`, `sept`, `november`. */
export function findMonth(name: string): number | undefined {
  const at = findName(MONTH_NAMES, name)
  return at < 0 ? undefined : at + 1
}

/** Sunday first. */
export const WEEKDAY_NAMES = [
  ...["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
]
export const WEEKDAYS = WEEKDAY_NAMES.map((name) => name.slice(0, 3))

/** The day of the week (Sunday is 0) of a name or its short form, in any case: `Thurs`, `weds`. */
export function findWeekday(name: string): number | undefined {
  const at = findName(WEEKDAY_NAMES, name.replace(/s$/i, ""))
  return at < 0 ? undefined : at
}

function findName(names: readonly string[], text: string): number {
  if (text.length < 3) return -1
  return names.findIndex((name) => name.toLowerCase().startsWith(text.toLowerCase()))
}

/** `month` and `day` count from 1. */
export interface CalendarDate {
  year: number
  month: number
  day: number
}

export interface TimeOfDay {
  hour: number
  minute: number
  second: number
}

export interface WallClock extends CalendarDate, TimeOfDay {}

const DAY_MS = 86_400_000

/** Reads `yyyy-MM-dd`; the day must exist. */
export function parseDate(text: string): Parsed<CalendarDate> {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return refused(`${quoted(text)} is not a date: write it as 2026-11-23`)
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number)
  if (month < 1 || month > 12) return refused(`${quoted(text)} is not a date: there is no month ${month}`)
  const days = daysInMonth(year, month)
  if (day < 1 || day > days)
    return refused(`${quoted(text)} is not a date: that month has the days 1 to ${days}`)
  return parsed({ year, month, day })
}

/**
 * Reads `yyyy-MM-ddTHH:mm`, seconds optional and a fraction of them dropped. Date and time must exist; a zone is
 * refused.
 */
export function parseWallClock(text: string): Parsed<WallClock> {
  if (/\dZ$|T[\d:.]*[+-]\d{2}(?::?\d{2})?$/i.test(text))
    return refused(
      `${quoted(text)} has a time zone: leave it out, the time is local to the collection address`,
    )
  const whole = text.replace(/(:\d{2}:\d{2})\.\d+$/, "$1")
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)$/.exec(whole)
  if (!match) return refused(`${quoted(text)} is not a date and time: write it as 2026-11-23T10:00`)
  const [, datePart = "", timePart = ""] = match
  const date = parseDate(datePart)
  if (!date.ok) return date
  const time = parseTimeOfDay(timePart)
  return time.ok ? parsed({ ...date.value, ...time.value }) : time
}

/** Parses any usual time of day: `1700`, `17:00`, `17:00:00`, `5pm`, `5:30 pm`, `5.30pm`. */
export function parseTimeOfDay(text: string): Parsed<TimeOfDay> {
  const typed = text.trim().replace(/^(\d{1,2})\.(\d\d ?[ap]m)$/i, "$1:$2")
  const match = /^(\d{1,2})(?::?(\d{2})(?::(\d{2}))?)?\s*(am|pm)?$/i.exec(typed)
  const [, hours, minutes, seconds = "0", half] = match ?? []
  if (hours === undefined || (minutes === undefined && half === undefined))
    return refused(`${quoted(text)} is not a time: write it as 17:00`)
  const [minute, second, hour12] = [Number(minutes ?? 0), Number(seconds), Number(hours)]
  const hour = half === undefined ? hour12 : (hour12 % 12) + (half.toLowerCase() === "pm" ? 12 : 0)
  const realHour = half === undefined ? hour < 24 : hour12 >= 1 && hour12 <= 12
  if (!realHour || minute > 59 || second > 59) return refused(`${quoted(text)} is not a time of day`)
  return parsed({ hour, minute, second })
}

/** Parses a close time and formats it as `hhmm`: `5pm` → `1700`. */
export function parseCloseTime(text: string): Parsed<string> {
  const time = parseTimeOfDay(text)
  if (!time.ok) return time
  if (time.value.second > 0) return refused(`${quoted(text)} has seconds: a close time is hours and minutes`)
  return parsed(formatHhmm(time.value))
}

/** `2026-11-23` */
export function formatDate({ year, month, day }: CalendarDate): string {
  return `${digits(year, 4)}-${digits(month)}-${digits(day)}`
}

/** `2026-11-23T10:00:00` */
export function formatWallClock(wallClock: WallClock): string {
  return `${formatDate(wallClock)}T${formatTime(wallClock)}`
}

/** `10:00:00` */
export function formatTime(time: TimeOfDay): string {
  return `${formatClock(time)}:${digits(time.second)}`
}

/** `10:00` */
export function formatClock({ hour, minute }: TimeOfDay): string {
  return `${digits(hour)}:${digits(minute)}`
}

/** `Mon 2026-11-23 10:00` */
export function formatDayAndTime(time: WallClock): string {
  return `${WEEKDAYS[weekdayOf(time)]} ${formatDate(time)} ${formatClock(time)}`
}

/** `1000` */
export function formatHhmm({ hour, minute }: TimeOfDay): string {
  return digits(hour) + digits(minute)
}

/** `23 Nov 2026` */
export function formatDay({ year, month, day }: CalendarDate): string {
  return `${day} ${MONTHS[month - 1]} ${year}`
}

/** `Mon 30 Nov` */
export function formatWeekday(date: CalendarDate): string {
  return `${WEEKDAYS[weekdayOf(date)]} ${date.day} ${MONTHS[date.month - 1]}`
}

/** `tomorrow 10:00`, `Mon 30 Nov 10:00`; with its year if it is another one. @param now on the same clock */
export function formatNear(time: WallClock, now: WallClock): string {
  const days = daysBetween(now, time)
  const near = days === 0 ? "today" : days === 1 ? "tomorrow" : formatWeekday(time)
  return `${near}${time.year === now.year || days === 1 ? "" : ` ${time.year}`} ${formatClock(time)}`
}

/** Since midnight; seconds are a fraction. */
export function minutesOfDay({ hour, minute, second }: TimeOfDay): number {
  return hour * 60 + minute + second / 60
}

/** The same time of day `days` later. */
export function addDays<D extends CalendarDate>(date: D, days: number): D {
  const moved = new Date(toUtc(date) + days * DAY_MS)
  return { ...date, year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

/** Whole days from one day to another, ignoring the times. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  const dayOf = ({ year, month, day }: CalendarDate) => toUtc({ year, month, day }) / DAY_MS
  return dayOf(to) - dayOf(from)
}

/** The written day of a date-time in ISO 8601, in its own zone. */
export function writtenDay(time: string | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(time ?? "")?.[0]
}

/** The next day that is not a Saturday or Sunday. Public holidays are not known. */
export function nextBusinessDay<D extends CalendarDate>(date: D): D {
  const next = addDays(date, 1)
  return isWeekend(next) ? nextBusinessDay(next) : next
}

export function isWeekend(date: CalendarDate): boolean {
  return [0, 6].includes(weekdayOf(date))
}

export function weekdayOf({ year, month, day }: CalendarDate): number {
  return new Date(toUtc({ year, month, day })).getUTCDay()
}

/** Local time in an IANA zone at an instant (milliseconds since the epoch); without a zone, this machine's. */
export function wallClockNow(nowMs: number, zone?: string): WallClock {
  if (zone === undefined) return wallClockHere(nowMs)
  const date = new Date(nowMs + offsetAt(nowMs, zone))
  return {
    ...{ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
    ...{ hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() },
  }
}

function askIntl(nowMs: number, zone: string): WallClock {
  const shown = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of getClockFormat(zone).formatToParts(nowMs))
    if (Object.hasOwn(shown, type)) shown[type as keyof WallClock] = Number(value)
  return shown
}

function wallClockHere(nowMs: number): WallClock {
  const date = new Date(nowMs)
  return {
    ...{ year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() },
    ...{ hour: date.getHours(), minute: date.getMinutes(), second: date.getSeconds() },
  }
}

/**
 * The instant, in milliseconds since the epoch, of a local time in `zone` (this machine's without one). A time that
 * daylight saving skips is moved on by the gap (02:30 means 03:30); of a time that comes twice, the first counts.
 */
export function instantOf(wallClock: WallClock, zone?: string): number {
  const asUtc = toUtc(wallClock)
  const before = offsetAt(asUtc - DAY_MS, zone)
  const after = offsetAt(asUtc + DAY_MS, zone)
  const offset = [before, after].find((candidate) => offsetAt(asUtc - candidate, zone) === candidate)
  return asUtc - (offset ?? before)
}

/** No zone changes its offset within a quarter of an hour of UTC. */
const QUARTER_MS = 900_000
const MAX_OFFSETS = 10_000
const offsets = new Map<string, number>()

/**
 * A zone's offset from UTC in milliseconds, or this machine's. Cached for each quarter of an hour, because Intl is
 * slow.
 */
export function offsetAt(instantMs: number, zone: string | undefined): number {
  if (zone === undefined) return -60_000 * new Date(instantMs).getTimezoneOffset()
  const quarter = Math.floor(instantMs / QUARTER_MS) * QUARTER_MS
  const key = `${zone} ${quarter}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const offset = toUtc(askIntl(quarter, zone)) - quarter
  if (offsets.size >= MAX_OFFSETS) offsets.clear()
  offsets.set(key, offset)
  return offset
}

export function zoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A local time in `zone` as a date-time: `2026-11-23T10:00:00+11:00`. */
export function formatWithOffset(wallClock: WallClock, zone: string): string {
  const instant = instantOf(wallClock, zone)
  const minutes = offsetAt(instant, zone) / 60_000
  const offset = { hour: Math.floor(Math.abs(minutes) / 60), minute: Math.abs(minutes) % 60, second: 0 }
  return `${formatWallClock(wallClockNow(instant, zone))}${minutes < 0 ? "-" : "+"}${formatClock(offset)}`
}

/** `Sun 22 Nov 2026, 11:07` */
export function formatMoment(time: WallClock): string {
  return `${WEEKDAYS[weekdayOf(time)]} ${formatDay(time)}, ${formatClock(time)}`
}

/** `Sun 22 Nov 2026, 11:07`. Text that is not an instant with a zone stays unchanged. */
export function formatInstant(instant: string, zone?: string): string {
  const at = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(instant) ? Date.parse(instant) : Number.NaN
  if (Number.isNaN(at)) return instant
  return formatMoment(wallClockNow(at, zone))
}

/** `11 h ahead of`, `3 min behind`: this machine's clock against a server's (milliseconds since the epoch). */
export function compareClocks(here: number, server: number): string {
  const minutes = Math.round(Math.abs(here - server) / 60_000)
  const amount = minutes < 60 ? `${minutes} min` : `${(minutes / 60).toFixed(1).replace(/\.0$/, "")} h`
  return `${amount} ${here > server ? "ahead of" : "behind"}`
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function getClockFormat(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  })
  clocks.set(zone, clock)
  return clock
}

/** As UTC milliseconds. Date.UTC would move the years 0 to 99. */
function toUtc({ year, month, day, hour, minute, second }: CalendarDate & Partial<TimeOfDay>): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0)
}

function daysInMonth(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}

function digits(value: number, width = 2): string {
  return String(value).padStart(width, "0")
}

/** `yyyy-MM-dd`, this many days from today by the clock of a zone. */
export function dayAt(now: number, zone: string, days: number): string {
  return formatDate(addDays(wallClockNow(now, zone), days))
}
