/** What bills consist of, whatever their file format. Money is in integer cents. */
import type { Charge } from "../contract/bills.ts"
import { saysTax, saysTotal } from "../sheets/totals.ts"

export interface Bill {
  file: string
  /** Its position, from 0, in a file that holds several documents. */
  index?: number
  number: string
  supplier: string
  /** `yyyy-mm-dd`; empty where the bill has none. */
  date: string
  /** Errors and warnings of an INV document; none where it was not checked. */
  findings?: { errors: number; warnings: number; first?: string }
  /** Whether any of its lines states GST. */
  statesGst?: boolean
  /** Its lines add up to a lawful GST. */
  isGstRight?: boolean
}

/** What a line asks for, in cents; null where it does not say. */
export interface Amounts {
  exGst: number | null
  gst: number | null
  incGst: number | null
  /** An amount for which the bill does not state GST. */
  unsaid: number | null
}

export const NO_AMOUNTS: Amounts = { exGst: null, gst: null, incGst: null, unsaid: null }

/** A name that may be a consignment's, and the field or column in which it stands. */
export interface BillName {
  text: string
  field: string
}

export interface BillLine extends Amounts {
  /** Its place: a line of a CSV file, or a JSON pointer. */
  line?: number
  pointer?: string
  /** What may name its consignment, the likeliest first. */
  names: readonly BillName[]
  /** The consignment number that a spreadsheet destroyed. */
  damaged?: string
  charge: Charge
  label: string
  service: string
  grams: number | null
  /** `yyyy-mm-dd`; empty where the bill has none. */
  shipped: string
  /** Columns with amounts that freight does not know, where the bill states no total: `Tail Lift 35.00`. */
  unknown?: readonly string[]
}

/** GST that a bill states for all its lines together, in cents. */
export interface StatedGst {
  gst: number
  /** What it is 10 % of. */
  exGst: number
  lines: number
}

/** A line and its bill; lines of one bill share the object. */
export interface BilledLine {
  bill: Bill
  line: BillLine
}

const KINDS: readonly (readonly [kind: Charge, pattern: RegExp])[] = [
  ["fuel", /\bfuel|\bfsc\b/i],
  ["residential", /\bresid|\bhome\b|\bprivate address|\brs[pd]\b/i],
  ["dangerous-goods", /\bdanger|\bhazard|\bdgs?\b/i],
  ["tax", /^\W*(?:gst|tax)\b|\bgst\W*$/i],
  [
    "freight",
    /\bfreight|\bcartage|\bcarriage|\blinehaul|\bline haul|\btransport|\bbas(?:e|ic)\b|\bconsignment|\bdelivery charge|^(?:net +)?(?:weight )?(?:cost|charge|price|amount)$/i,
  ],
]

/** What a charge is for, by what the bill calls it. Without any words, or as a total, it is freight. */
export function toCharge(label: string): Charge {
  if (label.trim() === "" || (saysTotal(label) && !saysTax(label))) return "freight"
  return KINDS.find(([, pattern]) => pattern.test(label))?.[0] ?? "other"
}
