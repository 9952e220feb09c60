/**
 * Days and times as people write them, on the clock at the collection address: `tomorrow 10am`, `23/11/2026`,
 * `Mon 23 Nov 2026, 5:00 PM`, and the contract's own shapes. The one reader of flags, questions and cells.
 */
import { type Parsed, parsed, quoted, refused } from "./parsed.ts"
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
  /** Undefined where only a day was written. */
  time: TimeOfDay | undefined
  /** The day was written in figures, the year last. */
  isTurned: boolean
  /** The other day that `11/12/2026` can be, with the month first. */
  other?: CalendarDate
}

/** Why a text is not a day. `reason` is message and hint in one line. */
export interface NoDay {
  ok: false
  rule: "zone" | "date" | "time" | "weekday"
  message: string
  hint?: string
  reason: string
}

type ReadDay = { ok: true; value: Omit<When, "time"> } | NoDay

/**
 * Where a day lies that is written without its year or by its weekday alone: the next such day, or the last. `any` is
 * `coming`, and takes a year that has passed.
 */
type Towards = "coming" | "past" | "any"

/** Longest text that can be a day and a time. */
const LONGEST = 60
const MONTH = "([a-z]{3,9})\\.?"
const FIRST_WORD = /^([a-z]{3,9})\.?,?(?:\s+|$)/i
const EXAMPLE = "write it as 2026-11-23 10:00, 23/11/2026 10am or tomorrow 10am"

/**
 * Reads a day with or without a time, or a time alone, which is today's or else tomorrow's.
 * @param now what the clock shows there: `tomorrow`, `mon 10am`, `10am` and `23/11` are reckoned from it, and refused
 *   without it
 */
export function readWhen(
  text: string,
  now?: () => WallClock,
  towards: Towards = "coming",
): { ok: true; value: When } | NoDay {
  const typed = text.trim()
  if (/\d(?:Z|[+-]\d\d:?\d\d)$/i.test(typed) && /\d[T ]\d/.test(typed))
    return noDay(
      "zone",
      `${quoted(text)} has a time zone`,
      "leave it out, the time is local to the collection address",
    )
  if (typed.length > LONGEST) return noDay("date", `${quoted(text)} is not a date`)
  const weekday = findWeekday(FIRST_WORD.exec(typed)?.[1] ?? "")
  const plain = typed.replace(/(:\d\d)\.\d+$/, "$1")
  const written = weekday === undefined ? plain : plain.replace(FIRST_WORD, "")
  const [, day = written, clock] =
    /^(.*?\S)(?:T(?=\d)|,? +(?:at +)?|, *)(\d{1,2}(?::?\d\d){0,2}\s*(?:am|pm)?|\d{1,2}:\d\d.*)$/i.exec(
      written,
    ) ?? []
  const readDay = (part: string) => {
    const read = onWeekday(text, readDayText(part, now, towards), weekday)
    const isOther = !read.ok && read.rule === "weekday" && now !== undefined && towards !== "past"
    return (isOther && findPassedDay(text, part, weekday, now)) || read
  }
  const whole = readDay(written)
  if (whole.ok) return { ok: true, value: { ...whole.value, time: undefined } }
  const part = clock === undefined || whole.rule === "weekday" ? whole : readDay(day)
  if (part.ok) return withTime(part.value, clock ?? "")
  if (now === undefined || part.rule !== "date") return part
  // No day in figures or names: a weekday alone or with a time, or a time alone.
  const today = now()
  const time = parseTimeOfDay(written)
  if (weekday !== undefined && (written === "" || time.ok))
    return withTime({ date: nearestWeekday(weekday, today, towards), isTurned: false }, written)
  if (weekday !== undefined || !time.ok) return part
  const date = formatTime(time.value) > formatTime(today) ? toDate(today) : addDays(toDate(today), 1)
  return { ok: true, value: { date, isTurned: false, time: time.value } }
}

/** A day that was written with its weekday, which may tell two readings apart. */
function onWeekday(text: string, read: ReadDay, weekday: number | undefined): ReadDay {
  if (!read.ok || weekday === undefined) return read
  const { date, other, ...rest } = read.value
  const [fits, both] = [date, other].filter((each) => each && weekdayOf(each) === weekday)
  if (both) return read
  if (fits) return { ok: true, value: { ...rest, date: fits } }
  return noDay(
    "weekday",
    `${quoted(text)} is ${formatWholeDay(date)}, not a ${WEEKDAY_NAMES[weekday]}`,
    "fix the day, or leave the weekday out",
  )
}

/** A day that its weekday shows to be a recent one: `Mon 23 Nov` on the day after. The next one is further away. */
function findPassedDay(
  text: string,
  part: string,
  weekday: number | undefined,
  now: () => WallClock,
): ReadDay | undefined {
  const read = onWeekday(text, readDayText(part, now, "past"), weekday)
  return read.ok && daysBetween(read.value.date, toDate(now())) < MOST_DAYS_PASSED ? read : undefined
}

