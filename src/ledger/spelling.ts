/** Order numbers as people, spreadsheets and programs write them: `0003`, `3`, `3.00`; `SO-1005`, `so 1005`, `SO1005`. */
import { type Entry, keyText } from "./entry.ts"

/**
 * One writing for all spellings of an order number: without width, case, leading zeros of a number, and `.00` and
 * commas of an amount. Separators part it, whichever they are, as does a letter beside a digit; they are never dropped,
 * so that `1-11`, `11-1` and `111` stay three numbers.
 */
export function normalizeOrderNumber(text: string): string {
  const plain = text.normalize("NFKC").replace(INVISIBLE, "").trim().toLowerCase()
  const formula = /^="(.*)"$/s.exec(plain)?.[1] ?? plain
  const amount = GROUPED.test(formula) ? formula.replaceAll(",", "") : formula
  const number = /^(\d+)\.0+$/.exec(amount)?.[1] ?? amount
  return (number.match(PARTS) ?? []).map((part) => part.replace(/^0+(?=\d)/, "")).join("-")
}

const INVISIBLE = /\p{Cf}/gu
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.0+)?$/
/** Digits, letters, or signs that are no separators, such as the `#` of `PO-1#2`. */
const PARTS = /\d+|[\p{L}\p{M}]+|[^\d\p{L}\p{M}\p{Pd}\s\p{Cc}.,/_−]+/gu

type Named = Pick<Entry, "key" | "keyGiven"> & { facts?: Pick<Entry["facts"], "reference"> | undefined }

/** The number of an order as it was written: the key that a person gave, otherwise the customer's reference. */
export function getOrderNumber(order: Named): string {
  return order.keyGiven ? keyText(order) : (order.facts?.reference ?? "")
}

/** Whether the order of an entry has this number in another spelling. */
export function isRespelling(entry: Named, number: string): boolean {
  const before = getOrderNumber(entry)
  return before !== number && number !== "" && normalizeOrderNumber(before) === normalizeOrderNumber(number)
}

/** The number of an order in the one writing that is compared; empty where it has none. */
export function getNormalizedNumber(order: Named): string {
  const known = NORMALIZED.get(order)
  if (known !== undefined) return known
  const number = normalizeOrderNumber(getOrderNumber(order))
  NORMALIZED.set(order, number)
  return number
}

/** Each claim of a group is compared with all entries of that group. */
const NORMALIZED = new WeakMap<Named, string>()
