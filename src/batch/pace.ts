/** The one limiter of a batch: it keeps the pauses that the service asks for, and finds the pace that it bears. */
import type { Limiter } from "../api/limiter.ts"
import type { Clock } from "../ports.ts"

const FIRST_GAP_MS = 100
const LONGEST_GAP_MS = 5_000
const EASING = 0.9

export interface Pace extends Limiter {
  /**
   * Does a piece of work that sends one request at a time, once there is room for it and no pause: what would have to
   * wait long is not begun. Rejects with the signal's reason when it is aborted before that.
   */
  admit<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** How many requests may be under way at once now: from 1 to the most that was asked for. */
  readonly window: number
  /** How many pieces of work are ever admitted at once. */
  readonly most: number
}

/**
 * Lets at most `window` requests be under way. The window begins at `most`; each pause that the service asks for halves
 * it, and each window's worth of requests that went well adds one (additive increase, multiplicative decrease). Where
 * even one at a time is too many, a gap is kept between them, which doubles and shrinks in the same way.
 */
export function createPace(clock: Clock, most: number): Pace {
  let window = most
  let gap = 0
  let pausedUntil = 0
  let nextStart = 0
  const room = () => Math.floor(window)
  // Some work stands at its beginning or end, where it waits for the disk and not for the service.
  const worksIn = (requests: number) => 2 * requests - 1
  const requests = gate(room)
  const works = gate(() => worksIn(room()))

  const pauseOver = async (signal: AbortSignal | undefined): Promise<void> => {
    for (let wait = pausedUntil - clock.now(); wait > 0; wait = pausedUntil - clock.now())
      await clock.sleep(wait, signal)
  }

  return {
    get window() {
      return room()
    },
    most: worksIn(most),
    async admit(work, signal) {
      await works.enter(signal)
      try {
        await pauseOver(signal)
        return await work()
      } finally {
        works.leave()
      }
    },
    async turn(signal) {
      await requests.enter(signal)
      try {
        const start = Math.max(clock.now(), nextStart)
        nextStart = start + gap
        if (start > clock.now()) await clock.sleep(start - clock.now(), signal)
        await pauseOver(signal)
      } catch (error) {
        requests.leave()
        throw error
      }
    },
    slowDown(ms) {
      const now = clock.now()
      // Refusals of requests that were under way when the pause began belong to the same pause.
      if (now >= pausedUntil) {
        if (window < 2) gap = Math.min(Math.max(gap * 2, FIRST_GAP_MS), LONGEST_GAP_MS)
        window = Math.max(1, window / 2)
      }
      pausedUntil = Math.max(pausedUntil, now + ms)
    },
    finished() {
      if (clock.now() >= pausedUntil) {
        gap = gap * EASING < FIRST_GAP_MS / 2 ? 0 : gap * EASING
        if (gap === 0) window = Math.min(most, window + 1 / window)
      }
      requests.leave()
    },
  }
}

interface Gate {
  /** Rejects with the signal's reason when it is aborted. */
  enter(signal: AbortSignal | undefined): Promise<void>
  leave(): void
}

/** Lets in as many as there is room for at the time; the others wait, first come first served. */
function gate(room: () => number): Gate {
  let inside = 0
  const waiting = new Set<() => void>()

  const letIn = () => {
    for (const next of waiting) {
      if (inside >= room()) return
      waiting.delete(next)
      inside++
      next()
    }
  }

  return {
    enter(signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const abort = () => {
          if (waiting.delete(next)) reject(signal?.reason)
        }
        const next = () => {
          signal?.removeEventListener("abort", abort)
          resolve()
        }
        signal?.addEventListener("abort", abort)
        waiting.add(next)
        letIn()
      })
    },
    leave() {
      inside--
      letIn()
    },
  }
}
