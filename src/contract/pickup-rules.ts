/** All that is to say about a complete pickup request and no schema can say. */
import { addressWarnings } from "./address-rules.ts"
import { carrierName } from "./carrier-fields.ts"
import { collectionTimeProblems, type Moment } from "./collection-times.ts"
import { collectionEmailWarnings } from "./emails.ts"
import type { Carrier, PickupBookingRequest } from "./generated/types.ts"
import { type Findings, missingAt, problemAt } from "./rule.ts"
import { formatTime, parseDate, parseTimeOfDay, parseWallClock } from "./wall-clock.ts"

/** Where and when a pickup is judged. */
export interface PickupPlace {
  /** Undefined when it cannot be known: its own rules are left to the server. */
  carrier: Carrier | undefined
  /** State of the collection address: the clock there counts. */
  state: string | undefined
  moment: Moment
}

/**
 * Judges a pickup that keeps the schema. A time in a form that cannot be read is left to the server. Carriers A and C book none on its own without a
 * service, and carrier B does not read one (PickupBookingRequest).
 */
export function pickupProblems(request: PickupBookingRequest, place: PickupPlace): Findings {
  const { carrier } = place
  const { shipmentId, serviceCode, collection, receiver } = request
  const needsService = shipmentId === undefined && carrier !== undefined && carrier !== "CARRIER_B_AU"
  const date = parseDate(request.pickupDate)
  const times = timeProblems(request, place)
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
      ...times.errors,
    ],
    warnings: [
      ...(collection ? addressWarnings(collection, ["collection"]) : []),
      ...(receiver ? addressWarnings(receiver, ["receiver"]) : []),
      ...(collection ? collectionEmailWarnings(collection, carrier) : []),
      ...(carrier === "CARRIER_B_AU" && serviceCode
        ? [problemAt(["serviceCode"], "ignored", `is not read by ${carrierName(carrier)}`)]
        : []),
      ...times.warnings,
    ],
  }
}

function timeProblems(
  { pickupDate, readyTime, closeTime }: PickupBookingRequest,
  { state, moment }: PickupPlace,
): Findings {
  const [time, close] = [parseTimeOfDay(readyTime), parseTimeOfDay(closeTime)]
  const ready = time.ok ? parseWallClock(`${pickupDate}T${formatTime(time.value)}`) : time
  return collectionTimeProblems(
    {
      state,
      ready: ready.ok ? ready.value : undefined,
      close: close.ok ? close.value : undefined,
      paths: { day: ["pickupDate"], ready: ["readyTime"], close: ["closeTime"] },
    },
    moment,
  )
}
