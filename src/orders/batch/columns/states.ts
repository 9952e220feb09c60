/** The progress of an order as a table states it, in columns and words that are not specific to a shop. */
import { readYesNo } from "../../../base/yes-no.ts"
import { saysNothing } from "../../../base/nothing.ts"
import type { Bearing, StatusMeaning, StatusSign, StatusWords } from "../../../input/index.ts"

/** Statuses in the form of `plainStatus`. Any other status is unknown. */
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
    ...["pick", "pack", "pending-dispatch", "pending-despatch", "payment-accepted", "processing-in-progress"],
  ],
  waits: [
    ...["pending", "on-hold", "hold", "held", "unpaid", "not-paid", "awaiting-payment", "authorized"],
    ...["partially-paid", "overdue", "draft", "quote", "quoted", "backorder", "back-order", "backordered"],
    ...["back-ordered", "on-backorder", "pre-order", "payment-review", "holded", "incomplete"],
  ],
  leftOut: [
    ...["cancelled", "void", "voided", "refunded", "returned", "declined", "failed", "rejected", "deleted"],
    ...["completed", "complete", "fulfilled", "shipped", "dispatched", "despatched", "sent", "delivered"],
    ...["collected", "picked-up", "closed", "archived", "trash", "do-not-ship", "do-not-send"],
    ...["do-not-dispatch", "do-not-despatch"],
    ...["awaiting-pickup", "ready-for-pickup", "pickup", "in-transit", "out-for-delivery", "abandoned"],
  ],
  partly: [
    ...["partial", "partially-shipped", "part-shipped", "partially-fulfilled", "partially-refunded"],
    ...["partially-dispatched", "partially-despatched"],
  ],
} as const satisfies StatusWords

/** One spelling of a status, which shops write as `wc-on-hold`, `On hold` or `on_hold`. */
export function plainStatus(text: string): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^wc-/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
  return SYNONYMS[plain] ?? (plain || text.trim())
}

const SYNONYMS: Readonly<Record<string, string>> = {
  "pending-payment": "pending",
  "payment-pending": "pending",
  canceled: "cancelled",
  // Hand-written sheets have a word or two.
  cancel: "cancelled",
}

export function findMeaning(known: StatusWords, status: string): StatusMeaning | "unknown" {
  const [means] = Object.entries(known).find(([, words]) => words.includes(status)) ?? []
  return (means as StatusMeaning | undefined) ?? "unknown"
}

type StateSign = Pick<StatusSign, "status" | "onEveryLine"> & {
  readonly means: StatusMeaning | "unknown"
  says(text: string): boolean
}

interface StateColumn {
  readonly signs: readonly StateSign[]
  readonly bearing?: Omit<Bearing, "as">
}

/** Customer pickup; not a carrier's pickup point, to which goods are shipped. */
const PICKUP =
  /^(?!.*\b(?:points?|lockers?|parcel|courier|deliver\w*)\b).*(?:\bpick[ -]?up\b|local_pickup|pickup_location|click (?:&|and|\+) collect|\bcollect(?:ion)? (?:in|from|at)\b|\bin[ -]store\b)/i
const LOCAL_DELIVERY = /\blocal[ _-]?delivery\b/i
/** Payment gateways with which shops test their own checkout. */
const TEST_PAYMENT = /\bbogus\b/i

const isFilled = (text: string) => !saysNo(text)
const isNothing = (text: string) => saysNo(text) || /^\D?0(?:\.0+)?$/.test(text.trim())
const saysYesOrNo = (text: string) =>
  saysNo(text) || readYesNo(text) === true || /^(?:x|✓|✔|ok)$/i.test(text.trim())

export const STATE_COLUMNS: Readonly<Record<string, StateColumn>> = {
  status: {
    signs: [],
    bearing: { knows: (text) => findMeaning(ANY_STATUSES, plainStatus(text)) !== "unknown" },
  },
  cancelled: {
    signs: [{ status: "cancelled", means: "leftOut", says: isFilled }],
    bearing: { inShops: true },
  },
  onHold: { signs: [{ status: "on-hold", means: "waits", says: isFilled }] },
  shipped: { signs: [{ status: "shipped", means: "unknown", says: isFilled }] },
  trackingNumber: { signs: [{ status: "has-tracking-number", means: "unknown", says: isFilled }] },
  paid: {
    signs: [{ status: "unpaid", means: "waits", says: isNothing, onEveryLine: true }],
    bearing: { saysByEmpty: true },
  },
  toSend: {
    signs: [{ status: "not-to-send", means: "leftOut", says: saysNo, onEveryLine: true }],
    bearing: { saysByEmpty: true, knows: saysYesOrNo },
  },
  deliveryMethod: {
    signs: [
      { status: "pickup", means: "leftOut", says: (text) => PICKUP.test(text) },
      { status: "local-delivery", means: "leftOut", says: (text) => LOCAL_DELIVERY.test(text) },
    ],
    bearing: { inShops: true },
  },
  paymentMethod: {
    signs: [{ status: "test-order", means: "leftOut", says: (text) => TEST_PAYMENT.test(text) }],
    bearing: { inShops: true },
  },
  clickAndCollect: {
    signs: [{ status: "pickup", means: "leftOut", says: isFilled }],
    bearing: { inShops: true },
  },
  // These count together: see `readQuantities`.
  orderedQuantity: { signs: [], bearing: { inShops: true } },
  openQuantity: { signs: [], bearing: { inShops: true } },
  shippedQuantity: { signs: [], bearing: { inShops: true } },
  returnedQuantity: { signs: [], bearing: { inShops: true } },
}

export const QUANTITY_STATUSES = {
  nothing: { status: "nothing-to-ship", means: "leftOut" },
  part: { status: "partially-shipped", means: "partly" },
} as const

export const DESTINATION_STATUSES = {
  abroad: { status: "not-in-australia", means: "leftOut" },
  none: { status: "no-address", means: "incomplete" },
} as const

/** Words that people write alone in any cell of an order that must not be sent. */
export const STATED_ANYWHERE: readonly string[] = [
  ...["cancelled", "void", "voided", "refunded", "on-hold", "do-not-ship", "do-not-send"],
  ...["do-not-dispatch", "do-not-despatch"],
]

/** Whether a cell says no, whatever its column asks. */
export function saysNo(text: string): boolean {
  return readYesNo(text) === false || /^(?:-+|not yet)?$/i.test(text.trim()) || saysNothing(text)
}
