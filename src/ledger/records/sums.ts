/** Adds up bookings in the database: it reads groups, so the number of bookings does not matter. */
import type { GstBasis } from "../entry.ts"
import type { Database, DatabaseRow, Value } from "../database/database.ts"
import { type HistoryFilter, toCondition } from "../entry-reader.ts"
import { BILLED_GST, listCharged } from "./billed.ts"
import { IS_CANCELLED, JOURNEYED } from "./journeys.ts"
import {
  countDaysLater,
  DAY_MS,
  findClockChanges,
  listMidnights,
  OTHER_CLOCK_SUBURBS,
} from "./delivery-days.ts"

/** From an instant on, and before another: milliseconds since the epoch. */
export interface Slice {
  since: number
  until: number
}

/** Bookings that have a price, or have none, in one currency and on one GST basis. In exact cents and grams. */
export interface BookingSums {
  bookings: number
  isPriced: boolean
  currency: string | undefined
  gstBasis: GstBasis | undefined
  cents: number
  grams: number
}

export const GROUPED_BY = {
  carrier: { carrier: "carrier" },
  service: { carrier: "carrier", service_code: "service_code" },
  state: { receiver_state: "receiver_state" },
  workstation: { workstation: "workstation" },
  // References of one prefix differ in their numbers.
  reference: { reference: "rtrim(reference, '0123456789')" },
  costCentre: { cost_centre: "own" },
  account: { account: "scope" },
  lane: { from_state: "request", receiver_state: "receiver_state" },
  /** By the slices alone. */
  time: {},
} as const satisfies Record<string, Expressions>

/** The values that the group shares, as far as asked for; empty where a booking has none. */
export interface GroupOfBookings extends BookingSums {
  carrier: string
  serviceCode: string
  receiverState: string
  workstation: string
  /** Without the digits at its end. */
  reference: string
  costCentre: string
  account: string
  /** The state of the place of collection, otherwise the sender's. */
  fromState: string
  isCancelled: boolean
  slice: Slice
  /** Charges of audited bills for them; undefined if not asked for. */
  billed: BilledSums
}

/** Bills' charges for bookings, less credits, in exact cents. */
export interface BilledSums {
  /** Bookings with charges that were not fully credited. */
  bookings: number
  /** Without GST, and its GST; GST is a tenth if a bill does not state it. */
  exGst: number
  gst: number
  /** On bills that do not say whether GST is included: in neither of these sums. */
  unspecifiedGstCents: number
  /** Quotes of the bookings that no bill charges, on the basis of their prices. */
  quotedUnbilled: number
}

const NOT_BILLED: BilledSums = { bookings: 0, exGst: 0, gst: 0, unspecifiedGstCents: 0, quotedUnbilled: 0 }

type SumFilter = Omit<HistoryFilter, "kind" | "state" | "since" | "until" | "page">

/** SQL by the name of the column that it gives. */
export type Expressions = Readonly<Record<string, string>>

/** Columns of a price on which sums depend: amounts on different bases cannot be added. */
const BASIS = {
  is_priced: "case when price_cents is null then 0 else 1 end",
  currency: "currency",
  gst_basis: "gst_basis",
} as const satisfies Expressions

const SUMS = {
  bookings: "count(*)",
  cents: "sum(price_cents)",
  grams: "sum(weight_grams)",
} as const satisfies Expressions

/** When the first and the last entry were made, in milliseconds since the epoch; undefined where there is none. */
export async function findExtent(database: Database): Promise<Slice | undefined> {
  // Two statements of one index each; min and max in one would read all entries.
  const [row] = await database.all(
    "select (select min(created_at) from sends) as first, (select max(created_at) from sends) as last",
  )
  if (row?.first == null) return undefined
  return { since: Date.parse(String(row.first)), until: Date.parse(String(row.last)) + 1 }
}

/**
 * Adds up uncancelled bookings, one slice of time after another: signals are heard between them.
 * @param findCancelled whether cancelled bookings form groups of their own; otherwise those that a carrier has
 * cancelled on the phone are left out
 * @param findBilled whether charges of bills are added up too
 */
