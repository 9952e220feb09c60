/** Adds the ledger's data to output from the API. */
import { toStepError } from "../base/errors.ts"
import type { Ledgers, Session } from "../session/index.ts"

type Ledger = Awaited<ReturnType<Ledgers["readLedger"]>>

/**
 * Reads the ledger's data for output. If the ledger cannot be read, a warning names the missing data, and the rest is
 * shown.
 * @param missing the missing data, for people
 * @param nothing the result if there is no ledger, or it cannot be read
 */
export async function readLedgerOrWarn<Result>(
  { hasLedger, readLedger, warn }: Pick<Ledgers & Session, "hasLedger" | "readLedger" | "warn">,
  missing: string,
  nothing: Result,
  read: (ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  try {
    return (await hasLedger()) ? await read(await readLedger()) : nothing
  } catch (error) {
    await warn(`${missing}: ${toStepError(error).message}`)
    return nothing
  }
}
