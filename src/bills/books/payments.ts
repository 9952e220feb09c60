/** How payments are entered in accounting programs. Their help describes no import of bill payments. */
import { amountOf, formatMoney } from "../../base/money.ts"
import type { Payment } from "../records/payments.ts"
import { sumCents } from "../pay/decide.ts"
import type { Program } from "../programs.ts"
import { BILL_CURRENCY } from "../verdicts.ts"

interface Entry {
  where: string
  /** The program's name for a bill with a negative total. */
  credit: string
}

const ENTRIES: Readonly<Record<Program, Entry>> = {
  xero: { where: "In Xero, open the bill and add a payment", credit: "credit note" },
  myob: { where: "In MYOB AccountRight, Purchases, Pay Bills", credit: "supplier debit" },
  quickbooks: { where: "In QuickBooks Online, Pay bills", credit: "supplier credit" },
}

const sum = (cents: number) => formatMoney(amountOf(cents), BILL_CURRENCY)

/** The lines to type for payments: a heading, and a line for each. */
export function describePaymentEntries(payments: readonly Payment[], program: Program): string[] {
  const { where, credit } = ENTRIES[program]
  const own = payments.filter(({ undone }) => undone === undefined)
  if (own.length === 0) return []
  return [`${where}:`, ...own.map((payment) => `  ${describeEntry(payment, credit)}`)]
}

function describeEntry(payment: Payment, credit: string): string {
  const { supplier, billNumber, paid, setOff, withheld, credited, day } = payment
  const creditedCents = sumCents(credited)
  const parts = [
    ...(paid > 0 ? [`${sum(paid)} on ${day}`] : []),
    ...Object.entries(setOff).map(([number, cents]) => `apply ${sum(cents)} of the ${credit} ${number}`),
    ...(creditedCents > 0
      ? [`apply a ${credit} of ${sum(creditedCents)} that you enter on the clearing account`]
      : []),
  ]
  const open = sumCents(withheld)
  const rest = open > 0 ? `; ${sum(open)} stays open, and is on the clearing account until it is settled` : ""
  return `bill ${billNumber} of ${supplier}: ${parts.join(", and ")}${rest}`
}
