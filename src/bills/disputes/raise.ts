/**
 * Keeps an audit's disputes and the carriers' credits, once for each consignment and bill, and pays the disputes with
 * the credits.
 */
import { getChargedCents } from "../money.ts"
import { type Audit, type AuditedConsignment, judgeBills, type PreparedAudit } from "../audit/audit.ts"
import type { KeptBill } from "../audit/remember.ts"
import { type Database, plainName, type Transaction } from "../../ledger/index.ts"
import {
  addDisputes,
  addSteps,
  type Credit,
  type Dispute,
  type DisputeBook,
  readDisputes,
  replaceCredits,
} from "../records/disputes.ts"
import {
  type Claim,
  grossUp,
  identifyOn,
  indexEntries,
  indexUnused,
  isOnBill,
  listCredits,
  listLaterCredits,
  nameCarriers,
  toClaim,
} from "./claim.ts"
import { keepLinks } from "./keep-links.ts"
import { groupBy } from "../../base/grouping.ts"
import { toLaterCreditId } from "../ids.ts"
import type { Guess, Payment } from "./match.ts"
import { findSelfBilled, getRaisedCents, toSecondId, withdraw } from "./self-billed.ts"
import { type Author, settle, writeAlone, type Writer } from "./settle.ts"
import {
  type CreditBalance,
  toCreditBalances,
  isOpen,
  type DisputeBalance,
  toDisputeBalances,
} from "./balance.ts"

export interface RecordedAudit {
  raised: Dispute[]
  /** Disputes that were raised against their own bill before, and are written off now. */
  mistaken: DisputeBalance[]
  /** The same, but still to be written off by an audit that raises disputes and can tell. */
  selfBilled: DisputeBalance[]
  /** Raised before; `amountCents` is what this audit would have raised. */
  before: { balance: DisputeBalance; amountCents: number }[]
  payments: Payment[]
  guesses: Guess[]
  /** Credits of this audit with an unused part. */
  surplus: CreditBalance[]
  /** Open disputes of corrected bills that would not be disputed now. */
  gone: DisputeBalance[]
  /** The same for numbers that a person linked to a shipment. */
  linked: DisputeBalance[]
  /** Credits of bills whose correction does not name their consignments: they still count. */
  missing: Credit[]
}

const NOTHING: RecordedAudit = {
  ...{
    raised: [],
    mistaken: [],
    selfBilled: [],
    before: [],
    payments: [],
    guesses: [],
    surplus: [],
    gone: [],
    linked: [],
    missing: [],
  },
}

/**
 * Judges and remembers bills and raises disputes in one exclusive transaction: a bill that another workstation audits
 * at the same time is judged before or after, never in between.
 * @param isToRaise false keeps only credits and their payments
 */
export function recordAudit(
  database: Database,
  prepared: PreparedAudit,
  author: Author & { scope: string },
  isToRaise: boolean,
): Promise<{ audit: Audit; kept: RecordedAudit }> {
  return writeAlone(database, author, async (transaction, { scope, ...by }) => {
    const { workstation, person } = by
    const audit = await judgeBills(prepared, transaction)
    await audit.remember(transaction, { workstation, person, scope })
    await keepLinks(transaction, prepared.links, by)
    return { audit, kept: await keepClaims(transaction, audit, by, isToRaise) }
  })
}

