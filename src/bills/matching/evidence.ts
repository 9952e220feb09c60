/**
 * Collects what ledger and API know of the names on bills: cancellations, pickups, bookings made elsewhere, and scans.
 * The list of shipments gives 200 of them for each request, so it is read back to the oldest shipment that the bills
 * name; only the rest is requested one by one.
 */
import { type FreightApi, readBack, several } from "../../api/index.ts"
import { BOOKED_AHEAD_MS } from "../../contract/index.ts"
import type { ShipmentDetail, ShipmentSummary, TrackingResponse } from "../../contract/generated/types.ts"
import { FreightError } from "../../base/errors.ts"
import {
  type Database,
  findJourneys,
  inParts,
  plainName,
  type Store,
  toTrackingUpdate,
  type TrackingUpdate,
} from "../../ledger/index.ts"
import type { NamedLines } from "../bill.ts"
import { shapeOf } from "../names.ts"
import { findByShipment, findInLedger, type Scopes } from "./ledger.ts"
import { type Linked, linkNames } from "./links.ts"
import {
  bookingOf,
  type Consignment,
  type Evidence,
  getEndOfBooking,
  isNumberName,
  isScanWanted,
  isUnknown,
  type KnownShipment,
  type Listed,
  listNames,
  listStripped,
  matchBills,
  namesOf,
  type Scans,
  shipmentIdOf,
} from "./match.ts"

type Api = Pick<FreightApi, "listShipments" | "getShipment" | "track">

export interface ApiLookups {
  listed: number
  /** The earliest booking time read; undefined if the whole list was read. */
  since: string | undefined
  tracked: number
  /** Number of consignments that could not be looked up, and the first reason. */
  failed: number
  failure?: string
}

const DAY_MS = 86_400_000
/** The clocks of service and ledger may differ by this much. */
export const CLOCK_SLACK_MS = DAY_MS
const LOOK_UP_SINGLY_BELOW = 20
/** Maximum number of shipments whose details are read to find references, which the list lacks. */
const MAX_DETAILS = 500
const ANNOUNCE_ABOVE = 200

export interface BookingSource {
  store: Store
  scopes: Scopes
  note(text: string): Promise<void>
  /** Stores tracking updates for other commands. */
  rememberSeen(updates: readonly TrackingUpdate[]): Promise<void>
}

export async function matchInLedger(
  named: readonly NamedLines[],
  database: Database,
  scopes: Scopes,
): Promise<Consignment[]> {
  const linked = await linkNames(named, database)
  return matchLinkedInLedger(linked, database, scopes)
}

/** The same for lines whose links are known. */
export async function matchLinkedInLedger(
  { named, links }: Pick<Linked, "named" | "links">,
  database: Database,
  scopes: Scopes,
): Promise<Consignment[]> {
  return matchBills(named, { links, ledger: await findInLedger(named, database, scopes, links) })
}

/** Matches by ledger and API, and says what the API was asked. */
export async function matchByAll(
  { named, links }: Pick<Linked, "named" | "links">,
  api: Api,
  deps: BookingSource,
): Promise<{ lookups: ApiLookups; consignments: Consignment[] }> {
  const lookups: ApiLookups = { listed: 0, since: undefined, tracked: 0, failed: 0 }
  const { database } = deps.store
  let evidence: Evidence = { links, ledger: await findInLedger(named, database, deps.scopes, links) }
  const { others, ...listed } = await readList(matchBills(named, evidence), api, lookups, deps)
  evidence = { ...evidence, listed }
  const isListed = new Set(listed.shipments.map(({ shipment }) => shipment.id))
  let consignments = matchBills(named, evidence)
  const readDetails = async (isWanted: (one: Consignment, id: string) => boolean) => {
    const wanted = consignments.flatMap((one) => {
      const id = shipmentIdOf(one)
      return id !== undefined && !evidence.details?.has(id) && isWanted(one, id) ? [id] : []
    })
    const read = await readShipments([...new Set(wanted)], api, lookups)
    evidence = { ...evidence, details: new Map([...(evidence.details ?? []), ...read]) }
    consignments = matchBills(named, evidence)
  }
  // Below the threshold, or older than the part of the list that was read.
  await readDetails((_, id) => !isListed.has(id))
  if (consignments.some(mayBeReference)) {
    const referred = await readReferences(consignments, others, api, deps)
    const read = referred.map(({ shipment }) => [shipment.id, shipment] as const)
    evidence = { ...evidence, referred, details: new Map([...(evidence.details ?? []), ...read]) }
    consignments = matchBills(named, evidence)
  }
  await readDetails((one) => bookingOf(one)?.from === "api")
  const scans = await askTracking(consignments, api, lookups, deps)
  return { lookups, consignments: matchBills(named, { ...evidence, scans }) }
}

