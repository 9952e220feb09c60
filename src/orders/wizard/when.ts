/** Days and times as people say them, on the clock of the place of collection. */
import { closesAfter, isPast, zoneOfCollection } from "../../contract/index.ts"
import type { Field } from "./field.ts"
import { type Parsed, parsed, quoted, refused } from "../../base/parsed.ts"
import {
  addDays,
  formatClock,
  formatDate,
  formatDay,
  formatWeekday,
  formatWallClock,
  instantOf,
  isWeekend,
  nextBusinessDay,
  parseTimeOfDay,
  parseWallClock,
  type WallClock,
  wallClockNow,
} from "../../base/wall-clock.ts"
import { readWhen } from "../../base/when.ts"
import { type Draft, getText } from "./draft.ts"

const OPENS = 8
const LAST_READY = 16
/** A nearer time may have passed when all is answered. */
const LEAD_MINUTES = 15

/** `Australia/Perth` → `Perth` */
export function toCity(zone: string): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ")
}

export function getZone(draft: Draft): string {
  return zoneOfCollection({ collection: draft.request.collection })
}

/** `Mon 23 Nov, 10:00` */
export function formatWeekdayAndTime(time: WallClock): string {
  return `${formatWeekday(time)}, ${formatClock(time)}`
}

/** The same time on the workstation's clock, if that differs: `Sun 22 Nov, 23:00 in Berlin`. */
export function formatLocalTime(time: WallClock, zone: string, here: string): string | undefined {
  const there = wallClockNow(instantOf(time, zone), here)
  return formatWallClock(there) === formatWallClock(time)
    ? undefined
    : `${formatWeekdayAndTime(there)} in ${toCity(here)}`
}

/** Sensible ready times: the next full hour that is not too near, and the next business day. */
export function readyTimes(now: WallClock): WallClock[] {
  const hour = Math.max(OPENS, Math.ceil((now.hour * 60 + now.minute + LEAD_MINUTES) / 60))
  const next = nextBusinessDay({ ...now, minute: 0, second: 0 })
  return [
    ...(!isWeekend(now) && hour <= LAST_READY ? [{ ...now, hour, minute: 0, second: 0 }] : []),
    { ...next, hour: 9 },
    { ...next, hour: 13 },
  ]
}

/** `today`, `tomorrow` or nothing, then the day and time. */
export function formatSuggestion(time: WallClock, now: WallClock): string {
  const day = formatDate(time)
  const near = day === formatDate(now) ? "Today, " : day === formatDate(addDays(now, 1)) ? "Tomorrow, " : ""
  return `${near}${formatWeekdayAndTime(time)}`
}

/** `tomorrow 9:00, wed 10am, 25/11 10am, 2026-11-25 10:00` */
export function exampleTimes(now: WallClock): string {
  const tomorrow = addDays(now, 1)
  const { day, month } = tomorrow
  const weekday = formatWeekday(tomorrow).slice(0, 3).toLowerCase()
  return `tomorrow 9:00, ${weekday} 10am, ${day}/${month} 10am, ${formatDate(tomorrow)} 10:00`
}

/** The field, and its parts, with examples of times on the day after. An ambiguous date is not used as an example. */
export function giveExamples(field: Field, now: WallClock): Field {
  const { answer } = field
  const example = formatDay(addDays(now, 1))
  if (answer?.kind === "parts")
    return { ...field, answer: { ...answer, parts: answer.parts.map((part) => giveExamples(part, now)) } }
  if (answer?.kind === "day") return { ...field, hint: `such as ${example}` }
  return answer?.kind === "zonedMoment" ? { ...field, hint: `such as ${example} 9:30am` } : field
}

/**
 * Reads a day and time. An ambiguous date is read with the day first, as in Australia: the result is shown, and confirmed
 * at the end.
 */
export function readTime(text: string, now: WallClock): Parsed<WallClock> {
  const when = readWhen(text, () => now)
  if (!when.ok) return when
  const { date, time } = when.value
  if (!time) return refused(`${quoted(text)} has no time of day: write it after the day, such as 10am`)
  return parsed({ ...date, ...time })
}

export function readFuture(text: string, now: WallClock): Parsed<WallClock> {
  const read = readTime(text, now)
  return read.ok && isPast(read.value, now)
    ? refused(`${formatWeekdayAndTime(read.value)} has passed: it is ${formatWeekdayAndTime(now)} there now`)
    : read
}

export function getReadyTime(draft: Draft): WallClock | undefined {
  const read = parseWallClock(getText(draft, "collectionDateTime"))
  return read.ok ? read.value : undefined
}

/** The closing time in any common form, later on the day than the goods are ready. */
export function readClose(text: string, ready: WallClock): Parsed<string> {
  const time = parseTimeOfDay(text)
  if (!time.ok) return time
  if (!closesAfter(time.value, ready))
    return refused(`${formatClock(time.value)} is not after ${formatClock(ready)}, when the goods are ready`)
  return parsed(formatClock(time.value))
}
