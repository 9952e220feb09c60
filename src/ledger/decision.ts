/** May this be sent? The rules of the ledger in one pure function. */
import type { Entry } from "./entry.ts"
import { compareOrder, hasSameGoods, type WrittenOrder } from "./order.ts"
import { getNormalizedNumber } from "./spelling.ts"

/** An equal create within this time is taken for a repeated command, not for a second consignment. */
export const EQUAL_FOR_MS = 24 * 3_600_000

export type Verdict =
  /** Nothing prevents it: claim the next attempt. */
  | "free"
  /** It was done under this key: return the recorded result. */
  | "recorded"
  /** Something equal was done within 24 hours, or its number in another spelling: refuse, unless told `again`. */
  | "equal"
  /** This key was used for something else. */
  | "other-content"
  /** Its sender's lease has not run out: it may be sending it now. */
  | "in-flight"
  /** It was sent, and its outcome is unknown. */
  | "unknown"
  /** Another account at the address has it, which may be the same one. */
  | "other-account"
  /** Something was booked elsewhere under its number: the same order, or another one. */
  | "elsewhere"

export interface Question {
  /** `key:…`, or `content:…` where there is no key. */
  key: string
  /** A person gave the key. */
  keyGiven: boolean
  content: string
  /** A booking as it was written: equal orders may differ in their content. */
  written?: WrittenOrder | undefined
  /** A booking as it would be sent, as far as that is known. */
  request?: unknown
  facts?: Pick<Entry["facts"], "reference"> | undefined
  referenceHash?: string | undefined
  /** What goes to whom on which day, where equal goods that were booked elsewhere are asked about. */
  dayGoodsHash?: string | undefined
  /** Send it even if something equal was done. */
  again: boolean
  /** For a pickup: the shipments that it collects. A pickup of any of them is equal, whatever its key and age. */
  collects?: readonly string[] | undefined
}

export interface Decision {
  verdict: Verdict
  /** The entry that prevents it, or whose result is returned. */
  entry?: Entry
  /** The entry under the key that counts: what prevents it, or the newest attempt, whatever came of it. */
  own?: Entry
  /** What equal was made before, last; of one that may be sent without a person having given a key or said `again`. */
  earlier?: Entry
  /** What would have been equal within 24 hours, and is older by this clock; where neither a key nor `again` was given. */
  expired?: Entry
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
  return { ...(ofOwn ?? judgeOthers(newestFirst, isUnderKey, question, now)), ...(own && { own }) }
}

/** Duplicates come last: each stands for one that counts, unless that was released since. */
function isNewer(a: Entry, b: Entry): boolean {
  if ((a.duplicateOf === undefined) !== (b.duplicateOf === undefined)) return a.duplicateOf === undefined
  return a.sentAt === b.sentAt ? a.attempt > b.attempt : a.sentAt > b.sentAt
}

/** Of several entries, newest first: what was done under the key, then what is open and has to be settled first. */
function findPreventing(
  entries: readonly Entry[],
  judgeEntry: (entry: Entry) => Verdict,
): Decision | undefined {
  const found = entries
    .map((entry) => ({ verdict: judgeEntry(entry), entry }))
    .filter(({ verdict }) => verdict !== "free")
  const isOpen = ({ verdict }: Decision) => verdict === "in-flight" || verdict === "unknown"
  return found.find(({ verdict }) => verdict === "recorded") ?? found.find(isOpen) ?? found[0]
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
  if (question.keyGiven || question.again) return { verdict: "free" }
  const isDone = ({ state }: Entry) => state === "done"
  const earlier = entries.find((entry) => isDone(entry) && entry.content === question.content)
  const expired = earlier ?? others.find((entry) => isDone(entry) && mayBeEqual(entry, question))
  return { verdict: "free", ...(earlier && { earlier }), ...(expired && { expired }) }
}

/** The number of the newest of these attempts; 0 where there is none. */
export function newestAttempt(entries: readonly Entry[]): number {
  return entries.reduce((newest, { attempt }) => Math.max(newest, attempt), 0)
}

/** The longest lease. A longer one was written before the clock was set back. */
export const LONGEST_LEASE_MS = 60_000

/** Whether its sender's lease is still valid. */
export function isInFlight({ state, leaseUntil }: Pick<Entry, "state" | "leaseUntil">, now: number): boolean {
  if (state !== "unknown" || leaseUntil === undefined) return false
  const left = Date.parse(leaseUntil) - now
  return left > 0 && left <= LONGEST_LEASE_MS
}

/** The first of these shipments that a pickup collects. */
export function collectedBy(
  { facts, collects }: Pick<Entry, "facts" | "collects">,
  shipments: readonly string[] = [],
): string | undefined {
  return shipments.find((id) => id === facts.shipmentId || collects?.includes(id))
}

/** Whether what was done under a key is what is asked for under it. */
function isSameOrder(entry: Entry, { content, written }: Question): boolean {
  return (
    entry.content === content || (written !== undefined && compareOrder(entry, written).changed.length === 0)
  )
}

function judgeEntry(entry: Entry, question: Question, isUnderKey: boolean, now: number): Verdict {
  if (!isUnderKey && !mayBeEqual(entry, question)) return "free"
  switch (entry.state) {
    case "refused":
    case "released":
      return "free"
    case "unknown":
      return isInFlight(entry, now) ? "in-flight" : "unknown"
    case "done":
      if (isUnderKey && question.key.startsWith("key:"))
        return isSameOrder(entry, question) ? "recorded" : "other-content"
      return isEqual(entry, question, now) ? "equal" : "free"
  }
}

/** Whether an entry under another key may be the same. Two keys that people gave are two orders, unless they are one number. */
function mayBeEqual(entry: Entry, question: Question): boolean {
  const { keyGiven, content, referenceHash, collects } = question
  if (collectedBy(entry, collects) !== undefined) return true
  const sameContent = entry.content === content
  const sameReference = referenceHash !== undefined && entry.referenceHash === referenceHash
  const bothGiven = keyGiven && entry.keyGiven
  const isEqualContent = bothGiven
    ? sameContent && entry.facts.standing === true
    : sameContent || sameReference
  return isEqualContent || isRespelled(entry, question)
}

/** Whether an entry has the same goods to the same receiver under a spelling of the same number. */
function isRespelled(entry: Entry, question: Question): boolean {
  const number = getNormalizedNumber(question)
  return (
    number !== "" &&
    getNormalizedNumber(entry) === number &&
    (entry.content === question.content || hasSameGoods(entry, question))
  )
}

function isEqual(entry: Entry, question: Question, now: number): boolean {
  const { facts, settledAt, sentAt, keyGiven } = entry
  if (facts.standing) return true
  if (question.again) return false
  if (collectedBy(entry, question.collects) !== undefined) return true
  // A key that a person gave names one order for good.
  if ((keyGiven || question.keyGiven) && isRespelled(entry, question)) return true
  return now - Date.parse(settledAt ?? sentAt) < EQUAL_FOR_MS
}
