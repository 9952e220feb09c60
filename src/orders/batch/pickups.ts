/** Pickups of a batch: one for each collection address, connector and time. */
import { hash } from "node:crypto"
import type { FreightApi } from "../../api/freight.ts"
import { several } from "../../api/several.ts"
import {
  checkPickupTime,
  findLostPickup,
  type Pickup,
  pickupContent,
  pickupTimes,
  sendPickup,
} from "../booking/pickup.ts"
import { readsField } from "../../carriers/fields.ts"
import { placeParts } from "../../contract/address-line.ts"
import type { Moment } from "../../contract/collection-times.ts"
import { counted, listSome } from "../../base/counted.ts"
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
import { contentHash } from "../../ledger/content.ts"
import type { LedgerDeps } from "../../ledger/create.ts"
import type { Entry } from "../../ledger/entry.ts"
import { findIncludedPickup, findPickup, saysPickup, unclearPickup } from "../../ledger/pickups.ts"
import { type BookedEntry, findBookings, findCollected } from "../../ledger/records/bills.ts"
import { NotSent } from "../../ledger/refusals.ts"

export interface Collection {
  /** Key in the ledger, so that no later run books it again. */
  key: string
  connectorId: string
  carrier: Carrier | undefined
  /** The first booking stands for all. */
  request: ConsignmentBookingRequest
  items: Items
  shipments: string[]
}

interface Collecting {
  collections: Collection[]
  collected: string[]
  /** Shipments that may have one, and why that is unknown. */
  unclear: { shipmentId: string; reference?: string | undefined; error: FreightError }[]
}

/** Groups shipments into collections, in their order, after looking for existing pickups. */
export async function groupCollections(
  ledger: Pick<LedgerDeps, "store" | "owner">,
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
  for (const attempt of asked) {
    const { shipmentId } = attempt.item
    if (!attempt.ok) unclear.push({ shipmentId, error: attempt.error })
    else {
      const { found, booking } = attempt.result
      const { connectorId, reference } = booking?.facts ?? {}
      if (!booking || connectorId === undefined) continue
      const key = buildCollectionKey(connectorId, booking.request as ConsignmentBookingRequest)
      const isOwn = found.entry?.key === `key:${key}`
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

/** Those of the shipments, booked from here, for which the ledger knows of no pickup. The API is not asked. */
export async function findWithoutPickup(
  { store: { database }, owner: { scope } }: Pick<LedgerDeps, "store" | "owner">,
  shipmentIds: readonly string[],
): Promise<BookedEntry[]> {
  const collected = await findCollected(database, [scope], shipmentIds)
  const others = shipmentIds.filter((id) => !collected.has(id))
  const bookings = await findBookings(database, [scope], "shipment_id", others)
  return bookings.filter((booking) => !findIncludedPickup(booking))
}

function addToCollection(
  collections: Map<string, Collection>,
  key: string,
  connectorId: string,
  shipmentId: string,
  { request: made, facts: { carrier } }: Entry,
): void {
  const request = made as ConsignmentBookingRequest
  const there = collections.get(key)
  if (there) {
    there.items = addItems(there.items, request.items)
    there.shipments.push(shipmentId)
    return
  }
  collections.set(key, {
    key,
    connectorId,
    carrier: carrier as Carrier | undefined,
    request,
    items: request.items,
    shipments: [shipmentId],
  })
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
function buildPickupRequest({ carrier, request, items, shipments }: Collection): PickupBookingRequest {
  const times = pickupTimes(request)
  const [shipmentId, ...others] = shipments
  if (shipmentId !== undefined && others.length === 0) return { shipmentId, ...times }
  const { collection, receiver, serviceCode } = request
  const isRead = !carrier || readsField("PickupBookingRequest", "serviceCode", carrier)
  const service = isRead ? { serviceCode } : {}
  return { ...times, ...service, collection, receiver, items }
}

/** The pickup of a collection that was booked before. */
export async function findBookedPickup(
  { store, owner }: Pick<LedgerDeps, "store" | "owner">,
  { key }: Collection,
): Promise<Entry | undefined> {
  const entry = await store.latest(owner.scope, "pickup", `key:${key}`)
  return entry?.state === "done" ? entry : undefined
}

interface CollectDeps {
  api: FreightApi
  ledger: LedgerDeps
  moment: Moment
  note(text: string): Promise<void>
  warn(text: string): Promise<void>
}

/**
 * Books the pickup of each collection.
 * @param attempt runs each step, and keeps what it fails with
 * @returns the pickups that stand
 */
export async function bookCollections(
  deps: CollectDeps,
  collections: readonly Collection[],
  attempt: (step: string, work: () => Promise<void>) => Promise<void>,
): Promise<PickupBookingResponse[]> {
  const booked: PickupBookingResponse[] = []
  const before = await Promise.all(collections.map((each) => findBookedPickup(deps.ledger, each)))
  const places = collections.filter((_, at) => !before[at]).map(collectionPlace)
  const question = `Book ${counted(places.length, "pickup")}: ${listSome(places)}?`
  for (const collection of collections) {
    const place = collectionPlace(collection)
    await attempt(`the pickup at ${place}`, async () => {
      const check = () => checkPickupTime(collection.request, deps.moment)
      const { response, reference, recorded, isOther } = await bookCollection(
        deps.ledger,
        deps.api,
        collection,
        { check, question },
      )
      booked.push(response)
      const goods = `${counted(collection.shipments.length, "shipment")}, ${counted(collection.items.count, "package")}`
      await deps.note(
        `Pickup at ${place}, ${goods}: booked${recorded ? " before" : ""}${reference ? `, ${reference}` : ""}.`,
      )
      if (isOther)
        await deps.warn(
          `the pickup at ${place} was booked for different goods: tell the carrier about ${goods}`,
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
 * Books a collection's pickup, or returns the recorded one; `isOther` if that was for other goods.
 * @param options `check` and `question` as in `Pickup`
 * @throws what `sendPickup` throws, and `stepFailed` if the carrier has it and the service lost it
 */
export async function bookCollection(
  ledger: LedgerDeps,
  api: FreightApi,
  collection: Collection,
  options: Pick<Pickup, "check" | "question"> = {},
) {
  const { key, connectorId, carrier, shipments } = collection
  const request = buildPickupRequest(collection)
  const before = await findBookedPickup(ledger, collection)
  if (before) {
    const isOther = contentHash("pickup", pickupContent(connectorId, request)) !== before.content
    const response = before.response as PickupBookingResponse
    return { response, reference: before.facts.reference ?? "", recorded: true, isOther }
  }
  const pickup = {
    connectorId,
    carrier,
    request,
    key,
    isKeyGenerated: true,
    shipments,
    ...options,
  }
  const created = await sendPickup(ledger, api, pickup)
  const lost = findLostPickup(created)
  if (lost) throw lost
  const { response } = created
  return { response, reference: response.orderNumber ?? "", recorded: false, isOther: false }
}
