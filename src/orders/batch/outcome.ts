/** The outcome of a row, kept until the results are written. */
import type { Difference, Entry, GstBasis } from "../../ledger/index.ts"

export interface Outcome {
  state: RowState
  /** Empty unless it was booked. */
  entryId: string
  shipmentId: string
  consignment: string
  /** In cents, as quoted; undefined when it is not known. */
  priceCents: number | undefined
  /** Whether GST is in it; undefined without a price. */
  gstBasis?: GstBasis | undefined
  currency: string
  /** The carrier and service it was booked with; undefined if not known. */
  carrier?: string | undefined
  serviceCode?: string | undefined
  /** Barcodes of its items, if the carrier gave them. */
  barcodes?: readonly string[]
  /** Day of its collection, `yyyy-mm-dd`. */
  day?: string | undefined
  error: string
  hint?: string | undefined
  /** The ledger key that it was booked under, and when: ISO 8601 in UTC. */
  key?: string
  sentAt?: string
  recorded?: boolean
  /** Booked elsewhere: with another program or ledger, or in the portal. */
  elsewhere?: Entry["elsewhere"]
  /** It was sent now, and is too late for the day of its collection. */
  isAfterCutoff?: true
  warnings?: readonly string[] | undefined
  ignored?: readonly Difference[] | undefined
  why?: string | undefined
  /** It was not sent because the service limits requests: seconds to wait, where the service says so. */
  limited?: { retryAfter: number | undefined }
}

/**
 * Row states for scripts: those of a standing (see `OUTCOMES`), and
 * - `failed`: certainly not made; running the batch again tries it again.
 * - `invalid`: the row has an error; not sent.
 * - `waiting`: not sent yet; with an error, it waits for its shop or for a person.
 * - `too-late`: only rates that missed their cutoff for today would meet its limits; not sent.
 * - `left-out`: the shop says that it is not to be shipped, or its carrier has cancelled its booking.
 */
export type RowState = (typeof ROW_STATES)[number]

export const ROW_STATES = [
  "booked",
  "failed",
  "unknown",
  "sending",
  "changed",
  "duplicate",
  "invalid",
  "waiting",
  "left-out",
  "too-late",
] as const
