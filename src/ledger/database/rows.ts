/** Entries as rows of the table `sends`, and back; and the pieces of SQL that several files need. */
import type { DatabaseRow, Statements, Transaction, Value } from "./database.ts"
import type { Entry, Facts, GstBasis, Kind, State } from "../entry.ts"

/** Each fact, with its column. */
const FACTS = {
  connectorId: "connector_id",
  carrier: "carrier",
  serviceCode: "service_code",
  about: "about",
  reference: "reference",
  shipmentId: "shipment_id",
  deviceId: "device_id",
  consignmentNumber: "consignment_number",
  orderNumber: "order_number",
  priceCents: "price_cents",
  gstCents: "gst_cents",
  priceIncGstCents: "price_inc_gst_cents",
  gstBasis: "gst_basis",
  currency: "currency",
  eta: "eta",
  transitDays: "transit_days",
  rateId: "rate_id",
  quoteId: "quote_id",
  why: "why",
  packages: "packages",
  weightGrams: "weight_grams",
  receiverSuburb: "receiver_suburb",
  receiverState: "receiver_state",
  receiverPostcode: "receiver_postcode",
} as const satisfies Record<Exclude<keyof Facts, "standing">, string>

/** Columns of entries, as much as is needed: the request and the response are long, and each value takes time to read. */
export const COLUMNS = {
  /** All but the request and the response. */
  brief: [
    ...["id", "scope", "account", "kind", "idempotency_key", "key_given", "content_hash", "attempt", "state"],
    ...["created_at", "settled_at", "workstation", "person", "call", "standing", "error", "note"],
    ...["duplicate_of", "duplicate_settled_at"],
    ...Object.values(FACTS),
  ].join(", "),
  whole: "*",
} as const
export type Detail = keyof typeof COLUMNS

const FACT_COLUMNS = Object.entries(FACTS) as [keyof typeof FACTS, string][]

/** An entry's columns, with their values. */
export function toRow(entry: Entry, claimToken: string): Readonly<Record<string, Value>> {
  const { key, sender } = entry
  return {
    id: entry.id,
    scope: entry.scope,
    account: entry.account,
    kind: entry.kind,
    idempotency_key: key.startsWith("key:") ? key.slice("key:".length) : null,
    key_given: entry.keyGiven ? 1 : 0,
    content_hash: entry.content,
    reference_hash: entry.referenceHash ?? null,
    attempt: entry.attempt,
    created_at: entry.sentAt,
    claim_token: claimToken,
    workstation: sender.workstation,
    person: sender.person,
    call: entry.call,
    request: JSON.stringify(entry.request ?? null),
    ...outcomeOf(entry),
  }
}

/** The columns that an outcome may change. */
export function outcomeOf(entry: Entry): Readonly<Record<string, Value>> {
  const { state, settledAt, leaseUntil, facts, response, error, note } = entry
  return {
    state,
    settled_at: settledAt ?? null,
    lease_until: leaseUntil ?? null,
    ...Object.fromEntries(FACT_COLUMNS.map(([name, column]) => [column, facts[name] ?? null])),
    standing: facts.standing ? 1 : 0,
    pickup_id: pickupIdIn(response),
    response: response === undefined ? null : JSON.stringify(response),
    error: error === undefined ? null : JSON.stringify(error),
    note: note ?? null,
  }
}

function pickupIdIn(response: unknown): string | null {
  const { pickupBookingId } = Object(response) as { pickupBookingId?: unknown }
  return typeof pickupBookingId === "string" ? pickupBookingId : null
}

