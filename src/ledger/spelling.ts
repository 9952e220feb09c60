/** Reads an order's number, and compares it with others. */
import { foldNumber, groupNumber } from "../base/order-number.ts"
import { getReturnOf } from "../contract/index.ts"
import { type Entry, keyText } from "./entry.ts"
import { returnKey } from "./returns.ts"

type Named = Pick<Entry, "key" | "keyGiven"> & {
  facts?: Pick<Entry["facts"], "reference" | "own"> | undefined
  request?: unknown
}

/**
 * The number of an order as written: the key that a person gave, otherwise the customer's reference. All returns of one
 * order have one number, whatever their keys, so that each is compared with the others.
 */
export function getOrderNumber(order: Named): string {
  const returned = getReturnOf(order.facts?.own)
  if (returned !== undefined) return returnKey(returned)
  return order.keyGiven ? keyText(order) : (order.facts?.reference ?? "")
}

/** The reference of an order as written; without one, its key. */
export function getReference({ facts, request, ...order }: Named): string {
  return facts?.reference || String(Object(request).customerReference ?? "") || getOrderNumber(order)
}

/** Whether the reference of an entry only may be this one: see `groupNumber`. */
export function isDoubtful(entry: Named, reference: string): boolean {
  const before = getReference(entry)
  return groupNumber(before) === groupNumber(reference) && foldNumber(before) !== foldNumber(reference)
}

/** Whether the order of an entry has this number in another spelling, or only may have it: see `groupNumber`. */
export function findRespelling(entry: Named, number: string): "another" | "perhaps another" | undefined {
  const before = getOrderNumber(entry)
  if (before === number || groupNumber(number) === "" || groupNumber(before) !== groupNumber(number))
    return undefined
  return foldNumber(before) === foldNumber(number) ? "another" : "perhaps another"
}

/**
 * The spelling of an equal entry's number, and whether it is certainly the same number.
 * @param reference of the order
 */
export function compareNumber(
  entry: Named,
  reference: string,
): { before: string; isSure: boolean; isRespelled: boolean } {
  const spelling = findRespelling(entry, reference)
  const isOther = spelling === undefined && isDoubtful(entry, reference)
  return {
    before: isOther ? getReference(entry) : getOrderNumber(entry),
    isSure: spelling !== "perhaps another" && !isOther,
    isRespelled: spelling !== undefined,
  }
}

/** The number that finds an order, the same for all spellings that may be one order; empty if it has none. */
export function getNormalizedNumber(order: Named): string {
  const known = NORMALIZED.get(order)
  if (known !== undefined) return known
  const number = groupNumber(getOrderNumber(order))
  NORMALIZED.set(order, number)
  return number
}

/** Each claim of a group is compared with all entries of that group. */
const NORMALIZED = new WeakMap<Named, string>()
