/** Why something is disputed, in words for its carrier: without what only we know, or only freight says. */
import { NOT_KNOWN, NOT_SCANNED, UNKNOWN_HOME } from "./verdicts.ts"
import type { Dispute } from "../../ledger/index.ts"

const ANOTHER_PAYS = /^the booking says that (.+) pays$/
/** Which reading was compared. */
const READING = /, (?:the quote|the bill) read as (?:with|without) GST/g
const AUDITED = /, audited on \d{4}-\d\d-\d\d/g
const OPEN_BOOKING = /its booking has no known outcome/
const OF_THE_BILL = /^(.+) is for the whole bill: (.+) more than its consignments lack of their quotes, .+$/

/** Texts that an audit says to its clerk, and what a letter says in their place. */
const REPLACED: readonly [RegExp, string][] = [
  [new RegExp(`^${NOT_KNOWN}.*$`), "we did not book it"],
  [new RegExp(`^${NOT_SCANNED}$`), "it was never collected: your tracking has no scan of it"],
  [/^the shipment is cancelled$/, "it was cancelled"],
  [/^(cancelled on .+, confirmed by .+)$/, "it was $1"],
  [ANOTHER_PAYS, "it was booked so that $1 pays, and not we"],
  [OF_THE_BILL, "$1, charged for the whole bill, is $2 more than you quoted"],
]

/** @returns a sentence's part: `12.00 more than quoted, 5.0 %: fuel levy` */
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
