/** Which prices can be added up, and how reports show their basis. */
import { formatMoney } from "../base/money.ts"
import { BILL_CURRENCY } from "../bills/index.ts"
import type { GroupOfBookings, GstBasis } from "../ledger/index.ts"

/** Prices on different GST bases, or in different currencies, cannot be added up: both are null if there is no price. */
export function toPriceBasis({
  isPriced,
  currency = "AUD",
  gstBasis = "unknown",
}: Pick<GroupOfBookings, "isPriced" | "currency" | "gstBasis">): {
  currency: string | null
  gstBasis: GstBasis | null
} {
  return isPriced ? { currency, gstBasis } : { currency: null, gstBasis: null }
}

const BASES: Readonly<Record<GstBasis, string>> = {
  excluded: "+ GST",
  included: "GST included",
  unknown: "GST not stated",
}

export function formatGst(basis: GstBasis | null): string {
  return basis === null ? "" : BASES[basis]
}

/** The column for the GST basis of a row. */
export const GST = {
  gives: "nothing",
  show: ({ gstBasis }: { gstBasis: GstBasis | null }) => formatGst(gstBasis),
  brief: (text: string) => text.replace(/^GST /, ""),
} as const

/** @param amount in whole units of the currency of bills */
export const formatAud = (amount: number) => formatMoney(amount, BILL_CURRENCY)

export const asPercent = (percent: number) => `${percent}%`
