/** How long every entry of a ledger is kept. */
import { FreightError } from "../../base/errors.ts"
import { valueOrThrow } from "../../base/parsed.ts"
import { wallClockNow } from "../../base/wall-clock.ts"
import { parseDay } from "../../base/when.ts"

/** Longer than any quote, dispute about duplicates or repeated file can matter. */
export const KEPT_DAYS = 90
export const KEPT_MS = KEPT_DAYS * 24 * 3_600_000

/**
 * @param flag for the message
 * @param now milliseconds since the epoch
 * @returns a day that is far enough in the past, `yyyy-mm-dd`
 * @throws FreightError `input` for a text that is not a day in the past, `usage` for a later day
 */
export function readDayToPrune(text: string, flag: string, now: number): string {
  const day = valueOrThrow(
    parseDay(text, () => wallClockNow(now), "past"),
    flag,
  )
  if (Date.parse(day) <= now - KEPT_MS) return day
  throw new FreightError(
    "usage",
    `${flag} takes a day at least ${KEPT_DAYS} days ago: newer entries prevent double bookings`,
  )
}
