/**
 * Asks the API what the ledger cannot know: whether shipments were cancelled or have a pickup, what was booked elsewhere,
 * and whether anything was scanned. The list of shipments answers for 200 of them with each request, so it is read back to
 * the oldest that the bills name; only what it leaves open is asked one by one.
 */
import type { FreightApi } from "../../api/freight.ts"
import { shipmentPages } from "../../api/freight.ts"
import { several } from "../../api/several.ts"
import { BOOKED_AHEAD_MS } from "../../contract/collection-times.ts"
import type { ShipmentDetail, ShipmentSummary, TrackingResponse } from "../../contract/generated/types.ts"
import { FreightError } from "../../errors.ts"
import { inParts, PAGE } from "../../ledger/database/rows.ts"
import { plainName } from "../../ledger/records/bills.ts"
import {
  BOOKING_EVENTS_MS,
  findJourneys,
  type TrackingUpdate,
  toTrackingUpdate,
} from "../../ledger/records/journeys.ts"
import type { Store } from "../../ledger/store.ts"
import type { BillName } from "../bill.ts"
import { addDetail, type Booking, fromList } from "./booking.ts"
import { addLines, type Consignment, FOUND_BY, findByShipment, isNumberName, listStripped } from "./match.ts"
import { isSameNumber, shapeOf, stripName } from "../names.ts"

type Api = Pick<FreightApi, "listShipments" | "getShipment" | "track" | "listConnectors">

/** What was asked of the API. */
export interface ApiLookups {
  /** Shipments of the list that were read. */
  listed: number
  /** Booked when, at the earliest; undefined when the whole list was read. */
  since: string | undefined
  tracked: number
  /** Consignments that could not be asked about, and why the first of them could not. */
  failed: number
  failure?: string
}

/** Requests under way at once. */
export const ASKED_AT_ONCE = 16
const DAY_MS = 86_400_000
/** Clocks of service and ledger may differ. */
export const CLOCK_SLACK_MS = DAY_MS
/** So few shipments are read one by one rather than page by page. */
const FEW = 20
/** Details of shipments that are read to find references, which the list does not have. */
const DETAILS_AT_MOST = 500
/** A larger number is announced before asking. */
const MANY = 200

export interface AskDeps {
  store: Store
  scopes: readonly string[] | undefined
  note(text: string): Promise<void>
  /** Keeps where consignments are, for other commands. */
  rememberSeen(updates: readonly TrackingUpdate[]): Promise<void>
}

/**
 * Adds to the consignments what the API knows of them.
 * @returns what was asked, and the consignments without those that turned out to be the same as others
 */
export async function askApi(
  consignments: readonly Consignment[],
  api: Api,
  deps: AskDeps,
): Promise<{ lookups: ApiLookups; consignments: Consignment[] }> {
  const lookups: ApiLookups = { listed: 0, since: undefined, tracked: 0, failed: 0 }
  const { kept, byName, others, shapes } = await readList(consignments, api, lookups, deps)
  // Few, or older than the list was read.
  const unlisted = kept.filter(({ shipmentId, isListed }) => shipmentId !== undefined && !isListed)
  await readEach(unlisted, api, lookups, addListed)
  await findReferences(kept, byName, others, api, deps)
  nameUnknown(kept, shapes)
  const elsewhere = kept.filter(({ booked }) => booked?.from === "api" && booked.payer === undefined)
  await readEach(elsewhere, api, lookups, ({ booked }, shipment) => booked && addDetail(booked, shipment))
  const distinct = joinUnknown(kept)
  await askTracking(distinct, api, lookups, deps)
  return { lookups, consignments: distinct }
}

type ByName = Map<string, Set<Consignment>>

/** The forms of consignment numbers, by carrier. */
type Shapes = Map<string, Set<string>>

function addShape(shapes: Shapes, carrier: string, number: string | null | undefined): void {
  if (number) shapes.set(carrier, (shapes.get(carrier) ?? new Set()).add(shapeOf(number)))
}