/**
 * Reads the API's list for consignments, by shipment IDs or by names that are unknown to the ledger.
 * @returns also the newest shipments that no bill names
 */
async function readList(
  consignments: readonly Consignment[],
  api: Api,
  lookups: ApiLookups,
  { store, scopes }: BookingSource,
): Promise<Listed & { others: ShipmentSummary[] }> {
  const waiting = new Map<string, Consignment>()
  for (const one of consignments) {
    const id = shipmentIdOf(one)
    if (id !== undefined) waiting.set(id, one)
  }
  const ids = new Set(waiting.keys())
  const open = new Set(consignments.filter(({ match }) => match.is === "unasked"))
  const byName = new Map<string, Consignment[]>()
  const within = new Set<string>()
  for (const one of open) {
    for (const name of new Set(listNames(one).map(({ text }) => plainName(text))))
      byName.set(name, [...(byName.get(name) ?? []), one])
    for (const { text } of listStripped(listNames(one))) within.add(plainName(text))
  }
  const oldestOf = (some: Iterable<Consignment>, instantOf: (one: Consignment) => number) =>
    Array.from(some, instantOf).reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY)
  const bookedAt = (one: Consignment) => Date.parse(bookingOf(one)?.bookedAt ?? "")
  const oldestWaiting = oldestOf(waiting.values(), bookedAt) - CLOCK_SLACK_MS
  const oldestOpen = oldestOf(open, (one) => parseInstant(findDay(one), BOOKED_AHEAD_MS)) - BOOKED_AHEAD_MS
  const until = () =>
    Math.min(
      waiting.size > LOOK_UP_SINGLY_BELOW ? oldestWaiting : Number.POSITIVE_INFINITY,
      open.size > 0 ? oldestOpen : Number.POSITIVE_INFINITY,
    )
  const shipments: KnownShipment[] = []
  const shapes = new Map<string, Set<string>>()
  const others: ShipmentSummary[] = []
  for await (const page of readBack(api, until)) {
    const fits = (shipment: ShipmentSummary, names: { has(name: string): boolean }) =>
      namesOf(shipment).some(([, name]) => names.has(plainName(name)))
    const named = page.filter((each) => fits(each, byName) || fits(each, within))
    const inLedger = await findByShipment(
      store.database,
      scopes,
      named.map(({ id }) => id),
    )
    for (const shipment of page) {
      const { id, carrier, consignmentNumber } = shipment
      const isNamed = fits(shipment, byName)
      waiting.delete(id)
      for (const [, name] of namesOf(shipment))
        for (const one of byName.get(plainName(name)) ?? []) open.delete(one)
      if (consignmentNumber && carrier !== undefined)
        shapes.set(carrier, (shapes.get(carrier) ?? new Set()).add(shapeOf(consignmentNumber)))
      if (ids.has(id) || isNamed || fits(shipment, within))
        shipments.push({ shipment, inLedger: inLedger.get(id) })
      if (!ids.has(id) && !isNamed && others.length < MAX_DETAILS) others.push(shipment)
    }
    lookups.listed += page.length
    const oldest = Math.min(...page.map(({ createdAt }) => parseInstant(createdAt, Number.POSITIVE_INFINITY)))
    if (oldest < Number.POSITIVE_INFINITY) lookups.since = new Date(oldest).toISOString()
  }
  return { shipments, shapes, others }
}

function findDay({ named }: Consignment): string | undefined {
  return named.flatMap(({ day }) => day || []).sort()[0]
}

/** Milliseconds since the epoch; `otherwise` if a bill or a reply has no valid time. */
function parseInstant(text: string | undefined, otherwise: number): number {
  const instant = Date.parse(text ?? "")
  return Number.isNaN(instant) ? otherwise : instant
}

