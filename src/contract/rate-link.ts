/** Links a booking to the chosen rate (Booking rules 1 to 5). */
import { getCarrierFacts, toCarrier } from "../carriers/index.ts"
import { plainText } from "../base/plain-text.ts"
import type {
  BookingAddress,
  ConsignmentBookingRequest,
  Package,
  RatedService,
  RateRequest,
} from "./generated/types.ts"
import { formatTime, parseTimeOfDay, parseWallClock } from "../base/wall-clock.ts"
import { centsOf } from "../base/money.ts"
import { formatPlace } from "./places.ts"
import { type Findings, missingFieldAt, findingAt, type RuleFinding } from "./findings.ts"
import { stateCode } from "./zones.ts"

/** In milliseconds: 48 hours. */
export const QUOTE_LIFETIME_MS = 48 * 3_600_000

/** Fields that the server takes from the caller, only without a `rateId`. */
export const REPORTED = [
  "quotedPriceExGstMinor",
  "quotedGstMinor",
  "quotedPriceIncGstMinor",
  "quotedCurrency",
  "committedEta",
  "quotedTransitDays",
  "bookingCutoff",
  "collectionCutoff",
] as const

type Reported = (typeof REPORTED)[number]

/** Fields of a rate besides its service. */
export const LINK_FIELDS = ["rateId", "quoteId", ...REPORTED] as const

/** Booking fields that link to a rate or report the quote. */
export type RateLink = Pick<ConsignmentBookingRequest, "serviceCode" | "rateId" | "quoteId" | Reported>

/**
 * A `quoteId` without `rateId` is an error although the server accepts it: the server would ignore it silently, and
 * link the booking to nothing. Reported fields beside a `rateId` are a warning.
 */
export function checkRateLink(booking: Partial<RateLink>): Findings {
  if (!booking.rateId) {
    if (booking.quoteId === undefined) return { errors: [], warnings: [] }
    const hint = "add the rateId of the chosen rate, or leave quoteId out"
    const says = "is missing: without it the server ignores quoteId and links the booking to no rate"
    return { errors: [missingFieldAt(["rateId"], "rateLink", says, { hint })], warnings: [] }
  }
  const passedOver = REPORTED.filter((field) => booking[field] !== undefined)
  const says = `puts the rate's own figures on record, so these are ignored: ${passedOver.join(", ")}`
  return { errors: [], warnings: passedOver.length > 0 ? [findingAt(["rateId"], "rateLink", says)] : [] }
}

type QuotedParts = Pick<ConsignmentBookingRequest, "packages" | "dangerousGoods" | "payer"> &
  Record<"collection" | "receiver", Pick<BookingAddress, "suburb" | "state" | "postcode">>

/**
 * Lists the differences between a booking and the request that its rate was quoted for; a price holds for nothing else.
 * A quote names no payer: it is the price on the account of the connector. Residential flags and the day are not
 * compared: a booking does not have the first, and `date` is filled in if it was not given.
 */
export function quoteDifferences(quoted: RateRequest, booking: QuotedParts): RuleFinding[] {
  const differs = (field: string, is: string, was: string) =>
    findingAt([field], "rateLink", `is ${is}, and the rate was quoted for ${was}`)
  const placeError = (field: "collection" | "receiver", was: RateRequest["from"]) =>
    isSamePlace(booking[field], was) ? [] : [differs(field, formatPlace(booking[field]), formatPlace(was))]
  const [is, was] = [booking.packages, quoted.packages].map(packagesText)
  const { payer, dangerousGoods } = booking
  return [
    ...placeError("collection", quoted.from),
    ...placeError("receiver", quoted.to),
    ...(is !== was ? [differs("packages", String(is), String(was))] : []),
    ...(dangerousGoods !== quoted.dangerousGoods
      ? [differs("dangerousGoods", String(dangerousGoods), String(quoted.dangerousGoods))]
      : []),
    ...(payer.type === "Sender" ? [] : [differs("payer", payer.type, "Sender")]),
  ]
}

/** Whether two addresses are of one suburb, however they are written. */
export function isSamePlace(one: QuotedParts["receiver"], other: QuotedParts["receiver"]): boolean {
  const plain = ({ suburb, state, postcode }: QuotedParts["receiver"]) =>
    plainText([suburb, stateCode(state) ?? state, postcode].join(" "))
  const isSame = one.suburb === other.suburb && one.state === other.state && one.postcode === other.postcode
  return isSame || plain(one) === plain(other)
}

