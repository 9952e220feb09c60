import { valueOrThrow } from "../../contract/parsed.ts"
import { addDays, instantOf, type WallClock, wallClockNow, zoneHere } from "../../contract/wall-clock.ts"
import { explainTwoDays, readWhen, type When } from "../../contract/when.ts"
import { FreightError } from "../../errors.ts"

/** What the flags take that `parsePast` reads, for help. */
export const PAST =
  "a day by this machine's clock (2026-11-01, 1 Nov, yesterday), or how far back: 12h, 7d, 4w"

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/**
 * `7d` before now, or the start of a day by the person's clock; one without a year is the last such day.
 * @param now milliseconds since the epoch, as is what is given
 * @throws FreightError `usage`
 */
export function parsePast(text: string, flag: string, now: number, zone = zoneHere()): number {
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? []
  if (unit !== undefined) return now - Number(count) * (UNITS[unit] ?? 0)
  if (/T[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))) return Date.parse(text)
  const here = wallClockNow(now, zone)
  if (/^yesterday$/i.test(text.trim())) return startOf(addDays(here, -1), zone)
  const when = readWhen(text, () => here)
  if (!when.ok)
    throw new FreightError(
      "usage",
      `${flag} takes a day as 2026-11-01 or yesterday, or how far back as 12h, 7d or 4w, not '${text}'`,
    )
  if (/\d{4}/.test(text)) {
    const twofold = explainTwoDays(text, when.value)
    if (twofold) valueOrThrow(twofold, flag)
  }
  return instantOf(lastOf(text, when.value, here), zone)
}

const MIDNIGHT = { hour: 0, minute: 0, second: 0 }

function startOf(day: WallClock, zone: string): number {
  return instantOf({ ...day, ...MIDNIGHT }, zone)
}

/** `1 Nov` and `mon` are read as the coming one; of the past the last one is meant. */
function lastOf(text: string, { date, time }: When, here: WallClock): WallClock {
  const at = { ...date, ...(time ?? MIDNIGHT) }
  const isAhead = (day: WallClock) => instantOf(day, "UTC") > instantOf(here, "UTC")
  if (/\d{4}/.test(text) || !isAhead(at)) return at
  if (/^[a-z]{3,9}\b/i.test(text) && !/\d/.test(text)) return /^tomorrow$/i.test(text) ? at : addDays(at, -7)
  return { ...at, year: at.year - 1 }
}
