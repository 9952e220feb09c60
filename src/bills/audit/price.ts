/** Compares billed and quoted prices on each GST basis that both can have. */
import { type Money, type GstReading, listReadings } from "../money.ts"
import type { Quote } from "../matching/booking.ts"

/** Allowed difference from the quote: a share of it or an amount, whichever is more. */
export interface Tolerance {
  percent: number
  cents: number
}

/** Amounts in cents, on the basis `gst`. */
export interface PriceComparison {
  is: "fits" | "over" | "under" | "unclear"
  gst: "excluded" | "included"
  quoted: number
  difference: number
  /** How the bill was read, if it does not state GST. */
  read: GstReading["read"]
}

export function getAllowed(quoted: number, { percent, cents }: Tolerance): number {
  return Math.max(Math.round((Math.abs(quoted) * percent) / 100), cents)
}

/** If one reading of quote and bill makes them agree, the price is not wrong. */
export function comparePrice(
  { cents: quoted, basis }: Quote,
  billed: readonly Money[],
  tolerance: Tolerance,
): PriceComparison {
  const sums = billed.map(listReadings).reduce<GstReading[]>(
    (all, readings) =>
      all.flatMap((sum) =>
        readings.map((each) => ({
          ...sum,
          ...each,
          exGst: sum.exGst + each.exGst,
          incGst: sum.incGst + each.incGst,
        })),
      ),
    [{ exGst: 0, incGst: 0 }],
  )
  const allowed = getAllowed(quoted, tolerance)
  const compare = (gst: PriceComparison["gst"], { exGst, incGst, read }: GstReading): PriceComparison => {
    const difference = (gst === "included" ? incGst : exGst) - quoted
    const is = Math.abs(difference) <= allowed ? "fits" : difference > 0 ? "over" : "under"
    return { is, gst, quoted, difference, read }
  }
  const all = sums.flatMap((sum) => [
    ...(basis === "included" ? [] : [compare("excluded", sum)]),
    ...(basis === "excluded" ? [] : [compare("included", sum)]),
  ])
  const fits = all.find(({ is }) => is === "fits")
  if (fits) return fits
  // If both GST readings exceed the quote, use the lower difference.
  const nearest = all.reduce((best, each) =>
    each.is === "over" && each.difference < best.difference ? each : best,
  )
  return new Set(all.map(({ is }) => is)).size > 1 ? { ...nearest, is: "unclear" } : nearest
}

/** Says which reading was compared, if the quote or the bill leaves GST open. */
export function describeReading({ gst, read }: PriceComparison, quote: Quote | undefined): string {
  const readings = [
    ...(quote?.basis === "unknown"
      ? [`the quote read as ${gst === "included" ? "with" : "without"} GST`]
      : []),
    ...(read ? [`the bill read as ${read} GST`] : []),
  ]
  return readings.length > 0 ? `, ${readings.join(", ")}` : ""
}
