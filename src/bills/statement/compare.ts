/** Compares a carrier's statement with the bills that freight has seen: pure, in exact cents. */
import { groupBy } from "../../base/grouping.ts"
import { toExGst, toIncGst } from "../../base/money.ts"
import { type GstBasis, plainName } from "../../ledger/index.ts"
import type { Posting } from "../records/postings.ts"
import type { RememberedBill } from "../records/bills.ts"
import { splitGst, type DisputeBalance } from "../disputes/balance.ts"
import type { StatementLine } from "./columns.ts"

/**
 * The states of an invoice on a statement, worst first, and whether they are reported with exit code 1. JSON and CSV
 * have these names; a table shows them with spaces.
 */
export const STATES = {
  /** No such bill was audited. */
  missing: "told",
  /** The bill was audited with another amount. */
  "other-amount": "told",
  "paid-twice": "told",
  /** More was paid than is asked for. */
  overpaid: "told",
  /** Listed more than once. */
  "listed-twice": "told",
  /** More was paid than `freight pay` recorded. */
  "more-paid": "note",
  /** Less was paid than `freight pay` recorded: it may have come after the statement. */
  "less-paid": "note",
  /** Asks again for an amount that was withheld when the bill was paid. */
  withheld: "note",
  "in-dispute": "note",
  "not-posted": "note",
  posted: "note",
} as const

export type StatementState = keyof typeof STATES

/** An invoice on the statement. Amounts are in cents. */
export interface StatementRow {
  line: StatementLine
  bill: RememberedBill | undefined
  /** The bill's amount, with GST if known. */
  asked: { cents: number; basis: GstBasis } | undefined
  /** Undefined if the statement does not say it. */
  paidCents: number | undefined
  /** The open disputes of the bill: on the basis of `asked` if their GST is known. */
  disputedCents: number
  /** Last posting; ISO 8601 in UTC. */
  postedAt: string | undefined
  /** Recorded by freight as paid or set off, in cents with GST. */
  recordedCents: number
  /** The part of it that was paid, not set off. */
  recordedPaidCents: number
  /** Withheld then and now, in cents with GST. */
  withheldCents: number
  state: StatementState
}

export interface StatementComparison {
  rows: StatementRow[]
  /** Payments that name no invoice of the statement. */
  payments: StatementLine[]
  /** Audited bills of the same suppliers and the same period that are not on the statement, by day. */
  others: RememberedBill[]
}

export interface Known {
  /** Newest first. */
  bills: readonly RememberedBill[]
  disputes: readonly DisputeBalance[]
  /** The active ones. */
  postings: readonly Posting[]
  payments: readonly KnownPayment[]
}

/** The payments of a bill, in cents with GST. */
export interface KnownPayment {
  supplier: string
  billNumber: string
  /** Paid and set off. */
  recordedCents: number
  recordedPaidCents: number
  withheldCents: number
}

export function compareStatement(lines: readonly StatementLine[], known: Known): StatementComparison {
  const bills = groupBy(known.bills, ({ number }) => keyOf(number))
  const invoices = lines.filter(({ type }) => type !== "payment")
  const keys = new Set(invoices.map(({ number }) => keyOf(number)))
  const [own, payments] = [new Map<string, StatementLine[]>(), [] as StatementLine[]]
  for (const line of lines) {
    if (line.type !== "payment") continue
    const key = keyOf(line.number)
    if (line.number === "" || !keys.has(key)) payments.push(line)
    else own.set(key, [...(own.get(key) ?? []), line])
  }
  const listed = new Set<string>()
  const rows = invoices.map((line): StatementRow => {
    const key = keyOf(line.number)
    const bill = findBill(line, bills.get(key) ?? [])
    const paid = own.get(key) ?? []
    const row = describe(line, bill, paid, known)
    const name = JSON.stringify([key, line.supplier])
    if (!listed.has(name)) {
      listed.add(name)
      return row
    }
    return { ...row, state: row.state === "missing" ? "missing" : "listed-twice" }
  })
  return { rows, payments, others: findOthers(rows, known.bills) }
}

