/** From a booking file, flags and a kept quote to a request that the contract accepts. */

import {
  type ConfigStore,
  createFindSize,
  findShownRate,
  isFileName,
  type KeptRate,
  placeOrThrow,
  type Quotes,
  savedAddress,
  type Settings,
} from "../../machine/index.ts"
import { carrierLetter } from "../../carriers/index.ts"
import { formatMoney } from "../../base/money.ts"
import {
  ADDRESS_PARTS,
  type Allowances,
  applySets,
  checkBooking,
  checkDensity,
  describeConversion,
  describeOwn,
  exampleOf,
  type FieldOptions,
  fieldsOf,
  findErrors,
  FLAG_FIELDS,
  formatPackageTotals,
  getKind,
  getQuotedHomes,
  getReturnOf,
  HOME_PARTIES,
  itemsOf,
  LINK_FIELDS,
  linkFromQuote,
  MISSING_FLAGS,
  type Moment,
  offerFix,
  omitUnsaid,
  type Own,
  PACKAGE_FIELDS,
  parseAddress,
  parsePackages,
  pickAllowances,
  type PlaceJudge,
  quoteDifferences,
  quoteExpired,
  REPORTED,
  takeOwn,
  tellFix,
  toOwnHomes,
  zoneOfCollection,
} from "../../contract/index.ts"
import * as requests from "../../contract/generated/requests.js"
import type {
  BookingAddress,
  Carrier,
  ConsignmentBookingRequest,
  Package,
} from "../../contract/generated/types.ts"
import { quoted, valueOrThrow } from "../../base/parsed.ts"
import { safeText } from "../../base/safe-text.ts"
import {
  formatInstant,
  formatMoment,
  parseWallClock,
  type WallClock,
  wallClockNow,
} from "../../base/wall-clock.ts"
import { FreightError } from "../../base/errors.ts"
import { type CreateKey, findReturnNumberError, isIdentity, type WrittenOrder } from "../../ledger/index.ts"
import type { Clock } from "../../base/ports.ts"
import type { Files, Terminal } from "../../output/index.ts"
import {
  checkRequest,
  createRequestError,
  type Gathered,
  readInput,
  type RequestKind,
  toDetail,
} from "./input.ts"
import { isObject, type Json, type JsonObject, sameJson } from "../../base/json.ts"
import { toFlagName } from "../../base/command-line.ts"
import { ofCommand, type OrderDraft, type WrittenSource } from "./order.ts"
import { isServiceOpen } from "./preferences.ts"
import { nameRate } from "./rates.ts"

const KIND = "ConsignmentBookingRequest"

export interface BookOptions extends FieldOptions, CreateKey {
  file?: string
  rate?: string
  quote?: string
  connector?: string
  /** Cents. */
  maxPrice?: number
  set?: string[]
}

export interface BookingDraft extends Gathered, OrderDraft {
  notes: string[]
  /** The rate in the file that is too old by now: the order is not linked to it. */
  expired: KeptRate | undefined
  own: Own
  source: WrittenSource
}

export interface DraftDeps {
  files: Files
  terminal: Terminal
  clock: Clock
  quotes: Quotes
  config: ConfigStore
  settings: Settings
  places(): Promise<Pick<PlaceJudge, "findNamed">>
}

/** The return of an order, as a booking to begin with. */
export interface BegunReturn {
  /** With `returnOf`, the order's number. */
  file: JsonObject
  /** Its key if nobody gives one, derived from the packages that come back. */
  name(packages: Json | undefined): string
}

/**
 * Gathers a booking from its file with the flags over it, and nothing else.
 * @param earlier a booking to begin with; file and flags go over it
 * @param beginReturn gives the return of a named order, to begin with
 */