export function toEntry(row: DatabaseRow): Entry {
  const text = (column: string) => String(row[column] ?? "")
  const optional = (column: string) => row[column] ?? undefined
  const key = row.idempotency_key
  const facts: Record<string, Value | boolean> = {}
  for (const [name, column] of FACT_COLUMNS) {
    const value = row[column]
    if (value != null) facts[name] = value
  }
  if (row.standing) facts.standing = true
  const settledAt = optional("settled_at")
  const leaseUntil = optional("lease_until")
  const referenceHash = optional("reference_hash")
  const note = optional("note")
  const duplicateOf = optional("duplicate_of")
  const duplicateSettledAt = optional("duplicate_settled_at")
  const error = jsonIn(row.error) as Entry["error"]
  return {
    id: text("id"),
    scope: text("scope"),
    account: text("account"),
    kind: text("kind") as Kind,
    key: key == null ? `content:${text("content_hash")}` : `key:${key}`,
    keyGiven: row.key_given === 1,
    content: text("content_hash"),
    ...(referenceHash !== undefined && { referenceHash: String(referenceHash) }),
    attempt: Number(row.attempt),
    state: text("state") as State,
    sentAt: text("created_at"),
    ...(settledAt !== undefined && { settledAt: String(settledAt) }),
    ...(leaseUntil !== undefined && { leaseUntil: String(leaseUntil) }),
    sender: { workstation: text("workstation"), person: text("person") },
    facts: facts as Facts & { gstBasis?: GstBasis },
    call: text("call"),
    request: jsonIn(row.request),
    ...(row.response != null && { response: jsonIn(row.response) }),
    ...(error && { error }),
    ...(note !== undefined && { note: String(note) }),
    ...(duplicateOf !== undefined && { duplicateOf: String(duplicateOf) }),
    ...(duplicateSettledAt !== undefined && { duplicateSettledAt: String(duplicateSettledAt) }),
  }
}

function jsonIn(value: Value | undefined): unknown {
  return value == null ? undefined : JSON.parse(String(value))
}

export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ")
}

/**
 * ` and scope in (…)`, beside a condition with an index of its own. SQLite would rather take an index of scopes, and read
 * the whole account; that it does not know for an expression.
 */
export function inScopes(scopes: readonly string[] | undefined, column = "scope"): string {
  return scopes === undefined ? "" : ` and ${column} || '' in (${placeholders(scopes)})`
}

/** Values of one statement: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const VALUES_AT_ONCE = 500
const ROWS_AT_ONCE = 64

/** A list in parts, each short enough for one statement. */
export function* inParts<T>(all: readonly T[], size = VALUES_AT_ONCE): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

export type Table = "sends" | "api_keys" | "collected" | "journeys" | "bills" | "billed" | "invoices"

/**
 * Inserts rows that all have the same columns. A column that is empty in all is not named: to bind a value takes libsql
 * as long as to write it.
 * @param conflict what is done with a row that is there already; without it that is an error
 */
export async function insertRows(
  transaction: Pick<Transaction, "run">,
  table: Table,
  rows: readonly Readonly<Record<string, Value>>[],
  conflict: "" | " on conflict do nothing" = "",
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => rows.some((row) => row[column] !== null))
  const places = `(${placeholders(columns)})`
  for (const some of inParts(rows, ROWS_AT_ONCE))
    await transaction.run(
      `insert into ${table} (${columns.join(", ")}) values ${some.map(() => places).join(", ")}${conflict}`,
      some.flatMap((row) => columns.map((column) => row[column] ?? null)),
    )
}

/** Inserts which shipments a pickup for several collects. */
export function insertCollected(
  transaction: Pick<Transaction, "run">,
  scope: string,
  id: string,
  shipments: readonly string[],
): Promise<void> {
  const rows = shipments.map((shipment) => ({ scope, shipment_id: shipment, send_id: id }))
  return insertRows(transaction, "collected", rows)
}

/** `name = ?` for each column, and the parameters. */
export function setting(values: Readonly<Record<string, Value>>): [string, Value[]] {
  const columns = Object.entries(values)
  return [
    columns.map(([column, value]) => `${column} = ${value === null ? "null" : "?"}`).join(", "),
    columns.flatMap(([, value]) => (value === null ? [] : [value])),
  ]
}

/** Rows of a page. */
export const PAGE = 500

/** Rows of a table, in pages, so that a ledger of any size is read in constant memory. */
export async function* pagesOf(statements: Statements): AsyncGenerator<DatabaseRow[]> {
  for (let last = ""; ; ) {
    const rows = await statements.all(`select * from sends where id > ? order by id limit ${PAGE}`, [last])
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    last = String(rows.at(-1)?.id)
  }
}
