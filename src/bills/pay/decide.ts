/**
 * Decides how much of each bill to pay: pure, in exact cents with GST.
 *
 * A bill's amount = paid + set off + credited + withheld + to pay, to the cent. Bills of a supplier with a negative
 * total pay other bills of that supplier, the earliest due first. No balance is stored: everything follows from
 * postings, disputes and payments.
 */
import { groupBy } from "../../base/grouping.ts"
import type { CentsByName, Payment } from "../records/payments.ts"

/** Why a bill may not be paid, and how to resolve it. */
export interface Objection {
  kind:
    | "no-number"
    | "contradicted"
    | "changed"
    | "not-posted"
    /** Something is to be disputed, and was not raised. `--less` says how much is withheld. */
    | "not-raised"
    /** It is unknown whether the disputed amount includes GST. `--less` says how much is withheld. */
    | "unknown-gst"
  /** For people: what is wrong, and what to do. */
  why: string
}

export interface BillDispute {
  id: string
  /** For people: its consignment. */
  name: string
  why: string
  /** When it was raised: ISO 8601 in UTC. */
  at: string
  /** The open amount, in cents with GST; undefined if unknown. */
  openCents: number | undefined
  /** Credited by the carrier without a bill: never negative. */
  creditedCents: number
}

export interface PayableBill {
  supplier: string
  /** Empty where it has none. */
  billNumber: string
  file: string
  /** `yyyy-mm-dd`; empty if unknown. */
  billDate: string
  due: string
  /** Negative for a bill with a negative total; undefined if its amount with GST is unknown. */
  askedCents: number | undefined
  disputes: readonly BillDispute[]
  /** The active ones, oldest first. */
  payments: readonly Payment[]
  objections: readonly Objection[]
}

export interface Decision {
  bill: PayableBill
  askedCents: number
  paidCents: number
  /** Set off or credited before. */
  settledCents: number
  /** Withheld now, by dispute. */
  withheld: CentsByName
  /** Credited by the carrier without a bill since the last payment. */
  credited: CentsByName
  /** Paid now by bills with a negative total, by their numbers. */
  setOff: CentsByName
  toPayCents: number
  /** For a bill with a negative total: what is left after paying others. */
  leftCents: number
}

export function sumCents(cents: CentsByName): number {
  return Object.values(cents).reduce((sum, each) => sum + each, 0)
}

/** The supplier without case, to tell its bills from those of others. */
export function toSupplierKey(supplier: string): string {
  return supplier.trim().toLowerCase()
}

/** Decides each bill's state and the amount to pay now: the earliest due first. */
export function decidePayments(bills: readonly PayableBill[]): Decision[] {
  const decisions = Array.from(groupBy(bills, ({ supplier }) => toSupplierKey(supplier)).values(), (own) =>
    decideOfSupplier(own),
  ).flat()
  return decisions.sort(({ bill: one }, { bill: other }) => compareByDue(one, other))
}

function decideOfSupplier(bills: readonly PayableBill[]): Decision[] {
  const used = new Map<string, number>()
  for (const { payments } of bills)
    for (const { setOff } of payments)
      for (const [number, cents] of Object.entries(setOff)) used.set(number, (used.get(number) ?? 0) + cents)
  const decisions = bills
    .toSorted(compareByDue)
    .map((bill) => decideAlone(bill, used.get(bill.billNumber) ?? 0))
  const giving = decisions.filter(({ leftCents }) => leftCents > 0)
  for (const decision of decisions) {
    if (decision.bill.objections.length > 0) continue
    const setOff: Record<string, number> = {}
    for (const each of giving) {
      const cents = Math.min(each.leftCents, decision.toPayCents)
      if (cents === 0) continue
      setOff[each.bill.billNumber] = cents
      each.leftCents -= cents
      decision.toPayCents -= cents
    }
    decision.setOff = setOff
  }
  return decisions
}

