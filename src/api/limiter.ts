import type { Clock } from "../ports.ts"

const FIRST_GAP_MS = 100
const LONGEST_GAP_MS = 2_000
const EASING = 0.9

/** Shared by all workers of a process: when the server turns one of them away, all of them slow down. */
export interface Limiter {
  /** Waits for this caller's turn to send; rejects with the signal's reason when it is aborted. */
  turn(signal?: AbortSignal): Promise<void>
  /** The server asked for a pause of `ms`: nobody sends before it is over, and then one after the other. */
  slowDown(ms: number): void
  /** What was sent in a turn has ended, well or badly. */
  finished(): void
}

/**
 * Sends at full speed until `slowDown`. After a pause the waiting callers do not start all at once, which would only
 * bring the next refusal: they keep a gap, which doubles with each further pause and shrinks with each turn taken.
 */
export function createLimiter(clock: Clock): Limiter {
  let pausedUntil = 0
  let nextTurn = 0
  let gap = 0
  return {
    async turn(signal) {
      let at: number
      do {
        at = Math.max(clock.now(), pausedUntil, nextTurn)
        nextTurn = at + gap
        const wait = at - clock.now()
        if (wait > 0) await clock.sleep(wait, signal)
        // While this caller waited, another one may have been turned away.
      } while (pausedUntil > at)
      gap = gap * EASING < FIRST_GAP_MS / 2 ? 0 : gap * EASING
    },
    slowDown(ms) {
      const now = clock.now()
      // Refusals of requests that were under way when the pause began belong to the same pause.
      if (now >= pausedUntil) gap = Math.min(Math.max(gap * 2, FIRST_GAP_MS), LONGEST_GAP_MS)
      pausedUntil = Math.max(pausedUntil, now + ms)
    },
    finished() {},
  }
}