async function keepClaims(
  transaction: Transaction,
  audit: Audit,
  by: Writer,
  isToRaise: boolean,
): Promise<RecordedAudit> {
  const { kept } = audit
  const audited = nameCarriers(audit.consignments)
  const whole = audited.flatMap((each) => listCredits(each, by, kept))
  const bills = [...kept.values()].filter(({ bill, isOutdated }) => bill.lines.length > 0 && !isOutdated)
  const numbers = bills.map(({ bill }) => bill.number)
  let known = await readDisputes(transaction, { billNumbers: numbers })
  const isNothingToRaise = !isToRaise || audited.every(({ row }) => row.disputed <= 0)
  if (whole.length + known.disputes.length + known.credits.length === 0 && isNothingToRaise) return NOTHING
  const own = toDisputeBalances(known).filter(({ dispute }) => bills.some((bill) => isOnBill(dispute, bill)))
  const unclear = listUnclear(audited, bills)
  const selfBilled = await findSelfBilled(transaction, own)
  // Where this audit cannot tell, the dispute may be partly right.
  const mistaken = isToRaise ? selfBilled.filter(({ dispute }) => !unclear.has(dispute.id)) : []
  if (mistaken.length > 0) {
    await addSteps(
      transaction,
      mistaken.map((each) => withdraw(each, by)),
    )
    known = await readDisputes(transaction, { billNumbers: numbers })
  }
  const credits = [...whole, ...audited.flatMap((each) => listLaterCredits(each, by, kept, known))]
  const creditedBefore = new Map(known.credits.map((each) => [each.id, getChargedCents(each)]))
  const { withdrawn, missing } = findWithdrawn(audited, credits, known, bills)
  await replaceCredits(transaction, [
    ...credits.filter((each) => creditedBefore.get(each.id) !== getChargedCents(each)),
    ...withdrawn.map((credit) => clearCredit(credit, by)),
  ])
  const ownCredits = new Set(credits.map(({ id }) => id))
  const first = await settle(transaction, by, ownCredits)
  const findUnused = indexUnused(toCreditBalances(first.book))
  const findEntries = indexEntries(audited)
  const claims = audited
    .map((each) => toClaim(grossUp(each, findUnused(each), audit), by, kept, findEntries))
    .filter(({ cents }) => cents > 0)
  const { raised, before } = isToRaise ? divideClaims(claims, known) : { raised: [], before: [] }
  await addDisputes(transaction, raised)
  const { payments, guesses, book } =
    raised.length > 0 ? await settle(transaction, by, ownCredits) : { ...first, payments: [] }
  const surplus = toCreditBalances(book).filter(
    ({ credit, cents, usedCents }) => ownCredits.has(credit.id) && cents > usedCents,
  )
  return {
    ...{
      raised,
      mistaken,
      selfBilled: selfBilled.filter((each) => !mistaken.includes(each)),
      before,
      payments: [...first.payments, ...payments],
      surplus,
      missing,
    },
    guesses,
    ...findGone(claims, listUnpaid(known, first.payments), bills, unclear, listLinked(audited)),
  }
}

/** Raises what was not raised before, on any of the bills. */
function divideClaims(
  claims: readonly Claim[],
  known: DisputeBook,
): Pick<RecordedAudit, "raised" | "before"> {
  const balances = new Map(toDisputeBalances(known).map((each) => [each.dispute.id, each]))
  const divided = claims.map(({ cents, on }): Pick<RecordedAudit, "raised" | "before"> => {
    const before = on
      .flatMap(({ id }) => [balances.get(id) ?? [], balances.get(toSecondId(id)) ?? []].flat())
      .filter((balance) => getRaisedCents(balance) > 0)
    let left = cents - before.reduce((sum, balance) => sum + getRaisedCents(balance), 0)
    const raised = on.flatMap(({ findGst, ...draft }): Dispute[] => {
      const amountCents = Math.min(left, draft.amountCents)
      const first = balances.get(draft.id)
      const isMistaken = first !== undefined && getRaisedCents(first) < first.dispute.amountCents
      const id = isMistaken ? toSecondId(draft.id) : draft.id
      if (balances.has(id) || amountCents <= 0) return []
      left -= amountCents
      const gstCents = findGst(amountCents)
      return [{ ...draft, id, amountCents, ...(gstCents !== undefined && { gstCents }) }]
    })
    return {
      raised,
      before: before.map((balance, at) => ({
        balance,
        amountCents: getRaisedCents(balance) + (at === 0 ? left : 0),
      })),
    }
  })
  return {
    raised: divided.flatMap((each) => each.raised),
    before: divided.flatMap((each) => each.before),
  }
}