/** @param usedCents the part of it that payments of other bills set off */
function decideAlone(bill: PayableBill, usedCents: number): Decision {
  const { payments, askedCents = 0, disputes } = bill
  const recorded = sumByName(payments.map(({ credited }) => credited))
  const last = payments.at(-1)
  const paidCents = payments.reduce((sum, { paid }) => sum + paid, 0)
  const byDispute = disputes.map((dispute) => {
    const before = recorded[dispute.id] ?? 0
    // A credit that the carrier took back does not count.
    const taken = Math.min(before, dispute.creditedCents)
    const withheldBefore = last?.withheld[dispute.id] ?? 0
    const since = Math.max(0, dispute.creditedCents - before)
    return {
      dispute,
      taken,
      credited: last ? Math.min(since, withheldBefore) : since,
      // An amount that was paid despite a dispute returns as a credit: it is not withheld from the rest.
      most:
        last === undefined || dispute.at > last.at
          ? Number.POSITIVE_INFINITY
          : withheldBefore + before - taken,
    }
  })
  const taken = byDispute.reduce((sum, each) => sum + each.taken, 0)
  const settledCents = payments.reduce((sum, { setOff }) => sum + sumCents(setOff), 0) + taken - usedCents
  const owedCents = getOwedCents({ askedCents, paidCents, settledCents })
  let left = Math.max(0, owedCents)
  const take = (cents: number) => {
    const own = Math.min(cents, left)
    left -= own
    return own
  }
  const credited: Record<string, number> = {}
  const withheld: Record<string, number> = {}
  for (const each of byDispute) {
    const cents = take(each.credited)
    if (cents > 0) credited[each.dispute.id] = cents
  }
  // Newest first.
  for (const { dispute, most } of byDispute.toSorted((one, other) =>
    compareByNewest(one.dispute, other.dispute),
  )) {
    const cents = take(Math.max(0, Math.min(dispute.openCents ?? 0, most)))
    if (cents > 0) withheld[dispute.id] = cents
  }
  return {
    ...{ bill, askedCents, paidCents, settledCents, withheld, credited, setOff: {} },
    toPayCents: left,
    leftCents: bill.objections.length === 0 ? Math.max(0, -owedCents) : 0,
  }
}

/** The amount that is neither paid nor settled. Negative for a credit that is not used up. */
export function getOwedCents({
  askedCents,
  paidCents,
  settledCents,
}: Pick<Decision, "askedCents" | "paidCents" | "settledCents">): number {
  return askedCents - paidCents - settledCents
}

function compareByNewest(one: BillDispute, other: BillDispute): number {
  return one.at === other.at ? (one.id < other.id ? -1 : 1) : one.at > other.at ? -1 : 1
}

/** Amounts with the same name are added together. */
export function sumByName(all: readonly CentsByName[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const each of all)
    for (const [name, cents] of Object.entries(each)) sums[name] = (sums[name] ?? 0) + cents
  return sums
}

/** Bills with an unknown due date come last. */
function compareByDue(one: PayableBill, other: PayableBill): number {
  const key = ({ due, billDate, supplier, billNumber, file }: PayableBill) =>
    [due || "9", billDate || "9", toSupplierKey(supplier), billNumber, file].join("\n")
  return key(one) < key(other) ? -1 : 1
}

/** A person's changes to a payment, in cents. */
export interface PaymentTerms {
  /** The amount paid, if it differs from the amount to pay. */
  amountCents?: number | undefined
  /** The withheld amount, if it is less than the disputed one. */
  lessCents?: number | undefined
}

/**
 * Applies a person's changes to a decision.
 * @returns the reason if they are impossible
 */
export function applyTerms(
  decision: Decision,
  { amountCents, lessCents }: PaymentTerms,
): Decision | { why: "more-than-disputed" | "more-than-owed"; most: number } {
  let { withheld, setOff, toPayCents } = decision
  const credits = sumCents(setOff)
  if (lessCents !== undefined) {
    const { disputes } = decision.bill
    const known = sumCents(withheld)
    const isKnown = disputes.every(({ openCents }) => openCents !== undefined)
    const most = isKnown ? known : known + toPayCents + credits
    if (lessCents > most) return { why: "more-than-disputed", most }
    const kept = keepBack(withheld, disputes, lessCents)
    const free = known - lessCents
    // A released amount is also paid from unused bills with negative totals.
    ;({ withheld, toPayCents } = { withheld: kept, toPayCents: toPayCents + free })
    if (toPayCents < 0) ({ setOff, toPayCents } = { setOff: lessen(setOff, -toPayCents), toPayCents: 0 })
  }
  if (amountCents !== undefined) {
    const most = toPayCents + sumCents(setOff) + sumCents(withheld)
    if (amountCents > most) return { why: "more-than-owed", most }
    const over = amountCents - toPayCents
    if (over > 0) {
      // If more was paid than the decision said, less was set off, and then less withheld.
      const unset = Math.min(over, sumCents(setOff))
      setOff = lessen(setOff, unset)
      withheld = lessen(withheld, over - unset)
    }
    toPayCents = amountCents
  }
  return { ...decision, withheld, setOff, toPayCents }
}

/** Withholds for the newest disputes first, as far as the amount goes. */
function keepBack(withheld: CentsByName, disputes: readonly BillDispute[], cents: number): CentsByName {
  let left = cents
  const kept: Record<string, number> = {}
  for (const { id, openCents } of disputes.toSorted(compareByNewest)) {
    const own = Math.min(left, openCents === undefined ? left : (withheld[id] ?? 0))
    if (own > 0) kept[id] = own
    left -= own
  }
  return kept
}

/** Subtracts cents from the last of them first. */
function lessen(cents: CentsByName, by: number): CentsByName {
  let left = by
  return Object.fromEntries(
    Object.entries(cents)
      .toReversed()
      .flatMap(([name, each]) => {
        const taken = Math.min(left, each)
        left -= taken
        return each > taken ? [[name, each - taken] as const] : []
      })
      .toReversed(),
  )
}
