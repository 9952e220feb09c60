/** Pickups of a batch: one for each collection address, connector and time. */
import { hash } from "node:crypto"
import { type FreightApi, several } from "../../api/index.ts"
import {
  checkPickupTime,
  findLostPickup,
  findSamePickup,
  isWaitingAtTime,
  getPickupName,
  type Pickup,
  pickupTimes,
  sendPickup,
  tellCommand,
  type WaitingForPickup,
} from "../booking/pickup.ts"
import { type Globals, onSameService } from "../../machine/index.ts"
import { readsField } from "../../carriers/index.ts"
import { type Moment, placeParts, readOwn } from "../../contract/index.ts"
import { counted, listSome } from "../../base/counted.ts"
import { toStepError } from "../../base/errors.ts"
import { decimalOf, numberOf, sum } from "../../base/money.ts"
import type {
  Carrier,
  ConsignmentBookingRequest,
  Items,
  PickupBookingRequest,
  BookingResponse,
  PickupBookingResponse,
} from "../../contract/generated/types.ts"
import type { FreightError } from "../../base/errors.ts"
import {
  type AccountLedger,
  addToPickup,
  type BookedEntry,
  type Entry,
  findBookings,
  findCollected,
  findCollectedBy,
  findIncludedPickup,
  findPickup,
  findNotYetReported,
  type LedgerDeps,
  NotSent,
  saysPickup,
  unclearPickup,
} from "../../ledger/index.ts"
import type { OwnLedger } from "../booking/standings.ts"

export interface Collection {
  key: string
  connectorId: string
  carrier: Carrier | undefined
  /** The first booking is used for all. */
  request: ConsignmentBookingRequest
  shipments: { id: string; items: Items }[]
}

interface Collecting {
  collections: Collection[]
  collected: string[]
  /** Shipments that may have one, and why that is unknown. */
  unclear: { shipmentId: string; reference?: string | undefined; error: FreightError }[]
}

/** Groups shipments into collections, in their order, after looking for existing pickups. */
export async function groupCollections(
  ledger: OwnLedger,
  api: Pick<FreightApi, "getShipment">,
  booked: readonly { shipmentId: string }[],
): Promise<Collecting> {
  const collections = new Map<string, Collection>()
  const [collected, unclear]: [string[], Collecting["unclear"]] = [[], []]
  const asked = await several(booked, async ({ shipmentId }) => ({
    found: await findPickup(
      { store: ledger.store, scope: ledger.owner.scope },
      shipmentId,
      async (id) => (await api.getShipment(id)).shipment,
    ),
    booking: await ledger.store.ofShipment(ledger.owner.scope, shipmentId),
  }))
  const { database } = ledger.store
  for (const attempt of asked) {
    const { shipmentId } = attempt.item
    if (!attempt.ok) unclear.push({ shipmentId, error: attempt.error })
    else {
      const { found, booking } = attempt.result
      const { connectorId, reference } = booking?.facts ?? {}
      if (!booking || connectorId === undefined) continue
      const request = booking.request as ConsignmentBookingRequest
      const key = buildCollectionKey(connectorId, request)
      const wanted = { connectorId, request: pickupTimes(request) }
      const isOwn =
        found.entry?.key === `key:${key}` ||
        (await isWaitingAtTime(database, found.entry, wanted, shipmentId))
      const isKnown = found.is === "none" && saysPickup(Object(booking.response) as BookingResponse)
      if (isKnown || isOwn) addToCollection(collections, key, connectorId, shipmentId, booking)
      else if (found.is === "unclear" || found.is === "none")
        unclear.push({ shipmentId, reference, error: unclearPickup(shipmentId) })
      else if (found.is === "open" && found.entry)
        unclear.push({ shipmentId, reference, error: new NotSent({ kind: "unknown", entry: found.entry }) })
      else collected.push(shipmentId)
    }
  }
  return { collections: [...collections.values()], collected, unclear }
}

