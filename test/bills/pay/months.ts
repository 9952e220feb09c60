/**
 * Months of bills of which something is disputed, of credits, and of clerks at two desks who pay them at once: in full,
 * less what is disputed, in parts, or elsewhere; who take payments back and record them again. What should be paid is
 * reckoned apart from freight, as a bank would see it.
 */
import { readBalances, recordMoves } from "../../../src/bills/books/account.ts"
import { sumCents } from "../../../src/bills/pay/decide.ts"
import { makePaymentPlan, recordPlan } from "../../../src/bills/pay/plan.ts"
import {
  type PaymentDraft,
  readDecisions,
  recordPayments,
  undoPayments,
} from "../../../src/bills/pay/record.ts"
import { isToPay } from "../../../src/bills/pay/rows.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import { addDays, formatDate } from "../../../src/base/wall-clock.ts"
import { storeIn } from "../../ledger/setup.ts"
import { auditing, type BillText, bookAll, posting, reopening, stepping } from "../disputes/two-clerks.ts"

const SUPPLIERS = ["Alpha Freight", "Beta Couriers"]
const START = { year: 2026, month: 1, day: 1 }

/** The outcome of a dispute. */
const WAYS = [
  "credited on a bill",
  "credit note",
  "by hand",
  "denied",
  "written off",
  "denied and reopened",
] as const

/** A line that is disputed. All amounts are cents with GST. */
interface Disputed {
  consignment: string
  bill: string
  /** Without GST, as the bill charges it. */
  cents: number
  gross: number
  way: (typeof WAYS)[number]
  month: number
  isOpen: boolean
  /** It is kept back: it was never paid. */
  isKept: boolean
  /** It was credited on no bill while it was kept back. */
  isLetGo: boolean
}

interface MadeBill {
  supplier: string
  number: string
  gross: number
  /** Paid for it from the bank. */
  paid: number
}

export interface Lived {
  /** Errors: there must be none. */
  wrong: string[]
  bills: number
  payments: number
  did: Record<
    | "in full"
    | "in parts"
    | "elsewhere"
    | "taken back"
    | "set off"
    | "released"
    | "with credit"
    | "by plan"
    | "moved"
    | "credited and withheld",
    number
  >
}

/** Numbers from 0 to 1, the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** With the GST that the bill states on its line. */
const toGross = (cents: number) => cents + Math.round(Number((cents / 1000).toFixed(2)) * 100)

