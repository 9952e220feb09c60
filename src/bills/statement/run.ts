/** Reads a carrier's statement from a file, and compares it with the ledger. */
import { FreightError } from "../../base/errors.ts"
import type { Asking, Ledgers, Session } from "../../session/index.ts"
import { type BillOptions, withBillColumns } from "../ask-columns.ts"
import type { StatementComparison } from "./compare.ts"
import { readComparison } from "./known.ts"
import { readStatement } from "./read.ts"

/**
 * Nothing is written to the ledger.
 * @param words of the command without its flags, for suggested commands
 */
export async function compareStatementFile(
  deps: Asking & Ledgers & Session,
  file: string,
  options: BillOptions,
  words: readonly string[],
): Promise<StatementComparison> {
  const lines = await withBillColumns(deps, options, [...words, "--statement", file], (reading) =>
    readStatement(file, reading),
  )
  if (lines.length === 0) throw new FreightError("input", `${file} has no invoice in it`)
  return readComparison((await deps.readLedger()).store.database, lines)
}