/**
 * Decides of what nobody knows whether its number has the form of those that the carriers of its bill gave, or of any if
 * no carrier is known: it is then called by that number, without what stands around it.
 */
function nameUnknown(consignments: readonly Consignment[], listed: Shapes): void {
  const shapes: Shapes = new Map(listed)
  const carriersOf = new Map<unknown, Set<string>>()
  for (const { booked, named } of consignments) {
    if (!booked) continue
    addShape(shapes, booked.carrier, booked.consignment)
    for (const bill of billsOf({ named }))
      carriersOf.set(bill, (carriersOf.get(bill) ?? new Set()).add(booked.carrier))
  }
  for (const one of consignments) {
    if (one.missing !== "unasked") continue
    const carriers = billsOf(one).flatMap((bill) => [...(carriersOf.get(bill) ?? [])])
    const known = (carriers.length > 0 ? carriers : [...shapes.keys()]).flatMap((each) => [
      ...(shapes.get(each) ?? []),
    ])
    const names = listNames(one)
    // A reference may have any form, and counts only where nothing else can be the number.
    const numbers = names.filter((name) => isNumberName(name) || name.isNumber === undefined)
    const number = (numbers.length > 0 ? numbers : names)
      .flatMap(({ text }) => [text, ...stripName(text)])
      .find((each) => known.includes(shapeOf(each)))
    one.missing = number === undefined ? "unlike" : "unknown"
    if (number !== undefined) one.number = number
  }
}

/** One number that nobody knows may be written in several ways. */
function joinUnknown(consignments: readonly Consignment[]): Consignment[] {
  const byNumber = new Map<string, Consignment>()
  return consignments.filter((one) => {
    if (one.missing !== "unknown") return true
    const name = plainName(one.number)
    const first = byNumber.get(name)
    if (first) addLines(first, one)
    else byNumber.set(name, one)
    return !first
  })
}

const billsOf = ({ named }: Pick<Consignment, "named">) => [
  ...new Set(named.flatMap(({ lines }) => lines.map(({ bill }) => bill))),
]

/**
 * Finds consignments in the API's list, by the ids of their shipments or by names that nothing in the ledger has.
 * @returns those that are left, by their open names too, and the newest shipments that no bill names
 */
