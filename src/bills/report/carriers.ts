/** How carriers did: on time, days against promised, prices, and what they billed too much. */
import { amountOf } from "../../base/money.ts"
import { instantOf, offsetAt, wallClockNow } from "../../base/wall-clock.ts"
import { OTHER_CLOCKS, zoneOrDefault } from "../../contract/place-zones.ts"
import { CONTRACT_ZONES, stateCode } from "../../contract/zones.ts"
import { type GroupOfJourneys, sumJourneys } from "../../ledger/records/sums.ts"
import type { Store } from "../../ledger/store.ts"
import { addUpPages } from "./groups.ts"
import { type Span, toPriceBasis } from "./read.ts"
import { listSlices } from "./slices.ts"

/** What is shown of a carrier, a service and a lane. Money is in whole units, on the row's own basis. */
export type CarrierRow = ReturnType<typeof toCarrierRow>

/** How often each number of days came: a few dozen at most, however many consignments. */
type Days = Map<number, number>

const NOTHING = {
  consignments: 0,
  /** Those that tracking knew something of. */
  tracked: 0,
  delivered: 0,
  /** Those that had a promised day. */
  promised: 0,
  /** Those for which it is known whether they arrived by the promised day. */
  judged: 0,
  onTime: 0,
  priced: 0,
  billed: 0,
}
type Counts = typeof NOTHING

/** How much of it is known. */
export interface CarrierCoverage extends Counts {
  /** Left out of everything else. */
  cancelled: number
}

interface Sums extends Counts {
  daysTaken: Days
  daysPromised: Days
  cents: number
  /** Of those that have both a price and a weight. */
  weighedCents: number
  grams: number
  overbilledCents: number
}

/** In capitals: a suburb of one of these names may not keep the time of its state. */
const OTHER_CLOCK_SUBURBS: readonly string[] = [
  ...new Set(OTHER_CLOCKS.flatMap(([, , suburbs]) => suburbs.map((suburb) => suburb.toUpperCase()))),
]

/** Every IANA zone that a receiver may have. */
const CLOCK_ZONES: readonly string[] = [
  ...new Set<string>([...CONTRACT_ZONES, ...OTHER_CLOCKS.map(([zone]) => zone)]),
]

/** Reads what bookings of a span have in common, with what tracking and bills say of them. */
export async function* readJourneys(
  { database }: Pick<Store, "database">,
  { scopes, ...span }: Span,
): AsyncGenerator<GroupOfJourneys[]> {
  const slices = await listSlices(database, span)
  const [first] = slices
  if (!first) return
  // Deliveries may be long after the last booking.
  const clockChanges = findClockChanges(first.since, span.until + MOST_DELIVERY_MS)
  const midnights = listMidnights(span.until)
  yield* sumJourneys(database, { scopes }, { slices, suburbs: OTHER_CLOCK_SUBURBS, midnights, clockChanges })
}

const DAY_MS = 86_400_000
const MOST_DELIVERY_MS = 366 * DAY_MS
/** No clock is changed twice within it. */
const STEP_MS = 28 * DAY_MS
const QUARTER_MS = 900_000

