/** Planted worlds: carriers that are late and bill too much by lane, and a shipper who chooses by what freight knows. */
import { getLikelyCents } from "../../../src/orders/booking/evidence.ts"
import { type ServiceEvidence, widen } from "../../../src/orders/booking/lane-evidence.ts"
import {
  chooseRate,
  getLimits,
  type OpenKind,
  SORTED_BY,
  type PreferenceDraft,
} from "../../../src/orders/booking/preferences.ts"
import type { RateRow } from "../../../src/orders/booking/rates.ts"
import { expectShareBy } from "../../../src/orders/booking/share.ts"
import type { Lane, Outcomes } from "../../../src/ledger/records/evidence.ts"

export const BOOKINGS = 5_000
const LANES = 40
const STATES = 8
const CARRIERS = ["CARRIER_A_AU", "CARRIER_B_AU", "CARRIER_C_AU"] as const
const A_DAY = 20
const DAYS = BOOKINGS / A_DAY
/** From the booking to the promised day, and to the bill. */
const TRANSIT_DAYS = 3
const BILLED_AFTER_DAYS = 21
const EVIDENCE_DAYS = 180
/** As the query takes them, of each service and lane: the newest, and some of each span of days. */
const NEWEST = 40
const OF_SPAN = 4
const SPAN_DAYS = 8

/** Deterministic: mulberry32. @returns from 0 up to 1 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Truth {
  /** Billed by quoted, on average. */
  ratio: number
  /** Share that is late. */
  late: number
}

export interface Market {
  isDrifting: boolean
  /** Expected of a carrier on a lane on a day. */
  truth(carrier: number, lane: number, day: number): Truth
  /** Quoted cents of each carrier. */
  quote(lane: number, random: () => number): number[]
}

const between = (random: () => number, from: number, to: number) => from + random() * (to - from)

/** Half of the seeds drift: a third of the carriers and lanes become better or worse from the first day to the last. */
export function plantMarket(seed: number): Market {
  const random = createRandom(seed * 7919 + 1)
  const isDrifting = seed % 2 === 1
  const carriers = CARRIERS.map(() => ({
    ratio: between(random, 1, 1.06),
    late: between(random, 0.02, 0.12),
    price: between(random, 0.95, 1.05),
  }))
  const base = Array.from({ length: LANES }, () => between(random, 1_500, 9_000))
  const planted = carriers.map(({ ratio, late }) =>
    base.map(() => {
      const isOver = random() < 0.25
      const isLate = random() < 0.25
      const drifts = isDrifting && random() < 0.34
      return {
        ratio: ratio + (isOver ? between(random, 0.03, 0.25) : between(random, -0.01, 0.01)),
        late: late + (isLate ? between(random, 0.05, 0.3) : 0),
        ratioDrift: drifts ? between(random, -0.06, 0.1) : 0,
        lateDrift: drifts ? between(random, -0.05, 0.15) : 0,
      }
    }),
  )
  return {
    isDrifting,
    truth(carrier, lane, day) {
      const { ratio = 1, late = 0, ratioDrift = 0, lateDrift = 0 } = planted[carrier]?.[lane] ?? {}
      const part = day / DAYS
      return {
        ratio: Math.max(1, ratio + part * ratioDrift),
        late: Math.min(0.9, Math.max(0.01, late + part * lateDrift)),
      }
    },
    quote: (lane, draw) =>
      carriers.map(({ price }) => Math.round((base[lane] ?? 0) * price * between(draw, 0.9, 1.1))),
  }
}

/** One that is over: as the ledger has it once it is promised, delivered and billed. */
interface Over {
  lane: number
  carrier: number
  day: number
  daysLate: number
  ratio: number
}

const WIDTHS = ["area", "state", "all"] as const
type Width = (typeof WIDTHS)[number]
const toLane = (lane: number, width: Width): Lane =>
  width === "all" ? { kind: "all" } : { kind: width, from: "20", to: String(nameOf(lane, width)) }