export async function* sumBookings(
  database: Database,
  filter: SumFilter,
  {
    slices,
    by,
    findCancelled,
    findBilled = false,
  }: {
    slices: Iterable<Slice>
    by: keyof typeof GROUPED_BY
    findCancelled: boolean
    findBilled?: boolean
  },
): AsyncGenerator<GroupOfBookings[]> {
  const columns = {
    ...GROUPED_BY[by],
    ...(by === "costCentre" && { cost_centre: readOwnText(database.dialect, "costCentre") }),
    ...(by === "lane" && { from_state: readFromState(database.dialect) }),
    ...(by === "account" && { account: "sends.scope" }),
    ...BASIS,
    ...(findCancelled && { is_cancelled: IS_CANCELLED }),
  }
  const stands = findCancelled ? "" : " and cancelled_at is null"
  const hasBills = findBilled && (await database.all("select id from bills limit 1")).length > 0
  const toPlainSql = (condition: string) =>
    `select ${listColumns({ ...columns, ...SUMS })} from (select * from sends${condition}${stands}) as sends
    ${findCancelled ? JOURNEYED : ""}
    group by ${listPlaces(columns)}`
  const ofBooking: Expressions = {
    ...nameColumns(["id", "shipment_id", "sends.consignment_number", "price_cents", "weight_grams"]),
    ...columns,
  }
  const names = nameColumns(Object.keys(columns))
  const toBilledSql = (condition: string) => `with part as materialized (
      select ${listColumns(ofBooking)} from (select * from sends${condition}${stands}) as sends
      ${findCancelled ? JOURNEYED : ""})${BILLED_EACH}
    select ${listColumns({ ...names, ...SUMS, ...BILLED_SUMS })} from part
      left join billed_each on billed_each.id = part.id group by ${listPlaces(names)}`
  const toSql = hasBills ? toBilledSql : toPlainSql
  for await (const { slice, rows } of readSlices(database, filter, slices, toSql))
    yield rows.map((row) => ({
      ...readSums(row),
      carrier: readText(row.carrier) ?? "",
      serviceCode: readText(row.service_code) ?? "",
      receiverState: readText(row.receiver_state) ?? "",
      workstation: readText(row.workstation) ?? "",
      reference: readText(row.reference) ?? "",
      costCentre: readText(row.cost_centre) ?? "",
      account: readText(row.account) ?? "",
      fromState: row.from_state == null ? "" : String(JSON.parse(String(row.from_state)) ?? ""),
      isCancelled: row.is_cancelled === 1,
      slice,
      billed: hasBills ? readBilled(row) : { ...NOT_BILLED, quotedUnbilled: Number(row.cents) },
    }))
}

function readBilled(row: DatabaseRow): BilledSums {
  return {
    bookings: Number(row.billed_bookings),
    exGst: Number(row.billed_ex_gst),
    gst: Number(row.billed_gst),
    unspecifiedGstCents: Number(row.billed_unsaid),
    quotedUnbilled: Number(row.quoted_unbilled),
  }
}

const BILLED_EACH = `, billed_each as (
  select id, sum(coalesce(ex_gst, inc_gst - gst, 0)) as ex_gst, sum(gst) as gst, sum(coalesce(unsaid, 0)) as unsaid
  from (${listCharged(`billed.ex_gst_cents as ex_gst, billed.inc_gst_cents as inc_gst, billed.unsaid_cents as unsaid,
    case when billed.unsaid_cents is null then ${BILLED_GST} else 0 end as gst`)}) as each_charge group by id)`

const IS_BILLED = "coalesce(billed_each.ex_gst, 0) + coalesce(billed_each.unsaid, 0) <> 0"

const BILLED_SUMS = {
  billed_bookings: `sum(case when ${IS_BILLED} then 1 else 0 end)`,
  billed_ex_gst: "coalesce(sum(billed_each.ex_gst), 0)",
  billed_gst: "coalesce(sum(billed_each.gst), 0)",
  billed_unsaid: "coalesce(sum(billed_each.unsaid), 0)",
  quoted_unbilled: `coalesce(sum(case when ${IS_BILLED} then 0 else price_cents end), 0)`,
} as const satisfies Expressions

