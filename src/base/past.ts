import { instantOf, wallClockNow } from "./wall-clock.ts"
import { explainTwoDays, readWhen } from "./when.ts"
import { FreightError } from "./errors.ts"

/** The forms of flags that `parsePast` reads, for help. */
export const PAST =
  "a day, local time of this machine (2026-11-01, 1 Nov, yesterday), or how far back: 12h, 7d, 4w"

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }
const MIDNIGHT = { hour: 0, minute: 0, second: 0 }

/**
 * `7d` before now, or the start of a day by the person's clock, or a time on it.
 * @param now milliseconds since the epoch, like the result
 * @throws FreightError `usage`
 */
export function parsePast(text: string, flag: string, now: number): number {
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? []
  if (unit !== undefined) return now - Number(count) * (UNITS[unit] ?? 0)
  const instant = /T[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(instant)) return instant
  const when = readWhen(text, () => wallClockNow(now), "past")
  const wrong = when.ok ? explainTwoDays(text, when.value) : when
  if (!when.ok || wrong)
    throw new FreightError("usage", `${flag}: ${wrong?.message}`, {
      hint: "It takes a day as 2026-11-01, 1 Nov or yesterday, or how far back as 12h, 7d or 4w.",
    })
  return instantOf({ ...when.value.date, ...(when.value.time ?? MIDNIGHT) })
}
