/**
 * A booking with its times: when it is collected, scanned and due. From times and fields, never from a carrier's words.
 */
import type { BookingResponse, ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import {
  nameClock,
  type PlaceClock,
  toPlaceClock,
  zoneOfCollection,
  zoneOrDefault,
} from "../../contract/index.ts"
import {
  addDays,
  formatClock,
  formatDate,
  formatDayAndTime,
  instantOf,
  isWeekend,
  parseWallClock,
  type WallClock,
  wallClockNow,
  writtenDay,
} from "../../base/wall-clock.ts"
import { BOOKING_EVENTS_MS, type Entry, type Journey, type TrackedBooking } from "../../ledger/index.ts"

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

/** Whether anything was seen of it since the goods were ready. A scan before that is followed by others. */
export function isScanned({ journey, readyAt, bookedAt }: ScheduledBooking): boolean {
  const last = Date.parse(journey?.lastEventAt ?? "")
  return journey?.deliveredAt !== undefined || last >= Math.max(readyAt, bookedAt + BOOKING_EVENTS_MS)
}

/** The command that books the pickups of everything collected on a day, `yyyy-MM-dd`. */
export function collectCommand(day: string): string {
  return `freight pickup book --open --date ${day}`
}

/** When a first scan is due. Weekends do not count. */
export function scanDueAt({ readyAt, collectionZone }: ScheduledBooking, hours: number): number {
  let due = readyAt + hours * 3_600_000
  while (isWeekend(wallClockNow(due, collectionZone))) due += 86_400_000
  return due
}

/** `yyyy-MM-dd`, this many days from today by the clock of a zone. */
function dayFrom(now: number, zone: string, days: number): string {
  return formatDate(addDays(wallClockNow(now, zone), days))
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
  return day >= dayFrom(now, collectionZone, from) && day <= dayFrom(now, collectionZone, to)
}

/** Whether the promised day has come at the receiver, or no day was promised. */
export function isExpected({ dueOn, receiverZone }: ScheduledBooking, now: number): boolean {
  return dueOn === undefined || dueOn <= dayFrom(now, receiverZone, 0)
}

export function isLate({ journey, dueOn, receiverZone }: ScheduledBooking, now: number): boolean {
  return journey?.deliveredAt === undefined && dueOn !== undefined && dueOn < dayFrom(now, receiverZone, 0)
}

/** Some carriers count the delivered items in the proof of delivery. */
export function hasItemsMissing({ journey, request }: ScheduledBooking): boolean {
  const sent = request.items?.count
  return journey?.itemsReceived !== undefined && sent !== undefined && journey.itemsReceived < sent
}

/** `today from 10:00` */
export function formatCollection(
  { ready, collectionZone, collectionClock }: ScheduledBooking,
  now: number,
): string {
  const day = formatDate(ready)
  const time = formatClock(ready) + nameClock(ready, collectionClock)
  if (day === dayFrom(now, collectionZone, 0)) return `today from ${time}`
  if (day === dayFrom(now, collectionZone, 1)) return `tomorrow from ${time}`
  return formatDayAndTime(ready) + nameClock(ready, collectionClock)
}
