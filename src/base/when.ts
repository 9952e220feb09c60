/**
 * Days and times as people write them, in local time at the collection address: `tomorrow 10am`, `23/11/2026`, `Mon 23
 * Nov 2026, 5:00 PM`, and the contract's own shapes. The only reader for flags, questions and cells.
 */
import { describeRepair, type Parsed, parsed, quoted, type Refused, refused } from "./parsed.ts"
import {
  addDays,
  type CalendarDate,
  daysBetween,
  findMonth,
  findWeekday,
  formatDate,
  formatDay,
  formatTime,
  parseDate,
  parseTimeOfDay,
  parseWallClock,
  type TimeOfDay,
  type WallClock,
  WEEKDAY_NAMES,
  WEEKDAYS,
  weekdayOf,
} from "./wall-clock.ts"

export interface When {
  date: CalendarDate
  /** Undefined if only a day was written. */
  time: TimeOfDay | undefined
  /** The other reading of `11/12/2026`, with the month first. */
  other?: CalendarDate
}

interface Day {
  date: CalendarDate
  /** The text, if it was digits with the year last: a spreadsheet may have changed it. */
  figures?: string
  other?: CalendarDate
}

/**
 * Resolves a date without a year, or a weekday, to the next such day (`coming`) or the last (`past`). `any` is `coming`,
 * and takes a year that has passed.
 */
type Towards = "coming" | "past" | "any"

/** Longest text that can be a day and a time. */
const MAX_LENGTH = 60
const MONTH = "([a-z]{3,9})\\.?"
const FIRST_WORD = /^([a-z]{3,9})\.?,?(?:\s+|$)/i
const EXAMPLE_OF_DAY = "write it as 2026-11-23, 23/11/2026, friday or tomorrow"
const EXAMPLE = "write it as 2026-11-23 10:00, 23/11/2026 10am or tomorrow 10am"

/**
 * Reads a day with or without a time, or a time alone, which is today's, or tomorrow's if that has passed.
 * @param now local time there: `tomorrow`, `mon 10am`, `10am` and `23/11` are resolved from it, and refused without it
 */
export function readWhen(text: string, now?: () => WallClock, towards: Towards = "coming"): Parsed<When> {
  const typed = text.trim()
  if (/\d(?:Z|[+-]\d\d:?\d\d)$/i.test(typed) && /\d[T ]\d/.test(typed))
    return refused(
      `${quoted(text)} has a time zone`,
      "leave it out, the time is local to the collection address",
      "zone",
    )
  if (typed.length > MAX_LENGTH) return noDay(`${quoted(text)} is not a date`)
  const plain = withTimeLast(typed.replace(/(:\d\d)\.\d+$/, "$1"))
  const weekday = findWeekday(FIRST_WORD.exec(plain)?.[1] ?? "")
  const written = weekday === undefined ? plain : plain.replace(FIRST_WORD, "")
  const [, day = written, clock] =
    /^(.*?\S)(?:T(?=\d)|,? +(?:at +)?|, *)(\d{1,2}(?:(?::?\d\d){0,2}|\.\d\d(?= *[ap]m))\s*(?:am|pm)?|\d{1,2}:\d\d.*)$/i.exec(
      written,
    ) ?? []
  const readDay = (part: string) => {
    const read = onWeekday(text, readDayText(part, now, towards), weekday)
    const isOther = !read.ok && read.rule === "weekday" && now !== undefined && towards !== "past"
    return (isOther && findPassedDay(text, part, weekday, now)) || read
  }
  const whole = readDay(written)
  if (whole.ok) return withTime(whole.value, "")
  const part = clock === undefined || whole.rule === "weekday" ? whole : readDay(day)
  if (part.ok) return withTime(part.value, clock ?? "")
  if (now === undefined || part.rule !== "date") return part
  // No day in figures or names: a weekday alone or with a time, or a time alone.
  const today = now()
  const time = parseTimeOfDay(written)
  if (weekday !== undefined && (written === "" || time.ok))
    return withTime({ date: nearestWeekday(weekday, today, towards) }, written)
  if (weekday !== undefined || !time.ok) return part
  const date = formatTime(time.value) > formatTime(today) ? toDate(today) : addDays(toDate(today), 1)
  return parsed({ date, time: time.value })
}

/**
 * Puts the day first in `9am on Friday` and `0730 tomorrow`. Four digits alone may be a year: only a word for a day may
 * follow them.
 */