const nameOf = (lane: number, width: Width) =>
  width === "area" ? lane : width === "state" ? lane % STATES : 0

/** The outcomes that the ledger knows on a day, summed up as the query does. */
class Ledger {
  private readonly over = new Map<string, Over[]>()
  private readonly read = new Map<string, { today: number; outcomes: Outcomes[] }>()

  add(one: Over): void {
    for (const width of WIDTHS) {
      const name = `${width} ${one.carrier} ${nameOf(one.lane, width)}`
      const list = this.over.get(name) ?? []
      list.push(one)
      this.over.set(name, list)
    }
  }

  private findOutcomes(carrier: number, lane: number, width: Width, today: number): Outcomes[] {
    const name = `${width} ${carrier} ${nameOf(lane, width)}`
    const before = this.read.get(name)
    if (before?.today === today) return before.outcomes
    const outcomes = this.addUp(this.over.get(name) ?? [], carrier, today)
    this.read.set(name, { today, outcomes })
    return outcomes
  }

  private addUp(list: readonly Over[], carrier: number, today: number): Outcomes[] {
    const groups = new Map<number, Outcomes>()
    let [span, ofSpan, read] = [-1, 0, 0]
    for (let at = list.length - 1; at >= 0; at--) {
      const one = list[at]
      if (!one) break
      const promised = one.day + TRANSIT_DAYS
      if (promised < today - EVIDENCE_DAYS) break
      if (promised >= today) continue
      const own = Math.floor((today - 1 - promised) / SPAN_DAYS)
      ofSpan = own === span ? ofSpan + 1 : 1
      span = own
      if (++read > NEWEST && ofSpan > OF_SPAN) continue
      const isDelivered = promised + one.daysLate < today
      const isBilled = one.day + BILLED_AFTER_DAYS <= today
      const daysLate = isDelivered ? one.daysLate : Math.max(1, today - promised)
      const week = Math.floor(promised / 7)
      const key = (week * 1_000 + daysLate) * LANES + one.lane
      const sums = groups.get(key) ?? {
        ...{
          carrier: CARRIERS[carrier] ?? "",
          serviceCode: "STD",
          week,
          toArea: String(one.lane),
          bookings: 0,
          daysLate,
          saysGst: true,
        },
        ...{ billed: 0, ratios: 0, squares: 0, disputed: 0, won: 0 },
      }
      sums.bookings++
      if (isBilled) {
        sums.billed++
        sums.ratios += one.ratio
        sums.squares += one.ratio * one.ratio
      }
      groups.set(key, sums)
    }
    return [...groups.values()]
  }

  /** The narrowest lane with enough, as `findEvidence` goes from one to the next. */
  find(carrier: number, lane: number, today: number): ServiceEvidence {
    let known: ServiceEvidence | undefined
    for (const width of WIDTHS)
      if (width === "all" || !known?.arrival || known.billed.size === 0)
        known = widen(known, this.findOutcomes(carrier, lane, width, today), toLane(lane, width))
    return known ?? { arrival: undefined, widths: [], billed: new Map() }
  }
}

const SHIPPED = "2026-06-01"

function toRow(carrier: number, cents: number, known: ServiceEvidence | undefined): RateRow {
  const billed = known?.billed.get(true)
  const price = cents / 100
  const { arrival } = known ?? {}
  return {
    ...{ serviceCode: "STD", description: "Standard", price, priceIncGst: price, currency: "AUD" },
    ...{
      bookingCutoff: "16:00:00",
      collectionCutoff: "17:00:00",
      visibility: "shown",
      transitDays: TRANSIT_DAYS,
    },
    ...{ quoteId: "q", connectorId: `connector-${carrier}`, carrier: CARRIERS[carrier] ?? "" },
    ...{ gstBasis: "", arrives: "" },
    evidence: {
      ...(arrival && { arrival }),
      ...(billed && { billed, likely: Math.round(cents * billed.ratio) / 100 }),
    },
  } as RateRow
}

