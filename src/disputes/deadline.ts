/** The last day on which a carrier takes a dispute: as the user has set it, and nothing where it is not. */
import { addDays, formatDate, parseDate } from "../contract/wall-clock.ts"
import type { Dispute } from "../ledger/records/disputes.ts"

/** Days after the bill's day, by the carrier's code or the supplier's name in plain letters. */
export type DisputeDays = ReadonlyMap<string, number>

/** `CARRIER_A_AU=30, Harbour Freight=14`. @returns undefined where it is not so */
export function parseDisputeDays(text: string): DisputeDays | undefined {
  const pairs = text.split(",").map((each) => /^\s*([^=]+?)\s*=\s*(\d{1,3})\s*$/.exec(each))
  const days = new Map<string, number>()
  for (const pair of pairs) {
    const [, carrier = "", count = ""] = pair ?? []
    if (!pair || Number(count) === 0) return undefined
    days.set(plainWord(carrier), Number(count))
  }
  return days
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

function plainWord(text: string): string {
  return text.trim().toLowerCase()
}
