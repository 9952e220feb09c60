/** Local times of a place, with its name if this machine's clock shows another time. */
import {
  formatClock,
  formatInstant,
  formatMoment,
  instantOf,
  parseTimeOfDay,
  parseWallClock,
  type WallClock,
  wallClockNow,
} from "../base/wall-clock.ts"
import { type ZonedPlace, zoneOfPlace } from "./place-zones.ts"
import { stateCode } from "./zones.ts"

export interface PlaceClock {
  /** The place's name: `Fremantle`. */
  name: string
  zone: string
}

type Place = ZonedPlace | null | undefined

/** The places of collection and delivery. */
export interface Ends {
  from?: Place
  to?: Place
}

/** Undefined if the state is unknown. */
export function toPlaceClock(place: Place): PlaceClock | undefined {
  const { suburb, state = "" } = place ?? {}
  const zone = zoneOfPlace({ suburb, state })
  return zone === undefined ? undefined : { name: suburb || state, zone }
}

/** The clock of an event's place: sender, receiver, or a named state; otherwise the receiver's. */
export function findEventClock(
  location: string | null | undefined,
  { from, to }: Ends,
): PlaceClock | undefined {
  const words = (location ?? "").toLowerCase()
  const end = [to, from].find((place) => place?.suburb && words.includes(place.suburb.toLowerCase()))
  const state = location?.match(/\p{Lu}+/gu)?.find((word) => stateCode(word))
  return toPlaceClock(end) ?? (to && toPlaceClock({ state })) ?? toPlaceClock(to)
}

/** `Mon 9 Nov 2026, 16:30 Fremantle`. Text that is not an instant with a zone stays unchanged. */
export function formatInstantAt(instant: string, clock: PlaceClock | undefined): string {
  const text = formatInstant(instant, clock?.zone)
  return text === formatInstant(instant) ? text : `${text} ${clock?.name}`
}

/** The same for a time without a zone, local at the place. */
export function formatMomentAt(time: WallClock, clock: PlaceClock | undefined): string {
  return formatMoment(time) + nameClock(time, clock)
}

/** The collection times of a booking: `Mon 23 Nov 2026, 12:00 to 17:00 Alexandria`. */
export function collectionText({
  collectionDateTime = "",
  collectionCloseTime = "",
  collection,
  sender,
}: {
  collectionDateTime?: string
  collectionCloseTime?: string
  collection?: Place
  sender?: Place
}): string {
  const ready = parseWallClock(collectionDateTime)
  const close = parseTimeOfDay(collectionCloseTime)
  const until = close.ok ? ` to ${formatClock(close.value)}` : ""
  if (!ready.ok) return collectionDateTime + until
  return `${formatMoment(ready.value)}${until}${nameClock(ready.value, toPlaceClock(collection ?? sender))}`
}

/** ` Fremantle`, to follow such a time; empty if this machine's clock shows the same. */
export function nameClock(time: WallClock, clock: PlaceClock | undefined): string {
  const here = clock && wallClockNow(instantOf(time, clock.zone))
  return here && formatMoment(here) !== formatMoment(time) ? ` ${clock.name}` : ""
}
