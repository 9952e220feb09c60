/**
 * The fields that identify an order. If the key and these fields are equal, it is booked already, even if other fields
 * changed; if one of these changed, it is reported as changed and nothing is sent.
 */
import {
  decodeHtml,
  formatPackage,
  LINK_FIELDS,
  OWN_FIELDS,
  readOwn,
  restorePlaces,
  type WrittenPlaces,
} from "../contract/index.ts"
import type { ConsignmentBookingRequest, Package } from "../contract/generated/types.ts"
import { amountOf } from "../base/money.ts"
import { saysNothing } from "../base/nothing.ts"
import { plainText } from "../base/plain-text.ts"
import { type Entry, keyText } from "./entry.ts"
import { getOwn } from "../base/json.ts"

/** Receiver, goods, payer and instructions. All other fields may change: times, service, rate, place of collection. */
const IDENTITY: readonly string[] = [
  "receiver",
  "packages",
  "items",
  "payer",
  "customerReference",
  "specialInstructions",
  "dangerousGoods",
  "dangerousGoodsDetails",
] satisfies (keyof ConsignmentBookingRequest)[]

export function isIdentity(field: string): boolean {
  return IDENTITY.includes(field)
}

export interface WrittenOrder {
  /** Fields of the booking that its row or file has, without those from flags of a run, the profile or defaults. */
  fields: Readonly<Record<string, unknown>>
  /** Parties with unreadable cells: their missing fields are not compared, as they may have been there. */
  damaged?: readonly string[]
  /** Other fields that flags give: differences from the booking are only reported. */
  asked?: Readonly<Record<string, unknown>>
  maxPriceCents?: number | undefined
  /** Places as they were written, where `--fix-places` changed them: they identify the order. */
  places?: WrittenPlaces | undefined
  /** For a return: the packages of the original order, as far as they are known. */
  returned?: readonly Package[] | undefined
}

/** A request as an order without other written fields. */
export function pickIdentity(
  request: Readonly<Record<string, unknown>> | ConsignmentBookingRequest,
): WrittenOrder {
  return { fields: Object.fromEntries(Object.entries(request).filter(([name]) => isIdentity(name))) }
}

export interface Difference {
  /** Its path in the booking, or `maxPrice`. */
  field: string
  booked: string
  written: string
}

export interface Comparison {
  /** Not empty: it is another order. */
  changed: Difference[]
  /** Differences in fields that do not identify it: the booking stays as it is. */
  ignored: Difference[]
}

/** The key of an intended second consignment of an order that was booked under a key; or of its third, and so on. */
export function secondKey(key: string, count = 2): string {
  return `${key}#${count}`
}

/** Whether a key is that of a second or a later consignment of an order. */
export function isSecondKey(key: string, first: string): boolean {
  return key.startsWith(`${first}#`) && /^[2-9]\d*$|^1\d+$/.test(key.slice(first.length + 1))
}

/** The keys of an order's earlier consignments: the first, the second and so on. */
export function listEarlierKeys(key: string): string[] {
  const first = getFirstKey(key)
  if (first === undefined) return []
  const later = Array.from({ length: Number(key.slice(first.length + 1)) - 2 }, (_, n) =>
    secondKey(first, n + 2),
  )
  return [first, ...later]
}

/**
 * The first consignment's key, from a key that looks like that of a later one; a person may also have given such a key.
 */
