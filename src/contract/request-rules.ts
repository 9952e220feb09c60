/** What no schema can say about complete bookings, pickups and rate requests. */
import { carrierName, ignoredFields } from "./carrier-fields.ts"
import { checkCollectionTimes, checkCollectionWindow, type Moment } from "./collection-times.ts"
import { addressWarnings } from "./addresses.ts"
import { alertWarnings, collectionEmailWarnings } from "./contacts.ts"
import type {
  Carrier,
  ConsignmentBookingRequest,
  PickupBookingRequest,
  RateRequest,
} from "./generated/types.ts"
import { findItemsDifferences } from "./packages.ts"
import { checkPayer } from "./payer.ts"
import { checkRateLink } from "./rate-link.ts"
import { type Findings, missingFieldAt, findingAt, type RuleFinding } from "./check.ts"
import {
  formatDate,
  formatTime,
  formatWallClock,
  parseDate,
  parseTimeOfDay,
  parseWallClock,
  wallClockNow,
} from "./wall-clock.ts"
import { quoted } from "./parsed.ts"
import { postcodeWarnings } from "./places.ts"
import { CONTRACT_ZONES, DEFAULT_ZONE, isContractZone, zoneOfState } from "./zones.ts"

/**
 * Judges a schema-valid booking. Without a carrier, the rules of single carriers are skipped.
 * @param moment without it, times are not compared with the present
 */
export function checkBooking(
  booking: ConsignmentBookingRequest,
  carrier: Carrier | undefined,
  moment?: Moment,
): Findings {
  const payer = checkPayer(booking.payer, carrier)
  const link = checkRateLink(booking)
  const times = moment ? checkBookingTimes(booking, carrier, moment) : { errors: [], warnings: [] }
  return {
    errors: [
      ...times.errors,
      ...(carrier === "CARRIER_A_AU" ? checkCollectionWindow(booking) : []),
      ...payer.errors,
      ...checkDeliveryWindow(booking),
      ...link.errors,
    ],
    warnings: [
      ...times.warnings,
      ...(["sender", "collection", "receiver"] as const).flatMap((party) =>
        addressWarnings(booking[party], [party]),
      ),
      ...collectionEmailWarnings(booking.collection, carrier),
      ...alertWarnings(booking),
      ...itemsWarnings(booking),
      ...payer.warnings,
      ...dangerousGoodsWarnings(booking),
      ...link.warnings,
      ...(carrier ? ignoredFields(booking, carrier) : []),
    ],
  }
}

/** Judges the collection times. Closing times that break carrier A's window are reported there. */
export function checkBookingTimes(
  booking: ConsignmentBookingRequest,
  carrier: Carrier | undefined,
  moment: Moment,
): Findings {
  const ready = parseWallClock(booking.collectionDateTime)
  const close = parseTimeOfDay(booking.collectionCloseTime)
  const CLOSE = "collectionCloseTime"
  const window = carrier === "CARRIER_A_AU" ? checkCollectionWindow(booking) : []
  const isTold = window.some(({ path }) => path === CLOSE)
  return checkCollectionTimes(
    {
      state: booking.collection.state,
      ready: ready.ok ? ready.value : undefined,
      close: close.ok && !isTold ? close.value : undefined,
      paths: { day: ["collectionDateTime"], ready: ["collectionDateTime"], close: [CLOSE] },
    },
    moment,
  )
}

/** A delivery window cannot end before it starts. Dates and times compare as strings. */
function checkDeliveryWindow({ timeSensitive }: ConsignmentBookingRequest): RuleFinding[] {
  const window = timeSensitive?.deliveryWindow
  if (!window) return []
  const { startDate, endDate, startTime, endTime } = window
  const backwards = (field: string, end: string, start: string) => [
    findingAt(
      ["timeSensitive", "deliveryWindow", field],
      "deliveryWindow",
      `is ${end}, before the start ${start}`,
    ),
  ]
  if (endDate < startDate) return backwards("endDate", endDate, startDate)
  if (endDate === startDate && startTime && endTime && endTime < startTime)
    return backwards("endTime", endTime, startTime)
  return []
}

