/** Rules about complete bookings, pickups and rate requests that no schema can state. */

import { plainText } from "../base/plain-text.ts"
import { carrierName, getCarrierFacts } from "../carriers/index.ts"
import { ignoredFields } from "./carrier-fields.ts"
import {
  type Allowances,
  checkCollectionTimes,
  checkCollectionWindow,
  type Moment,
} from "./collection-times.ts"
import { checkAddressRules } from "./addresses.ts"
import { alertWarnings, collectionEmailWarnings } from "./contacts.ts"
import type {
  Carrier,
  ConsignmentBookingRequest,
  Items,
  Package,
  PickupBookingRequest,
  RateRequest,
} from "./generated/types.ts"
import { boundsDoubt, countDoubt, densityDoubt, findItemsDifferences, toSize } from "./packages.ts"
import { checkPayer } from "./payer.ts"
import { type PlaceJudge, placeWarnings, UNKNOWN_PLACE } from "./place-doubts.ts"
import { checkRateLink, isSamePlace } from "./rate-link.ts"
import { type Findings, missingFieldAt, type Path, findingAt, type RuleFinding } from "./findings.ts"
import {
  formatDate,
  formatDayAndTime,
  formatTime,
  formatWallClock,
  parseDate,
  parseTimeOfDay,
  parseWallClock,
  type WallClock,
  wallClockNow,
} from "../base/wall-clock.ts"
import { quoted } from "../base/parsed.ts"
import { checkPostcode } from "./places.ts"
import { POST_BOX, postBoxWarnings } from "./post-boxes.ts"
import { type ZonedPlace, zoneOfPlace } from "./place-zones.ts"
import { CONTRACT_ZONES, DEFAULT_ZONE, isContractZone } from "./zones.ts"

/**
 * Checks a schema-valid booking. Without a carrier, the rules of single carriers are skipped.
 * @param moment without it, times are not compared with the present, nor weights with sizes
 * @param places without it, places are not judged
 */
export function checkBooking(
  booking: ConsignmentBookingRequest,
  carrier: Carrier | undefined,
  moment?: Moment,
  places = moment?.places,
  returned?: Goods["returned"],
): Findings {
  const payer = checkPayer(booking.payer, carrier)
  const link = checkRateLink(booking)
  const parties = (["sender", "collection", "receiver"] as const).map((party) => {
    const isRepeated = party === "collection" && isSamePlace(booking.collection, booking.sender)
    return checkAddressRules(booking[party], [party], isRepeated ? undefined : places)
  })
  const times = moment ? checkBookingTimes(booking, carrier, moment) : NOTHING
  const density = moment ? checkDensity({ ...booking, returned }, moment) : NOTHING
  const found = joinFindings(
    ...parties,
    { warnings: postBoxWarnings(booking.collection, ["collection"], "collects") },
    { warnings: postBoxWarnings(booking.receiver, ["receiver"], "delivers") },
    { warnings: roundTripWarnings(booking) },
    { warnings: clockWarnings(booking.collection, ["collection"]) },
    density,
    times,
    { errors: checkCollectionWindow(booking, carrier) },
    { warnings: collectionEmailWarnings(booking.collection, carrier) },
    { warnings: itemsWarnings(booking) },
    payer,
    checkExtras(booking),
    { warnings: dangerousGoodsWarnings(booking) },
    link,
    { warnings: carrier ? ignoredFields("ConsignmentBookingRequest", booking, carrier) : [] },
  )
  return moment ? holdPlaces(found, moment, booking) : found
}

/** Rules about places without collection or delivery: such a booking would be paid for nothing. */
const PLACE_RULES: readonly string[] = [UNKNOWN_PLACE, POST_BOX]
/** Whether the rule prevents a charge that was not intended. */
export const isCostly = (rule: string): boolean => rule === DENSITY || PLACE_RULES.includes(rule)

/** The allowance for a broken rule; undefined if there is none. */
export function findAllowance(rule: string): "allowDensity" | "acceptPlaces" | "allowPast" | undefined {
  if (rule === DENSITY) return "allowDensity"
  if (PLACE_RULES.includes(rule)) return "acceptPlaces"
  return rule === BEFORE_READY ? "allowPast" : undefined
}

const ACCEPT_HINT = "--allow-places books it anyway"
const PLACES_HINT = `freight places add keeps a place that is right, and ${ACCEPT_HINT}`

