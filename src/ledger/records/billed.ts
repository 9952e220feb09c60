/** The charges of audited bills that count, and the bookings that no bill charges. */
import type { Database, DatabaseRow } from "../database/database.ts"
import { inScopes, inScopesByTime, placeholders, queryInParts, withinScopes } from "../database/sql.ts"
import { type BookedEntry, type Scopes, toBookedEntry } from "./bookings.ts"

/** If a bill was audited again, with another amount or at another ledger, its last charges count. */
const COUNTS = countsBy("")

/** @param isKnown a further condition on the later bill, in SQL */
function countsBy(isKnown: string): string {
  return `not exists (select 1 from billed as later join bills as again on again.id = later.bill_id
  where later.consignment = billed.consignment and again.number = bills.number and again.number <> ''
    and again.supplier = bills.supplier${isKnown}
    and (again.audited_at > bills.audited_at or again.audited_at = bills.audited_at and again.id > bills.id))`
}

/** The same, of rows of `billed` alone: most bills were audited once, and are not looked up. */
const COUNTS_ALONE = `(billed.bill_id not in (select bills.id from bills join bills as again
    on again.number = bills.number and again.supplier = bills.supplier and again.id <> bills.id where bills.number <> '')
  or exists (select 1 from bills where bills.id = billed.bill_id and ${COUNTS}))`

/**
 * A row for each charge of a bill for a booking of `part`. SQLite keeps the order of a cross join: by its statistics it
 * would read all charges ever billed, for each part.
 */
export const listCharged = (columns: string) =>
  ["shipment_id = part.shipment_id", "consignment = part.consignment_number and billed.shipment_id is null"]
    .map(
      (isOf) =>
        `select part.id, ${columns} from part cross join billed where billed.${isOf} and ${COUNTS_ALONE}`,
    )
    .join(" union all ")

/**
 * The condition for charges that count, in SQL: of a row of `billed` and its row of `bills`.
 * @param instant as it was known before it: ISO 8601 in UTC; undefined for now
 */
export function countsBefore(instant: string | undefined): string {
  if (instant === undefined) return COUNTS
  const before = quoteInstant(instant)
  return `${countsBy(` and again.audited_at < ${before}`)} and bills.audited_at < ${before}
    and coalesce(billed.seen_at, '') < ${before}`
}

function quoteInstant(instant: string): string {
  return `'${new Date(instant).toISOString()}'`
}

/** Half a cent away from zero, as `roundCents` does: databases divide towards zero. */
const divide = (cents: string, by: number) =>
  `(case when ${cents} < 0 then -((${by} - 2 * ${cents}) / ${2 * by}) else (${by} + 2 * ${cents}) / ${2 * by} end)`

/** A bill's charge for a consignment, in SQL: GST is a tenth where the bill does not state it. */
export const BILLED_GST = `coalesce(billed.gst_cents, billed.inc_gst_cents - billed.ex_gst_cents,
  ${divide("billed.ex_gst_cents", 10)}, ${divide("billed.inc_gst_cents", 11)}, 0)`

export const BILLED_EX_GST = `coalesce(billed.ex_gst_cents, billed.inc_gst_cents - ${BILLED_GST})`

export const BILLED_INC_GST = `coalesce(billed.inc_gst_cents, billed.ex_gst_cents + ${BILLED_GST})`

/** Consignments that have to agree before it is known whether their carrier's quotes include GST. */
const ENOUGH = 3

/** Whether a carrier's quotes include GST, and how many consignments on audited bills show it. */
export interface BilledBasis {
  carrier: string
  basis: "included" | "excluded"
  consignments: number
}

/**
 * Compares quotes of consignments with the charges of audited bills, without GST and with it. A carrier's basis is
 * known if at least three agree to the cent with one of the two, and none with the other. Left out are consignments on
 * several bills, in other currencies, or without GST.
 */
export async function findBilledBases(
  database: Database,
  scopes: Scopes,
  carriers: readonly string[],
): Promise<BilledBasis[]> {
  const rows = await queryInParts(carriers, (part) =>
    database.all(
      `select carrier, cast(sum(case when price_cents = ex_gst then 1 else 0 end) as integer) as excluded,
          cast(sum(case when price_cents = inc_gst then 1 else 0 end) as integer) as included
        from (select sends.id, sends.carrier, sends.price_cents, min(${BILLED_EX_GST}) as ex_gst, min(${BILLED_INC_GST}) as inc_gst
          from billed join bills on bills.id = billed.bill_id and coalesce(bills.gst_cents, 0) <> 0
          join sends on sends.shipment_id = billed.shipment_id
          where sends.kind = 'shipment' and sends.state = 'done' and sends.price_cents is not null
            and coalesce(sends.currency, 'AUD') = 'AUD' and sends.carrier in (${placeholders(part)})
            and ${withinScopes(scopes, "sends.scope")} and ${COUNTS}
          group by sends.id, sends.carrier, sends.price_cents having count(*) = 1) as charged
        where ex_gst <> inc_gst group by carrier`,
      [...part, ...(scopes ?? [])],
    ),
  )
  return rows.flatMap((row) => {
    const [excluded, included] = [Number(row.excluded), Number(row.included)]
    const consignments = Math.max(excluded, included)
    if (consignments < ENOUGH || Math.min(excluded, included) > 0) return []
    return [{ carrier: String(row.carrier), basis: excluded > 0 ? "excluded" : "included", consignments }]
  })
}

