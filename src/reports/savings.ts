/** Compares the choices of a period with other ways to choose: cost and punctuality. docs/choosing.md defines the terms. */
import { counted, grouped } from "../base/counted.ts"
import { amountOf } from "../base/money.ts"
import { daysBetween, parseDate } from "../base/wall-clock.ts"
import {
  type CarrierService,
  type ChosenBooking,
  findChosen,
  findLaneOutcomes,
  type Lane,
  type LaneOutcomes,
  type LanePlaces,
  type Store,
} from "../ledger/index.ts"
import { BILL_CURRENCY } from "../bills/index.ts"
import {
  type ComparedRate,
  findShareBy,
  readEvidenceDays,
  readComparedRates,
  type ServiceEvidence,
  summariseBills,
  widen,
} from "../orders/index.ts"
import type { Column } from "../output/index.ts"
import { asPercent, formatAud } from "./basis.ts"
import { formatSpan, plotRows, report, sheet, type Span } from "./report.ts"
import { listSlices } from "./slices.ts"

const DAY_MS = 86_400_000

const WAYS = ["cheapest", "fastest", "best-value"] as const
export const TAKEN = "as taken"
export type Way = (typeof WAYS)[number] | typeof TAKEN

/** Money is in AUD with GST; shares are from 0 to 1, and are rounded for display. */
export interface SavingsRow {
  way: Way
  bookings: number
  /** Number of bookings for which it chooses the same rate. */
  same: number
  /** The cost, with GST. */
  amount: number
  /** The difference to the actual cost; negative if it costs more. */
  saved: number
  /** Sources of the cost: audited bills; estimates from bills of other shipments; quotes, if there are too few bills. */
  billed: number
  estimated: number
  quoted: number
  /** Bookings that are known, or estimated from other deliveries, to be on time or late. */
  judged: number
  /** Whole percentages, rounded down; null if there is no such booking. */
  onTimePercent: number | null
  /** Mean number of days from the shipping date to the delivery; null if no day is known. */
  days: number | null
}

export interface SavingsCoverage {
  /** Bookings whose compared rates were kept. */
  compared: number
  /** Booked by a service code, or by a version that kept no compared rates. */
  notKept: number
  /** Left out: in another currency than AUD, or without a price. */
  unpriced: number
}

type Sums = Omit<SavingsRow, "way" | "amount" | "saved" | "onTimePercent" | "days"> & {
  cents: number
  onTime: number
  days: number
  /** Bookings with a known day. */
  dated: number
}

const startSums = (): Sums => ({
  ...{ bookings: 0, same: 0, billed: 0, estimated: 0, quoted: 0, judged: 0 },
  ...{ cents: 0, onTime: 0, days: 0, dated: 0 },
})

/**
 * Compares the actual choices with those of each way. `best-value` uses only promises from before the week of the
 * booking; the cost of a rate that was not chosen is estimated from all data known now.
 * @param days how old evidence may be
 */
export async function reportSavings(
  { database }: Pick<Store, "database">,
  { scopes, since, until }: Span,
  days: number,
): Promise<{ rows: SavingsRow[]; known: SavingsCoverage }> {
  const known: SavingsCoverage = { compared: 0, notKept: 0, unpriced: 0 }
  const sums = new Map<Way, Sums>([TAKEN, ...WAYS].map((way) => [way as Way, startSums()]))
  let evidence: Evidence | undefined
  for (const slice of await listSlices(database, { since, until }, "week")) {
    const { chosen, notKept } = await findChosen(database, { scopes, ...slice, newest: until })
    known.notKept += notKept
    if (chosen.length === 0) continue
    evidence ??= await readEvidence(database, { scopes, since, until }, days)
    for (const booking of chosen) {
      const rates = readComparedRates(booking.offers) ?? []
      const compared = compare(booking, rates, evidence)
      if (compared === "not kept") known.notKept++
      else if (compared === "unpriced") known.unpriced++
      else {
        known.compared++
        for (const [way, ending] of compared) addEnding(sums.get(way) ?? startSums(), ending)
      }
    }
  }
  const taken = sums.get(TAKEN)?.cents ?? 0
  const rows = known.compared === 0 ? [] : [...sums].map(([way, each]) => toSavingsRow(way, each, taken))
  return { rows, known }
}