export async function gatherBooking(
  deps: DraftDeps,
  given: BookOptions & Allowances,
  earlier: JsonObject = {},
  beginReturn?: (order: string) => Promise<BegunReturn>,
): Promise<BookingDraft> {
  const conversions = (given.package ?? []).flatMap((text) => {
    const read = parsePackages(text, createFindSize(deps.config))
    const converted = read.ok ? describeConversion(text, read.value) : undefined
    return converted === undefined ? [] : [`${converted}.`]
  })
  const options = given
  const input = options.file === undefined ? undefined : await readInput(deps, options.file)
  const returnOf = given.returnOf ?? applySets({ ...input?.value }, options.set ?? [], KIND).returnOf
  const returned = typeof returnOf === "string" ? await beginReturn?.(returnOf) : undefined
  const start = { ...earlier, ...returned?.file }
  // Items go with their packages, and the place of collection with its sender.
  if (input?.value.packages !== undefined) delete start.items
  if (options.sender !== undefined || input?.value.sender !== undefined) delete start.collection
  const draft: JsonObject = { ...start, ...input?.value, ...pickReturnOf(returned) }
  const now = () => clockAtCollection(deps, draft)
  await putFieldFlags(deps, options, draft, now)
  if (options.package) delete draft.items
  // Flags go over the file: a service that is still to be chosen removes a chosen rate.
  if (options.service !== undefined && options.rate === undefined && isServiceOpen(options.service))
    for (const name of LINK_FIELDS) delete draft[name]
  if (options.quote !== undefined) draft.quoteId = options.quote

  const numbered = options.rate === undefined ? undefined : await findNumberedRate(deps.quotes, options.rate)
  const before = { ...draft }
  const printed = options.rate === undefined ? await deps.quotes.findPrinted(draft) : undefined
  const kept = (await linkRate(deps, options, draft, numbered)) ?? printed
  const isExpired = kept && options.rate === undefined && quoteExpired(kept.quotedAt, deps.clock.now())
  const rate = isExpired || kept === printed ? undefined : kept
  const linked = kept && !rate ? leaveOutLink(draft, kept) : {}
  // Unless the rate has expired, its fields go back into the draft, as after pricing.
  if (!isExpired) Object.assign(draft, linked)
  const set = () => applySets(draft, options.set ?? [], KIND, now)
  const left = leaveOutReport(draft, input?.value ?? {}, set().serviceCode)
  const said: JsonObject = { ...set(), ...pickReturnOf(returned) }
  if (options.collection === undefined && input?.value.collection === undefined) moveCollection(said, start)
  const isOtherPayer = leaveOutAccount(said, earlier)
  const name = returned?.name(said.packages)
  if (name !== undefined) said.customerReference ??= name
  const ofOrder = pickReturnOf(returned).returnOf
  const keyError = given.key === undefined ? undefined : findReturnNumberError(given.key, ofOrder)
  if (keyError !== undefined)
    throw new FreightError("input", keyError, {
      hint: `Nothing was sent. Leave --key out, and its key is ${safeText(name ?? "", 200)}; or give the return's own number.`,
    })
  const key = given.key ?? name
  // Values of `--set` must agree with a rate, like a flag's and unlike a file's.
  if (rate)
    checkAgrees(rate, "connector", rate.connectorId, applySets({}, options.set ?? [], KIND, now).connector)
  const written = {
    ...findWritten(takeOwn(said).request, input?.value ?? {}, options),
    ...pickReturned(returned?.file.packages),
  }
  const filled = { ...said }
  const taken = rate ? [describeTaken(rate, numbered === undefined ? undefined : options.rate, before)] : []
  const notes = [...conversions, ...left, ...taken, ...fillFromProfile(deps, filled)]
  if (isOtherPayer) notes.push(OTHER_PAYER)
  const { request, own: ownSaid, allowed } = takeOwn(filled, { ...options, ...pickReturnOf(returned) })
  if (rate) checkHomes(rate, ownSaid)
  const own = isExpired ? { ...toOwnHomes(getQuotedHomes(kept)), ...printed?.wishes, ...ownSaid } : ownSaid
  const service = deps.settings.value("service")
  if (request.serviceCode === undefined && request.rateId === undefined && service !== undefined) {
    request.serviceCode = service
    notes.push(`The service is ${service}, from the profile.`)
  }
  const ready = parseWallClock(String(request.collectionDateTime))
  if (options.ready !== undefined && !/^\d{4}-/.test(options.ready) && ready.ok)
    notes.push(`Ready ${formatMoment(ready.value)}, local time at the collection address.`)
  const { again, replaces } = given
  const source = ofCommand(written, { ...allowed, ...pickAllowances(given), again, replaces })
  return {
    ...{ request, own, key, wish: {}, rate },
    source: { ...source, isKeyGenerated: key !== given.key },
    ...{ input, notes, expired: isExpired ? kept : undefined },
  }
}

