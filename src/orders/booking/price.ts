/** Prices orders. Nothing else in freight asks for a price, or chooses a service. */
import { quoted } from "../../base/parsed.ts"
import { checkBooking, getHomes, getQuotedHomes, rateDefaults, toOwnHomes } from "../../contract/index.ts"
import * as requests from "../../contract/generated/requests.js"
import type {
  ConnectorSummary,
  ConsignmentBookingRequest,
  RateRequest,
} from "../../contract/generated/types.ts"
import { carrierLetter, isCarrier, toCarrier } from "../../carriers/index.ts"
import { type ErrorKind, FreightError } from "../../base/errors.ts"
import type { CarrierRates, KeptRate } from "../../machine/index.ts"
import { hasTypes } from "../../base/json.ts"
import {
  askCarriers,
  type AskOptions,
  type RateSource,
  nameCarriers,
  NO_ANSWER,
  type Quote,
  type RateReply,
} from "./carrier-rates.ts"
import { formatComparedRates } from "./compared-rates.ts"
import { isFresh, type SelectedRate, toSelectedRate, type Order, requestOf, type Source } from "./order.ts"
import type { CompleteRates } from "./evidence.ts"
import { assessRate, createJudge, getTooLateHint, isOvertaken } from "./in-time.ts"
import { getMostCents } from "./gst.ts"
import { type JudgeRate, nameRate, type RateRow, rateRows, toAggregatedReply, toKeptRate } from "./rates.ts"
import {
  chooseRate,
  getLimits,
  isAvoided,
  type Limits,
  limitsText,
  listChoices,
  needsEvidence,
  needsRates,
  SORTED_BY,
  noMatchingRateError,
} from "./preferences.ts"

export interface PriceSource extends RateSource {
  completeRates: CompleteRates
  /** A person will be asked whether to choose without a carrier that does not answer. */
  mayAsk?: boolean
}

/**
 * Whether to ask for the price of an order that names its service. `required`: without a price nothing is selected.
 * `optional`: a carrier that cannot give one does not stop the booking.
 */
export type Pricing = "required" | "optional" | "skip"

/**
 * The rate selected for an order: the earlier choice while it is fresh; the best rate within its limits and the
 * carrier's own rules; or the service that it names, with its price.
 * @param chosen by a person or a plan, or earlier: its service is settled
 */
export async function priceOrder(
  deps: PriceSource,
  order: Order,
  chosen: SelectedRate | undefined,
  pricing: Pricing,
): Promise<SelectedRate> {
  const now = deps.clock.now()
  if (chosen?.rate) {
    const { rate } = chosen
    const asked = { ...order, own: { ...order.own, ...toOwnHomes(getQuotedHomes(rate)) } }
    if (!isFresh(chosen, now)) return keepComparedRates(await selectRate(deps, asked), rate)
    return isOvertaken(order, chosen, now) ? priceAnew(deps, asked, chosen, rate) : chosen
  }
  if (!chosen && (needsRates(order) || pricing === "required")) return selectRate(deps, order)
  const named = chosen ?? selectNamed(order, await deps.connectors())
  return pricing === "skip" ? named : addPrice(deps, order, named)
}

/**
 * The best rate after a cutoff has passed since the quote: never dearer than the accepted one, and of the same service
 * if the order names it.
 */
async function priceAnew(
  deps: PriceSource,
  order: Order,
  chosen: SelectedRate,
  before: KeptRate,
): Promise<SelectedRate> {
  const { wish } = order
  const pinned = wish.kind === "code" ? { ...wish, connectorId: chosen.connectorId } : wish
  const selected = await selectRate(deps, { ...order, wish: { ...pinned, ...limitToRate(wish, before) } })
  return keepComparedRates(selected, before)
}

/** Limits for a rate that is asked for again: never more than the accepted price. */
export function limitToRate({ maxPriceCents }: Limits, { rate }: KeptRate): Limits {
  const most = getMostCents(rate)
  return { maxPriceCents: Math.min(most, maxPriceCents ?? most), maxPriceCurrency: rate.currency }
}

/** The service that an order names, without a price. */
export function selectNamed(
  { wish }: Pick<Order, "wish">,
  connectors: readonly ConnectorSummary[],
): SelectedRate {
  if (wish.kind !== "code") throw new TypeError("the order does not name a service")
  const { serviceCode, connectorId } = wish
  const offering = connectors.filter(({ id, services }) =>
    connectorId === undefined
      ? services.some((each) => each.serviceCode === serviceCode)
      : id === connectorId,
  )
  const [only, ...others] = offering
  if (only && others.length === 0)
    return { connectorId: only.id, carrier: toCarrier(only.carrier), serviceCode, rate: undefined }
  const why = only
    ? `service ${serviceCode} is offered by ${offering.map(({ id }) => id).join(" and ")}: say which`
    : connectorId === undefined
      ? `no connector offers the service ${serviceCode}`
      : `there is no active connector ${quoted(connectorId)}`
  throw new FreightError("refused", why, { code: "NO_SERVICE" })
}

