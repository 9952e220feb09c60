/** Rates and failures as programs get them. */
import type { RateEvidence } from "./lane-evidence.ts"
import type { RateReply } from "./carrier-rates.ts"
import { getGstBasis, type RateRow } from "./rates.ts"

/** A rate as the API gives it, with its connector; null for values that its carrier does not give. */
export type RateJson = ReturnType<typeof toRateJson>

export function toRateJson(row: RateRow) {
  const { quoteId, connectorId, carrier, ...others } = row
  const { arrives: _, standing: __, evidence, ...rate } = others
  return {
    connectorId,
    carrier,
    serviceCode: rate.serviceCode,
    description: rate.description,
    price: rate.price ?? null,
    priceGst: rate.priceGst ?? null,
    priceIncGst: rate.priceIncGst ?? null,
    /** Whether GST is in the price. */
    gstBasis: getGstBasis(rate),
    currency: rate.currency ?? null,
    eta: rate.eta ?? null,
    transitDays: rate.transitDays ?? null,
    bookingCutoff: rate.bookingCutoff ?? null,
    collectionCutoff: rate.collectionCutoff ?? null,
    visibility: rate.visibility ?? null,
    rateId: rate.rateId ?? null,
    quoteId,
    /** History of earlier deliveries and bills; null if there is none. */
    evidence: evidence ? toEvidenceItem(evidence) : null,
  }
}

function toEvidenceItem({ arrival, billed, likely }: RateEvidence) {
  return { arrival: arrival ?? null, billed: billed ?? null, likely: likely ?? null }
}

/** A connector that gave no rate. */
export type RateFailure = ReturnType<typeof listFailures>[number]

export function listFailures({ results }: RateReply) {
  return results.flatMap(({ connectorId, carrier, success, error }) =>
    success ? [] : [{ connectorId, carrier, code: error?.code ?? null, message: error?.message ?? null }],
  )
}