function readFromState(dialect: Database["dialect"]): string {
  const json = (place: string) =>
    dialect === "sqlite"
      ? `request -> '$.${place}.state'`
      : // PostgreSQL refuses escapes of what its texts cannot hold, wherever they stand.
        `(replace(request, '\\u', '/')::json #> '{${place},state}')::text`
  return `coalesce(nullif(${json("collection")}, 'null'), ${json("sender")})`
}

/** A text of the fields beside the request. */
function readOwnText(dialect: Database["dialect"], path: string): string {
  return dialect === "sqlite"
    ? `own ->> '$.${path}'`
    : // PostgreSQL refuses escapes of what its texts cannot hold, wherever they stand.
      `replace(own, '\\u', '/')::json ->> '${path}'`
}

/** Whether the fields beside the request name a returned order. Inside a text, a quote has a backslash before it. */
const IS_RETURN = `case when own like '%"returnOf":"%' then 1 else 0 end`

/** Tracking and bills of a group of bookings, and the values that the group shares. */
export interface GroupOfJourneys extends BookingSums {
  carrier: string
  serviceCode: string
  /** The state of the place of collection, otherwise the sender's. */
  fromState: string
  receiverState: string
  /** From the day of collection to the promised day; like all days here, undefined if one of the two is unknown. */
  daysPromised: number | undefined
  hasPromise: boolean
  isDelivered: boolean
  /** From the day of collection to the receiver's day of delivery, or of the last look if it was not delivered. */
  daysSeen: number | undefined
  /** From the promised day to the same receiver's day. */
  daysLate: number | undefined
  isTracked: boolean
  isCancelled: boolean
  isReturn: boolean
  /** The price of those that have both a price and a weight. */
  weighedCents: number
  weighedGrams: number
  /** Bookings that an audited bill charges, and the overcharge on them. */
  billed: number
  overbilledCents: number
}

/** Clock changes are listed until this long after the last booking, because deliveries are later (ms). */
const MAX_DELIVERY_MS = 366 * DAY_MS