/** @param desks two openings of one ledger */
export async function payThrough(
  desks: readonly [Database, Database],
  { months, seed }: { months: number; seed: number },
): Promise<Lived> {
  const random = randomOf(seed)
  const [database] = desks
  const lived: Lived = {
    ...{ wrong: [], bills: 0, payments: 0 },
    did: {
      ...{ "in full": 0, "in parts": 0, elsewhere: 0, "taken back": 0 },
      ...{ "set off": 0, released: 0, "with credit": 0 },
      ...{ "by plan": 0, moved: 0, "credited and withheld": 0 },
    },
  }
  const bills: MadeBill[] = []
  const disputed: Disputed[] = []
  /** The money that left the bank, for each supplier. */
  const bank = new Map<string, number>()
  /** Credits that come with a later bill, or as one. */
  const coming: { supplier: string; of: Disputed; isNote: boolean; month: number }[] = []
  const quoted: Record<string, number> = {}
  for (let at = 0; at < months * SUPPLIERS.length * 2; at++) {
    quoted[`K${at}`] = 1000 + Math.floor(random() * 20_000)
    quoted[`D${at}`] = 10 * (100 + Math.floor(random() * 500))
  }
  await bookAll(storeIn(database), quoted)
  let [booked, charged] = [0, 0]
  const author = (month: number, desk: number) => ({
    ...{ workstation: `desk-${desk}`, person: "clerk" },
    day: formatDate(addDays(START, month * 30 + 28)),
  })

  for (let month = 0; month < months; month++) {
    for (const supplier of SUPPLIERS) {
      await makeBill(supplier, month)
      const notes = coming.filter((each) => each.supplier === supplier && each.month === month && each.isNote)
      if (notes.length > 0) {
        const charges = Object.fromEntries(notes.map(({ of }) => [of.consignment, -of.cents]))
        await keep({ number: `CN-${supplier[0]}-${month}`, supplier, charges }, month)
      }
      for (const { of } of coming.filter((each) => each.supplier === supplier && each.month === month))
        of.isOpen = false
    }
    for (const each of disputed) await follow(each, month)
    await payAll(month)
    await move(month)
    await check(month)
  }
  return lived

  async function makeBill(supplier: string, month: number): Promise<void> {
    const charges: Record<string, number> = {}
    for (let at = 0; at < 2; at++) {
      const consignment = `K${booked++}`
      if (at === 0 || random() < 0.6) charges[consignment] = quoted[consignment] ?? 0
    }
    const number = `${supplier[0]}-${month}`
    for (let at = 0; at < Math.floor(random() * 3); at++) {
      const consignment = `D${charged++}`
      // Whole dimes, whose GST is whole cents however it is shared.
      const cents = 10 * (200 + Math.floor(random() * 500))
      charges[consignment] = (quoted[consignment] ?? 0) + cents
      disputed.push({
        ...{ consignment, bill: number, cents, gross: toGross(cents), month, isOpen: true, isKept: true },
        ...{ isLetGo: false, way: WAYS[Math.floor(random() * WAYS.length)] ?? "denied" },
      })
    }
    // This month's credits are on the bill, except credit notes.
    const credits = coming.filter(
      (each) => each.supplier === supplier && each.month === month && !each.isNote,
    )
    // No more than is not disputed: what is kept back of a bill is never more than it asks for.
    let free = Object.entries(charges).reduce(
      (sum, [name, cents]) => sum + (name.startsWith("K") ? cents : 0),
      0,
    )
    for (const each of credits) {
      each.isNote = each.of.cents > free
      if (each.isNote) continue
      free -= each.of.cents
      charges[each.of.consignment] = -each.of.cents
      lived.did["with credit"] += 1
    }
    await keep({ number, supplier, charges }, month)
  }

  /** Audits and posts a bill. */
  async function keep(bill: BillText, month: number): Promise<void> {
    const text = { ...bill, day: formatDate(addDays(START, month * 30)) }
    await auditing(text)(database)
    await posting(text)(database)
    const gross = Object.values(bill.charges).reduce((sum, cents) => sum + toGross(cents), 0)
    bills.push({ supplier: bill.supplier ?? "", number: bill.number, gross, paid: 0 })
    lived.bills += 1
  }

  async function follow(each: Disputed, month: number): Promise<void> {
    const age = month - each.month
    const supplier = bills.find(({ number }) => number === each.bill)?.supplier ?? ""
    if (age === 0 && (each.way === "credited on a bill" || each.way === "credit note"))
      coming.push({
        supplier,
        of: each,
        isNote: each.way === "credit note",
        month: month + 1 + Math.floor(random() * 2),
      })
    if (age !== 2 || !each.isOpen) return
    if (each.way === "by hand") {
      await stepping("credited", each.consignment)(database)
      await checkWhereto(each)
      each.isLetGo = each.isKept
      each.isOpen = false
    } else if (each.way === "denied" || each.way === "written off" || each.way === "denied and reopened") {
      await stepping(each.way === "written off" ? "written-off" : "denied", each.consignment)(database)
      each.isOpen = false
    }
  }

  /** If a withheld amount is credited on no bill, it is a credit against its own bill: no money comes in for it. */
  async function checkWhereto({ consignment, isKept }: Disputed): Promise<void> {
    const balances = await readBalances(database)
    const toMove = balances.find(
      ({ disputeBalance: { dispute } }) => dispute.consignment === consignment,
    )?.toMove
    const should = isKept ? "withheld" : "paid"
    if (isKept) lived.did["credited and withheld"] += 1
    if (toMove?.length !== 1 || toMove[0]?.why.is !== should)
      lived.wrong.push(`${consignment} is to be moved as ${JSON.stringify(toMove)}, not ${should}`)
  }

  /** Both desks record that they moved in the books what is to be moved: after that, only what is disputed is there. */
  async function move(month: number): Promise<void> {
    const toMove = (await readBalances(database)).filter((each) => each.toMove.length > 0)
    const names = toMove.map(({ disputeBalance: { dispute } }) => dispute.consignment)
    if (names.length > 0) {
      const moved = await Promise.all(
        desks.map((each, desk) => recordMoves(each, names, undefined, author(month, desk))),
      )
      if (moved.flat().length !== toMove.length)
        lived.wrong.push(`month ${month}: ${moved.flat().length} were moved, not ${toMove.length}`)
      lived.did.moved += toMove.length
    }
    for (const { disputeBalance, cents, openCents, comingCents, toMove: left } of await readBalances(
      database,
    ))
      if (left.length > 0 || cents !== openCents + comingCents)
        lived.wrong.push(
          `month ${month}: ${cents} for ${disputeBalance.dispute.consignment} is on the clearing account, and ${openCents} is open`,
        )
  }

  /** Both desks record a plan of all that is to be paid. */
  async function payByPlan(month: number): Promise<void> {
    const due = (await readDecisions(database)).filter(isToPay)
    if (due.length === 0) return
    const plan = makePaymentPlan(due, { at: "2026-01-01T00:00:00.000Z", by: "clerk" })
    const paid = await Promise.all(
      desks.map((each, desk) => recordPlan(each, plan, "Ann Lee", author(month, desk))),
    )
    const made = paid.flat().filter(({ isNew }) => isNew)
    if (made.length !== due.length)
      lived.wrong.push(`month ${month}: ${made.length} of ${due.length} of a plan were paid`)
    for (const { payment } of made) {
      const bill = bills.find(({ number }) => number === payment.billNumber)
      if (!bill) throw new Error(payment.billNumber)
      take(bill, payment.paid)
      lived.payments += 1
    }
    lived.did["by plan"] += 1
  }

  /** Both desks pay all bills at once, some in another way. */
  async function payAll(month: number): Promise<void> {
    for (const way of ["special", "rest"] as const) {
      if (way === "rest" && random() < 0.3) await payByPlan(month)
      for (const decision of await readDecisions(database)) {
        const { bill, toPayCents, setOff, withheld, paidCents } = decision
        if (bill.objections.length > 0) lived.wrong.push(`${bill.billNumber}: ${bill.objections[0]?.why}`)
        if (toPayCents === 0 && sumCents(setOff) === 0) continue
        const draft: PaymentDraft = { isElsewhere: random() < 0.1 }
        if (draft.isElsewhere) lived.did.elsewhere += 1
        const isFirst = bill.payments.length === 0
        if (way === "special") {
          if (random() < 0.6) continue
          if (isFirst && sumCents(withheld) > 0 && random() < 0.4) {
            draft.lessCents = 0
            for (const each of disputed) if (each.bill === bill.billNumber) each.isKept = false
            lived.did["in full"] += 1
          } else if (isFirst && toPayCents > 100 && random() < 0.4) {
            draft.amountCents = Math.floor(toPayCents / 2)
            lived.did["in parts"] += 1
          }
        }
        if (paidCents > 0) lived.did.released += 1
        await payOnce(bill.billNumber, draft, month)
      }
    }
    for (const each of disputed) {
      // A released amount was paid, and stays paid if the dispute is reopened.
      if (!each.isOpen && !each.isLetGo) each.isKept = false
      if (each.way === "denied and reopened" && month - each.month === 2) {
        await reopening(each.consignment)(database)
        each.isOpen = true
        await stepping("written-off", each.consignment)(database)
        each.isOpen = false
      }
    }
    // Some payments were not made, and are recorded again.
    for (const bill of bills.filter(({ paid }) => paid > 0).slice(-4)) {
      if (random() > 0.1) continue
      const undone = await Promise.all(
        desks.map((each, desk) =>
          undoPayments(each, [bill.number], { why: "it was not made", isAgain: false }, author(month, desk)),
        ),
      )
      const made = undone.flat().filter(({ isNew }) => isNew)
      if (made.length > 1)
        lived.wrong.push(`the payment of ${bill.number} was taken back ${made.length} times`)
      for (const { payment } of made) {
        take(bill, -payment.paid)
        lived.did["taken back"] += 1
        await repay(bill.number, month)
      }
    }
  }

  /** As it was before: what was paid in spite of a dispute is paid again. */
  async function repay(number: string, month: number): Promise<void> {
    const decision = (await readDecisions(database)).find(({ bill }) => bill.billNumber === number)
    if (!decision) throw new Error(number)
    const own = disputed.filter((each) => each.bill === number && each.isOpen)
    const kept = own.filter(({ isKept }) => isKept).reduce((sum, { gross }) => sum + gross, 0)
    const isLess = kept < sumCents(decision.withheld)
    if (decision.toPayCents + sumCents(decision.setOff) === 0 && !isLess) return
    await payOnce(number, { isElsewhere: false, ...(isLess && { lessCents: kept }) }, month)
  }

  async function payOnce(number: string, draft: PaymentDraft, month: number): Promise<void> {
    const bill = bills.find((each) => each.number === number)
    if (!bill) throw new Error(number)
    const done = await Promise.all(
      desks.map((each, desk) => recordPayments(each, [number], draft, author(month, desk))),
    )
    const made = done.flatMap(({ paid }) => paid).filter(({ isNew }) => isNew)
    if (made.length !== 1) lived.wrong.push(`${number} was paid ${made.length} times at once`)
    for (const { payment } of made) {
      take(bill, payment.paid)
      lived.payments += 1
      if (sumCents(payment.setOff) > 0) lived.did["set off"] += 1
    }
  }

  function take(bill: MadeBill, cents: number): void {
    bill.paid += cents
    bank.set(bill.supplier, (bank.get(bill.supplier) ?? 0) + cents)
  }

  /** The bank paid the sum of all bills, less the amounts kept back and those credited on no bill. */
  async function check(month: number): Promise<void> {
    const decisions = await readDecisions(database)
    for (const { bill, ...each } of decisions) {
      const own = bills.find(({ number }) => number === bill.billNumber)
      const { askedCents, paidCents, settledCents, toPayCents, leftCents } = each
      const [withheld, setOff, credited] = [each.withheld, each.setOff, each.credited].map(sumCents) as [
        number,
        number,
        number,
      ]
      const all = paidCents + settledCents + withheld + credited + setOff + toPayCents - leftCents
      const what = `month ${month}, ${bill.billNumber}`
      if (own?.gross !== askedCents) lived.wrong.push(`${what}: asks for ${askedCents}, not ${own?.gross}`)
      if (own?.paid !== paidCents)
        lived.wrong.push(`${what}: ${paidCents} is paid, and ${own?.paid} left the bank`)
      if (all !== askedCents) lived.wrong.push(`${what}: ${all} of ${askedCents} is accounted for`)
      if (toPayCents !== 0) lived.wrong.push(`${what}: ${toPayCents} is to be paid, and all was`)
      const kept = disputed
        .filter((one) => one.bill === bill.billNumber && one.isOpen && one.isKept)
        .reduce((sum, { gross }) => sum + gross, 0)
      if (kept !== withheld) lived.wrong.push(`${what}: ${withheld} is withheld, not ${kept}`)
    }
    for (const supplier of SUPPLIERS) {
      const own = bills.filter((each) => each.supplier === supplier)
      const numbers = new Set(own.map(({ number }) => number))
      const kept = disputed
        .filter((each) => numbers.has(each.bill) && ((each.isOpen && each.isKept) || each.isLetGo))
        .reduce((sum, { gross }) => sum + gross, 0)
      const left = decisions
        .filter(({ bill }) => bill.supplier === supplier)
        .reduce((sum, { leftCents }) => sum + leftCents, 0)
      const should = own.reduce((sum, { gross }) => sum + gross, 0) - kept + left
      if (should !== (bank.get(supplier) ?? 0))
        lived.wrong.push(`month ${month}: ${bank.get(supplier)} left the bank for ${supplier}, not ${should}`)
    }
  }
}
