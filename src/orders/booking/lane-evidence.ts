/** Formulas over groups of finished bookings that predict a new one. docs/choosing.md explains them. */
import type { Lane, Outcomes } from "../../ledger/index.ts"
import { countBy } from "./share.ts"

/** Fewer bookings than this give no number. */
export const ENOUGH = 20

/** How a service arrived, as far as tracking knows it. Shares are from 0 to 1. */
export interface ArrivalEvidence {
  /** `postcodes 20 → 61`, `NSW → WA` or `all lanes`. */
  lane: string
  /** Deliveries that are known to be on time or late. */
  seen: number
  onTime: number
  /** Bounds of the share, with 95 % confidence. */
  from: number
  to: number
  /** Days after the promised day; less than 0 before it. */
  medianDaysLate: number
  /** Nine of ten arrived at most this many days late. */
  ninetiethDaysLate: number
  /** How many deliveries came how many days late, ascending. */
  daysLate: [days: number, deliveries: number][]
  /** Expected share of deliveries, from 0 to 1, by days late, ascending. */
  expected: [days: number, share: number][]
}

export interface BilledEvidence {
  lane: string
  /** Consignments on audited bills, with a quote. */
  bills: number
  /** Billed by quoted, with GST, less what bills gave back: the mean, and the standard deviation. */
  ratio: number
  spread: number
  /** Share of the consignments that were disputed; of these, the share for which a credit came. */
  disputed: number
  won: number
}

/** Evidence about a rate's service on its lane; unknown parts are left out. */
export interface RateEvidence {
  arrival?: ArrivalEvidence
  billed?: BilledEvidence
  /** Likely price with GST, in whole units of its currency; left out if bills are too few. */
  likely?: number
}

export function nameLane(lane: Lane): string {
  if (lane.kind === "all") return "all lanes"
  const text = `${lane.from} → ${lane.to}`
  return lane.kind === "area" ? `postcodes ${text}` : text
}

/** Standard score for a confidence of 95 %. */
const Z = 1.96

/** Wilson's interval of a share. @returns shares from 0 to 1 */
export function findInterval(successes: number, all: number): { from: number; to: number } {
  const share = successes / all
  const z2 = Z * Z
  const middle = (share + z2 / (2 * all)) / (1 + z2 / all)
  const half = (Z / (1 + z2 / all)) * Math.sqrt((share * (1 - share)) / all + z2 / (4 * all * all))
  return { from: Math.max(0, middle - half), to: Math.min(1, middle + half) }
}

const FAR = 4
const MAX_WEEK_SHARE = 0.34

/**
 * Leaves out the one week that is far worse than all others together, such as a strike or a flood, so that a carrier is
 * not left out for half a year. If there is a second such week, both count.
 */
function withoutBadWeek(outcomes: readonly Outcomes[]): readonly Outcomes[] {
  const weeks = new Map<number, { seen: number; late: number }>()
  let [seen, late] = [0, 0]
  for (const { week, bookings, daysLate } of outcomes) {
    if (daysLate === undefined) continue
    const sums = weeks.get(week) ?? { seen: 0, late: 0 }
    const lateOnes = daysLate > 0 ? bookings : 0
    weeks.set(week, { seen: sums.seen + bookings, late: sums.late + lateOnes })
    seen += bookings
    late += lateOnes
  }
  const far = [...weeks].filter(([, own]) => {
    const others = { seen: seen - own.seen, late: late - own.late }
    if (others.seen < ENOUGH || own.seen > MAX_WEEK_SHARE * seen) return false
    // A share of nothing has no deviation: as if one of the others had been late.
    const share = (others.late + 1) / (others.seen + 1)
    return own.late / own.seen - share > FAR * Math.sqrt((share * (1 - share)) / own.seen)
  })
  const [only] = far.length === 1 ? far : []
  return only ? outcomes.filter(({ week }) => week !== only[0]) : outcomes
}

/** @returns undefined for fewer than 20 deliveries */
export function summariseArrivals(
  outcomes: readonly Outcomes[],
  lane: string,
): Omit<ArrivalEvidence, "expected"> | undefined {
  const { seen, days } = countDeliveries(outcomes)
  if (seen < ENOUGH) return undefined
  const daysLate = sortDays(days)
  const onTime = countBy(daysLate, 0)
  return {
    ...{ lane, seen, onTime, ...findInterval(onTime, seen) },
    medianDaysLate: findQuantile(daysLate, seen * 0.5),
    ninetiethDaysLate: findQuantile(daysLate, seen * 0.9),
    daysLate,
  }
}

interface Deliveries {
  seen: number
  days: ReadonlyMap<number, number>
}

function countDeliveries(outcomes: readonly Outcomes[]): Deliveries {
  const days = new Map<number, number>()
  let seen = 0
  for (const { daysLate, bookings } of withoutBadWeek(outcomes)) {
    if (daysLate === undefined) continue
    days.set(daysLate, (days.get(daysLate) ?? 0) + bookings)
    seen += bookings
  }
  return { seen, days }
}

