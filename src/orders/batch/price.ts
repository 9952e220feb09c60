/** Prices every row. Creates nothing. */
import { workThrough } from "../../api/limiter.ts"
import { isMissingCarrier, nameOffer, priceOrder } from "../booking/price.ts"
import { needsRates } from "../booking/preferences.ts"
import { arrives, getGstBasis } from "../booking/rates.ts"
import { amountOf } from "../../base/money.ts"
import { FreightError } from "../../base/errors.ts"
import type { BookDeps } from "./book-row.ts"
import { type Offer, priceOf } from "../booking/order.ts"
import type { Checked } from "./check.ts"
import { invalidOutcome, type Outcome, toFailure, WAITING } from "./result.ts"
import { type BatchRow, toOrder } from "./rows/row.ts"

export type PriceDeps = Pick<BookDeps, "api" | "ledger" | "connectors" | "limiter" | "ratePace" | "gst"> & {
  signal: AbortSignal
  /** A person is there, and is asked about carriers that do not answer: the error of the first row ends the pricing. */
  mayAsk?: boolean
  /** Rows that name their service are not priced. */
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
 * Prices every row that would be sent, several at once.
 * @throws FreightError for what every row would meet: no key, no permission, Ctrl-C; and for what a person is asked
 */
export async function priceRows(
  deps: PriceDeps,
  rows: AsyncIterable<BatchRow>,
  checked: Pick<Checked, "bad" | "known">,
  concurrency: number,
  onPriced: (priced: Priced) => Promise<void>,
): Promise<void> {
  await workThrough(rows, concurrency, async (row) => onPriced(await priceRow(deps, row, checked)))
}

async function priceRow(
  deps: PriceDeps,
  row: BatchRow,
  { bad, known }: Pick<Checked, "bad" | "known">,
): Promise<Priced> {
  const { api, ledger, connectors, limiter, ratePace, gst, signal, mayAsk = false, skipsNamed } = deps
  const unpriced = { row, isToSend: false, offer: undefined }
  const before = known.get(row.row)
  if (before) return { ...unpriced, outcome: before }
  const why = bad.get(row.row)
  if (row.booking === undefined || why !== undefined)
    return { ...unpriced, outcome: invalidOutcome(row, why) }
  const order = toOrder(row)
  try {
    const pricing = { api, clock: ledger.clock, gst, connectors: async () => connectors, ratePace, mayAsk }
    const offer =
      skipsNamed && !needsRates(order)
        ? nameOffer(order, connectors)
        : await limiter.admit(() => priceOrder(pricing, order, undefined, "needed"), signal)
    const price = priceOf(offer)
    const gstBasis = offer.rate && getGstBasis(offer.rate.rate)
    const outcome = price
      ? { ...WAITING, priceCents: price.cents, currency: price.currency, gstBasis }
      : WAITING
    return { row, isToSend: true, offer, outcome }
  } catch (error) {
    if (!(error instanceof FreightError) || !ONE_ROW.includes(error.kind)) throw error
    if (mayAsk && isMissingCarrier(error)) throw error
    return { ...unpriced, isToSend: true, outcome: toFailure(row, error) }
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
  const { state, priceCents, gstBasis, currency, error } = outcome
  return {
    row: row.row,
    reference: row.reference,
    /** `waiting`: it would be booked. */
    state,
    connectorId: offer?.connectorId ?? "",
    serviceCode: offer?.serviceCode ?? "",
    price: priceCents === undefined ? null : amountOf(priceCents),
    currency,
    /** Whether GST is in the price; null without one. */
    gstBasis: gstBasis ?? null,
    arrives: offer?.rate ? arrives(offer.rate.rate) : "",
    error,
    /** Why this service; empty where there is none. */
    why: offer?.why ?? "",
  }
}
