/** May this be sent? The rules of the ledger in one pure function. */
import type { Entry } from "./entry.ts"
import { compareOrder, type WrittenOrder } from "./order.ts"

/** An equal create within this time is taken for a repeated command, not for a second consignment. */
export const EQUAL_FOR_MS = 24 * 3_600_000

export type Verdict =
  /** Nothing prevents it: claim the next attempt. */
  | "free"
  /** It was done under this key: return the recorded result. */
  | "recorded"
  /** Something equal was done within 24 hours: refuse, unless told `again`. */
  | "equal"
  /** This key was used for something else. */
  | "other-content"
  /** Its sender's lease has not run out: it may be sending it now. */
  | "in-flight"
  /** It was sent, and its outcome is unknown. */
  | "unknown"
  /** Another account at the address has it, which may be the same one. */
  | "other-account"

export interface Question {
  /** `key:…`, or `content:…` where there is no key. */
  key: string
  /** A person gave the key. */
  keyGiven: boolean
  content: string
  /** A booking as it was written: equal orders may differ in their content. */
  written?: WrittenOrder | undefined
  referenceHash?: string | undefined
  /** Send it even if something equal was done. */
  again: boolean
  /** For a pickup: the shipments that it collects. A pickup of any of them is equal, whatever its key and age. */
  collects?: readonly string[] | undefined
}

export interface Judgement {
  verdict: Verdict
  /** The entry that prevents it, or whose result is returned. */
  entry?: Entry
  /** The newest attempt under the key, whatever came of it. */
  own?: Entry
}

/**
 * @param entries of the same account and kind: every attempt under the key, and whatever has the content or the reference
 * @param now milliseconds since the epoch, by the database's clock
 */
export function judge(entries: readonly Entry[], question: Question, now: number): Judgement {
  const own = newestUnder(entries, question.key)
  return { ...judged(entries, own, question, now), ...(own && { own }) }
}

function judged(
  entries: readonly Entry[],
  own: Entry | undefined,
  question: Question,
  now: number,
): Judgement {
  const ofOwn = own && judgeOwn(own, question, now)
  if (ofOwn && ofOwn.verdict !== "free") return ofOwn
  const others = entries.filter((entry) => entry.key !== question.key || entry.duplicateOf !== undefined)
  let equal: Judgement | undefined
  for (const entry of others) {
    const verdict = judgeOther(entry, question, now)
    // Open entries come before settled ones: they have to be settled first.
    if (verdict === "in-flight" || verdict === "unknown") return { verdict, entry }
    if (verdict === "equal" && (!equal?.entry || equal.entry.sentAt < entry.sentAt))
      equal = { verdict, entry }
  }
  return equal ?? { verdict: "free" }
}

/** Whether what stands in an account that may be the same one prevents it. */
export function judgeUnknown(entries: readonly Entry[], question: Question, now: number): Judgement {
  const { verdict, entry } = judge(entries, question, now)
  return verdict === "free" || !entry ? { verdict: "free" } : { verdict: "other-account", entry }
}

/** The number of the newest of these attempts; 0 where there is none. */
export function newestAttempt(entries: readonly Entry[]): number {
  return entries.reduce((newest, { attempt }) => Math.max(newest, attempt), 0)
}

/** The newest attempt under a key, but for duplicates: see `duplicateOf`. */
function newestUnder(entries: readonly Entry[], key: string): Entry | undefined {
  return entries
    .filter((entry) => entry.key === key && entry.duplicateOf === undefined)
    .reduce<Entry | undefined>(
      (newest, each) => (newest && newest.attempt > each.attempt ? newest : each),
      undefined,
    )
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

function judgeOwn(entry: Entry, question: Question, now: number): Judgement {
  const { key, keyGiven } = question
  switch (entry.state) {
    case "refused":
    case "released":
      return { verdict: "free" }
    case "unknown":
      return { verdict: isInFlight(entry, now) ? "in-flight" : "unknown", entry }
    case "done":
      if (key.startsWith("key:"))
        return { verdict: isSameOrder(entry, question) ? "recorded" : "other-content", entry }
      return { verdict: isEqual(entry, question, keyGiven, now) ? "equal" : "free", entry }
  }
}

/** Whether what was done under a key is what is asked for under it. */
function isSameOrder(entry: Entry, { content, written }: Question): boolean {
  return (
    entry.content === content || (written !== undefined && compareOrder(entry, written).changed.length === 0)
  )
}

/** An entry under another key. Two keys that people gave are two orders. */
function judgeOther(entry: Entry, question: Question, now: number): Verdict {
  const { keyGiven, content, referenceHash, collects } = question
  const isCollected = collectedBy(entry, collects) !== undefined
  const sameContent = entry.content === content
  const sameReference = referenceHash !== undefined && entry.referenceHash === referenceHash
  if (!sameContent && !sameReference && !isCollected) return "free"
  const bothGiven = keyGiven && entry.keyGiven && !isCollected
  if (bothGiven && !(sameContent && entry.facts.standing)) return "free"
  switch (entry.state) {
    case "refused":
    case "released":
      return "free"
    case "unknown":
      return isInFlight(entry, now) ? "in-flight" : "unknown"
    case "done":
      return isEqual(entry, question, bothGiven, now) ? "equal" : "free"
  }
}

function isEqual(entry: Entry, { again, collects }: Question, bothGiven: boolean, now: number): boolean {
  const { facts, settledAt, sentAt } = entry
  if (facts.standing) return true
  if (again || bothGiven) return false
  if (collectedBy(entry, collects) !== undefined) return true
  return now - Date.parse(settledAt ?? sentAt) < EQUAL_FOR_MS
}
