/** Pays disputes with credits, one workstation at a time, and records each payment as a step. */
import { groupBy } from "../../base/grouping.ts"
import type { Database, Sender, Transaction } from "../../ledger/index.ts"
import { addSteps, type Credit, type DisputeBook, readDisputes, type Step } from "../records/disputes.ts"
import { toId } from "../ids.ts"
import { type Guess, listExcess, listFitting, type Matched, matchCredits, type Payment } from "./match.ts"
import { toCreditBalances, type DisputeBalance, toDisputeBalances } from "./balance.ts"

/** `day` is `yyyy-mm-dd`. */
export interface Author extends Sender {
  day: string
}

/** `at` is ISO 8601 in UTC. */
export interface Writer extends Author {
  at: string
}

const LOCK = "freight disputes"

/**
 * The only way to write about bills, disputes, credits and postings. It is exclusive, so that what is read stays true
 * until the write. The time is taken when writing starts, not when waiting does: the order of postings and payments
 * follows from these times.
 */
export function writeAlone<T, By extends Sender>(
  database: Database,
  by: By,
  work: (transaction: Transaction, by: By & { at: string }) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.lock([LOCK])
    return work(transaction, { ...by, at: new Date(await transaction.now()).toISOString() })
  })
}

export async function settleDisputes(database: Database, by: Author): Promise<void> {
  await writeAlone(database, by, (transaction, author) => settle(transaction, author, new Set()))
}

/**
 * Pays until nothing more can be paid: an undone payment may pay another dispute.
 * @param creditIds credits for which guesses are wanted
 */
export async function settle(transaction: Transaction, by: Writer, creditIds: ReadonlySet<string>) {
  const paid: Payment[] = []
  for (;;) {
    const book = await readDisputes(transaction, "payable")
    const { steps, payments } = reckonRound(book, by)
    if (steps.length === 0)
      return { payments: paid, guesses: await findGuesses(transaction, book, creditIds), book }
    await addSteps(transaction, steps)
    paid.push(...payments)
  }
}

/** Disputes that a credit may be meant for, although it does not name them: looked up once all is settled. */
async function findGuesses(
  transaction: Transaction,
  book: DisputeBook,
  creditIds: ReadonlySet<string>,
): Promise<Guess[]> {
  const left = toCreditBalances(book).filter(
    ({ credit, cents, usedCents }) => creditIds.has(credit.id) && cents > usedCents,
  )
  const balances = new Map(toDisputeBalances(book).map((each) => [each.dispute.id, each]))
  for (const [supplier, credits] of groupBy(left, ({ credit }) => credit.supplier)) {
    const open = await readDisputes(transaction, {
      supplier,
      openCents: credits.flatMap(listFitting),
    })
    for (const each of toDisputeBalances(open)) balances.set(each.dispute.id, each)
  }
  return matchCredits(left, [...balances.values()].sort(inRaisedOrder)).guesses
}

function inRaisedOrder({ dispute: one }: DisputeBalance, { dispute: other }: DisputeBalance): number {
  const differing = (["at", "billNumber", "consignment", "id"] as const).find(
    (key) => one[key] !== other[key],
  )
  return differing === undefined || one[differing] > other[differing] ? 1 : -1
}

/** The steps of one settling round; empty once all is settled. Double closings are undone before anything is paid. */
export function reckonRound(book: DisputeBook, by: Writer): Matched & { steps: Step[] } {
  const balances = toDisputeBalances(book)
  const excess = balances.flatMap((balance) => takeExcess(balance, by))
  if (excess.length > 0) return { steps: excess, payments: [], guesses: [] }
  const matched = matchCredits(toCreditBalances(book), balances)
  return { ...matched, steps: toSteps(matched.payments, book, by) }
}

function takeExcess(balance: DisputeBalance, by: Writer): Step[] {
  const { dispute, steps } = balance
  return listExcess(balance).map(({ kind, cents }) => ({
    id: toId(dispute.id, kind, "closed twice", String(steps.length), String(cents)),
    ...{ disputeId: dispute.id, kind, amountCents: -cents, ...by, why: "closed in two ledgers" },
  }))
}

/** A payment of a denied or written-off amount undoes that first. */
export function toSteps(payments: readonly Payment[], { steps }: DisputeBook, by: Writer): Step[] {
  const counts = new Map<string, number>()
  for (const { disputeId } of steps) counts.set(disputeId, (counts.get(disputeId) ?? 0) + 1)
  return payments.flatMap(({ credit, dispute, cents, creditCents, reopened }): Step[] => {
    const before = counts.get(dispute.id) ?? 0
    counts.set(dispute.id, before + 1)
    const step = (kind: Step["kind"], amountCents: number, more: Partial<Step> = {}): Step => ({
      // Equal in two ledgers, so that merging them does not count it twice.
      id: toId(dispute.id, credit.id, kind, String(before), String(amountCents)),
      disputeId: dispute.id,
      kind,
      amountCents,
      ...by,
      ...more,
    })
    const why = `credited on ${nameBill(credit)}`
    return [
      ...(reopened.deniedCents > 0 ? [step("denied", -reopened.deniedCents, { why })] : []),
      ...(reopened.writtenOffCents > 0 ? [step("written-off", -reopened.writtenOffCents, { why })] : []),
      step("credited", cents, { creditId: credit.id, creditCents, why: nameBill(credit) }),
    ]
  })
}

/** `bill 4711`, or the file of a bill without a number. */
export function nameBill({ billNumber, file }: Pick<Credit, "billNumber" | "file">): string {
  return billNumber === "" ? file : `bill ${billNumber}`
}