/** By shipment ID; shipments that the API does not have are left out. */
async function readShipments(
  ids: readonly string[],
  api: Api,
  lookups: ApiLookups,
): Promise<Map<string, ShipmentDetail>> {
  const answers = await several(ids, async (id) => (await api.getShipment(id)).shipment)
  for (const answer of answers) if (!answer.ok) noteFailure(lookups, answer.error)
  return new Map(answers.flatMap((answer) => (answer.ok ? [[answer.item, answer.result] as const] : [])))
}

function noteFailure(lookups: ApiLookups, { message }: FreightError): void {
  lookups.failed++
  lookups.failure ??= message
}

/** The list has no references: a name that is in none of its columns may be one. */
function mayBeReference(one: Consignment): boolean {
  return isUnknown(one) && listNames(one).some((name) => !isNumberName(name))
}

async function readReferences(
  consignments: readonly Consignment[],
  others: readonly ShipmentSummary[],
  api: Api,
  { store, scopes }: BookingSource,
): Promise<KnownShipment<ShipmentDetail>[]> {
  const names = new Set(
    consignments.filter(isUnknown).flatMap((one) => listNames(one).map(({ text }) => plainName(text))),
  )
  const answers = await several(others, async ({ id }) => (await api.getShipment(id)).shipment)
  const named = answers.flatMap((answer) => {
    const reference = answer.ok ? plainName(answer.result.customerReference ?? "") : ""
    return answer.ok && reference !== "" && names.has(reference) ? [answer.result] : []
  })
  const inLedger = await findByShipment(
    store.database,
    scopes,
    named.map(({ id }) => id),
  )
  return named.map((shipment) => ({ shipment, inLedger: inLedger.get(shipment.id) }))
}

async function askTracking(
  consignments: readonly Consignment[],
  api: Api,
  lookups: ApiLookups,
  { store, scopes, note, rememberSeen }: BookingSource,
): Promise<Scans> {
  const scans = new Map<string, number | undefined>()
  const wanted = consignments.filter(isScanWanted)
  // A shipment that was scanned when last tracked need not be requested.
  for (const page of inParts(wanted)) {
    const journeys = await findJourneys(
      store.database,
      scopes,
      page.map(({ number }) => number),
    )
    for (const one of page) {
      const { deliveredAt, lastEventAt = "" } = journeys.get(one.number) ?? {}
      const at = deliveredAt === undefined ? Date.parse(lastEventAt) : Number.POSITIVE_INFINITY
      if (at > getEndOfBooking(one)) scans.set(one.number, at)
    }
  }
  const open = wanted.filter(({ number }) => !scans.has(number))
  if (open.length > ANNOUNCE_ABOVE)
    await note(
      `Asking whether ${open.length} consignments without a pickup were scanned. --offline skips this.`,
    )
  for (const page of inParts(open)) {
    const answers = await several(page, ({ number }) => trackOne(api, number))
    for (const answer of answers) {
      lookups.tracked++
      if (!answer.ok) noteFailure(lookups, answer.error)
      scans.set(answer.item.number, answer.ok ? findLastScan(answer.result) : undefined)
    }
    await rememberSeen(
      answers.flatMap((answer) =>
        answer.ok && answer.result.supported ? [toTrackingUpdate(answer.item.number, answer.result)] : [],
      ),
    )
  }
  return scans
}

async function trackOne(api: Api, consignment: string): Promise<TrackingResponse> {
  try {
    return await api.track({ consignment })
  } catch (error) {
    // No carrier knows it, so nothing was scanned.
    if (error instanceof FreightError && error.kind === "notFound") return { supported: true, tracking: null }
    throw error
  }
}

/** Uses the times of events, never the carrier's words: an event after the booking happened to the goods. */
function findLastScan({ supported, tracking }: TrackingResponse): number | undefined {
  if (!supported) return undefined
  if (tracking?.deliveredAt) return Number.POSITIVE_INFINITY
  const times = (tracking?.events ?? []).map(({ timestamp }) =>
    parseInstant(timestamp, Number.POSITIVE_INFINITY),
  )
  return times.reduce((last, each) => Math.max(last, each), Number.NEGATIVE_INFINITY)
}
