/** What an audit says of the disputes that it raised, and of what carriers paid. */
import { BILL_CURRENCY } from "../contract/bills.ts"
import { counted } from "../contract/counted.ts"
import { amountOf, formatMoney } from "../contract/money.ts"
import { type Kept, nameBill } from "./keep.ts"

const money = (cents: number) => formatMoney(amountOf(cents), BILL_CURRENCY)

export function describeKept(
  { raised, before, payments, guesses, surplus }: Kept,
  isToRaise: boolean,
): { notes: string[]; warnings: string[] } {
  const sum = raised.reduce((cents, { amountCents }) => cents + amountCents, 0)
  const paid = payments.reduce((cents, payment) => cents + payment.cents, 0)
  const [guess, ...others] = guesses
  const changed = before.filter(({ dispute, amountCents }) => dispute.amountCents !== amountCents)
  return {
    notes: [
      ...(isToRaise && raised.length > 0
        ? [`Raised: ${counted(raised.length, "dispute")}, ${money(sum)}. freight disputes`]
        : []),
      ...(before.length > 0
        ? [`${counted(before.length, "dispute")} had been raised before, and stay as they are.`]
        : []),
      ...(payments.length > 0
        ? [
            `Credited: ${money(paid)} of ${counted(new Set(payments.map(({ dispute }) => dispute.id)).size, "dispute")}.`,
          ]
        : []),
      ...(guess
        ? [
            `A credit of ${guess.credit.consignment || nameBill(guess.credit)} is just what is open for ${guess.dispute.consignment}${others.length > 0 ? `, or for ${counted(others.length, "other")}` : ""}. If it is meant: freight disputes confirm ${guess.credit.id.slice(0, 8)} ${guess.dispute.id.slice(0, 8)}`,
          ]
        : []),
    ],
    warnings: [
      ...changed.map(
        ({ dispute, amountCents }) =>
          `${dispute.consignment} on ${nameBill(dispute)} was raised for ${money(dispute.amountCents)}, and would be ${money(amountCents)} now`,
      ),
      ...surplus.map(
        ({ credit, cents, usedCents }) =>
          `${money(cents - usedCents)} of the credit for ${credit.consignment || "no consignment"} on ${nameBill(credit)} is more than was disputed: freight disputes credits`,
      ),
    ],
  }
}
