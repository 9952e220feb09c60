/** What the ledger knows of the clearing account: what postings brought there, credits took back, and a person moved. */
import { FreightError } from "../../base/errors.ts"
import { formatMoney, amountOf } from "../../base/money.ts"
import { groupBy } from "../../base/grouping.ts"
import { quoted } from "../../base/parsed.ts"
import type { Database, Statements, Transaction } from "../../ledger/database/database.ts"
import type { Sender } from "../../ledger/entry.ts"
import {
  type Credit,
  type Dispute,
  findCredits,
  findDisputes,
  findSteps,
} from "../../ledger/records/disputes.ts"
import {
  addMoves,
  addPostings,
  findMoves,
  findPostings,
  findPostingsIn,
  type Posting,
  readCleared,
  readPostedBills,
} from "../../ledger/records/postings.ts"
import { BASIS } from "../audit/report.ts"
import { readChosen } from "../disputes/act.ts"
import { toId } from "../disputes/ids.ts"
import { type Author, nameBill, writeAlone } from "../disputes/settle.ts"
import { type Standing, standingsOf } from "../disputes/standing.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import { type Cleared, reckonOn } from "./clearing.ts"
import type { Posted } from "./post.ts"

/** A dispute whose bill was posted, with what stands on the clearing account for it: cents on the dispute's basis. */
export interface OnClearing {
  standing: Standing
  posting: Posting
  cents: number
  /** What of it is to be moved to `account`; negative where as much is to be moved from there. */
  toMoveCents: number
  /** The clearing account, and the one of the freight itself; empty where an earlier freight posted the bill. */
  clearing: string
  account: string
}

/** @param disputeIds of some; of all that ever went there where they are left out */
export async function readClearing(
  statements: Statements,
  disputeIds?: readonly string[],
): Promise<OnClearing[]> {
  const disputes = await findDisputes(statements, disputeIds ?? (await readCleared(statements)))
  const cleared = await findCleared(statements, disputes)
  const ids = [...cleared.keys()]
  const steps = await findSteps(statements, ids)
  const credits = await findCredits(statements, [...new Set(steps.flatMap(({ creditId }) => creditId ?? []))])
  const postedAt = await findPostedAt(statements, credits)
  const moves = groupBy(await findMoves(statements, ids), ({ disputeId }) => disputeId)
  return standingsOf({ disputes, steps }).flatMap((standing): OnClearing[] => {
    const { id } = standing.dispute
    const own = cleared.get(id)
    if (!own) return []
    // What was moved before belongs to what was not imported.
    const since = (moves.get(id) ?? []).filter(({ at }) => at > own.at)
    const moved = since.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const charge = own.posting.content.find(({ of }) => of === id)
    return [
      {
        ...{ standing, posting: own.posting },
        ...reckonOn(own, standing, (creditId) => postedAt.get(creditId), moved),
        ...{ clearing: charge?.clearing ?? "", account: charge?.account ?? "" },
      },
    ]
  })
}

/**
 * Writes down that a person moved in the books what is to be moved for disputes.
 * @param names as `readDisputesCalled` takes them
 * @returns those of which something was to be moved, as they were
 * @throws FreightError `notFound` for a name of no dispute
 */
export function writeMoved(
  database: Database,
  names: readonly string[],
  why: string | undefined,
  author: Author,
): Promise<OnClearing[]> {
  return writeAlone(database, author, async (transaction, by) => {
    const chosen = await readChosen(transaction, names)
    const all = await readClearing(
      transaction,
      chosen.map(({ dispute }) => dispute.id),
    )
    const due = all.filter(({ toMoveCents }) => toMoveCents !== 0)
    const before = await findMoves(
      transaction,
      due.map(({ standing }) => standing.dispute.id),
    )
    await addMoves(
      transaction,
      due.map(({ standing: { dispute }, toMoveCents }) => ({
        id: toId(
          "moved",
          dispute.id,
          String(before.filter(({ disputeId }) => disputeId === dispute.id).length),
        ),
        ...{ disputeId: dispute.id, amountCents: toMoveCents, ...by, ...(why !== undefined && { why }) },
      })),
    )
    return due
  })
}

/**
 * Writes down that the file of a bill was not imported: then it is as if it had never been posted.
 * @param name its number, the name of its file, or the supplier before either
 * @returns what was taken back, and whether that was now
 * @throws FreightError `notFound`; `usage` for a name of several bills; `refused` where a credit was posted since that took
 *   something of it back from the clearing account
 */
export function undoPosting(database: Database, name: string, why: string, sender: Sender): Promise<Posted> {
  return writeAlone(database, sender, async (transaction, by) => {
    const asked = (await readPostedBills(transaction)).filter(({ supplier, billNumber, file }) =>
      [billNumber, file, `${supplier} ${billNumber}`, `${supplier} ${file}`].includes(name),
    )
    const [bill, another] = asked
    if (!bill)
      throw new FreightError("notFound", `no bill ${quoted(name)} was posted`, {
        hint: "Give its number as it was posted, or the name of its file.",
      })
    if (another)
      throw new FreightError("usage", `${quoted(name)} is a bill of several suppliers`, {
        hint: `Give the supplier with it: ${asked.map((each) => `"${each.supplier} ${each.billNumber || each.file}"`).join(", ")}.`,
      })
    const [posting, ...older] = (await findPostings(transaction, [bill.billNumber]))
      .filter(({ supplier }) => supplier === bill.supplier)
      .sort((one, other) => (one.at < other.at ? 1 : -1)) as [Posting, ...Posting[]]
    if (posting.undone !== undefined) return { posting, isNew: false }
    await refuseTakenBack(transaction, posting)
    const id = toId("posting", posting.supplier, posting.billNumber, String(older.length + 1))
    const undone = { ...posting, ...by, id, undone: why }
    await addPostings(transaction, [undone])
    return { posting: undone, isNew: true }
  })
}