/** The number in a comparable form: `INV 0001` and `inv-0001` are equal. */
export function keyOf(number: string): string {
  return plainName(number).replace(/^[#.]+/, "")
}

/** The supplier's bill; another supplier's if the amount is the same, or the statement names no supplier. */
function findBill(line: StatementLine, bills: readonly RememberedBill[]): RememberedBill | undefined {
  const ofSupplier = bills.filter(({ supplier }) => plainName(supplier) === plainName(line.supplier))
  if (ofSupplier.length > 0) return ofSupplier[0]
  const agreeing = bills.find((bill) => agrees(line, bill))
  return agreeing ?? (line.supplier === "" ? bills[0] : undefined)
}

function describe(
  line: StatementLine,
  bill: RememberedBill | undefined,
  payments: readonly StatementLine[],
  { disputes, postings, payments: recorded }: Known,
): StatementRow {
  const paidApart = payments.reduce((sum, { cents }) => sum + Math.abs(cents), 0)
  const paidCents = line.paidCents ?? (payments.length > 0 ? paidApart : undefined)
  const isOf = (each: { supplier: string; billNumber: string }) =>
    each.billNumber === bill?.number && each.supplier === bill.supplier
  const asked = bill && getAsked(bill)
  const disputedCents = disputes
    .filter(({ dispute }) => isOf(dispute))
    .reduce((sum, each) => sum + getOpenCents(each, asked?.basis), 0)
  const [postedAt] = postings
    .filter(isOf)
    .map(({ at }) => at)
    .toSorted()
    .toReversed()
  const own = recorded.find(
    ({ supplier, billNumber }) =>
      billNumber === bill?.number && supplier.trim().toLowerCase() === bill.supplier.trim().toLowerCase(),
  )
  const { recordedCents = 0, recordedPaidCents = 0, withheldCents = 0 } = own ?? {}
  const row = {
    ...{ line, bill, asked, paidCents, disputedCents, postedAt },
    ...{ recordedCents, recordedPaidCents, withheldCents },
  }
  return { ...row, state: findState(row, payments.length, recorded.length > 0) }
}

/** A bill's amount, with GST if known. */
function getAsked({ amountCents, gstCents, gstBasis }: RememberedBill) {
  return gstBasis === "excluded" && gstCents !== null
    ? { cents: amountCents + gstCents, basis: "included" as const }
    : { cents: amountCents, basis: gstBasis }
}

function getOpenCents({ dispute, openCents }: DisputeBalance, basis: GstBasis | undefined): number {
  const cents = Math.max(0, openCents)
  const own = basis === dispute.gstBasis ? undefined : splitGst(dispute, cents)
  return own ? (basis === "included" ? own.exGst + own.gst : own.exGst) : cents
}

/** @param isRecorded whether payments are recorded with freight at all */
function findState(row: Omit<StatementRow, "state">, payments: number, isRecorded: boolean): StatementState {
  const { line, bill, asked, paidCents = 0, disputedCents, postedAt, recordedCents, withheldCents } = row
  if (!bill) return "missing"
  // Either the amount before payment, or the remaining amount.
  const isRest = (cents: number) => line.cents === cents || line.cents - paidCents === cents
  if (withheldCents > 0 && isRest(withheldCents)) return "withheld"
  const isOpenAmount =
    recordedCents > 0 && asked?.basis === "included" && line.cents === asked.cents - recordedCents
  if (!isOpenAmount && !agrees(line, bill)) return "other-amount"
  const billed = Math.abs(line.cents)
  if (paidCents > billed) return payments > 1 || paidCents >= 2 * billed ? "paid-twice" : "overpaid"
  if (isRecorded && !isOpenAmount && row.paidCents !== undefined) {
    if (paidCents > recordedCents) return "more-paid"
    // A credit may be on the statement as a line of its own.
    if (paidCents < row.recordedPaidCents) return "less-paid"
  }
  if (disputedCents > 0) return "in-dispute"
  return postedAt === undefined ? "not-posted" : "posted"
}

/** GST that is calculated, or rounded line by line, may differ by this many cents. */
const ROUNDED = 5

/** Whether a statement asks for the bill's amount, on the stated basis or, if there is none, on either. */
function agrees(
  { cents, basis }: StatementLine,
  { amountCents, gstCents, gstBasis }: RememberedBill,
): boolean {
  const near = (amount: number, most: number) => Math.abs(cents - amount) <= most
  const readings = {
    excluded: [
      { basis: "exGst", amount: amountCents, most: 0 },
      { basis: "incGst", ...addGst(amountCents, gstCents) },
    ],
    included: [
      { basis: "incGst", amount: amountCents, most: 0 },
      { basis: "exGst", ...takeGst(amountCents, gstCents) },
    ],
    unknown: [
      { basis: undefined, amount: amountCents, most: 0 },
      { basis: "incGst", ...addGst(amountCents, gstCents) },
      { basis: "exGst", ...takeGst(amountCents, gstCents) },
    ],
  }[gstBasis]
  return readings.some(
    (reading) =>
      (basis === undefined || reading.basis === undefined || reading.basis === basis) &&
      near(reading.amount, reading.most),
  )
}

function addGst(cents: number, gst: number | null) {
  return gst === null ? { amount: toIncGst(cents), most: ROUNDED } : { amount: cents + gst, most: 0 }
}

function takeGst(cents: number, gst: number | null) {
  return gst === null ? { amount: toExGst(cents), most: ROUNDED } : { amount: cents - gst, most: 0 }
}

const DAY = /^\d{4}-\d\d-\d\d$/

function findOthers(rows: readonly StatementRow[], bills: readonly RememberedBill[]): RememberedBill[] {
  const suppliers = new Set(rows.flatMap(({ bill }) => bill?.supplier ?? []))
  const days = rows.flatMap(({ line: { date } }) => (DAY.test(date) ? [date] : [])).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined) return []
  const keys = new Set(rows.map(({ line }) => keyOf(line.number)))
  const isOther = ({ supplier, number, date }: RememberedBill) =>
    suppliers.has(supplier) && date >= from && date <= to && !keys.has(keyOf(number))
  return bills.filter(isOther).sort((one, other) => (one.date < other.date ? -1 : 1))
}