/** Items and packages are both sent, so they should agree. */
function itemsWarnings({ items, packages }: ConsignmentBookingRequest): RuleFinding[] {
  return findItemsDifferences(items, packages).map(({ field, given, derived }) =>
    findingAt(["items", field], "items", `is ${given}, but the packages make ${derived}`, {
      hint: "leave items out of the file to have them worked out",
    }),
  )
}

function dangerousGoodsWarnings(booking: ConsignmentBookingRequest): RuleFinding[] {
  if (booking.dangerousGoods || !booking.dangerousGoodsDetails) return []
  const says = "is false, although dangerousGoodsDetails says what they are"
  return [findingAt(["dangerousGoods"], "dangerousGoods", says, { hint: "check which of the two is right" })]
}

export interface PickupPlace {
  /** Undefined if unknown: its rules are left to the server. */
  carrier: Carrier | undefined
  /** State of the collection address, whose clock counts. */
  state: string | undefined
  moment: Moment
}

/**
 * Judges a schema-valid pickup. Unreadable times are left to the server. Carriers A and C need a service for a
 * standalone pickup, and carrier B does not read one (PickupBookingRequest).
 */
export function checkPickup(request: PickupBookingRequest, place: PickupPlace): Findings {
  const { carrier } = place
  const { shipmentId, serviceCode, collection, receiver } = request
  const needsService = shipmentId === undefined && carrier !== undefined && carrier !== "CARRIER_B_AU"
  const date = parseDate(request.pickupDate)
  const times = checkPickupTimes(request, place)
  return {
    errors: [
      ...(date.ok ? [] : [findingAt(["pickupDate"], "date", date.reason)]),
      ...(needsService && !serviceCode
        ? [
            missingFieldAt(
              ["serviceCode"],
              "pickupService",
              `is missing: ${carrierName(carrier)} needs it to book a pickup`,
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
        ? [findingAt(["serviceCode"], "ignored", `is ignored by ${carrierName(carrier)}`)]
        : []),
      ...times.warnings,
    ],
  }
}

function checkPickupTimes(
  { pickupDate, readyTime, closeTime }: PickupBookingRequest,
  { state, moment }: PickupPlace,
): Findings {
  const [time, close] = [parseTimeOfDay(readyTime), parseTimeOfDay(closeTime)]
  const ready = time.ok ? parseWallClock(`${pickupDate}T${formatTime(time.value)}`) : time
  return checkCollectionTimes(
    {
      state,
      ready: ready.ok ? ready.value : undefined,
      close: close.ok ? close.value : undefined,
      paths: { day: ["pickupDate"], ready: ["readyTime"], close: ["closeTime"] },
    },
    moment,
  )
}

/**
 * Fills in `date`, `localDateTime` and `timezone` for the place of collection. Otherwise carriers other than A use
 * Sydney's day (RateRequest `date`).
 * @param nowMs milliseconds since the epoch
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

/** Warns about a schema-valid rate request. Call it before applying defaults, so that defaults cause no warnings. */
export function checkRateRequest(request: RateRequest, carrier?: Carrier): Findings {
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

/** The server silently ignores all zones but seven, and accepts a wrong one of the seven. */
function timezoneWarnings({ timezone, from }: RateRequest): RuleFinding[] {
  if (timezone === undefined) return []
  const expected = zoneOfState(from.state)
  if (!isContractZone(timezone))
    return [
      findingAt(
        ["timezone"],
        "timezone",
        `${quoted(timezone)} is not one of the seven time zones that the service knows`,
        { hint: expected ? `use ${expected}` : `use one of ${CONTRACT_ZONES.join(", ")}` },
      ),
    ]
  if (!expected || expected === timezone) return []
  const says = `is ${timezone}, but the goods are collected in ${from.state}`
  return [findingAt(["timezone"], "timezone", says, { hint: `use ${expected}, or leave it out` })]
}
