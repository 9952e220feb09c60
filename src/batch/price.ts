/** Rates every row. Creates nothing. */
import { workThrough } from "../api/limiter.ts"
import { arrives } from "../booking/rates.ts"
import { amountOf } from "../contract/money.ts"
import { FreightError } from "../errors.ts"
import type { BookDeps } from "./book-row.ts"
import { type Offer, plainOffer, priceOf, ratedOffer } from "../booking/offer.ts"
import { needsRates } from "../booking/preferences.ts"
import { createFailedResult, invalidResult, type Outcome, toOutcome, planRow, toResult } from "./result.ts"
import type { BatchRow } from "./rows/row.ts"

export type PriceDeps = Pick<BookDeps, "api" | "ledger" | "connectors" | "again" | "limiter"> & {
  signal: AbortSignal
  /** Rows that name their service are not rated. */
  skipsNamed?: boolean
}

export interface Priced {
  row: BatchRow
  /** It is sent when the batch is booked, unless its carrier refuses it. */
  isToSend: boolean
  offer: Offer | undefined
  /** `waiting` with an offer, otherwise why there is none. */
  outcome: Outcome
}

/**
 * Rates every row that would be sent, several at once.
 * @throws FreightError for what every row would meet: no key, no permission, Ctrl-C
 */
export async function priceRows(
  deps: PriceDeps,
  rows: AsyncIterable<BatchRow>,
  bad: ReadonlyMap<number, string>,
  concurrency: number,
  onPriced: (priced: Priced) => Promise<void>,
): Promise<void> {
  await workThrough(rows, concurrency, async (row) => onPriced(await priceRow(deps, row, bad.get(row.row))))
}

async function priceRow(deps: PriceDeps, row: BatchRow, why: string | undefined): Promise<Priced> {
  const { api, ledger, connectors, limiter, signal, again, skipsNamed } = deps
  const plan = await planRow(ledger, row, again)
  const unrated = { row, isToSend: false, offer: undefined }
  if (plan.what !== "send") return { ...unrated, outcome: toOutcome(toResult(row, plan)) }
  if (row.booking === undefined || why !== undefined)
    return { ...unrated, outcome: toOutcome(invalidResult(row, why)) }
  try {
    const offer =
      skipsNamed && !needsRates(row)
        ? plainOffer(row, connectors)
        : await limiter.admit(() => ratedOffer({ api, connectors, clock: ledger.clock }, row), signal)
    const price = priceOf(offer)
    const waiting = toOutcome({ row, state: "waiting" })
    return {
      row,
      isToSend: true,
      offer,
      outcome: { ...waiting, priceCents: price?.cents, currency: price?.currency ?? waiting.currency },
    }
  } catch (error) {
    if (!(error instanceof FreightError) || !ONE_ROW.includes(error.kind)) throw error
    return { ...unrated, isToSend: true, outcome: toOutcome(createFailedResult(row, error)) }
  }
}

/** Errors of one row or its carrier. */
const ONE_ROW: readonly FreightError["kind"][] = [
  "refused",
  "notFound",
  "unavailable",
  "timeout",
  "badReply",
  "rateLimited",
]

export type PricedRow = ReturnType<typeof toPricedRow>

export function toPricedRow({ row, offer, outcome }: Priced) {
  const { state, priceCents, currency, error } = outcome
  return {
    row: row.row,
    reference: row.reference,
    /** `waiting`: it would be booked. */
    state,
    connectorId: offer?.connectorId ?? "",
    serviceCode: offer?.serviceCode ?? "",
    price: priceCents === undefined ? null : amountOf(priceCents),
    currency,
    arrives: offer?.rate ? arrives(offer.rate.rate) : "",
    error,
    /** Why this service; empty where there is none. */
    why: offer?.why ?? "",
  }
}