export interface Run {
  isDrifting: boolean
  /** Expected costs of the first 1,000 bookings, and of the rest, in cents. */
  early: number
  late: number
  /** For those that were chosen by a known share: what was said, on average, and what was so. */
  promised: number
  onTime: number
  judged: number
  /** The number of a lane's own intervals that hold the share of that day. */
  intervals: number
  right: number
}

interface ShipOptions {
  /** The first so many of the world's. */
  bookings?: number
  /** At least this share is late. */
  hit?: (carrier: number, day: number) => number
  onChosen?: (carrier: number, day: number) => void
}

/** Ships the bookings of a world by one way of choosing. `truth` knows what is billed. */
export function ship(
  seed: number,
  kind: OpenKind | "truth",
  { bookings = BOOKINGS, hit = () => 0, onChosen = () => {} }: ShipOptions = {},
): Run {
  const market = plantMarket(seed)
  const random = createRandom(seed + 1)
  const ledger = new Ledger()
  const run: Run = {
    ...{ isDrifting: market.isDrifting, early: 0, late: 0, promised: 0, onTime: 0, judged: 0 },
    ...{ intervals: 0, right: 0 },
  }
  const known = new Map<string, ServiceEvidence>()
  const needs = kind === "best-value" || kind === "reliable"
  for (let n = 0; n < bookings; n++) {
    const day = Math.floor(n / A_DAY)
    if (n % A_DAY === 0) known.clear()
    const lane = Math.floor(random() * LANES)
    const quotes = market.quote(lane, random)
    const luck = [random(), random(), random(), random()] as const
    const look = (carrier: number) => {
      if (!needs) return undefined
      const name = `${carrier} ${lane}`
      const evidence = known.get(name) ?? ledger.find(carrier, lane, day)
      if (!known.has(name) && evidence.arrival?.lane.startsWith("postcodes")) {
        const { late } = market.truth(carrier, lane, day)
        run.intervals++
        if (evidence.arrival.from <= 1 - late && 1 - late <= evidence.arrival.to) run.right++
      }
      known.set(name, evidence)
      return evidence
    }
    const rows = quotes.map((cents, carrier) => toRow(carrier, cents, look(carrier)))
    const expected = quotes.map((cents, carrier) => cents * market.truth(carrier, lane, day).ratio)
    let carrier = expected.indexOf(Math.min(...expected))
    if (kind !== "truth") {
      const limits = getLimits<PreferenceDraft>({ kind })
      const choice = chooseRate(rows, { by: SORTED_BY[kind], limits, date: SHIPPED })
      const [cheapest] = [...rows].sort((one, other) => getLikelyCents(one) - getLikelyCents(other))
      const chosen = choice.rate ?? cheapest
      carrier = rows.indexOf(chosen as RateRow)
      const { arrival } = chosen?.evidence ?? {}
      if (choice.rate && arrival) {
        run.promised += expectShareBy(arrival, 0)
        run.judged++
        run.onTime += 1 - market.truth(carrier, lane, day).late
      }
    }
    onChosen(carrier, day)
    const { ratio, late } = market.truth(carrier, lane, day)
    const cost = expected[carrier] ?? 0
    if (n < 1_000) run.early += cost
    else run.late += cost
    const isLate = luck[0] < Math.max(late, hit(carrier, day))
    // Only some consignments are billed too much.
    const isOver = luck[2] < 0.4
    ledger.add({
      ...{ lane, carrier, day },
      daysLate: isLate ? 1 + Math.floor(luck[1] * 4) : -Math.floor(luck[1] * 2),
      ratio: isOver ? 1 + ((ratio - 1) / 0.4) * (0.5 + luck[3]) : 1,
    })
  }
  return run
}
