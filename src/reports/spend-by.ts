/** The groupings of bookings, for the report of spending and for the history. */
import { amountOf } from "../base/money.ts"
import { formatDate, wallClockNow } from "../base/wall-clock.ts"
import {
  type GROUPED_BY,
  type GroupOfBookings,
  type HistoryFilter,
  type Store,
  sumBookings,
} from "../ledger/index.ts"
import { addUpPages } from "./groups.ts"
import { toLane } from "./lane-names.ts"
import { firstDayOf, listSlices, type Period, PERIODS } from "./slices.ts"

interface Grouping {
  title: string
  columns: keyof typeof GROUPED_BY
  toGroup(bookings: GroupOfBookings): string
}

const toPeriod = (title: string, period: Period): Grouping => ({
  title,
  columns: "time",
  toGroup: ({ slice }) => formatDate(firstDayOf(period, wallClockNow(slice.since))),
})

export const SPEND_BY = {
  day: toPeriod("DAY", "day"),
  week: toPeriod("WEEK FROM", "week"),
  month: {
    title: "MONTH",
    columns: "time",
    toGroup: ({ slice }) => formatDate(wallClockNow(slice.since)).slice(0, "yyyy-MM".length),
  },
  carrier: { title: "CARRIER", columns: "carrier", toGroup: ({ carrier }) => carrier },
  service: {
    title: "SERVICE",
    columns: "service",
    toGroup: ({ carrier, serviceCode }) => `${carrier} ${serviceCode}`.trim(),
  },
  state: { title: "TO", columns: "state", toGroup: ({ receiverState }) => receiverState },
  workstation: { title: "WORKSTATION", columns: "workstation", toGroup: ({ workstation }) => workstation },
  "cost-centre": { title: "COST CENTRE", columns: "costCentre", toGroup: ({ costCentre }) => costCentre },
  account: { title: "ACCOUNT", columns: "account", toGroup: ({ account }) => account },
  lane: {
    title: "LANE",
    columns: "lane",
    toGroup: ({ fromState, receiverState }) => toLane(fromState, receiverState),
  },
  "reference-prefix": {
    title: "REFERENCE",
    columns: "reference",
    toGroup: ({ reference }) => /^\p{L}+/u.exec(reference)?.[0] ?? "",
  },
} as const satisfies Record<string, Grouping>

export type SpendBy = keyof typeof SPEND_BY

/** Whether groups are periods, sorted by time instead of amount. */
export function isTime(by: SpendBy): by is Period {
  return (PERIODS as readonly string[]).includes(by)
}

/** In exact cents and grams. */
export const NOTHING = { bookings: 0, unpriced: 0, cents: 0, grams: 0 }

export function addGroup(sums: typeof NOTHING, { bookings, isPriced, cents, grams }: GroupOfBookings): void {
  sums.bookings += bookings
  if (!isPriced) sums.unpriced += bookings
  sums.cents += cents
  sums.grams += grams
}

export const HISTORY_SPEND_BY = ["carrier", "service", "month"] as const satisfies readonly SpendBy[]

export interface HistorySpendRow {
  bookings: number
  /** How many of `bookings` have no known price: the amount excludes them. */
  unpriced: number
  group: string
  total: number
  currency: string
}

/** Adds up the bookings among the entries that pass, by group and currency. */
export async function sumHistory(
  { database }: Pick<Store, "database">,
  { kind = "shipment", state = "done", since, ...filter }: Omit<HistoryFilter, "page" | "until">,
  by: SpendBy,
): Promise<HistorySpendRow[]> {
  if (kind !== "shipment" || state !== "done") return []
  const { columns, toGroup } = SPEND_BY[by]
  const span = since === undefined ? {} : { since: Date.parse(since) }
  const slices = await listSlices(database, span, isTime(by) ? by : undefined)
  const groups = await addUpPages(
    sumBookings(database, filter, { slices, by: columns, findCancelled: false }),
    (bookings) => ({ group: toGroup(bookings), currency: bookings.currency ?? "AUD" }),
    () => ({ ...NOTHING }),
    addGroup,
  )
  return groups
    .map(({ group, bookings, unpriced, cents, currency }) => ({
      ...{ group, bookings, unpriced, total: amountOf(cents), currency },
    }))
    .sort((a, b) => (a.group + a.currency < b.group + b.currency ? -1 : 1))
}
