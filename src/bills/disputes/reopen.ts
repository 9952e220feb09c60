/** Undoes the last closing step of a dispute, by a separate step: pure. */
import type { Step } from "../records/disputes.ts"
import { toReopeningId, toWithdrawalId } from "../ids.ts"
import type { DisputeBalance } from "./balance.ts"

/** The IDs of steps by which a person undid another step. */
export function listReopenings(steps: readonly Step[]): ReadonlySet<string> {
  const ids = new Set(steps.map(({ id }) => id))
  return new Set(steps.map(({ id }) => toReopeningId(id)).filter((id) => ids.has(id)))
}

/** Whether a person undid a payment of this credit: it pays the dispute again only if a person says so. */
export function isParted(steps: readonly Step[], creditId: string): boolean {
  const ofCredit = steps.filter((step) => step.creditId === creditId)
  return ofCredit.length > 0 && listReopenings(ofCredit).size > 0
}

/** Whether nothing has closed a dispute since it was reopened. */
export function isReopened({ steps }: Pick<DisputeBalance, "steps">): boolean {
  const reopenings = listReopenings(steps)
  const last = steps.findLast(({ amountCents }) => amountCents !== 0)
  return last !== undefined && (reopenings.has(last.id) || reopenings.has(toReopeningId(last.id)))
}

/**
 * The steps that undo the last step that still closes something: all that its credit paid, or the rest of a person's
 * step.
 * @returns undefined if there is none; disputes raised by mistake stay written off
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
