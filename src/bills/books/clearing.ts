/** What stands on the clearing account for a dispute, and what credits bring back there: pure, in exact cents. */
import type { Step } from "../../ledger/records/disputes.ts"
import { listReopenings } from "../disputes/reopen.ts"

/** What the posting of a disputed bill brought to the clearing account. */
export interface Cleared {
  /** On the dispute's basis. */
  cents: number
  /** When it was posted. ISO 8601 in UTC. */
  at: string
}

/**
 * Cents of each credit, on its own basis, that come back to the clearing account.
 * What was paid before the posting never went there. What was denied, written off or paid otherwise since, a person has
 * moved away: a credit that comes later finds nothing there, unless the person reopened the dispute and moved it back.
 * @param steps those of one dispute, in the order in which they were written
 */
export function reckonBack({ cents, at }: Cleared, steps: readonly Step[]): Map<string, number> {
  let balance = cents
  let away = 0
  const reopenings = listReopenings(steps)
  const back = new Map<string, { cents: number; creditCents: number }>()
  for (const { id, amountCents, creditId, creditCents = 0, at: writtenAt } of steps) {
    if (writtenAt <= at || amountCents === 0) continue
    if (creditId === undefined) {
      const moved = reopenings.has(id)
        ? Math.max(amountCents, -away)
        : Math.max(0, Math.min(amountCents, balance))
      balance -= moved
      away += moved
      continue
    }
    const before = back.get(creditId) ?? { cents: 0, creditCents: 0 }
    const own = amountCents > 0 ? Math.min(amountCents, balance) : Math.max(amountCents, -before.cents)
    const ownCredit =
      own === amountCents
        ? creditCents
        : own === -before.cents
          ? -before.creditCents
          : Math.round((creditCents * own) / amountCents)
    balance -= own
    back.set(creditId, { cents: before.cents + own, creditCents: before.creditCents + ownCredit })
  }
  return new Map(Array.from(back, ([creditId, each]) => [creditId, each.creditCents]))
}
