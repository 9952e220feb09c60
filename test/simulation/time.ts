/** Time that goes on only when it is told to, and chance that can be had again. */
import { turns } from "../../src/base/turns.ts"
import { numbersFrom } from "../acceptance/numbers.ts"

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const START = Date.parse("2026-11-20T00:00:00Z")
/** Turns of the event loop in which what does not wait for time comes to rest. */
const REST_TURNS = 12

export interface Chance {
  /** From 0 to 1. */
  next(): number
  of(share: number): boolean
  pick<T>(from: readonly T[]): T
  /** With it the rest can be had alone. */
  seed(): number
}

export function chanceFrom(seed: number): Chance {
  const next = numbersFrom(seed)
  return {
    next,
    of: (share) => next() < share,
    pick: <T>(from: readonly T[]) => from[Math.floor(next() * from.length)] as T,
    seed: next.seed,
  }
}

export interface SimulatedTime {
  /** Milliseconds since the epoch, as they truly are: no clock of a desk need show them. */
  now(): number
  elapsed(): number
  sleep(ms: number): Promise<void>
  /** Repeats some work; returns a function that stops it. */
  every(ms: number, work: () => void): () => void
  /** Lets so much time go by, with all that happens in it. */
  advance(ms: number): Promise<void>
  /** Lets all work go on that does not wait for time. */
  rest(): Promise<void>
}

export function createTime(): SimulatedTime {
  let elapsed = 0
  let sleepers: { at: number; wake: () => void }[] = []
  const timers = new Set<{ at: number; ms: number; work: () => void }>()
  const findNext = () => {
    let soonest = Number.POSITIVE_INFINITY
    for (const { at } of sleepers) if (at < soonest) soonest = at
    for (const { at } of timers) if (at < soonest) soonest = at
    return soonest
  }
  const rest = () => turns(REST_TURNS)
  return {
    now: () => START + elapsed,
    elapsed: () => elapsed,
    sleep: (ms) => new Promise((resolve) => sleepers.push({ at: elapsed + ms, wake: resolve })),
    every(ms, work) {
      const timer = { at: elapsed + ms, ms, work }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const end = elapsed + ms
      for (let next = findNext(); next <= end; next = findNext()) {
        elapsed = Math.max(elapsed, next)
        const awake = sleepers.filter(({ at }) => at <= elapsed)
        sleepers = sleepers.filter(({ at }) => at > elapsed)
        for (const timer of timers)
          if (timer.at <= elapsed) {
            timer.at = elapsed + timer.ms
            timer.work()
          }
        for (const { wake } of awake) wake()
        await rest()
      }
      elapsed = end
      await rest()
    },
    rest,
  }
}
