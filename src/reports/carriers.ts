/** Carriers' performance: punctuality, days against promised days, prices, and overcharges. */
import { grouped } from "../base/counted.ts"
import { amountOf, formatMoney } from "../base/money.ts"
import { BILL_CURRENCY } from "../bills/index.ts"
import { type GroupOfJourneys, type Store, sumJourneys } from "../ledger/index.ts"
import { BRIEF, type Column, money } from "../output/index.ts"
import { formatGst, GST, toPriceBasis } from "./basis.ts"
import { addUpPages } from "./groups.ts"
import { nameService, toLane } from "./lane-names.ts"
import { type Bar, plotRows, report, sheet, type Span } from "./report.ts"
import { listSlices } from "./slices.ts"

/** A row for a carrier, a service and a lane. Money is in whole units, on the row's own basis. */
export type CarrierRow = ReturnType<typeof toCarrierRow>

/** Number of deliveries by days: a few dozen entries at most, however many consignments there are. */
type Days = Map<number, number>

const NOTHING = {
  consignments: 0,
  /** Bookings with tracking data. */
  tracked: 0,
  delivered: 0,
  /** Bookings with a promised day. */
  promised: 0,
  /** Bookings that are known to be on time or late. */
  judged: 0,
  onTime: 0,
  priced: 0,
  billed: 0,
  /** Shipments that return an order. */
  returns: 0,
}
type Counts = typeof NOTHING

export interface CarrierCoverage extends Counts {
  /** Left out of everything else. */
  cancelled: number
}

interface Sums extends Counts {
  daysTaken: Days
  daysPromised: Days
  cents: number
  weighedCents: number
  grams: number
  overbilledCents: number
}

/** Reads the common data of a span's bookings, with tracking and bills. */
export async function* readJourneys(
  { database }: Pick<Store, "database">,
  { scopes, ...span }: Span,
): AsyncGenerator<GroupOfJourneys[]> {
  yield* sumJourneys(database, { scopes }, await listSlices(database, span))
}

/** Adds up by carrier, service and lane, with separate rows for different GST bases or currencies. */
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
    lane: toLane(fromState, receiverState),
    ...toPriceBasis(basis),
  }
}

function startSums(): Sums {
  const amounts = { cents: 0, weighedCents: 0, grams: 0, overbilledCents: 0 }
  return { ...NOTHING, ...amounts, daysTaken: new Map(), daysPromised: new Map() }
}

function addJourneys(sums: Sums, journeys: GroupOfJourneys): void {
  const { bookings, daysSeen, daysLate, daysPromised, isDelivered } = journeys
  sums.consignments += bookings
  if (journeys.isReturn) sums.returns += bookings
  if (journeys.isTracked) sums.tracked += bookings
  if (isDelivered) sums.delivered += bookings
  if (journeys.hasPromise) sums.promised += bookings
  if (isDelivered && daysSeen !== undefined) countDays(sums.daysTaken, daysSeen, bookings)
  if (daysPromised !== undefined) countDays(sums.daysPromised, daysPromised, bookings)
  // An undelivered shipment is late from the day after the promised one.
  const isLate = daysLate !== undefined && daysLate > 0
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

function countDays(days: Days, count: number, bookings: number): void {
  days.set(count, (days.get(count) ?? 0) + bookings)
}

/** The middle value, or the mean of the two in the middle. */
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
    carrier: carrier || null,
    serviceCode: serviceCode || null,
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
    returns: group.returns,
  }
}

function compareByService(a: CarrierRow, b: CarrierRow): number {
  const text = ({ carrier, serviceCode, lane, gstBasis, currency }: CarrierRow) =>
    [carrier, serviceCode, lane, gstBasis, currency].join("\n")
  return text(a) < text(b) ? -1 : 1
}

