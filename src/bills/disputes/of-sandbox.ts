/** The disputes with the sandbox's carriers. */
import type { Deps } from "../../session/index.ts"
import { toDisputeBalances } from "./balance.ts"

/** Open amounts of the disputes in the sandbox's own ledger, with or without `--sandbox`. */
export async function readSandboxDisputes({
  stateDir,
  ledgerPorts,
  note,
}: Pick<Deps, "stateDir" | "ledgerPorts" | "note">) {
  const { openLedger } = await import("../../ledger/open.ts")
  const place = { address: undefined, from: "ledger", folder: `${stateDir}/sandbox` }
  const { store } = await openLedger(place, ledgerPorts, note, true)
  const { readDisputes } = await import("../records/disputes.ts")
  const book = await readDisputes(store.database)
  await store.close()
  return toDisputeBalances(book).map(({ dispute, openCents }) => ({ ...dispute, openCents }))
}