/** The shipments, booked here, for which the ledger has no pickup, and those that wait for one. Does not ask the API. */
export async function findWithoutPickup(
  store: LedgerDeps["store"],
  scope: string,
  shipmentIds: readonly string[],
): Promise<{ uncollected: BookedEntry[]; waiting: WaitingForPickup[] }> {
  const { database } = store
  const wanted = new Set(shipmentIds)
  const notReported = await findNotYetReported(database, { scopes: [scope] })
  const waitFor = notReported
    .filter(({ shipmentId }) => wanted.has(shipmentId))
    .map(({ pickupId }) => pickupId)
  const waiting: WaitingForPickup[] = []
  // The carrier is told about all that wait for it together.
  for (const id of new Set(waitFor)) {
    const pickup = await store.byId(id)
    const shipments = notReported.filter(({ pickupId }) => pickupId === id).length
    if (pickup) waiting.push({ pickup: getPickupName(pickup), shipments })
  }
  const collected = await findCollected(database, [scope], shipmentIds)
  for (const { shipmentId } of notReported) collected.add(shipmentId)
  const others = shipmentIds.filter((id) => !collected.has(id))
  const bookings = await findBookings(database, [scope], "shipment_id", others)
  const isUncollected = (booking: BookedEntry) =>
    !findIncludedPickup(booking) && !readOwn(booking.own).dropOff
  return { uncollected: bookings.filter(isUncollected), waiting }
}

export async function leaveOutBrought<Shipment extends { shipmentId: string }>(
  { store: { database }, owner: { scope } }: OwnLedger,
  booked: readonly Shipment[],
): Promise<Shipment[]> {
  const ids = booked.map(({ shipmentId }) => shipmentId)
  const bookings = await findBookings(database, [scope], "shipment_id", ids)
  const brought = new Set(
    bookings.flatMap(({ own, shipmentId }) => (readOwn(own).dropOff ? [shipmentId] : [])),
  )
  return booked.filter(({ shipmentId }) => !brought.has(shipmentId))
}

function addToCollection(
  collections: Map<string, Collection>,
  key: string,
  connectorId: string,
  shipmentId: string,
  { request: made, facts: { carrier } }: Entry,
): void {
  const request = made as ConsignmentBookingRequest
  const there = collections.get(key) ?? {
    key,
    connectorId,
    carrier: carrier as Carrier | undefined,
    request,
    shipments: [],
  }
  there.shipments.push({ id: shipmentId, items: request.items })
  collections.set(key, there)
}

/** `pickup 2026-11-23 10:00-17:00 alexandria 3fa9c04d51b2`: readable in the history. */
function buildCollectionKey(
  connectorId: string,
  { collection, ...request }: ConsignmentBookingRequest,
): string {
  const { pickupDate: date, readyTime: ready, closeTime: close } = pickupTimes(request)
  const content = JSON.stringify([connectorId, date, ready, close, ...placeParts(collection)])
  return `pickup ${date} ${ready}-${close} ${collection.suburb} ${hash("sha256", content).slice(0, 12)}`
}

function sumItems(shipments: Collection["shipments"]): Items {
  return shipments.map(({ items }) => items).reduce(addItems)
}

function addItems(a: Items, b: Items): Items {
  return {
    count: a.count + b.count,
    totalWeightKg: numberOf(sum([a.totalWeightKg, b.totalWeightKg].map(decimalOf))),
    maxLengthCm: Math.max(a.maxLengthCm, b.maxLengthCm),
    maxWidthCm: Math.max(a.maxWidthCm, b.maxWidthCm),
    maxHeightCm: Math.max(a.maxHeightCm, b.maxHeightCm),
  }
}

/**
 * A single shipment's pickup names it; several shipments get a standalone pickup with all their goods (freight
 * behaviour 8: never both). It has one receiver and one service: those of the first booking.
 */
function buildPickupRequest({ carrier, request, shipments }: Collection): PickupBookingRequest {
  const times = pickupTimes(request)
  const [first, ...others] = shipments
  if (first && others.length === 0) return { shipmentId: first.id, ...times }
  const { collection, receiver, serviceCode } = request
  const isRead = !carrier || readsField("PickupBookingRequest", "serviceCode", carrier)
  const service = isRead ? { serviceCode } : {}
  return { ...times, ...service, collection, receiver, items: sumItems(shipments) }
}

export async function findBookedPickup(
  ledger: AccountLedger,
  api: Pick<FreightApi, "getShipment">,
  collection: Collection,
): Promise<Entry | undefined> {
  const { key, connectorId, carrier, shipments } = collection
  const { store, owner } = ledger
  const entry = await store.latest(owner.scope, "pickup", `key:${key}`)
  if (entry?.state === "done") return entry
  const pickup = { connectorId, carrier, request: buildPickupRequest(collection), key }
  // Its own is left out by `findSamePickup`.
  for (const { id } of shipments) {
    const own = await store.pickupOf(owner.scope, id)
    if (own && (await isWaitingAtTime(store.database, own, pickup, id))) return own
  }
  const same = await findSamePickup(ledger, api, pickup, collection.request.collection)
  return same?.state === "done" ? same : undefined
}