async function readList(
  consignments: readonly Consignment[],
  api: Api,
  lookups: ApiLookups,
  { store, scopes }: AskDeps,
): Promise<{ kept: Consignment[]; byName: ByName; others: ShipmentSummary[]; shapes: Shapes }> {
  const waiting = new Set(consignments.filter(({ booked, shipmentId }) => booked && shipmentId !== undefined))
  const open = new Set(consignments.filter(({ missing }) => missing === "unasked"))
  const byId: ByName = new Map()
  for (const one of waiting) addTo(byId, one.shipmentId ?? "", one)
  const byName: ByName = new Map()
  for (const one of open) for (const { text } of listNames(one)) addTo(byName, plainName(text), one)
  const byStripped: ByName = new Map()
  for (const one of open)
    for (const { text } of listStripped({ names: listNames(one) })) addTo(byStripped, plainName(text), one)
  /** What fits only without what stands around its name. */
  const loosely = new Map<Consignment, { shipment: ShipmentSummary; inLedger: Booking | undefined }[]>()
  const shapes: Shapes = new Map()
  const oldestOf = (some: Iterable<Consignment>, instantOf: (one: Consignment) => number) =>
    Array.from(some, instantOf).reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY)
  const oldestWaiting = oldestOf(waiting, ({ booked }) => Date.parse(booked?.bookedAt ?? "")) - CLOCK_SLACK_MS
  const oldestOpen = oldestOf(open, (one) => parseInstant(findDay(one), BOOKED_AHEAD_MS)) - BOOKED_AHEAD_MS
  /** Consignments whose shipment another one has. */
  const same = new Set<Consignment>()
  const others: ShipmentSummary[] = []

  const take = (shipment: ShipmentSummary, inLedger: Booking | undefined) => {
    const known = [...(byId.get(shipment.id) ?? [])].filter(({ shipmentId }) => shipmentId === shipment.id)
    for (const one of known) {
      waiting.delete(one)
      addListed(one, shipment)
    }
    const named = new Set(namesOf(shipment).flatMap(([, name]) => [...(byName.get(plainName(name)) ?? [])]))
    let [first] = known
    for (const one of named) {
      const isTaken = !open.has(one)
      if (same.has(one) || (isTaken && one.isExact)) continue
      open.delete(one)
      const isExact = isNamedExactly(one, shipment)
      if (isTaken && !isExact) setSeveral(one, shipment)
      // The same shipment under another of its names.
      else if (first) {
        addLines(first, one)
        delete one.missing
        same.add(one)
      } else {
        first = one
        setShipment(one, shipment, inLedger)
        one.isExact = isExact
        addTo(byId, shipment.id, one)
      }
    }
    addShape(shapes, shipment.carrier, shipment.consignmentNumber)
    const fitting = new Set(
      namesOf(shipment).flatMap(([, name]) => [...(byStripped.get(plainName(name)) ?? [])]),
    )
    for (const one of fitting)
      if (open.has(one)) loosely.set(one, [...(loosely.get(one) ?? []), { shipment, inLedger }])
    if (known.length === 0 && named.size === 0 && others.length < DETAILS_AT_MOST) others.push(shipment)
  }

  const until = () =>
    Math.min(
      waiting.size > FEW ? oldestWaiting : Number.POSITIVE_INFINITY,
      open.size > 0 ? oldestOpen : Number.POSITIVE_INFINITY,
    )
  for await (const page of readBack(api, until)) {
    const named = page.filter((each) =>
      namesOf(each).some(([, name]) => byName.has(plainName(name)) || byStripped.has(plainName(name))),
    )
    const ids = named.map(({ id }) => id)
    const inLedger = await findByShipment(store.database, scopes, ids)
    for (const shipment of page) take(shipment, inLedger.get(shipment.id))
    lookups.listed += page.length
    const oldest = Math.min(...page.map(({ createdAt }) => parseInstant(createdAt, Number.POSITIVE_INFINITY)))
    if (oldest < Number.POSITIVE_INFINITY) lookups.since = new Date(oldest).toISOString()
  }
  for (const [one, [first, ...more]] of loosely) {
    if (!first || !open.has(one)) continue
    const [there] = byId.get(first.shipment.id) ?? []
    if (more.length > 0) for (const { shipment } of [first, ...more]) setSeveral(one, shipment)
    else if (there) {
      addLines(there, one)
      same.add(one)
    } else {
      setShipment(one, first.shipment, first.inLedger)
      addTo(byId, first.shipment.id, one)
    }
  }
  return { kept: consignments.filter((one) => !same.has(one)), byName, others, shapes }
}

function addTo(index: ByName, name: string, one: Consignment): void {
  const there = index.get(name)
  if (there) there.add(one)
  else index.set(name, new Set([one]))
}

/** All names that the bills have for it. */
function listNames({ named }: Consignment): readonly BillName[] {
  return named.length === 1 ? (named[0]?.names ?? []) : named.flatMap(({ names }) => names)
}

/** The earliest day that the bills give for it. */
function findDay({ named }: Consignment): string | undefined {
  return named.flatMap(({ day }) => day || []).sort()[0]
}

/** Milliseconds since the epoch; `otherwise` for text of a bill or a reply that is not a time. */
function parseInstant(text: string | undefined, otherwise: number): number {
  const instant = Date.parse(text ?? "")
  return Number.isNaN(instant) ? otherwise : instant
}

