/** Gives the reason for a dispute in words for the carrier: without internal facts and without freight's own terms. */
import { NOT_KNOWN, NOT_SCANNED, UNKNOWN_HOME } from "./verdicts.ts"
import type { Dispute } from "../records/disputes.ts"

const ANOTHER_PAYS = /^the booking says that (.+) pays$/
/** The part of a reason that says which reading was compared. */
const READING = /, (?:the quote|the bill) read as (?:with|without) GST/g
const AUDITED = /, audited on \d{4}-\d\d-\d\d/g
const OPEN_BOOKING = /its booking has no known outcome/
const OF_THE_BILL = /^(.+) is for the whole bill: (.+) more than its consignments lack of their quotes, .+$/

/** Texts for the clerk, and their replacements in letters. */
const REPLACED: readonly [RegExp, string][] = [
  [new RegExp(`^${NOT_KNOWN}.*$`), "we did not book it"],
  [new RegExp(`^${NOT_SCANNED}$`), "it was never collected: your tracking has no scan of it"],
  [/^the shipment is cancelled$/, "it was cancelled"],
  [/^(cancelled on .+, confirmed by .+)$/, "it was $1"],
  [ANOTHER_PAYS, "it was booked so that $1 pays, and not we"],
  [OF_THE_BILL, "$1, charged for the whole bill, is $2 more than you quoted"],
]

/** @returns part of a sentence: `12.00 more than quoted, 5.0 %: fuel levy` */
export function describeForCarrier({ why }: Pick<Dispute, "why">): string {
  const parts = why.split("; ").filter((part) => !OPEN_BOOKING.test(part))
  return parts
    .map((part) => {
      const plain = part.replaceAll(READING, "").replaceAll(AUDITED, "").replace(` (${UNKNOWN_HOME})`, "")
      const found = REPLACED.find(([pattern]) => pattern.test(plain))
      return found ? plain.replace(...found) : plain
    })
    .join("; ")
}
