/** The last day on which a carrier takes a dispute: as the user has set it, and nothing where it is not. */
import { groupBy } from "../../base/grouping.ts"
import { addDays, formatDate, parseDate } from "../../base/wall-clock.ts"
import type { Session } from "../../command/deps.ts"
import type { Dispute, DisputeBook } from "../../ledger/records/disputes.ts"
import { isToBeSent, standingsOf, sumOpen } from "./standing.ts"

/** Days after the bill's day, by the carrier's code or the supplier's name in plain letters. */
export type DisputeDays = ReadonlyMap<string, number>

/** Carriers by name, or suppliers, and days: `Harbour Freight=14, Southline=30`. @returns undefined where it is not so */
export function parseDisputeDays(text: string): DisputeDays | undefined {
  const pairs = text.split(",").map((each) => /^\s*([^=\s](?:[^=]*[^=\s])?)\s*=\s*(\d{1,3})\s*$/.exec(each))
  const days = new Map<string, number>()
  for (const pair of pairs) {
    const [, carrier = "", count = ""] = pair ?? []
    if (!pair || Number(count) === 0) return undefined
    days.set(plainWord(carrier), Number(count))
  }
  return days
}

/** As the profile has it; none where it is not set. */
export function readDisputeDays({ settings }: Pick<Session, "settings">): DisputeDays {
  return parseDisputeDays(settings.value("disputeDays") ?? "") ?? new Map()
}

/** @returns `yyyy-mm-dd`, counted from the day of the bill, or on which it was raised where the bill has none */
export function findDeadline(
  { carrier, supplier, billDate, day }: Dispute,
  days: DisputeDays,
): string | undefined {
  const within = days.get(plainWord(carrier)) ?? days.get(plainWord(supplier))
  const from = parseDate(billDate || day)
  return within !== undefined && from.ok ? formatDate(addDays(from.value, within)) : undefined
}

/** How long before the last day it is told. */
const TOLD_DAYS = 7

/**
 * What was raised and not sent, by bill, where the last day is near or past: the earliest first.
 * @param today `yyyy-mm-dd`
 */
export function findDue(book: DisputeBook, days: DisputeDays, today: string) {
  const now = parseDate(today)
  const soon = now.ok ? formatDate(addDays(now.value, TOLD_DAYS)) : today
  const due = standingsOf(book).flatMap((standing) => {
    const deadline = isToBeSent(standing) ? findDeadline(standing.dispute, days) : undefined
    return deadline !== undefined && deadline <= soon ? [{ standing, deadline }] : []
  })
  const bills = groupBy(due, ({ standing: { dispute }, deadline }) =>
    JSON.stringify([dispute.supplier, dispute.billNumber || dispute.file, deadline]),
  )
  return Array.from(bills.values(), (some) => {
    const [{ standing, deadline }] = some as [(typeof some)[number]]
    return {
      bill: standing.dispute.billNumber || standing.dispute.file,
      count: some.length,
      sum: sumOpen(some.map((each) => each.standing)),
      deadline,
      isPast: deadline < today,
    }
  }).toSorted((one, other) => (one.deadline < other.deadline ? -1 : 1))
}

function plainWord(text: string): string {
  return text.trim().toLowerCase()
}
