/** Names returns, and decides whether two return the same packages. */
import { groupNumber } from "../base/order-number.ts"
import { safeText } from "../base/safe-text.ts"
import { formatPackage, getReturnOf, toSize } from "../contract/index.ts"
import type { Package } from "../contract/generated/types.ts"
import type { Entry } from "./entry.ts"
import type { WrittenOrder } from "./order.ts"

/** An entry or a request that may be a return. */
interface Order {
  facts?: Pick<Entry["facts"], "own"> | undefined
  request?: unknown
  /** As a person wrote it; it takes precedence over the request. */
  written?: WrittenOrder | undefined
}

/** The key of a return, by the order's number. @param parts the packages, if it returns only some */
export function returnKey(number: string, parts: readonly Package[] = []): string {
  return [`RETURN-OF-${number}`, ...parts.map(formatPackage).sort()].join("-")
}

/**
 * Why a return cannot have a number that would be confused with its order's; undefined if it can.
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
 * Whether freight named the return after its order. Then a second request, at this desk or another, may mean a second
 * return, and freight asks. A key that a person gave is answered with the entry made under it.
 */
export function mayMeanSecond(asked: Order & { keyGiven: boolean; again: boolean }): boolean {
  return getReturnOf(asked.facts?.own) !== undefined && !asked.keyGiven && !asked.again
}

/** Whether two return the same packages of one order; undefined if either is not a return. */
export function isSameReturn(one: Order, other: Order): boolean | undefined {
  const [a, b] = [one, other].map(({ facts }) => getReturnOf(facts?.own))
  if (a === undefined || b === undefined) return undefined
  return groupNumber(a) === groupNumber(b) && sharePackages(one, other)
}

/**
 * Whether an entry does not answer a request under its key, because only one of them is a return, or they return
 * different orders. Unknown fields of the request prove nothing.
 */
export function isOfOtherJourney(entry: Order, asked: Order): boolean {
  if (asked.facts?.own === undefined) return false
  const [before, now] = [entry, asked].map(({ facts }) => groupNumber(getReturnOf(facts?.own) ?? ""))
  return before !== now
}

/**
 * Whether both may return one package: they share a size, as far as their packages are known. The weight is ignored, as
 * it may change. A size that no package of the order has may be any of them, measured again or in another box.
 */
function sharePackages(one: Order, other: Order): boolean {
  const [sizes, others] = [one, other].map(listSizes)
  if (!sizes?.length || !others?.length) return true
  const ofOrder = toSizes(one.written?.returned ?? other.written?.returned)
  const isStrange = (size: string) => ofOrder.length > 0 && !ofOrder.includes(size)
  return [...sizes, ...others].some(isStrange) || sizes.some((size) => others.includes(size))
}

/** The sizes of its packages as written, otherwise as sent. */
function listSizes({ request, written }: Order): string[] {
  const sent = Object(request) as { packages?: unknown }
  const sizes = toSizes(written?.fields.packages)
  return sizes.length > 0 ? sizes : toSizes(sent.packages)
}

function toSizes(packages: unknown): string[] {
  return Array.isArray(packages) ? (packages as Package[]).flatMap((each) => toSize(each) ?? []) : []
}
