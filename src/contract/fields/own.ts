/**
 * What freight knows of an order beside the contract's request: whether a place is a home, for which cost centre it is.
 * Each property is a row of `BOOKING_FIELDS` with `beside`. A booking file has it at its path; wherever an order is kept
 * (ledger, plan, draft) it stands beside the request, in one object by path. It identifies no order and is in no hash.
 */
import { toFlagName } from "../../base/command-line.ts"
import { isObject, type Json, type JsonObject, put } from "../../base/json.ts"
import { FreightError } from "../../base/errors.ts"
import type { RateRequest } from "../generated/types.ts"
import { BOOKING_FIELDS, type FieldOptions } from "./booking.ts"

type OwnField = Extract<(typeof BOOKING_FIELDS)[number], { beside: object }>

/** The values by path: `{"receiver.residential": true}`. A property that is absent was not said. */
export type Own = {
  readonly [Field in OwnField as Field["path"]]?: Field["flag"]["kind"] extends "yesNo" ? boolean : string
}

export type OwnPath = OwnField["path"]

/** The properties, in the order of the help. */
export const OWN_FIELDS: readonly OwnField[] = BOOKING_FIELDS.filter((field) => "beside" in field)

/** The places that may be homes. */
export const HOME_PARTIES = ["collection", "receiver"] as const
export type HomeParty = (typeof HOME_PARTIES)[number]

/** Whether each of these places is a home. */
export type Residential = Record<HomeParty, boolean>

/** Which places are homes, if it was said of any: of the other it then means no. */
export function findHomes(own: Own | undefined): Residential | undefined {
  const said = HOME_PARTIES.map((party) => own?.[`${party}.residential`])
  if (said.every((each) => each === undefined)) return undefined
  const [collection = false, receiver = false] = said
  return { collection, receiver }
}

/** Which places are homes; what was not said is a business. */
export function getHomes(own: Own | undefined): Residential {
  return findHomes(own) ?? { collection: false, receiver: false }
}

/** The homes that a rate was asked for. */
export function getQuotedHomes({
  request: { from, to },
}: {
  request: Pick<RateRequest, "from" | "to">
}): Residential {
  return { collection: from.residential, receiver: to.residential }
}

export function toOwnHomes({ collection, receiver }: Residential): Own {
  return { "collection.residential": collection, "receiver.residential": receiver }
}

/**
 * Takes the own properties out of a booking file's object; flags go over it.
 * @throws FreightError `input` for a value of another kind
 */
export function takeOwn(given: JsonObject, flags: FieldOptions = {}): { request: JsonObject; own: Own } {
  const request = { ...given }
  const own: Record<string, boolean | string> = {}
  for (const { path, flag } of OWN_FIELDS) {
    const value = takeAt(request, path.split("."))
    if (value !== undefined && value !== null) own[path] = checkOwn(path, flag.kind, value)
    const said = flags[flag.name]
    if (said !== undefined) own[path] = checkOwn(toFlagName(flag.name), flag.kind, said)
  }
  return { request, own }
}

/** A value out of an object and of copies of those that hold it. */
function takeAt(holder: JsonObject, [name = "", ...rest]: readonly string[]): Json | undefined {
  const value = holder[name]
  if (rest.length === 0) {
    delete holder[name]
    return value
  }
  if (!isObject(value)) return undefined
  const copy = { ...value }
  holder[name] = copy
  return takeAt(copy, rest)
}

function checkOwn(name: string, kind: OwnField["flag"]["kind"], value: Json): boolean | string {
  if (kind === "yesNo" ? typeof value === "boolean" : typeof value === "string") return value as boolean
  const wanted = kind === "yesNo" ? "true or false" : "a text"
  throw new FreightError("input", `${name} is ${wanted}, not ${JSON.stringify(value)}`)
}

/** A booking file's object of a request and what is known beside it. A home needs its place: the collection is the sender's. */
export function withOwn(request: JsonObject, own: Own | undefined): JsonObject {
  const file = structuredClone(request)
  for (const { path } of OWN_FIELDS) {
    const value = own?.[path]
    if (value === undefined || value === false) continue
    if (path === "collection.residential" && file.collection === undefined && isObject(file.sender))
      file.collection = { ...file.sender }
    put(file, path.split("."), value)
  }
  return file
}

/** `to a home, cost centre Sales`; empty where nothing is known that differs from the usual. */
export function describeOwn(own: Own): string {
  return OWN_FIELDS.flatMap(({ path, beside }) => {
    const value = own[path]
    const name = `${beside.title.charAt(0).toLowerCase()}${beside.title.slice(1)}`
    return value === true ? [name] : typeof value === "string" ? [`${name} ${value}`] : []
  }).join(", ")
}

/** What was kept, also by another version of freight: what this one does not know stays as it is. */
export function readOwn(kept: unknown): Own {
  const own = { ...Object(kept) } as JsonObject
  for (const { path, flag } of OWN_FIELDS)
    if (own[path] !== undefined && typeof own[path] !== (flag.kind === "yesNo" ? "boolean" : "string"))
      delete own[path]
  return own as Own
}