async function readEvidence(
  database: Store["database"],
  { scopes, since, until }: Span,
  days: number,
): Promise<Evidence> {
  const evidence = createEvidence(days)
  for (const slice of await listSlices(database, { since: since - days * DAY_MS, until }))
    evidence.add(await findLaneOutcomes(database, { scopes, ...slice, newest: until, withStates: true }))
  return evidence
}

function toSavingsRow(way: Way, { cents, onTime, days, dated, ...counts }: Sums, taken: number): SavingsRow {
  const { bookings, same, billed, estimated, quoted, judged } = counts
  return {
    ...{
      way,
      bookings,
      same,
      amount: amountOf(Math.round(cents)),
      saved: amountOf(Math.round(taken) - Math.round(cents)),
    },
    ...{ billed, estimated, quoted, judged },
    onTimePercent: judged === 0 ? null : Math.floor((onTime * 100) / judged + 1e-9),
    days: dated === 0 ? null : Math.round((days * 10) / dated) / 10,
  }
}

interface Ending {
  isSame: boolean
  cents: number
  by: "billed" | "estimated" | "quoted"
  /** Probability of being on time, from 0 to 1. */
  onTime: number | undefined
  days: number | undefined
}

function addEnding(sums: Sums, { isSame, cents, by, onTime, days }: Ending): void {
  sums.bookings++
  if (isSame) sums.same++
  sums.cents += cents
  sums[by]++
  if (onTime !== undefined) {
    sums.judged++
    sums.onTime += onTime
  }
  if (days !== undefined) {
    sums.dated++
    sums.days += days
  }
}

type Evidence = ReturnType<typeof createEvidence>

function compare(
  booking: ChosenBooking,
  rates: readonly ComparedRate[],
  evidence: Evidence,
): Map<Way, Ending> | "not kept" | "unpriced" {
  if (rates.length === 0) return "not kept"
  if (booking.quotedCents === undefined) return "unpriced"
  const taken = getEnding(booking, evidence, rates[0]?.shipped)
  const isTaken = ({ connectorId, serviceCode }: ComparedRate) =>
    connectorId === booking.connectorId && serviceCode === booking.serviceCode
  const endings = new Map<Way, Ending>([[TAKEN, taken]])
  for (const way of WAYS) {
    const best = findBest(rates, (rate) => rank(way, rate, booking, evidence))
    const rate = best && !isTaken(best) ? best : undefined
    endings.set(way, rate ? estimate(rate, booking, evidence) : taken)
  }
  return endings
}

function findBest(
  rates: readonly ComparedRate[],
  toRank: (rate: ComparedRate) => Rank,
): ComparedRate | undefined {
  let best: { rate: ComparedRate; rank: Rank } | undefined
  for (const rate of rates) {
    const own = toRank(rate)
    const differing = own.findIndex((each, at) => each !== best?.rank[at])
    if (!best || (own[differing] ?? 0) < (best.rank[differing] ?? 0)) best = { rate, rank: own }
  }
  return best?.rate
}

/** Compares first whether it is late, then the criterion of the way, then the price. */
type Rank = readonly [isLate: 0 | 1, first: number | string, cents: number]

/** As in `chooseRate`: only the cheapest rate is taken regardless of its day. */
function rank(
  way: (typeof WAYS)[number],
  { cents, promised = "9999", shipped, carrier, serviceCode, saysGst, isLate }: ComparedRate,
  booking: ChosenBooking,
  evidence: Evidence,
): Rank {
  if (way === "cheapest") return [0, cents, 0]
  const late = isLate ? 1 : 0
  if (way === "fastest") return [late, promised, cents]
  // The week of the promised day: all promises until the dispatch are known by then.
  const week = booking.week - Math.ceil((countDays(shipped, booking.promised) ?? 0) / 7)
  const ratio = evidence.findRatioBefore(week, { carrier, serviceCode }, booking, saysGst)
  return [late, Math.round(cents * (ratio ?? 1)), cents]
}

