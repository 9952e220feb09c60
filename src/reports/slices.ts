/** Splits a report's period into slices: each is read well within a second, so that signals are handled in between. */
import { addDays, type CalendarDate, instantOf, weekdayOf, wallClockNow } from "../base/wall-clock.ts"
import { type Database, findExtent, type Slice } from "../ledger/index.ts"

export const PERIODS = ["day", "week", "month"] as const
export type Period = (typeof PERIODS)[number]

/** The first day of the period that contains a day, by this machine's clock; a week begins on Monday. */
export function firstDayOf<D extends CalendarDate>(period: Period | "year", date: D): D {
  if (period === "year") return { ...date, month: 1, day: 1 }
  if (period === "month") return { ...date, day: 1 }
  return period === "day" ? date : addDays(date, -((weekdayOf(date) + 6) % 7))
}

/** Maximum length of each period: the next one begins at most this many days after the start of this one. */
const MAX_DAYS = { day: 1, week: 7, month: 31, year: 366 } as const

/**
 * Slices for groups that are not periods. SQLite reads a month within a second, and signals are only handled in
 * between. A server reads all journeys again for each slice, and the process waits for it as for any other reply.
 */
const DEFAULT_PERIODS = { sqlite: "month", postgres: "year" } as const

/**
 * Slices of the part of a span with data in the ledger, oldest first; none crosses the end of a period.
 * @param span milliseconds since the epoch; without an end, all
 */
export async function listSlices(
  database: Database,
  span: Partial<Slice>,
  period: Period | "year" = DEFAULT_PERIODS[database.dialect],
): Promise<Slice[]> {
  const extent = await findExtent(database)
  if (!extent) return []
  const until = Math.min(span.until ?? extent.until, extent.until)
  const slices: Slice[] = []
  for (let since = Math.max(span.since ?? extent.since, extent.since); since < until; ) {
    const next = Math.min(findNextStart(period, since), until)
    slices.push({ since, until: next })
    since = next
  }
  return slices
}

function findNextStart(period: Period | "year", instant: number): number {
  const { year, month, day } = firstDayOf(period, wallClockNow(instant))
  const next = firstDayOf(period, addDays({ year, month, day }, MAX_DAYS[period]))
  return instantOf({ ...next, hour: 0, minute: 0, second: 0 })
}
