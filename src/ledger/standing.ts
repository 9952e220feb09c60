/** Whether something may be sent, and the reason if not. Look-ups report it and claims act on it. */
import type { Entry } from "./entry.ts"
import type { Comparison, Difference } from "./order.ts"

interface Parts {
  /**
   * Nothing prevents sending. `earlier` is an entry to report: under a key, one with the same reference, goods and
   * receiver for another day; without a key, an equal one. `expired` would be equal within 24 hours, but is older by
   * this clock, where no key was given. Neither is set with `again`. `beside` has the same goods, receiver and day
   * under another number or none, and no known outcome.
   */
  free: { earlier?: Entry; expired?: Entry; beside?: Entry }
  /**
   * It was made under this key, and its result is returned again; `ignored` lists fields that differ without
   * identifying it.
   */
  booked: { entry: Entry; ignored: readonly Difference[] }
  /** It was made under this key, and its carrier has cancelled it: the key stays taken. */
  cancelled: { entry: Entry }
  /** Booked before, and changed since, or its cancellation was reversed. */
  changed: { entry: Entry; comparison: Comparison }
  /** The key was used for another pickup or print. */
  "key-taken": { entry: Entry }
  /**
   * An equal entry was made within 24 hours; or, at any age, one with its number in another spelling, or with its
   * reference, goods and collection day under another key.
   */
  equal: { entry: Entry }
  /** A shipment that it collects has a pickup; the ledger may not have that pickup. */
  "has-pickup": { shipmentId: string; reference: string | undefined; entry: Entry | undefined }
  /** The carrier has it, and the service has no record of it. */
  "at-carrier": { entry: Entry }
  /** Booked with another program, another ledger or in the portal, and it is the same order. */
  elsewhere: { entry: Entry; ignored: readonly Difference[] }
  /** Its sender's lease has not run out: it may be sending it now. */
  sending: { entry: Entry }
  /** It was sent, and its outcome is not known. */
  unknown: { entry: Entry }
  /** Sent with another API key that may be of the same account. */
  "other-account": { entry: Entry }
  /** A second consignment of an order that was never booked. */
  "not-before": { reference: string }
  /**
   * It is to replace a booking that its carrier has not cancelled; `beside` is another booking of its order that is
   * cancelled.
   */
  "not-cancelled": { entry: Entry; beside?: Entry }
}

export type StandingKind = keyof Parts

export type StandingOf<Kind extends StandingKind> = { [K in Kind]: { kind: K } & Parts[K] }[Kind]

export type Standing = StandingOf<StandingKind>

export type Refusing = StandingOf<Exclude<StandingKind, "free" | "booked">>

const SETTLED = ["booked", "elsewhere", "cancelled", "changed", "unknown"] as const

/** Whether an earlier send is the answer, so that errors of the order no longer matter. */
export function isSettled<Any extends { kind: string }>(
  standing: Any,
): standing is Extract<Any, { kind: (typeof SETTLED)[number] }> {
  return SETTLED.some((kind) => kind === standing.kind)
}