const MOST_DAYS_PASSED = 183

/** A day of a year that has passed is not to come: `30 Nov 10` may have been meant for ten o'clock. */
function explainPassedYear(text: string, { date }: When, now: () => WallClock): NoDay | undefined {
  return date.year >= now().year
    ? undefined
    : noDay("date", `${quoted(text)} is ${formatWholeDay(date)}, in a year that has passed`)
}

/** `Mon 30 Nov 2026` */
function formatWholeDay(date: CalendarDate): string {
  return `${WEEKDAYS[weekdayOf(date)]} ${formatDay(date)}`
}

/** Reads a day and time; the contract's own shape as the contract means it. @param now as for `readWhen` */
export function parseMoment(text: string, now: () => WallClock): Parsed<WallClock> {
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return parseWallClock(text)
  const when = readWhen(text, now)
  if (!when.ok) return when
  const { date, time } = when.value
  if (!time) return refused(`${quoted(text)} has no time of day: write it as ${formatDate(date)}T10:00`)
  const wrong = explainTwoDays(text, when.value) ?? explainPassedYear(text, when.value, now)
  return wrong ?? parsed({ ...date, ...time })
}

/** Reads a day without a time, as `2026-11-23`. @param now as for `readWhen` */
export function parseDay(text: string, now: () => WallClock, towards: Towards = "coming"): Parsed<string> {
  const when = readWhen(text, now, towards)
  if (!when.ok) return when
  if (when.value.time) return refused(`${quoted(text)} has a time of day: give only a day`)
  const passed = towards === "coming" ? explainPassedYear(text, when.value, now) : undefined
  return explainTwoDays(text, when.value) ?? passed ?? parsed(formatDate(when.value.date))
}

/** What `11/12/2026` can be, for a message that asks for an unambiguous date; undefined if there is only one reading. */
export function explainTwoDays(text: string, { date, other }: When): NoDay | undefined {
  if (!other) return undefined
  const readings = [date, other]
  return noDay(
    "date",
    `${quoted(text)} can be ${readings.map(formatDay).join(" or ")}`,
    `write it as ${readings.map(formatDate).join(" or ")}`,
  )
}

function withTime(day: Omit<When, "time">, clock: string): { ok: true; value: When } | NoDay {
  if (clock === "") return { ok: true, value: { ...day, time: undefined } }
  const time = parseTimeOfDay(clock)
  return time.ok ? { ok: true, value: { ...day, time: time.value } } : noDay("time", time.reason)
}

function readDayText(text: string, now: (() => WallClock) | undefined, towards: Towards): ReadDay {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text)
  if (iso) return existing(text, iso.slice(1).map(Number))
  const near = ["yesterday", "today", "tomorrow"].indexOf(text.toLowerCase())
  if (near >= 0 && now)
    return { ok: true, value: { date: addDays(toDate(now()), near - 1), isTurned: false } }
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
    return noDay(
      "date",
      `${quoted(text)} has a year of two digits`,
      "write it as 2026-11-23: year, month, day",
    )
  return inFigures(text, Number(first), Number(second), Number(year), towards)
}

/** `21/11/2026` can be read in one way, `11/12/2026` in two: the day first, as in Australia, or the month. */
function inFigures(
  text: string,
  first: number,
  second: number,
  year: number | WallClock,
  towards: Towards,
): ReadDay {
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
  return { ok: true, value: { date, isTurned: true, ...(isDouble && { other: other.value.date }) } }
}

/** Today where it is that day; otherwise the next, or the last. */
function nearestDay(text: string, month: number, day: number, now: WallClock, towards: Towards): ReadDay {
  const read = existing(text, [now.year, month, day])
  const today = formatDate(now)
  const isAway =
    read.ok &&
    (towards === "past" ? formatDate(read.value.date) > today : formatDate(read.value.date) < today)
  if (read.ok && !isAway) return read
  return existing(text, [now.year + (towards === "past" ? -1 : 1), month, day])
}

function existing(text: string, [year = 0, month = 0, day = 0]: readonly number[]): ReadDay {
  const date = parseDate(formatDate({ year, month, day }))
  if (!date.ok) return noDay("date", `${quoted(text)} is not a date: there is no such day`)
  return { ok: true, value: { date: date.value, isTurned: false } }
}

/** The next such day of the week, or the last; a week away where today is one. */
function nearestWeekday(weekday: number, now: WallClock, towards: Towards): CalendarDate {
  const today = toDate(now)
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  return addDays(today, towards === "past" ? ahead - 7 : ahead || 7)
}

function toDate({ year, month, day }: CalendarDate): CalendarDate {
  return { year, month, day }
}

function notADay(text: string): NoDay {
  return noDay("date", `${quoted(text)} is not a date`, EXAMPLE)
}

function noDay(rule: NoDay["rule"], message: string, hint?: string): NoDay {
  return {
    ok: false,
    rule,
    message,
    ...(hint !== undefined && { hint }),
    reason: hint === undefined ? message : `${message}: ${hint}`,
  }
}
