/**
 * Whether a service still leaves on the day of collection, by its cutoffs (RatedService `bookingCutoff`,
 * `collectionCutoff`). A cutoff is a carrier's warning, not a rule of the contract: a person may book past it.
 */
import { counted } from "../../base/counted.ts"
import {
  type CalendarDate,
  formatClock,
  formatDate,
  formatTime,
  formatWeekday,
  minutesOfDay,
  nextBusinessDay,
  parseTimeOfDay,
  type TimeOfDay,
  type WallClock,
} from "../../base/wall-clock.ts"

/** `HH:mm:ss` from the carrier, in local time at the collection; unreadable ones are ignored. */
export interface Cutoffs {
  bookingCutoff?: string | undefined
  collectionCutoff?: string | undefined
}

/** When the goods are collected, in local time at the collection. */
export interface Collection {
  /** `yyyy-MM-dd` */
  day: string | undefined
  /** When they are ready on that day; undefined if unknown. */
  ready?: TimeOfDay | undefined
}

/** Times are local at the collection. */
export type CutoffStanding =
  | { kind: "in time" }
  /** Minutes are whole, rounded down. */
  | { kind: "until"; until: TimeOfDay; minutes: number }
  /** The day on which it may leave, and whether it missed the cutoff of booking or of collection. */
  | { kind: "too late"; cutoff: TimeOfDay; missed: "booking" | "collection"; next: CalendarDate }

/**
 * Compares a collection with the cutoffs, which hold for its day only: later and past days are not checked. The exact
 * time of a cutoff is still in time.
 * @param now local time at the collection
 */
export function judgeCutoffs(
  { bookingCutoff = "", collectionCutoff = "" }: Cutoffs,
  { day, ready }: Collection,
  now: WallClock,
): CutoffStanding {
  if (day !== formatDate(now)) return { kind: "in time" }
  const [booking, collection] = [parseTimeOfDay(bookingCutoff), parseTimeOfDay(collectionCutoff)]
  const tooLate = (cutoff: TimeOfDay, missed: "booking" | "collection") =>
    ({ kind: "too late", cutoff, missed, next: toDay(nextBusinessDay(now)) }) as const
  if (booking.ok && isAfter(now, booking.value)) return tooLate(booking.value, "booking")
  if (collection.ok && (isAfter(now, collection.value) || (ready && isAfter(ready, collection.value))))
    return tooLate(collection.value, "collection")
  const [until] = [booking, collection]
    .flatMap((each) => (each.ok ? [each.value] : []))
    .sort((one, other) => minutesOfDay(one) - minutesOfDay(other))
  if (!until) return { kind: "in time" }
  return { kind: "until", until, minutes: Math.floor(minutesOfDay(until) - minutesOfDay(now)) }
}

function isAfter(time: TimeOfDay, cutoff: TimeOfDay): boolean {
  return formatTime(time) > formatTime(cutoff)
}

function toDay({ year, month, day }: CalendarDate): CalendarDate {
  return { year, month, day }
}

/** `in time`; `until 12:00 (40 minutes left)`; `too late for today: it may go on Mon 30 Nov` */
export function describeCutoffs(standing: CutoffStanding): string {
  if (standing.kind === "in time") return "in time"
  if (standing.kind === "until")
    return `until ${formatClock(standing.until)} (${describeMinutes(standing.minutes)} left)`
  return `too late for today: it may go on ${formatWeekday(standing.next)}`
}

/**
 * The same with the missed cutoff: `too late for today (to be booked by 15:00): it may go on Mon 30 Nov`.
 * @param many several may go then
 */
export function describeTooLate(
  { cutoff, missed, next }: CutoffStanding & { kind: "too late" },
  { many = false } = {},
): string {
  const by = `to be ${missed === "booking" ? "booked" : "collected"} by ${formatClock(cutoff)}`
  return `too late for today (${by}): ${many ? "they" : "it"} may go on ${formatWeekday(next)}`
}

/** `40 minutes`, `3 h 20 min` */
export function describeMinutes(minutes: number): string {
  if (minutes < 1) return "less than a minute"
  if (minutes < 60) return counted(minutes, "minute")
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`
}
