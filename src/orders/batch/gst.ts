/** Whether GST is in the prices of a batch: counted, and in a clause beside their total. */
import type { GstBasis } from "../../ledger/entry.ts"

/** In how many prices GST is, is not, or is not stated. */
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

/** What stands behind a total: ` + GST`, or ` (GST is in 3, not in 30, not stated for 7)`. */
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
