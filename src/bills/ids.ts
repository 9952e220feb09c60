/** IDs that are derived from their content: the same on every workstation and in merged ledgers. */
import { createHash } from "node:crypto"

export function toId(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)
}

/** For the step that undoes another. */
export function toReopeningId(stepId: string): string {
  return toId("reopened", stepId)
}

/** For the credit that a grown bill gives for a dispute raised on it before. */
export function toLaterCreditId(disputeId: string): string {
  return toId(disputeId, "credited by its own bill")
}

/** For the step that writes off a dispute against its own bill. */
export function toWithdrawalId(disputeId: string): string {
  return toId(disputeId, "raised against its own bill")
}