/** Credits that these bills had in an earlier audit, and no longer have. */
function findWithdrawn(
  audited: readonly AuditedConsignment[],
  credits: readonly Credit[],
  known: DisputeBook,
  bills: readonly KeptBill[],
): { withdrawn: Credit[]; missing: Credit[] } {
  const given = new Set(credits.map(({ id }) => id))
  const open = known.credits.filter((each) => !given.has(each.id) && getChargedCents(each) !== 0)
  if (open.length === 0) return { withdrawn: [], missing: [] }
  const named = new Set(
    audited.flatMap(({ consignment, charges }) => {
      const own = new Set(charges.map(({ bill }) => bill))
      return bills.filter(({ bill }) => own.has(bill)).map((each) => identifyOn("credit", each, consignment))
    }),
  )
  const later = new Set(known.disputes.map(({ id }) => toLaterCreditId(id)))
  // A bill that has grown still has its earlier credits.
  const isMissingOn = (each: Credit) =>
    bills.some(
      (bill) => bill.isChanged && isOnBill(each, bill) && !(bill.added !== undefined && later.has(each.id)),
    )
  return {
    withdrawn: open.filter(({ id }) => named.has(id)),
    missing: open.filter((each) => !named.has(each.id) && isMissingOn(each)),
  }
}

/** The disputes as they were before these payments. */
function listUnpaid(known: DisputeBook, payments: readonly Payment[]): DisputeBalance[] {
  const paid = groupBy(payments, ({ dispute }) => dispute.id)
  return toDisputeBalances(known).filter(({ dispute, openCents }) => {
    const cents = (paid.get(dispute.id) ?? []).reduce((sum, each) => sum + each.cents, 0)
    return cents === 0 || cents < openCents
  })
}

function clearCredit(credit: Credit, { workstation, person, at }: Writer): Credit {
  const none = (cents: number | null) => (cents === null ? null : 0)
  const { exGst, gst, incGst, unspecifiedGstCents } = credit
  return {
    ...credit,
    ...{
      exGst: none(exGst),
      gst: none(gst),
      incGst: none(incGst),
      unspecifiedGstCents: none(unspecifiedGstCents),
    },
    ...{ workstation, person, at },
  }
}

/** Open amounts on corrected bills, or for numbers that are linked now, that would not be disputed now. */
function findGone(
  claims: readonly Claim[],
  known: readonly DisputeBalance[],
  bills: readonly KeptBill[],
  unclear: ReadonlySet<string>,
  linkedNames: ReadonlySet<string>,
): Pick<RecordedAudit, "gone" | "linked"> {
  const isLinked = ({ dispute }: DisputeBalance) => linkedNames.has(plainName(dispute.consignment))
  const open = known.filter(
    (each) =>
      isOpen(each) &&
      bills.some((bill) => (bill.isChanged || isLinked(each)) && isOnBill(each.dispute, bill)),
  )
  if (open.length === 0) return { gone: [], linked: [] }
  const disputed = [...claims.flatMap(({ on }) => on.map(({ id }) => id)), ...unclear]
  const ids = new Set(disputed.flatMap((id) => [id, toSecondId(id)]))
  const gone = open.filter(({ dispute }) => !ids.has(dispute.id))
  return { gone: gone.filter((each) => !isLinked(each)), linked: gone.filter(isLinked) }
}

/** The plain numbers that a person linked to shipments. */
function listLinked(audited: readonly AuditedConsignment[]): Set<string> {
  const linked = audited.flatMap(({ consignment }) => consignment.named).filter(({ link }) => link)
  return new Set(linked.flatMap(({ names }) => names.map(({ text }) => plainName(text))))
}

/** The IDs of disputes that this audit cannot decide. */
function listUnclear(audited: readonly AuditedConsignment[], bills: readonly KeptBill[]): Set<string> {
  const unclear = audited.filter(({ row }) => row.verdict === "cannot-tell" && row.billed > 0)
  return new Set(
    unclear.flatMap(({ consignment }) => bills.map((bill) => identifyOn("dispute", bill, consignment))),
  )
}
