/** Finds the consignments collected on a day. Only a shipment's details tell the collection time, not the list. */
import { type FreightApi, shipmentPages } from "../api/freight.ts"
import { several } from "../api/several.ts"
import { placeParts } from "../contract/address-line.ts"
import { decimalOf, numberOf, sum } from "../contract/money.ts"
import type { BookingAddress, Carrier, ShipmentDetail, ShipmentSummary } from "../contract/generated/types.ts"
import { type CalendarDate, formatDate, instantOf, wallClockNow } from "../contract/wall-clock.ts"
import { type ContractZone, DEFAULT_ZONE, zoneOfCollection } from "../contract/zones.ts"
import type { Clock } from "../ports.ts"

interface Wanted {
  /** The day by the clock in the zone of the collection address; default: today there. */
  date: ((zone: ContractZone) => CalendarDate) | undefined
  carrier: Carrier | undefined
  /** The list has names, not connector ids. */
  connectorName: string | undefined
  /** How many days before the collection a shipment may have been booked. */
  bookedWithinDays: number
}

const DAY_MS = 86_400_000

interface CollectDeps {
  clock: Clock
  note(text: string): Promise<void>
}

/**
 * The consignments that are collected on the day, without cancelled ones: by carrier, place of collection, time, and
 * consignment number. Reads the list back to the first day on which they can have been booked, and the details of those
 * that come into question.
 * @throws FreightError when any of them cannot be read: a manifest must not lack one without a word
 */
export async function collectionsOf(
  deps: CollectDeps,
  api: Pick<FreightApi, "listShipments" | "getShipment">,
  wanted: Wanted,
): Promise<ShipmentDetail[]> {
  const now = deps.clock.now()
  const day = wanted.date
    ? instantOf({ ...wanted.date(DEFAULT_ZONE), hour: 0, minute: 0, second: 0 }, DEFAULT_ZONE)
    : now
  // A day of slack for zones and clocks.
  const earliest = day - (wanted.bookedWithinDays + 1) * DAY_MS
  const latest = day + 2 * DAY_MS
  const candidates: string[] = []
  for await (const page of shipmentPages(api)) {
    for (const shipment of page)
      if (isCandidate(shipment, wanted) && !isOutside(shipment, earliest, latest))
        candidates.push(shipment.id)
    if (page.length > 0 && page.every(({ createdAt }) => Date.parse(createdAt) < earliest)) break
  }
  if (candidates.length > 20) await deps.note(`Reading ${candidates.length} shipments…`)
  const details: ShipmentDetail[] = []
  for (const attempt of await several(candidates, (id) => api.getShipment(id))) {
    if (!attempt.ok) throw attempt.error
    details.push(attempt.result.shipment)
  }
  return details.filter((shipment) => isCollected(shipment, wanted, now)).sort(inOrder)
}

/** Of shipments that a person named: those that fit, in the manifest's order; on any day where none is wanted. */
export function collectedOf(shipments: readonly ShipmentDetail[], wanted: Wanted): ShipmentDetail[] {
  return shipments
    .filter((shipment) => isCandidate(shipment, wanted))
    .filter(
      (shipment) =>
        wanted.date === undefined ||
        getCollectionDay(shipment) === formatDate(wanted.date(zoneOfCollection(shipment))),
    )
    .sort(inOrder)
}

function isCandidate({ status, carrier, connectorName }: ShipmentSummary, wanted: Wanted): boolean {
  return (
    status === "CONSIGNED" &&
    (wanted.carrier === undefined || carrier === wanted.carrier) &&
    (wanted.connectorName === undefined || connectorName === wanted.connectorName)
  )
}

/** Unknown dates are included. */
function isOutside({ createdAt }: ShipmentSummary, earliest: number, latest: number): boolean {
  const at = Date.parse(createdAt)
  return at < earliest || at > latest
}

function isCollected(shipment: ShipmentDetail, { date }: Wanted, now: number): boolean {
  const zone = zoneOfCollection(shipment)
  const day = date?.(zone) ?? wallClockNow(now, zone)
  return shipment.status === "CONSIGNED" && getCollectionDay(shipment) === formatDate(day)
}

function inOrder(a: ShipmentDetail, b: ShipmentDetail): number {
  for (const of of ORDER) {
    const [one, other] = [of(a), of(b)]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

const ORDER: readonly ((shipment: ShipmentDetail) => string)[] = [
  ({ carrier }) => carrier,
  buildPlaceKey,
  ({ collectionDateTime }) => collectionDateTime,
  ({ consignmentNumber, orderNumber }) => consignmentNumber ?? orderNumber,
]

/** The same place if the driver reads the same address. */
function buildPlaceKey({ collection }: ShipmentDetail): string {
  return placeParts(collection).join("\n")
}

export interface Handover {
  carrier: Carrier
  /** `yyyy-MM-dd` */
  date: string
  collection: BookingAddress
  shipments: ShipmentDetail[]
}

/** Groups by carrier, place and day; keeps the order. */
export function handovers(shipments: readonly ShipmentDetail[]): Handover[] {
  const found = new Map<string, Handover>()
  for (const shipment of shipments) {
    const { carrier, collection } = shipment
    const date = getCollectionDay(shipment)
    const key = [carrier, date, buildPlaceKey(shipment)].join("\n")
    const handover = found.get(key) ?? { carrier, date, collection, shipments: [] }
    handover.shipments.push(shipment)
    found.set(key, handover)
  }
  return [...found.values()]
}

function getCollectionDay({ collectionDateTime }: ShipmentDetail): string {
  return collectionDateTime.slice(0, "yyyy-MM-dd".length)
}

/** Weight in kg, exact. */
export function totalsOf(shipments: readonly ShipmentDetail[]): { pieces: number; weightKg: number } {
  return {
    pieces: shipments.reduce((pieces, { items }) => pieces + items.count, 0),
    weightKg: numberOf(sum(shipments.map(({ items }) => decimalOf(items.totalWeightKg)))),
  }
}