/** Adds up uncancelled bookings, by everything that a report on carriers groups by. @param slices oldest first */
export async function* sumJourneys(
  database: Database,
  filter: SumFilter,
  slices: readonly Slice[],
): AsyncGenerator<GroupOfJourneys[]> {
  const [first, last] = [slices[0], slices.at(-1)]
  if (!first || !last) return
  const midnights = listMidnights(last.until)
  const clockChanges = findClockChanges(first.since, last.until + MAX_DELIVERY_MS)
  const json = (...path: readonly string[]) =>
    database.dialect === "sqlite"
      ? `request -> '$.${path.join(".")}'`
      : // PostgreSQL refuses escapes of what its texts cannot hold, wherever they stand.
        `(replace(request, '\\u', '/')::json #> '{${path.join(",")}}')::text`
  const dayOf = (column: string) => toDayNumber(`substr(${column}, 1, 10)`, database.dialect)
  const hasBills = (await database.all("select id from bills limit 1")).length > 0
  // Computed once for each booking, because it takes long.
  const ofBooking: Expressions = {
    ...nameColumns(["id", "shipment_id", "sends.consignment_number", "price_cents", "weight_grams"]),
    ...nameColumns(["carrier", "service_code", "receiver_state"]),
    from_state: readFromState(database.dialect),
    receiver_suburb: `case when upper(trim(receiver_suburb)) in (${OTHER_CLOCK_SUBURBS.map(quoteText).join(", ")})
      then receiver_suburb end`,
    // Its text begins with a quote.
    collected: `substr(${json("collectionDateTime")}, 2, 10)`,
    promised_day: dayOf("sends.eta"),
    ...BASIS,
    delivered_day: dayOf("j.delivered_at"),
    ...nameColumns(["j.delivered_at", "j.looked_at", "j.events"]),
    is_cancelled: IS_CANCELLED,
    is_return: IS_RETURN,
  }
  const isDelivered = "delivered_day is not null"
  const collectionDay = toDayNumber("collected", database.dialect)
  const seenDay = `coalesce(delivered_day, ${dayOf("looked_at")})`
  const seenAt = `case when ${isDelivered} then delivered_at else looked_at end`
  const listGroups = ({ since }: Slice): Expressions => ({
    ...nameColumns(["carrier", "service_code", "from_state", "receiver_state", "receiver_suburb"]),
    ...nameColumns([...Object.keys(BASIS), "is_cancelled", "is_return"]),
    is_delivered: `case when ${isDelivered} then 1 else 0 end`,
    is_tracked: `case when events > 0 or ${isDelivered} then 1 else 0 end`,
    has_promise: "case when promised_day is null then 0 else 1 end",
    days_promised: `promised_day - ${collectionDay}`,
    days_seen: `${seenDay} - ${collectionDay}`,
    days_late: `${seenDay} - promised_day`,
    ...writeSight(`(${seenAt})`, midnights, cutBefore(clockChanges, since)),
  })
  const sums: Expressions = {
    ...SUMS,
    weighed_cents: "sum(case when weight_grams <> 0 then price_cents end)",
    weighed_grams: "sum(case when price_cents is not null then weight_grams end)",
    ...(hasBills && { billed: "count(charged.cents)", overbilled_cents: "sum(charged.cents)" }),
  }
  // SQLite sorts rows to group them, and compares one text faster than many columns.
  const toList = database.dialect === "sqlite" ? "json_array" : "json_build_array"
  const toSql = (condition: string, slice: Slice) => `with part as materialized (
      select ${listColumns(ofBooking)} from (select * from sends${condition}) as sends ${JOURNEYED})${hasBills ? CHARGED : ""}
    select cast(${toList}(${Object.values(listGroups(slice)).join(", ")}) as text) as grouped, ${listColumns(sums)} from part
      ${hasBills ? "left join charged on charged.id = part.id" : ""} group by 1`
  for await (const { slice, rows: groups } of readSlices(database, filter, slices, toSql)) {
    const names = Object.keys(listGroups(slice))
    const rows = groups.map(({ grouped, ...sums }): DatabaseRow => {
      const values: Value[] = JSON.parse(String(grouped))
      return { ...sums, ...Object.fromEntries(names.map((name, at) => [name, values[at] ?? null])) }
    })
    yield rows.map((row) => ({
      ...readSums(row),
      ...readDays(row),
      carrier: readText(row.carrier) ?? "",
      serviceCode: readText(row.service_code) ?? "",
      fromState: String(JSON.parse(readText(row.from_state) ?? "null") ?? ""),
      receiverState: readText(row.receiver_state) ?? "",
      daysPromised: readNumber(row.days_promised),
      hasPromise: row.has_promise === 1,
      isDelivered: row.is_delivered === 1,
      isTracked: row.is_tracked === 1,
      isCancelled: row.is_cancelled === 1,
      isReturn: row.is_return === 1,
      weighedCents: Number(row.weighed_cents),
      weighedGrams: Number(row.weighed_grams),
      billed: Number(row.billed ?? 0),
      overbilledCents: Number(row.overbilled_cents ?? 0),
    }))
  }
}

/** Days to the delivery or the last look, by the receiver's day. */
function readDays(row: DatabaseRow): Pick<GroupOfJourneys, "daysSeen" | "daysLate"> {
  const later = readDaysLater(row)
  const [daysSeen, daysLate] = [row.days_seen, row.days_late].map((value) => {
    const days = readNumber(value)
    return days === undefined ? undefined : days + later
  })
  return { daysSeen, daysLate }
}

/** How many days the receiver's date is ahead of UTC, by the columns of `writeSight`: 0 or 1. */
export function readDaysLater(row: DatabaseRow): number {
  return countDaysLater({
    seenAfter: readText(row.seen_after),
    seenSince: readText(row.seen_since),
    receiverSuburb: readText(row.receiver_suburb),
    receiverState: readText(row.receiver_state) ?? "",
  })
}

const CHARGED = `, charged as (
  select id, sum(case when disputed_cents > 0 then disputed_cents else 0 end) as cents
  from (${listCharged("billed.disputed_cents")}) as each_charge group by id)`