async function selectRate(deps: PriceSource, order: Order): Promise<SelectedRate> {
  const { wish } = order
  const { connectorId } = wish
  const named =
    connectorId === undefined ? undefined : (await deps.connectors()).find(({ id }) => id === connectorId)
  const asked = toRateRequest(order, deps.clock.now())
  const withoutMissing = Boolean(order.source.allowed?.withoutMissing)
  const isBrief = withoutMissing || deps.mayAsk
  const quote = await askRates(deps, asked, {
    ...{ connectorId, carrier: named?.carrier, isBrief, needsEvidence: needsEvidence(wish) },
  })
  const { reply, request } = quote
  const limits = getLimits(wish, order.source.allowed)
  const judge = createJudge(order.request, deps.clock.now())
  const offered = rateRows(reply, judge).filter(
    ({ serviceCode }) => wish.kind !== "code" || serviceCode === wish.serviceCode,
  )
  const missing = quote.missing.length === 0 ? [] : await findMissing(deps, quote.missing, order)
  if (missing.length > 0 && (offered.length === 0 || !withoutMissing))
    throw createMissingError(missing, order, offered.length > 0)
  if (offered.length === 0) throw createNoneOfferedError(order, reply)
  const isBookable = ({ serviceCode, carrier }: RateRow) =>
    checkBooking({ ...order.request, serviceCode }, isCarrier(carrier) ? carrier : undefined).errors
      .length === 0
  const by = wish.kind === "code" ? "price" : SORTED_BY[wish.kind]
  const isNamed = wish.kind === "code" && offered.length === 1
  const choice = chooseRate(offered, { by, limits, date: request.date, isBookable, isNamed })
  if (!choice.rate)
    throw noMatchingRateError(
      wish.kind === "code" ? `service ${wish.serviceCode}` : "no rate",
      limits,
      choice,
      getTooLateHint(order),
    )
  const letters = missing.map(({ carrier }) => carrierLetter(carrier)).join(", ")
  const why = missing.length === 0 ? choice.why : `${choice.why}; no answer from carrier ${letters}`
  const choices = listChoices(offered.filter(isBookable), wish, limits, request.date)
  const offers = wish.kind === "code" ? undefined : formatComparedRates(choices, request.date)
  return toSelectedRate(toKeptRate(choice.rate, { ...quote, offers }), why)
}

/** A rate that is asked for again keeps the rates that it was compared with. */
export function keepComparedRates(
  selected: SelectedRate,
  { offers }: Pick<KeptRate, "offers">,
): SelectedRate {
  return selected.rate && offers !== undefined
    ? { ...selected, rate: { offers, ...selected.rate } }
    : selected
}

async function findMissing(
  deps: PriceSource,
  missing: readonly CarrierRates[],
  { wish }: Order,
): Promise<CarrierRates[]> {
  const connectors = await deps.connectors()
  return missing.filter(({ connectorId, carrier }) => {
    const { services = [] } = connectors.find(({ id }) => id === connectorId) ?? {}
    const mayOffer =
      wish.kind !== "code" ||
      services.length === 0 ||
      services.some(({ serviceCode }) => serviceCode === wish.serviceCode)
    return mayOffer && !isAvoided({ serviceCode: "", connectorId, carrier }, wish)
  })
}

/** @param isChoice whether there are rates of others */
function createMissingError(
  missing: readonly CarrierRates[],
  { wish }: Order,
  isChoice: boolean,
): FreightError {
  const best =
    wish.kind === "code" ? `the best rate for service ${wish.serviceCode}` : `the ${wish.kind} rate`
  const text = `${nameCarriers(missing)} did not answer in time, so ${best} is not known`
  if (!isChoice)
    return new FreightError("timeout", text, { hint: "--timeout sets how many seconds to wait." })
  return new FreightError("timeout", text, {
    errors: missing.map((each) => ({
      message: `${nameCarriers([each])}: ${each.error?.message ?? "no answer"}`,
      code: NO_ANSWER,
    })),
    hint: "To choose from the carriers that answered, add --without-missing.",
  })
}

/** Whether an order has no price only because a carrier did not answer, and could be booked with another. */
export function isMissingCarrier({ errors = [] }: FreightError): boolean {
  return errors.some(({ code }) => code === NO_ANSWER)
}

/** Failures that concern only the price; the booking would meet any other too. */
const WITHOUT_PRICE: readonly ErrorKind[] = ["refused", "notFound", "timeout", "badReply", "unreadable"]

