import { AT_ONCE, createLimiter, LONG_RUN } from "../api/index.ts"
import { formatTime, wallClockNow } from "../base/wall-clock.ts"
import type { Session } from "../session/index.ts"
import { CLEAR_LINE } from "../output/index.ts"

/** Limits a long run's requests to the freight API: it waits out long pauses, and reports each. */
export function limitLongRun({ clock, note, terminal }: Session, atOnce = AT_ONCE) {
  const report = async (until: number) => {
    if (terminal.stderr.isTTY) await terminal.stderr.write(CLEAR_LINE)
    await note(
      `The freight API is limiting requests (429): waiting until ${formatTime(wallClockNow(until))}.`,
    )
  }
  // If the reader of standard error is gone, the run continues.
  const limiter = createLimiter(clock, atOnce, (until) => void report(until).catch(() => {}))
  return { limiter, rateLimitPolicy: LONG_RUN }
}
