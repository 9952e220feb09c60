/**
 * Asks the API what the ledger cannot know: whether shipments were cancelled or have a pickup, what was booked elsewhere,
 * and whether anything was scanned. The list of shipments answers for 200 of them with each request, so it is read back to
 * the oldest that the bills name; only what it leaves open is asked one by one.
 */
import type { FreightApi } from "../api/freight.ts"
import { shipmentPages } from "../api/freight.ts"
import { several } from "../api/several.ts"
import type { ShipmentDetail, ShipmentSummary, TrackingResponse } from "../contract/generated/types.ts"
import { FreightError } from "../errors.ts"
import { BOOKING_EVENTS_MS, findJourneys, type Look, lookFrom } from "../ledger/records/journeys.ts"
import type { Store } from "../ledger/store.ts"
import type { Booked } from "./judge.ts"
import { plainName } from "../ledger/records/bills.ts"
import { toCubicGrams, findByShipment, FOUND_BY, isNumberField, type Known } from "./match.ts"
import type { KnownSubject, Scratch } from "./scratch.ts"

type Api = Pick<FreightApi, "listShipments" | "getShipment" | "track" | "listConnectors">

export interface Asked {
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
/** A booking may be made so long before it is collected. */
const BOOKED_AHEAD_MS = 60 * DAY_MS
/** Clocks of service and ledger may differ. */
const SLACK_MS = DAY_MS
/** So few shipments are read one by one rather than page by page. */
const FEW = 20
/** Details of shipments that are read to find references, which the list does not have. */
const DETAILS_AT_MOST = 500

export interface AskDeps {
  store: Store
  scopes: readonly string[] | undefined
  note(text: string): Promise<void>
  /** Keeps where consignments are, for other commands. */
  rememberSeen(looks: readonly Look[]): Promise<void>
}

export async function askApi(scratch: Scratch, api: Api, deps: AskDeps): Promise<Asked> {
  const asked: Asked = { listed: 0, since: undefined, tracked: 0, failed: 0 }
  await readList(scratch, api, asked, deps)
  await askDetails(scratch, api, asked)
  await askTracking(scratch, api, asked, deps)
  return asked
}

type KnownOne = KnownSubject<Known>

function noteFailure(asked: Asked, { message }: FreightError): void {
  asked.failed++
  asked.failure ??= message
}

async function readList(scratch: Scratch, api: Api, asked: Asked, deps: AskDeps): Promise<void> {
  let waiting = 0
  let open = 0
  let oldestBooked = Number.POSITIVE_INFINITY
  let oldestOpen = Number.POSITIVE_INFINITY
  for (const page of scratch.subjects<Known>())
    for (const { known, shipmentId } of page) {
      if (known.booked && shipmentId !== undefined) {
        waiting++
        oldestBooked = Math.min(oldestBooked, Date.parse(known.booked.bookedAt) - SLACK_MS)
      }
      if (known.names) {
        open++
        oldestOpen = Math.min(oldestOpen, parseInstant(known.day, BOOKED_AHEAD_MS) - BOOKED_AHEAD_MS)
      }
    }
  const unread: ShipmentSummary[] = []
  const until = () =>
    Math.min(
      waiting > FEW ? oldestBooked : Number.POSITIVE_INFINITY,
      open > 0 ? oldestOpen : Number.POSITIVE_INFINITY,
    )
  if (until() < Number.POSITIVE_INFINITY)
    for await (const page of shipmentPages(api)) {
      asked.listed += page.length
      const taken = await takePage(scratch, page, unread, deps)
      waiting -= taken.waiting
      open -= taken.open
      const oldest = Math.min(
        ...page.map(({ createdAt }) => parseInstant(createdAt, Number.POSITIVE_INFINITY)),
      )
      if (oldest < Number.POSITIVE_INFINITY) asked.since = new Date(oldest).toISOString()
      if (oldest < until()) break
    }
  // Few, or older than the list was read.
  const isUnlisted = ({ known, shipmentId }: KnownOne) => shipmentId !== undefined && !known.isListed
  if (waiting > 0) await askSingles(scratch, api, asked, isUnlisted, withListing)
  await findReferences(scratch, api, unread, deps)
  // A consignment in none of them is unknown.
  for (const page of scratch.subjects<Known>())
    scratch.putSubjects(
      page
        .filter(({ known }) => known.missing === "unasked")
        .map((one) => ({ ...one, known: { ...one.known, missing: "unknown" as const } })),
    )
}

/** Milliseconds since the epoch; `otherwise` for text of a bill or a reply that is not a time. */
function parseInstant(text: string | undefined, otherwise: number): number {
  const instant = Date.parse(text ?? "")
  return Number.isNaN(instant) ? otherwise : instant
}

/** Takes what a page of the list tells, of what was found and of what was not. @returns how many of each */
async function takePage(
  scratch: Scratch,
  page: readonly ShipmentSummary[],
  unread: ShipmentSummary[],
  { store, scopes }: AskDeps,
): Promise<{ waiting: number; open: number }> {
  const namesOf = ({ consignmentNumber, orderNumber, id }: ShipmentSummary) =>
    [consignmentNumber, orderNumber, id].flatMap((name) => (name ? [plainName(name)] : []))
  const byId = scratch.subjectsBy<Known>(
    "shipment",
    page.map(({ id }) => id),
  )
  const byName = scratch.subjectsBy<Known>("open name", page.flatMap(namesOf))
  const named = page.filter((shipment) => namesOf(shipment).some((name) => byName.has(name)))
  const inLedger = await findByShipment(
    store.database,
    scopes,
    named.map(({ id }) => id),
  )
  const changed = new Map<string, KnownOne>()
  const openOnes = new Map([...byName.values()].flat().map((one) => [one.subject, one]))
  /** Subjects that turn out to be another's shipment. */
  const joined = new Map<string, string>()
  let waiting = 0
  let open = 0
  for (const shipment of page) {
    const known = (byId.get(shipment.id) ?? []).map((one) => changed.get(one.subject) ?? one)
    for (const one of known) {
      waiting++
      changed.set(one.subject, withListing(one, shipment))
    }
    const found = new Set(
      namesOf(shipment).flatMap((name) => (byName.get(name) ?? []).map(({ subject }) => subject)),
    )
    let [first] = known
    for (const subject of found) {
      const one = changed.get(subject) ?? openOnes.get(subject)
      const isTaken = one?.known.missing !== "unasked"
      if (!one || joined.has(subject) || (isTaken && one.known.isExact)) continue
      const isExact = isNamedExactly(one, shipment)
      if (isTaken && !isExact) changed.set(subject, toSeveral(one, shipment))
      // The same shipment under another of its names.
      else if (first) joined.set(subject, first.subject)
      else {
        first = withShipment(one, shipment, inLedger.get(shipment.id))
        changed.set(subject, { ...first, known: { ...first.known, isExact } })
      }
      if (!isTaken) open++
    }
    if (known.length === 0 && found.size === 0 && unread.length < DETAILS_AT_MOST) unread.push(shipment)
  }
  scratch.putSubjects([...changed.values()])
  scratch.joinSubjects(joined)
  return { waiting, open }
}

/** What was open, found as a shipment of the list: with its booking where the ledger knows that by its id. */
function withShipment(
  one: KnownOne,
  shipment: ShipmentSummary,
  entry: Pick<Known, "booked" | "hasPickup"> | undefined,
): KnownOne {
  const { missing: _, ...known } = one.known
  const consignment = shipment.consignmentNumber ?? one.consignment
  const booked = entry?.booked ? { ...entry.booked, consignment } : toBooked(shipment)
  return {
    ...one,
    consignment,
    shipmentId: shipment.id,
    known: {
      ...withList({ ...known, ...entry, booked }, shipment),
      ...findListedName(one, shipment),
      isListed: true,
    },
  }
}

function isNamedExactly({ known: { names = [] } }: KnownOne, shipment: ShipmentSummary): boolean {
  const { consignmentNumber, orderNumber, id } = shipment
  const own = [consignmentNumber, orderNumber, id].map((name) => name?.toUpperCase())
  return names.some(({ text }) => own.includes(text.toUpperCase()))
}

/** One name that two shipments have, apart from blanks and hyphens. */
function toSeveral(one: KnownOne, { consignmentNumber, orderNumber }: ShipmentSummary): KnownOne {
  const { names, fits = one.consignment } = one.known
  const known = {
    missing: "several" as const,
    fits: `${fits}, ${consignmentNumber ?? orderNumber}`,
    ...(names && { names }),
  }
  return { ...one, shipmentId: undefined, known }
}

/** What was found in the ledger, with what the list tells: also the number that the carrier gave later. */
function withListing(one: KnownOne, shipment: ShipmentSummary): KnownOne {
  const number = shipment.consignmentNumber
  const { booked } = one.known
  const isNew = number && booked?.consignment === ""
  // Found by an order number or a reference: the bill's own number must be the carrier's.
  if (isNew && one.known.isNumbered && plainName(one.consignment) !== plainName(number))
    return { ...one, shipmentId: undefined, known: { missing: "other", fits: number } }
  const known = { ...withList(one.known, shipment), isListed: true }
  return isNew && booked
    ? {
        ...one,
        consignment: number,
        known: { ...known, booked: { ...booked, ...known.booked, consignment: number } },
      }
    : { ...one, known }
}

/** By which of its names, and where in the bill that stands. */
function findListedName(
  { known: { names = [] } }: KnownOne,
  shipment: ShipmentSummary,
): Pick<Known, "foundBy" | "foundIn"> {
  const columns = [
    [FOUND_BY.consignment_number, shipment.consignmentNumber],
    [FOUND_BY.order_number, shipment.orderNumber],
    [FOUND_BY.shipment_id, shipment.id],
  ] as const
  for (const [column, value] of columns) {
    const name = names.find(({ text }) => value && plainName(text) === plainName(value))
    if (name) return { foundBy: column, foundIn: name.field }
  }
  return {}
}

function withList(
  known: Known,
  { status, pickupStatus, serviceDescription, createdAt }: ShipmentSummary,
): Known {
  const { booked } = known
  return {
    ...known,
    ...(booked && { booked: { ...booked, ...(status === "CANCELLED" && { isCancelled: true }) } }),
    ...(pickupStatus === "BOOKED" && { hasPickup: true }),
    ...(serviceDescription && { serviceName: serviceDescription }),
    createdAt,
  }
}

function toBooked({
  id,
  carrier,
  orderNumber,
  consignmentNumber,
  status,
  serviceCode,
  createdAt,
}: ShipmentSummary): Booked {
  return {
    from: "api",
    shipmentId: id,
    consignment: consignmentNumber ?? "",
    order: orderNumber,
    reference: "",
    carrier,
    service: serviceCode,
    bookedAt: createdAt,
    ...(status === "CANCELLED" && { isCancelled: true }),
  }
}

async function askSingles(
  scratch: Scratch,
  api: Api,
  asked: Asked,
  isWanted: (one: KnownOne) => boolean,
  learn: (one: KnownOne, shipment: ShipmentDetail) => KnownOne,
): Promise<void> {
  for (const page of scratch.subjects<Known>()) {
    const changed: KnownOne[] = []
    const read = async ({ shipmentId = "" }: KnownOne) => (await api.getShipment(shipmentId)).shipment
    for (const answer of await several(page.filter(isWanted), read, ASKED_AT_ONCE))
      if (answer.ok) changed.push(learn(answer.item, answer.result))
      else noteFailure(asked, answer.error)
    scratch.putSubjects(changed)
  }
}

function hasOpenReferences(scratch: Scratch): boolean {
  const isOpen = ({ known }: KnownOne) =>
    known.missing === "unasked" && (known.names ?? []).some(({ field }) => !isNumberField(field))
  for (const page of scratch.subjects<Known>()) if (page.some(isOpen)) return true
  return false
}

/** The list has no references: where a name is in none of its columns, the details of unknown shipments may have it. */
async function findReferences(
  scratch: Scratch,
  api: Api,
  unread: readonly ShipmentSummary[],
  { store, scopes }: AskDeps,
): Promise<void> {
  if (!hasOpenReferences(scratch)) return
  const answers = await several(unread, async ({ id }) => (await api.getShipment(id)).shipment, ASKED_AT_ONCE)
  for (const answer of answers) {
    const reference = answer.ok ? (answer.result.customerReference ?? "") : ""
    if (!answer.ok || reference === "") continue
    const plain = plainName(reference)
    const found = scratch.subjectsBy<Known>("open name", [plain])
    const one = (found.get(plain) ?? []).find(({ known }) => known.missing === "unasked")
    if (!one) continue
    const { result } = answer
    const name = one.known.names?.find(({ text }) => plainName(text) === plain)
    const inLedger = await findByShipment(store.database, scopes, [result.id])
    const listed = withShipment(one, result, inLedger.get(result.id))
    const known = {
      ...listed.known,
      foundBy: FOUND_BY.reference,
      ...(name && { foundIn: name.field }),
    }
    scratch.putSubjects([
      { ...listed, known: known.booked?.from === "api" ? withDetail(known, result) : known },
    ])
  }
}

/** Who pays, what it weighs and what its reference is, of what was booked elsewhere. */
async function askDetails(scratch: Scratch, api: Api, asked: Asked): Promise<void> {
  const isElsewhere = ({ known: { booked } }: KnownOne) =>
    booked?.from === "api" && booked.payer === undefined
  await askSingles(scratch, api, asked, isElsewhere, (one, shipment) => ({
    ...one,
    known: withDetail(one.known, shipment),
  }))
}

function withDetail(known: Known, { payer, customerReference, items }: ShipmentDetail): Known {
  const { booked } = known
  if (!booked) return known
  const grams = Math.round(items.totalWeightKg * 1000)
  return {
    ...known,
    booked: {
      ...booked,
      payer,
      reference: customerReference ?? "",
      grams,
      ...toCubicGrams(undefined, items),
    },
  }
}

/** Whether anything was scanned is to be known of what has no pickup, and may be to be paid. */
function isScanWanted({ known: { booked, hasPickup, collected }, consignment }: KnownOne): boolean {
  return booked !== undefined && !hasPickup && !collected && !booked.isCancelled && consignment !== ""
}

/** What was scanned when anybody tracked it need not be asked for. @returns of how many it is still to be asked */
async function takeSeen(scratch: Scratch, { store, scopes }: AskDeps): Promise<number> {
  let left = 0
  for (const page of scratch.subjects<Known>()) {
    const wanted = page.filter(isScanWanted)
    const journeys = await findJourneys(
      store,
      scopes,
      wanted.map(({ consignment }) => consignment),
    )
    const isSeen = ({ consignment, known }: KnownOne) => {
      const { deliveredAt, lastEventAt = "" } = journeys.get(consignment) ?? {}
      return deliveredAt !== undefined || Date.parse(lastEventAt) > endOfBooking(known)
    }
    const seen = wanted.filter(isSeen)
    left += wanted.length - seen.length
    scratch.putSubjects(seen.map((one) => ({ ...one, known: { ...one.known, collected: "yes" as const } })))
  }
  return left
}

/** A larger number is announced before asking. */
const MANY = 200

async function askTracking(scratch: Scratch, api: Api, asked: Asked, deps: AskDeps): Promise<void> {
  const { note, rememberSeen } = deps
  const count = await takeSeen(scratch, deps)
  if (count > MANY)
    await note(`Asking whether ${count} consignments without a pickup were scanned. --offline skips this.`)
  for (const page of scratch.subjects<Known>()) {
    const answers = await several(
      page.filter(isScanWanted),
      async ({ consignment }) => trackOne(api, consignment),
      ASKED_AT_ONCE,
    )
    scratch.putSubjects(
      answers.map((answer): KnownOne => {
        asked.tracked++
        if (!answer.ok) noteFailure(asked, answer.error)
        const collected = answer.ok ? toCollected(answer.result, answer.item.known) : "unasked"
        return { ...answer.item, known: { ...answer.item.known, collected } }
      }),
    )
    await rememberSeen(
      answers.flatMap((answer) =>
        answer.ok && answer.result.supported ? [lookFrom(answer.item.consignment, answer.result)] : [],
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
function toCollected({ supported, tracking }: TrackingResponse, known: Known): "yes" | "no" | "unasked" {
  if (!supported) return "unasked"
  if (tracking?.deliveredAt) return "yes"
  const times = (tracking?.events ?? []).map(({ timestamp }) => Date.parse(timestamp))
  return times.every((time) => time <= endOfBooking(known)) ? "no" : "yes"
}

/** Events after it are no longer of the booking itself. Milliseconds since the epoch, by the service's clock. */
function endOfBooking({ createdAt, booked }: Known): number {
  return Date.parse(createdAt ?? booked?.bookedAt ?? "") + BOOKING_EVENTS_MS
}
