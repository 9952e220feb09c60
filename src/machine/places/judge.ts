/** Checks places against the list of localities, finds suggestions, and completes typed text. */
import {
  type Place,
  type PlaceDoubt,
  type PlaceJudge,
  stateCode,
  type StateCode,
  statesOfPostcode,
} from "../../contract/index.ts"
import { byCount, type Locality, nameKey, type PlaceList, toPlace } from "./list.ts"
import { createSearch, findAlike } from "./near.ts"

export interface Places extends PlaceJudge {
  /** The doubt if the suburb exists, and the postcode too, but not together. Without a state, any will do. */
  findContradiction(place: {
    suburb: string
    state?: string | undefined
    postcode: string
  }): PlaceDoubt | undefined
  /** Places that begin so, those with the most addresses first. A postcode gives its suburbs. */
  complete(typed: string, most: number): Place[]
}

/** Words that the list adds to a common name: `Darwin` is `Darwin City`. */
const ADDED = ["city", "central", "centre", "city centre", "township", "village"]

/** Maximum number of cached answers: a file names the same place in many rows. */
const MAX_KEPT = 10_000

/** @param own a team's own places: they exist, whatever the list has */
export function createPlaces(list: PlaceList, own: readonly Place[] = []): Places {
  const ownKeys = new Set(own.map(({ suburb, state, postcode }) => toKey(nameKey(suburb), state, postcode)))
  const search = createSearch(list)
  const doubts = new Map<string, PlaceDoubt>()
  const named = new Map<string, Place[]>()

  const hasFullFormOnly = (key: string, state: StateCode, postcode: string) =>
    list.byName.get(key)?.some(({ states }) => states.includes(state)) !== true &&
    ADDED.some((word) => list.has(`${key} ${word}`, state, postcode))

  const isKnown = (key: string, state: StateCode, postcode: string) =>
    list.has(key, state, postcode) ||
    hasFullFormOnly(key, state, postcode) ||
    (ownKeys.size > 0 && ownKeys.has(toKey(key, state, postcode)))

  const findDoubt = (key: string, state: StateCode, postcode: string): PlaceDoubt => {
    const whole = toKey(key, state, postcode)
    const before = doubts.get(whole)
    if (before) return before
    const doubt = search({ key, state, postcode })
    if (doubts.size < MAX_KEPT) doubts.set(whole, doubt)
    return doubt
  }

  const complete = (typed: string) => {
    const text = typed.trim()
    const isPostcode = /^\d{4}$/.test(text)
    const found = isPostcode ? (list.byPostcode.get(text) ?? []) : findBeginning(list.byName, text)
    return found.flatMap((each) => listPlaces(each, isPostcode ? "" : text))
  }

  /** If nothing begins so, one letter may be wrong. */
  const orAlike = (found: Place[], name: string) =>
    found.length > 0 ? found : findAlike(list, name).flatMap((each) => listPlaces(each, ""))

  return {
    findDoubt({ suburb, state: written, postcode }) {
      const state = stateCode(written)
      const key = nameKey(suburb)
      if (!state || key === "" || isKnown(key, state, postcode)) return undefined
      return statesOfPostcode(postcode).includes(state) ? findDoubt(key, state, postcode) : undefined
    },
    findContradiction({ suburb, state: written, postcode }) {
      const state = written === undefined ? undefined : stateCode(written)
      if (written !== undefined && state === undefined) return undefined
      const key = nameKey(suburb)
      // Nearly all addresses are right.
      if (state !== undefined && list.has(key, state, postcode)) return undefined
      const states = statesOfPostcode(postcode).filter((each) => state === undefined || each === state)
      const [first] = states
      if (first === undefined || states.some((each) => isKnown(key, each, postcode))) return undefined
      const isIn = ({ states }: Locality) => state === undefined || states.includes(state)
      const isElsewhere = list.byName.get(key)?.some(isIn) === true
      if (!isElsewhere || !list.byPostcode.has(postcode)) return undefined
      return findDoubt(key, first, postcode)
    },
    complete: (typed, most) => complete(typed).slice(0, most),
    findNamed(name, most) {
      const key = nameKey(name)
      const before = named.get(key)
      const found = before ?? orAlike(complete(name), name)
      if (!before && named.size < MAX_KEPT) named.set(key, found)
      const exact = found.filter(({ suburb }) => nameKey(suburb) === key)
      return (exact.length > 0 ? exact : found).slice(0, most)
    },
  }
}

/** Localities whose name begins with the text, or the text with the name. */
function findBeginning(byName: PlaceList["byName"], typed: string): Locality[] {
  const beginning = nameKey(typed)
  if (beginning === "") return []
  const found: Locality[] = []
  for (const [key, localities] of byName)
    if (key.startsWith(beginning) || beginning.startsWith(`${key} `)) found.push(...localities)
  return found.sort(byCount)
}

/**
 * A locality in each of its states, as far as these match the typed text: `frem`, `fremantle wa 61`, `jervis bay 2540`.
 */
function listPlaces(locality: Locality, typed: string): Place[] {
  const { name, states, postcode } = locality
  const beginning = nameKey(typed)
  return statesOfPostcode(postcode)
    .filter((state) => states.includes(state))
    .filter((state) =>
      [`${name} ${state} ${postcode}`, `${name} ${postcode}`].some((text) =>
        nameKey(text).startsWith(beginning),
      ),
    )
    .map((state) => toPlace(locality, state))
}

function toKey(name: string, state: string, postcode: string): string {
  return `${name}|${state}|${postcode}`
}