/** The actual result: from its own bill and delivery, as far as they exist. */
function getEnding(booking: ChosenBooking, evidence: Evidence, shipped: string | undefined): Ending {
  const { promised, quotedCents = 0, billedCents, daysLate } = booking
  const estimated = estimate(
    { ...booking, cents: quotedCents, promised, shipped: shipped ?? "" },
    booking,
    evidence,
  )
  const span = countDays(shipped, promised)
  return {
    ...estimated,
    isSame: true,
    ...(billedCents !== undefined && { cents: billedCents, by: "billed" as const }),
    ...(daysLate !== undefined && {
      onTime: daysLate <= 0 ? 1 : 0,
      days: span === undefined ? undefined : span + daysLate,
    }),
  }
}

/** Estimates the result of a rate from the data on its service and lane. */
function estimate(
  { carrier, serviceCode, cents, saysGst, promised, shipped }: Omit<ComparedRate, "connectorId" | "isLate">,
  places: LanePlaces,
  evidence: Evidence,
): Ending {
  const { arrival, billed } = evidence.find({ carrier, serviceCode }, places)
  const ratio = billed.get(saysGst)?.ratio
  const span = countDays(shipped, promised)
  const late = arrival
    ? arrival.daysLate.reduce((sum, [days, deliveries]) => sum + days * deliveries, 0) / arrival.seen
    : 0
  return {
    isSame: false,
    cents: Math.round(cents * (ratio ?? 1)),
    by: ratio === undefined ? "quoted" : "estimated",
    onTime: arrival && findShareBy(arrival, 0),
    days: span === undefined ? undefined : span + late,
  }
}

function countDays(shipped: string | undefined, promised: string | undefined): number | undefined {
  const [from, to] = [shipped, promised].map((day) => parseDate(day ?? ""))
  return from?.ok && to?.ok ? daysBetween(from.value, to.value) : undefined
}

/** Groups the evidence on lanes, for any lane and week. */
function createEvidence(days: number) {
  const byLane = new Map<string, LaneOutcomes[]>()
  const found = new Map<string, ServiceEvidence>()
  const ratios = new Map<string, number | undefined>()
  const weeks = Math.ceil(days / 7)
  const read = (service: CarrierService, lane: Lane) => byLane.get(nameOf(service, lane)) ?? []
  return {
    add(all: readonly LaneOutcomes[]): void {
      for (const outcomes of all)
        for (const lane of listLanesOf(outcomes)) {
          const own = byLane.get(nameOf(outcomes, lane)) ?? []
          byLane.set(nameOf(outcomes, lane), own)
          own.push(outcomes)
        }
    },
    /** All evidence known now. */
    find(service: CarrierService, places: LanePlaces): ServiceEvidence {
      const lanes = listLanesOf(places)
      const name = nameOf(service, lanes[0])
      const known =
        found.get(name) ??
        lanes.reduce<ServiceEvidence>((narrower, lane) => widen(narrower, read(service, lane), lane), {
          arrival: undefined,
          widths: [],
          billed: new Map(),
        })
      found.set(name, known)
      return known
    },
    /** Billed by quoted, as known in a week; undefined if there were too few bills. */
    findRatioBefore(
      week: number,
      service: CarrierService,
      places: LanePlaces,
      saysGst: boolean,
    ): number | undefined {
      const lanes = listLanesOf(places)
      const name = `${week} ${saysGst} ${nameOf(service, lanes[0])}`
      if (ratios.has(name)) return ratios.get(name)
      let ratio: number | undefined
      for (const lane of lanes) {
        const before = read(service, lane).filter((each) => each.week < week && each.week >= week - weeks)
        ratio ??= summariseBills(before, "", saysGst)?.ratio
      }
      ratios.set(name, ratio)
      return ratio
    },
  }
}

