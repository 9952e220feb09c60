/**
 * Leases. A claim says until when its sender may be sending it; the sender renews that while it sends, and sends nothing
 * once it has run out. So whoever finds a claim whose lease has run out knows that nobody is sending it any more.
 */
import type { Clock, SendLease } from "../ports.ts"

/** The longest time that a dead sender holds up the others. */
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
  /** @param began `elapsed` before the claim was sent to the database: the lease began no sooner */
  hold(id: string, began: number): SendLease & { end(): void }
}

/** Renews the leases of everything that this process is sending. */
export function createLeaseKeeper({ leaseMs, clock, every, renew }: KeeperOptions): LeaseKeeper {
  const ends = new Map<string, number>()
  let stop: (() => void) | undefined
  let isRenewing = false

  const renewAll = async () => {
    if (isRenewing) return
    isRenewing = true
    const began = elapsed(clock)
    const ids = [...ends.keys()].filter((id) => (ends.get(id) ?? 0) > began)
    try {
      for (const id of await renew(ids)) if (ends.has(id)) ends.set(id, began + leaseMs)
    } catch {
      // The lease expires unless the database is back in time.
    }
    isRenewing = false
  }

  return {
    hold(id, began) {
      ends.set(id, began + leaseMs)
      stop ??= every?.(leaseMs / 4, () => void renewAll())
      return {
        isHeld: () => elapsed(clock) < (ends.get(id) ?? 0),
        end() {
          ends.delete(id)
          if (ends.size > 0) return
          stop?.()
          stop = undefined
        },
      }
    },
  }
}

/** Milliseconds that go on evenly, also when the clock is set. */
export function elapsed(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now()
}
