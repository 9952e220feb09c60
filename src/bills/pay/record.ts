/** Records payments of bills: each once, whichever workstation runs it, and all of a run or none. */
import { quoteBlanks } from "../../base/command-line.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { quoted } from "../../base/parsed.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { FreightError } from "../../base/errors.ts"
import {
  canonical,
  type Database,
  type Sender,
  type Statements,
  type Transaction,
} from "../../ledger/index.ts"
import { addPayments, hasPayments, type Payment, readPayments } from "../records/payments.ts"
import { listActive } from "../books/clearing.ts"
import { type Author, writeAlone } from "../disputes/settle.ts"
import { toId } from "../ids.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import {
  applyTerms,
  decidePayments,
  type Decision,
  type Objection,
  type PaymentTerms,
  sumCents,
  toSupplierKey,
} from "./decide.ts"
import { readPayableBills } from "./read.ts"

/** A payment as a person states it. */
export interface PaymentDraft extends PaymentTerms {
  /** The day, if the amount was paid besides what was recorded before: `yyyy-mm-dd`. */
  furtherOn?: string | undefined
  /** Made without freight. */
  isElsewhere: boolean
}

export interface Paid {
  payment: Payment
  isNew: boolean
}

/** The payment to record for a bill, or why there is none. */
export type ToRecord =
  | { is: "to-pay"; decision: Decision }
  /** Paid before, and nothing is to be paid now. */
  | { is: "paid"; decision: Decision; payment: Payment }
  /** Nothing to pay: all of it is disputed, or its total is negative. */
  | { is: "nothing"; decision: Decision }

export async function readDecisions(statements: Statements): Promise<Decision[]> {
  return decidePayments(await readPayableBills(statements))
}

/** The decisions about paid bills. If nothing was paid, reads nothing else. */
export async function readPaidDecisions(statements: Statements): Promise<Decision[]> {
  if (!(await hasPayments(statements))) return []
  return (await readDecisions(statements)).filter(({ bill }) => bill.payments.length > 0)
}

/** For people: `bill 4711`, or the file of a bill without a number. */
export function nameOfBill({ bill: { billNumber, file } }: Decision): string {
  return billNumber === "" ? file : `bill ${billNumber}`
}

/**
 * Finds what to record for the bills that the names mean.
 * @param names numbers, files, or `Supplier 1001`
 */
export function chooseToRecord(
  decisions: readonly Decision[],
  names: readonly string[],
  draft: PaymentDraft,
): ToRecord[] {
  const chosen = [...new Set(names.map((name) => chooseDecision(decisions, name)))]
  const isOfOne = draft.amountCents !== undefined || draft.lessCents !== undefined
  if (isOfOne && chosen.length !== 1)
    throw new FreightError(
      "usage",
      `--${draft.amountCents === undefined ? "less" : "amount"} is for one bill, and these are ${chosen.length}`,
      { hint: "Pay that bill alone. Nothing was written." },
    )
  return chosen.map((decision) => judge(decision, draft))
}

function chooseDecision(decisions: readonly Decision[], name: string): Decision {
  const found = decisions.filter(({ bill: { supplier, billNumber, file } }) =>
    [billNumber, file, `${supplier} ${billNumber}`, `${supplier} ${file}`].includes(name),
  )
  const [only, ...others] = found
  if (!only)
    throw new FreightError("notFound", `there is no audited bill ${quoted(name)}`, {
      hint: "Give its number, or the name of its file; a plan of payments needs --approved-by NAME. Nothing was written.",
      next: "freight pay --list",
    })
  if (others.length > 0)
    throw new FreightError("usage", `${quoted(name)} is ${found.length} bills`, {
      hint: `Name one of them: ${found.map(({ bill }) => quoted(`${bill.supplier} ${bill.billNumber || bill.file}`)).join(", ")}. Nothing was written.`,
    })
  return only
}

