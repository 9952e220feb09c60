/** What was spent, as quoted when it was booked. */
import { amountOf } from "../base/money.ts"
import { formatDate, wallClockNow } from "../base/wall-clock.ts"
import type { HistoryFilter } from "../ledger/entry-reader.ts"
import type { GstBasis } from "../ledger/entry.ts"
import { type GROUPED_BY, type GroupOfBookings, sumBookings } from "../ledger/records/sums.ts"
import type { Store } from "../ledger/store.ts"
import { addUpPages } from "./groups.ts"
import { type Span, toPriceBasis } from "./read.ts"
import { toLane } from "./carriers.ts"
import { firstDayOf, listSlices, type Period, PERIODS } from "./slices.ts"

/** Money is in whole units, on the row's own basis. */
export interface SpendRow {
  /** Null for those without one, such as bookings for no cost centre. */
  group: string | null
  bookings: number
  /** Bookings without a known price: they have separate rows. */
  unpriced: number
  /** As quoted, on the row's own basis. */
  amount: number
  /** Both are null where nothing is priced. */
  currency: string | null
  gstBasis: GstBasis | null
  weightKg: number
  /** Of the bookings, how many audited bills charge. */
  billed: number
  /** What those bills charge less what they give back, without GST. */
  billedAmount: number
  /** The GST of that, apart. */
  billedGst: number
  /** On bills that do not say whether GST is in it: in neither of the two. */
  billedUnsaid: number
  /** Bookings that no audited bill charges yet, and what was quoted for them, on the row's own basis. */
  unbilled: number
  unbilledAmount: number
}

interface Grouping {
  columns: keyof typeof GROUPED_BY
  toGroup(bookings: GroupOfBookings): string
}

const toPeriod = (period: Period): Grouping => ({
  columns: "time",
  toGroup: ({ slice }) => formatDate(firstDayOf(period, wallClockNow(slice.since))),
})

/** What spending is added up by. */
export const SPEND_BY = {
  day: toPeriod("day"),
  week: toPeriod("week"),
  month: {
    columns: "time",
    toGroup: ({ slice }) => formatDate(wallClockNow(slice.since)).slice(0, "yyyy-MM".length),
  },
  carrier: { columns: "carrier", toGroup: ({ carrier }) => carrier },
  service: {
    columns: "service",
    toGroup: ({ carrier, serviceCode }) => `${carrier} ${serviceCode}`.trim(),
  },
  state: { columns: "state", toGroup: ({ receiverState }) => receiverState },
  workstation: { columns: "workstation", toGroup: ({ workstation }) => workstation },
  "cost-centre": { columns: "costCentre", toGroup: ({ costCentre }) => costCentre },
  account: { columns: "account", toGroup: ({ account }) => account },
  lane: {
    columns: "lane",
    toGroup: ({ fromState, receiverState }) => toLane(fromState, receiverState),
  },
  "reference-prefix": {
    columns: "reference",
    toGroup: ({ reference }) => /^\p{L}+/u.exec(reference)?.[0] ?? "",
  },
} as const satisfies Record<string, Grouping>

export type SpendBy = keyof typeof SPEND_BY

/** Groups that are times: in their order, not by amount. */
export function isTime(by: SpendBy): by is Period {
  return (PERIODS as readonly string[]).includes(by)
}

export interface SpendKnown {
  bookings: number
  priced: number
  /** Left out. */
  cancelled: number
}

/** In exact cents and grams. */
const NOTHING = { bookings: 0, unpriced: 0, cents: 0, grams: 0 }
const NOT_BILLED = { billed: 0, exGst: 0, gst: 0, unsaid: 0 }

/** What bills charge: how many bookings, and cents. */
export type BilledOf = typeof NOT_BILLED

function addToGroup(
  sums: typeof NOTHING & BilledOf & { unbilledCents: number },
  group: GroupOfBookings,
): void {
  addGroup(sums, group)
  addBilled(sums, group)
  sums.unbilledCents += group.billed.quotedUnbilled
}

function addBilled(sums: BilledOf, { billed }: GroupOfBookings): void {
  sums.billed += billed.bookings
  sums.exGst += billed.exGst
  sums.gst += billed.gst
  sums.unsaid += billed.unsaid
}

function addGroup(sums: typeof NOTHING, { bookings, isPriced, cents, grams }: GroupOfBookings): void {
  sums.bookings += bookings
  if (!isPriced) sums.unpriced += bookings
  sums.cents += cents
  sums.grams += grams
}

/**
 * Prices on different GST bases, or in different currencies, are rows of their own.
 * @returns also what bills charge for bookings that were cancelled, which is in no row
 */
export async function reportSpend(
  { database }: Pick<Store, "database">,
  { scopes, ...span }: Span,
  by: SpendBy,
): Promise<{ rows: SpendRow[]; known: SpendKnown; billedCancelled: BilledOf }> {
  let cancelled = 0
  const billedCancelled = { ...NOT_BILLED }
  const { columns, toGroup } = SPEND_BY[by]
  const slices = await listSlices(database, span, isTime(by) ? by : undefined)
  const groups = await addUpPages(
    sumBookings(database, { scopes }, { slices, by: columns, findCancelled: true, findBilled: true }),
    (bookings) => {
      if (!bookings.isCancelled) return { group: toGroup(bookings), ...toPriceBasis(bookings) }
      cancelled += bookings.bookings
      addBilled(billedCancelled, bookings)
      return undefined
    },
    () => ({ ...NOTHING, ...NOT_BILLED, unbilledCents: 0 }),
    addToGroup,
  )
  const rows = groups.map(
    ({ cents, grams, group, bookings, unpriced, currency, gstBasis, billed, ...sums }) => ({
      ...{ group: group || null, bookings, unpriced, amount: amountOf(cents), currency, gstBasis },
      weightKg: grams / 1000,
      ...{ billed, billedAmount: amountOf(sums.exGst), billedGst: amountOf(sums.gst) },
      billedUnsaid: amountOf(sums.unsaid),
      ...{ unbilled: bookings - billed, unbilledAmount: amountOf(sums.unbilledCents) },
    }),
  )
  const byGroup = (a: SpendRow, b: SpendRow) =>
    (a.group ?? "") < (b.group ?? "") ? -1 : (a.group ?? "") > (b.group ?? "") ? 1 : b.amount - a.amount
  const bookings = rows.reduce((sum, row) => sum + row.bookings, 0)
  const unpriced = rows.reduce((sum, row) => sum + row.unpriced, 0)
  return {
    rows: rows.sort(isTime(by) ? byGroup : (a, b) => b.amount - a.amount || byGroup(a, b)),
    known: { bookings, priced: bookings - unpriced, cancelled },
    billedCancelled,
  }
}

/** What the history adds up by. */
export const HISTORY_SPEND_BY = ["carrier", "service", "month"] as const satisfies readonly SpendBy[]

/** A row of `history --spend`: those without a known price are counted among the others. */
export interface HistorySpendRow extends Pick<SpendRow, "bookings" | "unpriced"> {
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
