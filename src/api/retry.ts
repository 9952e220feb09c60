import type { Clock, Ids } from "../base/ports.ts"
import { type Answer, type CallKind, isTransient, type Outcome } from "./outcome.ts"
import { serverWords } from "./failures.ts"

const MAX_TRIES = 4
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 30_000

/** Limits for retrying 429 replies. */
export interface RateLimitPolicy {
  tries: number
  /** A request for a longer wait is not retried: the command ends and says when to come back. */
  waitMs: number
}

/** For many requests, such as a batch, which a rate limit need not end. */
export const LONG_RUN: RateLimitPolicy = { tries: 12, waitMs: 15 * 60_000 }
/** For a person who waits. */
const INTERACTIVE: RateLimitPolicy = { tries: MAX_TRIES, waitMs: 60_000 }

export function nextTry(
  kind: CallKind,
  outcome: Outcome,
  tries: number,
  {
    clock,
    ids,
    rateLimitPolicy = INTERACTIVE,
  }: { clock: Clock; ids: Ids; rateLimitPolicy?: RateLimitPolicy | undefined },
) {
  const asked = outcome.end === "answered" ? (getRequestedWait(outcome, clock.now()) ?? 0) * 1000 : 0
  const grown = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS)
  const waitMs = asked || Math.round(grown * (0.5 + ids.random() / 2))
  const limited = isRateLimit(outcome)
  const { tries: most, waitMs: longest } = limited ? rateLimitPolicy : INTERACTIVE
  const isShortEnough = waitMs <= longest
  return {
    again: tries < most && isShortEnough && mayRepeat(kind, outcome),
    waitMs,
    /** Whether everything that shares the limiter waits as long. */
    limited: isShortEnough && limited,
  }
}

/** Prevents double booking: a create is sent again only if it never left this machine, or was answered 429. */
function mayRepeat(kind: CallKind, outcome: Outcome): boolean {
  if (outcome.end === "unsent") return isTransient(outcome.error)
  if (isRateLimit(outcome)) return true
  if (kind === "create") return false
  return outcome.end === "unanswered" ? isTransient(outcome.error) : [502, 503, 504].includes(outcome.status)
}

function isRateLimit(outcome: Outcome): boolean {
  return outcome.end === "answered" && outcome.status === 429
}

/**
 * Seconds that the server asks to wait: `Retry-After` in seconds or as a date, or the print API's `retryAfter`.
 * @param now milliseconds since the epoch
 */
export function getRequestedWait({ status, headers, body }: Answer, now: number): number | undefined {
  const header = headers["retry-after"]?.trim() ?? ""
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const date = Date.parse(header)
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - now) / 1000))
  return status === 429 ? serverWords(body).retryAfter : undefined
}
