/** Prices every row. Creates nothing. */
import { workThrough } from "../../api/index.ts"
import { isMissingCarrier, selectNamed, priceOrder } from "../booking/price.ts"
import { needsRates } from "../booking/preferences.ts"
import { arrives, getGstBasis } from "../booking/rates.ts"
import { createStep } from "../../base/turns.ts"
import { amountOf } from "../../base/money.ts"
import { FreightError } from "../../base/errors.ts"
import type { BookDeps } from "./book-row.ts"
import { priceOf } from "../booking/order.ts"
import { invalidOutcome, toFailure, WAITING } from "./result.ts"
import type { Outcome } from "./outcome.ts"
import { type BatchRow, isToSend } from "./rows/row.ts"

export type RowPriceSource = Pick<
  BookDeps,
  "api" | "ledger" | "connectors" | "limiter" | "ratePace" | "completeRates"
> & {
  signal: AbortSignal
  /** A person is asked about carriers that do not answer: the error of the first row ends the pricing. */
  mayAsk?: boolean
  /** Rows that name their service are not priced. */
  skipsNamed?: boolean
}

export interface Priced {
  row: BatchRow
  /** `waiting` with a selected rate, otherwise why there is none. */
  outcome: Outcome
}

export async function priceRows(
  deps: RowPriceSource,
  rows: readonly BatchRow[],
  concurrency: number,
  onPriced: (priced: Priced) => Promise<void>,
): Promise<void> {
  const step = createStep(deps.signal)
  await workThrough(rows, concurrency, async (row) => {
    // Rows without a request would not yield to the event loop.
    await step()
    await onPriced({ row, outcome: await priceRow(deps, row) })
  })
}

/** Stores a row's selected rate. @returns its outcome */
async function priceRow(deps: RowPriceSource, row: BatchRow): Promise<Outcome> {
  const {
    api,
    ledger,
    connectors,
    limiter,
    ratePace,
    completeRates,
    signal,
    mayAsk = false,
    skipsNamed,
  } = deps
  row.selected = undefined
  if (row.outcome && !row.isFree) return row.outcome
  if (!isToSend(row)) return invalidOutcome(row)
  try {
    const pricing = {
      api,
      clock: ledger.clock,
      completeRates,
      connectors: async () => connectors,
      ratePace,
      mayAsk,
    }
    const selected =
      skipsNamed && !needsRates(row)
        ? selectNamed(row, connectors)
        : await limiter.admit(() => priceOrder(pricing, row, undefined, "required"), signal)
    row.selected = selected
    const price = priceOf(selected)
    const gstBasis = selected.rate && getGstBasis(selected.rate.rate)
    return price ? { ...WAITING, priceCents: price.cents, currency: price.currency, gstBasis } : WAITING
  } catch (error) {
    if (!(error instanceof FreightError) || !ROW_ERRORS.includes(error.kind)) throw error
    if (mayAsk && isMissingCarrier(error)) throw error
    return toFailure(row, error)
  }
}

const ROW_ERRORS: readonly FreightError["kind"][] = [
  "refused",
  "notFound",
  "unavailable",
  "timeout",
  "badReply",
  "unreadable",
  "rateLimited",
]

export type PricedRow = ReturnType<typeof toPricedRow>

export function toPricedRow({ row, outcome }: Priced) {
  const { selected } = row
  const { state, priceCents, gstBasis, currency, error } = outcome
  return {
    row: row.row,
    reference: row.reference,
    /** `waiting`: it would be booked. */
    state,
    connectorId: selected?.connectorId ?? "",
    /** As the API names it; null if it is not known. */
    carrier: selected?.rate?.carrier ?? null,
    serviceCode: selected?.serviceCode ?? "",
    price: priceCents === undefined ? null : amountOf(priceCents),
    /** With GST, as far as that is known; null if it is not. */
    priceIncGst: selected?.rate?.rate.priceIncGst ?? null,
    currency,
    /** Whether GST is in the price; null without one. */
    gstBasis: gstBasis ?? null,
    arrives: selected?.rate ? arrives(selected.rate.rate) : "",
    error,
    /** Why this service; empty if there is none. */
    why: selected?.why ?? "",
  }
}
