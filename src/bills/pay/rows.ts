/** Amounts to pay and payments, for tables and JSON. */
import { amountOf, formatMoney } from "../../base/money.ts"
import type { CentsByName } from "../records/payments.ts"
import { type Column, money } from "../../output/index.ts"
import type { StatementRow } from "../statement/compare.ts"
import { BILL_CURRENCY, formatVerdict } from "../verdicts.ts"
import { type Decision, getOwedCents, sumCents } from "./decide.ts"
import type { Paid } from "./record.ts"

export type ToPayRow = ReturnType<typeof toPayRow>

/**
 * A bill on the list. Amounts are with GST: asked = paid + set off before + credited + withheld + set off + to pay.
 * @param stated what a statement says of it
 */
export function toPayRow(decision: Decision, stated?: StatementRow) {
  const { bill, askedCents, paidCents, settledCents, withheld, credited, setOff, toPayCents, leftCents } =
    decision
  const nameById = new Map(bill.disputes.map(({ id, name, why }) => [id, { name, why }]))
  return {
    billNumber: bill.billNumber,
    supplier: bill.supplier || null,
    billDate: bill.billDate || null,
    /** Due date; null if an older version of freight posted it. */
    due: bill.due || null,
    /** Negative for a bill with a negative total. */
    asked: amountOf(askedCents),
    paidBefore: amountOf(paidCents),
    /** Set off or credited before. */
    settledBefore: amountOf(settledCents),
    /** Disputed and open. */
    withheld: amountOf(sumCents(withheld)),
    /** Credited by the carrier without a bill. */
    credited: amountOf(sumCents(credited)),
    /** Paid by the supplier's bills with negative totals. */
    setOff: amountOf(sumCents(setOff)),
    toPay: amountOf(toPayCents),
    /** For a bill with a negative total: the part not used for other bills yet. */
    creditLeft: amountOf(leftCents),
    currency: BILL_CURRENCY,
    disputes: Object.entries(withheld).map(([id, cents]) => ({
      id,
      consignmentNumber: nameById.get(id)?.name ?? null,
      why: nameById.get(id)?.why ?? null,
      withheld: amountOf(cents),
    })),
    setOffBills: listBills(setOff),
    ...toStated(stated),
  }
}

/** Null if no statement was read, or it does not have the bill. */
function toStated(row: StatementRow | undefined) {
  return {
    /** As `freight audit --statement` has it. */
    statement: row?.state ?? null,
    /** The amount in the statement. */
    statementAmount: row ? amountOf(row.line.cents) : null,
  }
}

function listBills(setOff: CentsByName) {
  return Object.entries(setOff).map(([billNumber, cents]) => ({ billNumber, amount: amountOf(cents) }))
}

type Amount = "paidBefore" | "settledBefore" | "withheld" | "credited" | "setOff" | "creditLeft"

/** Zero is empty in a table. */
const orNothing = <Key extends Amount>(key: Key) => ({
  ...money(key),
  show: (row: Record<Key, number>) => (row[key] === 0 ? "" : formatMoney(row[key], "").trim()),
})

const STATEMENT: Column<ToPayRow> = {
  key: "statement",
  title: "STATEMENT",
  rank: 4,
  hidden: true,
  show: ({ statement }) => (statement === null ? "" : formatVerdict(statement)),
}

export const TO_PAY_COLUMNS: readonly Column<ToPayRow>[] = [
  { key: "due", title: "DUE", rank: 2, gives: "nothing" },
  { key: "bill", title: "BILL", rank: 1, gives: "nothing", value: ({ billNumber }) => billNumber },
  { key: "supplier", title: "SUPPLIER", rank: 5 },
  { ...money("asked"), title: "ASKED FOR", rank: 4 },
  { ...orNothing("paidBefore"), title: "PAID", rank: 8 },
  { ...orNothing("withheld"), title: "DISPUTED", rank: 6 },
  { ...orNothing("setOff"), title: "SET OFF", rank: 7 },
  { ...money("toPay"), title: "TO PAY", rank: 3 },
  { ...orNothing("creditLeft"), title: "CREDIT LEFT", rank: 9 },
  STATEMENT,
  { ...orNothing("credited"), title: "CREDITED", hidden: true },
  { ...orNothing("settledBefore"), title: "SET OFF BEFORE", hidden: true },
  { key: "billDate", title: "BILL DATE", hidden: true },
  { key: "currency", title: "CURRENCY", hidden: true },
]

