/** Finds the consignments collected on a day. Only a shipment's details have its collection time; the list has not. */
import { type FreightApi, readBack, several } from "../../api/index.ts"
import { DEFAULT_ZONE, placeParts, zoneOfCollection } from "../../contract/index.ts"
import { decimalOf, numberOf, sum } from "../../base/money.ts"
import type {
  BookingAddress,
  Carrier,
  ShipmentDetail,
  ShipmentSummary,
} from "../../contract/generated/types.ts"
import { type CalendarDate, formatDate, instantOf, wallClockNow } from "../../base/wall-clock.ts"
import type { Clock } from "../../base/ports.ts"
import { FreightError } from "../../base/errors.ts"
import { listSome } from "../../base/counted.ts"

interface CollectionFilter {
  /**
   * The day by the clock in the zone of the collection address; undefined: today there, or any day for named shipments.
   */
  date: ((zone: string) => CalendarDate) | undefined
  carrier: Carrier | undefined
  /** The list has names, not connector ids. */
  connectorName: string | undefined
  /** How many days before the collection a shipment may have been booked. */
  bookedWithinDays: number
}

const NEEDED = ["collection", "collectionDateTime", "receiver", "items"] as const

export type ManifestShipment = Having<ShipmentDetail, (typeof NEEDED)[number]>

const DAY_MS = 86_400_000

/**
 * The consignments collected on the day, without those for which no driver comes, sorted by carrier, place of
 * collection, time and consignment number. Reads the list back to the first day on which they can have been booked, and
 * the details of possible ones. One that cannot be read, or lacks a field of a manifest, is an error: a manifest must
 * not lack one silently.
 */
export async function findCollections(
  deps: {
    clock: Clock
    note(text: string): Promise<void>
    /** The shipments for which no driver comes, which only the ledger knows. */
    findUncollected(shipments: readonly string[]): Promise<ReadonlySet<string>>
  },
  api: Pick<FreightApi, "listShipments" | "getShipment">,
  filter: CollectionFilter,
): Promise<ManifestShipment[]> {
  const now = deps.clock.now()
  const day = filter.date
    ? instantOf({ ...filter.date(DEFAULT_ZONE), hour: 0, minute: 0, second: 0 }, DEFAULT_ZONE)
    : now
  // A day of slack for zones and clocks.
  const earliest = day - (filter.bookedWithinDays + 1) * DAY_MS
  const latest = day + 2 * DAY_MS
  const candidates: string[] = []
  for await (const page of readBack(api, () => earliest))
    for (const shipment of page) {
      const booked = Date.parse(shipment.createdAt ?? "")
      // A shipment with an unknown time is possible.
      if (matches(shipment, filter) && !(booked < earliest || booked > latest)) candidates.push(shipment.id)
    }
  const uncollected = await deps.findUncollected(candidates)
  const wanted = candidates.filter((id) => !uncollected.has(id))
  if (wanted.length > 20) await deps.note(`Reading ${wanted.length} shipments…`)
  const details: ShipmentDetail[] = []
  for (const attempt of await several(wanted, (id) => api.getShipment(id))) {
    if (!attempt.ok) throw attempt.error
    details.push(attempt.result.shipment)
  }
  const { date = (zone) => wallClockNow(now, zone) } = filter
  return selectCollections(details, { ...filter, date })
}

/** Selects the shipments that fit, in the manifest's order; of any day if the filter has none. */
export function selectCollections(
  shipments: readonly ShipmentDetail[],
  filter: CollectionFilter,
): ManifestShipment[] {
  const { date } = filter
  const isOnDay = (shipment: ManifestShipment) =>
    date === undefined || getCollectionDay(shipment) === formatDate(date(zoneOfCollection(shipment)))
  return shipments
    .filter((shipment) => matches(shipment, filter))
    .map((shipment) => requireFields(shipment, `shipment ${shipment.id}`, NEEDED))
    .filter(isOnDay)
    .sort((a, b) => (buildSortKey(a) < buildSortKey(b) ? -1 : 1))
}

function matches({ status, carrier, connectorName }: ShipmentSummary, filter: CollectionFilter): boolean {
  return (
    status !== "CANCELLED" &&
    (filter.carrier === undefined || carrier === filter.carrier) &&
    (filter.connectorName === undefined || connectorName === filter.connectorName)
  )
}

function buildSortKey(shipment: ManifestShipment): string {
  const { carrier, collectionDateTime, consignmentNumber, orderNumber } = shipment
  return [carrier, buildPlaceKey(shipment), collectionDateTime, consignmentNumber ?? orderNumber].join("\n")
}

/** Two places are the same if the driver reads the same address. */
function buildPlaceKey({ collection }: ManifestShipment): string {
  return placeParts(collection).join("\n")
}

export interface Handover {
  carrier: string
  /** `yyyy-MM-dd` */
  date: string
  collection: BookingAddress
  shipments: ManifestShipment[]
}

/** Groups by carrier, place and day; keeps the order. */
export function groupByHandover(shipments: readonly ManifestShipment[]): Handover[] {
  const found = new Map<string, Handover>()
  for (const shipment of shipments) {
    const { carrier = "", collection } = shipment
    const date = getCollectionDay(shipment)
    const key = [carrier, date, buildPlaceKey(shipment)].join("\n")
    const handover = found.get(key) ?? { carrier, date, collection, shipments: [] }
    handover.shipments.push(shipment)
    found.set(key, handover)
  }
  return [...found.values()]
}

function getCollectionDay({ collectionDateTime }: ManifestShipment): string {
  return collectionDateTime.slice(0, "yyyy-MM-dd".length)
}

export function sumShipments(shipments: readonly ManifestShipment[]): { pieces: number; weightKg: number } {
  return {
    pieces: shipments.reduce((pieces, { items }) => pieces + items.count, 0),
    weightKg: numberOf(sum(shipments.map(({ items }) => decimalOf(items.totalWeightKg)))),
  }
}

function requireFields<Thing extends object, Name extends keyof Thing & string>(
  thing: Thing,
  what: string,
  names: readonly Name[],
): Having<Thing, Name> {
  const lacking = names.filter((name) => thing[name] === undefined || thing[name] === null)
  if (lacking.length === 0) return thing as Having<Thing, Name>
  throw new FreightError(
    "unreadable",
    `${what} cannot be used: the service's reply has no ${listSome(lacking, 5)} that can be read`,
    {
      hint: "freight doctor --contract prints a report for the provider.",
      next: "freight doctor --contract",
    },
  )
}

/** A value that has these fields, whatever its reply may lack. */
type Having<Thing, Name extends keyof Thing> = Thing & {
  [Each in Name]-?: NonNullable<Thing[Each]>
}
