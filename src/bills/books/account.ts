/** The clearing account as the ledger has it: what stands there, what is to be moved, and a person's word that it was. */
import type { Database, Statements } from "../../ledger/database/database.ts"
import { type Credit, findCredits } from "../../ledger/records/disputes.ts"
import { addMoves, type Move, readMoves, readPostings } from "../../ledger/records/postings.ts"
import { readChosen, readStandings } from "../disputes/act.ts"
import { toId } from "../ids.ts"
import { type Author, writeAlone } from "../disputes/settle.ts"
import type { Standing } from "../disputes/standing.ts"
import { ClearingAccount, type ClearingBalance, listActive } from "./clearing.ts"

/** @param without ids of postings that are written anew */
export async function readAccount(
  statements: Statements,
  without: readonly string[] = [],
): Promise<ClearingAccount> {
  const active = listActive(await readPostings(statements)).filter(({ id }) => !without.includes(id))
  return new ClearingAccount(active, await readMoves(statements))
}

/**
 * What stands on the clearing account, in the order in which it was raised.
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
  const standings = (await readStandings(statements, ids)).sort(({ dispute: one }, { dispute: other }) =>
    one.at < other.at ? -1 : 1,
  )
  const creditIds = standings.flatMap(({ steps }) => steps.flatMap(({ creditId }) => creditId ?? []))
  const credits = new Map((await findCredits(statements, creditIds)).map((each) => [each.id, each]))
  return standings
    .map((standing) => account.reckon(standing, listCredits(standing, credits)))
    .filter(({ cents, toMove }) => cents !== 0 || toMove.length > 0)
}

function listCredits({ steps }: Standing, credits: ReadonlyMap<string, Credit>): Credit[] {
  const ids = new Set(steps.flatMap(({ creditId }) => creditId ?? []))
  return [...ids].flatMap((id) => credits.get(id) ?? [])
}

/**
 * Writes a person's word that what is to be moved for some disputes was moved in the books: once, from whatever desk.
 * @returns what was moved
 * @throws FreightError `notFound`; `usage` for a number of two bills
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
      moved.flatMap(({ standing: { dispute }, toMove }) =>
        toMove.map(
          ({ cents }, at): Move => ({
            // The same in two ledgers that are copied together.
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