const COLUMNS: readonly Column<CarrierRow>[] = [
  { key: "carrier", title: "CARRIER", rank: 1, brief: BRIEF.carrier },
  { key: "serviceCode", title: "SERVICE", rank: 2 },
  { key: "lane", title: "LANE", rank: 3, gives: "nothing" },
  { key: "consignments", title: "SENT", rank: 7, align: "right" },
  { key: "judged", title: "KNOWN", align: "right", hidden: true },
  {
    key: "onTime",
    title: "ON TIME",
    rank: 4,
    align: "right",
    show: ({ judged, onTime }) => (judged === 0 ? "" : `${onTime} of ${judged}`),
  },
  {
    key: "onTimePercent",
    title: "%",
    rank: 5,
    align: "right",
    show: ({ onTimePercent }) => (onTimePercent === null ? "" : `${onTimePercent}%`),
  },
  { key: "daysTaken", title: "DAYS", rank: 8, align: "right" },
  { key: "daysPromised", title: "PROMISED", rank: 9, align: "right" },
  { key: "priced", title: "PRICED", align: "right", hidden: true },
  { ...money("pricePerConsignment"), title: "EACH", rank: 10 },
  { ...money("pricePerKg"), title: "PER KG", rank: 11 },
  { key: "gstBasis", title: "GST", rank: 12, ...GST },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "billed", title: "BILLED", align: "right", hidden: true },
  {
    key: "overbilled",
    title: "TOO MUCH",
    rank: 13,
    align: "right",
    show: ({ overbilled, currency }) =>
      overbilled === null ? "" : formatMoney(overbilled, currency ?? BILL_CURRENCY),
  },
  { key: "returns", title: "RETURNS", align: "right", hidden: true },
]

export default report({
  about:
    "Shows how carriers performed, by carrier, service and lane: how many consignments arrived by the promised day, the median days taken and promised, prices, and what audited bills overcharge. It reads the ledger and asks no server: freight track --open finds what is not known yet.",
  flags: {
    lanes: {
      about:
        "by lanes between postcode areas: how often in time, how late, billed by quoted, disputed and won (freight help wishes)",
    },
  },
  columns: COLUMNS,
  examples: [
    "freight report carriers --sandbox",
    "freight report carriers --sandbox --lanes --since 180d",
    "freight report carriers --sandbox --since 4w --format csv",
    "freight report carriers --sandbox -o carriers.html",
  ],
  async read({ store, span }, { lanes }) {
    if (lanes) return (await import("./carrier-lanes.ts")).readLaneSheet(store, span)
    const { rows, known } = await reportCarriers(readJourneys(store, span))
    return sheet({
      title: "Carriers",
      ...{ rows, known, columns: COLUMNS },
      bar: {
        ...{ rank: 6, longest: 10 },
        getPart: ({ judged, onTime }) => (judged === 0 ? undefined : onTime / judged),
      },
      notes: describeCoverage(known),
      plots: [
        plotRows("On time", rows, nameService, toOnTimeBar, 100),
        plotRows("Days from collection to delivery (median)", rows, nameService, toDaysBar),
        plotRows("Price of a consignment, each on its own GST basis", rows, nameService, toPriceBar),
      ],
    })
  },
})

function toOnTimeBar({ judged, onTime, onTimePercent }: CarrierRow): Bar | undefined {
  if (judged === 0) return undefined
  return { value: onTimePercent ?? 0, text: `${onTimePercent}% (${onTime} of ${judged})` }
}

function toDaysBar({ daysTaken, daysPromised }: CarrierRow): Bar | undefined {
  if (daysTaken === null) return undefined
  return {
    value: daysTaken,
    text: `${daysTaken}${daysPromised === null ? "" : `; promised ${daysPromised}`}`,
  }
}

function toPriceBar({ pricePerConsignment, currency, gstBasis }: CarrierRow): Bar | undefined {
  if (pricePerConsignment === null) return undefined
  const text = `${formatMoney(pricePerConsignment, currency ?? "")}, ${formatGst(gstBasis)}`
  return { value: pricePerConsignment, text }
}

function describeCoverage({
  consignments,
  cancelled,
  tracked,
  promised,
  judged,
  onTime,
  priced,
  billed,
  returns,
}: CarrierCoverage): string[] {
  const of = (count: number) => `${grouped(count)} of ${grouped(consignments)}`
  const unjudged = `${of(tracked)} were tracked, ${of(promised)} had a delivery day in their quote.`
  return [
    judged === 0
      ? `Punctuality is not known yet: ${unjudged}`
      : `On time: ${grouped(onTime)} of the ${grouped(judged)} for which it is known; ${unjudged}`,
    `Prices as quoted for ${of(priced)}; those with another GST basis are in a separate row.`,
    billed === 0
      ? "None is on an audited bill: freight audit finds what was overcharged."
      : `${of(billed)} are on audited bills.`,
    ...(cancelled > 0 ? [`${grouped(cancelled)} cancelled are left out.`] : []),
    ...(returns > 0 ? [`${of(returns)} ${returns === 1 ? "is a return" : "are returns"} of an order.`] : []),
  ]
}