function withTimeLast(text: string): string {
  const [, time, day] =
    /^(\d{1,2}(?:[:.]?\d\d)? ?[ap]m|\d{1,2}:\d\d)(?:,| +on)? +(\S.*)$/i.exec(text) ??
    /^(\d{4}) +((?:today|tomorrow|mon|tue|wed|thu|fri|sat|sun)[a-z]*)$/i.exec(text) ??
    []
  return time === undefined ? text : `${day} ${time}`
}

/** A day that was written with its weekday, which may decide between two readings. */
function onWeekday(text: string, read: Parsed<Day>, weekday: number | undefined): Parsed<Day> {
  if (!read.ok || weekday === undefined) return read
  const { date, other, ...rest } = read.value
  const [fits, both] = [date, other].filter((each) => each && weekdayOf(each) === weekday)
  if (both) return read
  if (fits) return parsed({ ...rest, date: fits })
  return refused(
    `${quoted(text)} is ${formatWholeDay(date)}, not a ${WEEKDAY_NAMES[weekday]}`,
    "fix the day, or leave the weekday out",
    "weekday",
  )
}

/** A recent day, by its weekday: `Mon 23 Nov` on the day after. The next such day is further away. */
function findPassedDay(
  text: string,
  part: string,
  weekday: number | undefined,
  now: () => WallClock,
): Parsed<Day> | undefined {
  const read = onWeekday(text, readDayText(part, now, "past"), weekday)
  return read.ok && daysBetween(read.value.date, toDate(now())) < MAX_DAYS_PASSED ? read : undefined
}

const MAX_DAYS_PASSED = 183

/** A day in a past year is not in the future: `30 Nov 10` may have been meant for ten o'clock. */
function explainPassedYear(text: string, { date }: When, now: () => WallClock): Refused | undefined {
  return date.year >= now().year
    ? undefined
    : noDay(`${quoted(text)} is ${formatWholeDay(date)}, in a year that has passed`)
}

/** `Mon 30 Nov 2026` */
function formatWholeDay(date: CalendarDate): string {
  return `${WEEKDAYS[weekdayOf(date)]} ${formatDay(date)}`
}

/** Reads a day and time; the contract's own shape as the contract means it. @param now as for `readWhen` */
export function parseMoment(text: string, now?: () => WallClock): Parsed<WallClock> {
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return parseWallClock(text)
  const when = parseWhen(text, now)
  if (!when.ok) return when
  const { date, time } = when.value
  if (!time) return refused(`${quoted(text)} has no time of day: write it as ${formatDate(date)}T10:00`)
  const passed = now && explainPassedYear(text, when.value, now)
  return passed ?? { ...when, value: { ...date, ...time } }
}

/** Reads a day without a time, as `2026-11-23`. @param now as for `readWhen` */
export function parseDay(text: string, now?: () => WallClock, towards: Towards = "coming"): Parsed<string> {
  const when = parseWhen(text, now, towards)
  if (!when.ok) return when.hint === EXAMPLE ? noDay(when.message ?? when.reason, EXAMPLE_OF_DAY) : when
  if (when.value.time) return refused(`${quoted(text)} has a time of day: give only a day`)
  const passed = now && towards === "coming" ? explainPassedYear(text, when.value, now) : undefined
  return passed ?? { ...when, value: formatDate(when.value.date) }
}

/** Calendar days: `3d`, `3 days` or `3`. */
export function parseDays(text: string): Parsed<number> {
  const days = /^(\d{1,3}) ?(?:d|days?)?$/i.exec(text.trim())?.[1]
  return days === undefined
    ? refused(`${quoted(text)} is not a number of days: write it as 3d`)
    : parsed(Number(days))
}

/** As `readWhen`, but refuses ambiguous days. */
export function parseWhen(text: string, now?: () => WallClock, towards?: Towards): Parsed<When> {
  const when = readWhen(text, now, towards)
  return (when.ok && explainTwoDays(text, when.value)) || when
}

/** The readings of `11/12/2026`, for a message that asks for an unambiguous date; undefined if there is only one. */
export function explainTwoDays(text: string, { date, other }: When): Refused | undefined {
  if (!other) return undefined
  const readings = [date, other]
  return refused(
    `${quoted(text)} can be ${readings.map(formatDay).join(" or ")}`,
    `write it as ${readings.map(formatDate).join(" or ")}`,
    "ambiguous-date",
  )
}

