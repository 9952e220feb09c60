/** Statistics of past bookings like the one to be made. It reads groups, so the number of bookings does not matter. */
import type { Database, DatabaseRow, Value } from "../database/database.ts"
import { toCondition } from "../entry-reader.ts"
import { LANES } from "./lanes.ts"
import { BILLED_INC_GST, listCharged } from "./billed.ts"
import { IS_CANCELLED, JOURNEYED } from "./journeys.ts"
import { DAY_MS, findClockChanges, listMidnights, OTHER_CLOCK_SUBURBS } from "./delivery-days.ts"
import {
  type Expressions,
  listColumns,
  listPlaces,
  nameColumns,
  quoteText,
  readDaysLater,
  readNumber,
  readText,
  type Slice,
  toDayNumber,
  writeSight,
} from "./sums.ts"

/** A lane: between two postcode areas, two states, or anywhere. */
export type Lane = { kind: "area" | "state"; from: string; to: string } | { kind: "all" }

export interface CarrierService {
  carrier: string
  serviceCode: string
}

/** Bookings of one carrier and service with the same outcome. */
export interface Outcomes extends CarrierService {
  /** Numbers the weeks of the promised days. */
  week: number
  /** `61`: the receiver's postcode area. Empty if the booking has none, or the lane names it. */
  toArea: string
  bookings: number
  /**
   * Calendar days from the promised day to the delivery, or to the last look if it was late by then; undefined if
   * unknown.
   */
  daysLate: number | undefined
  /** Whether the carrier stated if its price includes GST. Ratios of both kinds are not mixed. */
  saysGst: boolean
  /** Bookings that an audited bill charges. */
  billed: number
  /** For these: amount billed with GST, less credits, divided by the quote; the sum, and the sum of squares. */
  ratios: number
  squares: number
  disputed: number
  /** For these: how many a credit paid in part or in full. */
  won: number
}

/** Position of the first lane column in its index. */
const OF_LANE = 3

/** The kinds of bill data that a ledger has: statements about others are skipped. */
export interface BillsKept {
  bills: boolean
  disputes: boolean
}

export async function findBillsKept(database: Database): Promise<BillsKept> {
  const has = async (table: string) => (await database.all(`select id from ${table} limit 1`)).length > 0
  const bills = await has("bills")
  return { bills, disputes: bills && (await has("disputes")) }
}

interface EvidenceQuery {
  /** Asked for once for several lanes. */
  kept: BillsKept
  scopes: readonly string[] | undefined
  services: readonly CarrierService[]
  lane: Lane
  /** Milliseconds since the epoch: promised from the day of the first on, and before the day of the second, in UTC. */
  since: number
  until: number
}

/**
 * How many bookings of each service are read: the newest, and of each span of days the newest before it. So reading
 * time does not grow with the ledger, and a busy week counts little more than a quiet one.
 */
const NEWEST = 40
const OF_SPAN = 4
/** Shares no factor with a week, so that all weekdays come in turn. */
const SPAN_DAYS = 8

