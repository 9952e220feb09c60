/**
 * Freight's own fields of an order, beside the contract's request: whether a place is residential, which cost centre it
 * is for. Each is a row of `BOOKING_FIELDS` with `beside`. A booking file has it at its path; ledger, plan and draft
 * keep it beside the request, in one object by path. These fields do not identify an order and are in no hash.
 */
import { toFlagName } from "../../base/command-line.ts"
import { isObject, type Json, type JsonObject, put } from "../../base/json.ts"
import { FreightError } from "../../base/errors.ts"
import { centsOf, formatCents } from "../../base/money.ts"
import { safeText } from "../../base/safe-text.ts"
import { type Parsed, parsed, quoted, refused } from "../../base/parsed.ts"
import type { Allowances } from "../collection-times.ts"
import { findingAt, type RuleFinding } from "../findings.ts"
import type { BookingAddress, RateRequest } from "../generated/types.ts"
import { getKind, KINDS } from "./kinds.ts"
import { ADDRESS_PARTS, BOOKING_FIELDS, type FieldOptions } from "./booking.ts"

type OwnField = Extract<(typeof BOOKING_FIELDS)[number], { beside: object }>

type PreferenceField = Extract<(typeof BOOKING_FIELDS)[number], { wish: object }>

type AllowanceField = Extract<(typeof BOOKING_FIELDS)[number], { allows: true }>

interface WishKinds {
  readonly number: number
  readonly text: string
  readonly list: readonly string[]
}

/**
 * Service preferences as they were given: `{"maxPrice": 85.5, "avoid": ["GEN"]}`. A profile gives them again each time.
 */
export type Wishes = {
  readonly [Field in PreferenceField as Field["column"]["name"]]?: WishKinds[Field["wish"]["is"]]
}

/** The values by path: `{"receiver.residential": true}`. An absent field was not given. */
export type Own = {
  readonly [Field in OwnField as Field["path"]]?: Field["flag"]["kind"] extends "yesNo" ? boolean : string
} & Wishes

export type OwnPath = OwnField["path"]

/** The properties, in the order of the help. */
export const OWN_FIELDS: readonly OwnField[] = BOOKING_FIELDS.filter((field) => "beside" in field)

export const PREFERENCE_FIELDS: readonly PreferenceField[] = BOOKING_FIELDS.filter((field) => "wish" in field)

export const ALLOWANCE_FIELDS: readonly AllowanceField[] = BOOKING_FIELDS.filter((field) => "allows" in field)

type PartyField = Extract<OwnField, { path: `${string}.${string}` }>
const isOfParty = (field: OwnField): field is PartyField => field.path.includes(".")

/** Freight's own fields of a place, beside its address, by name. */
export type PlaceOwn = {
  readonly [Field in PartyField as Field["path"] extends `${string}.${infer Name}`
    ? Name
    : never]?: Field["flag"]["kind"] extends "yesNo" ? boolean : string
}

/** A saved address, with freight's own fields of its place. */
export type SavedAddress = BookingAddress & PlaceOwn

/** Freight's own fields of places, each once, by name. */
const PLACE_FIELDS: ReadonlyMap<string, PartyField> = new Map(
  OWN_FIELDS.filter(isOfParty).map((field) => [field.path.replace(/^.*\./, ""), field]),
)

/**
 * The kind of an own property of a booking file or of a saved address; undefined for any other field.
 * @param resource its name in the schema file
 */
export function findOwnKind(resource: string, path: string): OwnField["flag"]["kind"] | undefined {
  if (resource === "BookingAddress") return PLACE_FIELDS.get(path)?.flag.kind
  if (resource !== "ConsignmentBookingRequest") return undefined
  return OWN_FIELDS.find((field) => field.path === path)?.flag.kind
}

/** Finds how `--set` reads one of freight's own fields; undefined for any other field. */
export function findOwnReader(resource: string, path: string): ((text: string) => Parsed<Json>) | undefined {
  const kind = findOwnKind(resource, path)
  if (kind !== undefined) return (text) => getKind(kind).parse(text, {})
  if (resource !== "ConsignmentBookingRequest") return undefined
  if (ALLOWANCE_FIELDS.some(({ column }) => column.name === path)) return (text) => KINDS.yesNo.parse(text)
  const field = PREFERENCE_FIELDS.find(({ column }) => column.name === path)
  return field && ((text) => readPreference(field, text))
}