function judge(decision: Decision, draft: PaymentDraft): ToRecord {
  const { amountCents, lessCents, furtherOn, isElsewhere } = draft
  const { bill } = decision
  const last = bill.payments.at(-1)
  const isAnswered = ({ kind }: Objection) =>
    ((kind === "unknown-gst" || kind === "not-raised") && (lessCents !== undefined || isElsewhere)) ||
    (isElsewhere && (kind === "not-posted" || kind === "contradicted"))
  const objection = bill.objections.find((each) => !isAnswered(each))
  // A recorded payment stays recorded, whatever is wrong with the bill by now.
  const before = findSaid(decision, draft)
  if (before) return { is: "paid", decision, payment: before }
  if (objection)
    throw new FreightError("refused", `${nameOfBill(decision)} may not be paid: ${objection.why}`, {
      hint: "Nothing was written.",
    })
  if (bill.askedCents === undefined) return judgeUnknown(decision, amountCents)
  if (amountCents === 0 && sumCents(decision.setOff) === 0)
    throw new FreightError("usage", `--amount 0 pays nothing of ${nameOfBill(decision)}`, {
      hint: "Give the amount that was paid. Nothing was written.",
    })
  if (furtherOn !== undefined && !last)
    throw new FreightError("usage", `nothing was paid of ${nameOfBill(decision)} before: leave out --further`)
  if (last && furtherOn === undefined && amountCents !== undefined)
    throw new FreightError(
      "refused",
      `${nameOfBill(decision)} ${describePayment(last)}: ${formatSum(last.paid)}`,
      {
        hint: `Without --amount, what is still to be paid of it is paid: ${formatSum(decision.toPayCents)}. If ${formatSum(amountCents)} was paid besides: --further. If the payment before was not made, undo it first: freight pay ${nameOnLine(bill)} --undo --why TEXT`,
        next: "freight pay --list",
      },
    )
  const applied = applyTerms(decision, { amountCents, lessCents })
  if ("why" in applied)
    throw new FreightError(
      "usage",
      applied.why === "more-than-disputed"
        ? `--less ${formatSum(lessCents ?? 0)} is more than is disputed of ${nameOfBill(decision)}: ${formatSum(applied.most)}`
        : `--amount ${formatSum(amountCents ?? 0)} is more than ${nameOfBill(decision)} still asks for: ${formatSum(applied.most)}`,
      { hint: "Nothing was written.", next: "freight pay --list" },
    )
  const isAny = applied.toPayCents > 0 || sumCents(applied.setOff) > 0
  return isAny ? { is: "to-pay", decision: applied } : { is: "nothing", decision: applied }
}

/** The recorded payment that is stated again, or the last one if nothing is to be paid since. */
function findSaid(
  { bill: { payments }, toPayCents, setOff }: Decision,
  { amountCents, lessCents, furtherOn }: PaymentDraft,
): Payment | undefined {
  const last = payments.at(-1)
  if (furtherOn !== undefined)
    return payments.findLast(({ paid, day }) => paid === amountCents && day === furtherOn)
  if (amountCents !== undefined) return amountCents === last?.paid ? last : undefined
  const isRest = toPayCents > 0 || sumCents(setOff) > 0
  const isAsBefore = lessCents === undefined || (last && sumCents(last.withheld) === lessCents)
  return !isRest && isAsBefore ? last : undefined
}

/** If a bill's amount with GST is unknown, only the paid amount can be recorded. */
function judgeUnknown(decision: Decision, amountCents: number | undefined): ToRecord {
  if (amountCents === undefined)
    throw new FreightError(
      "input",
      `the amount of ${nameOfBill(decision)} with GST is not known: give the amount paid with --amount`,
      { hint: "Nothing was written." },
    )
  return {
    is: "to-pay",
    decision: { ...decision, askedCents: amountCents, toPayCents: amountCents, withheld: {}, setOff: {} },
  }
}

function formatSum(cents: number): string {
  return formatMoney(amountOf(cents), BILL_CURRENCY)
}

/**
 * Records payments of the bills that the names mean. Earlier payments do not change.
 * @param shown the decisions that a person agreed to: nothing else is recorded. Undefined if nobody was asked
 */
export function recordPayments(
  database: Database,
  names: readonly string[],
  draft: PaymentDraft,
  author: Author,
  shown?: readonly ToRecord[],
): Promise<{ paid: Paid[]; nothing: Decision[] }> {
  return writeAlone(database, author, async (transaction, by) => {
    const chosen = chooseToRecord(await readDecisions(transaction), names, draft)
    if (shown) for (const each of chosen) refuseOther(each, shown)
    const made = await writePayments(
      transaction,
      chosen.flatMap((each) => (each.is === "to-pay" ? [each.decision] : [])),
      { ...by, isElsewhere: draft.isElsewhere },
    )
    const before = chosen.flatMap((each) => (each.is === "paid" ? [each.payment] : []))
    return {
      paid: [
        ...made.map((payment) => ({ payment, isNew: true })),
        ...before.map((payment) => ({ payment, isNew: false })),
      ],
      nothing: chosen.flatMap((each) => (each.is === "nothing" ? [each.decision] : [])),
    }
  })
}

function refuseOther(each: ToRecord, shown: readonly ToRecord[]): void {
  const { bill, toPayCents, setOff, withheld } = each.decision
  const before = shown.find(({ decision }) => isSameBill(decision.bill, bill))
  if (each.is !== "to-pay" || (before && isSame(before.decision, each.decision))) return
  throw new FreightError(
    "refused",
    `${nameOfBill(each.decision)} has changed meanwhile: ${formatSum(toPayCents)} to pay now, ${formatSum(sumCents(setOff))} set off, ${formatSum(sumCents(withheld))} withheld`,
    { hint: "Nothing was written.", next: "freight pay --list" },
  )
}

