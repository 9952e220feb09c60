/** Compares the payments of one bill in two ledgers when they are merged. */
import { amountOf, formatMoney } from "../../base/money.ts"
import type { Statements } from "../../ledger/index.ts"
import { type Payment, readPayments } from "../records/payments.ts"
import { BILL_CURRENCY } from "../verdicts.ts"

/**
 * Payments that both ledgers have with different amounts or days: the target's count.
 * @returns a sentence for each
 */
export async function describeOtherPayments(source: Statements, target: Statements): Promise<string[]> {
  const byId = new Map((await readPayments(target)).map((each) => [each.id, each]))
  return (await readPayments(source)).flatMap((each) => {
    const kept = byId.get(each.id)
    if (!kept || describe(kept) === describe(each)) return []
    const bill = `bill ${each.billNumber} of ${each.supplier}`
    return `${bill} was paid in both ledgers: ${describe(kept)} counts, and ${describe(each)} was not copied. See at the bank what was paid`
  })
}

/** `AUD 33.00 on 2026-11-24` */
function describe({ paid, day, undone }: Payment): string {
  return undone === undefined
    ? `${formatMoney(amountOf(paid), BILL_CURRENCY)} on ${day}`
    : `a payment that was undone on ${day}`
}