function readPreference({ column, wish }: PreferenceField, text: string): Parsed<Json> {
  const read = wish.is === "number" ? getKind(column.own.kind).parse(text, {}) : parsed(text)
  if (!read.ok) return read
  const number = Number(String(read.value).replace(/ ?%$/, ""))
  const value = wish.is === "number" ? number : wish.is === "list" ? parseNames(text) : text
  return text.trim() !== "" && isPreference(wish, value)
    ? parsed<Json>(value)
    : refused(`${quoted(text)} is not ${describePreference(wish)}`)
}

/** Names, separated by commas; `none` is an empty list. */
export function parseNames(text: string): string[] {
  const names = text.split(",").map((name) => name.trim())
  return names.filter((name) => name !== "" && name.toLowerCase() !== "none")
}

/**
 * Takes freight's own fields out of a saved address.
 * @returns an error for each value of another kind, too
 */
export function takePlaceOwn(saved: unknown): { address: unknown; own: PlaceOwn; errors: RuleFinding[] } {
  const errors: RuleFinding[] = []
  if (!isObject(saved as Json)) return { address: saved, own: {}, errors }
  const address = { ...(saved as JsonObject) }
  const own: Record<string, Json> = {}
  for (const [name, { flag }] of PLACE_FIELDS) {
    const value = takeAt(address, [name])
    if (value === undefined || value === null) continue
    const wrong = explainWrong(flag.kind, value)
    if (wrong === undefined) own[name] = value
    else errors.push(findingAt([name], "type", wrong))
  }
  return { address, own: own as PlaceOwn, errors }
}

/** The places that may be residential. */
export const HOME_PARTIES = ["collection", "receiver"] as const
export type HomeParty = (typeof HOME_PARTIES)[number]

export type Residential = Record<HomeParty, boolean>

/** Which places are residential, if either was given: the other one is then a business. */
export function findHomes(own: Own | undefined): Residential | undefined {
  const said = HOME_PARTIES.map((party) => own?.[`${party}.residential`])
  if (said.every((each) => each === undefined)) return undefined
  const [collection = false, receiver = false] = said
  return { collection, receiver }
}

/** Which places are residential; a place without an answer is a business. */
export function getHomes(own: Own | undefined): Residential {
  return findHomes(own) ?? { collection: false, receiver: false }
}

/** The residential flags that a rate was asked for. */
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
 * Takes freight's own fields and allowances out of a booking file's object; flags override them. The sender's counts if
 * the goods are collected there.
 * @throws FreightError `input` for a value of another kind
 */
export function takeOwn(
  given: JsonObject,
  flags: FieldOptions = {},
): { request: JsonObject; own: Own; allowed: Allowances } {
  const request = { ...given }
  const own: Record<string, Json> = {}
  const { collection } = given
  const isElsewhere = isObject(collection) && ADDRESS_PARTS.some((part) => collection[part] !== undefined)
  for (const { path, flag } of OWN_FIELDS) {
    const parts = path.split(".")
    const [party, name = ""] = parts
    const ofSender = party === "collection" ? takeAt(request, ["sender", name]) : undefined
    const value = takeAt(request, parts) ?? (isElsewhere ? undefined : ofSender)
    if (value !== undefined && value !== null) own[path] = checkOwn(path, flag.kind, value)
    const said = flags[flag.name]
    if (said !== undefined) own[path] = checkOwn(toFlagName(flag.name), flag.kind, said)
  }
  for (const { column, wish } of PREFERENCE_FIELDS) {
    const value = takeAt(request, [column.name])
    if (value === undefined || value === null) continue
    if (!isPreference(wish, value))
      throw new FreightError(
        "input",
        `${column.name} is ${describePreference(wish)}, not ${JSON.stringify(value)}`,
      )
    own[column.name] = value
  }
  const allowed: Record<string, boolean> = {}
  for (const {
    column: { name },
  } of ALLOWANCE_FIELDS) {
    const value = takeAt(request, [name])
    if (value === undefined || value === null) continue
    allowed[name] = checkOwn(name, "yesNo", value) as boolean
  }
  return { request, own: own as Own, allowed }
}

type PreferenceType = PreferenceField["wish"]

function describePreference(wish: PreferenceType): string {
  if (wish.is !== "number") return wish.is === "text" ? "a text" : "a list of texts"
  return `a number from 0 to ${wish.most} ${wish.places === 0 ? "without decimals" : `with at most ${wish.places} decimals`}`
}

function isPreference(wish: PreferenceType, value: unknown): boolean {
  if (wish.is === "text") return typeof value === "string"
  if (wish.is === "list") return Array.isArray(value) && value.every((each) => typeof each === "string")
  const [, decimals = ""] = String(value).split(".")
  return typeof value === "number" && value >= 0 && value <= wish.most && decimals.length <= wish.places
}