/** Adds up uncancelled bookings by their outcome. */
export async function findOutcomes(
  database: Database,
  { kept, scopes, services, lane, since, until }: EvidenceQuery,
): Promise<Outcomes[]> {
  if (services.length === 0 || since >= until) return []
  const { dialect } = database
  const columns = LANES[dialect][lane.kind]
  const places: Value[] = lane.kind === "all" ? [] : [lane.from, lane.to]
  const isOfLane = columns
    .slice(OF_LANE, -1)
    .map((column) => `and ${column} = ?`)
    .join(" ")
  // SQLite has no lateral join, and finds a row faster by its number than by its id.
  const key = dialect === "sqlite" ? "rowid" : "id"
  const pick = (from: string, until: string, most: number) => {
    const candidates = `(select candidate.${key} from sends as candidate where candidate.scope = owners.scope
      and candidate.carrier = services.carrier and candidate.service_code = services.service_code ${isOfLane}
      and ${LANES.due} >= ${from} and ${LANES.due} < ${until} and ${LANES.condition}
      order by ${LANES.due} desc limit ${most})`
    return dialect === "sqlite"
      ? `cross join sends as picked on picked.rowid in ${candidates}`
      : `cross join lateral ${candidates} as picked`
  }
  const [first, next] = [since, until].map(toDay)
  const owners =
    scopes === undefined
      ? "select distinct scope from api_keys"
      : `values ${scopes.map(() => "(?)").join(", ")}`
  const sql = writeStatement(database, {
    kept,
    tables: `owners(scope) as (${owners}),
      services(carrier, service_code) as (values ${services.map(() => "(?, ?)").join(", ")}),
      spans(first_day, next_day) as (values ${listSpans(since, until)}),
      picks(pick) as (
        select picked.${key} from owners cross join services ${pick(`'${first}'`, `'${next}'`, NEWEST)}
        union select picked.${key} from owners cross join services cross join spans
          ${pick("spans.first_day", "spans.next_day", OF_SPAN)})`,
    // A cross join keeps its order in SQLite, which would otherwise scan all entries.
    from: `picks ${dialect === "sqlite" ? "cross join" : "join"} sends on sends.${key} = picks.pick`,
    ofLane: lane.kind === "area" ? {} : toAreaOf(dialect),
    ...{ since, until },
  })
  const parameters = [
    ...(scopes ?? []),
    ...services.flatMap(({ carrier, serviceCode }) => [carrier, serviceCode]),
    ...places,
    ...places,
  ]
  return (await database.all(sql, parameters)).map(toOutcomes)
}

/** The places of a booking's lane; empty if the booking has none. */
export interface LanePlaces {
  /** `20`, `61` */
  fromArea: string
  toArea: string
  fromState: string
  toState: string
}

export interface LaneOutcomes extends Outcomes, LanePlaces {}

interface SliceQuery extends Slice {
  scopes: readonly string[] | undefined
  /** The end of the report, in milliseconds since the epoch. */
  newest: number
}

/**
 * Adds up all bookings of a slice of time, by lanes between postcode areas.
 * @param withStates whether the sender's state is read too
 */
export async function findLaneOutcomes(
  database: Database,
  { withStates = false, ...slice }: SliceQuery & { withStates?: boolean },
): Promise<LaneOutcomes[]> {
  const [condition, parameters] = toSliceCondition(database, slice)
  const sql = writeStatement(database, {
    kept: await findBillsKept(database),
    tables: `booked as materialized (select * from sends${condition})`,
    from: "booked as sends",
    ofLane: listPlacesOf(database, withStates),
    ...{ since: slice.since, until: slice.newest },
  })
  return (await database.all(sql, parameters)).map((row) => ({ ...toOutcomes(row), ...readPlaces(row) }))
}

function toSliceCondition({ dialect }: Database, { scopes, since, until }: SliceQuery) {
  return toCondition(dialect, {
    ...{ scopes, kind: "shipment", state: "done" },
    ...{ since: new Date(since).toISOString(), until: new Date(until).toISOString() },
  })
}

/** The sender's area is only in the request, which takes a statement longest to read. */
function toAreaOf(dialect: Database["dialect"]): Expressions {
  const [, , , , toArea] = LANES[dialect].area
  return { to_area: String(toArea).replace("receiver_", "sends.receiver_") }
}

function listPlacesOf({ dialect }: Database, withStates: boolean): Expressions {
  const [, , , fromArea] = LANES[dialect].area
  const [, , , fromState] = LANES[dialect].state
  return {
    from_area: String(fromArea),
    ...toAreaOf(dialect),
    ...(withStates && { from_state: String(fromState) }),
  }
}

function readPlaces(row: DatabaseRow): LanePlaces {
  return {
    fromArea: readText(row.from_area) ?? "",
    toArea: readText(row.to_area) ?? "",
    fromState: readText(row.from_state) ?? "",
    toState: readText(row.receiver_state) ?? "",
  }
}

