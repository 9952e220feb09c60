/** What was spent, as quoted when it was booked. */
import { amountOf } from "../base/money.ts"
import { addDays, formatDate, type WallClock, wallClockNow, weekdayOf } from "../base/wall-clock.ts"
import type { Entry, GstBasis } from "../ledger/entry.ts"
import { addUpPages } from "./groups.ts"
import { type Reported, toPriceBasis } from "./read.ts"

/** Money is in whole units, on the row's own basis. */
export interface SpendRow {
  group: string
  bookings: number
  /** Bookings without a known price: they have separate rows. */
  unpriced: number
  total: number
  currency: string
  gstBasis: GstBasis | ""
  weightKg: number
}

type Group = (entry: Entry, booked: WallClock) => string

/** What spending is added up by. */
export const SPEND_BY = {
  day: (_, booked) => formatDate(booked),
  week: (_, booked) => formatDate(addDays(booked, -((weekdayOf(booked) + 6) % 7))),
  month: (_, booked) => formatDate(booked).slice(0, "yyyy-MM".length),
  carrier: ({ facts }) => facts.carrier ?? "",
  service: ({ facts }) => `${facts.carrier ?? ""} ${facts.serviceCode ?? ""}`.trim(),
  state: ({ facts }) => facts.receiverState ?? "",
  workstation: ({ sender }) => sender.workstation,
  "reference-prefix": ({ facts }) => /^\p{L}+/u.exec(facts.reference ?? "")?.[0] ?? "",
} as const satisfies Record<string, Group>

export type SpendBy = keyof typeof SPEND_BY

/** Groups that are times: in their order, not by amount. */
export function isTime(by: SpendBy): boolean {
  return by === "day" || by === "week" || by === "month"
}

export interface SpendKnown {
  bookings: number
  priced: number
  /** Left out. */
  cancelled: number
}

/** In exact cents and grams. */
const NOTHING = { bookings: 0, unpriced: 0, cents: 0, grams: 0 }

function addEntry(sums: typeof NOTHING, { facts }: Entry): void {
  sums.bookings++
  if (facts.priceCents === undefined) sums.unpriced++
  sums.cents += facts.priceCents ?? 0
  sums.grams += facts.weightGrams ?? 0
}

function findGroup(entry: Entry, by: SpendBy): string {
  return SPEND_BY[by](entry, wallClockNow(Date.parse(entry.sentAt)))
}

/** Prices on different GST bases, or in different currencies, are rows of their own. */
export async function reportSpend(
  pages: AsyncIterable<readonly Reported[]>,
  by: SpendBy,
): Promise<{ rows: SpendRow[]; known: SpendKnown }> {
  const { groups, leftOut } = await addUpPages(
    pages,
    ({ entry, journey }) =>
      journey?.isCancelled ? undefined : { group: findGroup(entry, by), ...toPriceBasis(entry.facts) },
    () => ({ ...NOTHING }),
    (sums, { entry }) => addEntry(sums, entry),
  )
  const rows = groups.map(({ cents, grams, group, bookings, unpriced, currency, gstBasis }) => ({
    ...{ group, bookings, unpriced, total: amountOf(cents), currency, gstBasis, weightKg: grams / 1000 },
  }))
  const byGroup = (a: SpendRow, b: SpendRow) =>
    a.group < b.group ? -1 : a.group > b.group ? 1 : b.total - a.total
  const bookings = rows.reduce((sum, row) => sum + row.bookings, 0)
  const unpriced = rows.reduce((sum, row) => sum + row.unpriced, 0)
  return {
    rows: rows.sort(isTime(by) ? byGroup : (a, b) => b.total - a.total || byGroup(a, b)),
    known: { bookings, priced: bookings - unpriced, cancelled: leftOut },
  }
}

/** What the history adds up by. */
export const HISTORY_SPEND_BY = ["carrier", "service", "month"] as const satisfies readonly SpendBy[]

/** A row of `history --spend`: those without a known price are counted among the others. */
export type HistorySpendRow = Omit<SpendRow, "gstBasis" | "weightKg">

/** Adds up the bookings among these entries, by group and currency. */
export async function sumHistory(
  pages: AsyncIterable<readonly Entry[]>,
  by: SpendBy,
): Promise<HistorySpendRow[]> {
  const { groups } = await addUpPages(
    pages,
    (entry) =>
      entry.kind === "shipment" && entry.state === "done"
        ? { group: findGroup(entry, by), currency: entry.facts.currency ?? "AUD" }
        : undefined,
    () => ({ ...NOTHING }),
    addEntry,
  )
  return groups
    .map(({ group, bookings, unpriced, cents, currency }) => ({
      ...{ group, bookings, unpriced, total: amountOf(cents), currency },
    }))
    .sort((a, b) => (a.group < b.group ? -1 : 1))
}
