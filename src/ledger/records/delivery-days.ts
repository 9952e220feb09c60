/** The receiver's day of an instant that the database has in UTC, for statements that group by it. */
import { instantOf, offsetAt, wallClockNow } from "../../base/wall-clock.ts"
import { CONTRACT_ZONES, OTHER_CLOCKS, zoneOrDefault } from "../../contract/index.ts"

/** In capitals: suburbs with one of these names may not keep their state's time. */
export const OTHER_CLOCK_SUBURBS: readonly string[] = [
  ...new Set(OTHER_CLOCKS.flatMap(([, , suburbs]) => suburbs.map((suburb) => suburb.toUpperCase()))),
]

/** Every IANA zone that a receiver may have. */
const CLOCK_ZONES: readonly string[] = [
  ...new Set<string>([...CONTRACT_ZONES, ...OTHER_CLOCKS.map(([zone]) => zone)]),
]

export const DAY_MS = 86_400_000
/** No clock is changed twice within it. */
const STEP_MS = 28 * DAY_MS
const QUARTER_MS = 900_000

/** The times of day in UTC, ascending, at which a day begins at a receiver, in winter or in summer: `13:30`. */
export function listMidnights(instant: number): string[] {
  const { year } = wallClockNow(instant)
  const starts = CLOCK_ZONES.flatMap((zone) =>
    [1, 7].map((month) => instantOf({ year, month, day: 15, hour: 0, minute: 0, second: 0 }, zone)),
  )
  return [...new Set(starts.map((start) => new Date(start).toISOString().slice(11, 16)))].sort()
}

/** `since`, and when clocks are changed for daylight saving after it, anywhere: ISO 8601 in UTC, ascending. */
export function findClockChanges(since: number, until: number): string[] {
  const changes = new Set([new Date(since).toISOString()])
  for (const zone of CLOCK_ZONES)
    for (let from = Math.floor(since / QUARTER_MS) * QUARTER_MS; from < until; from += STEP_MS) {
      const before = offsetAt(from, zone)
      if (offsetAt(from + STEP_MS, zone) === before) continue
      let [early, late] = [from, from + STEP_MS]
      while (late - early > QUARTER_MS) {
        const middle = early + Math.floor((late - early) / 2 / QUARTER_MS) * QUARTER_MS
        if (offsetAt(middle, zone) === before) early = middle
        else late = middle
      }
      changes.add(new Date(late).toISOString())
    }
  return [...changes].sort()
}

/** How many days the receiver's date is ahead of UTC: 0 or 1. */
export function countDaysLater({
  seenAfter,
  seenSince,
  receiverSuburb,
  receiverState,
}: {
  /** The last of the midnights before its time of day; undefined if it is the same day at every receiver. */
  seenAfter: string | undefined
  /** The last of the clock changes before it; undefined where `seenAfter` is. */
  seenSince: string | undefined
  /** Only if its clocks may not be its state's. */
  receiverSuburb: string | undefined
  receiverState: string
}): number {
  if (seenAfter === undefined || seenSince === undefined) return 0
  const zone = zoneOrDefault({ suburb: receiverSuburb, state: receiverState })
  const minutes = Number(seenAfter.slice(0, 2)) * 60 + Number(seenAfter.slice(3))
  return minutes * 60_000 + offsetAt(Date.parse(seenSince), zone) >= DAY_MS ? 1 : 0
}
