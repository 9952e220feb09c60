/** Whether GST is in the prices of a batch: counted, and in a clause beside their total. */
import { amountOf, centsOf, formatMoney, toIncGst } from "../../base/money.ts"
import type { GstBasis } from "../../ledger/index.ts"
import { COMPARED_CURRENCY, formatRange, getTotalRange } from "../booking/gst.ts"

export type GstCounts = Record<GstBasis, number>

export function createGstCounts(): GstCounts {
  return { included: 0, excluded: 0, unknown: 0 }
}

export function countGst(rows: readonly { price: number | null; gstBasis: GstBasis | null }[]): GstCounts {
  const counts = createGstCounts()
  for (const { price, gstBasis } of rows) if (price !== null) counts[gstBasis ?? "unknown"]++
  return counts
}

/** As `priceText` says it of one price. */
const WORDS: Readonly<Record<GstBasis, string>> = {
  excluded: " + GST",
  included: ", GST included",
  unknown: ", GST not stated",
}

/** The text after a total: ` + GST`, or ` (GST is in 3, not in 30, not stated for 7)`. */
export function gstText(gst: GstCounts): string {
  const [only, ...others] = (Object.keys(gst) as GstBasis[]).filter((basis) => gst[basis] > 0)
  if (only !== undefined && others.length === 0) return WORDS[only]
  const parts = [
    gst.included > 0 ? `in ${gst.included}` : "",
    gst.excluded > 0 ? `not in ${gst.excluded}` : "",
    gst.unknown > 0 ? `not stated for ${gst.unknown}` : "",
  ].filter(Boolean)
  return parts.length === 0 ? "" : ` (GST is ${parts.join(", ")})`
}

interface QuotedPrice {
  price: number | null
  currency: string | null
  gstBasis: GstBasis | null
  /** Null if the carrier does not state it. */
  priceIncGst: number | null
}

function getRange({ price, currency, gstBasis, priceIncGst }: QuotedPrice): [number, number] | undefined {
  if (price === null || currency === null) return undefined
  const added = gstBasis === "excluded" ? amountOf(toIncGst(centsOf(price))) : undefined
  const total = priceIncGst ?? (gstBasis === "included" ? price : added)
  return getTotalRange({ price, currency, ...(total !== undefined && { priceIncGst: total }) })
}

/** `AUD 70.29`; `AUD 62.52 to 68.77` where it is not known whether GST is in it; as quoted in another currency. */
export function formatTotal(quoted: QuotedPrice): string {
  const { price, currency } = quoted
  if (price === null) return ""
  const range = getRange(quoted)
  return range ? `${COMPARED_CURRENCY} ${formatRange(range)}` : formatMoney(price, currency ?? "")
}

/** `, with GST AUD 132.81 to 139.06`; empty if no price is compared with others. */
export function formatSumWithGst(quoted: readonly QuotedPrice[]): string {
  const ranges = quoted.flatMap((each) => [getRange(each) ?? []]).filter((range) => range.length === 2)
  if (ranges.length === 0) return ""
  const [least, most] = [0, 1].map((end) => ranges.reduce((sum, range) => sum + (range[end] ?? 0), 0))
  return `, with GST ${COMPARED_CURRENCY} ${formatRange([least ?? 0, most ?? 0])}`
}
