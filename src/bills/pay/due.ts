/** The bills due, by day: pure. */
import { groupBy } from "../../base/grouping.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { addDays, formatDate, parseDate } from "../../base/wall-clock.ts"
import { TOLD_DAYS } from "../disputes/deadline.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import type { Decision } from "./decide.ts"
import { isToPay, isUnpayable } from "./rows.ts"

/** All bills due on one day. */
export interface DueBills {
  /** `yyyy-mm-dd` */
  day: string
  isPast: boolean
  /** By number, or file. */
  bills: string[]
  /** For people, with GST. */
  asked: string
  toPay: string
  /** Number of them that may not be paid yet. */
  apart: number
}

/**
 * Unpaid amounts by due day, if that is near or past: earliest first.
 * @param today `yyyy-mm-dd`
 */
export function findDueBills(decisions: readonly Decision[], today: string): DueBills[] {
  const now = parseDate(today)
  const soon = now.ok ? formatDate(addDays(now.value, TOLD_DAYS)) : today
  const due = decisions.filter(
    (each) => each.bill.due !== "" && each.bill.due <= soon && (isToPay(each) || isUnpayable(each)),
  )
  const sum = (some: readonly Decision[], of: (decision: Decision) => number) =>
    formatMoney(amountOf(some.reduce((all, each) => all + of(each), 0)), BILL_CURRENCY)
  return Array.from(
    groupBy(due, ({ bill }) => bill.due),
    ([day, some]) => ({
      day,
      isPast: day < today,
      bills: some.map(({ bill: { billNumber, file } }) => billNumber || file),
      asked: sum(some, ({ askedCents }) => askedCents),
      toPay: sum(some, ({ toPayCents }) => toPayCents),
      apart: some.filter((each) => !isToPay(each)).length,
    }),
  ).toSorted((one, other) => (one.day < other.day ? -1 : 1))
}
