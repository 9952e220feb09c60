/** Messages about the disputes that an audit raised and the carriers' credits. */
import { BILL_CURRENCY } from "../verdicts.ts"
import { counted } from "../../base/counted.ts"
import { amountOf, formatCents, formatMoney } from "../../base/money.ts"
import { getChargedCents } from "../money.ts"
import { quoteBlanks } from "../../base/command-line.ts"
import { groupBy } from "../../base/grouping.ts"
import type { RecordedAudit } from "./raise.ts"
import { getRaisedCents } from "./self-billed.ts"
import { nameBill } from "./settle.ts"
import { type DisputeBalance, sumOpen } from "./balance.ts"

const money = (cents: number) => formatMoney(amountOf(cents), BILL_CURRENCY)

export function describeRaised(
  { raised, mistaken, selfBilled, before, payments, guesses, surplus, gone, linked, missing }: RecordedAudit,
  isToRaise: boolean,
): { notes: string[]; warnings: string[] } {
  const sum = raised.reduce((cents, { amountCents }) => cents + amountCents, 0)
  const [guess, ...others] = guesses
  const changed = before.filter(
    ({ balance, amountCents }) =>
      getRaisedCents(balance) !== amountCents && balance.openCents !== amountCents,
  )
  return {
    notes: [
      ...(isToRaise && raised.length > 0
        ? [
            `Raised: ${counted(raised.length, "dispute")}${describeSpread(raised)}, ${money(sum)}. freight disputes`,
          ]
        : []),
      ...(before.length > 0 ? [describeRaisedBefore(before.map(({ balance }) => balance))] : []),
      ...describePayments(payments, "Credited", 1),
      ...describePayments(payments, "Reopened, because a bill was corrected", -1),
      ...(guess
        ? [
            `A credit of ${guess.credit.consignment || nameBill(guess.credit)} is exactly the amount that is open for ${guess.dispute.consignment}${others.length > 0 ? `, or for ${counted(others.length, "other")}` : ""}. If it is meant: freight disputes confirm ${guess.credit.id.slice(0, 8)} ${guess.dispute.id.slice(0, 8)}`,
          ]
        : []),
    ],
    warnings: [
      ...describeMistaken(mistaken),
      ...describeSelfBilled(selfBilled),
      ...changed.map(
        ({ balance, balance: { dispute }, amountCents }) =>
          `${dispute.consignment} on ${nameBill(dispute)} was raised for ${money(getRaisedCents(balance))}, and would be ${money(amountCents)} now`,
      ),
      ...limit(
        gone.map(
          ({ dispute, openCents }) =>
            `${dispute.consignment} on ${nameBill(dispute)} still has ${money(openCents)} open, but the bill as it is now does not overcharge it. If the bill was corrected: freight disputes credited ${dispute.id.slice(0, 8)} --why corrected`,
        ),
      ),
      ...limit(
        linked.map(
          ({ dispute, openCents }) =>
            `${dispute.consignment} on ${nameBill(dispute)} still has ${money(openCents)} open, raised before it was linked to a shipment: freight disputes written-off ${dispute.id.slice(0, 8)} --why linked`,
        ),
      ),
      ...limit(
        missing.map(
          (credit) =>
            `${nameBill(credit)} credited ${money(getChargedCents(credit))} for ${credit.consignment || "no consignment"} when it was audited before, and does not name it now: that still counts. If it was withdrawn, audit the bill with a row of 0.00 for it`,
        ),
      ),
      ...surplus.map(
        ({ credit, cents, usedCents }) =>
          `${money(cents - usedCents)} of the credit for ${credit.consignment || "no consignment"} on ${nameBill(credit)} is more than was disputed: freight disputes credits`,
      ),
    ],
  }
}

/** `Already raised: 2 disputes, AUD 29.53 (27.53 credited, 2.00 denied, 0.00 open).` The open amount is always given. */
function describeRaisedBefore(before: readonly DisputeBalance[]): string {
  const add = (get: (balance: DisputeBalance) => number) => before.reduce((sum, each) => sum + get(each), 0)
  const closed: [string, number][] = [
    ["credited", add(({ creditedCents }) => creditedCents)],
    ["denied", add(({ deniedCents }) => deniedCents)],
    ["written off", add(({ writtenOffCents }) => writtenOffCents)],
  ]
  const parts = [
    ...closed.filter(([, cents]) => cents > 0),
    ["open", add(({ openCents }) => openCents)] as const,
  ].map(([word, cents]) => `${formatCents(cents)} ${word}`)
  const raised = money(add(({ dispute }) => dispute.amountCents))
  return `Already raised: ${counted(before.length, "dispute")}, ${raised} (${parts.join(", ")}).`
}

/** If a consignment is disputed on several bills, says how many consignments the disputes cover, as the audit counts those. */
function describeSpread(raised: RecordedAudit["raised"]): string {
  const named = new Set(raised.map(({ consignment, id }) => consignment || id)).size
  return named === raised.length ? "" : ` of ${counted(named, "consignment")}`
}

/** For people: open disputes that were raised against their own bill, and how to correct them. */
export function describeSelfBilled(selfBilled: readonly DisputeBalance[]): string[] {
  return Array.from(
    groupBy(selfBilled, ({ dispute }) => JSON.stringify([nameBill(dispute), dispute.file])).values(),
    (some) => {
      const [{ dispute }] = some as [DisputeBalance]
      return `${counted(some.length, "dispute")} of ${nameBill(dispute)}, ${sumOpen(some)} open, were raised by mistake: two workstations audited the bill at once, and it was taken for two bills. Audit it again to write them off and raise the right ones: freight audit ${quoteBlanks(dispute.file)} --raise`
    },
  )
}

function describeMistaken(mistaken: readonly DisputeBalance[]): string[] {
  if (mistaken.length === 0) return []
  const sent = mistaken.filter(({ sentOn }) => sentOn !== "").length
  return [
    `Written off: ${counted(mistaken.length, "dispute")}, ${sumOpen(mistaken)}, raised by mistake when two workstations audited the bill at once, and it was taken for two bills.`,
    ...(sent > 0
      ? [
          `${counted(sent, "dispute")} of these had been sent to the carrier. Tell it that they were a mistake, and send the right ones: freight disputes`,
        ]
      : []),
  ]
}

function describePayments(payments: RecordedAudit["payments"], word: string, sign: 1 | -1): string[] {
  const some = payments.filter(({ cents }) => cents * sign > 0)
  const sum = some.reduce((cents, payment) => cents + payment.cents * sign, 0)
  const disputes = new Set(some.map(({ dispute }) => dispute.id))
  return some.length === 0 ? [] : [`${word}: ${money(sum)} of ${counted(disputes.size, "dispute")}.`]
}

/** Maximum number of changes of one kind listed one by one. */
const MAX_LISTED = 20

function limit(texts: readonly string[]): string[] {
  const more = texts.length - MAX_LISTED
  return more > 0 ? [...texts.slice(0, MAX_LISTED), `and ${more} more of these`] : [...texts]
}
