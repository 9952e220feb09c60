/** What brings orders back: how it is named, and when two bring back the same. */
import { groupNumber } from "../base/order-number.ts"
import { safeText } from "../base/safe-text.ts"
import { formatPackage, getReturnOf, toSize } from "../contract/index.ts"
import type { Package } from "../contract/generated/types.ts"
import type { Entry } from "./entry.ts"
import type { WrittenOrder } from "./order.ts"

/** What may bring an order back: an entry, or what is asked for. */
interface Order {
  facts?: Pick<Entry["facts"], "own"> | undefined
  request?: unknown
  /** As a person wrote it, which goes over the request. */
  written?: WrittenOrder | undefined
}

/** The key of what brings an order back, by the order's number. @param parts the packages, where that is not all of it */
export function returnKey(number: string, parts: readonly Package[] = []): string {
  return [`RETURN-OF-${number}`, ...parts.map(formatPackage).sort()].join("-")
}

/**
 * Why a return cannot have a number, as it would be taken for the order that it brings back; undefined where it can.
 * @param order the numbers of that order
 */
export function findReturnNumberError(
  number: string,
  ...order: readonly (string | undefined)[]
): string | undefined {
  if (!order.some((each) => each !== undefined && groupNumber(each) === groupNumber(number))) return undefined
  return `${safeText(number, 100)} is the number of the order that comes back, and not that of its return`
}

/**
 * Whether freight named what is asked for after the order that it brings back: then whoever asks once more, at this desk or
 * another, may mean a second return, and is asked. A key that a person gave is answered with what was made under it.
 */
export function mayMeanSecond(asked: Order & { keyGiven: boolean; again: boolean }): boolean {
  return getReturnOf(asked.facts?.own) !== undefined && !asked.keyGiven && !asked.again
}

/** Whether two bring back the same packages of one order; undefined where one of them brings nothing back. */
export function isSameReturn(one: Order, other: Order): boolean | undefined {
  const [a, b] = [one, other].map(({ facts }) => getReturnOf(facts?.own))
  if (a === undefined || b === undefined) return undefined
  return groupNumber(a) === groupNumber(b) && sharePackages(one, other)
}

/**
 * Whether an entry is no answer to what is asked for under its key, as one of them brings an order back and the other does
 * not, or another one. What is not known of what is asked tells nothing.
 */
export function isOfOtherJourney(entry: Order, asked: Order): boolean {
  if (asked.facts?.own === undefined) return false
  const [before, now] = [entry, asked].map(({ facts }) => groupNumber(getReturnOf(facts?.own) ?? ""))
  return before !== now
}

/**
 * Whether both may bring back one package: they have one of one size, as far as it is known which they have; its weight may
 * be another by now. What has a size that no package of the order has may be any of them, measured anew or in another box.
 */
function sharePackages(one: Order, other: Order): boolean {
  const [sizes, others] = [one, other].map(listSizes)
  if (!sizes?.length || !others?.length) return true
  const ofOrder = toSizes(one.written?.returned ?? other.written?.returned)
  const isStrange = (size: string) => ofOrder.length > 0 && !ofOrder.includes(size)
  return [...sizes, ...others].some(isStrange) || sizes.some((size) => others.includes(size))
}

/** Of its packages, as they were written or, where no size was, as they are sent. */
function listSizes({ request, written }: Order): string[] {
  const sent = Object(request) as { packages?: unknown }
  const sizes = toSizes(written?.fields.packages)
  return sizes.length > 0 ? sizes : toSizes(sent.packages)
}

/** Of those that have a size. */
function toSizes(packages: unknown): string[] {
  return Array.isArray(packages) ? (packages as Package[]).flatMap((each) => toSize(each) ?? []) : []
}