export function getFirstKey(key: string): string | undefined {
  const first = key.replace(/#[^#]*$/, "")
  return isSecondKey(key, first) ? first : undefined
}

/**
 * The number of a booking's order, as its owner writes it: freight generates a second consignment's key. See
 * `addFirstKeys`.
 */
export function getOwnNumber(entry: Pick<Entry, "key" | "facts" | "firstKey">): string {
  const { reference = "" } = entry.facts
  const key = keyText(entry)
  return key === "" || isSecondKey(key, reference) ? reference : (entry.firstKey ?? key)
}

/**
 * Whether a booking has the same goods and receiver as written; a field that is not written counts with the value that
 * would be sent.
 */
export function hasSameGoods(entry: BookedOrder, order: AskedOrder): boolean {
  return hasSame(entry, order, "receiver") && hasSamePackages(entry, order)
}

/** The same without the receiver: for a receiver known to be the same, contact fields may differ. */
export function hasSamePackages(entry: BookedOrder, order: AskedOrder): boolean {
  const hasPackages = [entry.request, collectFields(order)].every((each) => {
    const { packages } = Object(each) as Record<string, unknown>
    return Array.isArray(packages) && packages.length > 0
  })
  return hasSame(entry, order, hasPackages ? "packages" : "items")
}

function hasSame(entry: BookedOrder, order: AskedOrder, name: "receiver" | "packages" | "items"): boolean {
  const { [name]: what } = collectFields(order)
  if (what === undefined) return false
  const { damaged = [] } = order.written ?? {}
  return compareOrder(entry, { fields: { [name]: what }, damaged }).changed.length === 0
}

/** An order as written, and as it would be sent, as far as that is known. */
interface AskedOrder {
  written?: WrittenOrder | undefined
  request?: unknown
}

function collectFields({ written, request }: AskedOrder): Record<string, unknown> {
  return { ...Object(request), ...written?.fields }
}

/** Whether a booking has the collection day that is asked for; no day matches any day. */
export function isSameDay({ request }: Pick<Entry, "request">, order: AskedOrder): boolean {
  const [before, day] = [request, collectFields(order)].map((each) =>
    String(Object(each).collectionDateTime ?? "").slice(0, DAY),
  )
  return before === "" || day === "" || before === day
}

/** `2026-11-23` */
const DAY = 10

type BookedOrder = Pick<Entry, "request" | "facts"> & Partial<Pick<Entry, "key">>

export function compareOrder(
  { request, facts, key = "" }: BookedOrder,
  { fields, damaged = [], asked = {}, maxPriceCents }: WrittenOrder,
): Comparison {
  const { connectorId, writtenPlaces } = facts
  // A limit is in AUD: the price of another currency is not compared with it.
  const isLimited = (facts.currency ?? "AUD") === "AUD"
  const priceCents = isLimited ? (facts.priceIncGstCents ?? facts.priceCents) : undefined
  const booked = { ...Object(request), connectorId } as Record<string, unknown>
  const places = writtenPlaces === undefined ? undefined : (JSON.parse(writtenPlaces) as WrittenPlaces)
  const comparison: Comparison = { changed: [], ignored: [] }
  for (const [name, value] of Object.entries(fields)) {
    const before = toPrecision(booked[name], value)
    const find = (from: unknown) => findDifferences(name, from, value, damaged.includes(name))
    const sent = find(before)
    // A row that is unchanged, or was corrected since, is not another order.
    const written = sent.length > 0 ? restorePlaces({ [name]: before }, places)[name] : before
    const differences = written === before ? sent : [sent, find(written)].sort(byLength)[0]
    for (const difference of differences ?? [])
      if (!isKey(difference, key))
        comparison[isChange(name, before, value) && !isAdded(difference) ? "changed" : "ignored"].push(
          difference,
        )
  }
  for (const [name, value] of Object.entries(asked))
    comparison.ignored.push(...findDifferences(name, booked[name], value, false))
  if (maxPriceCents !== undefined && priceCents !== undefined && priceCents > maxPriceCents)
    comparison.ignored.push({
      field: "maxPrice",
      booked: String(amountOf(priceCents)),
      written: String(amountOf(maxPriceCents)),
    })
  return comparison
}

const OWN_BESIDE_RETURN = OWN_FIELDS.filter(({ path }) => path !== "returnOf")

/** Freight's own fields that an order says otherwise than it was booked. They make no other order. */
export function compareOwn({ facts }: Pick<Entry, "facts">, own: unknown): Difference[] {
  if (facts.own === undefined) return []
  const [before, now] = [readOwn(facts.own), readOwn(own)]
  return OWN_BESIDE_RETURN.flatMap(({ path, flag }) => {
    if (now[path] === undefined) return []
    const toWord = (value: unknown) => (flag.kind === "yesNo" ? (value === true ? "yes" : "no") : value)
    return findDifferences(path, toWord(before[path]), toWord(now[path]), false)
  })
}

function byLength(one: readonly unknown[], other: readonly unknown[]): number {
  return one.length - other.length
}

/** A day that is written without a time is compared with the day that was booked. */
function toPrecision(booked: unknown, written: unknown): unknown {
  const isDay = typeof written === "string" && /^\d{4}-\d\d-\d\d$/.test(written)
  return isDay && typeof booked === "string" ? booked.slice(0, written.length) : booked
}

/** A standing order is a new one on a later day; an earlier day is in a file that was not updated. */
function isChange(name: string, booked: unknown, written: unknown): boolean {
  const [before, day] = [booked, written].map((at) => String(at ?? "").slice(0, DAY))
  return name === "collectionDateTime" ? String(day) > String(before) : isIdentity(name)
}

/**
 * The receiver's contact fields. A row with more of them than were booked is the same order, as a later version may
 * read more.
 */
const CONTACT = /^receiver\.(?:contactName|contactPhone|phoneNumber|phoneAreaCode|email)$/

function isAdded({ field, booked }: Difference): boolean {
  return CONTACT.test(field) && normalize(booked, false) === ""
}

/** An order booked under its number as its key may lack it as its reference, which a row always has. */
function isKey({ field, booked, written }: Difference, key: string): boolean {
  return (
    field === "customerReference" &&
    normalize(booked, false) === "" &&
    (key === `key:${written}` || isSecondKey(keyText({ key }), written))
  )
}

/** `receiver suburb (Fremantle, now Perth)` */
export function describeDifference(difference: Difference): string {
  const { field } = difference
  if (field === "packages") return describePackages(difference)
  const own = OWN_FIELDS.find(({ path }) => path === field)
  if (own) return `${own.beside.title.toLowerCase()} (${describeValues(difference)})`
  const parts = field.split(".").map((part) => PART_WORDS[part] ?? part)
  return `${WORDS[field] ?? parts.join(" ")} (${describeValues(difference)})`
}

const ONE_PACKAGE = /^(\d+)x([\d.]+)x([\d.]+)x([\d.]+)@([\d.]+)$/

/**
 * `weight (booked as 600 kg, read today as 0.6 kg)`: the file may be unchanged, and its units may be read differently
 * since.
 */
function describePackages({ booked, written }: Difference): string {
  const [before, now] = [booked, written].map(listMeasures)
  if (!before || !now) return describeBothWays("packages", booked, written)
  return before
    .flatMap(([what, one], at) => {
      const other = now[at]?.[1] ?? ""
      return one === other ? [] : [describeBothWays(what, one, other)]
    })
    .join(", ")
}

function describeBothWays(what: string, booked: string, written: string): string {
  return `${what} (booked as ${booked}, read today as ${written})`
}

/** The measures of one kind of package; undefined where there are several kinds. */
function listMeasures(packages: string): [what: string, value: string][] | undefined {
  const [, count, length, width, height, weight] = ONE_PACKAGE.exec(packages) ?? []
  if (count === undefined) return undefined
  return [
    ["number of packages", count],
    ["size", `${length} × ${width} × ${height} cm`],
    ["weight", `${weight} kg`],
  ]
}

/** `Fremantle, now Perth` */
export function describeValues({ booked, written }: Pick<Difference, "booked" | "written">): string {
  return [booked, written].map((text) => text.replace(SECONDS, " $1") || "empty").join(", now ")
}

const SECONDS = /(?<=^[\d-]{10})T(\d\d:\d\d):00$/

/** `It stays as it was booked: service (STD, now EXP).` */
export function describeIgnored(ignored: readonly Difference[], name = "It"): string {
  return `${name} stays as it was booked: ${ignored.map(describeDifference).join(", ")}.`
}

const WORDS: Readonly<Record<string, string>> = {
  collectionDateTime: "collection",
  collectionCloseTime: "close time",
  serviceCode: "service",
  connectorId: "connector",
  maxPrice: "price over the limit",
  customerReference: "reference",
  specialInstructions: "instructions",
}

const PART_WORDS: Readonly<Record<string, string>> = {
  companyName: "company",
  contactName: "contact",
  address1: "street",
  address2: "second line of the address",
  phoneAreaCode: "area code",
  phoneNumber: "phone",
  accountNumber: "account",
}

/** @param isDamaged whether unwritten fields are left out of the comparison */
function findDifferences(path: string, booked: unknown, written: unknown, isDamaged: boolean): Difference[] {
  if (LINK_FIELDS.some((each) => each === path)) return []
  if (path === "packages" && Array.isArray(booked) && Array.isArray(written))
    return comparePackages(path, booked, written)
  if (isObject(booked) || isObject(written)) {
    const [one, other] = [Object(booked), Object(written)] as Record<string, unknown>[]
    const names = new Set([...Object.keys((!isDamaged && one) || {}), ...Object.keys(other ?? {})])
    return [...names].flatMap((name) =>
      findDifferences(`${path}.${name}`, getOwn(one ?? {}, name), getOwn(other ?? {}, name), isDamaged),
    )
  }
  const isPhone = /phone/i.test(path)
  const [before, now] = [toText(booked), toText(written)]
  if (normalize(before, isPhone) === normalize(now, isPhone)) return []
  return [{ field: path, booked: before, written: now }]
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

/** Compares packages in any order. A field that a row lacks may come from a flag: its size, but not its number. */
function comparePackages(field: string, before: readonly Package[], now: readonly Package[]): Difference[] {
  const booked = before.map(formatPackage).sort().join("; ")
  const written = now.map((each, at) => formatPackage({ ...before[at], ...each }))
  return written.sort().join("; ") === booked ? [] : [{ field, booked, written: written.join("; ") }]
}

function toText(value: unknown): string {
  return value === undefined || value === null ? "" : String(value)
}

/** Normalizes case, blanks and the format of phone numbers. */
function normalize(text: string, isPhone: boolean): string {
  if (isPhone) return text.replace(/\D/g, "").replace(AUSTRALIA, "")
  // Earlier releases booked these as they were written.
  return saysNothing(text) ? "" : plainText(decodeHtml(text))
}

/** The prefix before the nine digits of an Australian number. */
const AUSTRALIA = /^(?:(?:00)?61|0)(?=\d{9}$)/