/** The times of day in UTC, ascending, at which a day begins at a receiver, in winter or in summer: `13:30`. */
function listMidnights(instant: number): string[] {
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

/** Adds up by carrier, service and lane; prices on different GST bases, or in different currencies, in rows of their own. */
export async function reportCarriers(
  pages: AsyncIterable<readonly GroupOfJourneys[]>,
): Promise<{ rows: CarrierRow[]; known: CarrierCoverage }> {
  const known: CarrierCoverage = { ...NOTHING, cancelled: 0 }
  const groups = await addUpPages(
    pages,
    (journeys) => {
      if (journeys.isCancelled) known.cancelled += journeys.bookings
      return journeys.isCancelled ? undefined : keyOf(journeys)
    },
    startSums,
    addJourneys,
  )
  for (const name of Object.keys(NOTHING) as (keyof Counts)[])
    known[name] = groups.reduce((sum, group) => sum + group[name], 0)
  return { rows: groups.map(toCarrierRow).sort(compareByService), known }
}

function keyOf({ carrier, serviceCode, fromState, receiverState, ...basis }: GroupOfJourneys) {
  return {
    carrier,
    serviceCode,
    /** From the state of the collection to that of the receiver: `NSW → WA`. */
    lane: `${stateCode(fromState) ?? "?"} → ${stateCode(receiverState) ?? "?"}`,
    ...toPriceBasis(basis),
  }
}

function startSums(): Sums {
  const amounts = { cents: 0, weighedCents: 0, grams: 0, overbilledCents: 0 }
  return { ...NOTHING, ...amounts, daysTaken: new Map(), daysPromised: new Map() }
}

function addJourneys(sums: Sums, journeys: GroupOfJourneys): void {
  const { bookings, daysSeen, daysLate, daysPromised, isDelivered } = journeys
  const later = countDaysLater(journeys)
  sums.consignments += bookings
  if (journeys.isTracked) sums.tracked += bookings
  if (isDelivered) sums.delivered += bookings
  if (journeys.hasPromise) sums.promised += bookings
  if (isDelivered && daysSeen !== undefined) countDays(sums.daysTaken, daysSeen + later, bookings)
  if (daysPromised !== undefined) countDays(sums.daysPromised, daysPromised, bookings)
  // What was not delivered when it was last looked for is late from the day after.
  const isLate = daysLate !== undefined && daysLate + later > 0
  if (daysLate !== undefined && (isDelivered || isLate)) {
    sums.judged += bookings
    if (!isLate) sums.onTime += bookings
  }
  if (journeys.isPriced) sums.priced += bookings
  sums.cents += journeys.cents
  sums.weighedCents += journeys.weighedCents
  sums.grams += journeys.weighedGrams
  sums.billed += journeys.billed
  sums.overbilledCents += journeys.overbilledCents
}

/** How many days the day at the receiver is ahead of that in UTC: 0 or 1. */
function countDaysLater({ seenAfter, seenSince, receiverSuburb, receiverState }: GroupOfJourneys): number {
  if (seenAfter === undefined || seenSince === undefined) return 0
  const zone = zoneOrDefault({ suburb: receiverSuburb, state: receiverState })
  const minutes = Number(seenAfter.slice(0, 2)) * 60 + Number(seenAfter.slice(3))
  return minutes * 60_000 + offsetAt(Date.parse(seenSince), zone) >= DAY_MS ? 1 : 0
}

function countDays(days: Days, count: number, bookings: number): void {
  days.set(count, (days.get(count) ?? 0) + bookings)
}

/** The middle one, or the mean of the two in the middle. */
export function findMedian(days: Days): number | null {
  const sorted = [...days].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  const at = (place: number) => {
    let passed = 0
    for (const [value, count] of sorted) {
      passed += count
      if (place < passed) return value
    }
    return 0
  }
  return (at(Math.floor((total - 1) / 2)) + at(Math.floor(total / 2))) / 2
}

function toCarrierRow(group: NonNullable<ReturnType<typeof keyOf>> & Sums) {
  const { carrier, serviceCode, lane, consignments, judged, onTime, priced, currency, gstBasis } = group
  const { cents, weighedCents, grams, billed, overbilledCents } = group
  return {
    carrier,
    serviceCode,
    lane,
    ...{ consignments, judged, onTime },
    onTimePercent: judged === 0 ? null : Math.floor((onTime * 100) / judged),
    /** Medians, in days after the collection. */
    daysTaken: findMedian(group.daysTaken),
    daysPromised: findMedian(group.daysPromised),
    ...{ priced, currency, gstBasis },
    pricePerConsignment: priced === 0 ? null : amountOf(Math.round(cents / priced)),
    pricePerKg: grams === 0 ? null : amountOf(Math.round((weighedCents * 1000) / grams)),
    billed,
    overbilled: billed === 0 ? null : amountOf(overbilledCents),
  }
}

function compareByService(a: CarrierRow, b: CarrierRow): number {
  const text = ({ carrier, serviceCode, lane, gstBasis, currency }: CarrierRow) =>
    [carrier, serviceCode, lane, gstBasis, currency].join("\n")
  return text(a) < text(b) ? -1 : 1
}
