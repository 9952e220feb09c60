/** What the ledger remembers of bills: which of them were audited before, and keeping those of this audit. */
import path from "node:path"
import { groupBy } from "../../base/grouping.ts"
import { formatCents } from "../../base/money.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import {
  type BilledBefore,
  findBills,
  type RememberedBill,
  rememberBilled,
  rememberBills,
} from "../../ledger/records/bills.ts"
import type { Statements, Transaction } from "../../ledger/database/database.ts"
import type { Ids } from "../../base/ports.ts"
import type { GstBasis } from "../../ledger/entry.ts"
import { type Money, getAmount, getAskedCents, getGstBasis, sumCharges } from "../money.ts"
import { type Bill, type BillLine, groupLastFirst, sumBill } from "../bill.ts"
import { type Consignment, shipmentIdOf } from "../matching/match.ts"

/** What identifies a bill beside its number. */
export function getBillAmount(amounts: Money) {
  return { cents: getAskedCents(amounts), gst: getGstBasis(amounts) }
}

/** A bill as the ledger keeps it. */
export interface KeptBill {
  readonly bill: Bill
  /** As it was spelled when the bill was audited first: what was disputed or credited on it is found again by that. */
  readonly supplier: string
  /** It was audited before with another amount. */
  readonly isChanged: boolean
}

export type KeptBills = ReadonlyMap<Bill, KeptBill>

interface EarlierAudit {
  before?: "again" | "changed"
  rememberedId: string
  /** When the bill was audited first, with any amount. */
  firstAt?: string
  /** Who audited it first, and when, where it always had this amount. */
  kept?: Pick<RememberedBill, "auditedAt" | "workstation" | "person">
}

/** What the ledger has of these bills. */
export interface EarlierAudits {
  of: Map<Bill, EarlierAudit>
  kept: Map<Bill, KeptBill>
  /** Remembered bills that are those of this audit, and so bill nothing before it. */
  same: Set<string>
  /** For people: which of them were audited before. */
  notes: string[]
  warnings: string[]
}

/** Finds which of the bills were audited before. */
export async function findEarlier(
  bills: readonly Bill[],
  statements: Statements,
  ids: Ids,
): Promise<EarlierAudits> {
  const earlier: EarlierAudits = {
    ...{ of: new Map(), kept: new Map(), same: new Set(), notes: [], warnings: [] },
  }
  const audited = bills.filter(({ skipped }) => skipped === undefined)
  const known = await findBills(statements, [...new Set(audited.map(({ number }) => number))])
  const byNumber = groupBy(known, ({ number }) => number)
  for (const bill of audited) {
    const { cents } = getBillAmount(sumBill(bill))
    const name = bill.number === "" ? bill.file : `bill ${bill.number}`
    const others = (byNumber.get(bill.number) ?? []).filter((other) => isSameBill(bill, other, cents))
    const again = findAgain(bill, others, cents)
    const [changed] = again ? [] : others
    for (const other of others) earlier.same.add(other.id)
    earlier.kept.set(
      bill,
      keptAs(
        bill,
        again,
        others.some(({ amountCents }) => amountCents !== cents),
      ),
    )
    earlier.of.set(bill, {
      ...(again ? { before: "again" } : changed && { before: "changed" }),
      rememberedId: again?.id ?? ids.uuid(),
      ...(others.length > 0 && { firstAt: others.map(({ auditedAt }) => auditedAt).sort()[0] }),
      ...(again && others.every(({ amountCents }) => amountCents === cents) && { kept: getWriter(again) }),
    })
    if (again)
      earlier.notes.push(
        `${name} was audited before, on ${formatInstant(again.auditedAt)} by ${again.person || "somebody"} at ${again.workstation}: it is audited again, and is not a second bill.`,
      )
    if (changed)
      earlier.warnings.push(
        `${name} was audited before with another amount: ${formatCents(changed.amountCents)} on ${formatInstant(changed.auditedAt)}, ${formatCents(cents)} now. Ask ${bill.supplier || "the carrier"} which of the two is right.`,
      )
  }
  return earlier
}