/** The API's list, newest first, back to an instant that may change while it is read. */
export async function* readBack(
  api: Pick<FreightApi, "listShipments">,
  until: () => number,
): AsyncGenerator<ShipmentSummary[]> {
  if (until() === Number.POSITIVE_INFINITY) return
  for await (const page of shipmentPages(api)) {
    yield page
    if (page.some(({ createdAt }) => Date.parse(createdAt) < until())) return
  }
}

/** The names of a shipment, by what a consignment can be found by. */
function namesOf({ consignmentNumber, orderNumber, id }: ShipmentSummary): [foundBy: string, name: string][] {
  const names: [string, string | null | undefined][] = [
    [FOUND_BY.consignment_number, consignmentNumber],
    [FOUND_BY.order_number, orderNumber],
    [FOUND_BY.shipment_id, id],
  ]
  return names.flatMap(([foundBy, name]): [string, string][] => (name ? [[foundBy, name]] : []))
}

function isNamedExactly(one: Consignment, shipment: ShipmentSummary): boolean {
  const own = namesOf(shipment).map(([, name]) => name.toUpperCase())
  return listNames(one).some(({ text }) => own.includes(text.toUpperCase()))
}

/** What was open is a shipment of the list, with its booking where the ledger knows that by its id. */
function setShipment(one: Consignment, shipment: ShipmentSummary, inLedger: Booking | undefined): void {
  const number = shipment.consignmentNumber ?? one.number
  one.number = number
  one.shipmentId = shipment.id
  one.booked = inLedger ? { ...inLedger, consignment: number } : fromList(shipment)
  delete one.missing
  addListed(one, shipment)
  for (const [foundBy, text] of namesOf(shipment)) {
    const name = listNames(one).find((each) => isSameNumber(each.text, text))
    if (!name) continue
    Object.assign(one, { foundBy, foundIn: [name.field] })
    return
  }
}

/** One name that two shipments have, apart from blanks and hyphens. */
function setSeveral(one: Consignment, { consignmentNumber, orderNumber }: ShipmentSummary): void {
  one.fits = [one.fits ?? (one.booked && one.number), consignmentNumber ?? orderNumber]
    .filter(Boolean)
    .join(", ")
  setMissing(one, "several")
}

function setMissing(one: Consignment, missing: Consignment["missing"]): void {
  Object.assign(one, { missing })
  delete one.booked
  delete one.shipmentId
}

/** Adds what the list has of a booking: also the number that the carrier gave later. */
function addListed(one: Consignment, shipment: ShipmentSummary): void {
  const { booked } = one
  const { consignmentNumber: number, status, pickupStatus, serviceDescription, createdAt } = shipment
  if (number && booked?.consignment === "") {
    // Found by an order number or a reference: the bill's own number must be the carrier's.
    if (one.isNumbered && !isSameNumber(one.number, number)) {
      one.fits = number
      setMissing(one, "other")
      return
    }
    one.number = number
    booked.consignment = number
  }
  one.isListed = true
  if (booked && status === "CANCELLED") booked.isCancelled = true
  if (booked && pickupStatus === "BOOKED") booked.hasPickup = true
  if (serviceDescription) one.serviceName = serviceDescription
  one.createdAt = createdAt
}

/** Asks for single shipments. */
async function readEach(
  consignments: readonly Consignment[],
  api: Api,
  lookups: ApiLookups,
  learn: (one: Consignment, shipment: ShipmentDetail) => void,
): Promise<void> {
  const answers = await several(
    consignments,
    async (one) => learn(one, (await api.getShipment(one.shipmentId ?? "")).shipment),
    ASKED_AT_ONCE,
  )
  for (const answer of answers) if (!answer.ok) noteFailure(lookups, answer.error)
}

function noteFailure(lookups: ApiLookups, { message }: FreightError): void {
  lookups.failed++
  lookups.failure ??= message
}