/** A booking whose service was chosen from compared rates, with its outcome. */
export interface ChosenBooking extends CarrierService, LanePlaces, Pick<Outcomes, "week" | "daysLate"> {
  connectorId: string
  currency: string
  saysGst: boolean
  /** JSON: see `orders/booking/compared-rates.ts`. */
  offers: string
  /** The promised day, `yyyy-MM-dd`; undefined where there was none. */
  promised: string | undefined
  /** As it was quoted, with GST, in cents; undefined where its price is not known. */
  quotedCents: number | undefined
  /** Charges of audited bills with GST, less credits, in cents; undefined where there is none. */
  billedCents: number | undefined
}

/**
 * Reads the bookings of a slice of time whose compared rates were kept, and counts the others. Cancelled ones are left
 * out.
 */
export async function findChosen(
  database: Database,
  slice: SliceQuery,
): Promise<{ chosen: ChosenBooking[]; notKept: number }> {
  const [condition, parameters] = toSliceCondition(database, slice)
  const sql = writeStatement(database, {
    kept: await findBillsKept(database),
    tables: `booked as materialized (select * from sends${condition} and offers is not null)`,
    from: "booked as sends",
    ofLane: listPlacesOf(database, true),
    ofBooking: {
      connector_id: "sends.connector_id",
      currency: "coalesce(sends.currency, 'AUD')",
      offers: "sends.offers",
      promised: "substr(sends.eta, 1, 10)",
    },
    ...{ since: slice.since, until: slice.newest },
  })
  const rows = await database.all(sql, parameters)
  const [others] = await database.all(
    `select cast(count(*) as integer) as bookings from (select * from sends${condition} and offers is null) as sends
      ${JOURNEYED}
      where ${IS_CANCELLED} = 0`,
    parameters,
  )
  return { chosen: rows.map(toChosen), notKept: Number(others?.bookings ?? 0) }
}

function toChosen(row: DatabaseRow): ChosenBooking {
  const { carrier, serviceCode, week, daysLate, saysGst } = toOutcomes(row)
  return {
    ...{ carrier, serviceCode, week, daysLate, saysGst, ...readPlaces(row) },
    connectorId: readText(row.connector_id) ?? "",
    currency: String(row.currency),
    offers: String(row.offers),
    promised: readText(row.promised),
    quotedCents: readNumber(row.quoted),
    billedCents: readNumber(row.charged_cents),
  }
}

interface StatementParts extends Slice {
  kept: BillsKept
  tables: string
  /** Gives the bookings as `sends`. */
  from: string
  /** Columns of a booking that identify its lane, if there are several. */
  ofLane: Expressions
  ofBooking?: Expressions
}

