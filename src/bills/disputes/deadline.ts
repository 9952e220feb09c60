/** The last day on which a carrier accepts a dispute: set by the user, with no default. */
import { listCarrierNames } from "../../carriers/index.ts"
import { groupBy } from "../../base/grouping.ts"
import { addDays, formatDate, parseDate } from "../../base/wall-clock.ts"
import type { Session } from "../../session/index.ts"
import type { Dispute, DisputeBook } from "../records/disputes.ts"
import { isToBeSent, toDisputeBalances, sumOpen } from "./balance.ts"

/** Days after the bill's day, by the carrier's code or the supplier's name in plain letters. */
export type DisputeDays = ReadonlyMap<string, number>

/** Carriers by name, or suppliers, and days: `Harbour Freight=14, Southline=30`. @returns undefined if the text has another form */
export function parseDisputeDays(text: string): DisputeDays | undefined {
  const texts = parseByCarrier(text, /^0*[1-9]\d{0,2}$/)
  return texts && new Map(Array.from(texts, ([carrier, count]) => [carrier, Number(count)]))
}

export const ACCOUNT_NUMBER = /^\S.{0,39}$/

/** Carriers by name, or suppliers, each with a text: `A=10044, Southline=77-3`. @returns undefined if the text has another form */
export function parseByCarrier(text: string, form: RegExp): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  for (const pair of text.split(",")) {
    const [, carrier = "", value = ""] = /^\s*([^=\s](?:[^=]*[^=\s])?)\s*=\s*(.*\S)\s*$/.exec(pair) ?? []
    if (!form.test(value)) return undefined
    found.set(plainWord(carrier), value)
  }
  return found
}

/** The setting's value for the carrier of a bill: by the carrier's name, or the supplier's. */
export function findOfCarrier<T>(
  { carrier, supplier }: Pick<Dispute, "carrier" | "supplier">,
  known: ReadonlyMap<string, T>,
): T | undefined {
  const names = [...listCarrierNames(carrier), supplier]
  return names.map((name) => known.get(plainWord(name))).find((each) => each !== undefined)
}

/** From the profile; empty if it is not set. */
export function readDisputeDays({ settings }: Pick<Session, "settings">): DisputeDays {
  return parseDisputeDays(settings.value("disputeDays") ?? "") ?? new Map()
}

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

function plainWord(text: string): string {
  return text.trim().toLowerCase()
}