/** Turns doubts about the places of collection and delivery into errors, unless a person accepts them. */
export function holdPlaces(
  { errors, warnings }: Findings,
  { acceptPlaces }: Allowances,
  { sender, collection }: Partial<Pick<ConsignmentBookingRequest, "sender" | "collection">>,
): Findings {
  const isCollectedThere = sender !== undefined && collection !== undefined && isSamePlace(collection, sender)
  const ends = ["collection", "receiver", ...(isCollectedThere ? ["sender"] : [])]
  const isOfEnd = ({ keyword, path }: RuleFinding) =>
    PLACE_RULES.includes(keyword) && ends.some((end) => path.startsWith(`${end}.`))
  const others = warnings.filter((each) => !isOfEnd(each))
  if (acceptPlaces) return { errors, warnings: acceptPlaces === "told" ? others : warnings }
  const held = warnings.filter(isOfEnd).map((each) => ({
    ...each,
    code: each.keyword,
    // Adding a PO box to the list of places does not make it deliverable.
    hint: [
      each.hint,
      each.keyword === POST_BOX || each.message.includes("places add") ? ACCEPT_HINT : PLACES_HINT,
    ]
      .filter(Boolean)
      .join("; "),
  }))
  return { errors: [...errors, ...held], warnings: others }
}

const NOTHING: Findings = { errors: [], warnings: [] }

function joinFindings(...found: readonly Partial<Findings>[]): Findings {
  return {
    errors: found.flatMap(({ errors = [] }) => errors),
    warnings: found.flatMap(({ warnings = [] }) => warnings),
  }
}

interface Goods {
  packages?: readonly Package[]
  items?: Items
  packagingCode?: string | undefined
  /** For a return: the packages of the original order, as far as they are known. */
  returned?: readonly Package[] | undefined
}

/**
 * Errors for goods that were probably not written in cm and kg, by their density, for impossible packages, and for a
 * return in a package that was not sent.
 */
export function checkDensity(goods: Goods, { allowDensity }: Allowances): Findings {
  const advice = allowDensity ? {} : { code: DENSITY, hint: DENSITY_HINT }
  const found = listDoubts(goods).flatMap(([path, doubt]) =>
    doubt === undefined ? [] : [findingAt(path, DENSITY, doubt, advice)],
  )
  if (!allowDensity) return { errors: found, warnings: [] }
  return { errors: [], warnings: allowDensity === "told" ? [] : found }
}

function listDoubts({
  packages,
  items,
  packagingCode,
  returned = [],
}: Goods): [path: Path, doubt: string | undefined][] {
  const has = (doubt: string | undefined) => doubt && `has ${doubt}`
  if (!packages) return [[["items"], has(items && densityOfItems(items))]]
  const ofEach = packages.map((each, at): [Path, string | undefined] => [
    ["packages", at],
    has(densityDoubt(each)) ??
      ((packagingCode && boundsDoubt(each, packagingCode)) || sizeDoubt(each, returned)),
  ])
  return packagingCode ? [...ofEach, [["packages"], countDoubt(packages)]] : ofEach
}

/** A package that the order did not have may be a wrong size, and its content is unknown. */
function sizeDoubt(each: Package, returned: readonly Package[]): string | undefined {
  const sizes = returned.map(toSize)
  if (sizes.length === 0 || sizes.includes(undefined) || sizes.includes(toSize(each))) return undefined
  const sent = [...new Set(returned.map(formatSize))].join(" or ")
  return `comes back as ${formatSize(each)}, and the order was sent in ${sent}`
}

const formatSize = ({ lengthCm, widthCm, heightCm }: Package) => `${lengthCm} × ${widthCm} × ${heightCm} cm`

/** Items give the greatest sizes: a weight that is too high for those is always too high. */
function densityOfItems({ count, totalWeightKg, maxLengthCm, maxWidthCm, maxHeightCm }: Items) {
  const weightKg = Number((totalWeightKg / count).toPrecision(6))
  return densityDoubt({ weightKg, lengthCm: maxLengthCm, widthCm: maxWidthCm, heightCm: maxHeightCm }, 0)
}

const DENSITY = "density"
const DENSITY_HINT =
  "sizes are in cm and weights in kg (400mm and 5000g are converted); --allow-density if it is meant"

/** Checks the collection times. Closing times outside the carrier's window are reported there. */
export function checkBookingTimes(
  booking: ConsignmentBookingRequest,
  carrier: Carrier | undefined,
  moment: Moment,
): Findings {
  const ready = parseWallClock(booking.collectionDateTime)
  const close = parseTimeOfDay(booking.collectionCloseTime)
  const CLOSE = "collectionCloseTime"
  return checkCollectionTimes(
    {
      place: booking.collection,
      ready: ready.ok ? ready.value : undefined,
      close: close.ok ? close.value : undefined,
      isCloseReported: () => checkCollectionWindow(booking, carrier).some(({ path }) => path === CLOSE),
      paths: { day: ["collectionDateTime"], ready: ["collectionDateTime"], close: [CLOSE] },
    },
    moment,
  )
}

