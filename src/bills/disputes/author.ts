import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import type { Ledgers, Session } from "../../session/index.ts"
import type { Author } from "./settle.ts"

/** @param on milliseconds since the epoch: the day of a step, if not today */
export function readAuthor(
  { sender, clock }: Pick<Ledgers & Session, "sender" | "clock">,
  on?: number,
): Author {
  return { ...sender, day: formatDate(wallClockNow(on ?? clock.now())) }
}
