/** Keeps what an audit says to dispute and what carriers credit, once for each consignment and bill, and pays the one with the other. */
import { createHash } from "node:crypto"
import path from "node:path"
import { getAmount, getAskedCents, sumCharges } from "../audit/amounts.ts"
import type { AuditedConsignment } from "../audit/audit.ts"
import type { Bill, BillLine } from "../audit/bill.ts"
import { type Consignment, isNumberField } from "../audit/match.ts"
import { groupBy } from "../contract/grouping.ts"
import type { Database, Transaction } from "../ledger/database/database.ts"
import type { Sender } from "../ledger/entry.ts"
import {
  addDisputes,
  addSteps,
  type Credit,
  type Dispute,
  type DisputeBook,
  findCredits,
  findDisputes,
  readUnsettled,
  replaceCredits,
  type Step,
} from "../ledger/records/disputes.ts"
import { type Guess, listExcess, matchCredits, type Payment } from "./match.ts"
import { type CreditStanding, creditStandingsOf, type Standing, standingsOf } from "./standing.ts"

/** Who writes, and when: `day` is `yyyy-mm-dd`, `at` ISO 8601 in UTC. */
export interface Writer extends Sender {
  day: string
  at: string
}

/** What came of it. */
export interface Kept {
  raised: Dispute[]
  /** Raised before; `amountCents` is what this audit would have raised. */
  before: { dispute: Dispute; amountCents: number }[]
  payments: Payment[]
  guesses: Guess[]
  /** Credits of this audit of which something is left. */
  surplus: CreditStanding[]
}

const LOCK = "freight disputes"

/** Does all of it alone, and sees what others did before. */
export function alone<T>(database: Database, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.lock([LOCK])
    return work(transaction)
  })
}

/** @param isToRaise false keeps only credits, and what they pay */
export async function keepClaims(
  database: Database,
  audited: readonly AuditedConsignment[],
  by: Writer,
  isToRaise: boolean,
): Promise<Kept> {
  const drafts = isToRaise ? audited.flatMap((each) => listDisputes(each, by)) : []
  const credits = audited.flatMap((each) => listCredits(each, by))
  if (drafts.length + credits.length === 0)
    return { raised: [], before: [], payments: [], guesses: [], surplus: [] }
  return alone(database, async (transaction) => {
    const known = new Map(
      (
        await findDisputes(
          transaction,
          drafts.map(({ id }) => id),
        )
      ).map((each) => [each.id, each]),
    )
    const kept = new Map(
      (
        await findCredits(
          transaction,
          credits.map(({ id }) => id),
        )
      ).map((each) => [each.id, getAskedCents(each)]),
    )
    const raised = drafts.filter(({ id }) => !known.has(id))
    const before = drafts.flatMap(({ id, amountCents }) => {
      const dispute = known.get(id)
      return dispute ? [{ dispute, amountCents }] : []
    })
    await addDisputes(transaction, raised)
    await replaceCredits(
      transaction,
      credits.filter((each) => kept.get(each.id) !== getAskedCents(each)),
    )
    const { payments, guesses, book } = await settle(transaction, by)
    const own = new Set(credits.map(({ id }) => id))
    const surplus = creditStandingsOf(book).filter(
      ({ credit, cents, usedCents }) => own.has(credit.id) && cents > usedCents,
    )
    return { raised, before, payments, guesses: guesses.filter(({ credit }) => own.has(credit.id)), surplus }
  })
}

/** Settles what two ledgers say that were copied together. */
export async function settleDisputes(database: Database, by: Writer): Promise<void> {
  await alone(database, (transaction) => settle(transaction, by))
}

/** Pays until nothing can be paid: what is taken back may pay another. */
async function settle(transaction: Transaction, by: Writer) {
  const payments: Payment[] = []
  for (;;) {
    const book = await readUnsettled(transaction)
    const standings = standingsOf(book)
    const excess = standings.flatMap((standing) => takeExcess(standing, by))
    await addSteps(transaction, excess)
    if (excess.length > 0) continue
    const matched = matchCredits(creditStandingsOf(book), standings)
    if (matched.payments.length === 0) return { payments, guesses: matched.guesses, book }
    payments.push(...matched.payments)
    await addPayments(transaction, matched.payments, book, by)
  }
}

