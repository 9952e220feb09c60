/** Bookings as bills and people name them. */
import type { Database, DatabaseRow } from "../database/database.ts"
import { type Cancellation, type Entry, type Facts, getCancellation } from "../entry.ts"
import { inScopes, placeholders, queryInParts, withinScopes } from "../database/sql.ts"
import { toEntry } from "../entry-rows.ts"
import { IS_UNTOLD } from "./collected.ts"

/** The columns by which a bill may name a consignment, with their facts, in the order in which they count. */
export const NAME_COLUMNS = {
  consignment_number: "consignmentNumber",
  order_number: "orderNumber",
  reference: "reference",
  shipment_id: "shipmentId",
} as const satisfies Record<string, keyof Facts>

export type NameColumn = keyof typeof NAME_COLUMNS

export type Scopes = readonly string[] | undefined

/** The parts of a booking that bills are compared with; whole entries are long. */
const SELECT_BOOKING = `select id, state, created_at, carrier, service_code, about, reference, weight_grams, shipment_id,
  consignment_number, order_number, price_cents, gst_basis, currency, own, cancelled_at, cancellations, request, response from sends
  where kind = 'shipment'`

export type BookedEntry = Pick<Entry, "id" | "sentAt" | "request" | "response"> &
  Facts & {
    cancellation: Cancellation | undefined
    isOpen: boolean
  }

export function toBookedEntry(row: DatabaseRow): BookedEntry {
  const entry = toEntry(row)
  const { id, sentAt, state, facts, request, response } = entry
  const cancellation = getCancellation(entry)
  return { id, sentAt, isOpen: state === "unknown", cancellation, request, response, ...facts }
}

/** Bookings that exist, or may, with one of the values in a column. */
export async function findBookings(
  database: Database,
  scopes: Scopes,
  column: NameColumn,
  values: readonly string[],
): Promise<BookedEntry[]> {
  // The index of shipments does not begin with the scope.
  const within = column === "shipment_id" ? `true${inScopes(scopes)}` : withinScopes(scopes)
  const found = await queryInParts(values, (part) =>
    database.all(
      `${SELECT_BOOKING} and state in ('done', 'unknown') and ${within} and ${column} in (${placeholders(part)})`,
      [...(scopes ?? []), ...part],
    ),
  )
  return found.map(toBookedEntry)
}

/** The bookings that have an item with one of these barcodes, by barcode. */
export async function findBookingsByBarcode(
  database: Database,
  scopes: Scopes,
  barcodes: readonly string[],
): Promise<Map<string, BookedEntry[]>> {
  const kept = await queryInParts(barcodes, (part) =>
    database.all(
      `select barcode, send_id from barcodes where barcode in (${placeholders(part)}) order by barcode, send_id`,
      part,
    ),
  )
  const found = await queryInParts([...new Set(kept.map((row) => String(row.send_id)))], (part) =>
    database.all(
      `${SELECT_BOOKING} and state in ('done', 'unknown') and ${withinScopes(scopes)} and id in (${placeholders(part)})`,
      [...(scopes ?? []), ...part],
    ),
  )
  const entryById = new Map(found.map(toBookedEntry).map((entry) => [entry.id, entry]))
  const bookings = new Map<string, BookedEntry[]>()
  for (const { barcode, send_id: id } of kept) {
    const entry = entryById.get(String(id))
    if (entry) bookings.set(String(barcode), [...(bookings.get(String(barcode)) ?? []), entry])
  }
  return bookings
}

/** A name without the punctuation that people and programs put between its letters and digits. */
export function plainName(name: string): string {
  return name.replace(/[\s-]+/g, "").toUpperCase()
}

/** The same of a column, in SQL. */
export function plainColumn(column: string): string {
  return `replace(replace(upper(${column}), ' ', ''), '-', '')`
}

/** The names that people and carriers write in more than one way. */
export const PLAIN_COLUMNS = [
  "consignment_number",
  "order_number",
  "reference",
] as const satisfies NameColumn[]

/** Bookings with one of the plain names in any of {@link PLAIN_COLUMNS}. No index helps: it scans the ledger once. */
export async function findBookingsLoosely(
  database: Database,
  scopes: Scopes,
  plainNames: readonly string[],
): Promise<BookedEntry[]> {
  const found = await queryInParts(plainNames, (part) => {
    const isNamed = PLAIN_COLUMNS.map((column) => `${plainColumn(column)} in (${placeholders(part)})`)
    return database.all(
      `${SELECT_BOOKING} and state in ('done', 'unknown') and ${withinScopes(scopes)} and (${isNamed.join(" or ")})`,
      [...(scopes ?? []), ...PLAIN_COLUMNS.flatMap(() => part)],
    )
  })
  const distinct = new Map(found.map((row) => [row.id, row]))
  return [...distinct.values()].map(toBookedEntry)
}

/** The shipments that have, or may have, a booked pickup; not those that wait for one: see `collected.ts`. */
export async function findCollected(
  database: Database,
  scopes: Scopes,
  shipmentIds: readonly string[],
): Promise<Set<string>> {
  const live = "kind = 'pickup' and state in ('done', 'unknown')"
  const found = await queryInParts(shipmentIds, (part) => {
    const values = [...(scopes ?? []), ...part]
    return database.all(
      `select shipment_id from sends where ${withinScopes(scopes)} and shipment_id in (${placeholders(part)}) and ${live}
        union select collected.shipment_id from collected join sends on sends.id = collected.send_id
        where ${withinScopes(scopes, "collected.scope")} and collected.shipment_id in (${placeholders(part)}) and ${live}
          and not (${IS_UNTOLD})`,
      [...values, ...values],
    )
  })
  return new Set(found.map(({ shipment_id: id }) => String(id)))
}
