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

/**
 * Adds up in exact cents. Prices on different GST bases, or in different currencies, are rows of their own.
 * @param zone whose days they are
 */
export async function reportSpend(
  pages: AsyncIterable<readonly Reported[]>,
  by: SpendBy,
  zone: string,
): Promise<{ rows: SpendRow[]; known: SpendKnown }> {
  const groups = new Map<string, SpendRow & { cents: number; grams: number }>()
  const known: SpendKnown = { bookings: 0, priced: 0, cancelled: 0 }
  for await (const page of pages)
    for (const { entry, journey } of page) {
      if (journey?.isCancelled) {
        known.cancelled++
        continue
      }
      const { priceCents, currency, gstBasis = "unknown", weightGrams = 0 } = entry.facts
      const isPriced = priceCents !== undefined
      const row = {
        group: SPEND_BY[by](entry, wallClockNow(Date.parse(entry.sentAt), zone)),
        currency: isPriced ? (currency ?? "AUD") : "",
        gstBasis: isPriced ? gstBasis : ("" as const),
      }
      const key = JSON.stringify(row)
      const sums = groups.get(key) ?? {
        ...row,
        bookings: 0,
        unpriced: 0,
        total: 0,
        weightKg: 0,
        cents: 0,
        grams: 0,
      }
      groups.set(key, sums)
      sums.bookings++
      sums.grams += weightGrams
      known.bookings++
      if (isPriced) known.priced++
      else sums.unpriced++
      sums.cents += priceCents ?? 0
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
