/**
 * What identifies an order. The same key with the same order is booked already, whatever its circumstances are by now;
 * the same key with another order is told as changed, and nothing is sent.
 */
import type { ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { amountOf } from "../contract/money.ts"
import { LINK_FIELDS } from "../contract/rate-link.ts"
import { plain } from "./content.ts"
import type { Entry } from "./entry.ts"

/** Who gets what, who pays, and what is said about it. All else is a circumstance: times, service, rate, place of collection. */
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

/** Whether a field of a booking identifies the order. */
export function isIdentity(field: string): boolean {
  return IDENTITY.includes(field)
}

/** An order as a person wrote it. */
export interface WrittenOrder {
  /** Fields of the booking that its row or file has. What flags of a run, the profile or defaults add is not there. */
  fields: Readonly<Record<string, unknown>>
  /** Circumstances that flags give: where they differ from what was booked, that is told and no more. */
  asked?: Readonly<Record<string, unknown>>
  /** In cents. */
  maxPriceCents?: number | undefined
}

/** A request as an order whose circumstances nobody wrote. */
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
  /** Circumstances that differ: what was booked stands. */
  ignored: Difference[]
}

/** The key of a second consignment that is meant, of an order that was booked under a key. */
export function secondKey(key: string): string {
  return `${key}#2`
}

/** Compares an order with what was booked under its key. */
export function compareOrder(
  { request, facts }: Pick<Entry, "request" | "facts">,
  { fields, asked = {}, maxPriceCents }: WrittenOrder,
): Comparison {
  const booked = Object(request) as Record<string, unknown>
  const comparison: Comparison = { changed: [], ignored: [] }
  for (const [name, value] of Object.entries(fields)) {
    const before = toPrecision(booked[name], value)
    comparison[isChange(name, before, value) ? "changed" : "ignored"].push(
      ...findDifferences(name, before, value),
    )
  }
  for (const [name, value] of Object.entries(asked))
    comparison.ignored.push(...findDifferences(name, booked[name], value))
  const { priceCents } = facts
  if (maxPriceCents !== undefined && priceCents !== undefined && priceCents > maxPriceCents)
    comparison.ignored.push({
      field: "maxPrice",
      booked: String(amountOf(priceCents)),
      written: String(amountOf(maxPriceCents)),
    })
  return comparison
}

/** A day that is written without a time is compared with the day that was booked. */
function toPrecision(booked: unknown, written: unknown): unknown {
  const isDay = typeof written === "string" && /^\d{4}-\d\d-\d\d$/.test(written)
  return isDay && typeof booked === "string" ? booked.slice(0, written.length) : booked
}

/** A standing order is another one on a later day; an earlier day stands in a file that was not brought up to date. */
function isChange(name: string, booked: unknown, written: unknown): boolean {
  const [before, day] = [booked, written].map((at) => String(at ?? "").slice(0, "2026-11-23".length))
  return name === "collectionDateTime" ? String(day) > String(before) : isIdentity(name)
}

/** `receiver suburb (Fremantle, now Perth)` */
export function describeDifference({ field, booked, written }: Difference): string {
  return `${WORDS[field] ?? field.replace(/\.(\d+)/g, (_, n) => ` ${Number(n) + 1}`).replaceAll(".", " ")} (${booked || "empty"}, now ${written || "empty"})`
}

const WORDS: Readonly<Record<string, string>> = {
  collectionDateTime: "collection day",
  collectionCloseTime: "close time",
  serviceCode: "service",
  maxPrice: "price over the limit",
  customerReference: "reference",
  specialInstructions: "instructions",
}

function findDifferences(path: string, booked: unknown, written: unknown): Difference[] {
  if (LINK_FIELDS.some((each) => each === path)) return []
  if (isObject(booked) || isObject(written)) {
    const [one, other] = [toFields(booked), toFields(written)]
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    return names.flatMap((name) => findDifferences(`${path}.${name}`, one[name], other[name]))
  }
  const isPhone = /phone/i.test(path)
  const [before, now] = [toText(booked), toText(written)]
  if (normalize(before, isPhone) === normalize(now, isPhone)) return []
  return [{ field: path, booked: before, written: now }]
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

/** The packages of a booking have no order of their own. */
function toFields(value: unknown): Record<string, unknown> {
  if (!Array.isArray(value)) return Object(value) as Record<string, unknown>
  const key = (each: unknown) => JSON.stringify(isObject(each) ? Object.entries(each).sort() : each)
  return { ...[...value].sort((one, other) => (key(one) < key(other) ? -1 : 1)) }
}

function toText(value: unknown): string {
  return value === undefined || value === null ? "" : String(value)
}

/** As people write it: case and blanks do not count, nor what stands between the digits of a phone number. */
function normalize(text: string, isPhone: boolean): string {
  return isPhone ? text.replace(/\D/g, "") : plain(text)
}
