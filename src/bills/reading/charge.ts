/** Finds the kind of a charge by the words of the bill. */
import type { Charge } from "../verdicts.ts"
import { findBasis, saysTax, saysTotal } from "../../input/index.ts"

const KINDS: readonly (readonly [kind: Charge, pattern: RegExp])[] = [
  ["fuel", /\bfuel|\bfsc\b/i],
  ["residential", /\bresi(?:d|\b)|\bhome\b|\bprivate address|\brs[pd]\b/i],
  ["dangerous-goods", /\bdanger|\bhazard|\bdgs?\b/i],
  [
    "freight",
    /\bfreight|\bfr?gh?t\b|\bfrt\b|\bcartage|\bcarriage|\blinehaul|\bline haul|\btransport|\bbas(?:e|ic)\b|\bconsignment|\bcon ?note|\bdelivery charge|^(?:net +)?(?:weight )?(?:cost|charge|price|amount)$|^(?:order|shipment|parcel|delivery|job)s?$/i,
  ],
]

/** `GST on freight` and `Freight GST`, but not words of a charge that includes GST. */
const GST_OF = /^\W*gst (?:on|of|for)\b|\bgst\W*$/i
const BESIDE_GST = /\b(?:plus|and|with|to|attracts|applicable|before|after|for)\b.*\bgst\b|[+&]/i

/**
 * The kind of charge, by the bill's name for it. No words, or those of a total, mean freight; GST is recognised by its
 * name only.
 */
export function toCharge(label: string): Charge {
  if (saysTax(label)) return "tax"
  const basis = findBasis(label)
  const text = basis?.rest ?? label
  if (!basis && GST_OF.test(label) && !BESIDE_GST.test(label)) return "tax"
  if (text.trim() === "" || saysTotal(text)) return "freight"
  return KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? "other"
}
