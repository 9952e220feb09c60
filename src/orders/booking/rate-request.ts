/** From flags and a file to a RateRequest that the contract accepts. */
import { placeOrThrow, type Places, readPackages, savedAddress } from "../../machine/index.ts"
import * as requests from "../../contract/generated/requests.js"
import {
  type Allowances,
  applySets,
  checkRateRequest,
  fixPlaces,
  listPlaces,
  parsePlaceOrAddress,
  rateDefaults,
  tellFix,
  type WrittenPlace,
  zoneOfCollection,
} from "../../contract/index.ts"
import type { RateRequest } from "../../contract/generated/types.ts"
import { valueOrThrow } from "../../base/parsed.ts"
import { wallClockNow } from "../../base/wall-clock.ts"
import { parseDay } from "../../base/when.ts"
import { isObject } from "../../base/json.ts"
import { checkRequest, readInput, type RequestKind } from "./input.ts"
import { type DraftDeps, fillBusinessUnit } from "./request.ts"
import type { JsonObject } from "../../base/json.ts"

export interface RateOptions extends Allowances {
  from?: string
  to?: string
  fromResidential?: boolean
  toResidential?: boolean
  package?: string[]
  dangerousGoods?: boolean
  date?: string
  service?: string
  file?: string
  set?: string[]
  fixPlaces?: boolean
}

const RATE_REQUEST: RequestKind = {
  what: "rate request",
  flags: [
    { path: "from", flag: '--from "SUBURB STATE POSTCODE"' },
    { path: "to", flag: '--to "SUBURB STATE POSTCODE"' },
    { path: "packages", flag: "--package 2x40x30x20@5.5" },
  ],
}

const ENDS = ["from", "to"] as const

/** The request, with date and local time at the collection place. */
export async function gatherRateRequest(
  deps: Omit<DraftDeps, "quotes" | "places"> & {
    note(text: string): Promise<void>
    places(asked?: readonly WrittenPlace[]): Promise<Places>
  },
  options: RateOptions,
): Promise<{ request: RateRequest; warnings: string[] }> {
  const input = options.file === undefined ? undefined : await readInput(deps, options.file)
  const draft: JsonObject = { ...input?.value }
  const places = { from: options.from ?? (input ? undefined : profilePlace(deps.settings)), to: options.to }
  for (const end of ENDS) {
    const residential = options[`${end}Residential`]
    const place = places[end]
    if (place !== undefined)
      draft[end] = {
        residential: false,
        ...(await readPlace(deps, place, `--${end}`)),
        ...(residential !== undefined && { residential }),
      }
    else if (residential !== undefined && isObject(draft[end])) draft[end] = { ...draft[end], residential }
  }
  if (options.package)
    draft.packages = (await readPackages(deps, options.package)).map((each) => ({ ...each }))
  if (options.dangerousGoods) draft.dangerousGoods = true
  else if (!input) draft.dangerousGoods = false
  const now = () => wallClockNow(deps.clock.now(), zoneOfCollection({ collection: draft.from }))
  if (options.date !== undefined) draft.date = valueOrThrow(parseDay(options.date, now), "--date")
  if (options.service !== undefined) draft.serviceCode = options.service

  const given = applySets(draft, options.set ?? [], "RateRequest", now)
  fillBusinessUnit(deps.settings, given)
  // Before the defaults, so that they cause no warnings.
  const judge = await deps.places(listPlaces(given, ENDS))
  const fixed = fixPlaces(given, ENDS, judge, options.fixPlaces ? "all" : "sameWords")
  for (const { field, says } of fixed.changes) await deps.note(`The place --${field} ${says}.`)
  const gathered = { request: fixed.request, input }
  const { request, warnings } = checkRequest(gathered, RATE_REQUEST, requests.RateRequest, (each) => {
    const found = checkRateRequest(each, undefined, options, judge)
    return { ...found, warnings: found.warnings.map((warning) => tellFix(warning, each, judge)) }
  })
  return { request: rateDefaults(request, deps.clock.now()), warnings }
}

/** A place as typed, or that of a saved address, which may be known as residential. */
async function readPlace(
  { config, places }: Pick<DraftDeps, "config"> & { places(): Promise<Places> },
  text: string,
  flag: string,
) {
  const place = parsePlaceOrAddress(text)
  if (place.ok || !Object.hasOwn(config.read().addresses, text))
    return placeOrThrow(place, text, `${flag}: `, places)
  const { suburb, state, postcode, residential = false } = savedAddress(config, text)
  return { suburb, state, postcode, residential }
}

function profilePlace(settings: DraftDeps["settings"]): string | undefined {
  return settings.value("collection") ?? settings.value("sender")
}
