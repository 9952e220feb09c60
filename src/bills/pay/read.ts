/** Reads the data for paying bills from the ledger. */
import { quoteBlanks } from "../../base/command-line.ts"
import { counted } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import { formatCents, toIncGst } from "../../base/money.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import type { Statements } from "../../ledger/index.ts"
import { findBills, findToDispute, readBills, type RememberedBill, type ToDispute } from "../records/bills.ts"
import { type Payment, readPayments } from "../records/payments.ts"
import { type Posting, readPostings } from "../records/postings.ts"
import { readDisputes } from "../records/disputes.ts"
import { listActive } from "../books/clearing.ts"
import { findTaxed } from "../disputes/letter-gst.ts"
import { nameDispute, splitGst, type DisputeBalance, toDisputeBalances } from "../disputes/balance.ts"
import { type BillDispute, type Objection, type PayableBill, toSupplierKey } from "./decide.ts"

interface BillRecords {
  /** Newest first. */
  audits: readonly RememberedBill[]
  /** The active ones, oldest first. */
  postings: readonly Posting[]
  payments: readonly Payment[]
  disputes: readonly DisputeBalance[]
}

/** All bills that were audited or posted, for {@link decidePayments}. */
export async function readPayableBills(statements: Statements): Promise<PayableBill[]> {
  const audits = await readBills(statements, false)
  const postings = listActive(await readPostings(statements))
  const payments = listActive(await readPayments(statements))
  const balances = toDisputeBalances(await readDisputes(statements))
  const taxedIds = await findTaxed(statements, balances)
  const toDispute = groupBy(
    await findToDispute(
      statements,
      audits.map(({ id }) => id),
    ),
    ({ billId }) => billId,
  )
  const all = groupRecords({ audits, postings, payments, disputes: balances })
  const changedAt = await readChangeTimes(statements, all)
  return all.map((records) => toPayableBill(records, { taxedIds, toDispute, changedAt }))
}

interface Known {
  taxedIds: ReadonlySet<string>
  toDispute: ReadonlyMap<string, readonly ToDispute[]>
  /** For bills that were audited with another amount than posted: when that amount was audited first. */
  changedAt: ReadonlyMap<string, string>
}

/** A bill that grows keeps the time of its first audit, and the lines of a corrected one that of the bill before. */
async function readChangeTimes(
  statements: Statements,
  all: readonly BillRecords[],
): Promise<ReadonlyMap<string, string>> {
  const differing = all.flatMap(({ audits: [audit], postings }) =>
    audit && postings.length > 0 && !isAsPosted(audit, postings) ? [audit.number] : [],
  )
  if (differing.length === 0) return new Map()
  const found = await findBills(statements, differing)
  return new Map(
    found.map(({ id, auditedAt, growth = [] }) => {
      const { at = auditedAt } = growth.at(-1) ?? {}
      return [id, at > auditedAt ? at : auditedAt]
    }),
  )
}

/** By supplier and number. A bill without a number belongs to the posting of its file. */
function groupRecords({ audits, postings, payments, disputes }: BillRecords): BillRecords[] {
  const toKey = (supplier: string, name: string) => JSON.stringify([toSupplierKey(supplier), name])
  const byFile = new Map(
    postings.map(({ supplier, file, billNumber }) => [toKey(supplier, file), billNumber]),
  )
  const nameOf = (supplier: string, number: string, file: string) =>
    toKey(supplier, number || byFile.get(toKey(supplier, file)) || `\n${file}`)
  const ofAudits = groupBy(audits, ({ supplier, number, file }) => nameOf(supplier, number, file))
  const ofPostings = groupBy(postings, ({ supplier, billNumber }) => toKey(supplier, billNumber))
  const ofPayments = groupBy(payments, ({ supplier, billNumber }) => toKey(supplier, billNumber))
  const ofDisputes = groupBy(disputes, ({ dispute: { supplier, billNumber, file } }) =>
    nameOf(supplier, billNumber, file),
  )
  const keys = new Set([...ofAudits.keys(), ...ofPostings.keys(), ...ofPayments.keys()])
  return Array.from(keys, (key) => ({
    audits: ofAudits.get(key) ?? [],
    postings: ofPostings.get(key) ?? [],
    payments: ofPayments.get(key) ?? [],
    disputes: ofDisputes.get(key) ?? [],
  }))
}

