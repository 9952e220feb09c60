/**
 * The standing of orders before they are priced. This only informs; the claim alone decides. Questions about several
 * orders at once are one question to the database.
 */
import type { ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import type { Own } from "../../contract/index.ts"
import {
  type Decision,
  type Entry,
  getFirstKey,
  type LedgerDeps,
  NotSent,
  referenceHash,
  type Refusing,
  secondKey,
  type Standing,
  type WrittenOrder,
} from "../../ledger/index.ts"

/** The standing of an order, and the entry under its key, whatever its outcome. */
export type FoundStanding = Standing & {
  own?: Entry
  /** Its key, if that is a later one than was asked for: see `OrderQuestion.replaces`. */
  key?: string
}

/** An order as far as it is known: its errors do not matter if it was booked. */
export interface OrderQuestion {
  /** Key of the ledger, without `key:`. */
  key: string
  /** Key of the first consignment, if a second one is meant. */
  firstKey?: string | undefined
  /**
   * It replaces a consignment that its carrier has cancelled. If there is none, or it was replaced already, nothing is
   * sent.
   */
  replaces?: boolean | undefined
  /** Key of the second consignment, which may be this order as it is now, if the first has changed or has another key. */
  secondKey?: string | undefined
  written: WrittenOrder
  /** It was withdrawn: the booking is of another order by now. */
  isWithdrawn?: boolean | undefined
  /** Goods and receiver, if they are to be compared with bookings under other keys. */
  booking?:
    | Pick<ConsignmentBookingRequest, "customerReference" | "receiver" | "items" | "packages">
    | undefined
  /** Freight's own data beside the request. */
  own?: Own | undefined
  /** Book it even if it equals a booking. */
  again?: boolean | undefined
}

export type OwnLedger = Pick<LedgerDeps, "store" | "owner">

/** The same, if the account may be unknown. */
export type LedgerReader = Pick<LedgerDeps, "store"> & { owner: LedgerDeps["owner"] | undefined }

export async function findStanding(ledger: LedgerReader, order: OrderQuestion): Promise<FoundStanding> {
  const { firstKey, replaces = false } = order
  if (replaces && firstKey !== undefined) return findReplaced(ledger, order, firstKey)
  const standing = await look(ledger, order, order.key)
  if (SUPERSEDED.includes(standing.kind) && order.secondKey !== undefined) {
    const second = await lookPastCancelled(ledger, order, order.key)
    return isUnderKey(second) ? second : standing
  }
  if (standing.kind === "free" && firstKey !== undefined) {
    const first = await look(ledger, { ...order, again: false }, firstKey)
    if (first.kind === "unknown" || first.kind === "sending" || first.kind === "key-taken") return first
    if (!MADE.includes(first.kind)) return { kind: "not-before", reference: firstKey }
  }
  return standing
}

/** Standings of a first consignment after which the order may be its second one. */
const SUPERSEDED: readonly Decision["kind"][] = ["changed", "equal", "cancelled"]

const MADE: readonly Decision["kind"][] = ["booked", "cancelled", "changed", "equal", "elsewhere"]

type Made = Extract<Decision, { entry: Entry }>

/** Maximum number of consignments of one order that are looked through. */
const MAX_CONSIGNMENTS = 99

async function lookPastCancelled(
  ledger: LedgerReader,
  order: OrderQuestion,
  firstKey: string,
): Promise<Decision & { key: string }> {
  for (let count = 2; ; count++) {
    const key = secondKey(firstKey, count)
    const found = await look(ledger, order, key)
    if (count === MAX_CONSIGNMENTS || found.kind !== "cancelled" || !isUnderKey(found))
      return { ...found, key }
  }
}

/**
 * The standing of an order that replaces a cancelled one. Nothing is booked while any of its consignments stands, because
 * it is unknown which of them is to be replaced. The replacement of the last cancelled one answers.
 */
async function findReplaced(
  ledger: LedgerReader,
  order: OrderQuestion,
  firstKey: string,
): Promise<FoundStanding> {
  const first = await look(ledger, { ...order, again: false }, firstKey)
  if (first.kind === "unknown" || first.kind === "sending") return first
  if (!MADE.includes(first.kind) || !("entry" in first)) return { kind: "not-before", reference: firstKey }
  const made: (Made & { key: string })[] = [{ ...first, key: firstKey }]
  for (let count = 2; ; count++) {
    const key = secondKey(firstKey, count)
    const next = await look(ledger, order, key)
    const isMade = count < MAX_CONSIGNMENTS && MADE.includes(next.kind) && isUnderKey(next)
    if (isMade && "entry" in next) {
      made.push({ ...next, key })
      continue
    }
    const standing = made.find(({ kind }) => kind !== "cancelled")
    if (standing === undefined || next.kind === "unknown" || next.kind === "sending") return { ...next, key }
    const beside = findUnreplaced(made.map(({ entry }) => entry))
    const last = made.findLast(({ kind }) => kind !== "cancelled")
    if (beside === undefined && made.length > 1 && last) return last
    return { kind: "not-cancelled", entry: standing.entry, ...(beside && { beside }) }
  }
}

/**
 * The cancelled consignment without a replacement: a later one sent after the cancellation replaces it, one sent before
 * does not.
 * @param made the consignments of one order, in the order of their keys
 */
function findUnreplaced(made: readonly Entry[]): Entry | undefined {
  return made.find(({ cancelledAt, cancellations = [] }, n) => {
    const later = made.slice(n + 1)
    const word = cancellations.find(({ takenBack }) => takenBack === undefined)
    return cancelledAt !== undefined && !later.some(({ sentAt }) => sentAt >= (word?.at ?? cancelledAt))
  })
}

/**
 * The key of a booking that replaces one its carrier has cancelled. The key of a later consignment, which freight made,
 * stands for that of the first.
 */
export async function findReplacingKey(
  ledger: LedgerReader,
  { key, written }: Pick<OrderQuestion, "key" | "written">,
): Promise<string> {
  const base = getFirstKey(key)
  const own = base === undefined ? undefined : await look(ledger, { key, written }, key)
  // `PO-1#2` may be the number that a person gave an order.
  const isOwnNumber = own !== undefined && "entry" in own && own.entry.facts.reference === key
  const isLater =
    base !== undefined && !isOwnNumber && MADE.includes((await look(ledger, { key, written }, base)).kind)
  const firstKey = isLater ? base : key
  const order = { key: secondKey(firstKey), firstKey, written, replaces: true, again: true }
  const standing = await findStanding(ledger, order)
  // The claim answers or refuses by the entry under the later key.
  const isFree = standing.kind === "free" || ("own" in standing && standing.own !== undefined)
  if (!isFree) throw new NotSent(standing as Refusing)
  return standing.key ?? order.key
}

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

/** The entry under a key; if the account is unknown, of any account. */
async function decide({ store, owner }: LedgerReader, order: OrderQuestion, key: string): Promise<Decision> {
  const { written, booking, own: beside, again = false } = order
  const asked = { content: UNKNOWN, written, request: booking, facts: { own: beside }, again }
  const question = { key: `key:${key}`, keyGiven: true, ...asked }
  if (owner === undefined) return store.lookInAll(question)
  const hash = booking && referenceHash(booking.customerReference, booking.receiver)
  return store.look({ ...question, kind: "shipment", owner, referenceHash: hash })
}

const UNKNOWN = "looked up before its service is known"
