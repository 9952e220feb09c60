/** Decides whether a claim may be sent: the rules of the ledger in one pure function. */
import type { Entry } from "./entry.ts"
import {
  compareOrder,
  compareOwn,
  hasSameGoods,
  hasSamePackages,
  isSameDay,
  listEarlierKeys,
  type WrittenOrder,
} from "./order.ts"
import { isOfOtherJourney, isSameReturn, mayMeanSecond } from "./returns.ts"
import { getNormalizedNumber, getReference, isDoubtful } from "./spelling.ts"
import type { StandingKind, StandingOf } from "./standing.ts"

/** An equal create within this time counts as a repeated command, not as a second consignment. */
export const EQUAL_FOR_MS = 24 * 3_600_000

export interface Question {
  /** `key:…`, or `content:…` without a key. */
  key: string
  keyGiven: boolean
  content: string
  /** A booking as it was written: equal orders may differ in their content. */
  written?: WrittenOrder | undefined
  /** A booking as it would be sent, as far as that is known. */
  request?: unknown
  facts?: Pick<Entry["facts"], "reference" | "own"> | undefined
  referenceHash?: string | undefined
  /** Hash of goods, receiver and day, where equal goods booked elsewhere are asked about. */
  dayGoodsHash?: string | undefined
  /** Send it even if something equal was done. */
  again: boolean
  /** It takes the place of what its carrier has cancelled: see `CreateKey`. */
  replaces?: boolean | undefined
  /** For a pickup: the shipments that it collects. A pickup of any of them is equal, whatever its key and age. */
  collects?: readonly string[] | undefined
}

/** The entry that prevents sending, or was made under the same key. */
export type Preventing = StandingOf<Exclude<StandingKind, "free" | "not-before">> & {
  entry: Entry
}

export type Decision = (StandingOf<"free"> | Preventing) & {
  /** The entry under the key that counts: the one that prevents it, or the newest attempt with any outcome. */
  own?: Entry
}

/**
 * @param entries of the same account and kind: every attempt under the key, and whatever has the content or the reference
 * @param now milliseconds since the epoch, by the database's clock
 */
export function decideClaim(entries: readonly Entry[], question: Question, now: number): Decision {
  const newestFirst = [...entries].sort((a, b) => (isNewer(a, b) ? -1 : 1))
  const isUnderKey = ({ key }: Entry) => key === question.key
  const underKey = newestFirst.filter(isUnderKey)
  // All of them: a later attempt may have been that of another account, or have ended before an earlier one.
  const ofOwn = findPreventing(underKey, (entry) => judgeEntry(entry, question, true, now))
  const own = ofOwn?.entry ?? underKey[0]
  const preventing = ofOwn ?? findUncancelled(newestFirst, question, now)
  return { ...(preventing ?? judgeOthers(newestFirst, isUnderKey, question, now)), ...(own && { own }) }
}

/** A consignment of the order that was cancelled when its replacement was asked for, and is, or may be, valid again. */
function findUncancelled(
  entries: readonly Entry[],
  { key, replaces }: Question,
  now: number,
): Preventing | undefined {
  const keys = replaces ? listEarlierKeys(key) : []
  const earlier = entries.filter((entry) => keys.includes(entry.key))
  const open = earlier.find(({ state }) => state === "unknown")
  if (open) return { kind: isInFlight(open, now) ? "sending" : "unknown", entry: open }
  const entry = earlier.find(({ state, cancelledAt }) => state === "done" && cancelledAt === undefined)
  return entry && { kind: "not-cancelled", entry }
}

/** Duplicates come last: each refers to an entry that counts, unless that was released since. */
function isNewer(a: Entry, b: Entry): boolean {
  if ((a.duplicateOf === undefined) !== (b.duplicateOf === undefined)) return a.duplicateOf === undefined
  return a.sentAt === b.sentAt ? a.attempt > b.attempt : a.sentAt > b.sentAt
}

/**
 * Takes the newest entry made under the key, then the newest open one, which has to be settled first. @param entries
 * newest first
 */
function findPreventing(
  entries: readonly Entry[],
  judgeEntry: (entry: Entry) => Preventing | undefined,
): Preventing | undefined {
  const found = entries.flatMap((entry) => judgeEntry(entry) ?? [])
  const isOpen = ({ kind }: Preventing) => kind === "sending" || kind === "unknown"
  return found.find(({ kind }) => kind === "booked") ?? found.find(isOpen) ?? found[0]
}

function judgeOthers(
  entries: readonly Entry[],
  isUnderKey: (entry: Entry) => boolean,
  question: Question,
  now: number,
): Decision {
  const others = entries.filter((entry) => !isUnderKey(entry))
  const preventing = findPreventing(others, (entry) => judgeEntry(entry, question, false, now))
  if (preventing) return preventing
  if (question.again) return { kind: "free" }
  const isDone = ({ state }: Entry) => state === "done"
  if (question.keyGiven) {
    const before = others.find((entry) => isDone(entry) && hasReferenceAndGoods(entry, question))
    return { kind: "free", ...(before && { earlier: before }) }
  }
  const earlier = entries.find((entry) => isDone(entry) && entry.content === question.content)
  const expired = earlier ?? others.find((entry) => isDone(entry) && mayBeEqual(entry, question))
  return { kind: "free", ...(earlier && { earlier }), ...(expired && { expired }) }
}