/** The packages of an order that comes back, as far as known. */
export function pickReturned(packages: Json | undefined): Pick<WrittenOrder, "returned"> {
  return isPackages(packages) ? { returned: packages } : {}
}

/** The number of the order that comes back, whatever name it was given by. */
function pickReturnOf(returned: BegunReturn | undefined): { returnOf?: string } {
  return returned ? { returnOf: String(returned.file.returnOf) } : {}
}

/**
 * Takes the fields of a rate out of a draft. A person's own fields about the quote stay.
 * @returns the removed fields
 */
function leaveOutLink(draft: JsonObject, { rate, quoteId, carrier }: KeptRate): JsonObject {
  const link = linkFromQuote(rate, quoteId, carrier)
  const isOfRate = (name: (typeof LINK_FIELDS)[number]) =>
    name === "rateId" || name === "quoteId" || (!rate.rateId && draft[name] === link[name])
  const left: JsonObject = {}
  for (const name of LINK_FIELDS) {
    const value = draft[name]
    if (value === undefined || !isOfRate(name)) continue
    left[name] = value
    delete draft[name]
  }
  return left
}

const OTHER_PAYER =
  "The receiver of the earlier booking paid on an account of its own, which is left out for another receiver: --payer says who pays."

/** Takes the account of an earlier booking's receiver out of a draft for another receiver. @returns whether it did */
function leaveOutAccount(draft: JsonObject, { receiver: before, payer }: JsonObject): boolean {
  const { receiver } = draft
  const isOfReceiver = isObject(payer) && payer.type === "Receiver" && sameJson(payer, draft.payer ?? null)
  if (!isOfReceiver || !isObject(receiver) || isSameParty(before, receiver as unknown as BookingAddress))
    return false
  draft.payer = { type: "Receiver" }
  return true
}

/** Collection at the sender's follows a sender that was changed, in each field that both had in common before. */
function moveCollection(draft: JsonObject, { sender: before, collection }: JsonObject): void {
  const { sender, collection: said } = draft
  if (!isObject(before) || !isObject(sender) || !isObject(said)) return
  const isAtSenders = isObject(collection) && ADDRESS_PARTS.every((part) => collection[part] === before[part])
  if (!isAtSenders || ADDRESS_PARTS.some((part) => said[part] !== before[part])) return
  const moved = { ...said }
  for (const field of new Set([...Object.keys(before), ...Object.keys(sender)]))
    if (said[field] === before[field]) {
      delete moved[field]
      if (sender[field] !== undefined) moved[field] = sender[field]
    }
  draft.collection = moved
}

/**
 * Takes the file's quote for another service out of a draft.
 * @param service that is booked, or how it is chosen
 * @returns a note of it
 */