/** The bookings of a part, with their tracking and bills: one by one, or added up by outcome. */
function writeStatement(
  { dialect }: Database,
  {
    kept: { bills: bill, disputes: dispute },
    tables,
    from,
    ofLane,
    ofBooking: own,
    since,
    until,
  }: StatementParts,
): string {
  const dayOf = (column: string) => toDayNumber(`substr(${column}, 1, 10)`, dialect)
  const isDelivered = `${dayOf("j.delivered_at")} is not null`
  const ofBooking: Expressions = {
    promised_day: dayOf("sends.eta"),
    week: `cast((${dayOf("coalesce(sends.eta, sends.created_at)")}) / 7 as integer)`,
    ...ofLane,
    ...own,
    receiver_suburb: `case when upper(trim(sends.receiver_suburb)) in (${OTHER_CLOCK_SUBURBS.map(quoteText).join(", ")})
      then sends.receiver_suburb end`,
    says_gst: "case when sends.gst_basis in ('included', 'excluded') then 1 else 0 end",
    quoted: `case when coalesce(sends.currency, 'AUD') = 'AUD' and sends.price_cents > 0 then
      coalesce(sends.price_inc_gst_cents, case when sends.gst_basis = 'included' then sends.price_cents
        else sends.price_cents + (sends.price_cents + 5) / 10 end) end`,
    is_delivered: `case when ${isDelivered} then 1 else 0 end`,
    seen_at: `case when ${isDelivered} then j.delivered_at else j.looked_at end`,
  }
  const groups: Expressions = {
    ...nameColumns(["carrier", "service_code", "week", ...Object.keys(ofLane)]),
    receiver_state: "receiver_state",
    receiver_suburb: "receiver_suburb",
    is_delivered: "is_delivered",
    says_gst: "says_gst",
    days_late: `${dayOf("seen_at")} - promised_day`,
    ...writeSight("seen_at", listMidnights(until), findClockChanges(since, until)),
  }
  const ratio = "cast(charged.cents as double precision) / quoted"
  const isDisputed = "exists (select 1 from disputes where disputes.shipment_id = part.shipment_id)"
  const isWon = `exists (select 1 from disputes join dispute_steps on dispute_steps.dispute_id = disputes.id
    where disputes.shipment_id = part.shipment_id and dispute_steps.step = 'credited' and dispute_steps.amount_cents > 0)`
  const isBilled = "charged.cents is not null and quoted is not null"
  const sums: Expressions = {
    bookings: "count(*)",
    ...(bill && {
      billed: `count(case when ${isBilled} then 1 end)`,
      ratios: `sum(case when ${isBilled} then ${ratio} end)`,
      squares: `sum(case when ${isBilled} then ${ratio} * ${ratio} end)`,
    }),
    ...(dispute && {
      disputed: `count(case when ${isBilled} and ${isDisputed} then 1 end)`,
      won: `count(case when ${isBilled} and ${isWon} then 1 end)`,
    }),
  }
  const each: Expressions = {
    ...nameColumns(["quoted", ...Object.keys(own ?? {})]),
    ...(bill && { charged_cents: "charged.cents" }),
  }
  return `with ${tables},
    part as materialized (select sends.id, sends.shipment_id, sends.consignment_number, sends.carrier,
        sends.service_code, sends.receiver_state, ${listColumns(ofBooking)}
      from ${from}
      ${JOURNEYED}
      where ${IS_CANCELLED} = 0)${bill ? CHARGED : ""}
    select ${listColumns({ ...groups, ...(own ? each : sums) })} from part
      ${bill ? "left join charged on charged.id = part.id" : ""} ${own ? "" : `group by ${listPlaces(groups)}`}`
}

/** Charges of audited bills for each booking of a part, with GST; null where a bill does not state it. */
const CHARGED = `, charged as materialized (
  select id, case when count(*) = count(cents) then sum(cents) end as cents
  from (${listCharged(`${BILLED_INC_GST} as cents`)}) as each_charge group by id)`

function toDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** `('2026-11-24', '2026-11-28'), …`: the first day of each span, and that of the next; the newest first. */
function listSpans(since: number, until: number): string {
  const spans: string[] = []
  for (let next = until; next > since; next -= SPAN_DAYS * DAY_MS)
    spans.push(`('${toDay(Math.max(since, next - SPAN_DAYS * DAY_MS))}', '${toDay(next)}')`)
  return spans.join(", ")
}

function toOutcomes(row: DatabaseRow): Outcomes {
  const isDelivered = row.is_delivered === 1
  const days = readNumber(row.days_late)
  const later = readDaysLater(row)
  // A consignment that was undelivered at the last look is late from the day after.
  const isKnown = days !== undefined && (isDelivered || days + later > 0)
  return {
    carrier: String(row.carrier),
    serviceCode: String(row.service_code),
    week: Number(row.week),
    toArea: readText(row.to_area) ?? "",
    bookings: Number(row.bookings),
    daysLate: isKnown ? days + later : undefined,
    saysGst: row.says_gst === 1,
    billed: Number(row.billed ?? 0),
    ratios: Number(row.ratios ?? 0),
    squares: Number(row.squares ?? 0),
    disputed: Number(row.disputed ?? 0),
    won: Number(row.won ?? 0),
  }
}
