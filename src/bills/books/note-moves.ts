import type { Ledgers, Session } from "../../session/index.ts"

/** Notes the transfers to make in the books for disputes that were settled or reopened after their bill was posted. */
export async function noteToMove(
  { readLedger, note }: Pick<Ledgers & Session, "readLedger" | "note">,
  disputeIds: readonly string[],
): Promise<void> {
  if (disputeIds.length === 0) return
  const { readBalances } = await import("./account.ts")
  const { describeToMove } = await import("./clearing-report.ts")
  const { store } = await readLedger()
  for (const line of describeToMove(await readBalances(store.database, disputeIds))) await note(line)
}
