/** A carrier's price for a consignment, and its arrival. Everything is counted in whole cents. */
import { quoted } from "../base/parsed.ts"
import { toGst } from "../base/money.ts"
import { carrierName } from "../carriers/index.ts"
import type { Carrier, RateRequest } from "../contract/generated/types.ts"
import {
  addDays,
  type CalendarDate,
  formatDate,
  formatWallClock,
  nextBusinessDay,
  parseDate,
  type WallClock,
  wallClockNow,
} from "../base/wall-clock.ts"
import { DEFAULT_ZONE, stateCode, type StateCode } from "../contract/index.ts"
import { CLAUSES, ZONES } from "./clauses.ts"
import { type Service, type Tariff, TARIFFS } from "./carriers.ts"
import type { Price, Surcharges } from "./events.ts"
import { CarrierRejection } from "./reply.ts"

export interface PricedService {
  readonly service: Service
  readonly price: Price
  readonly surcharges: Surcharges
  /** `yyyy-MM-ddTHH:mm:ss`, on the receiver's clock; null if the carrier gives days. */
  readonly eta: string | null
  readonly transitDays: number | null
}

const MAX_GRAMS = 20_000_000
/** 250 kg for a cubic metre. */
const GRAMS_PER_CUBIC_CM = 0.25
const PERCENT_PER_DEGREE = 6
const PERCENT_PER_REGIONAL_END = 25
const DOCUMENT_PERCENT = 88
const UNIT_B_PERCENT = 93

/**
 * Every service that the carrier offers for the request, or the one that `serviceCode` names. `nowMs` is sandbox
 * time, for the defaults of `date` and `localDateTime`.
 */
export function priceServices(carrier: Carrier, request: RateRequest, nowMs: number): PricedService[] {
  const tariff = TARIFFS[carrier]
  const lane = findLane(carrier, request.from, request.to)
  const grams = getChargeableGrams(request)
  const now = findLocalClock(carrier, request, nowMs)
  return tariff.services
    .filter(({ visibility }) => visibility !== "off")
    .filter(({ dangerousGoods }) => dangerousGoods || !request.dangerousGoods)
    .filter(({ serviceCode }) => serviceCode === (request.serviceCode ?? serviceCode))
    .map((service) => {
      const surcharges = getSurcharges(tariff, request)
      const carriage = getCarriageCents(tariff, service, lane, grams, getCardPercent(carrier, request))
      const price = toPrice(carrier, carriage + sumSurcharges(surcharges))
      const days = countTransitDays(lane, service)
      if (CLAUSES[carrier].arrival === "transitDays")
        return { service, price, surcharges, eta: null, transitDays: days }
      const leaves = findDeparture(carrier, service, request, now)
      return {
        service,
        price,
        surcharges,
        eta: `${findDeliveryDate(leaves, days)}T${service.deliveredBy}`,
        transitDays: null,
      }
    })
}

/** The greater of weight and volumetric weight, rounded up to 100 g. */
function getChargeableGrams({ packages }: RateRequest): number {
  let dead = 0
  let cubic = 0
  for (const { count, lengthCm, widthCm, heightCm, weightKg } of packages) {
    dead += count * weightKg * 1000
    cubic += count * lengthCm * widthCm * heightCm * GRAMS_PER_CUBIC_CM
  }
  const grams = Math.max(dead, cubic)
  if (grams > MAX_GRAMS) throw new CarrierRejection("TOO_HEAVY", "The goods are over 20,000 kg")
  // Sums of decimals are off by less than a milligram, which must not cost the next 100 g.
  return Math.ceil(Math.round(grams * 1000) / 100_000) * 100
}

function getCardPercent(carrier: Carrier, { isDocument, businessUnit }: RateRequest): number {
  const { hasDocumentRate, hasBusinessUnits } = CLAUSES[carrier]
  if (hasDocumentRate && isDocument) return DOCUMENT_PERCENT
  if (hasBusinessUnits && businessUnit === "UNIT_B") return UNIT_B_PERCENT
  return 100
}

function getCarriageCents(tariff: Tariff, service: Service, lane: Lane, grams: number, card: number): number {
  const way = 100 + lane.degrees * PERCENT_PER_DEGREE + lane.regionalEnds * PERCENT_PER_REGIONAL_END
  return Math.round(
    ((tariff.base * 1000 + tariff.perKg * grams) * way * service.percent * card) / 1_000_000_000,
  )
}

