/** The state of a consignment at a given time: derived from the booking, never stored. */
import type { Carrier, TrackingEvent, TrackingInfo } from "../contract/generated/types.ts"
import {
  formatDate,
  formatWallClock,
  instantOf,
  nextBusinessDay,
  parseWallClock,
  wallClockNow,
} from "../base/wall-clock.ts"
import { zoneOrDefault } from "../contract/index.ts"
import { consignmentNumber, type Service, findService } from "./carriers.ts"
import type { ShipmentEvent } from "./events.ts"
import { findDeliveryDate, findLane, type Locality, countTransitDays } from "./pricing.ts"
import { fraction } from "./faults.ts"
import { type Trigger, triggersIn } from "./triggers.ts"
import { CLAUSES } from "./clauses.ts"

export interface Journey {
  readonly carrier: Carrier
  readonly consignment: string
  readonly service: Service
  readonly from: Locality
  readonly to: Locality
  /** Milliseconds since the epoch. */
  readonly bookedAt: number
  /** `yyyy-MM-ddTHH:mm:ss`, on the clock at `from`. */
  readonly collectionDateTime: string
  readonly items: number
  readonly receiver: string
  readonly cancelled: boolean
  /** Words in its booking that make it go wrong on its way. */
  readonly triggers?: ReadonlySet<Trigger>
}

export function toJourney(
  { carrier, number, createdAt }: { carrier: Carrier; number: number; createdAt: number },
  { request, cancelled = false, planted = [] }: ShipmentEvent,
): Journey {
  const service = findService(carrier, request.serviceCode)
  if (!service) throw new Error(`service ${request.serviceCode} was booked and is no longer sold`)
  return {
    carrier,
    consignment: consignmentNumber(carrier, number),
    service,
    from: request.collection,
    to: request.receiver,
    bookedAt: createdAt,
    collectionDateTime: request.collectionDateTime,
    items: request.items.count,
    receiver: request.receiver.contactName ?? request.receiver.companyName,
    cancelled,
    triggers: new Set([...triggersIn(JSON.stringify(request)), ...planted]),
  }
}

const MINUTE = 60_000
const DAY = 86_400_000

/** Tracking from the carrier at `now`: newest event first. */
export function buildTracking(journey: Journey, now: number, seed: number): TrackingInfo {
  const { events, eta } = timeline(journey, seed)
  const past = events.filter(({ at }) => at <= now)
  const newest = past.at(-1) ?? events[0]
  const delivered = newest?.status === "Delivered"
  return {
    currentStatus: newest?.status ?? "Booked",
    eta,
    ...(delivered && { deliveredAt: timestamp(newest.at) }),
    events: past.map(toTrackingEvent).reverse(),
    ...(delivered && CLAUSES[journey.carrier].provesDelivery && { pod: proofOfDelivery(journey) }),
  }
}

/** When it is collected and when delivered; undefined if it is never collected. Milliseconds since the epoch. */
export function findCollection(
  journey: Journey,
  seed: number,
): { collectedAt: number; deliveredAt: number } | undefined {
  const [, collected, ...others] = timeline(journey, seed).events
  const delivered = others.at(-1)
  return collected && delivered && { collectedAt: collected.at, deliveredAt: delivered.at }
}

interface Stop {
  readonly at: number
  readonly status: string
  readonly location: string
  readonly description: string
}

