/** A payment plan: the amount to pay for each bill, for a second person to approve. */
import { hash } from "node:crypto"
import { FreightError } from "../../base/errors.ts"
import { amountOf, formatCents } from "../../base/money.ts"
import { canonical, type Database } from "../../ledger/index.ts"
import { type CentsByName, readPayments } from "../records/payments.ts"
import { jsonText } from "../../output/index.ts"
import { listActive } from "../books/clearing.ts"
import { type Author, writeAlone } from "../disputes/settle.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import { type Decision, sumCents } from "./decide.ts"
import { isSameBill, type Paid, readDecisions, writePayments } from "./record.ts"

/** The version of the plan files that this program writes and reads. */
const VERSION = 1

/** A planned payment. Amounts are in dollars with GST. */
export interface PlannedPayment {
  supplier: string
  billNumber: string
  /** `yyyy-mm-dd`; null if unknown. */
  due: string | null
  asked: number
  paidBefore: number
  /** Set off or credited before. */
  settledBefore: number
  withheld: Readonly<Record<string, number>>
  credited: Readonly<Record<string, number>>
  setOff: Readonly<Record<string, number>>
  toPay: number
}

export interface PaymentPlan {
  freightPayments: typeof VERSION
  /** SHA-256 over the canonical JSON of everything else. */
  planHash: string
  /** ISO 8601 in UTC. */
  madeAt: string
  madeBy: string
  currency: string
  total: number
  payments: readonly PlannedPayment[]
}

export function makePaymentPlan(
  decisions: readonly Decision[],
  { at, by }: { at: string; by: string },
): PaymentPlan {
  const content = {
    freightPayments: VERSION,
    madeAt: at,
    madeBy: by,
    currency: BILL_CURRENCY,
    total: amountOf(decisions.reduce((sum, { toPayCents }) => sum + toPayCents, 0)),
    payments: decisions.map(toPlanned),
  } as const
  return { ...content, planHash: hashContent(content) }
}

export function paymentPlanText({ freightPayments, planHash, ...rest }: PaymentPlan): string {
  return `${jsonText({ freightPayments, planHash, ...rest }, 2)}\n`
}

function hashContent(content: object): string {
  return hash("sha256", canonical({ ...content, planHash: undefined }))
}

/** @param name of its file */
export function checkPaymentPlan(value: object, name: string): PaymentPlan {
  const plan = value as PaymentPlan
  if (typeof plan.freightPayments === "number" && plan.freightPayments > VERSION)
    throw new FreightError("input", `${name} was made by a newer version of freight`, {
      hint: "Update freight on this machine, or make a new plan. Nothing was written.",
    })
  if (plan.freightPayments !== VERSION)
    throw new FreightError("input", `${name} is not a plan of payments`, {
      hint: "freight pay --list -o FILE makes one. Nothing was written.",
      next: "freight help pay",
    })
  if (hashContent(plan) !== plan.planHash)
    throw new FreightError("input", `${name} was changed after it was made: its hash does not match`, {
      hint: "Make a new plan with freight pay --list -o FILE. Nothing was written.",
    })
  return plan
}

function toPlanned({ bill, ...decision }: Decision): PlannedPayment {
  return {
    supplier: bill.supplier,
    billNumber: bill.billNumber,
    due: bill.due || null,
    asked: amountOf(decision.askedCents),
    paidBefore: amountOf(decision.paidCents),
    settledBefore: amountOf(decision.settledCents),
    withheld: toAmounts(decision.withheld),
    credited: toAmounts(decision.credited),
    setOff: toAmounts(decision.setOff),
    toPay: amountOf(decision.toPayCents),
  }
}

function toAmounts(cents: CentsByName): Record<string, number> {
  return Object.fromEntries(Object.entries(cents).map(([name, each]) => [name, amountOf(each)]))
}

/** Records exactly the planned payments, once: all of them or none. */
export function recordPlan(
  database: Database,
  { planHash, payments }: PaymentPlan,
  approvedBy: string,
  author: Author,
): Promise<Paid[]> {
  return writeAlone(database, author, async (transaction, by) => {
    const before = listActive(await readPayments(transaction)).filter((each) => each.planHash === planHash)
    if (before.length === payments.length && before.length > 0)
      return payments.flatMap((planned) =>
        before.filter((each) => isSameBill(each, planned)).map((payment) => ({ payment, isNew: false })),
      )
    const decisions = await readDecisions(transaction)
    const chosen = payments.map((planned) => ({
      planned,
      decision: decisions.find(({ bill }) => isSameBill(bill, planned)),
    }))
    const changes = chosen.flatMap(({ planned, decision }) => describeChanges(planned, decision))
    if (changes.length > 0)
      throw new FreightError("refused", "something has changed since the plan was made", {
        errors: changes.map((message) => ({ message })),
        hint: "Make a new plan with freight pay --list -o FILE. Nothing was written.",
      })
    const made = await writePayments(
      transaction,
      chosen.flatMap(({ decision }) => decision ?? []),
      { ...by, isElsewhere: false, approvedBy, planHash },
    )
    return made.map((payment) => ({ payment, isNew: true }))
  })
}

const WORDS = {
  asked: "asks for",
  paidBefore: "paid before",
  settledBefore: "set off before",
  withheld: "withheld",
  credited: "credited",
  setOff: "set off",
  toPay: "to pay",
} as const satisfies Partial<Record<keyof PlannedPayment, string>>

/** For people: what has changed since planning. */
function describeChanges(planned: PlannedPayment, decision: Decision | undefined): string[] {
  const name = `bill ${planned.billNumber} of ${planned.supplier}`
  if (!decision) return [`${name} is not in this ledger`]
  const [objection] = decision.bill.objections
  if (objection) return [`${name} may not be paid: ${objection.why}`]
  const now = toPlanned(decision)
  const names = Object.keys(WORDS) as (keyof typeof WORDS)[]
  const changed = names.filter((each) => canonical(planned[each]) !== canonical(now[each]))
  if (changed.length === 0) return []
  const parts = changed.map(
    (each) => `${WORDS[each]} ${formatPart(now[each])} now, ${formatPart(planned[each])} then`,
  )
  return [`${name}: ${parts.join("; ")}`]
}

function formatPart(part: number | Readonly<Record<string, number>>): string {
  const cents = typeof part === "number" ? part : amountOf(sumCents(toCents(part)))
  return formatCents(Math.round(cents * 100))
}

function toCents(amounts: Readonly<Record<string, number>>): CentsByName {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, Math.round(amount * 100)]))
}