/** A normalized form: equal for equal goods in any order and orientation. */
function packagesText(packages: readonly Package[]): string {
  const counts = new Map<string, number>()
  for (const { count, lengthCm, widthCm, heightCm, weightKg } of packages) {
    const sides = [lengthCm, widthCm, heightCm].sort((one, other) => other - one)
    const each = `${sides.join("x")}@${weightKg}`
    counts.set(each, (counts.get(each) ?? 0) + count)
  }
  return [...counts]
    .map(([each, count]) => `${count}x${each}`)
    .sort()
    .join(", ")
}

/** Whether a quote is more than 48 hours old; times in milliseconds since the epoch. Call it when sending. */
export function quoteExpired(quotedAtMs: number, nowMs: number): boolean {
  return nowMs - quotedAtMs > QUOTE_LIFETIME_MS
}

/**
 * The link from a booking to the chosen rate. With a `rateId` the link is enough; without one the quote is reported, as
 * far as it is known and valid in the contract (nulls of the rate are left out).
 * @param carrier whose rate it is: GST and the price with it are sent only to one that states them
 */
export function linkFromQuote(rate: RatedService, quoteId: string, carrier: string): RateLink {
  const { serviceCode, rateId, transitDays } = rate
  if (rateId) return { serviceCode, rateId, ...(quoteId && { quoteId }) }
  const committedEta = toWallClock(rate.eta ?? "")
  const bookingCutoff = toClockTime(rate.bookingCutoff ?? "")
  const collectionCutoff = toClockTime(rate.collectionCutoff ?? "")
  return {
    serviceCode,
    ...quotedPrice(rate, carrier),
    ...(committedEta !== undefined && { committedEta }),
    ...(Number.isInteger(transitDays) &&
      Number(transitDays) >= 0 && { quotedTransitDays: Number(transitDays) }),
    ...(bookingCutoff !== undefined && { bookingCutoff }),
    ...(collectionCutoff !== undefined && { collectionCutoff }),
  }
}

const PRICE_FIELDS: readonly Reported[] = [
  "quotedPriceExGstMinor",
  "quotedGstMinor",
  "quotedPriceIncGstMinor",
  "quotedCurrency",
]

/**
 * A booking linked to its rate. If it reports a quote itself, its fields stay, and are not mixed with the rate's price.
 */
export function linkToRate<T extends object>(
  booking: T,
  { rate, quoteId, carrier }: { rate: RatedService; quoteId: string; carrier: string },
): T & RateLink {
  const link = linkFromQuote(rate, quoteId, carrier)
  const given: Partial<RateLink> = booking
  const isOwn = (field: Reported) => given[field] !== undefined
  const hasPrice = PRICE_FIELDS.some(isOwn)
  for (const field of REPORTED)
    if (isOwn(field) || (hasPrice && PRICE_FIELDS.includes(field))) delete link[field]
  return { ...booking, ...link }
}

/** A time without a zone, as given; undefined for any other. */
function toWallClock(text: string): string | undefined {
  const written = text.trim().replace(/^(\d{4}-\d{2}-\d{2}) /, "$1T")
  return parseWallClock(written).ok ? written : undefined
}

/** `15:00:00` */
function toClockTime(text: string): string | undefined {
  const time = parseTimeOfDay(text)
  return time.ok ? formatTime(time.value) : undefined
}

/** Nothing is reported if it is unknown whether `price` includes GST. */
function quotedPrice({ priceGst, priceIncGst, currency }: RatedService, carrier: string): Partial<RateLink> {
  if (priceGst === undefined || priceIncGst === undefined) return {}
  const [quotedGstMinor, quotedPriceIncGstMinor] = [centsOf(priceGst), centsOf(priceIncGst)]
  const quotedPriceExGstMinor = quotedPriceIncGstMinor - quotedGstMinor
  if (quotedPriceExGstMinor < 0 || quotedGstMinor < 0) return {}
  return {
    quotedPriceExGstMinor,
    ...(getCarrierFacts(toCarrier(carrier))?.statesGst && { quotedGstMinor, quotedPriceIncGstMinor }),
    ...(currency !== undefined && { quotedCurrency: currency }),
  }
}