/** The own fields for an order that is made from this one: fields about its day, or about it alone, are left out. */
export function getOwnForNext(own: Own): Own {
  const next = leaveOut(own, ({ wish }) => "isOfOneOrder" in wish)
  return Object.fromEntries(Object.entries(next).filter(([path]) => !ALONE.has(path)))
}

/** Fields that the next similar order does not take over. */
const ALONE: ReadonlySet<string> = new Set(
  BOOKING_FIELDS.flatMap((field) =>
    "beside" in field && "isOfOneOrder" in field.beside ? [field.path] : [],
  ),
)

/** The own fields that the next similar order may take over. */
export const LASTING_FIELDS = OWN_FIELDS.filter(({ path }) => !ALONE.has(path))

/** The number of the order that it returns; undefined if it is not a return. @param own as it is kept */
export function getReturnOf(own: unknown): string | undefined {
  const { returnOf } = Object(own) as { returnOf?: unknown }
  return typeof returnOf === "string" && returnOf !== "" ? returnOf : undefined
}

export function withoutWishes(own: Own): Own {
  return leaveOut(own, () => true)
}

export function pickWishes(own: Own | undefined): Wishes {
  const wanted = PREFERENCE_FIELDS.flatMap(({ column: { name } }) =>
    own?.[name] === undefined ? [] : [[name, own[name]]],
  )
  return Object.fromEntries(wanted)
}

function leaveOut(own: Own, isLeft: (field: PreferenceField) => boolean): Own {
  const names = PREFERENCE_FIELDS.filter(isLeft).map(({ column }): string => column.name)
  return Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name)))
}

/** A value out of an object and of copies of those that hold it. */
function takeAt(holder: JsonObject, [name = "", ...rest]: readonly string[]): Json | undefined {
  const value = holder[name]
  if (rest.length === 0) {
    delete holder[name]
    return value
  }
  if (!isObject(value) || (rest.length === 1 && value[rest[0] ?? ""] === undefined)) return undefined
  const copy = { ...value }
  holder[name] = copy
  return takeAt(copy, rest)
}

function checkOwn(name: string, kind: OwnField["flag"]["kind"], value: Json): boolean | string {
  const wrong = explainWrong(kind, value)
  if (wrong === undefined) return value as boolean | string
  throw new FreightError("input", `${name} ${wrong}`)
}

function explainWrong(kind: OwnField["flag"]["kind"], value: Json): string | undefined {
  if (typeof value === (kind === "yesNo" ? "boolean" : "string")) return undefined
  return `is ${kind === "yesNo" ? "true or false" : "a text"}, not ${JSON.stringify(value)}`
}

/**
 * A booking file's object, of a request and freight's own fields. A residential flag needs its place: the collection is
 * the sender's.
 */
export function withOwn(request: JsonObject, own: Own | undefined): JsonObject {
  const file = structuredClone(request)
  for (const { path } of OWN_FIELDS) {
    const value = own?.[path]
    if (value === undefined || value === false) continue
    if (path === "collection.residential" && file.collection === undefined && isObject(file.sender))
      file.collection = { ...file.sender }
    put(file, path.split("."), value)
  }
  for (const { column } of PREFERENCE_FIELDS) {
    const value = own?.[column.name]
    if (value !== undefined) file[column.name] = typeof value === "object" ? [...value] : value
  }
  return file
}

/** `to a home, cost centre Sales, within 3 days`; empty if nothing differs from the usual. */
export function describeOwn(own: Own): string {
  const known = OWN_FIELDS.flatMap(({ path, beside }) => {
    const value = own[path]
    const name = `${beside.title.charAt(0).toLowerCase()}${beside.title.slice(1)}`
    return value === true ? [name] : typeof value === "string" ? [`${name} ${value}`] : []
  })
  const wanted = PREFERENCE_FIELDS.flatMap(({ column, wish }) => {
    const value = own[column.name]
    const isMoney = column.own.kind === "money" && typeof value === "number"
    const text = isMoney ? formatCents(centsOf(value)) : [value ?? []].flat().join(" and ")
    return text === "" ? [] : [wish.says.replace("…", () => safeText(text, 100))]
  })
  return [...known, ...wanted].join(", ")
}

/** Reads own fields, also those of another version of freight: unknown ones stay as they are. */
export function readOwn(kept: unknown): Own {
  const own = { ...Object(kept) } as JsonObject
  for (const { path, flag } of OWN_FIELDS)
    if (own[path] !== undefined && typeof own[path] !== (flag.kind === "yesNo" ? "boolean" : "string"))
      delete own[path]
  for (const { column, wish } of PREFERENCE_FIELDS)
    if (own[column.name] !== undefined && !isPreference(wish, own[column.name])) delete own[column.name]
  return own as Own
}
