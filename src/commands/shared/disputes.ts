/** What `audit`, `disputes` and `today` share. */
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import type { Ledgers, Session } from "../../command/deps.ts"
import { type DisputeDays, parseDisputeDays } from "../../bills/disputes/deadline.ts"
import type { Author } from "../../bills/disputes/settle.ts"

/** @param on milliseconds since the epoch: the day of a step, where it is not today */
export function readAuthor(
  { sender, clock }: Pick<Ledgers & Session, "sender" | "clock">,
  on?: number,
): Author {
  return { ...sender, day: formatDate(wallClockNow(on ?? clock.now())) }
}

/** As the profile has it; none where it is not set. */
export function readDisputeDays({ settings }: Pick<Session, "settings">): DisputeDays {
  return parseDisputeDays(settings.value("disputeDays") ?? "") ?? new Map()
}

/** Says what is to be moved in the books for disputes that were settled after their bill was posted, or are open again. */
export async function noteToMove(
  { readLedger, note }: Pick<Ledgers & Session, "readLedger" | "note">,
  disputeIds: readonly string[],
): Promise<void> {
  if (disputeIds.length === 0) return
  const { readBalances } = await import("../../bills/books/account.ts")
  const { describeToMove } = await import("../../bills/books/clearing-report.ts")
  const { store } = await readLedger()
  for (const line of describeToMove(await readBalances(store.database, disputeIds))) await note(line)
}
