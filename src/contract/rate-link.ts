/** Linking a booking to the rate that was chosen (Booking rules 1 to 5). */
import { plainText } from "../base/plain-text.ts"
import type {
  BookingAddress,
  ConsignmentBookingRequest,
  Package,
  RatedService,
  RateRequest,
} from "./generated/types.ts"
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
 * A `quoteId` without `rateId` is an error, although the server accepts it: it would ignore it silently, and link the
 * booking to nothing. Reported fields beside a `rateId` are a warning.
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
 * What of a booking is not as its rate was quoted for; a price holds for nothing else. A quote names no payer: it is
 * the price on the account of the connector. Whether a place is residential and the day are not compared: a booking does not
 * say the first, and `date` is filled in if it was not given.
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
  return plain(one) === plain(other)
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
 * What a booking says of the rate that was chosen. With a `rateId` the link is enough; without one the quote is
 * reported, as far as it is known. A null of the rate is left out, for a booking has no nulls.
 */
export function linkFromQuote(rate: RatedService, quoteId: string): RateLink {
  const { serviceCode, rateId } = rate
  if (rateId) return { serviceCode, rateId, ...(quoteId && { quoteId }) }
  return {
    serviceCode,
    ...quotedPrice(rate),
    ...(rate.eta != null && { committedEta: rate.eta }),
    ...(rate.transitDays != null && { quotedTransitDays: rate.transitDays }),
    ...(rate.bookingCutoff !== undefined && { bookingCutoff: rate.bookingCutoff }),
    ...(rate.collectionCutoff !== undefined && { collectionCutoff: rate.collectionCutoff }),
  }
}

/** Where a carrier does not state GST, `price` may or may not include it. */
function quotedPrice({ priceGst, priceIncGst, currency }: RatedService): Partial<RateLink> {
  if (priceGst === undefined || priceIncGst === undefined) return {}
  const [quotedGstMinor, quotedPriceIncGstMinor] = [centsOf(priceGst), centsOf(priceIncGst)]
  return {
    quotedPriceExGstMinor: quotedPriceIncGstMinor - quotedGstMinor,
    quotedGstMinor,
    quotedPriceIncGstMinor,
    ...(currency !== undefined && { quotedCurrency: currency }),
  }
}
