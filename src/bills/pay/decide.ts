/**
 * What is to be paid of bills: pure, in exact cents with GST.
 *
 * What a bill asks for = paid + set off + credited + withheld + to pay, to the cent. Bills of a supplier that give money
 * back pay others of the same supplier, the earliest due first. No balance is kept: all of it follows from what was
 * posted, the disputes and the payments.
 */
import { groupBy } from "../../base/grouping.ts"
import type { CentsByName, Payment } from "../../ledger/index.ts"

/** Why a bill may not be paid, and what answers that. */
export interface Objection {
  kind:
    | "no-number"
    | "contradicted"
    | "changed"
    | "not-posted"
    /** Something is to be disputed, and was not raised. `--less` says how much is withheld. */
    | "not-raised"
    /** Nobody knows whether GST is in what is disputed. `--less` says how much is withheld. */
    | "unknown-gst"
  /** For people: what is wrong, and what to do. */
  why: string
}

/** A dispute of a bill that is to be paid. */
export interface BillDispute {
  id: string
  /** For people: its consignment. */
  name: string
  why: string
  /** When it was raised: ISO 8601 in UTC. */
  at: string
  /** What is open, in cents with GST; undefined where that is not known. */
  openCents: number | undefined
  /** What the carrier credited on no bill: never negative. */
  creditedCents: number
}

/** What is known of a bill, for its payment. */
export interface PayableBill {
  supplier: string
  /** Empty where it has none. */
  billNumber: string
  file: string
  /** `yyyy-mm-dd`; empty where they are not known. */
  billDate: string
  due: string
  /** Negative for a bill that gives money back; undefined where its amount with GST is not known. */
  askedCents: number | undefined
  disputes: readonly BillDispute[]
  /** Those that count, the oldest first. */
  payments: readonly Payment[]
  objections: readonly Objection[]
}

/** How a bill stands, and what is to be done about it. */
export interface Decision {
  bill: PayableBill
  askedCents: number
  paidCents: number
  /** What was set off or credited before. */
  settledCents: number
  /** What is kept back now, by dispute. */
  withheld: CentsByName
  /** What the carrier has credited on no bill since. */
  credited: CentsByName
  /** What bills that give money back pay of it now, by their numbers. */
  setOff: CentsByName
  toPayCents: number
  /** Of a bill that gives money back: what is left of it, once others are paid. */
  leftCents: number
}

export function sumCents(cents: CentsByName): number {
  return Object.values(cents).reduce((sum, each) => sum + each, 0)
}

/** A supplier in any case: what tells its bills from those of another. */
export function toSupplierKey(supplier: string): string {
  return supplier.trim().toLowerCase()
}

/** How each bill stands, and what is to be paid of it now: the earliest due first. */
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

/** @param usedCents what payments of other bills set off of it */
function decideAlone(bill: PayableBill, usedCents: number): Decision {
  const { payments, askedCents = 0, disputes } = bill
  const recorded = addUp(payments.map(({ credited }) => credited))
  const last = payments.at(-1)
  const paidCents = payments.reduce((sum, { paid }) => sum + paid, 0)
  const byDispute = disputes.map((dispute) => {
    const before = recorded[dispute.id] ?? 0
    // What the carrier took back again is not credited.
    const taken = Math.min(before, dispute.creditedCents)
    const withheldBefore = last?.withheld[dispute.id] ?? 0
    const since = Math.max(0, dispute.creditedCents - before)
    return {
      dispute,
      taken,
      credited: last ? Math.min(since, withheldBefore) : since,
      // What was paid in spite of a dispute comes back with a credit: it is not kept back of the rest.
      most:
        last === undefined || dispute.at > last.at
          ? Number.POSITIVE_INFINITY
          : withheldBefore + before - taken,
    }
  })
  const taken = byDispute.reduce((sum, each) => sum + each.taken, 0)
  const settledCents = payments.reduce((sum, { setOff }) => sum + sumCents(setOff), 0) + taken - usedCents
  const owedCents = askedCents - paidCents - settledCents
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
  // The newest first.
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

function compareByNewest(one: BillDispute, other: BillDispute): number {
  return one.at === other.at ? (one.id < other.id ? -1 : 1) : one.at > other.at ? -1 : 1
}

/** Cents of the same name are one sum. */
export function addUp(all: readonly CentsByName[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const each of all)
    for (const [name, cents] of Object.entries(each)) sums[name] = (sums[name] ?? 0) + cents
  return sums
}

/** What is not known when it is due comes last. */
function compareByDue(one: PayableBill, other: PayableBill): number {
  const key = ({ due, billDate, supplier, billNumber, file }: PayableBill) =>
    [due || "9", billDate || "9", toSupplierKey(supplier), billNumber, file].join("\n")
  return key(one) < key(other) ? -1 : 1
}

/** What a person says of a payment, in cents. */
export interface PaymentTerms {
  /** What was paid, where it was another amount than what is to be paid. */
  amountCents?: number | undefined
  /** What is kept back, where that is less than what is disputed. */
  lessCents?: number | undefined
}

/**
 * The decision as a person has it.
 * @returns why that cannot be, where it cannot
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
    // What is released is paid by money that bills gave back as well, where some of that is left.
    ;({ withheld, toPayCents } = { withheld: kept, toPayCents: toPayCents + free })
    if (toPayCents < 0) ({ setOff, toPayCents } = { setOff: lessen(setOff, -toPayCents), toPayCents: 0 })
  }
  if (amountCents !== undefined) {
    const most = toPayCents + sumCents(setOff) + sumCents(withheld)
    if (amountCents > most) return { why: "more-than-owed", most }
    const over = amountCents - toPayCents
    if (over > 0) {
      // More was paid than was to be paid: less was set off, and then less kept back.
      const unset = Math.min(over, sumCents(setOff))
      setOff = lessen(setOff, unset)
      withheld = lessen(withheld, over - unset)
    }
    toPayCents = amountCents
  }
  return { ...decision, withheld, setOff, toPayCents }
}

/** The newest disputes first, as far as the cents go. */
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

/** Takes cents from the last of them first. */
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
