/** What the ledger says of each row, whoever booked it and whether or not a run is going on. */
import { type LedgerReader, planByReference } from "./plan.ts"
import { invalidResult, type RowResult, resultOf } from "./result.ts"
import type { Row } from "./row.ts"

/**
 * Each row's state by its reference alone, in row order: nothing else of the row need be right, so that no flag of the
 * run has to be repeated.
 */
export async function* statusResults(
  ledger: LedgerReader,
  rows: AsyncIterable<Row>,
): AsyncGenerator<RowResult> {
  for await (const row of rows)
    yield row.reference === ""
      ? invalidResult(row)
      : resultOf(row, await planByReference(ledger, row.reference))
}
