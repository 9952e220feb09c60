/** Chooses the service of a booking that leaves it open, and asks for its price before booking: the API does not give it later. */
import type { FreightApi } from "../api/freight.ts"
import { carrierLetter } from "../contract/carrier-fields.ts"
import type { Moment } from "../contract/collection-times.ts"
import type { ConsignmentBookingRequest, RatedService } from "../contract/generated/types.ts"
import { centsOf, formatCents } from "../contract/money.ts"
import { linkFromQuote } from "../contract/rate-link.ts"
import { type ErrorKind, FreightError } from "../errors.ts"
import type { Facts } from "../ledger/entry.ts"
import type { KeptRate } from "../memory/quotes.ts"
import type { Clock } from "../ports.ts"
import { ratedOffer, toRateRequest, requestOf } from "./offer.ts"
import { getGstBasis, rateRows, toAggregatedReply, toKeptRate } from "./rates.ts"
import { type BookingDraft, checkBookingDraft } from "./request.ts"
import type { JsonObject } from "../contract/fields/json.ts"
import {
  chooseRate,
  type Limits,
  limitsText,
  needsRates,
  parseService,
  type ServicePreference,
  unmetError,
} from "./preferences.ts"

/** Failures that concern only the price; the booking would meet any other too. */
const WITHOUT_PRICE: readonly ErrorKind[] = ["refused", "notFound", "timeout", "badReply"]

interface Unpriced {
  connectorId: string
  carrier: string | undefined
  request: ConsignmentBookingRequest
}

interface Priced {
  request: ConsignmentBookingRequest
  rate: KeptRate | undefined
  warning?: string
}

/** What a rate says of its price, as the ledger keeps it. */
export function priceFacts(rate: RatedService) {
  const { price, priceGst, priceIncGst, currency } = rate
  return {
    priceCents: centsOf(price),
    gstCents: priceGst === undefined ? undefined : centsOf(priceGst),
    priceIncGstCents: priceIncGst === undefined ? undefined : centsOf(priceIncGst),
    gstBasis: getGstBasis(rate),
    currency,
  } satisfies Facts
}

/** `AUD 63.90 + GST = 70.29`; undefined where the price is not known. */
export function priceText({
  priceCents,
  priceIncGstCents,
  gstBasis,
  currency = "AUD",
}: Facts): string | undefined {
  if (priceCents === undefined) return undefined
  const price = `${currency} ${formatCents(priceCents)}`
  if (gstBasis === "included") return `${price}, GST included`
  if (gstBasis !== "excluded") return `${price}, GST not stated`
  return priceIncGstCents === undefined
    ? `${price} + GST`
    : `${price} + GST = ${formatCents(priceIncGstCents)}`
}

/**
 * `Book it: AUD 33.68, Standard, carrier C, collected tomorrow 10:00`; `AUD 70.29 incl. GST` where GST is known.
 * @param collected `tomorrow 10:00`
 */
export function bookingQuestion(
  { priceCents, priceIncGstCents, currency = "AUD", carrier, connectorId = "" }: Facts,
  service: string,
  collected: string,
): string {
  const cents = priceIncGstCents ?? priceCents
  const price =
    cents === undefined
      ? "its price is not known"
      : `${currency} ${formatCents(cents)}${priceIncGstCents === undefined ? "" : " incl. GST"}`
  const whose = carrier ? `carrier ${carrierLetter(carrier)}` : connectorId
  return `Book it: ${[price, service, whose, `collected ${collected}`].join(", ")}`
}

export function hasPrice({ rateId, quotedPriceExGstMinor }: ConsignmentBookingRequest): boolean {
  return rateId !== undefined || quotedPriceExGstMinor !== undefined
}

/**
 * Asks the connector for the rate of the booking's service, and links the booking to it. A carrier that cannot say its
 * price does not stop the booking.
 * @param residential whether each end is a home; a booking does not say it
 * @throws FreightError for what the booking would meet too: no connection, no key, too many requests, Ctrl-C
 */
export async function withRate(
  { api, clock }: { api: Pick<FreightApi, "connectorRates">; clock: Clock },
  { connectorId, carrier = "", request }: Unpriced,
  residential = { collection: false, receiver: false },
): Promise<Priced> {
  if (hasPrice(request) || request.packages === undefined) return { request, rate: undefined }
  const { serviceCode } = request
  const order = { booking: request, wish: { kind: "code", serviceCode }, residential } as const
  const asked = toRateRequest(order, clock.now())
  try {
    const reply = toAggregatedReply(await api.connectorRates(connectorId, asked), connectorId, carrier)
    const row = rateRows(reply).find((each) => each.serviceCode === serviceCode)
    if (!row)
      return {
        request,
        rate: undefined,
        warning: "its price is not known: the carrier gives no rate for that service",
      }
    const kept = toKeptRate(row, clock.now(), asked)
    return { request: { ...request, ...linkFromQuote(kept.rate, kept.quoteId) }, rate: kept }
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    const isOfCarrier =
      WITHOUT_PRICE.includes(error.kind) || (error.kind === "unavailable" && error.status !== undefined)
    if (!isOfCarrier) throw error
    return { request, rate: undefined, warning: `its price is not known: ${error.message}` }
  }
}

interface ChoiceDeps {
  freight(): Promise<FreightApi>
  clock: Clock
}

/**
 * The service that a booking leaves open, chosen from live rates; also that of a service with limits. Undefined where
 * there is nothing to choose.
 * @throws FreightError `usage` or `input` for a booking that no service could take, `refused` where none meets the wishes
 */
export async function chooseService(deps: ChoiceDeps, draft: BookingDraft, moment: Moment, limits: Limits) {
  const { request } = draft
  if (request.rateId !== undefined) return undefined
  const wish: ServicePreference = { ...parseService(String(request.serviceCode)), ...limits }
  if (!needsRates({ wish })) return undefined
  const { request: booking } = checkBookingDraft(draft, undefined, moment)
  const api = await deps.freight()
  const { connectors } = await api.listConnectors()
  const residential = { collection: false, receiver: false }
  const order = { booking, wish, residential }
  const offer = await ratedOffer({ api, connectors, clock: deps.clock }, order)
  const chosen = requestOf(order, offer) as unknown as JsonObject
  return { draft: { ...draft, request: chosen }, rate: offer.rate, why: offer.why }
}

/**
 * Checks a booking whose rate is named against the wishes.
 * @throws FreightError `refused` for a rate that does not meet them, or is not known here
 */
export function checkNamedRate({ request, rate }: BookingDraft, limits: Limits): void {
  const isLimited = limitsText({ ...limits, avoid: [] }) !== ""
  if (request.rateId === undefined || !isLimited) return
  if (!rate)
    throw new FreightError(
      "refused",
      `the price and arrival of that rate are not known here, so they cannot be checked against your wishes (${limitsText(limits)})`,
      { hint: "Nothing was sent. Ask for rates with freight rate-shop, and book one of those." },
    )
  const single = { quoteId: rate.quoteId, rates: [rate.rate] }
  const reply = toAggregatedReply(single, rate.connectorId, rate.carrier)
  const choice = chooseRate(rateRows(reply), { by: "price", limits, date: rate.request.date })
  if (!choice.rate) throw unmetError(`rate ${rate.rate.rateId}`, limits, choice.misses)
}