function leaveOutReport(draft: JsonObject, file: Readonly<JsonObject>, service: Json | undefined): string[] {
  const { serviceCode } = file
  if (serviceCode === undefined || isServiceOpen(serviceCode) || service === serviceCode) return []
  const reported = REPORTED.filter((name) => draft[name] !== undefined)
  for (const name of reported) delete draft[name]
  const [of, booked] = [String(serviceCode), String(service)]
  return reported.length === 0
    ? []
    : [
        `What the file says of the quote for ${of} is left out, as the service is ${booked}: ${reported.join(", ")}.`,
      ]
}

/** The fields that identify the order, from any source; and its circumstances, from the file or flags. */
function findWritten(
  request: Readonly<JsonObject>,
  file: Readonly<JsonObject>,
  { connector, maxPrice }: Pick<BookOptions, "connector" | "maxPrice">,
): WrittenOrder {
  const isOpen = (name: string, value: unknown) => name === "serviceCode" && isServiceOpen(value)
  const given = Object.entries(request).filter(([name, value]) => !isOpen(name, value))
  const isOfFile = ([name, value]: [string, unknown]) => isIdentity(name) || file[name] === value
  const fields = Object.fromEntries(given.filter(isOfFile))
  const asked = Object.fromEntries(given.filter((each) => !isOfFile(each)))
  return {
    fields,
    asked: { ...asked, ...(connector !== undefined && { connectorId: connector }) },
    ...(maxPrice !== undefined && { maxPriceCents: maxPrice }),
  }
}

/** Whether it has goods and a receiver: then it can be told apart from the booking under its key. */
export function hasOrder({ request }: Pick<BookingDraft, "request">): boolean {
  return request.receiver !== undefined && (request.packages ?? request.items ?? request.rateId) !== undefined
}

/** The rate of a number in the last table of rates that was shown on this workstation; undefined for an id. */
async function findNumberedRate(
  quotes: Pick<Quotes, "find" | "lastShown">,
  text: string,
): Promise<KeptRate | undefined> {
  if (!/^\d{1,3}$/.test(text) || (await quotes.find(text))) return undefined
  const next = "freight rate-shop"
  const quote = await quotes.lastShown()
  if (!quote?.shown)
    throw new FreightError(
      "usage",
      `--rate ${text} is a number, but no rates were shown on this workstation yet`,
      { hint: "Get rates first, or give a rate's id.", next },
    )
  const kept = findShownRate(quote, Number(text))
  const at = formatInstant(new Date(quote.quotedAt).toISOString())
  if (!kept)
    throw new FreightError(
      "usage",
      quote.shown[Number(text) - 1] === null
        ? `rate ${text} has no id, so it cannot be booked by its number`
        : `--rate ${text}: the last rates, of ${at}, have the numbers 1 to ${quote.shown.length}`,
      { hint: "Nothing was sent.", next },
    )
  return kept
}

/**
 * The fields that an order takes from its named rate, in a line.
 * @param number as it was named, if that is not its id
 * @param before the order without it
 */
function describeTaken(
  { rate, carrier, quotedAt, request }: KeptRate,
  number: string | undefined,
  before: JsonObject,
): string {
  const { rateId = "", description, price, currency } = rate
  const parts = [
    `${description}, carrier ${carrierLetter(carrier)}, ${formatMoney(price, currency)}`,
    describeOwn(toOwnHomes(getQuotedHomes({ request }))),
    before.packages === undefined ? formatPackageTotals(itemsOf(request.packages)) : "",
    before.dangerousGoods === undefined && request.dangerousGoods ? "dangerous goods" : "",
  ]
  const at = formatInstant(new Date(quotedAt).toISOString())
  return `Rate ${number ?? rateId} of ${at}: ${parts.filter((part) => part !== "").join(", ")}.`
}

/**
 * Puts the values of field flags into a request. Those without a field in the request are left to `takeOwn`.
 * @param now the clock at the collection, as far as the request tells where that is
 */
