/**
 * A booking with its times: when it is collected, scanned and due. From times and fields, never from a carrier's words.
 */
import type { BookingResponse, ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import { type PlaceClock, toPlaceClock, zoneOfCollection, zoneOrDefault } from "../../contract/index.ts"
import {
  dayAt,
  formatDate,
  instantOf,
  parseWallClock,
  type WallClock,
  writtenDay,
} from "../../base/wall-clock.ts"
import type { Entry, Journey, TrackedBooking } from "../../ledger/index.ts"

/** All instants are milliseconds since the epoch. */
export interface ScheduledBooking {
  entry: Entry
  journey: Journey | undefined
  shipmentId: string
  request: Partial<ConsignmentBookingRequest>
  response: Partial<BookingResponse>
  readyAt: number
  /** The same by the clock at the collection. */
  ready: WallClock
  collectionZone: string
  collectionClock: PlaceClock | undefined
  receiverZone: string
  bookedAt: number
  /** The promised day, `yyyy-MM-dd` at the receiver: from the rate, otherwise from the carrier's tracking. */
  dueOn: string | undefined
  lostPickup?: string | undefined
  /** The pickup that it waits for, and how many wait for that: the carrier has to be told about them. */
  waitsFor?: { pickup: string; shipments: number }
}

/** Undefined for a booking without a shipment, or whose collection cannot be read. */
export function toScheduled({ entry, journey }: TrackedBooking): ScheduledBooking | undefined {
  const { facts, sentAt } = entry
  const request = Object(entry.request) as Partial<ConsignmentBookingRequest>
  const ready = parseWallClock(String(request.collectionDateTime ?? ""))
  if (facts.shipmentId === undefined || !ready.ok) return undefined
  const collectionZone = zoneOfCollection(request)
  return {
    entry,
    journey,
    shipmentId: facts.shipmentId,
    request,
    response: Object(entry.response) as Partial<BookingResponse>,
    readyAt: instantOf(ready.value, collectionZone),
    ready: ready.value,
    collectionZone,
    collectionClock: toPlaceClock(request.collection ?? request.sender),
    receiverZone: zoneOrDefault({ suburb: facts.receiverSuburb, state: facts.receiverState }),
    bookedAt: Date.parse(sentAt),
    dueOn: writtenDay(facts.eta) ?? writtenDay(journey?.eta),
  }
}

/** The command that books the pickups of everything collected on a day, `yyyy-MM-dd`. */
export function collectCommand(day: string): string {
  return `freight pickup book --open --date ${day}`
}

/** Whether it is collected on a day; by default today or tomorrow, by the clock there. */
export function isCollectedOn(booking: ScheduledBooking, now: number, day: string | undefined): boolean {
  return day ? formatDate(booking.ready) === day : isCollectedWithin(booking, now, 0, 1)
}

/** Whether it is collected within a range of days from today, by the clock there. */
export function isCollectedWithin(
  { ready, collectionZone }: ScheduledBooking,
  now: number,
  from: number,
  to: number,
): boolean {
  const day = formatDate(ready)
  return day >= dayAt(now, collectionZone, from) && day <= dayAt(now, collectionZone, to)
}

export function isLate({ journey, dueOn, receiverZone }: ScheduledBooking, now: number): boolean {
  return journey?.deliveredAt === undefined && dueOn !== undefined && dueOn < dayAt(now, receiverZone, 0)
}