/** Amount that bills ask for a booking; nothing if all of it was credited. */
const sumBilled = (condition: string, counts: string) =>
  `coalesce((select sum(coalesce(ex_gst_cents, inc_gst_cents, unsaid_cents, 0)) from billed
    join bills on bills.id = billed.bill_id where ${condition} and ${counts}), 0)`

const isUnbilled = (counts: string) => `${sumBilled("billed.shipment_id = sends.shipment_id", counts)} = 0
  and ${sumBilled("billed.consignment = sends.consignment_number", counts)} = 0`

/** Each column takes time when there are many rows. */
const UNBILLED_COLUMNS = `id, created_at, carrier, service_code, reference, shipment_id, consignment_number,
  price_cents, gst_basis, currency, own, request`

/** A booking without its weight, its order number and the reply to it. */
export type UnbilledBooking = Omit<BookedEntry, "weightGrams" | "orderNumber" | "response">

/** A part of the uncancelled bookings, and those of them that no audited bill charges. */
export interface UnbilledPage {
  /** Number of uncancelled bookings, billed or not; 0 on the last page. */
  read: number
  unbilled: UnbilledBooking[]
}

/** Bookings of a page: few enough to be read well within a second, also where none of them is unbilled. */
const READ_AT_ONCE = 1_000

/**
 * Goes through the uncancelled bookings, oldest first, in constant memory: page by page along one index, however many
 * were booked at one time.
 * @param since ISO 8601 in UTC; empty for all
 * @param before only bookings and audits before it: ISO 8601 in UTC; undefined for now
 */
export async function* unbilledPages(
  database: Database,
  scopes: Scopes,
  { since, before }: { since: string; before?: string | undefined },
  size = READ_AT_ONCE,
): AsyncGenerator<UnbilledPage> {
  const isBefore = before === undefined ? "" : ` and created_at < ${quoteInstant(before)}`
  // One statement: a booking made between two could move the end of the page.
  const select = `with page as materialized (select ${UNBILLED_COLUMNS} from sends
      where (created_at, id) > (?, ?) and kind = 'shipment' and state = 'done' and cancelled_at is null${inScopesByTime(database.dialect, scopes)}${isBefore}
      order by created_at, id limit ${size}),
    page_end as (select created_at as end_at, id as end_id, (select cast(count(*) as integer) from page) as page_rows
      from page order by created_at desc, id desc limit 1)
    select * from page_end left join page as sends on ${isUnbilled(countsBefore(before))} order by created_at, id`
  for (let after: readonly string[] | undefined = [since, ""]; after; ) {
    const rows: readonly DatabaseRow[] = await database.all(select, [...after, ...(scopes ?? [])])
    const [end] = rows
    const isLast = Number(end?.page_rows ?? 0) < size
    yield { read: isLast ? 0 : size, unbilled: rows.filter(({ id }) => id != null).map(toBookedEntry) }
    after = isLast ? undefined : [String(end?.end_at), String(end?.end_id)]
  }
}

/**
 * Counts the uncancelled bookings that no audited bill charges: booked at most `withinDays` before the first audit, so
 * that much earlier ones do not count, and before `until`. Instants are ISO 8601 in UTC.
 */
export async function countUnbilled(
  database: Database,
  scopes: Scopes,
  { until, withinDays }: { until: string; withinDays: number },
): Promise<{ count: number; oldest: string | undefined }> {
  const [audited] = await database.all("select min(audited_at) as first from bills")
  if (audited?.first == null) return { count: 0, oldest: undefined }
  const since = new Date(Date.parse(String(audited.first)) - withinDays * 86_400_000).toISOString()
  const [row] = await database.all(
    `select cast(count(*) as integer) as count, min(created_at) as oldest from sends
      where kind = 'shipment' and state = 'done' and cancelled_at is null and created_at >= ? and created_at < ?${inScopes(scopes)}
      and not exists (select 1 from journeys where journeys.scope = sends.scope
        and journeys.consignment_number = sends.consignment_number and is_cancelled = 1)
      and ${isUnbilled(COUNTS)}`,
    [since, until, ...(scopes ?? [])],
  )
  return { count: Number(row?.count), oldest: row?.oldest == null ? undefined : String(row.oldest) }
}