function isSame(one: Decision, other: Decision): boolean {
  const part = ({ askedCents, toPayCents, setOff, withheld, credited }: Decision) =>
    canonical({ askedCents, toPayCents, setOff, withheld, credited })
  return part(one) === part(other)
}

/** Who pays, and the common data of all payments of a run. */
export type PaymentBy = Author & Pick<Payment, "at" | "isElsewhere" | "approvedBy" | "planHash">

export async function writePayments(
  transaction: Transaction,
  decisions: readonly Decision[],
  by: PaymentBy,
): Promise<Payment[]> {
  const all = await readPayments(transaction)
  const payments = decisions.map((decision): Payment => {
    const { bill, askedCents, toPayCents, withheld, setOff, credited } = decision
    const { supplier, billNumber } = bill
    const before = listRows(all, decision)
    return {
      id: toPaymentId(supplier, billNumber, before.length),
      ...{ supplier, billNumber, part: (bill.payments.at(-1)?.part ?? 0) + 1 },
      ...{ asked: askedCents, paid: toPayCents, withheld, setOff, credited },
      ...by,
      at: toLater(by.at, before),
    }
  })
  await addPayments(transaction, payments)
  return payments
}

/** Equal in two ledgers, so that merging them does not count it twice. */
function toPaymentId(supplier: string, billNumber: string, before: number): string {
  return toId("payment", toSupplierKey(supplier), billNumber, String(before))
}

function listRows(all: readonly Payment[], { bill }: Pick<Decision, "bill">): Payment[] {
  return all.filter((each) => isSameBill(each, bill))
}

/**
 * Undoes the last payment of each bill, by a separate row.
 * @param names numbers, or `Supplier 1001`
 * @param isAgain also undoes the payment before, if the last one is undone already
 */
export function undoPayments(
  database: Database,
  names: readonly string[],
  { why, isAgain }: { why: string; isAgain: boolean },
  author: Sender & Pick<Author, "day">,
): Promise<Paid[]> {
  return writeAlone(database, author, async (transaction, by) => {
    const all = await readPayments(transaction)
    const undone = [...new Set(names)].map((name) => findUndone(all, name, isAgain))
    const rows = undone
      .filter(({ isNew }) => isNew)
      .map(({ payment }): Payment => {
        const { supplier, billNumber, part, asked, isElsewhere } = payment
        const before = all.filter((each) => isSameBill(each, payment))
        return {
          id: toPaymentId(supplier, billNumber, before.length),
          ...{ supplier, billNumber, part, asked, isElsewhere },
          ...{ paid: 0, withheld: {}, setOff: {}, credited: {}, undone: why },
          ...by,
          at: toLater(by.at, before),
        }
      })
    await addPayments(transaction, rows)
    return undone.map(({ payment, isNew }) => ({
      payment: isNew ? { ...payment, undone: why } : payment,
      isNew,
    }))
  })
}

type Named = Pick<Payment, "supplier" | "billNumber">

export function isSameBill(one: Named, other: Named): boolean {
  return one.billNumber === other.billNumber && toSupplierKey(one.supplier) === toSupplierKey(other.supplier)
}

/** The last active payment of a bill, or the row that undid the last one. */
function findUndone(all: readonly Payment[], name: string, isAgain: boolean): Paid {
  const found = all.filter(({ supplier, billNumber }) =>
    [billNumber, `${supplier} ${billNumber}`].includes(name),
  )
  const newest = found.at(-1)
  if (!newest)
    throw new FreightError("notFound", `no bill ${quoted(name)} was paid`, {
      hint: "Give its number. Nothing was written.",
      next: "freight pay --list",
    })
  const other = found.find((each) => !isSameBill(each, newest))
  if (other)
    throw new FreightError("usage", `${quoted(name)} is the number of bills of two suppliers`, {
      hint: `Name one of them: ${[newest, other].map(({ supplier, billNumber }) => quoted(`${supplier} ${billNumber}`)).join(", ")}. Nothing was written.`,
    })
  const last = listActive(found).at(-1)
  if (!last || (newest.undone !== undefined && !isAgain)) return { payment: newest, isNew: false }
  return { payment: last, isNew: true }
}

/** Later than all rows of its bill. ISO 8601 in UTC. */
function toLater(now: string, before: readonly Payment[]): string {
  const last = before.reduce((latest, { at }) => (at > latest ? at : latest), "")
  return last < now ? now : new Date(Date.parse(last) + 1).toISOString()
}

/** `was paid on 2026-11-24, recorded on Tue 24 Nov, 10:00 by ann at desk-1` */
export function describePayment({ day, at, person, workstation }: Payment): string {
  return `was paid on ${day}, recorded on ${formatInstant(at)} by ${person || "somebody"} at ${workstation}`
}

export function nameOnLine({ billNumber, file }: { billNumber: string; file: string }): string {
  return quoteBlanks(billNumber || file)
}
