/** One list of rates over all carriers, for a table, CSV or a choice. */
import { counted } from "../../base/counted.ts"
import type {
  RatedService,
  RateRequest,
  SingleConnectorRateResponse,
} from "../../contract/generated/types.ts"
import { centsOf, formatCents, formatMoney } from "../../base/money.ts"
import { nameClock, toPlaceClock } from "../../contract/index.ts"
import type { Cutoffs, CutoffStanding } from "./cutoffs.ts"
import {
  addDays,
  daysBetween,
  formatDate,
  formatWeekday,
  MONTHS,
  parseDate,
  parseWallClock,
} from "../../base/wall-clock.ts"
import { carrierLetter } from "../../carriers/index.ts"
import type { Facts, GstBasis } from "../../ledger/index.ts"
import { type EvidencedRate, getLikelyCents } from "./evidence.ts"
import { getMostCents, whyOnlyNamed } from "./gst.ts"
import type { CarrierRates, KeptRate } from "../../machine/index.ts"
import type { RateReply } from "./carrier-rates.ts"

export interface RateRow extends EvidencedRate {
  quoteId: string
  connectorId: string
  carrier: string
  /** As much about the price and GST as the contract lets one say. */
  gstBasis: string
  arrives: string
  /** Whether it still goes on the day of its collection; undefined if that was not checked. */
  standing?: CutoffStanding | undefined
}

/** Reads a rate's cutoff standing, for one collection at one moment. */
export type JudgeRate = (rate: Cutoffs) => CutoffStanding

export const SORT_KEYS = ["price", "eta", "likely", "reliable"] as const
export type SortKey = (typeof SORT_KEYS)[number]

export function rateRows(reply: RateReply, judge?: JudgeRate): RateRow[] {
  return reply.results.flatMap(({ connectorId, carrier, rates, quoteId = reply.quoteId ?? "" }) =>
    (rates ?? []).map((rate) => ({
      ...rate,
      quoteId,
      connectorId,
      carrier,
      gstBasis: gstBasisText(rate),
      arrives: arrives(rate),
      standing: judge?.(rate),
    })),
  )
}

/** How many rates a carrier has and their least price, for a line while others are waited for. */
export function describeAnswer({ carrier, rates = [] }: CarrierRates): string {
  const [cheapest] = rates
    .filter((rate) => whyOnlyNamed(rate) === undefined)
    .sort((one, other) => (one.price ?? 0) - (other.price ?? 0))
  const from = cheapest ? `, from ${formatMoney(cheapest.price, cheapest.currency)}` : ""
  return `Carrier ${carrierLetter(carrier)}: ${counted(rates.length, "rate")}${from}`
}

export function toAggregatedReply(
  { quoteId, rates }: SingleConnectorRateResponse,
  connectorId: string,
  carrier: string,
): RateReply {
  return { quoteId, results: [{ connectorId, carrier, success: true, rates, quoteId }] }
}

/**
 * @param quotedAt milliseconds since the epoch
 * @param offers the list that it was chosen from
 */
export function toKeptRate(
  row: RateRow,
  { quotedAt, request, offers }: Pick<KeptRate, "quotedAt" | "request" | "offers">,
): KeptRate {
  const { quoteId, connectorId, carrier, gstBasis: _, arrives: __, standing: ___, ...rate } = row
  return { quoteId, quotedAt, request, connectorId, carrier, rate, ...(offers !== undefined && { offers }) }
}

/** `rate 7f3a…`; a rate without an id by its service: `rate GEN of connector-b`. */
export function nameRate({ rate, connectorId }: Pick<KeptRate, "rate" | "connectorId">): string {
  return `rate ${rate.rateId || `${rate.serviceCode} of ${connectorId}`}`
}

/**
 * If a carrier gives no `priceGst` and `priceIncGst`, the contract does not say whether `price` includes GST, so neither
 * does this.
 */
