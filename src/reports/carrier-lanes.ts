/** Punctuality and billing on each lane, by the formulas for choosing services: `freight report carriers --lanes`. */
import { counted, grouped } from "../base/counted.ts"
import { findLaneOutcomes, type LaneOutcomes, type Store } from "../ledger/index.ts"
import { nameLane, summariseArrivals, summariseBills } from "../orders/index.ts"
import { BRIEF, type Column } from "../output/index.ts"
import { asPercent } from "./basis.ts"
import { nameService } from "./lane-names.ts"
import { plotRows, sheet, type Span } from "./report.ts"
import { listSlices } from "./slices.ts"

/** Shares are whole percentages, rounded down; null for fewer than 20. */
export type LaneRow = ReturnType<typeof toLaneRow>

/** Number of lanes with enough data. */
export interface LaneCoverage {
  lanes: number
  withArrivals: number
  withBills: number
}

/** Reads the bookings of a span slice by slice, so that signals are handled in between. */
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
    /** Deliveries that are known to be on time or late. */
    seen: all.reduce((sum, { daysLate, bookings }) => sum + (daysLate === undefined ? 0 : bookings), 0),
    onTimePercent: percent(arrival && arrival.onTime / arrival.seen),
    /** 95 % confidence interval of the share. */
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

/** A column of numbers, some of which are null for lack of data. */
const toKnownColumn = (
  key: "onTimePercent" | "disputedPercent" | "wonPercent" | "ratio" | "spread",
  title: string,
  rank: number,
  show: (value: number) => string,
): Column<LaneRow> => ({
  ...{ key, title, rank, align: "right" },
  show: ({ [key]: value }) => (value === null ? "" : show(value)),
})
const asRatio = (ratio: number) => ratio.toFixed(2)

const COLUMNS: readonly Column<LaneRow>[] = [
  { key: "carrier", title: "CARRIER", rank: 1, brief: BRIEF.carrier },
  { key: "serviceCode", title: "SERVICE", rank: 2 },
  { key: "lane", title: "POSTCODES", rank: 3, gives: "nothing" },
  { key: "consignments", title: "SENT", rank: 11, align: "right" },
  { key: "seen", title: "SEEN", rank: 6, align: "right" },
  toKnownColumn("onTimePercent", "ON TIME", 4, asPercent),
  {
    key: "fromPercent",
    title: "BETWEEN",
    rank: 7,
    align: "right",
    show: ({ fromPercent, toPercent }) => (fromPercent === null ? "" : `${fromPercent}-${toPercent}%`),
  },
  { key: "toPercent", title: "AND", align: "right", hidden: true },
  { key: "medianDaysLate", title: "DAYS LATE", rank: 8, align: "right" },
  { key: "ninetiethDaysLate", title: "9 OF 10", rank: 9, align: "right" },
  { key: "billed", title: "BILLS", rank: 10, align: "right" },
  toKnownColumn("ratio", "BILLED BY QUOTED", 5, asRatio),
  toKnownColumn("spread", "SPREAD", 12, asRatio),
  toKnownColumn("disputedPercent", "DISPUTED", 13, asPercent),
  toKnownColumn("wonPercent", "WON", 14, asPercent),
]

export async function readLaneSheet(store: Pick<Store, "database">, span: Span) {
  const { rows, known } = await reportLanes(store, span)
  return sheet({
    title: "Carriers by lane",
    ...{ rows, known, columns: COLUMNS },
    notes: [
      `On-time figures for ${grouped(known.withArrivals)} of ${counted(known.lanes, "lane")}, billed by quoted for ${grouped(known.withBills)}; the others have fewer than 20 deliveries or bills.`,
    ],
    plots: [
      plotRows(
        "On time",
        rows,
        nameService,
        ({ onTimePercent, fromPercent, toPercent, seen }) =>
          onTimePercent === null
            ? undefined
            : {
                value: onTimePercent,
                text: `${onTimePercent}% (${fromPercent}-${toPercent}%, ${seen} seen)`,
              },
        100,
      ),
      plotRows("Billed by quoted", rows, nameService, ({ ratio, billed }) =>
        ratio === null ? undefined : { value: ratio, text: `${ratio.toFixed(2)} (${billed} bills)` },
      ),
    ],
  })
}
