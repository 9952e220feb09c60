/** The number of concurrent requests to a service, and their rate: shared by all workers of a process. */
import type { Clock } from "../base/ports.ts"

/** Default number of concurrent requests; a batch has its own (`--concurrency`). */
export const AT_ONCE = 16
const FIRST_GAP_MS = 100
const MAX_GAP_MS = 5_000
const EASING = 0.9
/** Shorter waits are not reported, nor is a pause that grows by less. */
const REPORTED_WAIT_MS = 2_000

export type Limiter = ReturnType<typeof createLimiter>

/**
 * Lets at most `window` requests be under way. The window begins at `most`; each pause that the service asks for halves
 * it, and each window's worth of successful requests adds one (additive increase, multiplicative decrease). If even one at
 * a time is too many, a gap is kept between requests, which doubles and shrinks in the same way.
 * @param onPause called once for each pause that something waits for, with its end in milliseconds since the epoch
 */
export function createLimiter(clock: Clock, most = AT_ONCE, onPause: (until: number) => void = () => {}) {
  let window = most
  let gap = 0
  let pausedUntil = 0
  let reportedUntil = 0
  let nextStart = 0
  const room = () => Math.floor(window)
  // Before its requests, work waits for the disk, not for the service.
  const admittedFor = (requests: number) => 2 * requests - 1
  const requests = createSemaphore(room)
  const works = createSemaphore(() => admittedFor(room()))

  const waitOutPause = async (signal: AbortSignal | undefined): Promise<void> => {
    for (let wait = pausedUntil - clock.now(); wait > 0; wait = pausedUntil - clock.now()) {
      if (Math.min(wait, pausedUntil - reportedUntil) >= REPORTED_WAIT_MS) {
        reportedUntil = pausedUntil
        onPause(pausedUntil)
      }
      await clock.sleep(wait, signal)
    }
  }

  return {
    /** Requests that may be under way at once now: from 1 to `most`. */
    get window(): number {
      return room()
    },
    /**
     * Pieces of work to begin at once: those admitted, and those that wait for the disk before that and after their
     * replies.
     */
    mostAtWork: 4 * most - 3,
    /**
     * Does work that sends one request at a time, once there is room and no pause. Rejects as `takeTurn`.
     * @param work calls `leave` once it will send nothing more, to make room for others; at its end it leaves anyway
     */
    async admit<T>(work: (leave: () => void) => Promise<T>, signal?: AbortSignal): Promise<T> {
      await works.acquire(signal)
      let isInside = true
      const leave = () => {
        if (isInside) works.release()
        isInside = false
      }
      try {
        await waitOutPause(signal)
        return await work(leave)
      } finally {
        leave()
      }
    },
    /** Waits until a request may be sent; rejects with the signal's reason. Call `endTurn` when the request has ended. */
    async takeTurn(signal?: AbortSignal): Promise<void> {
      await requests.acquire(signal)
      try {
        const start = Math.max(clock.now(), nextStart)
        nextStart = start + gap
        if (start > clock.now()) await clock.sleep(start - clock.now(), signal)
        await waitOutPause(signal)
      } catch (error) {
        requests.release()
        throw error
      }
    },
    /** The server asked for a pause of `ms`: nothing is sent before its end, and fewer requests at once after it. */
    slowDown(ms: number): void {
      const now = clock.now()
      // Refusals of requests sent before the pause belong to the same pause.
      if (now >= pausedUntil) {
        if (window < 2) gap = Math.min(Math.max(gap * 2, FIRST_GAP_MS), MAX_GAP_MS)
        window = Math.max(1, window / 2)
      }
      pausedUntil = Math.max(pausedUntil, now + ms)
    },
    endTurn(): void {
      if (clock.now() >= pausedUntil) {
        gap = gap * EASING < FIRST_GAP_MS / 2 ? 0 : gap * EASING
        if (gap === 0) window = Math.min(most, window + 1 / window)
      }
      requests.release()
    },
  }
}

/** Admits as many as there is room for; the others wait in order, or reject with the reason of their signal. */
function createSemaphore(room: () => number) {
  let inside = 0
  const waiting = new Set<() => void>()

  const admitWaiting = () => {
    for (const next of waiting) {
      if (inside >= room()) return
      waiting.delete(next)
      inside++
      next()
    }
  }

  return {
    acquire(signal: AbortSignal | undefined): Promise<void> {
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
        admitWaiting()
      })
    },
    release() {
      inside--
      admitWaiting()
    },
  }
}

/**
 * Does `work` for every item, `count` at a time, until there are none or `isOver`. After an error no more is begun.
 * @throws an error of `work` or of the items, once everything under way has ended
 */
export async function workThrough<T>(
  items: AsyncIterable<T> | Iterable<T>,
  count: number,
  work: (item: T) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let hasFailed = false
  const worker = async () => {
    try {
      while (!hasFailed && !isOver()) {
        const next = await source.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: count }, worker))
  for (const end of ends) if (end.status === "rejected") throw end.reason
}