function toPayableBill(records: BillRecords, known: Known): PayableBill {
  const { taxedIds } = known
  const { audits, postings, payments } = records
  const [audit] = audits
  const [posting] = postings
  const postedGst = postings.reduce((sum, { gst }) => sum + gst, 0)
  const disputes = records.disputes.map(
    (balance): BillDispute => ({
      id: balance.dispute.id,
      name: nameDispute(balance.dispute),
      why: balance.dispute.why,
      at: balance.dispute.at,
      openCents: toGross(balance, Math.max(0, balance.openCents), taxedIds, posting && postedGst),
      creditedCents: toGross(balance, getCreditedByHand(balance), taxedIds, posting && postedGst) ?? 0,
    }),
  )
  const bill = {
    supplier: posting?.supplier ?? audit?.supplier ?? payments[0]?.supplier ?? "",
    billNumber: posting?.billNumber ?? audit?.number ?? payments[0]?.billNumber ?? "",
    file: posting?.file ?? audit?.file ?? "",
    billDate: posting?.billDate ?? audit?.date ?? "",
    due: postings.at(-1)?.due ?? "",
    askedCents: posting
      ? postings.reduce((sum, { exGst, gst }) => sum + exGst + gst, 0)
      : (payments.at(-1)?.asked ?? (audit && getAuditedCents(audit))),
  }
  return {
    ...bill,
    disputes,
    payments,
    objections: listObjections(bill, records, disputes, known),
  }
}

/** Cents of a dispute with GST; undefined if its GST basis is unknown. */
function toGross(
  { dispute }: DisputeBalance,
  cents: number,
  taxedIds: ReadonlySet<string>,
  postedGst: number | undefined,
): number | undefined {
  const own = splitGst(dispute, cents)
  if (cents === 0 || dispute.gstBasis === "included") return cents
  if (own) return own.exGst + own.gst
  if (postedGst === 0) return cents
  return dispute.gstBasis === "excluded" && taxedIds.has(dispute.id) ? toIncGst(cents) : undefined
}

/** Credited by the carrier without a bill. */
function getCreditedByHand({ steps }: DisputeBalance): number {
  const cents = steps.reduce(
    (sum, { kind, creditId, amountCents }) =>
      kind === "credited" && creditId === undefined ? sum + amountCents : sum,
    0,
  )
  return Math.max(0, cents)
}

/** A bill's audited amount with GST; undefined if unknown. */
function getAuditedCents({ amountCents, gstCents, gstBasis, doubt }: RememberedBill): number | undefined {
  if (doubt !== undefined || gstBasis === "unknown") return undefined
  if (gstBasis === "included") return amountCents
  return gstCents === null ? undefined : amountCents + gstCents
}

