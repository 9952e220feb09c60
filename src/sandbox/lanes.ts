/** How far apart two places are, in money and in days. */
import type { Carrier } from "../contract/generated/types.ts"
import { addDays, type CalendarDate, formatDate, nextBusinessDay, parseDate } from "../contract/wall-clock.ts"
import { type StateCode, stateCode } from "../contract/zones.ts"
import type { Service } from "./catalogue.ts"
import { CarrierRejection } from "./rejection.ts"

export interface Place {
  readonly suburb: string
  readonly state: string
  readonly postcode: string
}

export interface Lane {
  /** Degrees between the capitals of the two states: the length of the way. */
  readonly degrees: number
  /** How many ends lie outside a capital city. */
  readonly regionalEnds: number
}

/** Where each capital lies (degrees east and north), and the postcodes of its metropolitan area. */
const CAPITALS: Record<StateCode, { at: readonly [number, number]; metro: readonly [string, string] }> = {
  NSW: { at: [151, -34], metro: ["2000", "2249"] },
  VIC: { at: [145, -38], metro: ["3000", "3210"] },
  QLD: { at: [153, -27], metro: ["4000", "4207"] },
  SA: { at: [139, -35], metro: ["5000", "5199"] },
  WA: { at: [116, -32], metro: ["6000", "6199"] },
  TAS: { at: [147, -43], metro: ["7000", "7099"] },
  NT: { at: [131, -12], metro: ["0800", "0839"] },
  ACT: { at: [149, -35], metro: ["2600", "2639"] },
}

/** @throws CarrierRejection for a state that does not exist, and where the carrier does not go: B not to the NT. */
export function laneOf(carrier: Carrier, from: Place, to: Place): Lane {
  const [start, end] = [stateOf(from), stateOf(to)]
  if (carrier === "CARRIER_B_AU" && end === "NT")
    throw new CarrierRejection("LANE_NOT_SERVED", `carrier B does not deliver to ${to.suburb} NT`)
  const [one, other] = [CAPITALS[start].at, CAPITALS[end].at]
  return {
    degrees: Math.round(Math.hypot(one[0] - other[0], one[1] - other[1])),
    regionalEnds: Number(isRegional(start, from)) + Number(isRegional(end, to)),
  }
}

function stateOf({ suburb, state }: Place): StateCode {
  const code = stateCode(state)
  if (!code)
    throw new CarrierRejection("LOCATION_UNKNOWN", `${suburb}: '${state}' is not a state or territory`)
  return code
}

function isRegional(state: StateCode, { postcode }: Place): boolean {
  const [first, last] = CAPITALS[state].metro
  return postcode < first || postcode > last
}

/** Whole business days on the way. */
export function transitDays({ degrees, regionalEnds }: Lane, { mode }: Service): number {
  return 1 + (mode === "air" ? 0 : Math.ceil(degrees / 9)) + regionalEnds
}

/** The day of delivery (yyyy-MM-dd) of what leaves on `leaves`, or on the next business day when that is none. */
export function deliveryDate(leaves: string, days: number): string {
  let day = businessDay(leaves)
  for (let left = days; left > 0; left--) day = nextBusinessDay(day)
  return formatDate(day)
}

/** `yyyy-MM-dd` as a business day: itself, or the next. */
export function businessDay(date: string): CalendarDate {
  const day = parseDate(date)
  if (!day.ok) throw new CarrierRejection("DATE_INVALID", day.reason)
  return nextBusinessDay(addDays(day.value, -1))
}
