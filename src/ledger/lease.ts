/**
 * Leases. A claim states until when its sender may be sending it. The sender renews the lease while it sends, and sends
 * nothing after it has expired. An expired lease proves that no process is sending the claim.
 */
import type { Clock, SendLease } from "../base/ports.ts"

/** How long a dead sender can block the others (ms). */
export const LEASE_MS = 15_000

interface KeeperOptions {
  leaseMs: number
  clock: Clock
  /** Repeats some work; returns a function that stops it. Without it (in tests) nothing is renewed. */
  every?: ((ms: number, work: () => void) => () => void) | undefined
  /** Renews the leases in the database. @returns the ids whose lease still held */
  renew(ids: readonly string[]): Promise<readonly string[]>
}

export interface LeaseKeeper {
  /** Call it before the claim is sent to the database: the lease begins no sooner. */
  begin(): ClockReading
  hold(id: string, began: ClockReading): SendLease & { end(): void }
}

/** By both clocks: one can be set, and the other stops while the machine sleeps. */
interface ClockReading {
  wall: number
  even: number
}

/** Renews the leases of everything that this process is sending. */
export function createLeaseKeeper({ leaseMs, clock, every, renew }: KeeperOptions): LeaseKeeper {
  const began = new Map<string, ClockReading>()
  let stop: (() => void) | undefined
  let isRenewing = false

  const begin = () => ({ wall: clock.now(), even: elapsed(clock) })
  // If the clock was set back, it hides how long the machine slept, and others treat a lease far ahead as expired.
  const isOver = ({ wall, even }: ClockReading) =>
    Math.max(Math.abs(clock.now() - wall), elapsed(clock) - even) >= leaseMs

  const renewAll = async () => {
    if (isRenewing) return
    isRenewing = true
    const now = begin()
    try {
      // Also expired leases: their request may have been sent, and the database renews only unsettled entries.
      for (const id of await renew([...began.keys()])) if (began.has(id)) began.set(id, now)
    } catch {
      // The lease expires unless the database is back in time.
    }
    isRenewing = false
  }

  return {
    begin,
    hold(id, moment) {
      began.set(id, moment)
      stop ??= every?.(leaseMs / 4, () => void renewAll())
      return {
        isHeld() {
          const since = began.get(id)
          return since !== undefined && !isOver(since)
        },
        end() {
          began.delete(id)
          if (began.size > 0) return
          stop?.()
          stop = undefined
        },
      }
    },
  }
}

/** Monotonic milliseconds, unaffected when the clock is set. */
export function elapsed(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now()
}
