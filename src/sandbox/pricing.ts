/** What a carrier asks for a consignment, and when it would arrive. Everything is counted in whole cents. */
import type { Carrier, RateRequest } from "../contract/generated/types.ts"
import {
  formatDate,
  formatWallClock,
  nextBusinessDay,
  type WallClock,
  wallClockNow,
} from "../contract/wall-clock.ts"
import { DEFAULT_ZONE, isContractZone } from "../contract/zones.ts"
import { type Service, TARIFFS, type Tariff } from "./catalogue.ts"
import type { Price } from "./events.ts"
import { businessDay, deliveryDate, type Lane, laneOf, transitDays } from "./lanes.ts"
import { CarrierRejection } from "./rejection.ts"

export interface PricedService {
  readonly service: Service
  readonly price: Price
  /** `yyyy-MM-ddTHH:mm:ss`, on the receiver's clock; null for carrier C, which tells days. */
  readonly eta: string | null
  readonly transitDays: number | null
}

const HEAVIEST_GRAMS = 20_000_000
/** 250 kg for a cubic metre. */
const GRAMS_PER_CUBIC_CM = 0.25
const PERCENT_PER_DEGREE = 6
const PERCENT_PER_REGIONAL_END = 25
const DOCUMENT_PERCENT = 88
const UNIT_B_PERCENT = 93

/**
 * Every service that the carrier offers for the request, or the one that `serviceCode` names. `nowMs` is sandbox
 * time, for the defaults of `date` and `localDateTime`.
 * @throws CarrierRejection when the carrier does not take the goods or does not go there.
 */
export function priceServices(carrier: Carrier, request: RateRequest, nowMs: number): PricedService[] {
  const tariff = TARIFFS[carrier]
  const lane = laneOf(carrier, request.from, request.to)
  const grams = chargeableGrams(request)
  const now = localClock(carrier, request, nowMs)
  return tariff.services
    .filter(({ visibility }) => visibility !== "off")
    .filter(({ dangerousGoods }) => dangerousGoods || !request.dangerousGoods)
    .filter(({ serviceCode }) => serviceCode === (request.serviceCode ?? serviceCode))
    .map((service) => {
      const price = priceOf(
        carrier,
        cents(tariff, service, lane, grams, request, cardPercent(carrier, request)),
      )
      const days = transitDays(lane, service)
      if (carrier === "CARRIER_C_AU") return { service, price, eta: null, transitDays: days }
      const leaves = departure(carrier, service, request, now)
      return {
        service,
        price,
        eta: `${deliveryDate(leaves, days)}T${service.deliveredBy}`,
        transitDays: null,
      }
    })
}

/** Weight or volume, whichever is more, rounded up to 100 g. */
function chargeableGrams({ packages }: RateRequest): number {
  let dead = 0
  let cubic = 0
  for (const { count, lengthCm, widthCm, heightCm, weightKg } of packages) {
    dead += count * weightKg * 1000
    cubic += count * lengthCm * widthCm * heightCm * GRAMS_PER_CUBIC_CM
  }
  const grams = Math.max(dead, cubic)
  if (grams > HEAVIEST_GRAMS) throw new CarrierRejection("TOO_HEAVY", "The goods are over 20,000 kg")
  // Sums of decimals are off by less than a milligram, which must not cost the next 100 g.
  return Math.ceil(Math.round(grams * 1000) / 100_000) * 100
}

/** The rate card: a document on carrier A, a business unit of carrier C; the others ignore both. */
function cardPercent(carrier: Carrier, { isDocument, businessUnit }: RateRequest): number {
  if (carrier === "CARRIER_A_AU" && isDocument) return DOCUMENT_PERCENT
  if (carrier === "CARRIER_C_AU" && businessUnit === "UNIT_B") return UNIT_B_PERCENT
  return 100
}

function cents(
  tariff: Tariff,
  service: Service,
  lane: Lane,
  grams: number,
  { from, to, dangerousGoods }: RateRequest,
  card: number,
): number {
  const way = 100 + lane.degrees * PERCENT_PER_DEGREE + lane.regionalEnds * PERCENT_PER_REGIONAL_END
  const carriage =
    ((tariff.base * 1000 + tariff.perKg * grams) * way * service.percent * card) / 1_000_000_000
  return (
    Math.round(carriage) +
    (from.residential ? tariff.residentialPickup : 0) +
    (to.residential ? tariff.residentialDelivery : 0) +
    (dangerousGoods ? tariff.dangerousGoods : 0)
  )
}

function priceOf(carrier: Carrier, exGstMinor: number): Price {
  if (carrier !== "CARRIER_B_AU") return { exGstMinor, currency: "AUD" }
  const gstMinor = Math.round(exGstMinor / 10)
  return { exGstMinor, gstMinor, incGstMinor: exGstMinor + gstMinor, currency: "AUD" }
}

/** The clock by which `date` and `localDateTime` are filled in: carrier A alone heeds `timezone`. */
function localClock(carrier: Carrier, { timezone }: RateRequest, nowMs: number): WallClock {
  const heeded = carrier === "CARRIER_A_AU" && timezone !== undefined && isContractZone(timezone)
  return wallClockNow(nowMs, heeded ? timezone : DEFAULT_ZONE)
}

/** The day on which the goods leave. Carrier A alone heeds `localDateTime`: past the cut-off, they leave a day later. */
function departure(carrier: Carrier, service: Service, request: RateRequest, now: WallClock): string {
  const date = request.date ?? formatDate(now)
  if (carrier !== "CARRIER_A_AU") return date
  const [today, time = ""] = (request.localDateTime ?? formatWallClock(now)).split("T")
  return today === date && time > service.bookingCutoff
    ? formatDate(nextBusinessDay(businessDay(date)))
    : date
}
