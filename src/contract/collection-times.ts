/**
 * When goods can be collected, for bookings and pickups from every command. The contract allows any time, but a booking
 * for a past time cannot be cancelled.
 */
import { carrierName, type CollectionWindow, getCarrierFacts } from "../carriers/index.ts"
import { type Findings, type Path, findingAt, type RuleFinding } from "./findings.ts"
import {
  formatClock,
  formatDate,
  formatWeekday,
  formatDayAndTime,
  formatTime,
  isWeekend,
  minutesOfDay,
  parseTimeOfDay,
  parseWallClock,
  type TimeOfDay,
  type WallClock,
  wallClockNow,
} from "../base/wall-clock.ts"
import { type ZonedPlace, zoneOfPlace } from "./place-zones.ts"
import type { Carrier, ConsignmentBookingRequest } from "./generated/types.ts"
import type { PlaceJudge } from "./place-doubts.ts"

/** Bookings are made at most this long before collection. */
export const BOOKED_AHEAD_MS = 60 * 86_400_000

/** Flags that turn an error into a warning. */
export interface Allowances {
  /** `--allow-past` */
  allowPast?: boolean | undefined
  /** `--allow-density`; `told`: a person was asked and allows it, so it is no longer a warning. */
  allowDensity?: boolean | "told" | undefined
  /** `--allow-places`, the same way. */
  acceptPlaces?: boolean | "told" | undefined
  /** A person was asked, and books past the cutoffs of the day; `--allow-past` allows it too. */
  pastCutoff?: "told" | undefined
  /** `--without-missing`: a rate is chosen although a carrier did not answer. */
  withoutMissing?: boolean | "told" | undefined
}

const FLAGS = ["allowPast", "allowDensity", "acceptPlaces", "withoutMissing"] as const

/** Picks the allowances from an object; undefined if it has none. */
export function pickAllowances(given: Allowances | undefined): Allowances | undefined {
  return pick(given, [...FLAGS, "pastCutoff"])
}

/** Picks the allowances that are flags and are kept for a later run, which has other cutoffs. */
export function pickAllowedFlags(given: Allowances | undefined): Allowances | undefined {
  return pick(given, FLAGS)
}

function pick(
  given: Allowances | undefined,
  allowances: readonly (keyof Allowances)[],
): Allowances | undefined {
  const names = allowances.filter((name) => given?.[name])
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, given?.[name]]))
}

/** The public holiday of a day (`2026-11-23`) in a state; undefined if there is none. */
export type FindHoliday = (state: string, day: string) => string | undefined

/** Data about Australia; checks that need a missing part are skipped. */
export interface Knowledge {
  places?: PlaceJudge | undefined
  findHoliday?: FindHoliday | undefined
}

/** The context of a check, besides the contract. */
export interface Moment extends Allowances, Knowledge {
  /** Milliseconds since the epoch. */
  nowMs: number
  /** The local time of a place; undefined if there is no such state. */
  clockAt(place: ZonedPlace): WallClock | undefined
}

/** @param nowMs milliseconds since the epoch; each zone is computed once */
export function momentAt(
  nowMs: number,
  { allowPast, allowDensity, acceptPlaces, withoutMissing, pastCutoff }: Allowances = {},
  { places, findHoliday }: Knowledge = {},
): Moment {
  const clocks = new Map<string, WallClock>()
  return {
    nowMs,
    allowPast,
    allowDensity,
    acceptPlaces,
    withoutMissing,
    pastCutoff,
    places,
    findHoliday,
    clockAt(place) {
      const zone = zoneOfPlace(place)
      if (!zone) return undefined
      const clock = clocks.get(zone) ?? wallClockNow(nowMs, zone)
      clocks.set(zone, clock)
      return clock
    },
  }
}

/** Whether a time has passed, both on the same clock. The current minute has not. */
export function isPast(time: WallClock, now: WallClock): boolean {
  return toTheMinute(time) < toTheMinute(now)
}

function toTheMinute({ year, month, day, hour, minute }: WallClock): number {
  return Date.UTC(year, month - 1, day, hour, minute)
}

/** Whether the premises close after the goods are ready, on the same day. */
export function closesAfter(close: TimeOfDay, ready: TimeOfDay): boolean {
  return formatTime(close) > formatTime(ready)
}

interface CollectionTimes {
  /** The collection address, whose clock counts; undefined if unknown. */
  place: ZonedPlace | undefined
  /** Undefined if unreadable, which is reported elsewhere. */
  ready: WallClock | undefined
  close: TimeOfDay | undefined
  /** Whether the close time has another error. */
  isCloseReported?: () => boolean
  paths: { day: Path; ready: Path; close: Path }
}

