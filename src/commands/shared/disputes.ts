/** What `audit`, `disputes` and `today` share. */
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import type { Ledgers, Session } from "../../deps.ts"
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
