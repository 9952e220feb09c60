/** Suggestions for a place that is not in the list. */
import { type Place, type PlaceDoubt, type StateCode, stateCode } from "../../contract/index.ts"
import { editDistance, getMaxEdits } from "../../base/suggest.ts"
import { byCount, type Locality, nameKey, type PlaceList, toPlace } from "./list.ts"
import { getOwn } from "../../base/json.ts"

/** Maximum number of suggestions. */
const MAX_NEAR = 3

/** Distances: the lower the sum, the closer. */
const NAME_COST = { same: 0, otherWriting: 1, letter: 2, part: 3, twoLetters: 4 } as const
const POSTCODE_COST = { same: 0, next: 1, other: 3 } as const
/** `--fix-places` only applies suggestions up to this distance. */
const MAX_FIX_DISTANCE = 2

export const WORDS: Readonly<Record<string, string>> = {
  mt: "mount",
  saint: "st",
  pt: "port",
  nth: "north",
  sth: "south",
  n: "north",
  s: "south",
  e: "east",
  w: "west",
  upr: "upper",
  lwr: "lower",
  hds: "heads",
  hts: "heights",
  hgts: "heights",
  bch: "beach",
  ck: "creek",
  crk: "creek",
  is: "island",
  jn: "junction",
  junc: "junction",
  gdns: "gardens",
  pk: "park",
  vly: "valley",
  vlge: "village",
}

interface Question {
  /** The name by `nameKey`. */
  key: string
  state: StateCode
  postcode: string
}

/** Searches the list, whose tables for it are built at the first question. */
export function createSearch(list: PlaceList): (question: Question) => PlaceDoubt {
  const byLength = new Map<number, string[]>()
  const byWriting = new Map<string, Locality[]>()

  const fill = () => {
    for (const [key, localities] of list.byName) {
      byLength.set(key.length, [...(byLength.get(key.length) ?? []), key])
      const writing = toWriting(key)
      byWriting.set(writing, [...(byWriting.get(writing) ?? []), ...localities])
    }
  }

  /** Names with one letter added, missing, changed or swapped with the next. */
  function* findLetterOff(key: string): Generator<Locality> {
    for (const length of [key.length, key.length - 1, key.length + 1])
      for (const other of byLength.get(length) ?? [])
        if (isLetterOff(key, other)) yield* list.byName.get(other) ?? []
  }

  return ({ key, state, postcode }) => {
    if (byLength.size === 0) fill()
    const costs = new Map<Locality, number>()
    const offer = (localities: Iterable<Locality>, nameCost: number) => {
      for (const each of localities) {
        if (!each.states.includes(state) && each.postcode !== postcode) continue
        const cost = nameCost + postcodeCost(postcode, each.postcode)
        if (cost < (costs.get(each) ?? Number.POSITIVE_INFINITY)) costs.set(each, cost)
      }
    }
    offer(list.byName.get(key) ?? [], NAME_COST.same)
    offer(byWriting.get(toWriting(key)) ?? [], NAME_COST.otherWriting)
    offer(findLetterOff(key), NAME_COST.letter)
    for (const each of list.byPostcode.get(postcode) ?? [])
      offer([each], distantCost(key, nameKey(each.name)))
    const near = [...costs]
      .filter(([, cost]) => cost < Number.POSITIVE_INFINITY)
      .sort(([one, cost], [other, otherCost]) => cost - otherCost || byCount(one, other))
    if (near.length > 0) return toDoubt(near, { key, state, postcode })
    // Neither the state nor the postcode has a place with this name: it may be in another state.
    const elsewhere = [...(list.byName.get(key) ?? [])].sort(byCount).slice(0, MAX_NEAR)
    return { field: "suburb", near: elsewhere.map((each) => toPlace(each)) }
  }
}

/** Localities whose name is one letter off, those with the most addresses first; in the state that follows the name. */
export function findAlike({ byName }: Pick<PlaceList, "byName">, written: string): Locality[] {
  const words = written.split(/[\s,]/).filter((word) => word !== "")
  const state = stateCode(words.at(-1) ?? "")
  const key = nameKey((state ? words.slice(0, -1) : words).join(" "))
  if (key.length < MIN_SIMILAR_LENGTH) return []
  return [...byName]
    .flatMap(([other, localities]) => (isLetterOff(key, other) ? localities : []))
    .filter(({ states }) => !state || states.includes(state))
    .sort(byCount)
}

/** Shorter names are one letter off from too many. */
const MIN_SIMILAR_LENGTH = 5

function toDoubt(near: readonly (readonly [Locality, number])[], question: Question): PlaceDoubt {
  const [first, second] = near
  const { state, postcode } = question
  const places = near.slice(0, MAX_NEAR).map(([each]): Place => toPlace(each, state))
  // The postcode may be right, and a part of the name missing: `St Kilda 3183` is St Kilda East or has another's postcode.
  const isHere = ([each, cost]: (typeof near)[number]) => each.postcode === postcode && cost <= NAME_COST.part
  const isPlain =
    first !== undefined &&
    first[1] <= MAX_FIX_DISTANCE &&
    (!second || second[1] > first[1]) &&
    (first[0].postcode === postcode || !near.some(isHere))
  const isNamed = first !== undefined && nameKey(first[0].name) === question.key
  const field = !isNamed ? "suburb" : first[0].postcode === postcode ? "state" : "postcode"
  const isSameWords =
    isPlain && first[0].postcode === postcode && toWriting(nameKey(first[0].name)) === toWriting(question.key)
  return {
    field,
    near: places,
    ...(isPlain && { fix: places[0] }),
    ...(isSameWords && { isSameWords }),
  }
}

/** The distance of a name at the same postcode that is neither the same nor one letter off. */
function distantCost(key: string, other: string): number {
  const [one, two] = [` ${key} `, ` ${other} `]
  if (two.includes(one) || one.includes(two)) return NAME_COST.part
  const [written, meant] = [toWriting(key), toWriting(other)]
  if (isLetterOff(written, meant)) return NAME_COST.part
  const mayBeTwoOff = getMaxEdits(key) === 2 && Math.abs(key.length - other.length) <= 2
  return mayBeTwoOff && editDistance(key, other) <= 2 ? NAME_COST.twoLetters : Number.POSITIVE_INFINITY
}

/** One form for all spellings of a name: words in full, and in one order. */
function toWriting(key: string): string {
  return key
    .split(" ")
    .map((word) => getOwn(WORDS, word) ?? word)
    .sort()
    .join(" ")
}

function postcodeCost(written: string, meant: string): number {
  if (written === meant) return POSTCODE_COST.same
  const isNext = Math.abs(Number(written) - Number(meant)) <= 2 || isLetterOff(written, meant)
  return isNext ? POSTCODE_COST.next : POSTCODE_COST.other
}

/** Whether one letter is added, missing, changed or swapped with the next: faster than the full distance. */
export function isLetterOff(one: string, other: string): boolean {
  if (one.length < other.length) return isLetterOff(other, one)
  if (one.length > other.length + 1) return false
  let at = 0
  while (at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  if (one.length > other.length) return one.slice(at + 1) === other.slice(at)
  if (one.slice(at + 1) === other.slice(at + 1)) return true
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2)
}
