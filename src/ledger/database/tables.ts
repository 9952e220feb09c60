/** What each table of the ledger holds, described once for all that makes, writes and reads it. */
import type { ServiceKey } from "../accounts/keys.ts"
import type { ElsewhereRow } from "../elsewhere.ts"
import { type Entry, type Facts, LEARNED_FACTS, type Sender } from "../entry.ts"
import type { ElsewhereMark } from "../look.ts"
import type { BilledConsignment, RememberedBill } from "../records/bills.ts"
import type { Desk } from "../records/desks.ts"
import type { Dispatch } from "../records/dispatches.ts"
import type { Credit, Dispute, Step } from "../records/disputes.ts"
import type { RegisteredInvoice } from "../records/invoices.ts"
import type { Journey } from "../records/journeys.ts"
import type { Link } from "../records/links.ts"
import type { KeptPlace } from "../records/places.ts"
import type { Move, PostedSince, Posting } from "../records/postings.ts"
import { describeColumns } from "./columns.ts"

type Outcome = Pick<Entry, "state" | "settledAt" | "leaseUntil" | "response" | "error" | "note">

type Written = Pick<Facts, "writtenPlaces">

type Compared = Pick<Facts, "offers">

type Duplicate = Pick<Entry, "duplicateOf" | "duplicateSettledAt">

/** An entry as it is claimed. */
export const CLAIM = describeColumns<
  Omit<
    Entry,
    keyof (Outcome & Duplicate) | "key" | "sender" | "facts" | "collects" | "elsewhere" | "isUnclear"
  >
>({
  id: "text primary key",
  scope: "text not null",
  account: "text not null",
  kind: "text not null check (kind in ('shipment', 'pickup', 'label-print', 'pdf-print'))",
  keyGiven: "flag not null check (key_given in (0, 1))",
  content: ["content_hash", "text not null"],
  referenceHash: "text",
  attempt: "integer not null",
  sentAt: ["created_at", "text not null"],
  call: "text not null",
  request: "json not null",
})

/** Who wrote a row. */
const WHO = { workstation: "text not null", person: "text not null" } as const

export const SENDER = describeColumns<Sender>(WHO)

/** By what an entry is found, and its claim known again. */
const NAMES = describeColumns<{ idempotencyKey: string; claimToken: string; pickupId: string }>({
  idempotencyKey: "text",
  claimToken: "text not null",
  pickupId: "text",
})

/** What an outcome may change, besides the facts. */
export const OUTCOME = describeColumns<Outcome>({
  state: "text not null check (state in ('unknown', 'done', 'refused', 'released'))",
  settledAt: "text",
  leaseUntil: "text",
  response: "json",
  error: "json",
  note: "text",
})

export const FACTS = describeColumns<Omit<Facts, keyof (Written & Compared)>>({
  connectorId: "text",
  carrier: "text",
  serviceCode: "text",
  about: "text",
  reference: "text",
  receiverSuburb: "text",
  receiverState: "text",
  receiverPostcode: "text",
  packages: "text",
  weightGrams: "integer",
  shipmentId: "text",
  consignmentNumber: "text",
  orderNumber: "text",
  deviceId: "text",
  priceCents: "integer",
  gstCents: "integer",
  priceIncGstCents: "integer",
  gstBasis: "text",
  currency: "text",
  eta: "text",
  transitDays: "integer",
  rateId: "text",
  quoteId: "text",
  why: "text",
  standing: "flag not null default 0",
})

/** The facts that a reply or a person adds: of all others the entry keeps what was claimed. */
export const LEARNED = FACTS.pick(...LEARNED_FACTS)

/** Last, as where steps have added them. */
export const DUPLICATE = describeColumns<Duplicate>({ duplicateOf: "text", duplicateSettledAt: "text" })

export const WRITTEN = describeColumns<Written>({ writtenPlaces: "text" })

