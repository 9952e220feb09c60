import type { Kind, State } from "../../src/ledger/entry.ts"

/** What `freight history --json` promises of each entry. */
export interface HistoryRow {
  sentAt: string
  kind: Kind
  state: State
  /** The user's key; empty if the content is the key. */
  key: string
  about: string
  reference: string
  shipmentId: string
  connectorId: string
  carrier: string
  serviceCode: string
  /** As quoted, in whole units. */
  price: number | null
  currency: string
  note: string
  /** The ledger that it is in. */
  file: string
  id: string
  workstation: string
  person: string
  consignmentNumber: string
  orderNumber: string
  priceGst: number | null
  priceIncGst: number | null
  gstBasis: string
  eta: string
  transitDays: number | null
  rateId: string
  quoteId: string
  packages: unknown
  weightKg: number | null
  receiverSuburb: string
  receiverState: string
  receiverPostcode: string
}
