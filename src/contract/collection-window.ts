/**
 * When carrier A collects (Freight API, Behaviour 4). The times are read on the clock at the collection address, just
 * as they stand in the booking, so neither a zone nor the present time plays a part.
 */
import type { ConsignmentBookingRequest } from "./generated/types.ts"
import { problemAt, type RuleProblem } from "./rule.ts"
import { formatTime, minutesOfDay, parseTimeOfDay, parseWallClock, type TimeOfDay } from "./wall-clock.ts"

/** Both ends belong to each window; `gapMinutes` is the least time from ready to close. */
export const CARRIER_A_WINDOW = {
  ready: { from: "07:00", to: "17:00" },
  close: { from: "13:00", to: "19:00" },
  gapMinutes: 120,
} as const

const RULE = "collectionWindow"

/** Errors on `collectionDateTime` and `collectionCloseTime`; a time that cannot be read is the schema's matter. */
export function collectionWindowProblems(
  booking: Pick<ConsignmentBookingRequest, "collectionDateTime" | "collectionCloseTime">,
): RuleProblem[] {
  const ready = parseWallClock(booking.collectionDateTime)
  const close = parseTimeOfDay(booking.collectionCloseTime)
  return [
    ...(ready.ok ? outside("collectionDateTime", ready.value, CARRIER_A_WINDOW.ready) : []),
    ...(close.ok ? outside("collectionCloseTime", close.value, CARRIER_A_WINDOW.close) : []),
    ...(ready.ok && close.ok ? tooShort(ready.value, close.value) : []),
  ]
}

function outside(field: string, time: TimeOfDay, { from, to }: { from: string; to: string }): RuleProblem[] {
  const shown = formatTime(time)
  if (`${from}:00` <= shown && shown <= `${to}:00`) return []
  const says = `is at ${shown}: carrier A takes ${from} to ${to}, on the clock at the collection address`
  return [problemAt([field], RULE, says)]
}

function tooShort(ready: TimeOfDay, close: TimeOfDay): RuleProblem[] {
  const { gapMinutes } = CARRIER_A_WINDOW
  if (minutesOfDay(close) - minutesOfDay(ready) >= gapMinutes) return []
  const says = `is at ${formatTime(close)}, and carrier A needs ${gapMinutes} minutes from ${formatTime(ready)}, when the goods are ready`
  return [problemAt(["collectionCloseTime"], RULE, says)]
}
