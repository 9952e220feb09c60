/** What an audit says of the disputes that it raised, and of what carriers paid. */
import { BILL_CURRENCY } from "../contract/bills.ts"
import { counted } from "../contract/counted.ts"
import { amountOf, formatMoney } from "../contract/money.ts"
import { getAskedCents } from "../audit/amounts.ts"
import type { Kept } from "./keep.ts"
import { nameBill } from "./settle.ts"

const money = (cents: number) => formatMoney(amountOf(cents), BILL_CURRENCY)

export function describeKept(
  { raised, before, payments, guesses, surplus, gone, missing }: Kept,
  isToRaise: boolean,
): { notes: string[]; warnings: string[] } {
  const sum = raised.reduce((cents, { amountCents }) => cents + amountCents, 0)
  const [guess, ...others] = guesses
  const changed = before.filter(
    ({ standing: { dispute, openCents }, amountCents }) =>
      dispute.amountCents !== amountCents && openCents !== amountCents,
  )
  return {
    notes: [
      ...(isToRaise && raised.length > 0
        ? [`Raised: ${counted(raised.length, "dispute")}, ${money(sum)}. freight disputes`]
        : []),
      ...(before.length > 0
        ? [`${counted(before.length, "dispute")} had been raised before, and stay as they are.`]
        : []),
      ...describePayments(payments, "Credited", 1),
      ...describePayments(payments, "Taken back, because a bill was corrected", -1),
      ...(guess
        ? [
            `A credit of ${guess.credit.consignment || nameBill(guess.credit)} is just what is open for ${guess.dispute.consignment}${others.length > 0 ? `, or for ${counted(others.length, "other")}` : ""}. If it is meant: freight disputes confirm ${guess.credit.id.slice(0, 8)} ${guess.dispute.id.slice(0, 8)}`,
          ]
        : []),
    ],
    warnings: [
      ...changed.map(
        ({ standing: { dispute }, amountCents }) =>
          `${dispute.consignment} on ${nameBill(dispute)} was raised for ${money(dispute.amountCents)}, and would be ${money(amountCents)} now`,
      ),
      ...limit(
        gone.map(
          ({ dispute, openCents }) =>
            `${dispute.consignment} on ${nameBill(dispute)} is open with ${money(openCents)}, and is not to be disputed on the bill as it is now. If it was corrected: freight disputes credited ${dispute.id.slice(0, 8)} --why corrected`,
        ),
      ),
      ...limit(
        missing.map(
          (credit) =>
            `${nameBill(credit)} credited ${money(getAskedCents(credit))} for ${credit.consignment || "no consignment"} when it was audited before, and does not name it now: that still counts. If it was withdrawn, audit the bill with a row of 0.00 for it`,
        ),
      ),
      ...surplus.map(
        ({ credit, cents, usedCents }) =>
          `${money(cents - usedCents)} of the credit for ${credit.consignment || "no consignment"} on ${nameBill(credit)} is more than was disputed: freight disputes credits`,
      ),
    ],
  }
}

function describePayments(payments: Kept["payments"], word: string, sign: 1 | -1): string[] {
  const some = payments.filter(({ cents }) => cents * sign > 0)
  const sum = some.reduce((cents, payment) => cents + payment.cents * sign, 0)
  const disputes = new Set(some.map(({ dispute }) => dispute.id))
  return some.length === 0 ? [] : [`${word}: ${money(sum)} of ${counted(disputes.size, "dispute")}.`]
}

/** Maximum number of changes of one kind told one by one. */
const MOST_TOLD = 20

function limit(texts: readonly string[]): string[] {
  const more = texts.length - MOST_TOLD
  return more > 0 ? [...texts.slice(0, MOST_TOLD), `and ${more} more of these`] : [...texts]
}
