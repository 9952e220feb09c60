/**
 * What the ledger knows of orders before they are priced, for the report; the claim alone is the truth. The questions of
 * several orders at once are one question to the database.
 */
import type { ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { referenceHash } from "../ledger/content.ts"
import { compareElsewhere } from "../ledger/elsewhere.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import { type Decision, isInFlight } from "../ledger/decision.ts"
import type { Entry } from "../ledger/entry.ts"
import { type Comparison, compareOrder, type Difference, type WrittenOrder } from "../ledger/order.ts"

/**
 * - `booked`: before, and it is the same order. Its result is given again; `ignored` has circumstances that differ.
 * - `changed`: booked before, and another order by now, or taken back.
 * - `unknown`: sent, without a known outcome.
 * - `sending`: another live process is sending it now.
 * - `duplicate`: something equal was booked under another key within 24 hours, or under another spelling of this one.
 * - `elsewhere`: booked with another program, another ledger or in the portal, and it is the same order: not sent.
 * - `other-account`: sent with another API key, of which it is not known whether it is of the same account.
 * - `not-before`: a second consignment of an order that was never booked.
 * - `new`: nothing keeps it from being sent. `before` is an earlier try that certainly created nothing.
 */
export type Known =
  | { is: "unknown" | "sending" | "duplicate" | "other-account"; entry: Entry }
  | { is: "booked" | "elsewhere"; entry: Entry; ignored: readonly Difference[] }
  | { is: "changed"; entry: Entry; comparison: Comparison }
  | { is: "not-before" }
  | { is: "new"; before: Entry | undefined }

/** An order as far as it is known: what is wrong with it does not matter if it was booked. */
export interface OrderQuestion {
  /** Of the ledger, without `key:`. */
  key: string
  /** Of the first consignment, where this is a second one that is meant. */
  firstKey?: string | undefined
  /** Of the second one, which may be this order as it is now, where the first has changed. */
  secondKey?: string | undefined
  written: WrittenOrder
  /** It was taken back: what was booked is another order by now. */
  isWithdrawn?: boolean | undefined
  /** What goes to whom, where that is to be compared with what was booked under other keys. */
  booking?:
    | Pick<ConsignmentBookingRequest, "customerReference" | "receiver" | "items" | "packages">
    | undefined
  /** Book what is equal to something that was booked. */
  again?: boolean | undefined
}

export type LedgerReader = Pick<LedgerDeps, "store"> & { owner: LedgerDeps["owner"] | undefined }

/** @throws FreightError when the ledger cannot be read */
export async function lookUp(ledger: LedgerReader, order: OrderQuestion): Promise<Known> {
  const { verdict, entry, own } = await look(ledger, order, order.key)
  const known =
    own?.state === "done"
      ? compare(own, order)
      : verdict === "elsewhere" && entry
        ? compareStranger(entry, order)
        : undefined
  if (known) {
    if (known.is !== "changed" || order.secondKey === undefined) return known
    const { own: second } = await look(ledger, order, order.secondKey)
    if (second?.state === "unknown") return toOpen(ledger, second)
    return second?.state === "done" ? compare(second, order) : known
  }
  if (own?.state === "unknown") return toOpen(ledger, own)
  if (verdict === "unknown" && entry) return { is: "unknown", entry }
  if (verdict === "in-flight" && entry) return { is: "sending", entry }
  if (verdict === "equal" && entry) return { is: "duplicate", entry }
  if (verdict === "other-account" && entry) return { is: verdict, entry }
  if (order.firstKey !== undefined) {
    const { own: first, verdict: ofFirst } = await look(ledger, order, order.firstKey)
    if (first?.state === "unknown") return toOpen(ledger, first)
    if (first?.state !== "done" && ofFirst !== "elsewhere") return { is: "not-before" }
  }
  return { is: "new", before: own }
}

/** What stands under a key; of an account that is not known, whatever any has sent under it. */
async function look({ store, owner }: LedgerReader, order: OrderQuestion, key: string): Promise<Decision> {
  const { written, booking, again = false } = order
  if (owner === undefined) {
    const own = await store.latest(undefined, "shipment", `key:${key}`)
    const stands = own?.state === "done" || own?.state === "unknown"
    const entry = stands
      ? undefined
      : await store.elsewhere({ key: `key:${key}`, keyGiven: true, again, written, request: booking })
    return { verdict: entry ? "elsewhere" : "free", ...(entry && { entry }), ...(own && { own }) }
  }
  const question = { kind: "shipment", owner, key: `key:${key}`, keyGiven: true, content: UNKNOWN } as const
  const hash = booking && referenceHash(booking.customerReference, booking.receiver)
  return store.look({ ...question, written, request: booking, referenceHash: hash, again })
}

const UNKNOWN = "looked up before its service is known"

async function toOpen({ store }: LedgerReader, entry: Entry): Promise<Known> {
  return { is: isInFlight(entry, await store.now()) ? "sending" : "unknown", entry }
}

/** What was booked elsewhere under the number of an order. */
function compareStranger(entry: Entry, { written, booking, isWithdrawn }: OrderQuestion): Known {
  const comparison = compareElsewhere(entry, { written, request: booking })
  return comparison.changed.length > 0 || isWithdrawn
    ? { is: "changed", entry, comparison }
    : { is: "elsewhere", entry, ignored: comparison.ignored }
}

function compare(entry: Entry, { written, isWithdrawn }: OrderQuestion): Known {
  const comparison = compareOrder(entry, written)
  return comparison.changed.length > 0 || isWithdrawn
    ? { is: "changed", entry, comparison }
    : { is: "booked", entry, ignored: comparison.ignored }
}
