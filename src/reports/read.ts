/** What reports share: their span of time, and what prices can be added up. */
import type { GstBasis } from "../ledger/entry.ts"
import type { BookingSums } from "../ledger/records/sums.ts"

export interface Span {
  scopes: readonly string[] | undefined
  /** Milliseconds since the epoch: booked from then on, and before. */
  since: number
  until: number
}

/** Prices on different GST bases, or in different currencies, cannot be added up: both are null where there is no price. */
export function toPriceBasis({
  isPriced,
  currency = "AUD",
  gstBasis = "unknown",
}: Pick<BookingSums, "isPriced" | "currency" | "gstBasis">): {
  currency: string | null
  gstBasis: GstBasis | null
} {
  return isPriced ? { currency, gstBasis } : { currency: null, gstBasis: null }
}