/** The input of `checkExtras`: parts of it may be missing. */
type ExtrasOfBooking = Partial<
  Pick<ConsignmentBookingRequest, "alertAddresses" | "bexAlerts" | "collectionDateTime" | "timeSensitive">
>

/** Rules about fields that single carriers take; the booking may be incomplete. */
export function checkExtras(booking: ExtrasOfBooking): Findings {
  return joinFindings(checkDeliveryTimes(booking), { warnings: alertWarnings(booking) })
}

/** A delivery cannot end before it starts, or before the collection. Dates and times compare as strings. */
function checkDeliveryTimes({ timeSensitive, collectionDateTime = "" }: ExtrasOfBooking): Findings {
  const { deliveryWindow, timeslot } = timeSensitive ?? {}
  const collected = collectionDateTime.slice(0, 10)
  const backwards = (path: string[], end: string, start: string) => [
    findingAt(["timeSensitive", ...path], "deliveryWindow", `is ${end}, before the ${start}`),
  ]
  const errors = (found: RuleFinding[]): Findings => ({ errors: found, warnings: [] })
  // In another zone it may be another day.
  if (timeslot && parseWallClock(timeslot.dateTime).ok && timeslot.dateTime.slice(0, 10) < collected)
    return errors(backwards(["timeslot", "dateTime"], timeslot.dateTime, `collection on ${collected}`))
  if (!deliveryWindow) return NOTHING
  const { startDate, endDate, startTime, endTime } = deliveryWindow
  const end = ["deliveryWindow", "endDate"]
  if (endDate < startDate) return errors(backwards(end, endDate, `start ${startDate}`))
  if (endDate < collected) return errors(backwards(end, endDate, `collection on ${collected}`))
  if (endDate === startDate && startTime && endTime && endTime < startTime)
    return errors(backwards(["deliveryWindow", "endTime"], endTime, `start ${startTime}`))
  const early = ["deliveryWindow", "startDate"]
  const warnings = startDate < collected ? backwards(early, startDate, `collection on ${collected}`) : []
  return { errors: [], warnings }
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
  const says = "is false, although they are described"
  return [findingAt(["dangerousGoods"], "dangerousGoods", says, { hint: "check which of the two is right" })]
}

export interface PickupPlace {
  /** Undefined if unknown: its rules are left to the server. */
  carrier: Carrier | undefined
  /** The collection address, whose clock counts. */
  collection: ZonedPlace | undefined
  /** When the goods of its shipment are ready, as booked. */
  ready?: WallClock | undefined
  moment: Moment
}

/** Checks a schema-valid pickup. Unreadable times are left to the server. */
export function checkPickup(request: PickupBookingRequest, place: PickupPlace): Findings {
  const { carrier } = place
  const { shipmentId, serviceCode, collection } = request
  const needsService = shipmentId === undefined && getCarrierFacts(carrier)?.needsServiceForPickup
  const date = parseDate(request.pickupDate)
  const times = checkPickupTimes(request, place)
  const density = checkDensity(request, place.moment)
  const parties = (["collection", "receiver"] as const).map((party) => {
    const address = request[party]
    return address ? checkAddressRules(address, [party], place.moment.places) : NOTHING
  })
  const lacking = needsService && !serviceCode
  const needs = `is missing: ${carrier && carrierName(carrier)} needs it to book a pickup`
  const found = joinFindings(
    ...parties,
    { warnings: collection ? postBoxWarnings(collection, ["collection"], "collects") : [] },
    { warnings: collection ? clockWarnings(collection, ["collection"]) : [] },
    { warnings: collection ? collectionEmailWarnings(collection, carrier) : [] },
    { errors: date.ok ? [] : [findingAt(["pickupDate"], "date", date.reason)] },
    { errors: lacking ? [missingFieldAt(["serviceCode"], "pickupService", needs)] : [] },
    { warnings: carrier ? ignoredFields("PickupBookingRequest", request, carrier) : [] },
    density,
    times,
    // A past day needs no second error.
    times.errors.length > 0 ? NOTHING : checkReady(request, place),
  )
  return holdPlaces(found, place.moment, {})
}

/** The rule for a pickup that ends before its goods are ready. */
const BEFORE_READY = "beforeReady"