/** The number of the newest of these attempts; 0 where there is none. */
export function newestAttempt(entries: readonly Entry[]): number {
  return entries.reduce((newest, { attempt }) => Math.max(newest, attempt), 0)
}

/** The longest lease. A longer one was written before the clock was set back. */
export const MAX_LEASE_MS = 60_000

/** Whether its sender's lease is still valid. */
export function isInFlight({ state, leaseUntil }: Pick<Entry, "state" | "leaseUntil">, now: number): boolean {
  if (state !== "unknown" || leaseUntil === undefined) return false
  const left = Date.parse(leaseUntil) - now
  return left > 0 && left <= MAX_LEASE_MS
}

/** The same as SQL, for entries whose state is `unknown`: a batch has many in flight, and need not read them. */
export function whereNotInFlight(now: number): { sql: string; parameters: string[] } {
  return {
    sql: "(lease_until is null or lease_until <= ? or lease_until > ?)",
    parameters: [now, now + MAX_LEASE_MS].map((ms) => new Date(ms).toISOString()),
  }
}

/** The first of these shipments that a pickup collects. */
export function collectedBy(
  { facts, collects }: Pick<Entry, "facts" | "collects">,
  shipments: readonly string[] = [],
): string | undefined {
  return shipments.find((id) => id === facts.shipmentId || collects?.includes(id))
}

function judgeUnderKey(entry: Entry, question: Question): Preventing {
  const { content, written } = question
  if (isOfOtherJourney(entry, question)) return { kind: "key-taken", entry }
  // It has no shipment any more, and nothing is sent in its place under its key.
  if (entry.cancelledAt !== undefined) return { kind: "cancelled", entry }
  if (mayMeanSecond(question)) return { kind: "equal", entry }
  const comparison = written && compareOrder(entry, written)
  const isSame = entry.content === content || comparison?.changed.length === 0
  const ignored = [...(comparison?.ignored ?? []), ...compareOwn(entry, question.facts?.own)]
  if (isSame) return { kind: "booked", entry, ignored }
  return comparison ? { kind: "changed", entry, comparison } : { kind: "key-taken", entry }
}

function judgeEntry(
  entry: Entry,
  question: Question,
  isUnderKey: boolean,
  now: number,
): Preventing | undefined {
  if (!isUnderKey && !mayBeEqual(entry, question)) return undefined
  switch (entry.state) {
    case "refused":
    case "released":
      return undefined
    case "unknown":
      return { kind: isInFlight(entry, now) ? "sending" : "unknown", entry }
    case "done":
      if (isUnderKey && question.key.startsWith("key:")) return judgeUnderKey(entry, question)
      return judgeEqual(entry, question, now)
  }
}

/**
 * Whether an entry under another key may be the same order. Two keys that people gave are two orders, unless they are
 * one number, or share the reference, the goods and the collection day.
 */
function mayBeEqual(entry: Entry, question: Question): boolean {
  const { keyGiven, content, referenceHash, collects } = question
  if (collectedBy(entry, collects) !== undefined) return true
  const sameContent = entry.content === content
  const hasReference = referenceHash !== undefined && entry.referenceHash === referenceHash
  const sameReference = hasReference && !isDoubtful(entry, getReference(question))
  const sameReturn = isSameReturn(entry, question)
  if (sameReturn !== undefined) return sameContent || sameReturn
  const bothGiven = keyGiven && entry.keyGiven
  const isEqualContent = bothGiven
    ? sameContent && entry.facts.standing === true
    : sameContent || sameReference
  return isEqualContent || isRespelled(entry, question) || isSameOrder(entry, question)
}

type OrderWithReference = Pick<Question, "referenceHash" | "written" | "request">

/** Whether an entry has, or may have, a booking's reference, and has its goods, receiver and collection day. */
export function isSameOrder(entry: Entry, question: OrderWithReference): boolean {
  return hasReferenceAndGoods(entry, question) && isSameDay(entry, question)
}

/** The hash of the reference includes the receiver. */
function hasReferenceAndGoods(entry: Entry, question: OrderWithReference): boolean {
  return (
    question.referenceHash !== undefined &&
    entry.referenceHash === question.referenceHash &&
    hasSamePackages(entry, question)
  )
}

/** Whether an entry has the same goods and receiver under a number that is, or may be, the same: see `groupNumber`. */
function isRespelled(entry: Entry, question: Question): boolean {
  const number = getNormalizedNumber(question)
  return (
    number !== "" &&
    getNormalizedNumber(entry) === number &&
    (entry.content === question.content || hasSameGoods(entry, question))
  )
}

function judgeEqual(entry: Entry, question: Question, now: number): Preventing | undefined {
  const { facts, settledAt, sentAt, keyGiven } = entry
  if (facts.standing) return { kind: "at-carrier", entry }
  if (question.again) return undefined
  const shipmentId = collectedBy(entry, question.collects)
  if (shipmentId !== undefined) return { kind: "has-pickup", shipmentId, reference: facts.reference, entry }
  // A key that a person gave names one order for good, and an order has only one such key.
  const isOne = () => isRespelled(entry, question) || isSameOrder(entry, question)
  const isForGood = ((keyGiven || question.keyGiven) && isOne()) || isSameReturn(entry, question) === true
  const isEqual = isForGood || now - Date.parse(settledAt ?? sentAt) < EQUAL_FOR_MS
  return isEqual ? { kind: "equal", entry } : undefined
}
