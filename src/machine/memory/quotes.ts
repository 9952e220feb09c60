/** Recent quotes of this machine, so that a rate can be booked by its id. */
import { hash } from "node:crypto"
import type { AggregatedRateResult, RatedService, RateRequest } from "../../contract/generated/types.ts"
import { openStore } from "./store.ts"

/** What one carrier answered. */
export interface CarrierRates extends AggregatedRateResult {
  /** Of the call that gave these rates; files of earlier versions have the quote's only. */
  quoteId?: string | undefined
}

export interface KeptQuote {
  /** Where one call gave all rates. */
  quoteId?: string | undefined
  /** Milliseconds since the epoch. */
  quotedAt: number
  request: RateRequest
  results: CarrierRates[]
  /** Ids of its rates in the order in which a table showed them, numbered from 1; null where a rate has none. */
  shown?: readonly (string | null)[]
  /** What a booking of one of its rates was chosen from, as the ledger keeps it. */
  offers?: string | undefined
}

export interface KeptRate {
  quoteId: string
  quotedAt: number
  request: RateRequest
  connectorId: string
  carrier: string
  rate: RatedService
  /** What it was chosen from, as the ledger keeps it; left out where it stood alone. */
  offers?: string | undefined
}

/** Quotes expire after 48 hours, but "too old" is a better answer than "unknown". */
const MAX_KEPT = 200

export type Quotes = ReturnType<typeof openQuotes>

/** One file per quote, named by time, so that concurrent commands do not collide. */
export function openQuotes(folder: string) {
  const store = openStore({ folder, parse: parseQuote, limit: MAX_KEPT })
  return {
    async keep(quote: KeptQuote) {
      const time = String(quote.quotedAt).padStart(15, "0")
      store.keep(`${time}-${hash("sha256", listQuoteIds(quote).join()).slice(0, 8)}`, quote)
    },
    async find(rateId: string): Promise<KeptRate | undefined> {
      for (const [, quote] of store.entries())
        for (const { connectorId, carrier, rates, quoteId = quote.quoteId } of quote.results) {
          const rate = rates?.find((each) => each.rateId === rateId)
          if (rate && quoteId !== undefined) return { ...quote, quoteId, connectorId, carrier, rate }
        }
      return undefined
    },
    /** The newest quote whose rates were shown with numbers. */
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

/** The calls that gave its rates. */
export function listQuoteIds({ quoteId, results }: Pick<KeptQuote, "quoteId" | "results">): string[] {
  return [...new Set(results.flatMap((result) => result.quoteId ?? quoteId ?? []))]
}

function parseQuote(kept: unknown): KeptQuote | undefined {
  const { results, quotedAt } = Object(kept) as Partial<KeptQuote>
  return Array.isArray(results) && typeof quotedAt === "number" ? (kept as KeptQuote) : undefined
}