function getWriter({ auditedAt, workstation, person }: RememberedBill): NonNullable<EarlierAudit["kept"]> {
  return { auditedAt, workstation, person }
}

/** The remembered bill of the same amount: of the same supplier, or of another spelling of it. */
export function findAgain(
  { supplier }: Bill,
  same: readonly RememberedBill[],
  cents: number,
): RememberedBill | undefined {
  const again = same.filter(({ amountCents }) => amountCents === cents)
  return again.find((each) => each.supplier === supplier) ?? again[0]
}

/** @param again the same bill, as it was remembered */
export function keptAs(bill: Bill, again: RememberedBill | undefined, isChanged: boolean): KeptBill {
  return { bill, supplier: (bill.number !== "" && again?.supplier) || bill.supplier, isChanged }
}

/** The same number of the same supplier; another spelling of the supplier where the amount is the same too. */
function isSameBill(bill: Bill, other: RememberedBill, cents: number): boolean {
  if (bill.number === "") return other.amountCents === cents && other.file === path.basename(bill.file)
  return other.supplier === bill.supplier || other.amountCents === cents
}

/** Whether what a remembered bill charges came after a bill that was audited before, and so not before it. */
export function cameAfter({ of }: EarlierAudits, charged: BilledBefore, bill: Bill): boolean {
  const firstAt = of.get(bill)?.firstAt
  if (firstAt === undefined) return false
  if (charged.firstAuditedAt !== firstAt) return charged.firstAuditedAt > firstAt
  if (charged.date !== "" && bill.date !== "" && charged.date !== bill.date) return charged.date > bill.date
  return charged.number > bill.number
}

/** A consignment with its charges, and what is remembered of what the audit says. */
export interface Assessed {
  consignment: Consignment
  charges: readonly BillLine[]
  row: { verdict: string; disputed: number; gst: GstBasis }
}

/** Keeps the bills of this audit, all of them or none. @throws FreightError when the ledger cannot be written */
export async function rememberAudit(
  assessed: readonly Assessed[],
  bills: readonly Bill[],
  transaction: Transaction,
  earlier: EarlierAudits,
  by: Pick<RememberedBill, "workstation" | "person" | "scope">,
): Promise<void> {
  const now = new Date(await transaction.now()).toISOString()
  const idOf = (bill: Bill) => earlier.of.get(bill)?.rememberedId
  const remembered = bills.flatMap((bill): RememberedBill[] => {
    const id = idOf(bill)
    if (id === undefined || bill.lines.length === 0) return []
    const sums = sumBill(bill)
    const { cents, gst } = getBillAmount(sums)
    const { number, date, file } = bill
    const supplier = earlier.kept.get(bill)?.supplier ?? bill.supplier
    const amounts = { amountCents: cents, gstCents: sums.gst, gstBasis: gst }
    const written = { ...by, auditedAt: now, ...earlier.of.get(bill)?.kept }
    return [{ id, supplier, number, date, file: path.basename(file), ...amounts, ...written }]
  })
  const billed = assessed.flatMap(({ consignment, charges, row }) => {
    const { number } = consignment
    const shipmentId = shipmentIdOf(consignment)
    let left = Math.round(row.disputed * 100)
    return (number === "" ? [] : groupLastFirst(charges)).map(([bill, own]) => {
      const sums = sumCharges(own)
      const disputedCents = Math.min(left, Math.max(0, getAmount(row.gst, sums)))
      left -= disputedCents
      return {
        ...{ billId: idOf(bill) ?? "", consignment: number, shipmentId },
        ...sums,
        charges: [...new Set(own.map(({ charge }) => charge))],
        ...{ verdict: row.verdict, disputedCents },
      }
    })
  })
  await rememberBills(transaction, remembered)
  await rememberBilled(transaction, billed)
}
