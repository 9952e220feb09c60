/** What was disputed with each carrier in each month, and what came of it: in exact cents. */
import { BILL_CURRENCY } from "../verdicts.ts"
import { groupBy } from "../../base/grouping.ts"
import { amountOf } from "../../base/money.ts"
import { getGstBasis } from "../money.ts"
import type { DisputeBook } from "../../ledger/records/disputes.ts"
import { creditStandingsOf, type Standing, standingsOf } from "./standing.ts"

/** Cents with GST, by the ids of disputes. */
export type HeldByDispute = ReadonlyMap<string, { withheldCents: number; toComeBackCents: number }>

export type DisputeSums = ReturnType<typeof toSums>

/**
 * A row for each carrier as its bills name it, month in which it was raised and GST basis: raised = credited + open + denied + written off.
 * @param since,until `yyyy-mm-dd`, both included: when it was raised
 * @param held what became of them when their bills were paid
 */
export function reportDisputes(
  book: DisputeBook,
  { since, until }: { since: string; until: string },
  held: HeldByDispute = new Map(),
) {
  const standings = standingsOf(book).filter(({ dispute: { day } }) => day >= since && day <= until)
  const groups = groupBy(standings, ({ dispute: { carrier, supplier, day, gstBasis } }) =>
    JSON.stringify([supplier || carrier, day.slice(0, 7), gstBasis]),
  )
  const rows = Array.from(groups.values(), (some) => toSums(some, held)).sort(compareByMonth)
  // What a bill gives back beyond what was disputed is in none of these sums.
  const left = creditStandingsOf(book).filter(({ cents, usedCents }) => cents > usedCents)
  const surplus = Array.from(
    groupBy(left, ({ credit }) => getGstBasis(credit)),
    ([gstBasis, some]) => ({
      gstBasis,
      credits: some.length,
      amount: amountOf(some.reduce((sum, { cents, usedCents }) => sum + cents - usedCents, 0)),
    }),
  )
  return { rows, known: { disputes: standings.length, surplus } }
}

function toSums(standings: readonly Standing[], held: HeldByDispute) {
  const [first] = standings as [Standing]
  const { carrier, supplier, day, gstBasis } = first.dispute
  const sum = (centsOf: (standing: Standing) => number) =>
    amountOf(standings.reduce((cents, each) => cents + centsOf(each), 0))
  return {
    carrier: supplier || carrier || null,
    month: day.slice(0, 7),
    disputes: standings.length,
    raised: sum(({ dispute: { amountCents } }) => amountCents),
    credited: sum(({ creditedCents }) => creditedCents),
    open: sum(({ openCents }) => openCents),
    denied: sum(({ deniedCents }) => deniedCents),
    writtenOff: sum(({ writtenOffCents }) => writtenOffCents),
    /** Of what is open, with GST: kept back when its bill was paid. */
    withheldIncGst: sum(({ dispute: { id } }) => held.get(id)?.withheldCents ?? 0),
    /** The same of what was paid, and is to come back. */
    toComeBackIncGst: sum(({ dispute: { id } }) => held.get(id)?.toComeBackCents ?? 0),
    gstBasis,
    currency: BILL_CURRENCY,
  }
}

function compareByMonth(one: DisputeSums, other: DisputeSums): number {
  const name = ({ month, carrier }: DisputeSums) => `${month} ${carrier ?? ""}`
  return name(one) < name(other) ? -1 : 1
}