/** The order's number in the one writing that is compared, empty where it has none: see `spelling.ts`. */
export const NUMBER = describeColumns<{ normalizedNumber: string }>({ normalizedNumber: "text" })

/** The offers that were compared before it was booked: empty where none were, and where an older freight booked it. */
export const COMPARED = describeColumns<Compared>({ offers: "text" })

/** Which account a key belongs to, and why: see `accounts/`. */
export const API_KEYS = describeColumns<Omit<ServiceKey, "id">>({
  fingerprint: "text not null",
  address: "text not null",
  api: "text not null check (api in ('freight', 'direct-print'))",
  scope: "text not null",
  name: ["account_name", "text"],
  workstation: "text not null",
  firstUsedAt: "text not null",
  checkedAt: "text",
  connectors: "json not null",
  looks: "json not null",
  hasShipment: "flag not null",
})

/** What tracking said last: see `journeys.ts`. */
export const JOURNEYS = describeColumns<Journey & { scope: string }>({
  scope: "text not null",
  consignmentNumber: "text not null",
  status: "text",
  events: "integer not null default 0",
  firstEventAt: "text",
  lastEventAt: "text",
  eta: "text",
  deliveredAt: "text",
  itemsReceived: "integer",
  isCancelled: "flag not null default 0",
  hasLabel: "flag not null default 0",
  lookedAt: "text not null",
})

/** Bills that were audited: see `bills.ts`. */
export const BILLS = describeColumns<RememberedBill>(
  {
    id: "text primary key",
    scope: "text not null",
    supplier: "text not null",
    number: "text not null",
    date: ["bill_date", "text"],
    file: "text not null",
    amountCents: "bigint not null",
    gstCents: "bigint",
    gstBasis: "text not null",
    auditedAt: "text not null",
    ...WHO,
    growth: "json",
  },
  { date: "", gstCents: null },
)

/** What each of them charges for a consignment. */
export const BILLED = describeColumns<BilledConsignment & { billId: string }>(
  {
    billId: "text not null",
    consignment: "text not null",
    shipmentId: "text",
    exGst: ["ex_gst_cents", "bigint"],
    gst: ["gst_cents", "bigint"],
    incGst: ["inc_gst_cents", "bigint"],
    unsaid: ["unsaid_cents", "bigint"],
    charges: "json not null",
    verdict: "text not null",
    disputedCents: "bigint not null",
    seenAt: "text",
  },
  { exGst: null, gst: null, incGst: null, unsaid: null },
)

const OF_BILL = {
  supplier: "text not null",
  billNumber: "text not null",
  billDate: "text not null",
  file: "text not null",
  consignment: "text not null",
  shipmentId: "text not null",
  reference: "text not null",
  carrier: "text not null",
}

/** What is disputed of a bill: see `disputes.ts`. */
export const DISPUTES = describeColumns<Dispute>({
  id: "text primary key",
  ...OF_BILL,
  verdict: "text not null",
  why: "text not null",
  amountCents: "bigint not null",
  gstBasis: "text not null",
  day: ["raised_on", "text not null"],
  at: ["raised_at", "text not null"],
  ...WHO,
})

/** What came of each dispute. */
export const STEPS = describeColumns<Step>({
  id: "text primary key",
  disputeId: "text not null",
  kind: ["step", "text not null check (step in ('sent', 'answered', 'credited', 'denied', 'written-off'))"],
  day: ["step_on", "text not null"],
  amountCents: "bigint not null",
  creditId: "text",
  creditCents: "bigint",
  claim: "text",
  why: "text",
  at: ["written_at", "text not null"],
  ...WHO,
})

/** What bills give back. */
export const CREDITS = describeColumns<Credit>(
  {
    id: "text primary key",
    ...OF_BILL,
    exGst: ["ex_gst_cents", "bigint"],
    gst: ["gst_cents", "bigint"],
    incGst: ["inc_gst_cents", "bigint"],
    unsaid: ["unsaid_cents", "bigint"],
    at: ["written_at", "text not null"],
    ...WHO,
  },
  { exGst: null, gst: null, incGst: null, unsaid: null },
)

