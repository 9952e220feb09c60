/** Which service an order is booked with: the one it names, or the best that keeps its limits. */
import type { FreightApi } from "../api/freight.ts"
import * as requests from "../contract/generated/requests.js"
import { checkBooking, rateDefaults } from "../contract/request-rules.ts"
import type {
  AggregatedRateResponse,
  Carrier,
  ConnectorSummary,
  ConsignmentBookingRequest,
  RateRequest,
} from "../contract/generated/types.ts"
import { centsOf } from "../contract/money.ts"
import { linkFromQuote, quoteExpired, type RateLink } from "../contract/rate-link.ts"
import { FreightError } from "../errors.ts"
import type { KeptRate } from "../memory/quotes.ts"
import type { Clock } from "../ports.ts"
import { hasTypes } from "../contract/fields/json.ts"
import { type RateRow, rateRows, toAggregatedReply, toKeptRate } from "./rates.ts"
import { chooseRate, type ServicePreference, unmetError } from "./preferences.ts"

export interface Order {
  /** Everything but service, rate and quote. */
  booking: Omit<ConsignmentBookingRequest, keyof RateLink>
  wish: ServicePreference
  /** Whether each end is a home: a rate request says it, a booking has no field for it. */
  residential: { collection: boolean; receiver: boolean }
}

/** What an order is booked with. Its price is known when rates were asked for. */
export interface Offer {
  connectorId: string
  carrier: Carrier | undefined
  serviceCode: string
  rate: KeptRate | undefined
  /** Why it was chosen, where rates were compared. */
  why?: string
}

interface OfferDeps {
  api: Pick<FreightApi, "rates" | "connectorRates">
  connectors: readonly ConnectorSummary[]
  clock: Clock
}

/** The offer of an order that names its service, without asking. @throws FreightError `refused` when it is not clear whose */
export function plainOffer({ wish }: Pick<Order, "wish">, connectors: readonly ConnectorSummary[]): Offer {
  if (wish.kind !== "code") throw new TypeError("the order does not name a service")
  const { serviceCode, connectorId } = wish
  const offering = connectors.filter(({ id, services }) =>
    connectorId === undefined
      ? services.some((each) => each.serviceCode === serviceCode)
      : id === connectorId,
  )
  const [only, ...others] = offering
  if (only && others.length === 0)
    return { connectorId: only.id, carrier: only.carrier, serviceCode, rate: undefined }
  if (only)
    throw new FreightError(
      "refused",
      `service ${serviceCode} is offered by ${offering.map(({ id }) => id).join(" and ")}: say which`,
    )
  throw new FreightError(
    "refused",
    connectorId === undefined
      ? `no connector offers the service ${serviceCode}`
      : `there is no active connector '${connectorId}'`,
  )
}

/**
 * Asks for rates and takes the best one that the order's wishes and the carrier's own rules leave.
 * @throws FreightError `refused` when there is none, `unavailable` when no carrier answered, and what the API throws
 */
export async function ratedOffer({ api, connectors, clock }: OfferDeps, order: Order): Promise<Offer> {
  const { wish } = order
  const request = toRateRequest(order, clock.now())
  const reply = await ratesFor(api, connectors, wish.connectorId, request)
  const quotedAt = clock.now()
  const offered = rateRows(reply).filter(
    ({ serviceCode }) => wish.kind !== "code" || serviceCode === wish.serviceCode,
  )
  if (offered.length === 0) throw createNoneOfferedError(order, reply)
  const carrierOf = (rate: RateRow) => connectors.find(({ id }) => id === rate.connectorId)?.carrier
  const choice = chooseRate(offered, {
    by: wish.kind === "fastest" ? "eta" : "price",
    limits: wish,
    date: request.date,
    isBookable: (rate) =>
      checkBooking({ ...order.booking, serviceCode: rate.serviceCode }, carrierOf(rate)).errors.length === 0,
  })
  if (!choice.rate)
    throw unmetError(wish.kind === "code" ? `service ${wish.serviceCode}` : "no rate", wish, choice.misses)
  const { connectorId, serviceCode } = choice.rate
  return {
    connectorId,
    carrier: carrierOf(choice.rate),
    serviceCode,
    rate: toKeptRate(choice.rate, quotedAt, request),
    why: choice.why,
  }
}

/** Asks a connector for an order's rates, which creates nothing: does it answer? */
export function probe(api: OfferDeps["api"], order: Order, connectorId: string, now: number) {
  return () => api.connectorRates(connectorId, toRateRequest(order, now))
}

/** What a rate costs, in cents, and in which currency; undefined when no rates were asked for. */
export function priceOf({ rate }: Offer): { cents: number; currency: string } | undefined {
  return rate && { cents: centsOf(rate.rate.price), currency: rate.rate.currency }
}

/** Whether an offer can still be booked: a quote is good for 48 hours. */
export function isFresh({ rate }: Offer, now: number): boolean {
  return rate === undefined || !quoteExpired(rate.quotedAt, now)
}

export function requestOf({ booking }: Order, { serviceCode, rate }: Offer): ConsignmentBookingRequest {
  return { ...booking, ...(rate ? linkFromQuote(rate.rate, rate.quoteId) : { serviceCode }) }
}

/** What the carriers are asked for an order. @param now milliseconds since the epoch */
export function toRateRequest({ booking, wish, residential }: Order, now: number): RateRequest {
  const { collection, receiver, packages, dangerousGoods, collectionDateTime, businessUnit } = booking
  return rateDefaults(
    {
      from: toRatePlace(collection, residential.collection),
      to: toRatePlace(receiver, residential.receiver),
      packages,
      dangerousGoods,
      date: collectionDateTime.slice(0, 10),
      ...(wish.kind === "code" && { serviceCode: wish.serviceCode }),
      ...(businessUnit && { businessUnit }),
    },
    now,
  )
}

function toRatePlace({ suburb, state, postcode }: Order["booking"]["collection"], residential: boolean) {
  return { suburb, state, postcode, residential }
}

async function ratesFor(
  api: OfferDeps["api"],
  connectors: readonly ConnectorSummary[],
  connectorId: string | undefined,
  request: RateRequest,
): Promise<AggregatedRateResponse> {
  if (connectorId === undefined) return api.rates(request)
  const carrier = connectors.find(({ id }) => id === connectorId)?.carrier ?? ""
  return toAggregatedReply(await api.connectorRates(connectorId, request), connectorId, carrier)
}

function createNoneOfferedError(
  { wish }: Pick<Order, "wish">,
  { results }: AggregatedRateResponse,
): FreightError {
  const down = results.filter(({ success }) => !success)
  const reasons = down.map(({ connectorId, error }) => `${connectorId}: ${error?.message ?? "no answer"}`)
  if (down.length > 0 && down.length === results.length)
    return new FreightError("unavailable", `no carrier gave rates: ${reasons.join("; ")}`)
  const what = wish.kind === "code" ? `service ${wish.serviceCode}` : "no service"
  const none =
    wish.kind === "code" ? `${what} is not offered for this order` : `${what} is offered for this order`
  return new FreightError("refused", [none, ...reasons].join("; "))
}

/** Whether what was read from a file is a rate that can be booked. */
export function isKeptRate(value: unknown): value is KeptRate {
  const { request, rate } = Object(value) as Partial<KeptRate>
  return (
    hasTypes(value, { quoteId: "string", quotedAt: "number", connectorId: "string", carrier: "string" }) &&
    requests.RateRequest(request) &&
    hasTypes(rate, { serviceCode: "string", price: "number" })
  )
}