function checkReady(
  { pickupDate, closeTime }: PickupBookingRequest,
  { ready, moment }: PickupPlace,
): Findings {
  const time = parseTimeOfDay(closeTime)
  const close = time.ok ? parseWallClock(`${pickupDate}T${formatTime(time.value)}`) : time
  if (!ready || !close.ok || formatWallClock(close.value) > formatWallClock(ready)) return NOTHING
  const says = `is before the goods are ready: they were booked for ${formatDayAndTime(ready)}`
  const advice = { code: BEFORE_READY, hint: "give a later day, or --allow-past if they are ready by then" }
  return moment.allowPast
    ? { errors: [], warnings: [findingAt(["pickupDate"], BEFORE_READY, says)] }
    : { errors: [findingAt(["pickupDate"], BEFORE_READY, says, advice)], warnings: [] }
}

function checkPickupTimes(
  { pickupDate, readyTime, closeTime }: PickupBookingRequest,
  { collection, moment }: PickupPlace,
): Findings {
  const [time, close] = [parseTimeOfDay(readyTime), parseTimeOfDay(closeTime)]
  const ready = time.ok ? parseWallClock(`${pickupDate}T${formatTime(time.value)}`) : time
  return checkCollectionTimes(
    {
      place: collection,
      ready: ready.ok ? ready.value : undefined,
      close: close.ok ? close.value : undefined,
      paths: { day: ["pickupDate"], ready: ["readyTime"], close: ["closeTime"] },
    },
    moment,
  )
}

/**
 * Fills in `date`, `localDateTime` and `timezone` for the place of collection. Otherwise carriers that do not read `timezone` use
 * Sydney's day (RateRequest `date`).
 * @param nowMs milliseconds since the epoch
 */
export function rateDefaults(request: RateRequest, nowMs: number): RateRequest {
  const { timezone, from } = request
  const zone = timezone !== undefined && isContractZone(timezone) ? timezone : zoneOfPlace(from)
  const now = wallClockNow(nowMs, zone ?? DEFAULT_ZONE)
  return {
    date: formatDate(now),
    localDateTime: formatWallClock(now),
    ...(zone && isContractZone(zone) && { timezone: zone }),
    ...request,
  }
}

/** Checks a schema-valid rate request. Call it before applying defaults, so that defaults cause no warnings. */
export function checkRateRequest(
  request: RateRequest,
  carrier?: Carrier,
  allowed: Allowances = {},
  places?: PlaceJudge,
): Findings {
  return joinFindings(
    { errors: [...checkPostcode(request.from, ["from"]), ...checkPostcode(request.to, ["to"])] },
    {
      warnings: [
        ...placeWarnings(request.from, ["from"], places),
        ...placeWarnings(request.to, ["to"], places),
      ],
    },
    checkDensity(request, allowed),
    { warnings: timezoneWarnings(request) },
    { warnings: clockWarnings(request.from, ["from"]) },
    { warnings: carrier ? ignoredFields("RateRequest", request, carrier) : [] },
  )
}

/** The server silently ignores all zones but seven, and accepts a wrong one of the seven. */
function timezoneWarnings({ timezone, from }: RateRequest): RuleFinding[] {
  if (timezone === undefined) return []
  const expected = zoneOfPlace(from)
  if (!isContractZone(timezone))
    return [
      findingAt(
        ["timezone"],
        "timezone",
        `${quoted(timezone)} is not one of the seven time zones that the service knows`,
        {
          hint:
            expected && isContractZone(expected)
              ? `use ${expected}`
              : `use one of ${CONTRACT_ZONES.join(", ")}`,
        },
      ),
    ]
  if (!expected || expected === timezone || !isContractZone(expected)) return []
  const says = `is ${timezone}, but the goods are collected in ${from.suburb} ${from.state}`
  return [findingAt(["timezone"], "timezone", says, { hint: `use ${expected}, or leave it out` })]
}

/**
 * Warns of goods that are delivered where they are collected. A return has the sender as receiver, and is collected
 * elsewhere.
 */
function roundTripWarnings({ collection, receiver }: ConsignmentBookingRequest): RuleFinding[] {
  const isSame =
    isSamePlace(collection, receiver) &&
    PARTS.every((name) => plainText(collection[name] ?? "") === plainText(receiver[name] ?? ""))
  const says = "is the place where the goods are collected"
  return isSame ? [findingAt(["receiver"], "roundTrip", says, { hint: "check who gets them" })] : []
}

/** The fields that distinguish two addresses of one suburb: a building has several companies. */
const PARTS = ["companyName", "address1", "address2"] as const

/** Warns of a place whose local time is in none of the seven zones: carriers may read its times by another clock. */
function clockWarnings(place: ZonedPlace, path: Path): RuleFinding[] {
  const zone = zoneOfPlace(place)
  if (zone === undefined || isContractZone(zone)) return []
  const says = `is ${place.suburb}, whose clock (${zone}) shows none of the seven zones that the service knows: times are sent as they are there`
  return [findingAt([...path, "suburb"], "clock", says)]
}
