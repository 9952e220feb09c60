import type { Statements } from "../../ledger/index.ts"
import { findPostings } from "../records/postings.ts"
import { readBills } from "../records/bills.ts"
import { readDisputes } from "../records/disputes.ts"
import { listActive } from "../books/clearing.ts"
import { sumCents } from "../pay/decide.ts"
import { readPaidDecisions } from "../pay/record.ts"
import { toDisputeBalances } from "../disputes/balance.ts"
import { compareStatement, keyOf, type StatementComparison } from "./compare.ts"
import type { StatementLine } from "./columns.ts"

export async function readComparison(
  statements: Statements,
  lines: readonly StatementLine[],
): Promise<StatementComparison> {
  const bills = await readBills(statements)
  const keys = new Set(lines.map(({ number }) => keyOf(number)))
  const numbers = [...new Set(bills.map(({ number }) => number))].filter((number) => keys.has(keyOf(number)))
  return compareStatement(lines, {
    bills,
    disputes: toDisputeBalances(await readDisputes(statements, { billNumbers: numbers })),
    postings: listActive(await findPostings(statements, numbers)),
    payments: (await readPaidDecisions(statements)).map(({ bill, paidCents, settledCents, withheld }) => ({
      ...{ supplier: bill.supplier, billNumber: bill.billNumber },
      recordedCents: paidCents + settledCents,
      recordedPaidCents: paidCents,
      withheldCents: sumCents(withheld),
    })),
  })
}