function timeline(journey: Journey, seed: number): { events: Stop[]; eta: string } {
  const { from, to, bookedAt, service } = journey
  const minutes = (name: string, least: number, most: number) =>
    (least + fraction(`${seed}:${journey.consignment}:${name}`) * (most - least)) * MINUTE
  const [fromZone, toZone] = [zoneOrDefault(from), zoneOrDefault(to)]
  const wait = minutes("collected", 10, 50)
  const later = findLaterCollection(journey)
  const collected =
    later === undefined
      ? Math.max(instantAt(journey.collectionDateTime, fromZone) + wait, bookedAt + 30 * MINUTE)
      : instantAt(`${later}T${COURIER_COMES}`, fromZone) + wait
  const leaves = formatDate(wallClockNow(collected, fromZone))
  const eta = findDeliveryDate(leaves, countTransitDays(findLane(journey.carrier, from, to), service))
  const due = instantAt(`${eta}T${service.deliveredBy}`, toZone)
  const booked = { at: bookedAt, status: "Booked", location: from.suburb, description: "Consignment created" }
  if (journey.cancelled)
    return {
      events: [booked, { ...booked, at: bookedAt + MINUTE, status: "Cancelled", description: "Cancelled" }],
      eta,
    }
  if (journey.triggers?.has("sandbox:not-collected")) return { events: [booked], eta }
  const late = journey.triggers?.has("sandbox:late") ? 2 * DAY : 0
  const events = [
    booked,
    { at: collected, status: "Collected", location: from.suburb, description: "Picked up from the sender" },
    {
      at: collected + minutes("departed", 180, 300),
      status: "In transit",
      location: `${from.state} depot`,
      description: "Departed from the depot of origin",
    },
    {
      at: instantAt(`${eta}T04:30:00`, toZone) + late + minutes("arrived", 0, 60),
      status: "In transit",
      location: `${to.state} depot`,
      description: "Arrived at the depot of destination",
    },
    {
      at: instantAt(`${eta}T06:30:00`, toZone) + late + minutes("out", 0, 60),
      status: "Out for delivery",
      location: to.suburb,
      description: "On board for delivery",
    },
    {
      at: due + late - minutes("delivered", 5, 55),
      status: "Delivered",
      location: to.suburb,
      description: "Delivered in full",
    },
  ]
  return { events: orderStops(events), eta }
}

/** When couriers begin, on a day that was not asked for. */
const COURIER_COMES = "09:00:00"

/**
 * The day on which a courier comes instead (`yyyy-MM-dd`): the next business day if it was booked after the booking cutoff
 * of its day, or the goods are ready after the last collection. Undefined if it is collected as requested.
 */
export function findLaterCollection({
  from,
  bookedAt,
  collectionDateTime,
  service,
}: Pick<Journey, "from" | "bookedAt" | "collectionDateTime" | "service">): string | undefined {
  const ready = parseWallClock(collectionDateTime.slice(0, "yyyy-MM-ddTHH:mm:ss".length))
  if (!ready.ok) return undefined
  const [day, readyAt = ""] = formatWallClock(ready.value).split("T")
  const now = wallClockNow(bookedAt, zoneOrDefault(from))
  const [today, time = ""] = formatWallClock(now).split("T")
  const isTooLate = readyAt > service.collectionCutoff || (today === day && time > service.bookingCutoff)
  return isTooLate ? formatDate(nextBusinessDay(ready.value)) : undefined
}

/** A late evening collection would otherwise depart after it arrives. */
function orderStops(stops: readonly Stop[]): Stop[] {
  let earliest = 0
  return stops.map((stop) => {
    const at = Math.max(stop.at, earliest)
    earliest = at + MINUTE
    return { ...stop, at }
  })
}

function instantAt(local: string, zone: string): number {
  const wallClock = parseWallClock(local.slice(0, "yyyy-MM-ddTHH:mm:ss".length))
  return wallClock.ok ? instantOf(wallClock.value, zone) : 0
}

function toTrackingEvent({ at, ...event }: Stop): TrackingEvent {
  return { timestamp: timestamp(at), ...event }
}

function timestamp(at: number): string {
  return new Date(at).toISOString()
}

function proofOfDelivery({ consignment, items, receiver, triggers }: Journey) {
  return {
    deliveryNotation: "Signed for at the door",
    itemsReceived: String(triggers?.has("sandbox:short") ? items - 1 : items),
    signedBy: receiver.toUpperCase(),
    signatureImageUrl: `https://signatures.sandbox.example/${consignment}.png`,
  }
}
