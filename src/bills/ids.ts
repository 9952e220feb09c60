/** Ids that are made from what they stand for: the same at every desk, and in ledgers that are copied together. */
import { createHash } from "node:crypto"

export function toId(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)
}

/** Of the step that takes another back. */
export function toReopeningId(stepId: string): string {
  return toId("reopened", stepId)
}

/** Of what a bill that has grown gives back of a dispute that was raised on it before. */
export function toLaterCreditId(disputeId: string): string {
  return toId(disputeId, "credited by its own bill")
}

/** Of the step that writes off what was raised against its own bill. */
export function toWithdrawalId(disputeId: string): string {
  return toId(disputeId, "raised against its own bill")
}
