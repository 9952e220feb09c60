/**
 * Positions of consignments at their last tracking, shared by all workstations, so that none asks again about finished
 * ones. The table only saves requests: a failed write loses nothing.
 */
import type { TrackingResponse } from "../../contract/generated/types.ts"
import { describeColumns } from "../database/columns.ts"
import type { Database, DatabaseRow, Value } from "../database/database.ts"
import type { Entry } from "../entry.ts"
import { inParts, inScopesByTime, pages, placeholders, withinScopes } from "../database/sql.ts"
import { toEntry } from "../entry-rows.ts"

export interface Journey {
  consignmentNumber: string
  /** In the carrier's words: for people, never interpreted. */
  status?: string
  events: number
  /** ISO 8601 in UTC, as are all times here but `eta`. */
  firstEventAt?: string
  lastEventAt?: string
  /** `yyyy-MM-dd`, at the receiver. */
  eta?: string
  deliveredAt?: string
  /** From the proof of delivery, where the carrier gives one. */
  itemsReceived?: number
  /** The shipment's status is CANCELLED; tracking itself has no such field. */
  isCancelled: boolean
  hasLabel: boolean
  /** By the service's clock, which in the sandbox is the sandbox's. */
  lookedAt: string
}

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

/** An event within this time of the booking reports the booking itself, not a scan. */
export const BOOKING_EVENTS_MS = 10 * 60_000

/** Nothing more will happen: it was delivered or cancelled. */
export function isEnded({ deliveredAt, isCancelled }: Pick<Journey, "deliveredAt" | "isCancelled">): boolean {
  return deliveredAt !== undefined || isCancelled
}

/** The changes of a consignment. Absent fields keep their recorded values. */
export type TrackingUpdate = Pick<Journey, "consignmentNumber"> &
  Partial<Omit<Journey, "consignmentNumber" | "lookedAt">>

/** Converts a tracking answer. Only `deliveredAt` says whether it was delivered. */
export function toTrackingUpdate(consignmentNumber: string, { tracking }: TrackingResponse): TrackingUpdate {
  if (!tracking) return { consignmentNumber }
  const { currentStatus, eta, deliveredAt, events, pod } = tracking
  const times = events.flatMap(({ timestamp }) => instantIn(timestamp) ?? []).sort()
  const [first, last] = [times[0], times.at(-1)]
  // The day of delivery may be known although its time cannot be read.
  const delivered = deliveredAt ? (instantIn(deliveredAt) ?? deliveredAt) : undefined
  const items = /^\s*(\d{1,6})\s*$/.exec(pod?.itemsReceived ?? "")?.[1]
  return {
    consignmentNumber,
    status: currentStatus,
    events: events.length,
    ...(first !== undefined && { firstEventAt: first }),
    ...(last !== undefined && { lastEventAt: last }),
    ...(eta && { eta }),
    ...(delivered !== undefined && { deliveredAt: delivered }),
    ...(items !== undefined && { itemsReceived: Number(items) }),
  }
}

function instantIn(text: string): string | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** Rows of one transaction. */
const AT_ONCE = 200

/**
 * Records tracking results of consignments. Those that the ledger has booked get the scope of their booking, others
 * `scope`; without one they are not recorded.
 * @param now milliseconds since the epoch, at the service
 */
export async function rememberUpdates(
  database: Database,
  updates: readonly TrackingUpdate[],
  { scopes, scope, now }: { scopes: readonly string[] | undefined; scope: string | undefined; now: number },
): Promise<void> {
  const lookedAt = new Date(now).toISOString()
  for (const some of inParts(updates, AT_ONCE)) {
    const numbers = some.map(({ consignmentNumber }) => consignmentNumber)
    const booked = await database.all(
      `select scope, consignment_number from sends where kind = 'shipment' and ${withinScopes(scopes)}
        and consignment_number in (${placeholders(numbers)})`,
      [...(scopes ?? []), ...numbers],
    )
    const scopeOf = new Map(booked.map((row) => [row.consignment_number, String(row.scope)]))
    await database.transaction(async (transaction) => {
      for (const update of some) {
        const owner = scopeOf.get(update.consignmentNumber) ?? scope
        if (owner === undefined) continue
        // A known value stays if a later answer lacks it.
        const row = JOURNEYS.writeGiven({ scope: owner, ...update, lookedAt })
        const columns = Object.keys(row)
        const changes = columns.map((column) => `${column} = excluded.${column}`)
        await transaction.run(
          `insert into journeys (${columns.join(", ")}) values (${placeholders(columns)})
            on conflict (scope, consignment_number) do update set ${changes.join(", ")}`,
          Object.values(row),
        )
      }
    })
  }
}

