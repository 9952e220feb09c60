/** Takes the step back that closed a dispute last, by a step of its own: pure. */
import type { Step } from "../../ledger/index.ts"
import { toReopeningId, toWithdrawalId } from "../ids.ts"
import type { DisputeBalance } from "./balance.ts"

/** The ids of steps by which a person took another back. */
export function listReopenings(steps: readonly Step[]): ReadonlySet<string> {
  const ids = new Set(steps.map(({ id }) => id))
  return new Set(steps.map(({ id }) => toReopeningId(id)).filter((id) => ids.has(id)))
}

/** Whether a person took back what this credit paid of a dispute: then it pays it only if a person says so again. */
export function isParted(steps: readonly Step[], creditId: string): boolean {
  const ofCredit = steps.filter((step) => step.creditId === creditId)
  return ofCredit.length > 0 && listReopenings(ofCredit).size > 0
}

/** Whether nothing closed a dispute since it was reopened. */
export function isReopened({ steps }: Pick<DisputeBalance, "steps">): boolean {
  const reopenings = listReopenings(steps)
  const last = steps.findLast(({ amountCents }) => amountCents !== 0)
  return last !== undefined && (reopenings.has(last.id) || reopenings.has(toReopeningId(last.id)))
}

/**
 * What takes the last step back that still closes something: all that its credit paid, or what is left of a person's step.
 * @returns undefined where there is none; what was raised by mistake stays written off
 */
export function takeLastBack({
  dispute,
  steps,
}: Pick<DisputeBalance, "dispute" | "steps">):
  | Pick<Step, "id" | "kind" | "amountCents" | "creditId" | "creditCents">
  | undefined {
  const reopenings = listReopenings(steps)
  const closing = steps.filter(({ id }) => id !== toWithdrawalId(dispute.id))
  for (const { id, kind, amountCents, creditId } of closing.toReversed()) {
    if (amountCents <= 0 || reopenings.has(toReopeningId(id))) continue
    const same = closing.filter((step) => step.kind === kind && step.creditId === creditId)
    const left = same.reduce((sum, step) => sum + step.amountCents, 0)
    const cents = creditId === undefined ? Math.min(amountCents, left) : left
    if (cents <= 0) continue
    const taken = { id: toReopeningId(id), kind, amountCents: -cents }
    if (creditId === undefined) return taken
    return {
      ...taken,
      creditId,
      creditCents: 0 - same.reduce((sum, step) => sum + (step.creditCents ?? 0), 0),
    }
  }
  return undefined
}