export const WITH_STATEMENT_COLUMNS: readonly Column<ToPayRow>[] = TO_PAY_COLUMNS.map((column) =>
  column === STATEMENT ? { ...STATEMENT, hidden: false } : column,
)

export type UnpayableRow = ReturnType<typeof toUnpayableRow>

export function toUnpayableRow({ bill, askedCents, paidCents }: Decision, stated?: StatementRow) {
  return {
    billNumber: bill.billNumber || null,
    file: bill.file || null,
    supplier: bill.supplier || null,
    billDate: bill.billDate || null,
    due: bill.due || null,
    /** With GST; null if unknown. */
    asked: bill.askedCents === undefined ? null : amountOf(askedCents),
    paidBefore: amountOf(paidCents),
    currency: BILL_CURRENCY,
    reasons: bill.objections.map(({ kind, why }) => ({ reason: kind, why })),
    ...toStated(stated),
  }
}

export type PaidRow = ReturnType<typeof toPaidRow>

export function toPaidRow({ payment, isNew }: Paid) {
  const { supplier, billNumber, part, asked, paid, withheld, setOff, credited, day, isElsewhere } = payment
  return {
    billNumber,
    supplier: supplier || null,
    /** 2 or more for later payments. */
    part,
    paidOn: day,
    asked: amountOf(asked),
    paid: amountOf(paid),
    withheld: amountOf(sumCents(withheld)),
    setOff: amountOf(sumCents(setOff)),
    credited: amountOf(sumCents(credited)),
    currency: BILL_CURRENCY,
    disputes: Object.entries(withheld).map(([id, cents]) => ({ id, withheld: amountOf(cents) })),
    setOffBills: listBills(setOff),
    /** Paid without freight. */
    elsewhere: isElsewhere,
    approvedBy: payment.approvedBy ?? null,
    /** False if it was recorded before. */
    isNew,
    /** Why it was undone; null if it was not. */
    undone: payment.undone ?? null,
    recordedAt: payment.at,
    workstation: payment.workstation || null,
    person: payment.person || null,
  }
}

export const PAID_COLUMNS: readonly Column<PaidRow>[] = [
  { key: "bill", title: "BILL", rank: 1, gives: "nothing", value: ({ billNumber }) => billNumber },
  { key: "supplier", title: "SUPPLIER", rank: 7 },
  { key: "paidOn", title: "PAID ON", rank: 4, gives: "nothing" },
  { ...money("asked"), title: "ASKED FOR", rank: 6 },
  { ...money("paid"), title: "PAID", rank: 2 },
  { ...money("withheld"), title: "WITHHELD", rank: 5 },
  { ...money("setOff"), title: "SET OFF", rank: 8 },
  {
    key: "isNew",
    title: "RECORDED",
    rank: 3,
    show: ({ isNew, undone }) => (undone === null ? (isNew ? "now" : "before") : "undone"),
  },
  { ...money("credited"), title: "CREDITED", hidden: true },
  { key: "part", title: "PART", hidden: true },
  { key: "elsewhere", title: "ELSEWHERE", hidden: true },
  { key: "approvedBy", title: "APPROVED BY", hidden: true },
  { key: "undone", title: "UNDONE", hidden: true },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "recordedAt", title: "RECORDED AT", hidden: true },
  { key: "workstation", title: "DESK", hidden: true },
  { key: "person", title: "PERSON", hidden: true },
]

/** The list shows amounts to pay or set off, withheld amounts, and unused credits. */
export function isListed({ bill, toPayCents, setOff, withheld, leftCents }: Decision): boolean {
  if (bill.objections.length > 0) return false
  return toPayCents > 0 || leftCents > 0 || sumCents(setOff) > 0 || sumCents(withheld) > 0
}

/** Unpaid, and may not be paid. */
export function isUnpayable({ bill, toPayCents }: Decision): boolean {
  if (bill.objections.length === 0) return false
  return toPayCents > 0 || bill.askedCents === undefined
}

/** A credit that is not set off against others, as its bill may not be used yet. */
export function isCreditApart(decision: Decision): boolean {
  const { askedCents, objections } = decision.bill
  return objections.length > 0 && askedCents !== undefined && getOwedCents(decision) < 0
}

export function isToPay({ bill, toPayCents, setOff }: Decision): boolean {
  return bill.objections.length === 0 && (toPayCents > 0 || sumCents(setOff) > 0)
}
