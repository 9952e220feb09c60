/** The last day on which a carrier accepts a dispute: set by the user, with no default. */
import { groupBy } from "../../base/grouping.ts"
import { addDays, formatDate, parseDate } from "../../base/wall-clock.ts"
import { findOfCarrier, type readDisputeDays } from "../../machine/index.ts"
import type { Dispute, DisputeBook } from "../records/disputes.ts"
import { isToBeSent, toDisputeBalances, sumOpen } from "./balance.ts"

/** Days after the bill's day, as the setting has them. */
export type DisputeDays = ReturnType<typeof readDisputeDays>

/** @returns `yyyy-mm-dd`, counted from the day of the bill, or from the day on which it was raised if the bill has none */
export function findDeadline(dispute: Dispute, days: DisputeDays): string | undefined {
  const { billDate, day } = dispute
  const within = findOfCarrier(dispute, days)
  const from = parseDate(billDate || day)
  return within !== undefined && from.ok ? formatDate(addDays(from.value, within)) : undefined
}

/** Days before the deadline from which it is reported. */
export const TOLD_DAYS = 7

/**
 * Disputes that were raised but not sent, by bill, if the deadline is near or past: earliest first.
 * @param today `yyyy-mm-dd`
 */
export function findDue(book: DisputeBook, days: DisputeDays, today: string) {
  const now = parseDate(today)
  const soon = now.ok ? formatDate(addDays(now.value, TOLD_DAYS)) : today
  const due = toDisputeBalances(book).flatMap((balance) => {
    const deadline = isToBeSent(balance) ? findDeadline(balance.dispute, days) : undefined
    return deadline !== undefined && deadline <= soon ? [{ balance, deadline }] : []
  })
  const bills = groupBy(due, ({ balance: { dispute }, deadline }) =>
    JSON.stringify([dispute.supplier, dispute.billNumber || dispute.file, deadline]),
  )
  return Array.from(bills.values(), (some) => {
    const [{ balance, deadline }] = some as [(typeof some)[number]]
    return {
      bill: balance.dispute.billNumber || balance.dispute.file,
      count: some.length,
      sum: sumOpen(some.map((each) => each.balance)),
      deadline,
      isPast: deadline < today,
    }
  }).toSorted((one, other) => (one.deadline < other.deadline ? -1 : 1))
}