/** The list has no references: where a name is in none of its columns, the details of unknown shipments may have it. */
async function findReferences(
  consignments: readonly Consignment[],
  byName: ByName,
  others: readonly ShipmentSummary[],
  api: Api,
  { store, scopes }: AskDeps,
): Promise<void> {
  const mayBeReference = (one: Consignment) =>
    one.missing === "unasked" && listNames(one).some((name) => !isNumberName(name))
  if (!consignments.some(mayBeReference)) return
  const read = async ({ id }: ShipmentSummary) => (await api.getShipment(id)).shipment
  for (const answer of await several(others, read, ASKED_AT_ONCE)) {
    const shipment = answer.ok ? answer.result : undefined
    const plain = plainName(shipment?.customerReference ?? "")
    const one = [...(byName.get(plain) ?? [])].find(({ missing }) => missing === "unasked")
    if (!shipment || plain === "" || !one) continue
    const inLedger = await findByShipment(store.database, scopes, [shipment.id])
    setShipment(one, shipment, inLedger.get(shipment.id))
    one.foundBy = FOUND_BY.reference
    const name = listNames(one).find(({ text }) => plainName(text) === plain)
    if (name) one.foundIn = [name.field]
    if (one.booked?.from === "api") addDetail(one.booked, shipment)
  }
}

/** Whether anything was scanned is to be known of what has no pickup, and may be to be paid. */
function isScanWanted({ booked, collected, number }: Consignment): boolean {
  return booked !== undefined && !booked.hasPickup && !collected && !booked.isCancelled && number !== ""
}

async function askTracking(
  consignments: readonly Consignment[],
  api: Api,
  lookups: ApiLookups,
  { store, scopes, note, rememberSeen }: AskDeps,
): Promise<void> {
  // What was scanned when anybody tracked it need not be asked for.
  for (const page of inParts(consignments.filter(isScanWanted), PAGE)) {
    const journeys = await findJourneys(
      store,
      scopes,
      page.map(({ number }) => number),
    )
    for (const one of page) {
      const { deliveredAt, lastEventAt = "" } = journeys.get(one.number) ?? {}
      if (deliveredAt !== undefined || Date.parse(lastEventAt) > getEndOfBooking(one)) one.collected = "yes"
    }
  }
  const open = consignments.filter(isScanWanted)
  if (open.length > MANY)
    await note(
      `Asking whether ${open.length} consignments without a pickup were scanned. --offline skips this.`,
    )
  for (const page of inParts(open, PAGE)) {
    const answers = await several(page, ({ number }) => trackOne(api, number), ASKED_AT_ONCE)
    for (const answer of answers) {
      lookups.tracked++
      if (!answer.ok) noteFailure(lookups, answer.error)
      answer.item.collected = answer.ok ? checkCollected(answer.result, answer.item) : "unasked"
    }
    await rememberSeen(
      answers.flatMap((answer) =>
        answer.ok && answer.result.supported ? [toTrackingUpdate(answer.item.number, answer.result)] : [],
      ),
    )
  }
}

async function trackOne(api: Api, consignment: string): Promise<TrackingResponse> {
  try {
    return await api.track({ consignment })
  } catch (error) {
    // No carrier knows it: nothing was scanned.
    if (error instanceof FreightError && error.kind === "notFound") return { supported: true, tracking: null }
    throw error
  }
}

/** By the times of events, never by a carrier's words: what happens after the booking happens to the goods. */
function checkCollected(
  { supported, tracking }: TrackingResponse,
  one: Consignment,
): "yes" | "no" | "unasked" {
  if (!supported) return "unasked"
  if (tracking?.deliveredAt) return "yes"
  const times = (tracking?.events ?? []).map(({ timestamp }) => Date.parse(timestamp))
  return times.every((time) => time <= getEndOfBooking(one)) ? "no" : "yes"
}

/** Events after it are no longer of the booking itself. Milliseconds since the epoch, by the service's clock. */
function getEndOfBooking({ createdAt, booked }: Consignment): number {
  return Date.parse(createdAt ?? booked?.bookedAt ?? "") + BOOKING_EVENTS_MS
}
