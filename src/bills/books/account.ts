/** The clearing account as the ledger has it: its balance, the transfers to make, and recording that they were made. */
import type { Database, Statements } from "../../ledger/index.ts"
import {
  addMoves,
  findPostings,
  findRaisedLater,
  type Move,
  type Posting,
  readMoves,
  readPostings,
} from "../records/postings.ts"
import { type Credit, findCredits } from "../records/disputes.ts"
import { readChosen, readStandings } from "../disputes/act.ts"
import { toId } from "../ids.ts"
import { type Author, nameBill, writeAlone } from "../disputes/settle.ts"
import { readOffBill } from "../pay/held.ts"
import type { DisputeBalance } from "../disputes/balance.ts"
import { ClearingAccount, type ClearingBalance, listActive, type ToMove } from "./clearing.ts"

/** @param without IDs of postings that are being replaced */
export async function readAccount(
  statements: Statements,
  without: readonly string[] = [],
): Promise<ClearingAccount> {
  const active = listActive(await readPostings(statements)).filter(({ id }) => !without.includes(id))
  const account = new ClearingAccount(active, await readMoves(statements))
  await addRaisedLater(statements, account, active)
  return account
}

/**
 * Adds disputes that were raised after their bill was posted, because the tolerance was larger then. The account of
 * their freight is not known.
 */
async function addRaisedLater(
  statements: Statements,
  account: ClearingAccount,
  active: readonly Posting[],
): Promise<void> {
  const unknown = (await findRaisedLater(statements)).filter(({ id }) => !account.hasPosting(id))
  if (unknown.length === 0) return
  const withAccounts = new Set(active.flatMap(({ id, accounts }) => (accounts ? id : [])))
  const postings = await findPostings(
    statements,
    unknown.map(({ billNumber }) => billNumber),
  )
  for (const { id, billNumber, supplier, consignment } of unknown) {
    // Another part of the bill may be posted later.
    const posting = postings.find(
      (each) =>
        each.billNumber === billNumber &&
        each.supplier === supplier &&
        withAccounts.has(each.id) &&
        each.content.some(({ name }) => name === consignment),
    )
    if (posting) account.addRaised(id, posting)
  }
}

/**
 * The balances of the clearing account, in the order in which the disputes were raised.
 * @param disputeIds of these only
 */
export async function readBalances(
  statements: Statements,
  disputeIds?: readonly string[],
): Promise<ClearingBalance[]> {
  if (disputeIds?.length === 0) return []
  const account = await readAccount(statements)
  const asked = disputeIds && new Set(disputeIds)
  const ids = account.disputeIds.filter((id) => !asked || asked.has(id))
  const disputeBalances = (await readStandings(statements, ids)).sort(
    ({ dispute: one }, { dispute: other }) => (one.at < other.at ? -1 : 1),
  )
  const creditIds = disputeBalances.flatMap(({ steps }) => steps.flatMap(({ creditId }) => creditId ?? []))
  const credits = new Map((await findCredits(statements, creditIds)).map((each) => [each.id, each]))
  const balances = disputeBalances
    .map((disputeBalance) => account.reckon(disputeBalance, listCredits(disputeBalance, credits)))
    .filter(({ cents, toMove }) => cents !== 0 || toMove.length > 0)
  return nameWithheld(statements, balances)
}

/** No money comes in for what was withheld: where that is known, it is a credit against its bill. */
async function nameWithheld(
  statements: Statements,
  balances: readonly ClearingBalance[],
): Promise<ClearingBalance[]> {
  const isPaid = ({ why }: ToMove) => why.is === "paid"
  if (!balances.some(({ toMove }) => toMove.some(isPaid))) return [...balances]
  const offBill = await readOffBill(statements)
  return balances.map((balance) => {
    const { dispute } = balance.disputeBalance
    const off = offBill.get(dispute.id)
    if (!off) return balance
    const why = { is: "withheld", ...off } as const
    const account = nameBill(dispute)
    return {
      ...balance,
      toMove: balance.toMove.map((each) => (isPaid(each) ? { ...each, account, why } : each)),
    }
  })
}

function listCredits({ steps }: DisputeBalance, credits: ReadonlyMap<string, Credit>): Credit[] {
  const ids = new Set(steps.flatMap(({ creditId }) => creditId ?? []))
  return [...ids].flatMap((id) => credits.get(id) ?? [])
}

/**
 * Records that a person made the transfers for some disputes: once, whichever workstation runs it.
 * @returns the transfers
 */
export function recordMoves(
  database: Database,
  names: readonly string[],
  why: string | undefined,
  author: Author,
): Promise<ClearingBalance[]> {
  return writeAlone(database, author, async (transaction, by) => {
    const chosen = (await readChosen(transaction, names)).map(({ dispute: { id } }) => id)
    const moved = (await readBalances(transaction, chosen)).filter(({ toMove }) => toMove.length > 0)
    const count = (await readMoves(transaction)).reduce(
      (counts, { disputeId }) => counts.set(disputeId, (counts.get(disputeId) ?? 0) + 1),
      new Map<string, number>(),
    )
    await addMoves(
      transaction,
      moved.flatMap(({ disputeBalance: { dispute }, toMove }) =>
        toMove.map(
          ({ cents }, at): Move => ({
            // Equal in two ledgers, so that merging them does not count it twice.
            id: toId("moved", dispute.id, String((count.get(dispute.id) ?? 0) + at), String(cents)),
            ...{ disputeId: dispute.id, amountCents: cents, ...by },
            ...(why !== undefined && { why }),
          }),
        ),
      ),
    )
    return moved
  })
}