export async function putFieldFlags(
  deps: Pick<DraftDeps, "files" | "terminal" | "config" | "places">,
  options: FieldOptions,
  request: JsonObject,
  now: () => WallClock,
): Promise<void> {
  for (const field of FLAG_FIELDS) {
    const { path, flag } = field
    const given = options[flag.name]
    if (given === undefined || "beside" in field) continue
    request[path] = typeof given === "boolean" ? given : await readFlag(deps, flag, given, now)
  }
}

async function readFlag(
  deps: Parameters<typeof putFieldFlags>[0],
  flag: (typeof FLAG_FIELDS)[number]["flag"],
  given: string | string[],
  now: () => WallClock,
): Promise<Json> {
  if (typeof given === "string" && flag.kind === "party") return readParty(deps, given, toFlagName(flag.name))
  const { parse } = getKind(flag.kind)
  const context = { now, findSize: createFindSize(deps.config) }
  const values = [given].flat().map((text) => valueOrThrow(parse(text, context), toFlagName(flag.name)))
  return "isRepeatable" in flag ? values.flat() : (values[0] ?? null)
}

function checkHomes(kept: KeptRate, own: Own): void {
  const quoted = getQuotedHomes(kept)
  for (const party of HOME_PARTIES) {
    const said = own[`${party}.residential`]
    if (said !== undefined && said !== quoted[party])
      throw new FreightError(
        "usage",
        `${nameRate(kept)} was quoted for ${quoted[party] ? "a home" : "a business"} as the place of the ${party}`,
        { hint: "Ask for new rates, with the place as it is.", next: "freight rate-shop" },
      )
  }
}

/** A booking with derived fields: the items, the collection, the payer. */
export function fillDefaults(given: BookingDraft): BookingDraft {
  const { input, own } = given
  const request = { ...given.request }
  const notes = [...given.notes]
  const ofFile = ["payer", "dangerousGoods"]
  // The file of a return lacks what comes from its order.
  const isWhole = input !== undefined && getReturnOf(own) === undefined
  const isCopied = fillDerived(request, (field) => isWhole && ofFile.includes(field))
  if (isCopied && request.sender !== undefined) notes.push("The collection address is the sender's.")
  if (request.quoteId !== undefined && request.rateId === undefined)
    throw new FreightError(
      "usage",
      "a quoteId without a rateId has no effect: the server ignores it silently",
      { hint: "Name the rate too, with --rate RATEID." },
    )
  return { ...given, request, notes }
}

/** @param numbered the rate that the flag names by its number */
async function linkRate(
  deps: DraftDeps,
  options: BookOptions,
  draft: JsonObject,
  numbered: KeptRate | undefined,
): Promise<KeptRate | undefined> {
  const rateId = numbered ? numbered.rate.rateId : (options.rate ?? draft.rateId)
  if (typeof rateId === "string") draft.rateId = rateId
  const kept = numbered ?? (typeof rateId === "string" ? await deps.quotes.find(rateId) : undefined)
  if (!kept) return undefined
  const offered = { serviceCode: kept.rate.serviceCode, quoteId: kept.quoteId, connectorId: kept.connectorId }
  // A rate named by flag goes over the file; fields named beside it must agree.
  const beside = options.rate === undefined ? draft : {}
  checkAgrees(kept, "service", offered.serviceCode, options.service ?? beside.serviceCode)
  checkAgrees(kept, "quote", offered.quoteId, options.quote ?? beside.quoteId)
  checkAgrees(kept, "connector", offered.connectorId, options.connector ?? beside.connector)
  draft.serviceCode = offered.serviceCode
  draft.quoteId = offered.quoteId
  if (!rateId) for (const name of ["rateId", "quoteId"]) delete draft[name]
  if (draft.packages === undefined) draft.packages = kept.request.packages.map((each) => ({ ...each }))
  if (draft.dangerousGoods === undefined) draft.dangerousGoods = kept.request.dangerousGoods
  return kept
}