/** What was written for the books of each bill: see `postings.ts`. */
export const POSTINGS = describeColumns<Omit<Posting, keyof PostedSince>>({
  id: "text primary key",
  supplier: "text not null",
  billNumber: "text not null",
  billDate: "text not null",
  file: "text not null",
  books: "text not null",
  exGst: ["ex_gst_cents", "bigint not null"],
  gst: ["gst_cents", "bigint not null"],
  clearing: ["clearing_cents", "bigint not null"],
  cleared: "json not null",
  rows: ["row_count", "integer not null"],
  content: "json not null",
  head: "text not null",
  body: "text not null",
  at: ["posted_at", "text not null"],
  ...WHO,
})

/** What later versions write of a posting besides. */
export const POSTED_SINCE = describeColumns<PostedSince>({
  undone: "text",
  accounts: "json",
  broughtBack: "json",
  part: "integer",
  lines: "json",
})

/** What a person moved from or to the clearing account in the books: see `postings.ts`. */
export const MOVES = describeColumns<Move>({
  id: "text primary key",
  disputeId: "text not null",
  amountCents: "bigint not null",
  why: "text",
  day: ["moved_on", "text not null"],
  at: ["written_at", "text not null"],
  ...WHO,
})

/** What was handed to shops: see `dispatches.ts`. */
export const DISPATCHES = describeColumns<Dispatch>({
  id: "text primary key",
  shipmentId: "text not null",
  shop: "text not null",
  orderId: "text not null",
  event: "text not null",
  number: "text",
  batch: "text",
  file: "text",
  position: "integer",
  head: "text",
  body: "text",
  at: ["created_at", "text not null"],
  writtenAt: "text",
  ...WHO,
})

/** Which shipment a person says that a bill means: see `links.ts`. */
export const LINKS = describeColumns<Link>({
  id: "text primary key",
  number: "text not null",
  shipment: "text not null",
  supplier: "text not null",
  billNumber: "text not null",
  billDate: "text not null",
  file: "text not null",
  at: ["written_at", "text not null"],
  ...WHO,
})

/** Invoices that were checked to be sent: see `invoices.ts`. */
export const INVOICES = describeColumns<RegisteredInvoice & { at: string }>({
  supplier: "text not null",
  number: "text not null",
  amount: "text",
  file: "text not null",
  at: ["registered_at", "text not null"],
})

/** A team's own places: see `places.ts`. */
export const PLACES = describeColumns<KeptPlace & { scope: string }>({
  scope: "text not null",
  suburb: "text not null",
  state: "text not null",
  postcode: "text not null",
  addedAt: "text not null",
  ...WHO,
})

/** Which version each desk uses: see `desks.ts`. */
export const DESKS = describeColumns<Desk>({
  workstation: "text primary key",
  version: ["freight_version", "text not null"],
  schema: ["schema_version", "integer not null"],
  seenAt: "text not null",
})

/** Shipments that were booked elsewhere: see `elsewhere.ts`. */
export const ELSEWHERE = describeColumns<ElsewhereRow>({
  scope: "text not null",
  shipmentId: "text not null",
  createdAt: "text not null",
  isCancelled: "flag not null",
  normalizedNumber: "text not null",
  goodsHash: "text not null",
  detail: "json not null",
  readAt: "text not null",
})

/** How far each key has read the list of shipments: see `look.ts`. */
export const ELSEWHERE_MARKS = describeColumns<ElsewhereMark>({
  keyId: "text not null",
  readTo: "text not null",
  lookedAt: "text not null",
  isLimited: "flag not null",
  strangersToldAt: "text",
  limitToldAt: "text",
})

/** All that the table of entries has. */
export const ENTRY = [CLAIM, SENDER, NAMES, OUTCOME, FACTS, DUPLICATE, WRITTEN, NUMBER, COMPARED]
