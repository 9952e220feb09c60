import type { Ledgers, Session } from "../../session/index.ts"

/** Says what is to be moved in the books for disputes that were settled after their bill was posted, or are open again. */
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
