/** How carriers did: on time, days against promised, prices, and what they billed too much. */
import { amountOf } from "../base/money.ts"
import type { ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { daysBetween, formatDate, parseDate, wallClockNow, writtenDay } from "../base/wall-clock.ts"
import { zoneOrDefault } from "../contract/place-zones.ts"
import { stateCode } from "../contract/zones.ts"
import { addUpPages } from "./groups.ts"
import { type Reported, toPriceBasis } from "./read.ts"

/** What is shown of a carrier, a service and a lane. Money is in whole units, on the row's own basis. */
export type CarrierRow = ReturnType<typeof toRow>

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

/** Adds up by carrier, service and lane; prices on different GST bases, or in different currencies, in rows of their own. */
export async function reportCarriers(
  pages: AsyncIterable<readonly Reported[]>,
): Promise<{ rows: CarrierRow[]; known: CarrierCoverage }> {
  const { groups, leftOut } = await addUpPages(pages, keyOf, startSums, addBooking)
  const known: CarrierCoverage = { ...NOTHING, cancelled: leftOut }
  for (const name of Object.keys(NOTHING) as (keyof Counts)[])
    known[name] = groups.reduce((sum, group) => sum + group[name], 0)
  return { rows: groups.map(toRow).sort(inOrder), known }
}

function readRequest({ entry }: Reported): Partial<ConsignmentBookingRequest> {
  return Object(entry.request) as Partial<ConsignmentBookingRequest>
}

function keyOf(booked: Reported) {
  if (booked.journey?.isCancelled) return undefined
  const { carrier = "", serviceCode = "", receiverState = "", ...facts } = booked.entry.facts
  const { collection, sender } = readRequest(booked)
  const from = collection?.state ?? sender?.state ?? ""
  return {
    carrier,
    serviceCode,
    /** From the state of the collection to that of the receiver: `NSW → WA`. */
    lane: `${stateCode(from) ?? "?"} → ${stateCode(receiverState) ?? "?"}`,
    ...toPriceBasis(facts),
  }
}

function startSums(): Sums {
  const amounts = { cents: 0, weighedCents: 0, grams: 0, overbilledCents: 0 }
  return { ...NOTHING, ...amounts, daysTaken: new Map(), daysPromised: new Map() }
}

function addBooking(sums: Sums, booked: Reported): void {
  const { entry, journey, overbilledCents } = booked
  const { eta, receiverSuburb, receiverState, priceCents, weightGrams } = entry.facts
  const collected = writtenDay(readRequest(booked).collectionDateTime)
  const zone = zoneOrDefault({ suburb: receiverSuburb, state: receiverState })
  const delivered = toDay(journey?.deliveredAt, zone)
  const promised = writtenDay(eta)
  sums.consignments++
  if (journey && (journey.events > 0 || delivered !== undefined)) sums.tracked++
  if (delivered !== undefined) sums.delivered++
  if (promised !== undefined) sums.promised++
  countDays(sums.daysTaken, collected, delivered)
  countDays(sums.daysPromised, collected, promised)
  // What was not delivered when it was last looked for is late from the day after.
  const seen = delivered ?? toDay(journey?.lookedAt, zone)
  if (promised !== undefined && seen !== undefined && (delivered !== undefined || seen > promised)) {
    sums.judged++
    if (delivered !== undefined && delivered <= promised) sums.onTime++
  }
  if (priceCents !== undefined) {
    sums.priced++
    sums.cents += priceCents
    if (weightGrams) {
      sums.weighedCents += priceCents
      sums.grams += weightGrams
    }
  }
  if (overbilledCents !== undefined) {
    sums.billed++
    sums.overbilledCents += overbilledCents
  }
}

function toDay(instant: string | undefined, zone: string): string | undefined {
  const at = Date.parse(instant ?? "")
  return Number.isNaN(at) ? writtenDay(instant) : formatDate(wallClockNow(at, zone))
}

function countDays(days: Days, from: string | undefined, to: string | undefined): void {
  const [first, last] = [from, to].map((text) => parseDate(text ?? ""))
  if (!first?.ok || !last?.ok) return
  const count = daysBetween(first.value, last.value)
  days.set(count, (days.get(count) ?? 0) + 1)
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

function toRow(group: NonNullable<ReturnType<typeof keyOf>> & Sums) {
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

function inOrder(a: CarrierRow, b: CarrierRow): number {
  const text = ({ carrier, serviceCode, lane, gstBasis }: CarrierRow) =>
    [carrier, serviceCode, lane, gstBasis].join("\n")
  return text(a) < text(b) ? -1 : 1
}
