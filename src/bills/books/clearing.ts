/** What stands on the clearing account for a dispute, and what credits bring back there: pure, in exact cents. */
import type { Step } from "../../ledger/records/disputes.ts"
import { listReopenings } from "../disputes/reopen.ts"
import type { Standing } from "../disputes/standing.ts"

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
export function reckonBack(cleared: Cleared, steps: readonly Step[]): Map<string, number> {
  return new Map(Array.from(walk(cleared, steps), ([creditId, each]) => [creditId, each.creditCents]))
}

/**
 * What stands there for a dispute, and what of it should not: cents on the dispute's basis.
 * @param postedAt when the bill of a credit was posted; undefined where it was not
 * @param movedCents what a person moved away, less what was moved back
 * @returns `toMoveCents` is negative where something is to be moved back there
 */
export function reckonOn(
  cleared: Cleared,
  { steps, openCents }: Pick<Standing, "steps" | "openCents">,
  postedAt: (creditId: string) => string | undefined,
  movedCents: number,
): { cents: number; toMoveCents: number } {
  let [back, coming] = [0, 0]
  for (const [creditId, { cents }] of walk(cleared, steps)) {
    const at = postedAt(creditId)
    if (at === undefined) coming += cents
    else
      back +=
        walk(
          cleared,
          steps.filter((step) => step.at <= at),
        ).get(creditId)?.cents ?? 0
  }
  const cents = cleared.cents - back - movedCents
  return { cents, toMoveCents: cents - Math.min(Math.max(openCents, 0), cleared.cents) - coming }
}

/** What each credit takes from there: on the dispute's basis, and on its own. */
function walk(
  { cents, at }: Cleared,
  steps: readonly Step[],
): Map<string, { cents: number; creditCents: number }> {
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
  return back
}
