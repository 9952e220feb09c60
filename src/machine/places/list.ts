/** The localities of Australia, unpacked: see data/NOTICE.md. */
import type { Place, StateCode } from "../../contract/index.ts"

export interface Locality {
  name: string
  /** Several if the list does not know which. */
  states: readonly StateCode[]
  postcode: string
  count: number
}

/** Most runs ask about a few places, so all names are read only if one of them is not found. */
export interface PlaceList {
  /** @param key by `nameKey` */
  has(key: string, state: StateCode, postcode: string): boolean
  /** By `nameKey`. */
  readonly byName: ReadonlyMap<string, readonly Locality[]>
  /** The largest first. */
  readonly byPostcode: ReadonlyMap<string, readonly Locality[]>
}

/** A name in the form in which names are compared: case, apostrophes, points, hyphens and accents do not count. */
export function nameKey(name: string): string {
  const key = name.toLowerCase()
  // Most names are only letters and single blanks.
  if (/^[a-z]+(?: [a-z]+)*$/.test(key)) return key
  return key
    .normalize("NFKD")
    .replace(/[\p{M}'’`.]/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
}

/** @param text as `packPlaces` in scripts/generate.mjs writes it: `6160 WA:Fremantle,…` on each line, then the counts */
export function readPlaceList(text: string): PlaceList {
  const [groups = "", counts = ""] = text.split("\n\n")
  const lines = groups.split("\n")
  const linesByPostcode = new Map<string, string[]>()
  for (const line of lines) add(linesByPostcode, line.slice(0, 4), line)
  const known = new Map<string, ReadonlyMap<string, readonly StateCode[]>>()
  let all: Pick<PlaceList, "byName" | "byPostcode"> | undefined

  /** The states of each name at a postcode. */
  const readPostcode = (postcode: string) => {
    const read = new Map<string, StateCode[]>()
    for (const line of linesByPostcode.get(postcode) ?? []) {
      const { states, names } = readLine(line)
      for (const name of names) read.set(nameKey(name), [...(read.get(nameKey(name)) ?? []), ...states])
    }
    known.set(postcode, read)
    return read
  }
  const readAll = () => {
    all ??= readLocalities(lines, counts.split(" "))
    return all
  }
  return {
    has: (key, state, postcode) =>
      (known.get(postcode) ?? readPostcode(postcode)).get(key)?.includes(state) === true,
    get byName() {
      return readAll().byName
    },
    get byPostcode() {
      return readAll().byPostcode
    },
  }
}

function readLine(line: string): { postcode: string; states: StateCode[]; names: string[] } {
  const colon = line.indexOf(":")
  return {
    postcode: line.slice(0, 4),
    states: line.slice(5, colon).split("|") as StateCode[],
    names: line.slice(colon + 1).split(","),
  }
}

function readLocalities(lines: readonly string[], counts: readonly string[]) {
  const byName = new Map<string, Locality[]>()
  const byPostcode = new Map<string, Locality[]>()
  let next = 0
  for (const line of lines) {
    const { postcode, states, names } = readLine(line)
    for (const written of names) {
      const name = written.includes("'") ? raiseAfterApostrophe(written) : written
      const locality = { name, states, postcode, count: Number(counts[next++]) }
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

export function byCount(one: Locality, other: Locality): number {
  return other.count - one.count || (one.name < other.name ? -1 : 1)
}

export function toPlace({ name, states, postcode }: Locality, state?: StateCode): Place {
  const own = state !== undefined && states.includes(state) ? state : (states[0] ?? "NSW")
  return { suburb: name, state: own, postcode }
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}