export function getGstBasis({ price, priceGst, priceIncGst }: RatedService): GstBasis {
  if (price === undefined || priceIncGst === undefined) return "unknown"
  if (centsOf(price) === centsOf(priceIncGst)) return centsOf(priceGst ?? 0) === 0 ? "unknown" : "included"
  return priceGst !== undefined && centsOf(price) + centsOf(priceGst) === centsOf(priceIncGst)
    ? "excluded"
    : "unknown"
}

export function gstBasisText(rate: RatedService): string {
  const total = formatCents(centsOf(rate.priceIncGst ?? 0))
  return { unknown: "not stated", included: "included", excluded: `plus GST = ${total}` }[getGstBasis(rate)]
}

/** When a rate arrives, in a cell of data: `30 Nov 17:00`, or a number of days. */
export function arrives({ eta, transitDays }: RatedService): string {
  if (eta) return shortTime(eta)
  if (transitDays === undefined || transitDays === null) return "not stated"
  return counted(transitDays, "day")
}

type Arriving = Pick<RatedService, "eta" | "transitDays"> & Pick<RateRow, "standing">

/**
 * The day from which transit days count: the next business day if it is too late for the shipping date. An `eta` is never
 * moved: the carrier may have taken its cutoff into account.
 */
function getFirstDay({ standing }: Pick<RateRow, "standing">, date: string | undefined) {
  const shipped = parseDate(date ?? "")
  return shipped.ok && standing?.kind === "too late" ? standing.next : shipped.ok ? shipped.value : undefined
}

/**
 * When a rate arrives, with its weekday so that arrivals compare: `Mon 30 Nov 17:00 (7 days)`. The contract does not say
 * whether transit days count weekends, so their day is approximate: `about Mon 30 Nov (5 days)`.
 * @param date the shipping date, `yyyy-MM-dd`
 * @param namesFirst adds the day from which they count, if it is later; a table has that below
 */
export function arrivalText(rate: Arriving, date?: string, { namesFirst = false } = {}): string {
  const { eta, transitDays, standing } = rate
  const shipped = parseDate(date ?? "")
  const [, etaDay = "", time = ""] = ETA.exec(eta ?? "") ?? []
  const due = parseDate(etaDay)
  if (due.ok)
    return `${formatWeekday(due.value)}${time && ` ${time}`}${shipped.ok ? ` (${counted(daysBetween(shipped.value, due.value), "day")})` : ""}`
  if (eta) return eta
  if (transitDays === undefined || transitDays === null) return "not stated"
  const days = counted(transitDays, "day")
  const first = getFirstDay(rate, date)
  if (first === undefined) return days
  const about = formatWeekday(addDays(first, transitDays))
  return standing?.kind === "too late"
    ? `may arrive ${about} (${days}${namesFirst ? ` from ${formatWeekday(first)}` : ""})`
    : `about ${about} (${days})`
}

/** `arrives Mon 30 Nov 17:00 (7 days), Fremantle time`, in a line. */
export function arrivalWords(
  rate: RatedService & Arriving,
  { date, to }: Pick<RateRequest, "date" | "to">,
): string {
  const text = arrivalText(rate, date, { namesFirst: true })
  if (text === "not stated") return "arrival not stated"
  const place = findArrivalClock([rate], to)
  return `${text.startsWith("may arrive") ? "" : "arrives "}${text}${place === undefined ? "" : `, ${place} time`}`
}

/** The place whose clock rates arrive by; undefined if this machine's clock shows the same. */
export function findArrivalClock(
  rates: readonly Pick<RatedService, "eta">[],
  to: RateRequest["to"],
): string | undefined {
  const clock = toPlaceClock(to)
  const isElsewhere = rates.some(({ eta }) => {
    const due = parseWallClock(eta ?? "")
    return due.ok && nameClock(due.value, clock) !== ""
  })
  return isElsewhere ? clock?.name : undefined
}

/** `2026-11-30T17:00:00`, or a day alone. */
const ETA = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d).*)?$/

