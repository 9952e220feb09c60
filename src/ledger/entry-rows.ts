/** Entries as rows of the table `sends`, and back: its columns, described once for creating, writing and reading. */
import { describeColumns, type Row, SENDER_COLUMNS } from "./database/columns.ts"
import type { DatabaseRow, Statements, Value } from "./database/database.ts"
import { pages } from "./database/sql.ts"
import { type Entry, type Facts, LEARNED_FACTS, type Sender } from "./entry.ts"
import { getNormalizedNumber } from "./spelling.ts"

type Outcome = Pick<Entry, "state" | "settledAt" | "leaseUntil" | "response" | "error" | "note">

type Written = Pick<Facts, "writtenPlaces">

type Compared = Pick<Facts, "offers">

type KeptOwn = Pick<Facts, "own">

type Cancelled = Pick<Entry, "cancelledAt" | "cancellations">

type Duplicate = Pick<Entry, "duplicateOf" | "duplicateSettledAt">

const CLAIM = describeColumns<
  Omit<
    Entry,
    | keyof (Outcome & Duplicate & Cancelled)
    | "key"
    | "sender"
    | "facts"
    | "collects"
    | "firstKey"
    | "elsewhere"
    | "isUnclear"
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

const SENDER = describeColumns<Sender>(SENDER_COLUMNS)

/** Names that find an entry, and the token of its claim. */
const NAMES = describeColumns<{ idempotencyKey: string; claimToken: string; pickupId: string }>({
  idempotencyKey: "text",
  claimToken: "text not null",
  pickupId: "text",
})

/** The columns that an outcome may change, besides the facts. */
const OUTCOME = describeColumns<Outcome>({
  state: "text not null check (state in ('unknown', 'done', 'refused', 'released'))",
  settledAt: "text",
  leaseUntil: "text",
  response: "json",
  error: "json",
  note: "text",
})

const FACTS = describeColumns<Omit<Facts, keyof (Written & Compared & KeptOwn)>>({
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

/** The facts that a reply or a person adds: all others stay as claimed. */
const LEARNED = FACTS.pick(...LEARNED_FACTS)

/** Last, in the order in which steps added them. */
const DUPLICATE = describeColumns<Duplicate>({ duplicateOf: "text", duplicateSettledAt: "text" })

const WRITTEN = describeColumns<Written>({ writtenPlaces: "text" })

/** The order's number in the spelling that is compared, empty where it has none: see `spelling.ts`. */
export const NUMBER = describeColumns<{ normalizedNumber: string }>({ normalizedNumber: "text" })

/** The rates that were compared before booking: empty if there were none, and for bookings by older versions. */
const COMPARED = describeColumns<Compared>({ offers: "text" })

/**
 * Freight's own fields of an order, which its request does not have: empty for other kinds and for bookings by older
 * versions.
 */
const OWN = describeColumns<KeptOwn>({ own: "json" })

/** A carrier's cancellation: no outcome of sending, so that no outcome overwrites it. */
export const CANCELLED = describeColumns<Cancelled>({ cancelledAt: "text", cancellations: "json" })

export const ENTRY = [
  ...[CLAIM, SENDER, NAMES, OUTCOME, FACTS, DUPLICATE, WRITTEN, NUMBER, COMPARED, OWN],
  CANCELLED,
]

/** Not in a brief entry: they are long, and each value takes time to read. */
const LONG = [
  "request",
  "response",
  "reference_hash",
  "lease_until",
  "claim_token",
  "pickup_id",
  "normalized_number",
  "offers",
]

export const COLUMNS = {
  /** All except the request and the response. */
  brief: ENTRY.flatMap(({ names }) => names)
    .filter((name) => !LONG.includes(name))
    .join(", "),
  whole: "*",
} as const
export type Detail = keyof typeof COLUMNS

export function toSendRow(entry: Entry, claimToken: string): Row {
  const { key, sender } = entry
  const row: Record<string, Value> = {
    idempotency_key: key.startsWith("key:") ? key.slice("key:".length) : null,
    claim_token: claimToken,
  }
  CLAIM.write(entry, row)
  row.request ??= "null"
  SENDER.write(sender, row)
  NUMBER.write({ normalizedNumber: getNormalizedNumber(entry) }, row)
  FACTS.write(entry.facts, row)
  WRITTEN.write(entry.facts, row)
  COMPARED.write(entry.facts, row)
  OWN.write(entry.facts, row)
  return writeOutcome(entry, row)
}

function writeOutcome(entry: Entry, into: Record<string, Value>): Row {
  const { pickupBookingId: id } = Object(entry.response) as { pickupBookingId?: unknown }
  into.pickup_id = typeof id === "string" ? id : null
  return OUTCOME.write(entry, into)
}

const CHANGED = [...OUTCOME.names, "pickup_id", ...LEARNED.names]

/** The columns that an outcome changes: always the same, so that the statement is prepared once. */
export const SET_OUTCOME = CHANGED.map((name) => `${name} = ?`).join(", ")

export function outcomeValues(entry: Entry): Value[] {
  const row: Record<string, Value> = {}
  writeOutcome(entry, row)
  LEARNED.write(entry.facts, row)
  return CHANGED.map((name) => row[name] ?? null)
}

export function toEntry(row: DatabaseRow): Entry {
  const facts: Facts = FACTS.read(row)
  WRITTEN.read(row, "", facts)
  COMPARED.read(row, "", facts)
  OWN.read(row, "", facts)
  if (!facts.standing) delete facts.standing
  const entry = {
    key: row.idempotency_key == null ? `content:${row.content_hash}` : `key:${row.idempotency_key}`,
    sender: SENDER.read(row),
    facts,
  }
  for (const columns of [CLAIM, OUTCOME, DUPLICATE, CANCELLED]) columns.read(row, "", entry)
  return entry as Entry
}

export function pagesOf(statements: Statements): AsyncGenerator<DatabaseRow[]> {
  return pages((last, size) =>
    statements.all(`select * from sends where id > ? order by id limit ${size}`, [last?.id ?? ""]),
  )
}