/** `11 shipments, 14 packages` */
function describeGoods(shipments: Collection["shipments"]): string {
  return `${counted(shipments.length, "shipment")}, ${counted(sumItems(shipments).count, "package")}`
}

/**
 * Books the pickup of each collection.
 * @param attempt runs each step, and keeps its error
 * @returns the booked pickups
 */
export async function bookCollections(
  deps: {
    api: FreightApi
    ledger: LedgerDeps
    moment: Moment
    note(text: string): Promise<void>
    warn(text: string): Promise<void>
    readonly globals: Globals
  },
  collections: readonly Collection[],
  attempt: (step: string, work: () => Promise<void>) => Promise<unknown>,
): Promise<PickupBookingResponse[]> {
  const booked: PickupBookingResponse[] = []
  // If a look-up fails here, the collection's own step fails below, and the others are booked.
  const before = await Promise.all(
    collections.map((each) =>
      findBookedPickup(deps.ledger, deps.api, each).catch((error: unknown) => void toStepError(error)),
    ),
  )
  const places = collections.filter((_, at) => !before[at]).map(collectionPlace)
  const question = `Book ${counted(places.length, "pickup")}: ${listSome(places)}?`
  for (const collection of collections) {
    const place = collectionPlace(collection)
    await attempt(`the pickup at ${place}`, async () => {
      const check = () => checkPickupTime(collection.request, deps.moment)
      const { response, reference, recorded, pickup, added, untold } = await bookCollection(
        deps.ledger,
        deps.api,
        collection,
        { check, question },
      )
      booked.push(response)
      await deps.note(
        `Pickup at ${place}, ${describeGoods(collection.shipments)}: booked${recorded ? " before" : ""}${reference ? `, ${reference}` : ""}.`,
      )
      if (added.length === 0) return
      const next = tellCommand({ pickup: getPickupName(pickup), shipments: untold })
      await deps.warn(
        `${describeGoods(added)} ${added.length === 1 ? "waits" : "wait"} for the pickup at ${place}, which was booked without ${added.length === 1 ? "it" : "them"}: call the carrier, then run ${onSameService(next, deps.globals)}`,
      )
    })
  }
  return booked
}

/** `Harbour Lighting, Alexandria with connector-a on 2026-11-23 at 10:00`. */
export function collectionPlace({ connectorId, request }: Collection): string {
  const { companyName, suburb } = request.collection
  return `${companyName}, ${suburb} with ${connectorId} on ${request.collectionDateTime.slice(0, 16).replace("T", " at ")}`
}

/**
 * Books a collection's pickup. If that is booked already, shipments that were added since are noted as waiting for it.
 * @param options `check` and `question` as in `Pickup`
 * @returns also the shipments that the carrier has to be told about
 */
export async function bookCollection(
  ledger: LedgerDeps,
  api: FreightApi,
  collection: Collection,
  options: Pick<Pickup, "check" | "question"> = {},
): Promise<BookedCollection> {
  const { key, connectorId, carrier, shipments } = collection
  const before = await findBookedPickup(ledger, api, collection)
  if (before) {
    const { database } = ledger.store
    const inIt = new Set(await findCollectedBy(database, before))
    const others = shipments.filter(({ id }) => !inIt.has(id))
    if (others.length > 0)
      await addToPickup(
        database,
        { id: before.id, scope: ledger.owner.scope },
        others.map(({ id }) => id),
      )
    const notReported = await findNotYetReported(database, { pickupId: before.id })
    const added = shipments.filter(({ id }) => notReported.some(({ shipmentId }) => shipmentId === id))
    const response = before.response as PickupBookingResponse
    return {
      response,
      reference: before.facts.reference ?? "",
      recorded: true,
      pickup: before,
      added,
      untold: notReported.length,
    }
  }
  const created = await sendPickup(ledger, api, {
    connectorId,
    carrier,
    request: buildPickupRequest(collection),
    key,
    isKeyGenerated: true,
    shipments: shipments.map(({ id }) => id),
    ...options,
  })
  const lost = findLostPickup(created)
  if (lost) throw lost
  const { response, entry } = created
  return {
    response,
    reference: response.orderNumber ?? "",
    recorded: false,
    pickup: entry,
    added: [],
    untold: 0,
  }
}

interface BookedCollection {
  response: PickupBookingResponse
  reference: string
  recorded: boolean
  pickup: Entry
  /** Shipments that wait until the carrier is told about them. */
  added: Collection["shipments"]
  /** How many wait for it, from any collection. */
  untold: number
}