function listLanesOf({ fromArea, toArea, fromState, toState }: LanePlaces) {
  return [
    { kind: "area", from: fromArea, to: toArea },
    { kind: "state", from: fromState, to: toState },
    { kind: "all" },
  ] as const satisfies Lane[]
}

function nameOf({ carrier, serviceCode }: CarrierService, lane: Lane): string {
  const places = lane.kind === "all" ? [] : [lane.from, lane.to]
  return [carrier, serviceCode, lane.kind, ...places].join("\n")
}

const COLUMNS: readonly Column<SavingsRow>[] = [
  { key: "way", title: "CHOSEN", rank: 1 },
  { key: "bookings", title: "BOOKINGS", rank: 9, align: "right" },
  { key: "same", title: "AS TAKEN", rank: 8, align: "right" },
  {
    key: "cost",
    title: "COST",
    rank: 2,
    align: "right",
    isMoney: true,
    value: ({ amount }) => amount,
    show: ({ amount }) => formatAud(amount),
  },
  {
    key: "saved",
    title: "SAVED",
    rank: 3,
    align: "right",
    isMoney: true,
    show: ({ saved }) => formatAud(saved),
  },
  {
    key: "onTimePercent",
    title: "ON TIME",
    rank: 4,
    align: "right",
    show: ({ onTimePercent }) => (onTimePercent === null ? "" : asPercent(onTimePercent)),
  },
  { key: "judged", title: "JUDGED", align: "right", hidden: true },
  {
    key: "days",
    title: "DAYS",
    rank: 5,
    align: "right",
    show: ({ days }) => (days === null ? "" : days.toFixed(1)),
  },
  { key: "billed", title: "BILLED", rank: 6, align: "right" },
  { key: "estimated", title: "ESTIMATED", rank: 7, align: "right" },
  { key: "quoted", title: "AS QUOTED", rank: 10, align: "right" },
]

const nameWay = ({ way }: SavingsRow) => way

export default report({
  about:
    "Compares your choices with always taking the cheapest, the fastest or the best-value rate: cost with GST and punctuality. Your choices count by their bills and deliveries; the others are estimates, from bills and deliveries of the same service on that lane (freight help wishes). Bookings that were not chosen from several rates are left out and counted. It reads the ledger and asks no server.",
  columns: COLUMNS,
  examples: [
    "freight report savings --sandbox",
    "freight report savings --sandbox --since 180d -o savings.html",
  ],
  async read({ store, span, settings }) {
    const { rows, known } = await reportSavings(store, span, readEvidenceDays(settings))
    return sheet({
      title: "Savings",
      ...{ rows, known, columns: COLUMNS },
      ...(known.notKept + known.unpriced > 0 && {
        empty: `No booking from ${formatSpan(span)} has its compared rates in the ledger. ${describeLeftOut(known).join(" ")}`,
      }),
      notes: [
        "Costs are with GST. For services that were not booked, cost and arrival are estimates.",
        ...describeLeftOut(known),
      ],
      plots: [
        plotRows("Cost with GST", rows, nameWay, ({ amount }) => ({
          value: amount,
          text: formatAud(amount),
        })),
        plotRows(
          "On time",
          rows,
          nameWay,
          ({ onTimePercent, judged }) =>
            onTimePercent === null
              ? undefined
              : { value: onTimePercent, text: `${onTimePercent}% (of ${grouped(judged)})` },
          100,
        ),
        plotRows("Days from the shipping date to the delivery", rows, nameWay, ({ days }) =>
          days === null ? undefined : { value: days, text: days.toFixed(1) },
        ),
      ],
    })
  },
})

function describeLeftOut({ notKept, unpriced }: SavingsCoverage): string[] {
  return [
    ...(notKept > 0
      ? [
          `Not kept: what ${counted(notKept, "booking was", "bookings were")} chosen from, as a service was named or an earlier freight booked them.`,
        ]
      : []),
    ...(unpriced > 0 ? [`${grouped(unpriced)} without a price in ${BILL_CURRENCY} are left out.`] : []),
  ]
}
