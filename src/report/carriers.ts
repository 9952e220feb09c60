/** How carriers did: on time, days against promised, prices, and what they billed too much. */
import { amountOf } from "../contract/money.ts"
import type { ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { daysBetween, formatDate, parseDate, wallClockNow, writtenDay } from "../contract/wall-clock.ts"
import { stateCode, zoneOrDefault } from "../contract/zones.ts"
import type { GstBasis } from "../ledger/entry.ts"
import type { Reported } from "./read.ts"

/** What is shown of a carrier, a service and a lane. Money is in whole units, on the row's own basis. */
export interface CarrierRow {
  carrier: string
  serviceCode: string
  /** From the state of the collection to that of the receiver: `NSW → WA`. */
  lane: string
  consignments: number
  /** Consignments for which it is known whether they arrived by the promised day. */
  judged: number
  onTime: number
  onTimePercent: number | null
  /** Medians, in days after the collection. */
  daysTaken: number | null
  daysPromised: number | null
  priced: number
  currency: string
  /** Of all prices in the row; empty where it has none. */
  gstBasis: GstBasis | ""
  pricePerConsignment: number | null
  pricePerKg: number | null
  billed: number
  overbilled: number | null
}

/** How much of it is known. */
export interface Known {
  consignments: number
  /** Left out of everything else. */
  cancelled: number
  /** Those that tracking knew something of. */
  tracked: number
  delivered: number
  /** Those that had a promised day. */
  promised: number
  judged: number
  onTime: number
  priced: number
  billed: number
}

/** How often each number of days came: a few dozen at most, however many consignments. */
type Days = Map<number, number>

interface Sums {
  row: Pick<CarrierRow, "carrier" | "serviceCode" | "lane" | "currency" | "gstBasis">
  consignments: number
  judged: number
  onTime: number
  taken: Days
  promised: Days
  priced: number
  cents: number
  /** Of those that have both a price and a weight. */
  weighedCents: number
  grams: number
  billed: number
  overbilledCents: number
}

/** Adds up by carrier, service and lane; prices on different GST bases, or in different currencies, in rows of their own. */
export async function reportCarriers(
  pages: AsyncIterable<readonly Reported[]>,
): Promise<{ rows: CarrierRow[]; known: Known }> {
  const groups = new Map<string, Sums>()
  const known: Known = {
    ...{ consignments: 0, cancelled: 0, tracked: 0, delivered: 0, promised: 0 },
    ...{ judged: 0, onTime: 0, priced: 0, billed: 0 },
  }
  for await (const page of pages)
    for (const each of page) {
      if (each.journey?.isCancelled) known.cancelled++
      else addTo(groups, known, each)
    }
  const rows = [...groups.values()].map(toRow).sort(inOrder)
  return { rows, known }
}

function addTo(groups: Map<string, Sums>, known: Known, { entry, journey, overbilledCents }: Reported): void {
  const { facts } = entry
  const request = Object(entry.request) as Partial<ConsignmentBookingRequest>
  const from = request.collection?.state ?? request.sender?.state ?? ""
  const lane = `${stateCode(from) ?? "?"} → ${stateCode(facts.receiverState ?? "") ?? "?"}`
  const row = {
    carrier: facts.carrier ?? "",
    serviceCode: facts.serviceCode ?? "",
    lane,
    currency: facts.priceCents === undefined ? "" : (facts.currency ?? "AUD"),
    gstBasis: facts.priceCents === undefined ? ("" as const) : (facts.gstBasis ?? "unknown"),
  }
  const key = JSON.stringify(row)
  const sums = groups.get(key) ?? newSums(row)
  groups.set(key, sums)

  const collected = writtenDay(request.collectionDateTime)
  const zone = zoneOrDefault(facts.receiverState)
  const delivered = toDay(journey?.deliveredAt, zone)
  const promised = writtenDay(facts.eta)
  sums.consignments++
  known.consignments++
  if (journey && (journey.events > 0 || delivered !== undefined)) known.tracked++
  if (delivered !== undefined) known.delivered++
  if (promised !== undefined) known.promised++
  countDays(sums.taken, collected, delivered)
  countDays(sums.promised, collected, promised)
  // What was not delivered when it was last looked for is late from the day after.
  const seen = delivered ?? toDay(journey?.lookedAt, zone)
  if (promised !== undefined && seen !== undefined && (delivered !== undefined || seen > promised)) {
    const isOnTime = delivered !== undefined && delivered <= promised
    for (const each of [sums, known]) {
      each.judged++
      if (isOnTime) each.onTime++
    }
  }
  if (facts.priceCents !== undefined) {
    sums.priced++
    known.priced++
    sums.cents += facts.priceCents
    if (facts.weightGrams) {
      sums.weighedCents += facts.priceCents
      sums.grams += facts.weightGrams
    }
  }
  if (overbilledCents !== undefined) {
    sums.billed++
    known.billed++
    sums.overbilledCents += overbilledCents
  }
}

function newSums(row: Sums["row"]): Sums {
  return {
    row,
    ...{ consignments: 0, judged: 0, onTime: 0, taken: new Map(), promised: new Map(), priced: 0 },
    ...{ cents: 0, weighedCents: 0, grams: 0, billed: 0, overbilledCents: 0 },
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

function toRow({ row, taken, promised, ...sums }: Sums): CarrierRow {
  const { carrier, serviceCode, lane, currency, gstBasis } = row
  const { consignments, judged, onTime, priced, cents, weighedCents, grams, billed, overbilledCents } = sums
  return {
    carrier,
    serviceCode,
    lane,
    consignments,
    judged,
    onTime,
    onTimePercent: judged === 0 ? null : Math.floor((onTime * 100) / judged),
    daysTaken: findMedian(taken),
    daysPromised: findMedian(promised),
    priced,
    currency,
    gstBasis,
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