/** Finds the recorded positions of consignments, by their numbers; at most a few hundred at once. */
export async function findJourneys(
  database: Database,
  scopes: readonly string[] | undefined,
  consignments: readonly string[],
): Promise<Map<string, Journey>> {
  if (consignments.length === 0) return new Map()
  const rows = await database.all(
    `select ${JOURNEY} from journeys j where ${withinScopes(scopes, "j.scope")}
      and j.consignment_number in (${placeholders(consignments)})`,
    [...(scopes ?? []), ...consignments],
  )
  return new Map(
    rows.flatMap((row) => toJourney(row) ?? []).map((journey) => [journey.consignmentNumber, journey]),
  )
}

/** A booking that exists, and the last known state of its consignment. */
export interface TrackedBooking {
  entry: Entry
  journey: Journey | undefined
}

interface BookedFilter {
  scopes?: readonly string[] | undefined
  /** ISO 8601 in UTC: booked from then on. */
  since?: string | undefined
  /** ISO 8601 in UTC: booked before. */
  until?: string | undefined
  /** Only consignments that have not ended, or ended in a look from then on (ISO 8601 in UTC). */
  openSince?: string | undefined
  /** Only those delivered from then on (ISO 8601 in UTC) with a count of their items. */
  countedSince?: string | undefined
  /** How much of each booking is read: the request and the names that find it, or everything. */
  content?: keyof typeof CONTENT
}

/** Joins bookings, named `sends`, with their tracking. */
export const JOURNEYED =
  "left join journeys j on j.scope = sends.scope and j.consignment_number = sends.consignment_number"

/** 1 if tracking or the carrier on the phone says that one of them is cancelled. */
export const IS_CANCELLED = "case when sends.cancelled_at is not null or j.is_cancelled = 1 then 1 else 0 end"

const JOURNEY = JOURNEYS.select("j", "journey_")

/** An `openSince` later than any look. */
export const NEVER = "9999"

/** Each column takes time when there are many rows. */
const REQUEST = `sends.id, sends.scope, sends.kind, sends.state, sends.created_at, sends.workstation, sends.carrier,
  sends.service_code, sends.reference, sends.about, sends.receiver_state, sends.weight_grams, sends.shipment_id,
  sends.consignment_number, sends.price_cents, sends.gst_basis, sends.currency, sends.eta, sends.request`
const CONTENT = { request: REQUEST, all: "sends.*" } as const

/** Uncancelled bookings, newest first, in pages. */
export function readBooked(
  database: Database,
  { scopes, since, until, openSince, countedSince, content = "all" }: BookedFilter,
): AsyncGenerator<TrackedBooking[]> {
  const conditions: [condition: string, value: Value | undefined][] = [
    ["sends.created_at >= ?", since],
    ["sends.created_at < ?", until],
    ["j.items_received is not null and j.delivered_at >= ?", countedSince],
    [
      "(j.looked_at is null or j.looked_at >= ? or (j.delivered_at is null and j.is_cancelled = 0))",
      openSince,
    ],
  ]
  const given = conditions.filter(([, value]) => value !== undefined)
  const where = [
    "sends.kind = 'shipment'",
    "sends.state = 'done'",
    "sends.cancelled_at is null",
    ...given.map(([condition]) => condition),
  ]
  const values = [...given.map(([, value]) => value ?? null), ...(scopes ?? [])]
  return pages(async (last, size) => {
    const after = last && [last.entry.sentAt, last.entry.sentAt, last.entry.id]
    const next = after ? " and sends.created_at <= ? and (sends.created_at < ? or sends.id > ?)" : ""
    const rows = await database.all(
      `select ${CONTENT[content]}, ${JOURNEY} from sends left join journeys j
        on j.scope = sends.scope and j.consignment_number = sends.consignment_number
        where ${where.join(" and ")}${inScopesByTime(database.dialect, scopes, "sends.scope")}${next}
        order by sends.created_at desc, sends.id limit ${size}`,
      [...values, ...(after ?? [])],
    )
    return rows.map((row) => ({ entry: toEntry(row), journey: toJourney(row) }))
  })
}

function toJourney(row: DatabaseRow): Journey | undefined {
  if (row.journey_looked_at == null) return undefined
  const { scope: _, ...journey } = JOURNEYS.read(row, "journey_")
  return journey
}
