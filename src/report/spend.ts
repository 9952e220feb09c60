/** What was spent, as quoted when it was booked. */
import { amountOf } from "../contract/money.ts"
import { addDays, formatDate, type WallClock, wallClockNow, weekdayOf } from "../contract/wall-clock.ts"
import type { Entry, GstBasis } from "../ledger/entry.ts"
import type { Reported } from "./read.ts"

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

/** Sums in exact cents and grams. */
type Sums<Key> = Key & { bookings: number; unpriced: number; cents: number; grams: number }

function addTo<Key extends object>(groups: Map<string, Sums<Key>>, key: Key, { facts }: Entry): void {
  const name = JSON.stringify(key)
  const sums = groups.get(name) ?? { ...key, bookings: 0, unpriced: 0, cents: 0, grams: 0 }
  groups.set(name, sums)
  sums.bookings++
  if (facts.priceCents === undefined) sums.unpriced++
  sums.cents += facts.priceCents ?? 0
  sums.grams += facts.weightGrams ?? 0
}

function findGroup(entry: Entry, by: SpendBy): string {
  return SPEND_BY[by](entry, wallClockNow(Date.parse(entry.sentAt)))
}

/**
 * Adds up in exact cents. Prices on different GST bases, or in different currencies, are rows of their own.
 */
export async function reportSpend(
  pages: AsyncIterable<readonly Reported[]>,
  by: SpendBy,
): Promise<{ rows: SpendRow[]; known: SpendKnown }> {
  const groups = new Map<string, Sums<Pick<SpendRow, "group" | "currency" | "gstBasis">>>()
  const known: SpendKnown = { bookings: 0, priced: 0, cancelled: 0 }
  for await (const page of pages)
    for (const { entry, journey } of page) {
      if (journey?.isCancelled) {
        known.cancelled++
        continue
      }
      const { priceCents, currency = "AUD", gstBasis = "unknown" } = entry.facts
      const basis =
        priceCents === undefined ? { currency: "", gstBasis: "" as const } : { currency, gstBasis }
      addTo(groups, { group: findGroup(entry, by), ...basis }, entry)
      known.bookings++
      if (priceCents !== undefined) known.priced++
    }
  const rows = [...groups.values()].map(
    ({ cents, grams, group, bookings, unpriced, currency, gstBasis }) => ({
      ...{ group, bookings, unpriced, total: amountOf(cents), currency, gstBasis, weightKg: grams / 1000 },
    }),
  )
  const byGroup = (a: SpendRow, b: SpendRow) =>
    a.group < b.group ? -1 : a.group > b.group ? 1 : b.total - a.total
  return { rows: rows.sort(isTime(by) ? byGroup : (a, b) => b.total - a.total || byGroup(a, b)), known }
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
  const groups = new Map<string, Sums<Pick<SpendRow, "group" | "currency">>>()
  for await (const page of pages)
    for (const entry of page)
      if (entry.kind === "shipment" && entry.state === "done")
        addTo(groups, { group: findGroup(entry, by), currency: entry.facts.currency ?? "AUD" }, entry)
  return [...groups.values()]
    .map(({ group, bookings, unpriced, cents, currency }) => ({
      ...{ group, bookings, unpriced, total: amountOf(cents), currency },
    }))
    .sort((a, b) => (a.group < b.group ? -1 : 1))
}
