/** Rate requests: what is filled in before sending, and what no schema can say about them. */
import { ignoredFields } from "./carrier-fields.ts"
import type { Carrier, RateRequest } from "./generated/types.ts"
import { quoted } from "./parsed.ts"
import { postcodeWarnings } from "./postcodes.ts"
import { type Findings, problemAt, type RuleProblem } from "./rule.ts"
import { formatDate, formatWallClock, wallClockNow } from "./wall-clock.ts"
import { CONTRACT_ZONES, DEFAULT_ZONE, isContractZone, zoneOfState } from "./zones.ts"

/**
 * The request with `date`, `localDateTime` and `timezone` filled in where they are missing, reckoned at the place of
 * collection: left to itself, a carrier other than A takes Sydney's day (RateRequest `date`). What is given stays.
 * @param nowMs the present time in milliseconds since the epoch
 */
export function rateDefaults(request: RateRequest, nowMs: number): RateRequest {
  const { timezone, from } = request
  const zone = timezone !== undefined && isContractZone(timezone) ? timezone : zoneOfState(from.state)
  const now = wallClockNow(nowMs, zone ?? DEFAULT_ZONE)
  return {
    date: formatDate(now),
    localDateTime: formatWallClock(now),
    ...(zone && { timezone: zone }),
    ...request,
  }
}

/** Judges a request that keeps the schema, as the user gave it: before rateDefaults, which no one need be told of. */
export function rateProblems(request: RateRequest, carrier?: Carrier): Findings {
  return {
    errors: [],
    warnings: [
      ...postcodeWarnings(request.from, ["from"]),
      ...postcodeWarnings(request.to, ["to"]),
      ...timezoneWarnings(request),
      ...(carrier ? ignoredFields(request, carrier) : []),
    ],
  }
}

/** The server passes over every zone but seven in silence, and takes a wrong one of the seven at its word. */
function timezoneWarnings({ timezone, from }: RateRequest): RuleProblem[] {
  if (timezone === undefined) return []
  const expected = zoneOfState(from.state)
  if (!isContractZone(timezone))
    return [
      problemAt(["timezone"], "timezone", `${quoted(timezone)} is not one of the seven zones that count`, {
        hint: expected ? `use ${expected}` : `use one of ${CONTRACT_ZONES.join(", ")}`,
      }),
    ]
  if (!expected || expected === timezone) return []
  const says = `is ${timezone}, but the goods are collected in ${from.state}`
  return [problemAt(["timezone"], "timezone", says, { hint: `use ${expected}, or leave it out` })]
}
