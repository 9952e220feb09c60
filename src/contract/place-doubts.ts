/** Warnings about places that may not exist. They refuse nothing, because the list of places is of one day. */
import { findingAt, type Path, type RuleFinding } from "./findings.ts"
import type { Place } from "./places.ts"
import { quoted } from "../base/parsed.ts"

/** A place as written in a request, whether or not it exists. */
export interface WrittenPlace {
  suburb: string
  state: string
  postcode: string
}

/** Why a place is not in the list, and the places that may have been meant. */
export interface PlaceDoubt {
  /** The field that is most likely wrong. */
  field: "suburb" | "postcode" | "state"
  /** At most three, the closest first. */
  near: readonly Place[]
  /** The correction by `--fix-places`: the one place that is clearly closer than the others. */
  fix?: Place | undefined
  /** Whether it has the words of `fix` in another order or shortened, and its postcode: `Corrimal East`. */
  isSameWords?: true
}

/** The answers of the list of places: see `src/machine/places/`. */
export interface PlaceJudge {
  /** Undefined for a place that exists, and for one whose state or postcode is rejected anyway. */
  findDoubt(place: WrittenPlace): PlaceDoubt | undefined
  /** Places of that name in any state, otherwise those that begin with it; those with the most addresses first. */
  findNamed(name: string, most: number): Place[]
}

export const UNKNOWN_PLACE = "place"
const PLACE_FIXED = "placeFixed"

/** Most places named for a suburb alone. */
const MAX_NAMED = 5

/** `It may be Richmond VIC 3121 or Richmond NSW 2753.` Undefined if there is no such place. */
export function answerName(name: string, judge: Pick<PlaceJudge, "findNamed">): string | undefined {
  const meant = judge.findNamed(name, MAX_NAMED)
  return meant.length > 0 ? `It may be ${formatPlaces(meant)}.` : undefined
}

/** A warning if the list does not have the place of the address at `path`. */
export function placeWarnings(place: WrittenPlace, path: Path, judge: PlaceJudge | undefined): RuleFinding[] {
  const doubt = judge?.findDoubt(place)
  if (!doubt) return []
  const { field, near } = doubt
  // In the message, for lists of findings without hints.
  const advice =
    near.length > 0
      ? `: did you mean ${formatPlaces(near)}?`
      : "; freight books within Australia only. If it is a new suburb there, freight places add keeps it"
  return [findingAt([...path, field], UNKNOWN_PLACE, `${explainDoubt(place, field)}${advice}`)]
}

function explainDoubt({ suburb, state, postcode }: WrittenPlace, field: PlaceDoubt["field"]): string {
  if (field === "postcode") return `is ${postcode}, which is not a postcode of ${suburb} ${state}`
  if (field === "state") return `is ${state}, but ${suburb} ${postcode} is in another state`
  return `${quoted(suburb)} is not a known place with ${state} ${postcode}`
}

function formatNear({ suburb, state, postcode }: Place): string {
  return `${suburb} ${state} ${postcode}`
}

/** `Fremantle WA 6160 or North Fremantle WA 6159` */
export function formatPlaces(places: readonly Place[]): string {
  const names = places.map(formatNear)
  const last = names.at(-1) ?? ""
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`
}

/** Places of a request as written, by the field of their address, if `--fix-places` changed them. */
export type WrittenPlaces = Readonly<Record<string, WrittenPlace>>

export interface FixedPlaces<T> {
  request: T
  /** Undefined if nothing was changed. */
  writtenPlaces: WrittenPlaces | undefined
  /** In words, by the field of their address: `is changed from Fremantlee WA 6160 to Fremantle WA 6160`. */
  changes: { field: string; says: string; warning: RuleFinding }[]
}

/**
 * Replaces places that are clearly misspelt, and reports each change. An address that was copied from the sender's is
 * reported once.
 * @param fields of its addresses
 * @param kind `sameWords` replaces only places whose words are in another order, which needs no question
 */
export function fixPlaces<T extends object>(
  request: T,
  fields: readonly string[],
  judge: PlaceJudge,
  kind: "all" | "sameWords",
): FixedPlaces<T> {
  const addresses = { ...request } as Record<string, unknown>
  const written: Record<string, WrittenPlace> = {}
  const changes = new Map<string, string>()
  for (const field of fields) {
    const address = addresses[field]
    if (!isPlace(address)) continue
    const { fix, isSameWords } = judge.findDoubt(address) ?? {}
    if (!fix || (kind === "sameWords" && !isSameWords)) continue
    const { suburb, state, postcode } = address
    written[field] = { suburb, state, postcode }
    addresses[field] = { ...address, ...fix }
    const says = `is changed from ${suburb} ${state} ${postcode} to ${formatNear(fix)}`
    if (!changes.has(says)) changes.set(says, field)
  }
  const isChanged = changes.size > 0
  return {
    request: isChanged ? (addresses as T) : request,
    writtenPlaces: isChanged ? written : undefined,
    changes: [...changes].map(([says, field]) => ({
      ...{ field, says },
      warning: findingAt([field, "suburb"], PLACE_FIXED, says),
    })),
  }
}

const FIXES = "--fix-places writes"

/** Whether an error names the correction by `--fix-places`. */
export const saysFix = (message: string): boolean => message.includes(FIXES)

/** A finding with the flag that writes the correction, for commands that have it. */
export function offerFix(finding: RuleFinding, request: object, judge: PlaceJudge | undefined): RuleFinding {
  const fix = findFix(finding, request, judge)
  if (!fix) return finding
  return { ...finding, hint: `${FIXES} ${formatPlaces([fix])}; ${finding.hint ?? ""}` }
}

/** The same for a warning, which is printed without a hint. */
export function tellFix(finding: RuleFinding, request: object, judge: PlaceJudge | undefined): RuleFinding {
  const fix = findFix(finding, request, judge)
  if (!fix) return finding
  return { ...finding, message: `${finding.message} ${FIXES} ${formatPlaces([fix])}` }
}

function findFix({ path, keyword }: RuleFinding, request: object, judge: PlaceJudge | undefined) {
  const [field = ""] = path.split(".")
  const [place] = keyword === UNKNOWN_PLACE ? listPlaces(request, [field]) : []
  return place && judge?.findDoubt(place)?.fix
}

export function restorePlaces<T extends object>(request: T, writtenPlaces: WrittenPlaces | undefined): T {
  if (!writtenPlaces) return request
  const addresses = { ...request } as Record<string, unknown>
  for (const [field, place] of Object.entries(writtenPlaces))
    if (typeof addresses[field] === "object") addresses[field] = { ...addresses[field], ...place }
  return addresses as T
}

export function listPlaces(request: object, fields: readonly string[]): WrittenPlace[] {
  return fields.map((field) => (request as Record<string, unknown>)[field]).filter(isPlace)
}

function isPlace(value: unknown): value is WrittenPlace {
  const { suburb, state, postcode } = Object(value) as Partial<WrittenPlace>
  return [suburb, state, postcode].every((part) => typeof part === "string")
}

/** Says whether suburb and postcode contradict each other: see `src/machine/places/`. */
export interface AddressJudge {
  findContradiction(place: {
    suburb: string
    state?: string | undefined
    postcode: string
  }): PlaceDoubt | undefined
}
