/** Disputes with each carrier in each month, and their results: in exact cents. */
import { groupBy } from "../base/grouping.ts"
import { amountOf } from "../base/money.ts"
import {
  BILL_CURRENCY,
  describeHeldOf,
  type DisputeBalance,
  type DisputeBook,
  getGstBasis,
  type HeldByDispute,
  readDisputes,
  readHeld,
  toCreditBalances,
  toDisputeBalances,
} from "../bills/index.ts"
import { BRIEF, type Column, money } from "../output/index.ts"
import { formatAud, formatGst, GST } from "./basis.ts"
import { formatSpan, report, sheet, toDays } from "./report.ts"

export type DisputeSums = ReturnType<typeof toSums>

/**
 * A row for each carrier (as its bills name it), month in which disputes were raised, and GST basis: raised = credited
 * + open + denied + written off.
 * @param since,until `yyyy-mm-dd`, both included: when it was raised
 * @param held what was withheld and paid for them when their bills were paid
 */
export function reportDisputes(
  book: DisputeBook,
  { since, until }: { since: string; until: string },
  held: HeldByDispute = new Map(),
) {
  const balances = toDisputeBalances(book).filter(({ dispute: { day } }) => day >= since && day <= until)
  const groups = groupBy(balances, ({ dispute: { carrier, supplier, day, gstBasis } }) =>
    JSON.stringify([supplier || carrier, day.slice(0, 7), gstBasis]),
  )
  const rows = Array.from(groups.values(), (some) => toSums(some, held)).sort(compareByMonth)
  // These sums exclude credits beyond the disputed amounts.
  const left = toCreditBalances(book).filter(({ cents, usedCents }) => cents > usedCents)
  const surplus = Array.from(
    groupBy(left, ({ credit }) => getGstBasis(credit)),
    ([gstBasis, some]) => ({
      gstBasis,
      credits: some.length,
      amount: amountOf(some.reduce((sum, { cents, usedCents }) => sum + cents - usedCents, 0)),
    }),
  )
  return { rows, known: { disputes: balances.length, surplus } }
}

function toSums(balances: readonly DisputeBalance[], held: HeldByDispute) {
  const [first] = balances as [DisputeBalance]
  const { carrier, supplier, day, gstBasis } = first.dispute
  const sum = (centsOf: (balance: DisputeBalance) => number) =>
    amountOf(balances.reduce((cents, each) => cents + centsOf(each), 0))
  return {
    carrier: supplier || carrier || null,
    month: day.slice(0, 7),
    disputes: balances.length,
    raised: sum(({ dispute: { amountCents } }) => amountCents),
    credited: sum(({ creditedCents }) => creditedCents),
    open: sum(({ openCents }) => openCents),
    denied: sum(({ deniedCents }) => deniedCents),
    writtenOff: sum(({ writtenOffCents }) => writtenOffCents),
    /** The open part that was withheld when its bill was paid, with GST. */
    withheldIncGst: sum(({ dispute: { id } }) => held.get(id)?.withheldCents ?? 0),
    /** The open part that was paid and has to be returned, with GST. */
    toComeBackIncGst: sum(({ dispute: { id } }) => held.get(id)?.toComeBackCents ?? 0),
    gstBasis,
    currency: BILL_CURRENCY,
  }
}

function compareByMonth(one: DisputeSums, other: DisputeSums): number {
  const name = ({ month, carrier }: DisputeSums) => `${month} ${carrier ?? ""}`
  return name(one) < name(other) ? -1 : 1
}

const COLUMNS: readonly Column<DisputeSums>[] = [
  { key: "carrier", title: "CARRIER", rank: 1, brief: BRIEF.carrier },
  { key: "month", title: "MONTH", rank: 2, gives: "nothing" },
  { key: "disputes", title: "DISPUTES", rank: 8, align: "right" },
  { ...money("raised"), title: "RAISED", rank: 3 },
  { ...money("credited"), title: "CREDITED", rank: 4 },
  { ...money("open"), title: "OPEN", rank: 5 },
  { ...money("denied"), title: "DENIED", rank: 6 },
  { ...money("writtenOff"), title: "WRITTEN OFF", rank: 7 },
  { key: "gstBasis", title: "GST", rank: 9, ...GST },
  { key: "currency", title: "CURRENCY", hidden: true },
  { ...money("withheldIncGst"), title: "WITHHELD INC GST", hidden: true },
  { ...money("toComeBackIncGst"), title: "TO COME BACK INC GST", hidden: true },
]

export default report({
  about:
    "Adds up what was disputed with each carrier, by the month in which it was raised. Raised = credited + open + denied + written off, to the cent. Surplus credits are listed separately. It reads the ledger and asks no server.",
  columns: COLUMNS,
  examples: ["freight report disputes --sandbox", "freight report disputes --sandbox -o disputes.html"],
  subjects: "disputes raised",
  async read({ store, span }) {
    const held = await readHeld(store.database)
    const { rows, known } = reportDisputes(await readDisputes(store.database), toDays(span), held)
    const paid = describeHeldOf(rows)
    return sheet({
      title: "Disputes",
      ...{ rows, known, columns: COLUMNS },
      empty: `Nothing was disputed from ${formatSpan(span)}.`,
      notes: [
        ...(paid === "" ? [] : [`Of the open amounts, ${paid}.`]),
        ...known.surplus.map(
          ({ amount, credits, gstBasis }) =>
            `Credited beyond what was disputed, in none of these sums: ${formatAud(amount)}, ${formatGst(gstBasis)} (${credits}). freight disputes credits`,
        ),
      ],
    })
  },
})
