/** What a table says of how far an order is, in columns and words that no shop has to itself. */
import type { StatusMeaning, StatusWords } from "../../input/columns/notation.ts"

/** Statuses as `plainStatus` writes them. What is not here is not known. */
export const ANY_STATUSES = {
  ship: [
    ...["new", "open", "ready", "ready-to-ship", "ready-to-send", "to-ship", "to-send", "to-book", "active"],
    ...[
      "processing",
      "in-progress",
      "paid",
      "unfulfilled",
      "unshipped",
      "not-shipped",
      "confirmed",
      "approved",
    ],
    ...["awaiting-shipment", "awaiting-fulfillment", "awaiting-fulfilment", "awaiting-dispatch"],
    ...["awaiting-despatch", "ok", "released", "not-fulfilled", "awaiting-processing"],
  ],
  waits: [
    ...["pending", "on-hold", "hold", "held", "unpaid", "not-paid", "awaiting-payment", "authorized"],
    ...["partially-paid", "overdue", "draft", "quote", "quoted", "backorder", "back-order", "backordered"],
    ...["back-ordered", "on-backorder", "pre-order"],
  ],
  leftOut: [
    ...["cancelled", "void", "voided", "refunded", "returned", "declined", "failed", "rejected", "deleted"],
    ...["completed", "complete", "fulfilled", "shipped", "dispatched", "despatched", "sent", "delivered"],
    ...["collected", "picked-up", "closed", "archived", "trash", "do-not-ship", "do-not-send"],
    ...["do-not-dispatch", "do-not-despatch"],
  ],
  partly: [
    ...["partial", "partially-shipped", "part-shipped", "partially-fulfilled", "partially-refunded"],
    ...["partially-dispatched", "partially-despatched"],
  ],
} as const satisfies StatusWords

/** Columns of a state other than `status`: what a cell says that is neither empty nor `no`. */
export const STATE_COLUMNS: Readonly<Record<string, { status: string; means: StatusMeaning | "unknown" }>> = {
  cancelled: { status: "cancelled", means: "leftOut" },
  onHold: { status: "on-hold", means: "waits" },
  shipped: { status: "shipped", means: "unknown" },
  trackingNumber: { status: "has-tracking-number", means: "unknown" },
}

/** What people write into any cell of an order that is not to be sent, and nothing beside it. */
export const STATED_ANYWHERE: readonly string[] = [
  ...["cancelled", "void", "voided", "refunded", "on-hold", "do-not-ship", "do-not-send"],
  ...["do-not-dispatch", "do-not-despatch"],
]

/** A cell that says no, whatever its column asks. */
export function saysNo(text: string): boolean {
  return /^(?:no|n|false|0|none|-+|n\/a|not yet)?$/i.test(text.trim())
}