function withTime({ date, other, figures }: Day, clock: string): Parsed<When> {
  const time = clock === "" ? undefined : parseTimeOfDay(clock)
  if (time?.ok === false) return refused(time.reason, undefined, "time")
  const repair =
    figures === undefined
      ? undefined
      : describeRepair("turned-date", figures, formatDate(date), formatDay(date))
  return parsed({ date, time: time?.value, ...(other && { other }) }, repair)
}

function readDayText(text: string, now: (() => WallClock) | undefined, towards: Towards): Parsed<Day> {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text)
  if (iso) return existing(text, iso.slice(1).map(Number))
  const near = ["yesterday", "today", "tomorrow"].indexOf(text.toLowerCase())
  if (near >= 0 && now) return parsed({ date: addDays(toDate(now()), near - 1) })
  const ahead = /^in (\d{1,2}) days?$/i.exec(text)?.[1]
  if (ahead !== undefined && now) return parsed({ date: addDays(toDate(now()), Number(ahead)) })
  const named =
    new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[ -]?${MONTH}(?:[ -]?,? ?(\\d{4}|\\d\\d))?$`, "i").exec(text) ??
    new RegExp(`^${MONTH}[ -]?(\\d{1,2})(?:st|nd|rd|th)?(?:,? ?[ -]?(\\d{4}))?$`, "i").exec(text)
  if (named) {
    const [one = "", two = "", year] = named.slice(1)
    const [day, name] = /^\d/.test(one) ? [one, two] : [two, one]
    const month = findMonth(name) ?? 0
    if (year === undefined) return now ? nearestDay(text, month, Number(day), now(), towards) : notADay(text)
    return existing(text, [Number(year.length === 2 ? `20${year}` : year), month, Number(day)])
  }
  const [, first, second, year] = /^(\d{1,2})[-/.](\d{1,2})(?:[-/.](\d{4}|\d\d))?$/.exec(text) ?? []
  if (first === undefined) return notADay(text)
  if (year === undefined)
    return now ? inFigures(text, Number(first), Number(second), now(), towards) : notADay(text)
  if (year.length === 2)
    return noDay(`${quoted(text)} has a year of two digits`, "write it as 2026-11-23: year, month, day")
  return inFigures(text, Number(first), Number(second), Number(year), towards)
}

/** `21/11/2026` has one reading, `11/12/2026` two: the day first, as in Australia, or the month. */
function inFigures(
  text: string,
  first: number,
  second: number,
  year: number | WallClock,
  towards: Towards,
): Parsed<Day> {
  const at = (month: number, day: number) =>
    typeof year === "number"
      ? existing(text, [year, month, day])
      : nearestDay(text, month, day, year, towards)
  const dayFirst = at(second, first)
  const monthFirst = at(first, second)
  const [read, other] = dayFirst.ok ? [dayFirst, monthFirst] : [monthFirst, dayFirst]
  if (!read.ok) return read
  const { date } = read.value
  const isDouble = other.ok && first !== second
  return parsed({ date, figures: text, ...(isDouble && { other: other.value.date }) })
}

/** Today if it is that day; otherwise the next, or the last. */
function nearestDay(text: string, month: number, day: number, now: WallClock, towards: Towards): Parsed<Day> {
  const read = existing(text, [now.year, month, day])
  const today = formatDate(now)
  const isAway =
    read.ok &&
    (towards === "past" ? formatDate(read.value.date) > today : formatDate(read.value.date) < today)
  if (read.ok && !isAway) return read
  return existing(text, [now.year + (towards === "past" ? -1 : 1), month, day])
}

function existing(text: string, [year = 0, month = 0, day = 0]: readonly number[]): Parsed<Day> {
  const date = parseDate(formatDate({ year, month, day }))
  if (!date.ok) return noDay(`${quoted(text)} is not a date: there is no such day`)
  return parsed({ date: date.value })
}

/** The next such weekday, or the last; a week away if today is one. */
function nearestWeekday(weekday: number, now: WallClock, towards: Towards): CalendarDate {
  const today = toDate(now)
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  return addDays(today, towards === "past" ? ahead - 7 : ahead || 7)
}

function toDate({ year, month, day }: CalendarDate): CalendarDate {
  return { year, month, day }
}

function notADay(text: string): Refused {
  return noDay(`${quoted(text)} is not a date`, EXAMPLE)
}

function noDay(message: string, hint?: string): Refused {
  return refused(message, hint, "date")
}
