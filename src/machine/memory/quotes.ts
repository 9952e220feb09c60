/** Recent quotes of this machine, so that a rate can be booked by its id. */
import { hash } from "node:crypto"
import type { AggregatedRateResult, RatedService, RateRequest } from "../../contract/generated/types.ts"
import type { JsonObject } from "../../base/json.ts"
import { LINK_FIELDS, type RateLink, REPORTED, type Wishes } from "../../contract/index.ts"
import { openStore } from "./store.ts"

/** The answer of one carrier. */
export interface CarrierRates extends AggregatedRateResult {
  /** The id of the call that gave these rates; files of earlier versions have only the quote's. */
  quoteId?: string | undefined
}

/** The id of a rate; without one, its place in its connector's list. Until release 0.2.0 that was null. */
type ShownRate = string | null | { connectorId: string; position: number }

export interface KeptQuote {
  /** Set if one call gave all rates. */
  quoteId?: string | undefined
  /** Milliseconds since the epoch. */
  quotedAt: number
  request: RateRequest
  results: CarrierRates[]
  /** Its rates in the order in which a table showed them, numbered from 1. */
  shown?: readonly ShownRate[]
  /** The rates that a booking of one of its rates is chosen from, as the ledger keeps them. */
  offers?: string | undefined
  /** The printed rate of a dry run, and the conditions of its service. */
  printed?: Printed
}

export interface Printed {
  link: Partial<RateLink>
  wishes: Wishes
}

export interface KeptRate {
  quoteId: string
  quotedAt: number
  request: RateRequest
  connectorId: string
  carrier: string
  rate: RatedService
  /** The rates that it was chosen from, as the ledger keeps them; left out if it was the only one. */
  offers?: string | undefined
}

/** Quotes expire after 48 hours, but "too old" is a better answer than "unknown". */
const MAX_KEPT = 200

export type Quotes = ReturnType<typeof openQuotes>

/** One file per quote, named by time, so that concurrent commands do not collide. */
export function openQuotes(folder: string) {
  const store = openStore({ folder, parse: parseQuote, limit: MAX_KEPT })
  const keep = async (quote: KeptQuote) => {
    const time = String(quote.quotedAt).padStart(15, "0")
    const { printed } = quote
    // A dry run does not replace rates that were shown.
    const name = [...listQuoteIds(quote), ...(printed ? [JSON.stringify(printed)] : [])].join()
    store.keep(`${time}-${hash("sha256", name).slice(0, 8)}`, quote)
  }
  const find = async (rateId: string): Promise<KeptRate | undefined> => {
    for (const [, quote] of store.entries())
      for (const { connectorId, carrier, rates, quoteId = quote.quoteId } of quote.results) {
        const rate = rates?.find((each) => each.rateId === rateId)
        if (rate && quoteId !== undefined) return { ...quote, quoteId, connectorId, carrier, rate }
      }
    return undefined
  }
  return {
    keep,
    find,
    /** Stores the rate of a dry run, so that its printed request can be booked. */
    async keepPrinted({ connectorId, carrier, rate, ...quote }: KeptRate, printed: Printed) {
      const isFree = Object.keys(printed.wishes).length === 0
      if (isFree && rate.rateId && (await find(rate.rateId))) return
      const { quoteId, quotedAt, request, offers } = quote
      const results = [{ connectorId, carrier, success: true, rates: [rate], quoteId }]
      await keep({ quotedAt, request, results, ...(offers !== undefined && { offers }), printed })
    },
    /** The rate of the newest dry run that printed a booking's rate and preferences. */
    async findPrinted(booking: Readonly<JsonObject>): Promise<(KeptRate & Printed) | undefined> {
      for (const [, { printed, results, ...quote }] of store.entries()) {
        const [result] = results
        const [rate] = result?.rates ?? []
        if (!printed || !result || !rate || !isSameLink(printed.link, booking)) continue
        const { connectorId, carrier, quoteId = "" } = result
        return { ...quote, quoteId, connectorId, carrier, rate, ...printed }
      }
      return undefined
    },
    async lastShown() {
      for (const [, quote] of store.entries()) if (Array.isArray(quote.shown)) return quote
      return undefined
    },
    async latest(count: number) {
      const quotes: KeptQuote[] = []
      for (const [, quote] of store.entries()) {
        if (quotes.length === count) break
        quotes.push(quote)
      }
      return quotes
    },
  }
}

/** A rate as a table showed it. @param rates all rates of its quote, as they came */
export function toShownRate<R extends Pick<RatedService, "rateId"> & { connectorId: string }>(
  rate: R,
  rates: readonly R[],
): ShownRate {
  const { rateId, connectorId } = rate
  if (rateId) return rateId
  return { connectorId, position: rates.filter((each) => each.connectorId === connectorId).indexOf(rate) }
}

/** The rate of a number in the table of a quote; undefined if the table did not have it, or the number is ambiguous. */
export function findShownRate(quote: KeptQuote, number: number): KeptRate | undefined {
  const shown = quote.shown?.[number - 1]
  if (!shown) return undefined
  for (const { connectorId, carrier, rates = [], quoteId = quote.quoteId ?? "" } of quote.results) {
    const rate =
      typeof shown === "string"
        ? rates.find(({ rateId }) => rateId === shown)
        : shown.connectorId === connectorId && rates[shown.position]
    if (rate) return { ...quote, quoteId, connectorId, carrier, rate }
  }
  return undefined
}

/** The calls that gave its rates. */
export function listQuoteIds({ quoteId, results }: Pick<KeptQuote, "quoteId" | "results">): string[] {
  return [...new Set(results.flatMap((result) => result.quoteId ?? quoteId ?? []))]
}

/** Whether a booking has the printed rate: its id, or all that was reported of the quote. */
function isSameLink(link: Partial<RateLink>, booking: Readonly<JsonObject>): boolean {
  if (link.rateId !== undefined) return link.rateId === booking.rateId
  const isReported = REPORTED.some((name) => link[name] !== undefined)
  return (
    isReported && (["serviceCode", ...LINK_FIELDS] as const).every((name) => link[name] === booking[name])
  )
}

function parseQuote(kept: unknown): KeptQuote | undefined {
  const { results, quotedAt } = Object(kept) as Partial<KeptQuote>
  return Array.isArray(results) && typeof quotedAt === "number" ? (kept as KeptQuote) : undefined
}