async function* readSlices(
  database: Database,
  filter: SumFilter,
  slices: Iterable<Slice>,
  toSql: (condition: string, slice: Slice) => string,
): AsyncGenerator<{ slice: Slice; rows: DatabaseRow[] }> {
  for (const slice of slices) {
    const [since, until] = [slice.since, slice.until].map((instant) => new Date(instant).toISOString())
    const [condition, parameters] = toCondition(database.dialect, {
      ...filter,
      kind: "shipment",
      state: "done",
      since,
      until,
    })
    yield { slice, rows: await database.all(toSql(condition, slice), parameters) }
  }
}

function readSums(row: DatabaseRow): BookingSums {
  return {
    bookings: Number(row.bookings),
    isPriced: row.is_priced === 1,
    currency: readText(row.currency),
    gstBasis: readText(row.gst_basis) as GstBasis | undefined,
    cents: Number(row.cents),
    grams: Number(row.grams),
  }
}

export function readText(value: Value | undefined): string | undefined {
  return value == null ? undefined : String(value)
}

export function readNumber(value: Value | undefined): number | undefined {
  return value == null ? undefined : Number(value)
}

export function listColumns(columns: Expressions): string {
  return Object.entries(columns)
    .map(([name, expression]) => (name === expression ? name : `${expression} as ${name}`))
    .join(", ")
}

/** `1, 2, 3`: as many as there are columns. */
export function listPlaces(columns: Expressions): string {
  return Object.keys(columns)
    .map((_, at) => at + 1)
    .join(", ")
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** @param names of columns, each with that of its table where several have it */
export function nameColumns(names: readonly string[]): Expressions {
  return Object.fromEntries(names.map((name) => [name.replace(/^.*\./, ""), name]))
}

/**
 * The columns that decide the receiver's date at an instant: the last of `midnights` before its time of day, and the
 * last of `clockChanges` before it. Both are empty while it is the same date everywhere, so most instants form one
 * group.
 * @param midnights as `listMidnights` gives them
 * @param clockChanges as `findClockChanges` gives them
 */
export function writeSight(
  instant: string,
  midnights: readonly string[],
  clockChanges: readonly string[],
): Expressions {
  const time = `substr(${instant}, 12, 5)`
  const isAhead = `${time} >= ${quoteText(midnights[0] ?? "")} and ${instant} like '____-__-__T__:__:__.___Z'`
  return {
    seen_after: `case when ${isAhead} then ${lastBefore(time, midnights)} end`,
    seen_since: `case when ${isAhead} then ${lastBefore(instant, clockChanges)} end`,
  }
}

/** The last of these ascending texts that is not after an expression; the first if all are. */
function lastBefore(expression: string, texts: readonly string[]): string {
  const last = quoteText(texts.at(-1) ?? "")
  if (texts.length < 2) return last
  const cases = texts
    .slice(1)
    .map((text, at) => `when ${expression} < ${quoteText(text)} then ${quoteText(texts[at] ?? "")}`)
  return `case ${cases.join(" ")} else ${last} end`
}

/** The last of these ascending instants that is not after `since`, and all that follow: ISO 8601 in UTC. */
function cutBefore(instants: readonly string[], since: number): readonly string[] {
  const start = new Date(since).toISOString()
  return instants.slice(
    Math.max(
      0,
      instants.findLastIndex((instant) => instant <= start),
    ),
  )
}

/** Days from a fixed day to `yyyy-MM-dd`; null for a text that is not a day. */
export function toDayNumber(text: string, dialect: Database["dialect"]): string {
  if (dialect === "sqlite")
    return `case when date(${text}) = ${text} then cast(julianday(${text}) + 0.5 as integer) end`
  const [year, month, day] = [
    `substr(${text}, 1, 4)::int`,
    `substr(${text}, 6, 2)::int`,
    `substr(${text}, 9, 2)::int`,
  ]
  const date = `(make_date(${year}, ${month}, 1) + ${day} - 1)`
  return `case when ${text} ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then
    case when extract(month from ${date}) = ${month} then ${date} - date '2000-01-01' end end`
}