function getSurcharges(tariff: Tariff, { from, to, dangerousGoods }: RateRequest): Surcharges {
  return {
    ...(from.residential && { residentialPickup: tariff.residentialPickup }),
    ...(to.residential && { residentialDelivery: tariff.residentialDelivery }),
    ...(dangerousGoods && { dangerousGoods: tariff.dangerousGoods }),
  }
}

/** In cents. */
export function sumSurcharges(surcharges: Surcharges): number {
  return Object.values(surcharges).reduce((sum, cents) => sum + cents, 0)
}

function toPrice(carrier: Carrier, exGstMinor: number): Price {
  if (!CLAUSES[carrier].tellsGst) return { exGstMinor, currency: "AUD" }
  const gstMinor = toGst(exGstMinor)
  return { exGstMinor, gstMinor, incGstMinor: exGstMinor + gstMinor, currency: "AUD" }
}

/** The clock for the defaults of `date` and `localDateTime`. */
function findLocalClock(carrier: Carrier, { timezone }: RateRequest, nowMs: number): WallClock {
  const isUsed = CLAUSES[carrier].readsClock && timezone !== undefined && ZONES.includes(timezone)
  return wallClockNow(nowMs, isUsed ? timezone : DEFAULT_ZONE)
}

/** The day of departure. Past the cut-off of a carrier that reads `localDateTime`, a day later. */
function findDeparture(carrier: Carrier, service: Service, request: RateRequest, now: WallClock): string {
  const date = request.date ?? formatDate(now)
  if (!CLAUSES[carrier].readsClock) return date
  const [today, time = ""] = (request.localDateTime ?? formatWallClock(now)).split("T")
  return today === date && time > service.bookingCutoff
    ? formatDate(nextBusinessDay(toBusinessDay(date)))
    : date
}

export interface Locality {
  readonly suburb: string
  readonly state: string
  readonly postcode: string
}

interface Lane {
  /** Distance between the capitals of the two states, in degrees. */
  readonly degrees: number
  /** How many ends lie outside a capital city. */
  readonly regionalEnds: number
}

/** The place of each capital (degrees east and north), and the postcodes of its metropolitan area. */
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

export function findLane(carrier: Carrier, from: Locality, to: Locality): Lane {
  const [start, end] = [getState(from), getState(to)]
  if (CLAUSES[carrier].notServed.includes(end))
    throw new CarrierRejection(
      "LANE_NOT_SERVED",
      `${carrierName(carrier)} does not deliver to ${to.suburb} ${end}`,
    )
  const [one, other] = [CAPITALS[start].at, CAPITALS[end].at]
  return {
    degrees: Math.round(Math.hypot(one[0] - other[0], one[1] - other[1])),
    regionalEnds: Number(isRegional(start, from)) + Number(isRegional(end, to)),
  }
}

function getState({ suburb, state }: Locality): StateCode {
  const code = stateCode(state)
  if (!code)
    throw new CarrierRejection("LOCATION_UNKNOWN", `${suburb}: ${quoted(state)} is not a state or territory`)
  return code
}

function isRegional(state: StateCode, { postcode }: Locality): boolean {
  const [first, last] = CAPITALS[state].metro
  return postcode < first || postcode > last
}

/** Whole business days on the way. */
export function countTransitDays({ degrees, regionalEnds }: Lane, { mode }: Service): number {
  return 1 + (mode === "air" ? 0 : Math.ceil(degrees / 9)) + regionalEnds
}

/** The day of delivery (yyyy-MM-dd) of goods that leave on `leaves`, or on the next business day. */
export function findDeliveryDate(leaves: string, days: number): string {
  let day = toBusinessDay(leaves)
  for (let left = days; left > 0; left--) day = nextBusinessDay(day)
  return formatDate(day)
}

/** `yyyy-MM-dd` as a business day: itself, or the next. */
function toBusinessDay(date: string): CalendarDate {
  const day = parseDate(date)
  if (!day.ok) throw new CarrierRejection("DATE_INVALID", day.reason)
  return nextBusinessDay(addDays(day.value, -1))
}
