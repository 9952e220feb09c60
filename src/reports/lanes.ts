/** What really happened on each lane, by the formulas that services are chosen by. */
import { findLaneOutcomes, type LaneOutcomes } from "../ledger/records/evidence.ts"
import type { Store } from "../ledger/store.ts"
import { nameLane, summariseArrivals, summariseBills } from "../orders/booking/lane-evidence.ts"
import type { Span } from "./read.ts"
import { listSlices } from "./slices.ts"

/** Shares are whole percents, rounded down; null where fewer than 20 are too few to say. */
export type LaneRow = ReturnType<typeof toLaneRow>

/** How many lanes have enough for their numbers. */
export interface LaneCoverage {
  lanes: number
  withArrivals: number
  withBills: number
}

/** Reads the bookings of a span, a slice after the other: between two of them a signal is heard. */
export async function reportLanes(
  { database }: Pick<Store, "database">,
  { scopes, ...span }: Span,
): Promise<{ rows: LaneRow[]; known: LaneCoverage }> {
  const lanes = new Map<string, LaneOutcomes[]>()
  for (const slice of await listSlices(database, span))
    for (const outcomes of await findLaneOutcomes(database, { scopes, ...slice, newest: span.until })) {
      const { carrier, serviceCode, fromArea, toArea } = outcomes
      const name = [carrier, serviceCode, fromArea, toArea].join("\n")
      const all = lanes.get(name) ?? []
      all.push(outcomes)
      lanes.set(name, all)
    }
  const rows = [...lanes].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, all]) => toLaneRow(all))
  return {
    rows,
    known: {
      lanes: rows.length,
      withArrivals: rows.filter(({ onTimePercent }) => onTimePercent !== null).length,
      withBills: rows.filter(({ ratio }) => ratio !== null).length,
    },
  }
}

function toLaneRow(all: readonly LaneOutcomes[]) {
  const [{ carrier = "", serviceCode = "", fromArea = "", toArea = "" } = {}] = all
  const lane = nameLane({ kind: "area", from: fromArea || "?", to: toArea || "?" })
  const arrival = summariseArrivals(all, lane)
  const billed = summariseBills(all, lane, true) ?? summariseBills(all, lane, false)
  const count = (key: "bookings" | "billed") => all.reduce((sum, each) => sum + each[key], 0)
  const percent = (share: number | undefined) => (share === undefined ? null : Math.floor(share * 100))
  return {
    carrier: carrier || null,
    serviceCode: serviceCode || null,
    lane: lane.replace("postcodes ", ""),
    consignments: count("bookings"),
    /** Deliveries of which it is known whether they were on time. */
    seen: all.reduce((sum, { daysLate, bookings }) => sum + (daysLate === undefined ? 0 : bookings), 0),
    onTimePercent: percent(arrival && arrival.onTime / arrival.seen),
    /** The share lies between these in 95 of 100 cases. */
    fromPercent: percent(arrival?.from),
    toPercent: percent(arrival?.to),
    medianDaysLate: arrival?.medianDaysLate ?? null,
    ninetiethDaysLate: arrival?.ninetiethDaysLate ?? null,
    billed: count("billed"),
    /** Billed by quoted. */
    ratio: billed?.ratio ?? null,
    spread: billed?.spread ?? null,
    disputedPercent: percent(billed?.disputed),
    wonPercent: percent(billed?.won),
  }
}
