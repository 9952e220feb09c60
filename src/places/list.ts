/** The localities of Australia, unpacked: see data/NOTICE.md. */
import type { Place } from "../contract/places.ts"
import type { StateCode } from "../contract/zones.ts"

export interface Locality {
  /** As the list writes it. */
  name: string
  /** More than one where the list does not know which. */
  states: readonly StateCode[]
  postcode: string
  /** Addresses with that name and postcode. */
  count: number
}

export interface PlaceList {
  /** By `nameKey`. */
  byName: ReadonlyMap<string, readonly Locality[]>
  /** The largest first. */
  byPostcode: ReadonlyMap<string, readonly Locality[]>
}

/** How a name is compared: case, apostrophes, points, hyphens and accents do not count. */
export function nameKey(name: string): string {
  const key = name.toLowerCase()
  // Most names are letters and single blanks.
  if (/^[a-z]+(?: [a-z]+)*$/.test(key)) return key
  return key
    .normalize("NFKD")
    .replace(/[\p{M}'’`.]/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
}

/** @param text as `packPlaces` in scripts/generate.mjs writes it */
export function readPlaceList(text: string): PlaceList {
  const [groups = "", counts = ""] = text.split("\n\n")
  const numbers = counts.split(" ")
  const byName = new Map<string, Locality[]>()
  const byPostcode = new Map<string, Locality[]>()
  let next = 0
  for (const group of groups.split("\n")) {
    const postcode = group.slice(0, 4)
    const colon = group.indexOf(":")
    const states = group.slice(5, colon).split("|") as StateCode[]
    for (const written of group.slice(colon + 1).split(",")) {
      const name = written.includes("'") ? raiseAfterApostrophe(written) : written
      const locality = { name, states, postcode, count: Number(numbers[next++]) }
      add(byName, nameKey(name), locality)
      add(byPostcode, postcode, locality)
    }
  }
  for (const localities of byPostcode.values()) localities.sort(byCount)
  return { byName, byPostcode }
}

/** `O'connor` → `O'Connor` */
function raiseAfterApostrophe(name: string): string {
  return name.replace(
    /\b([DO]')([a-z])/g,
    (_, prefix: string, letter: string) => prefix + letter.toUpperCase(),
  )
}

/** The place with the most addresses first. */
export function byCount(one: Locality, other: Locality): number {
  return other.count - one.count || (one.name < other.name ? -1 : 1)
}

/** A locality in its first state, or in the one that is asked about. */
export function toPlace({ name, states, postcode }: Locality, state?: StateCode): Place {
  const own = state !== undefined && states.includes(state) ? state : (states[0] ?? "NSW")
  return { suburb: name, state: own, postcode }
}

function add(map: Map<string, Locality[]>, key: string, locality: Locality): void {
  const known = map.get(key)
  if (known) known.push(locality)
  else map.set(key, [locality])
}