function listObjections(
  { billNumber, file, askedCents }: Pick<PayableBill, "billNumber" | "file" | "askedCents">,
  { audits, postings, payments, disputes: balances }: BillRecords,
  disputes: readonly BillDispute[],
  known: Known,
): Objection[] {
  const [audit] = audits
  const toDispute = (audit && known.toDispute.get(audit.id)) ?? []
  // A corrected or grown bill may have another file than the posted one.
  const name = quoteBlanks(audit?.file || file || billNumber)
  const raised = new Set(balances.map(({ dispute: { consignment } }) => consignment))
  const unraised = toDispute.filter(({ consignment }) => !raised.has(consignment))
  const unknown = disputes.filter(({ openCents }) => openCents === undefined)
  const changed = findChange(audits, postings, known.changedAt)
  const contradiction = findContradiction(audit, postings)
  const isPosted = postings.length > 0
  if (billNumber === "")
    return [{ kind: "no-number", why: `it has no number: freight post ${name} --number NUMBER` }]
  if (!isPosted && audit?.doubt !== undefined)
    return [
      {
        kind: "contradicted",
        why: `${withoutName(audit, audit.doubt)}; freight post ${name} says how to go on`,
      },
    ]
  if (!isPosted)
    return [
      {
        kind: "not-posted",
        why:
          payments.length > 0
            ? `it was paid, and it is not in the books now: freight post ${name}`
            : `it is not in the books yet: freight post ${name}`,
      },
    ]
  return [
    ...(contradiction === undefined ? [] : [{ kind: "contradicted" as const, why: contradiction }]),
    ...(changed === undefined ? [] : [{ kind: "changed" as const, why: `${changed}: freight post ${name}` }]),
    ...(unraised.length > 0 && (askedCents ?? 0) > 0
      ? [
          {
            kind: "not-raised" as const,
            why: `something of ${counted(unraised.length, "consignment")} is to be disputed and was not raised: freight audit ${name} --raise, or --less says how much is withheld`,
          },
        ]
      : []),
    ...(unknown.length > 0
      ? [
          {
            kind: "unknown-gst" as const,
            why: `it is not known whether GST is in the amount disputed for ${unknown.map((each) => each.name).join(", ")}: give the amount to withhold with --less`,
          },
        ]
      : []),
  ]
}

/** `it does not say how much GST is in it`, for `bill 4711 does not say …`: the reader has its name already. */
function withoutName({ number, file }: RememberedBill, doubt: string): string {
  const name = number === "" ? file : `bill ${number}`
  if (doubt.startsWith(`${name}: `)) return doubt.slice(name.length + 2)
  return doubt.startsWith(`${name} `) ? `it ${doubt.slice(name.length + 1)}` : doubt
}

/** A finding of an audit after posting. Earlier doubts were settled when it was posted. */
function findContradiction(
  audit: RememberedBill | undefined,
  postings: readonly Posting[],
): string | undefined {
  const { doubt, doubtAt = "" } = audit ?? {}
  const postedAt = postings.at(-1)?.at ?? ""
  if (!audit || doubt === undefined || doubtAt <= postedAt) return undefined
  return `${withoutName(audit, doubt)} (audited on ${formatInstant(doubtAt)}, after it was posted): ask the carrier which is right, and audit that bill`
}

/** The bill was audited with another amount since it was posted: it has grown, or was corrected. */
function findChange(
  audits: readonly RememberedBill[],
  postings: readonly Posting[],
  changedAt: Known["changedAt"],
): string | undefined {
  const [newest] = audits
  const postedAt = postings.at(-1)?.at ?? ""
  if (!newest || isAsPosted(newest, postings)) return undefined
  const at = changedAt.get(newest.id) ?? newest.auditedAt
  if (at <= postedAt) return undefined
  const before = audits.find(({ auditedAt }) => auditedAt <= postedAt)
  if (before && before !== newest && before.amountCents === newest.amountCents) return undefined
  const posted = audits.find((each) => each.gstBasis === newest.gstBasis && isAsPosted(each, postings))
  const then = posted?.amountCents ?? listPostedAmounts(newest, postings)[0]
  return `it was audited on ${formatInstant(at)} with ${formatCents(newest.amountCents)}, and posted with ${formatCents(then ?? 0)}`
}

function isAsPosted(audit: RememberedBill, postings: readonly Posting[]): boolean {
  return listPostedAmounts(audit, postings).includes(audit.amountCents)
}

/** The posted amount as an audit may have it: with GST, without it, or both if the basis is unknown. */
function listPostedAmounts({ gstBasis }: RememberedBill, postings: readonly Posting[]): number[] {
  const exGst = postings.reduce((sum, posting) => sum + posting.exGst, 0)
  const incGst = postings.reduce((sum, { gst }) => sum + gst, exGst)
  return gstBasis === "included" ? [incGst] : gstBasis === "unknown" ? [exGst, incGst] : [exGst]
}