/** Asks the connector for the rate of the order's service. A carrier that cannot say its price does not stop the booking. */
async function addPrice(deps: PriceSource, order: Order, selected: SelectedRate): Promise<SelectedRate> {
  const { serviceCode } = selected
  if (hasPrice(requestOf(order, selected)) || order.request.packages === undefined) return selected
  const withoutPrice = (why: string): SelectedRate => ({
    ...selected,
    warning: `its price is not known: ${why}`,
  })
  const wish = { kind: "code", serviceCode } as const
  const asked = toRateRequest({ ...order, wish }, deps.clock.now())
  try {
    const quote = await askRates(deps, asked, selected)
    const rate = rateRows(quote.reply).find((each) => each.serviceCode === serviceCode)
    if (!rate) return withoutPrice("the carrier gives no rate for that service")
    if (rate.price === undefined) return withoutPrice("its rate has no price that can be read")
    return { ...selected, rate: toKeptRate(rate, quote) }
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    const isOfCarrier =
      WITHOUT_PRICE.includes(error.kind) || (error.kind === "unavailable" && error.status !== undefined)
    if (!isOfCarrier) throw error
    return withoutPrice(error.message)
  }
}

function hasPrice({ rateId, quotedPriceExGstMinor }: ConsignmentBookingRequest): boolean {
  return rateId !== undefined || quotedPriceExGstMinor !== undefined
}

/** Rates of all carriers, or of one connector: POST /{connectorId}/rates, whose reply does not name the carrier. */
export async function askRates(
  deps: RateSource & Pick<PriceSource, "completeRates">,
  request: RateRequest,
  {
    connectorId,
    carrier = connectorId ?? "",
    needsEvidence = false,
    ...options
  }: AskOptions & {
    connectorId: string | undefined
    carrier?: string | undefined
    /** Whether to add how earlier bookings arrived and were billed. */
    needsEvidence?: boolean
  },
): Promise<Quote> {
  const { api, clock, completeRates } = deps
  if (connectorId === undefined) {
    const quote = await askCarriers(deps, request, options)
    return { ...quote, reply: await completeRates(quote.reply, request, { needsEvidence }) }
  }
  const given = await api.connectorRates(connectorId, request)
  const quotedAt = clock.now()
  const reply = await completeRates(toAggregatedReply(given, connectorId, carrier), request, {
    needsEvidence,
  })
  const single = { ...given, rates: reply.results[0]?.rates ?? given.rates }
  return { request, quotedAt, reply, single, missing: [] }
}

/** The rate request of an order. @param now milliseconds since the epoch */
export function toRateRequest(
  { request, wish, own }: Pick<Order, "request" | "wish" | "own">,
  now: number,
): RateRequest {
  const { collection, receiver, packages, dangerousGoods, collectionDateTime, businessUnit } = request
  const homes = getHomes(own)
  const toPlace = ({ suburb, state, postcode }: typeof collection, isHome: boolean) => ({
    suburb,
    state,
    postcode,
    residential: isHome,
  })
  return rateDefaults(
    {
      from: toPlace(collection, homes.collection),
      to: toPlace(receiver, homes.receiver),
      packages,
      dangerousGoods,
      date: collectionDateTime.slice(0, 10),
      ...(wish.kind === "code" && { serviceCode: wish.serviceCode }),
      ...(businessUnit && { businessUnit }),
    },
    now,
  )
}

function createNoneOfferedError({ wish }: Pick<Order, "wish">, { results }: RateReply): FreightError {
  const down = results.filter(({ success }) => !success)
  const reasons = down.map(({ connectorId, error }) => `${connectorId}: ${error?.message ?? "no answer"}`)
  if (down.length > 0 && down.length === results.length)
    return new FreightError("unavailable", `no carrier gave rates: ${reasons.join("; ")}`)
  const none =
    wish.kind === "code"
      ? `service ${wish.serviceCode} is not offered for this order`
      : "no service is offered for this order"
  return new FreightError("refused", [none, ...reasons].join("; "), { code: "NO_SERVICE" })
}

/**
 * Checks a named rate against the limits.
 * @param rate undefined if it is not known here
 * @param judge gives its cutoff standing
 */
export function checkNamedRate(
  rate: KeptRate | undefined,
  limits: Limits,
  judge: JudgeRate,
  allowed: Source["allowed"],
): void {
  const limited = limitsText({ ...limits, avoid: [] })
  if (limited === "") return
  if (!rate)
    throw new FreightError(
      "refused",
      `the price and arrival of that rate are not known here, so they cannot be checked against your wishes (${limitsText(limits)})`,
      { hint: "Nothing was sent. Ask for rates with freight rate-shop, and book one of those." },
    )
  const choice = assessRate(rate, { wish: limits, allowed }, judge)
  if (!choice.rate) throw noMatchingRateError(nameRate(rate), limits, choice)
}

export function isKeptRate(value: unknown): value is KeptRate {
  const { request, rate, offers } = Object(value) as Partial<KeptRate>
  return (
    hasTypes(value, { quoteId: "string", quotedAt: "number", connectorId: "string", carrier: "string" }) &&
    (offers === undefined || typeof offers === "string") &&
    requests.RateRequest(request) &&
    hasTypes(rate, { serviceCode: "string", price: "number" })
  )
}