/** `30 Nov 17:00`: as the carrier gave it, which has no zone, so it never passes through a Date. */
function shortTime(eta: string): string {
  const [, date = "", time] = ETA.exec(eta) ?? []
  const [, month, day] = date.split("-")
  const name = MONTHS[Number(month) - 1]
  return name ? `${Number(day)} ${name}${time === undefined ? "" : ` ${time}`}` : eta
}

const DAY = "2026-11-30".length

/**
 * A text that sorts by arrival. The contract does not say whether transit days count weekends: they are taken as
 * calendar days, each to its end; so is an `eta` without a time.
 */
export function arrivalOrder(rate: Arriving, date: string | undefined): string {
  const { eta, transitDays } = rate
  if (eta) return eta.length === DAY ? `${eta}T23:59:59` : eta
  const first = getFirstDay(rate, date)
  if (first === undefined || transitDays === undefined || transitDays === null) return "9999"
  return `${formatDate(addDays(first, transitDays))}T23:59:59`
}

/**
 * Sorted by price with GST, by its likely amount, by arrival, or by the share that was on time. Hidden services and rates
 * that cannot be compared come last; those without an arrival after those with one; those with too little evidence after
 * the others.
 * @param date the shipping date, from which transit days count
 */
export function sortRates(rows: readonly RateRow[], by: SortKey, date: string | undefined): RateRow[] {
  const byPrice = (a: RateRow, b: RateRow) =>
    getMostCents(a) - getMostCents(b) || (a.price ?? 0) - (b.price ?? 0)
  const byArrival = (a: RateRow, b: RateRow) => compare(arrivalOrder(a, date), arrivalOrder(b, date))
  const byLikely = (a: RateRow, b: RateRow) => getLikelyCents(a) - getLikelyCents(b)
  const byShare = (a: RateRow, b: RateRow) => getOnTimeShare(b) - getOnTimeShare(a)
  const orders = {
    price: [byPrice, byArrival],
    eta: [byArrival, byPrice],
    likely: [byLikely, byPrice, byArrival],
    reliable: [byShare, byLikely, byPrice],
  } satisfies Record<SortKey, unknown>
  const byRank = (a: RateRow, b: RateRow) => rank(a) - rank(b)
  return [...rows].sort((a, b) => {
    const compares = rank(a) === NOT_COMPARED ? [byArrival] : orders[by]
    return [byRank, ...compares].reduce((order, compareBy) => order || compareBy(a, b), 0)
  })
}

const NOT_COMPARED = 2

/** Shown services, then hidden ones, then those that are not compared. */
function rank(rate: RateRow): number {
  if (whyOnlyNamed(rate) !== undefined) return NOT_COMPARED
  return Number(rate.visibility === "hidden")
}

export function isTooLate({ standing }: Pick<RateRow, "standing">): boolean {
  return standing?.kind === "too late"
}

/** In the same order, with rates that are too late for their day of collection at the end. */
export function putInTimeFirst<R extends Pick<RateRow, "standing">>(rates: readonly R[]): R[] {
  return [...rates.filter((rate) => !isTooLate(rate)), ...rates.filter(isTooLate)]
}

/** The share that was on time, from 0 to 1; less than 0 where it is not known. */
function getOnTimeShare({ evidence }: RateRow): number {
  return evidence?.arrival ? evidence.arrival.onTime / evidence.arrival.seen : -1
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

export function priceFacts(rate: RatedService) {
  const { price, priceGst, priceIncGst, currency } = rate
  return {
    priceCents: price === undefined ? undefined : centsOf(price),
    gstCents: priceGst === undefined ? undefined : centsOf(priceGst),
    priceIncGstCents: priceIncGst === undefined ? undefined : centsOf(priceIncGst),
    gstBasis: getGstBasis(rate),
    currency,
  } satisfies Facts
}

/** `AUD 63.90 + GST = 70.29`; undefined if the price is not known. */
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
 * `Book it: AUD 33.68, Standard, CARRIER, collected tomorrow 10:00`; `AUD 70.29 incl. GST` where GST is known.
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