/**
 * Errors for a past ready time and for premises that close before the goods are ready; a warning for a weekend. With
 * `allowPast` the errors become warnings.
 */
export function checkCollectionTimes(times: CollectionTimes, moment: Moment): Findings {
  const { ready } = times
  const errors = ready ? [...checkPast(ready, times, moment), ...checkClose(ready, times)] : []
  const closed = ready
    ? [...(isWeekend(ready) ? [weekendWarning(ready, times)] : []), ...holidayWarnings(ready, times, moment)]
    : []
  return moment.allowPast
    ? { errors: [], warnings: [...errors.map(withoutHint), ...closed] }
    : { errors, warnings: closed }
}

function checkPast(ready: WallClock, { place, paths }: CollectionTimes, moment: Moment): RuleFinding[] {
  const now = place && moment.clockAt(place)
  if (!now || !isPast(ready, now)) return []
  const path = formatDate(ready) < formatDate(now) ? paths.day : paths.ready
  const says = `is past: ready ${formatDayAndTime(ready)}, and it is ${formatDayAndTime(now)} at the collection`
  return [findingAt(path, "past", says, { hint: ADVICE })]
}

function checkClose(ready: WallClock, { close, isCloseReported, paths }: CollectionTimes): RuleFinding[] {
  if (!close || closesAfter(close, ready) || isCloseReported?.()) return []
  const says = `is ${formatClock(close)}, not after ${formatDayAndTime(ready)}, when the goods are ready`
  return [findingAt(paths.close, "closeTime", says, { hint: ADVICE })]
}

function weekendWarning(ready: WallClock, { paths }: CollectionTimes): RuleFinding {
  const says = `is on a weekend (${formatDayAndTime(ready)}): not every carrier collects then`
  return findingAt(paths.day, "weekend", says)
}

function holidayWarnings(
  ready: WallClock,
  { place, paths }: CollectionTimes,
  { findHoliday }: Moment,
): RuleFinding[] {
  const state = place?.state
  const name = state === undefined ? undefined : findHoliday?.(state, formatDate(ready))
  if (name === undefined) return []
  const says = `is on a public holiday in ${state} (${name}, ${formatWeekday(ready)}): not every carrier collects then`
  return [findingAt(paths.day, "holiday", says)]
}

const ADVICE = "give a later time, or --allow-past if it is meant"

function withoutHint({ hint: _, ...finding }: RuleFinding): RuleFinding {
  return finding
}

const RULE = "collectionWindow"

/**
 * Errors for `collectionDateTime` and `collectionCloseTime` outside the carrier's window; none if it has no window, or
 * it is unknown. The schema reports unreadable times.
 */
export function checkCollectionWindow(
  booking: Pick<ConsignmentBookingRequest, "collectionDateTime" | "collectionCloseTime">,
  carrier: Carrier | undefined,
): RuleFinding[] {
  const window = getCarrierFacts(carrier)?.collectionWindow
  if (!carrier || !window) return []
  const who = carrierName(carrier)
  const ready = parseWallClock(booking.collectionDateTime)
  const close = parseTimeOfDay(booking.collectionCloseTime)
  return [
    ...(ready.ok ? checkWithin("collectionDateTime", ready.value, window.ready, who) : []),
    ...(close.ok ? checkWithin("collectionCloseTime", close.value, window.close, who) : []),
    ...(ready.ok && close.ok ? checkGap(ready.value, close.value, window, who) : []),
  ]
}

function checkWithin(
  field: string,
  time: TimeOfDay,
  { from, to }: CollectionWindow["ready"],
  who: string,
): RuleFinding[] {
  const shown = formatTime(time)
  if (`${from}:00` <= shown && shown <= `${to}:00`) return []
  const says = `is at ${shown}: ${who} accepts ${from} to ${to}, local time at the collection address`
  return [findingAt([field], RULE, says)]
}

function checkGap(
  ready: TimeOfDay,
  close: TimeOfDay,
  { gapMinutes }: CollectionWindow,
  who: string,
): RuleFinding[] {
  if (minutesOfDay(close) - minutesOfDay(ready) >= gapMinutes) return []
  const says = `is at ${formatTime(close)}, and ${who} needs ${gapMinutes} minutes from ${formatTime(ready)}, when the goods are ready`
  return [findingAt(["collectionCloseTime"], RULE, says)]
}