async function refuseTakenBack(
  transaction: Transaction,
  { at, cleared, billNumber }: Posting,
): Promise<void> {
  const ids = Object.keys(cleared)
  const steps = await findSteps(transaction, ids)
  const credits = await findCredits(transaction, [
    ...new Set(steps.flatMap(({ creditId }) => creditId ?? [])),
  ])
  const postedAt = await findPostedAt(transaction, credits)
  const taken = credits.find(({ id }) => (postedAt.get(id) ?? "") > at)
  if (taken)
    throw new FreightError(
      "refused",
      `a credit of ${nameBill(taken)} was posted since, which takes back from the clearing account what bill ${billNumber} brought there`,
      {
        hint: "Take that one back first, if it was not imported either. Nothing was written.",
      },
    )
}

/** `AUD 6.00 with GST from 650 to 429` */
export function describeMove(each: OnClearing): string {
  const { from, to } = getWay(each)
  const amount = formatMoney(amountOf(Math.abs(each.toMoveCents)), BILL_CURRENCY)
  return `${amount} ${BASIS[each.standing.dispute.gstBasis]} from ${from} to ${to}`
}

function getWay({ standing, toMoveCents, clearing, account }: OnClearing): { from: string; to: string } {
  const [own, other] = [clearing || "the clearing account", getOther(standing, account)]
  return toMoveCents > 0 ? { from: own, to: other } : { from: other, to: own }
}

export type ClearingRow = ReturnType<typeof toClearingRow>

export function toClearingRow(each: OnClearing) {
  const { dispute, state } = each.standing
  return {
    id: dispute.id,
    bill: dispute.billNumber || dispute.file,
    supplier: dispute.supplier,
    consignment: dispute.consignment,
    postedOn: each.posting.at.slice(0, 10),
    state,
    /** What stands on the clearing account. */
    stands: amountOf(each.cents),
    /** What of it is to be moved; negative where as much goes there. */
    toMove: amountOf(each.toMoveCents),
    ...(each.toMoveCents === 0 ? { from: "", to: "" } : getWay(each)),
    gst: dispute.gstBasis,
    currency: BILL_CURRENCY,
  }
}

/** What the carrier paid otherwise than by a bill is where it came in. */
function getOther({ steps }: Standing, account: string): string {
  const last = steps.findLast(({ amountCents }) => amountCents > 0)
  return last?.kind === "credited" && last.creditId === undefined
    ? "where the carrier's money came in"
    : account || "the account of its freight"
}

/** What the bills of disputes brought to the clearing account, by the disputes' ids. */
export async function findCleared(
  statements: Statements,
  disputes: readonly Dispute[],
): Promise<Map<string, Cleared & { posting: Posting }>> {
  const asked = new Set(disputes.map(({ id }) => id))
  return new Map(
    (await findNewest(statements, disputes)).flatMap((posting) =>
      Object.entries(posting.cleared).flatMap(([id, cents]) =>
        asked.has(id) ? [[id, { cents, at: posting.at, posting }] as const] : [],
      ),
    ),
  )
}

/** When the bills of credits were posted, by the credits' ids. */
async function findPostedAt(
  statements: Statements,
  credits: readonly Credit[],
): Promise<ReadonlyMap<string, string>> {
  const postings = await findNewest(statements, credits)
  return new Map(
    credits.flatMap(({ id, supplier, billNumber, billDate, file }) => {
      const own = postings.filter((each) => each.supplier === supplier)
      // A person may have given another number; and the next bill may have the file's name.
      const posting =
        own.find((each) => billNumber !== "" && each.billNumber === billNumber) ??
        own.find((each) => each.file === file && each.billDate === billDate)
      return posting ? [[id, posting.at] as const] : []
    }),
  )
}

/** Of each bill the newest posting, which is the one that was imported; none where that was taken back. The oldest first. */
async function findNewest(
  statements: Statements,
  bills: readonly Pick<Dispute, "billNumber" | "file">[],
): Promise<Posting[]> {
  const postings = [
    ...(await findPostings(
      statements,
      bills.map(({ billNumber }) => billNumber),
    )),
    ...(await findPostingsIn(
      statements,
      bills.map(({ file }) => file),
    )),
  ]
  const ofBill = groupBy(postings, ({ supplier, billNumber }) => JSON.stringify([supplier, billNumber]))
  return Array.from(ofBill.values(), ([first, ...others]) =>
    others.reduce((one, other) => (other.at > one.at ? other : one), first as Posting),
  )
    .filter(({ undone }) => undone === undefined)
    .sort((one, other) => (one.at < other.at ? -1 : 1))
}
