/**
 * How orders stand before they are priced. It informs; the claim alone decides. The questions of several orders at once
 * are one question to the database.
 */
import type { ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import { referenceHash } from "../../ledger/content.ts"
import { compareStranger } from "../../ledger/elsewhere.ts"
import type { LedgerDeps } from "../../ledger/create.ts"
import { decideClaim, type Decision } from "../../ledger/decision.ts"
import type { Entry } from "../../ledger/entry.ts"
import type { WrittenOrder } from "../../ledger/order.ts"
import type { Standing } from "../../ledger/standing.ts"

/** How an order stands, and the entry under its key, whatever came of it. */
export type FoundStanding = Standing & { own?: Entry }

/** An order as far as it is known: what is wrong with it does not matter if it was booked. */
export interface OrderQuestion {
  /** Of the ledger, without `key:`. */
  key: string
  /** Of the first consignment, where this is a second one that is meant. */
  firstKey?: string | undefined
  /** Of the second one, which may be this order as it is now, where the first has changed or has another key. */
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
export async function findStanding(ledger: LedgerReader, order: OrderQuestion): Promise<FoundStanding> {
  const standing = await look(ledger, order, order.key)
  if ((standing.kind === "changed" || standing.kind === "equal") && order.secondKey !== undefined) {
    const second = await look(ledger, order, order.secondKey)
    return isUnderKey(second) ? second : standing
  }
  if (standing.kind === "free" && order.firstKey !== undefined) {
    const first = await look(ledger, { ...order, again: false }, order.firstKey)
    if (first.kind === "unknown" || first.kind === "sending") return first
    if (!MADE.includes(first.kind)) return { kind: "not-before", reference: order.firstKey }
  }
  return standing
}

/** How the first consignment of an order may stand, where a second one is meant. */
const MADE: readonly Decision["kind"][] = ["booked", "changed", "equal", "elsewhere"]

/** Whether what stands under the key itself prevents it. */
function isUnderKey(decision: Decision): boolean {
  return decision.kind !== "free" && decision.entry === decision.own
}

async function look(ledger: LedgerReader, order: OrderQuestion, key: string): Promise<Decision> {
  const decision = await decide(ledger, order, key)
  const isMade = decision.kind === "booked" || decision.kind === "elsewhere"
  if (!isMade || !order.isWithdrawn) return decision
  const { entry, ignored, own } = decision
  return { kind: "changed", entry, comparison: { changed: [], ignored: [...ignored] }, ...(own && { own }) }
}

/** What stands under a key; of an account that is not known, whatever any has sent under it. */
async function decide({ store, owner }: LedgerReader, order: OrderQuestion, key: string): Promise<Decision> {
  const { written, booking, again = false } = order
  const question = { key: `key:${key}`, keyGiven: true, content: UNKNOWN, written, request: booking, again }
  if (owner !== undefined) {
    const hash = booking && referenceHash(booking.customerReference, booking.receiver)
    return store.look({ ...question, kind: "shipment", owner, referenceHash: hash })
  }
  const own = await store.latest(undefined, "shipment", question.key)
  const decision = decideClaim(own ? [own] : [], question, await store.now())
  const stranger = decision.kind === "free" ? await store.elsewhere(question) : undefined
  return stranger ? { ...compareStranger(stranger, question), ...(own && { own }) } : decision
}

const UNKNOWN = "looked up before its service is known"
