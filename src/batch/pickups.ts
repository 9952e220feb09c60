/** Pickups of a batch: one for each collection address, connector and time, however many rows are collected there. */
import { createHash } from "node:crypto"
import type { FreightApi } from "../api/freight.ts"
import { bookingOf, lostPickup, pickupTimes, sendPickup } from "../booking/pickup.ts"
import { decimalOf, numberOf, sum } from "../contract/decimal.ts"
import type {
  BookingResponse,
  Carrier,
  ConsignmentBookingRequest,
  Items,
  PickupBookingRequest,
} from "../contract/generated/types.ts"
import { contentHash } from "../ledger/content.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import type { Entry } from "../ledger/entry.ts"

/** What is collected in one go. */
export interface Collection {
  /** Names the pickup in the ledger, so that no later run of any batch books it again. */
  key: string
  connectorId: string
  carrier: Carrier | undefined
  /** Of the first booking, which stands for all. */
  first: { shipmentId: string; request: ConsignmentBookingRequest }
  items: Items
  shipments: number
}

/** What is to be collected for these shipments, in their order. */
export async function collectionsOf(
  ledger: Pick<LedgerDeps, "store" | "scope">,
  booked: readonly { shipmentId: string }[],
): Promise<Collection[]> {
  const collections = new Map<string, Collection>()
  for (const { shipmentId } of booked) {
    const entry = await bookingOf(ledger, shipmentId)
    if (entry) await collect(collections, ledger, entry)
  }
  return [...collections.values()]
}

/**
 * Adds a booking to the collection that it belongs to. One that has its pickup already is left out: booked with it, or
 * arranged before it, or made by `freight pickup book` or `freight book --pickup`.
 */
async function collect(
  collections: Map<string, Collection>,
  ledger: Pick<LedgerDeps, "store" | "scope">,
  entry: Entry,
): Promise<void> {
  const { connectorId, carrier, shipmentId } = entry.facts
  const request = entry.request as ConsignmentBookingRequest
  const { pickupStatus } = (entry.response ?? {}) as Partial<BookingResponse>
  if (connectorId === undefined || shipmentId === undefined || request.pickupBookingNumber) return
  if (pickupStatus === "BOOKED" || pickupStatus === "RECONCILE_NEEDED") return
  if (await hasOwnPickup(ledger, entry, connectorId, shipmentId)) return

  const key = keyOf(connectorId, request)
  const there = collections.get(key)
  if (there) {
    there.items = together(there.items, request.items)
    there.shipments++
    return
  }
  const first = { shipmentId, request }
  collections.set(key, {
    key,
    connectorId,
    carrier: carrier as Carrier | undefined,
    first,
    items: request.items,
    shipments: 1,
  })
}

/** `pickup 2026-11-23 10:00-17:00 alexandria 3fa9c04d51b2`: a person finds it in the history. */
function keyOf(connectorId: string, { collection, ...request }: ConsignmentBookingRequest): string {
  const { pickupDate: date, readyTime: ready, closeTime: close } = pickupTimes(request)
  const { companyName, address1, address2 = "", suburb, state, postcode } = collection
  const place = [companyName, address1, address2, suburb, state, postcode].map((text) =>
    text.trim().replace(/\s+/g, " ").toLowerCase(),
  )
  const hash = createHash("sha256")
    .update(JSON.stringify([connectorId, date, ready, close, ...place]))
    .digest("hex")
    .slice(0, 12)
  return `pickup ${date} ${ready}-${close} ${suburb} ${hash}`
}

/** Whether this machine booked, or perhaps booked, a pickup for this shipment alone. */
async function hasOwnPickup(
  { store, scope }: Pick<LedgerDeps, "store" | "scope">,
  { key }: Entry,
  connectorId: string,
  shipmentId: string,
): Promise<boolean> {
  const keys = [`${key} pickup`, `content:${contentHash("pickup", { connectorId, shipmentId })}`]
  for (const each of keys) {
    const state = (await store.latest(scope, "pickup", each))?.state
    if (state === "done" || state === "unknown") return true
  }
  return false
}

function together(a: Items, b: Items): Items {
  return {
    count: a.count + b.count,
    totalWeightKg: numberOf(sum([a.totalWeightKg, b.totalWeightKg].map(decimalOf))),
    maxLengthCm: Math.max(a.maxLengthCm, b.maxLengthCm),
    maxWidthCm: Math.max(a.maxWidthCm, b.maxWidthCm),
    maxHeightCm: Math.max(a.maxHeightCm, b.maxHeightCm),
  }
}

/**
 * The request: for a single shipment by its id, whose address and goods are then the pickup's; for several on its own,
 * with all their goods (freight behaviour 8: the two are never mixed). The contract has room for one receiver and one
 * service: the first booking's stand for all.
 */
function requestFor({ carrier, first, items, shipments }: Collection): PickupBookingRequest {
  const { shipmentId, request } = first
  const times = pickupTimes(request)
  if (shipments === 1) return { shipmentId, ...times }
  const { collection, receiver, serviceCode } = request
  // Carrier B does not read the service.
  const service = carrier === "CARRIER_B_AU" ? {} : { serviceCode }
  return { ...times, ...service, collection, receiver, items }
}

interface PickupOutcome {
  /** The carrier's reference. */
  reference: string
  /** Booked by an earlier run; `isOther` when that was for other goods. */
  recorded: boolean
  isOther: boolean
}

/**
 * Books the pickup of a collection, or gives the one that was booked.
 * @throws what `sendPickup` throws, and `stepFailed` when the carrier has it and the service lost it
 */
export async function bookCollection(
  ledger: LedgerDeps,
  api: FreightApi,
  collection: Collection,
): Promise<PickupOutcome> {
  const { key, connectorId, carrier } = collection
  const request = requestFor(collection)
  const before = await ledger.store.latest(ledger.scope, "pickup", `key:${key}`)
  if (before?.state === "done") {
    const { shipmentId } = request
    const content = shipmentId === undefined ? { connectorId, ...request } : { connectorId, shipmentId }
    const isOther = contentHash("pickup", content) !== before.content
    return { reference: before.facts.reference ?? "", recorded: true, isOther }
  }
  const created = await sendPickup(ledger, api, { connectorId, carrier, request, key, madeUp: true })
  const lost = lostPickup(created)
  if (lost) throw lost
  return { reference: created.response.orderNumber ?? "", recorded: false, isOther: false }
}
