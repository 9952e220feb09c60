/** Recent quotes of this machine, so that a rate can be booked by its id. */
import { hash } from "node:crypto"
import { readdir, rm } from "node:fs/promises"
import path from "node:path"
import type { AggregatedRateResult, RatedService, RateRequest } from "../contract/generated/types.ts"
import type { Clock } from "../ports.ts"
import { keepJson, readKeptJson } from "./kept-file.ts"

export interface KeptQuote {
  quoteId: string
  /** Milliseconds since the epoch. */
  quotedAt: number
  request: RateRequest
  results: AggregatedRateResult[]
  /** Ids of its rates in the order in which a table showed them, numbered from 1; null where a rate has none. */
  shown?: readonly (string | null)[]
}

export interface KeptRate {
  quoteId: string
  quotedAt: number
  request: RateRequest
  connectorId: string
  carrier: string
  rate: RatedService
}

export interface Quotes {
  keep(quote: KeptQuote): Promise<void>
  find(rateId: string): Promise<KeptRate | undefined>
  /** The newest quote whose rates were shown with numbers. */
  lastShown(): Promise<KeptQuote | undefined>
  latest(count: number): Promise<KeptQuote[]>
}

/** Quotes expire after 48 hours, but "too old" is a better answer than "unknown". */
const KEPT_FOR_MS = 14 * 24 * 3_600_000
const KEPT_AT_MOST = 200

/** One file per quote, named by time, so that concurrent commands do not collide. */
export function openQuotes(folder: string, clock: Clock): Quotes {
  const names = async () =>
    (await readdir(folder).catch((): string[] => []))
      .filter((name) => name.endsWith(".json"))
      .sort()
      .reverse()

  const prune = async () => {
    const oldest = clock.now() - KEPT_FOR_MS
    const stale = (await names()).filter(
      (name, at) => at >= KEPT_AT_MOST || Number.parseInt(name, 10) < oldest,
    )
    for (const name of stale) await rm(path.join(folder, name), { force: true }).catch(() => {})
  }

  return {
    async keep(quote) {
      const mark = hash("sha256", quote.quoteId).slice(0, 8)
      await keepJson(path.join(folder, `${String(quote.quotedAt).padStart(15, "0")}-${mark}.json`), quote)
      await prune()
    },
    async find(rateId) {
      for (const name of await names()) {
        const quote = await readKeptJson(path.join(folder, name))
        if (!isQuote(quote)) continue
        for (const { connectorId, carrier, rates } of quote.results) {
          const rate = rates?.find((each) => each.rateId === rateId)
          if (rate) return { ...quote, connectorId, carrier, rate }
        }
      }
      return undefined
    },
    async lastShown() {
      for (const name of await names()) {
        const quote = await readKeptJson(path.join(folder, name))
        if (isQuote(quote) && Array.isArray(quote.shown)) return quote
      }
      return undefined
    },
    async latest(count) {
      const files = (await names()).slice(0, count)
      const quotes = await Promise.all(files.map((name) => readKeptJson(path.join(folder, name))))
      return quotes.filter(isQuote)
    },
  }
}

function isQuote(value: unknown): value is KeptQuote {
  return (
    typeof value === "object" &&
    value !== null &&
    "results" in value &&
    Array.isArray(value.results) &&
    "quotedAt" in value &&
    typeof value.quotedAt === "number"
  )
}
