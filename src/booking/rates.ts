/** One list over all carriers out of a rate answer: what a table, CSV or a choice shows. */
import type { AggregatedRateResponse, RatedService, RateRequest } from "../contract/generated/types.ts"

export interface RateRow extends RatedService {
  quoteId: string
  connectorId: string
  carrier: string
  /** What the contract lets one say of the price and GST. */
  gstBasis: string
  /** When it arrives, for a person: a date and time, or a number of days. */
  arrives: string
}

export type SortKey = "price" | "eta"

/** Every offered rate of every carrier that answered. */
export function rateRows(reply: AggregatedRateResponse, request: Pick<RateRequest, "date">): RateRow[] {
  return reply.results.flatMap(({ connectorId, carrier, rates }) =>
    (rates ?? []).map((rate) => ({
      ...rate,
      quoteId: reply.quoteId,
      connectorId,
      carrier,
      gstBasis: gstBasis(rate),
      arrives: arrives(rate, request.date),
    })),
  )
}

/**
 * `priceGst` and `priceIncGst` come from carrier B alone; for the others the contract does not say whether `price`
 * includes GST, so neither does this.
 */
function gstBasis({ price, priceGst, priceIncGst, currency }: RatedService): string {
  if (priceIncGst === undefined) return "not stated"
  const inc = `${priceIncGst.toFixed(2)} inc${currency === "AUD" ? "" : ` ${currency}`}`
  return price === priceIncGst && priceGst !== 0 ? "inc GST" : `ex GST (${inc})`
}

function arrives({ eta, transitDays }: RatedService, date: string | undefined): string {
  if (eta) return eta.slice(0, 16).replace("T", " ")
  if (transitDays === undefined || transitDays === null) return "not stated"
  const days = `${transitDays} ${transitDays === 1 ? "day" : "days"}`
  const day = date && dayAfter(date, transitDays)
  return day ? `${day} (${days})` : days
}

/** The calendar day `days` after a `YYYY-MM-DD` day; pure calendar arithmetic in UTC. */
function dayAfter(date: string, days: number): string | undefined {
  const start = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(start) ? undefined : new Date(start + days * 86_400_000).toISOString().slice(0, 10)
}

/** Sorted by price or arrival; services that the tenant hides come last, and those that do not say come after those that do. */
export function sortRates(rows: readonly RateRow[], by: SortKey): RateRow[] {
  return [...rows].sort(
    (a, b) =>
      Number(a.visibility === "hidden") - Number(b.visibility === "hidden") ||
      (by === "price"
        ? a.price - b.price || compareArrival(a, b)
        : compareArrival(a, b) || a.price - b.price),
  )
}

/** A day without a time is taken as its end: a promise of the day is kept at any hour of it. */
function compareArrival(a: RateRow, b: RateRow): number {
  const key = ({ arrives: text }: RateRow) => (/^\d{4}/.test(text) ? text.replace(/ \(.*/, " 23:59") : "9999")
  return key(a).localeCompare(key(b))
}

/** The best of the shown services; hidden ones only when there is nothing else. */
export function bestRate(rows: readonly RateRow[], by: SortKey): RateRow | undefined {
  return sortRates(rows, by)[0]
}

/** The answer cut down to one rate, in the API's own shape. */
export function onlyRate(reply: AggregatedRateResponse, row: RateRow): AggregatedRateResponse {
  const results = reply.results
    .filter(({ connectorId }) => connectorId === row.connectorId)
    .map((result) => ({ ...result, rates: (result.rates ?? []).filter((rate) => isSame(rate, row)) }))
  return { ...reply, results }
}

function isSame(rate: RatedService, row: RateRow): boolean {
  return rate.rateId === row.rateId && rate.serviceCode === row.serviceCode && rate.price === row.price
}