const sortDays = (days: ReadonlyMap<number, number>) => [...days].sort(([one], [other]) => one - other)

/** A wider lane counts like this many deliveries of a narrower one. */
const OF_WIDER = 20

/** Late deliveries added to those seen on the widest lane; otherwise a new service would be over-promised. */
const UNSEEN = 2

/**
 * Expected shares. The best of several lanes or carriers looks better than it is, because it also had luck. So a service's
 * deliveries on wider lanes count like 20 more. On a wider lane each area of receivers counts alike, because a service is
 * used most where it does well.
 * @param widths data of the lane and of wider ones, the narrowest first
 */
function expectDays(widths: readonly (readonly Outcomes[])[]): ArrivalEvidence["expected"] {
  let expected: ReadonlyMap<number, number> = new Map()
  for (const outcomes of widths.toReversed()) {
    const { seen, days } = isOfOneArea(outcomes) ? countDeliveries(outcomes) : countEvenly(outcomes)
    if (seen === 0) continue
    const weight = expected.size === 0 ? UNSEEN : OF_WIDER
    const shares = new Map<number, number>()
    for (const [late, share] of expected) shares.set(late, (weight * share) / (seen + weight))
    for (const [late, deliveries] of days)
      shares.set(late, (shares.get(late) ?? 0) + deliveries / (seen + weight))
    expected = shares
  }
  return sortDays(expected).map(([late, share]) => [late, round(share)])
}

function isOfOneArea(outcomes: readonly Outcomes[]): boolean {
  return new Set(outcomes.map(({ toArea }) => toArea)).size < 2
}

function countEvenly(outcomes: readonly Outcomes[]): Deliveries {
  const areas = new Map<string, Outcomes[]>()
  for (const each of withoutBadWeek(outcomes)) {
    const own = areas.get(each.toArea) ?? []
    areas.set(each.toArea, own)
    own.push(each)
  }
  const counts = [...areas.values()].map(countDeliveries).filter(({ seen }) => seen > 0)
  const seen = counts.reduce((sum, each) => sum + each.seen, 0)
  const days = new Map<number, number>()
  for (const own of counts)
    for (const [late, deliveries] of own.days)
      days.set(late, (days.get(late) ?? 0) + (deliveries / own.seen) * (seen / counts.length))
  return { seen, days }
}

function findQuantile(daysLate: ArrivalEvidence["daysLate"], place: number): number {
  let passed = 0
  for (const [days, deliveries] of daysLate) {
    passed += deliveries
    if (passed >= place) return days
  }
  return 0
}

/**
 * @param saysGst whether the rate states its GST: ratios of prices that do not are only for such prices
 * @returns undefined for fewer than 20 consignments on audited bills
 */
export function summariseBills(
  outcomes: readonly Outcomes[],
  lane: string,
  saysGst: boolean,
): BilledEvidence | undefined {
  const sums = { bills: 0, ratios: 0, squares: 0, disputed: 0, won: 0 }
  for (const each of outcomes) {
    if (each.saysGst !== saysGst) continue
    sums.bills += each.billed
    sums.ratios += each.ratios
    sums.squares += each.squares
    sums.disputed += each.disputed
    sums.won += each.won
  }
  const { bills, ratios, squares, disputed, won } = sums
  if (bills < ENOUGH) return undefined
  const ratio = ratios / bills
  return {
    ...{ lane, bills, ratio: round(ratio) },
    spread: round(Math.sqrt(Math.max(0, (squares - ratios * ratio) / (bills - 1)))),
    disputed: round(disputed / bills),
    won: disputed === 0 ? 0 : round(won / disputed),
  }
}

/** Four decimals: more is rounding noise. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** Evidence about a service, each number from the narrowest lane that has enough. */
export interface ServiceEvidence {
  arrival: ArrivalEvidence | undefined
  widths: readonly (readonly Outcomes[])[]
  /** By whether the carrier says its GST. */
  billed: ReadonlyMap<boolean, BilledEvidence>
}

/** Adds the data of a wider lane, if too little was known before. */
export function widen(
  known: ServiceEvidence | undefined,
  outcomes: readonly Outcomes[],
  lane: Lane,
): ServiceEvidence {
  const billed = new Map(known?.billed)
  for (const saysGst of [true, false]) {
    const found = billed.get(saysGst) ?? summariseBills(outcomes, nameLane(lane), saysGst)
    if (found) billed.set(saysGst, found)
  }
  const widths = [...(known?.widths ?? []), outcomes]
  const arrival = known?.arrival ?? summariseArrivals(outcomes, nameLane(lane))
  // Only useful once the widest lane, which is last, is known.
  const expected = lane.kind === "all" ? expectDays(widths) : []
  return { arrival: arrival && { ...arrival, expected }, widths, billed }
}
