/** All that is to say about a complete pickup request and no schema can say. */
import { carrierName } from "./carrier-fields.ts"
import { collectionEmailWarnings } from "./emails.ts"
import type { Carrier, PickupBookingRequest } from "./generated/types.ts"
import { postcodeWarnings } from "./postcodes.ts"
import { type Findings, missingAt, problemAt, type RuleProblem } from "./rule.ts"
import { formatClock, formatDate, parseDate, wallClockNow } from "./wall-clock.ts"
import { zoneOfState } from "./zones.ts"

/** Where and when a pickup is judged. */
export interface PickupPlace {
  /** Undefined when it cannot be known: its own rules are left to the server. */
  carrier: Carrier | undefined
  /** State of the collection address: the clock there counts. */
  state: string | undefined
  /** Milliseconds since the epoch. */
  now: number
}

/**
 * Judges a pickup that keeps the schema, with its times as `HH:MM`. Carriers A and C book none on its own without a
 * service, and carrier B does not read one (PickupBookingRequest).
 */
export function pickupProblems(request: PickupBookingRequest, place: PickupPlace): Findings {
  const { carrier } = place
  const { shipmentId, serviceCode, collection, receiver } = request
  const needsService = shipmentId === undefined && carrier !== undefined && carrier !== "CARRIER_B_AU"
  const date = parseDate(request.pickupDate)
  return {
    errors: [
      ...(date.ok ? [] : [problemAt(["pickupDate"], "date", date.reason)]),
      ...(needsService && !serviceCode
        ? [
            missingAt(
              ["serviceCode"],
              "pickupService",
              `is missing: ${carrierName(carrier)} books no pickup without it`,
            ),
          ]
        : []),
    ],
    warnings: [
      ...(collection ? postcodeWarnings(collection, ["collection"]) : []),
      ...(receiver ? postcodeWarnings(receiver, ["receiver"]) : []),
      ...(collection ? collectionEmailWarnings(collection, carrier) : []),
      ...(carrier === "CARRIER_B_AU" && serviceCode
        ? [problemAt(["serviceCode"], "ignored", `is not read by ${carrierName(carrier)}`)]
        : []),
      ...timeWarnings(request, place),
    ],
  }
}

/** The contract forbids none of this. Dates and times compare as they are written. */
function timeWarnings(
  { pickupDate, readyTime, closeTime }: PickupBookingRequest,
  { state, now }: PickupPlace,
): RuleProblem[] {
  if (closeTime <= readyTime)
    return [problemAt(["closeTime"], "pickupTime", `is ${closeTime}, not after ${readyTime}, the ready time`)]
  const zone = state === undefined ? undefined : zoneOfState(state)
  if (!zone) return []
  const there = wallClockNow(now, zone)
  const shown = `${formatDate(there)} ${formatClock(there)}`
  if (`${pickupDate} ${closeTime}` >= shown) return []
  return [
    problemAt(
      ["pickupDate"],
      "pickupTime",
      `is past: ${pickupDate} ${closeTime} is over, and it is ${shown} at the collection`,
    ),
  ]
}
