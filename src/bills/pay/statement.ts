/** A carrier's statement compared with bills to be paid. */
import { quoteBlanks } from "../../base/command-line.ts"
import { listSome } from "../../base/counted.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { STATES, type StatementRow } from "../statement/compare.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import type { Decision } from "./decide.ts"
import { isSameBill } from "./record.ts"

/** The state of a bill in a statement: the worst, if it is listed more than once. */
export function findOnStatement(rows: readonly StatementRow[], { bill }: Decision): StatementRow | undefined {
  const order = Object.keys(STATES)
  return rows
    .filter(
      (row) => row.bill && isSameBill({ supplier: row.bill.supplier, billNumber: row.bill.number }, bill),
    )
    .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))[0]
}

/** Maximum number of bills named in one line. */
const MAX_NAMED = 10

/** For people: what speaks against paying as listed. */
export function describeStatement(rows: readonly StatementRow[]): string[] {
  const missing = rows.filter(({ state }) => state === "missing").map(({ line }) => line.number)
  return [
    ...rows.flatMap((row) => describeRow(row) ?? []),
    ...(missing.length > 0 ? [`on the statement, and never audited: ${listSome(missing, MAX_NAMED)}`] : []),
  ]
}

const sum = (cents: number | undefined) => formatMoney(amountOf(cents ?? 0), BILL_CURRENCY)

function describeRow({
  bill,
  line,
  asked,
  paidCents = 0,
  recordedCents,
  withheldCents,
  state,
}: StatementRow): string | undefined {
  const name = `bill ${bill?.number} of ${bill?.supplier}`
  switch (state) {
    case "other-amount":
      return `the statement asks for another amount for ${name}: ${sum(line.cents)}, not ${sum(asked?.cents)}`
    case "paid-twice":
      return `the statement says that ${name} was paid twice: ${sum(paidCents)}, and it asks for ${sum(line.cents)}`
    case "overpaid":
      return `the statement says that more was paid of ${name} than it asks for: ${sum(paidCents)}, and it asks for ${sum(line.cents)}`
    case "listed-twice":
      return `${name} is on the statement more than once`
    case "withheld":
      return `the statement asks again for what is withheld of ${name}: ${sum(withheldCents)}`
    default:
      return bill && paidCents > recordedCents
        ? `the statement says that ${sum(paidCents)} of ${name} was paid, and ${sum(recordedCents)} is recorded here: if you paid it, freight pay ${quoteBlanks(bill.number)} --paid-elsewhere DAY`
        : undefined
  }
}
