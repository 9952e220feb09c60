/**
 * Decides whether this machine's clock can be trusted when it says that an equal booking is more than 24 hours old. In
 * a SQLite ledger each desk writes by its own clock, so a clock that is a day wrong would double book orders without a
 * given key.
 */
import { compareClocks } from "../base/wall-clock.ts"
import type { Claim } from "./claims.ts"
import { EQUAL_FOR_MS } from "./decision.ts"
import { type Entry, sentText } from "./entry.ts"
import { ClockDoubt, describeBooked } from "./refusals.ts"
import type { Store } from "./store.ts"

/** Clocks may differ by this much: those of desks, and one that was set an hour off. */
const SLACK_MS = 3_600_000
/** Clocks are wrong by a day rather than by more; an order that repeats each week is not doubted. */
const DOUBTED_FOR_MS = 2 * EQUAL_FOR_MS

/**
 * Compares the clock with the newest entry before a booking that differs from an earlier one only by its age.
 * @returns why it is not to be sent without asking; undefined where the clock does not matter, or nothing speaks against it
 */
export async function findClockDoubt(
  store: Pick<Store, "database" | "newest" | "look" | "now">,
  claim: Claim,
): Promise<ClockDoubt | undefined> {
  // The server's clock is one for all desks. A person who gives a key, or says `again`, means this booking.
  if (store.database.dialect !== "sqlite" || claim.kind !== "shipment") return undefined
  if (claim.keyGiven || claim.again) return undefined
  const newest = await store.newest()
  if (!newest) return undefined
  const now = await store.now()
  const written = Date.parse(newest.sentAt)
  if (Math.abs(now - written) <= SLACK_MS) return undefined
  const standing = await store.look(claim)
  if (standing.kind !== "free") return undefined
  if (written > now) return new ClockDoubt(describeBehind(newest, now))
  const { expired } = standing
  const isDoubted = expired && now - Date.parse(expired.sentAt) < DOUBTED_FOR_MS
  return isDoubted ? new ClockDoubt(describeAhead(expired)) : undefined
}

function describeBehind(newest: Entry, now: number): string {
  const { workstation } = newest.sender
  return `this machine's clock is ${compareClocks(now, Date.parse(newest.sentAt))} the newest entry of the ledger (${sentText(newest)} at ${workstation}): what was booked within 24 hours is not known`
}

function describeAhead(expired: Entry): string {
  return `an equal one ${describeBooked(expired)}, more than 24 hours ago by this machine's clock alone: the ledger has no entry of the last hour that confirms this clock`
}