function takeExcess(standing: Standing, by: Writer): Step[] {
  const { dispute, steps } = standing
  return listExcess(standing).map(({ kind, cents }) => ({
    id: toId(dispute.id, kind, "closed twice", String(steps.length), String(cents)),
    ...{ disputeId: dispute.id, kind, amountCents: -cents, ...by, why: "closed in two ledgers" },
  }))
}

/** A payment of what was denied or written off takes that back first. */
export async function addPayments(
  transaction: Transaction,
  payments: readonly Payment[],
  { steps }: DisputeBook,
  by: Writer,
): Promise<Step[]> {
  const written = payments.flatMap(({ credit, dispute, cents, creditCents, reopened }): Step[] => {
    const before = steps.filter(({ disputeId }) => disputeId === dispute.id).length
    const step = (kind: Step["kind"], amountCents: number, more: Partial<Step> = {}): Step => ({
      // The same in two ledgers that are copied together.
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
  await addSteps(transaction, written)
  return written
}

/** `bill 4711`, or the file of one without a number. */
export function nameBill({ billNumber, file }: Pick<Credit, "billNumber" | "file">): string {
  return billNumber === "" ? file : `bill ${billNumber}`
}

export function toId(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)
}

/** What a consignment is disputed for, by bill. What several bills charge together is disputed with the last of them. */
function listDisputes({ consignment, charges, row }: AuditedConsignment, by: Writer): Dispute[] {
  const bills = [...groupBy(charges, ({ bill }) => bill)].toReversed()
  let left = Math.round(row.disputed * 100)
  return bills.flatMap(([bill, own]): Dispute[] => {
    const amountCents = Math.min(left, Math.max(0, getAmount(row.gst, sumCharges(own))))
    if (amountCents === 0) return []
    left -= amountCents
    return [
      {
        id: identifyOn("dispute", bill, consignment),
        ...ofBill(bill),
        ...ofConsignment({ consignment, row }),
        verdict: row.verdict,
        why: row.why,
        amountCents,
        gstBasis: row.gst,
        ...by,
      },
    ]
  })
}

function listCredits({ consignment, charges, row }: AuditedConsignment, by: Writer): Credit[] {
  return [...groupBy(charges, ({ bill }) => bill)].flatMap(([bill, own]): Credit[] => {
    const sum = sumCharges(own)
    if (getAskedCents(sum) >= 0) return []
    const { day: _, ...written } = by
    const give = (cents: number | null) => (cents === null ? null : -cents)
    return [
      {
        id: identifyOn("credit", bill, consignment),
        ...ofBill(bill),
        ...ofConsignment({ consignment, row }),
        exGst: give(sum.exGst),
        gst: give(sum.gst),
        incGst: give(sum.incGst),
        unsaid: give(sum.unsaid),
        ...written,
      },
    ]
  })
}

/** A bill without a number is known by its file's name. */
export function identify({ knownAs, supplier, number, file }: Bill): string[] {
  return number === "" ? ["", path.basename(file)] : [knownAs ?? supplier, number]
}

/** The id of what is disputed or credited for a consignment on a bill: the same whenever, and wherever, it is audited. */
export function identifyOn(kind: "dispute" | "credit", bill: Bill, consignment: Consignment): string {
  const { number, missing, named } = consignment
  if (number !== "" && missing !== "damaged") return toId(kind, ...identify(bill), number)
  const [line] = named.flatMap(({ lines }) => lines)
  const document = bill.number === "" && bill.index !== undefined ? [bill.index] : []
  return toId(kind, ...identify(bill), JSON.stringify([...document, number, line?.label ?? ""]))
}

function ofBill({ supplier, number, date, file }: BillLine["bill"]) {
  return { supplier, billNumber: number, billDate: date, file: path.basename(file) }
}

function ofConsignment({ consignment, row }: Pick<AuditedConsignment, "consignment" | "row">) {
  const named = consignment.named.flatMap(({ names }) => names).find(({ field }) => !isNumberField(field))
  return {
    consignment: row.consignment,
    shipmentId: row.shipmentId,
    reference: row.reference || (named?.text ?? ""),
    carrier: row.carrier,
  }
}
