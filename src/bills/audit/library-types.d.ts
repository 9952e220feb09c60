/**
 * Audits a carrier's bill as `freight audit` does, with what your own program knows of its bookings: a bill and evidence
 * in, verdicts out. Nothing is read from or written to the disk, the network or a ledger, and nothing is remembered.
 * Amounts are in whole Australian dollars, weights in kg.
 */
import type { Carrier, ShipmentSummary } from "../../contract/generated/types.ts"

/** What was booked. A bill names it by its id, its consignment or order number, or your reference. */
export interface AuditBooking {
  /** Of this booking alone. */
  shipmentId: string
  carrier: Carrier
  serviceCode: string
  /** ISO 8601. */
  bookedAt: string
  consignmentNumber?: string
  orderNumber?: string
  reference?: string
  /** The service as its carrier calls it, where bills do. */
  serviceName?: string
  /** As quoted. Without it nothing is said of the price. */
  quote?: { amount: number; gstBasis: "included" | "excluded" | "unknown" }
  /** Of all its packages together. Without it nothing is said of the weight. */
  weightKg?: number
  /** Volume as weight, at 250 kg a cubic metre. */
  cubicKg?: number
  /** Who pays. Default: the sender. */
  payer?: "Sender" | "Receiver" | "ThirdParty"
  status?: ShipmentSummary["status"]
  /** Whether it has a pickup. */
  hasPickup?: boolean
  /** Whether the carrier has ever scanned it; left out where that is not known. */
  isCollected?: boolean
  dangerousGoods?: boolean
  /** Whether it goes to a home; left out where that is not known. */
  residential?: boolean
}

export interface Evidence {
  bookings: readonly AuditBooking[]
  /** The services of carriers: only one of these can be billed by mistake for another. */
  services?: readonly { carrier: Carrier; serviceCode: string; description: string }[]
}

export interface AuditOptions {
  /** What may be billed above or below the quote, whichever is more. Default: 1 %, 0.50. */
  tolerance?: { percent?: number; amount?: number }
  /** `COLUMN=FIELD`, as `--map` takes it, for columns that are not clear. */
  map?: readonly string[]
  /** The time, in milliseconds since the epoch: years that a bill leaves out. Default: now. */
  now?: number
  /** Gets what is noted and warned of, such as how a column was read. */
  onNote?: (text: string) => void
}

/** Worst first; from `under` on nothing is wrong. Later versions may add some. */
export type Verdict =
  | "billed-twice"
  | "not-ours"
  | "cancelled"
  | "payer-is-another"
  | "not-collected"
  | "wrong-service"
  | "wrong-weight"
  | "over"
  | "wrong-gst"
  | "under"
  | "cannot-tell"
  | "no-price"
  | "agrees"

/** One consignment of the bill, as `freight audit --json` has it. */
export interface AuditedConsignment {
  /** Its number as booked, or as the bill has it; null where the bill names none. */
  consignmentNumber: string | null
  reference: string | null
  shipmentId: string | null
  carrier: string | null
  /** As booked. */
  serviceCode: string | null
  /** The worst of `verdicts`. */
  verdict: Verdict
  verdicts: Verdict[]
  /** In a sentence. */
  why: string
  /** Null where no quoted price is known. */
  quoted: number | null
  billed: number
  /** Billed less quoted. */
  difference: number | null
  /** What is to be had back. */
  disputed: number
  disputedGst: number
  /** Whether these amounts hold GST. */
  gstBasis: "included" | "excluded" | "unknown"
  gstCheck: "agrees" | "wrong" | "none" | "unknown"
  billedExGst: number | null
  billedGst: number | null
  billedIncGst: number | null
  billedWeightKg: number | null
  bookedWeightKg: number | null
  /** As the bill calls it. */
  billedService: string | null
  billNumbers: string[]
  foundBy: string | null
}

export interface AuditResult {
  /** Worst first. */
  items: AuditedConsignment[]
  total: number
  nextOffset: null
  bills: {
    billNumber: string | null
    supplier: string | null
    billDate: string | null
    lines: number
    amount: number | null
  }[]
  totals: { consignments: number; billed: number; quoted: number; disputed: number; toDispute: number }
}

/**
 * Audits a bill. Consignments that the bill charges twice are found; those that an earlier bill charged are not, as
 * nothing is remembered.
 * @param bill an INV document or a list of them (JSON), CSV, or the bytes of a workbook
 * @throws FreightError (`name`, `kind`, `errors`) of the kind `input` for what cannot be read, or a column that is not
 * clear; `usage` for an option that there is not
 */
export declare function auditBill(
  bill: string | Uint8Array,
  evidence: Evidence,
  options?: AuditOptions,
): Promise<AuditResult>