function checkAgrees(kept: KeptRate, what: string, offered: string, given: Json | undefined): void {
  if (given !== undefined && given !== offered)
    throw new FreightError("usage", `${nameRate(kept)} is for ${what} ${offered}, not ${String(given)}`)
}

export function isSameParty(one: unknown, other: BookingAddress): boolean {
  const { companyName, postcode } = Object(one) as Partial<BookingAddress>
  return companyName === other.companyName && postcode === other.postcode
}

/** Whether a party has no address: it then changes another one, as `--set collection.email=…` does. */
function isAddition(party: Json | undefined): party is JsonObject {
  return isObject(party) && ADDRESS_PARTS.every((part) => party[part] === undefined)
}

/** A party with additional fields; an empty text removes a field. */
function completeParty(party: Json, addition: Json | undefined): Json {
  if (!isObject(party) || !isAddition(addition)) return party
  return Object.fromEntries(Object.entries({ ...party, ...addition }).filter(([, value]) => value !== ""))
}

/** Whether missing fields, which a person can be asked for, are all that is wrong with the booking. */
export function isIncomplete({ request }: BookingDraft): boolean {
  const problems = findErrors(requests.ConsignmentBookingRequest, request)
  return problems.length > 0 && problems.every(({ keyword }) => keyword === "required")
}

/**
 * Fills in derived fields: the items from the packages; the collection, or the rest of a changed one, from the sender; the
 * payer.
 * @param isLeft fields that are not filled in
 * @returns whether the collection is the sender's, with which it is shared
 */
export function fillDerived(request: JsonObject, isLeft: (field: string) => boolean): boolean {
  const lacks = (field: string) => request[field] === undefined && !isLeft(field)
  if (request.items === undefined && isPackages(request.packages))
    request.items = { ...itemsOf(request.packages) }
  const isCopied = lacks("collection") || (isAddition(request.collection) && !isLeft("collection"))
  if (isCopied && request.sender !== undefined)
    request.collection = completeParty(request.sender, request.collection)
  if (lacks("payer")) request.payer = { type: "Sender" }
  if (lacks("dangerousGoods")) request.dangerousGoods = false
  return isCopied
}

/** Whether items can be derived from these; the check reports other errors. */
export function isPackages(value: unknown): value is Package[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (each: Partial<Package> | null) =>
        each && PACKAGE_FIELDS.every((field) => Number.isFinite(each[field])),
    )
  )
}

const BOOKING: RequestKind = {
  what: "booking",
  /** Created on first use: most runs do not need it. */
  get flags() {
    return [...MISSING_FLAGS, { path: "dangerousGoodsDetails", flag: describeDetails() }]
  },
}

function describeDetails(): string {
  const details = fieldsOf(KIND).find(["dangerousGoodsDetails"])
  const example = JSON.stringify("node" in details && exampleOf(details.node))
  return `--set dangerousGoodsDetails='${example}' (as the safety data sheet of your goods has it: this is paint)`
}

/** Refuses packages whose weight does not fit their size, whatever the draft lacks. */
export function checkDraftDensity(draft: BookingDraft, allowed: Allowances): void {
  const { packages, packagingCode: code } = draft.request
  const packagingCode = typeof code === "string" ? code : undefined
  const { errors } = isPackages(packages)
    ? checkDensity({ packages, packagingCode, returned: draft.source.written.returned }, allowed)
    : { errors: [] }
  if (errors.length > 0) throw createRequestError(draft, BOOKING, errors)
}

/**
 * Checks a drafted booking against the contract and the carrier's rules.
 * @param carrier undefined when it cannot be known: its own rules are then left to the server
 */
