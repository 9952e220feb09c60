/** Whether a booking's first scan, collection or delivery is due. The promised day is a day at the receiver. */
import {
  dayAt,
  formatClock,
  formatDate,
  formatDayAndTime,
  isWeekend,
  wallClockNow,
} from "../../base/wall-clock.ts"
import { nameClock } from "../../contract/index.ts"
import { BOOKING_EVENTS_MS } from "../../ledger/index.ts"
import type { ScheduledBooking } from "../../orders/index.ts"

/** Whether anything was seen of it since the goods were ready. A scan before that is followed by others. */
export function isScanned({ journey, readyAt, bookedAt }: ScheduledBooking): boolean {
  const last = Date.parse(journey?.lastEventAt ?? "")
  return journey?.deliveredAt !== undefined || last >= Math.max(readyAt, bookedAt + BOOKING_EVENTS_MS)
}

/** When a first scan is due. Weekends do not count. */
export function scanDueAt({ readyAt, collectionZone }: ScheduledBooking, hours: number): number {
  let due = readyAt + hours * 3_600_000
  while (isWeekend(wallClockNow(due, collectionZone))) due += 86_400_000
  return due
}

/** Whether the promised day has come at the receiver, or no day was promised. */
export function isExpected({ dueOn, receiverZone }: ScheduledBooking, now: number): boolean {
  return dueOn === undefined || dueOn <= dayAt(now, receiverZone, 0)
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
  if (day === dayAt(now, collectionZone, 0)) return `today from ${time}`
  if (day === dayAt(now, collectionZone, 1)) return `tomorrow from ${time}`
  return formatDayAndTime(ready) + nameClock(ready, collectionClock)
}