export function checkBookingDraft(
  draft: BookingDraft,
  carrier: Carrier | undefined,
  moment: Moment,
): { request: ConsignmentBookingRequest; warnings: string[] } {
  const { fields, asked, returned } = draft.source.written
  const said = { ...fields, ...asked }
  const checked = checkRequest(draft, BOOKING, requests.ConsignmentBookingRequest, (request) => {
    const { errors, warnings } = checkBooking(request, carrier, moment, moment.places, returned)
    return {
      errors: errors.map((each) => offerFix(each, request, moment.places)),
      warnings: omitUnsaid(warnings, (field) => field in said).map((each) =>
        tellFix(each, request, moment.places),
      ),
    }
  })
  if (draft.rate) checkRate(draft.rate, checked.request, moment.nowMs)
  return checked
}

export function checkRate(kept: KeptRate, booking: ConsignmentBookingRequest, nowMs: number): void {
  const name = nameRate(kept)
  checkAgrees(kept, "service", kept.rate.serviceCode, booking.serviceCode)
  if (quoteExpired(kept.quotedAt, nowMs))
    throw new FreightError(
      "input",
      `${name} is from a quote more than 48 hours old: it can no longer be booked`,
      { hint: "Ask for new rates with freight rate-shop and book one of those." },
    )
  const differences = quoteDifferences(kept.request, booking)
  if (differences.length === 0) return
  throw new FreightError("input", `${name} was quoted for something different; nothing was sent`, {
    errors: differences.map((each) => toDetail(each)),
    hint: "Ask for rates for this booking with freight rate-shop, or book it without the rate (--rate, or rateId and quoteId in the file), with --service cheapest or a service code.",
  })
}

/**
 * The party that `--sender`, `--collection` or `--receiver` names: a saved address, an address in one line, or a file,
 * which ends in .json, has a path in it or is `-`.
 * @param flag that names it, for errors
 */
export async function readParty(
  deps: Pick<DraftDeps, "files" | "terminal" | "config" | "places">,
  given: string,
  flag: string,
): Promise<JsonObject> {
  const isSaved = Object.hasOwn(deps.config.read().addresses, given)
  const line = isSaved ? undefined : parseAddress(given)
  if (line?.ok) return { ...line.value }
  const isLine = line && given.includes(",")
  if (isLine && !(isFileName(given) && /\.json$/i.test(given)))
    return { ...(await placeOrThrow(line, given, `${flag}: `, deps.places)) }
  if (isFileName(given)) return (await readInput(deps, given)).value
  return { ...savedAddress(deps.config, given) }
}

/** The clock at the place of collection, as far as the booking's fields or the profile tell where that is. */
export function clockAtCollection(
  deps: Pick<DraftDeps, "clock" | "config" | "settings">,
  fields: JsonObject,
): WallClock {
  const known = { ...fields }
  fillFromProfile(deps, known)
  return wallClockNow(deps.clock.now(), zoneOfCollection(known))
}

/**
 * Fills in the profile's values if a booking has none: the sender, the collection, the business unit.
 * @returns a note for each that was filled in
 */
export function fillFromProfile(
  { config, settings }: Pick<DraftDeps, "config" | "settings">,
  request: JsonObject,
): string[] {
  const notes: string[] = []
  for (const end of ["sender", "collection"] as const) {
    const given = request[end]
    // A return is sent by the customer.
    if (request.returnOf !== undefined) continue
    if (given !== undefined && !isAddition(given)) continue
    const { value: name, from } = settings.resolve(end)
    if (name === undefined) continue
    request[end] = completeParty({ ...savedAddress(config, name) }, given)
    notes.push(`The ${end} is the saved address ${quoted(name)}, from profile ${quoted(from ?? "")}.`)
  }
  const unit = fillBusinessUnit(settings, request)
  if (unit !== undefined) notes.push(`The business unit is ${unit}, from the profile.`)
  return notes
}

/** Fills in the profile's business unit where a request names none; not every carrier reads it. @returns what it filled in */
export function fillBusinessUnit(settings: Settings, request: JsonObject): string | undefined {
  const unit = request.businessUnit === undefined ? settings.value("businessUnit") : undefined
  if (unit !== undefined) request.businessUnit = unit
  return unit
}
