/**
 * Numbers of orders and invoices as people, spreadsheets and programs write them: `0003`, `3`, `3.00`; `SO-1005`, `so 1005`,
 * `SO1005`; `#1001`, `1001`.
 */
import { dropInvisible } from "./invisible.ts"

/**
 * One writing for all spellings of a number: without width, invisible signs, case, a `#` in front, leading zeros, and `.00`
 * and commas of an amount. Separators part it, whichever they are, as does a letter beside a digit; they are never dropped,
 * so that `1-11`, `11-1` and `111` stay three numbers. What reads like a decimal keeps its digits: `2028.1`, `2028.01` and
 * `2028.10` may be three part shipments.
 */
export function foldNumber(text: string): string {
  const plain = clean(text).toLowerCase()
  const formula = /^="(.*)"$/s.exec(plain)?.[1] ?? plain
  const bare = formula.replace(/^#\s*/, "")
  const amount = GROUPED.test(bare) ? bare.replaceAll(",", "") : bare
  const number = /^(\d+)\.0+$/.exec(amount)?.[1] ?? amount
  if (DECIMAL.test(number)) return dropZeros(number)
  return (number.match(PARTS) ?? []).map(dropZeros).join("-")
}

/** A number or a name of which all but width, invisible signs, case, kinds of dashes and blanks around it counts. */
export function foldIdentifier(text: string): string {
  return clean(text).replace(DASHES, "-").toUpperCase()
}

const DASHES = /[\p{Pd}−]/gu

/**
 * The number of an invoice, which people write as those of orders. What tells a part from another counts as it stands: digits
 * behind a dot (`2028.1`, `2028.01`), a letter behind the number (`1001-A`, `1001A`), a sign at the end, and signs alone.
 */
export function foldInvoiceNumber(text: string): string {
  const plain = foldIdentifier(text)
  const [, number = plain, part = ""] = PART.exec(plain) ?? []
  return `${foldNumber(number) || number}${part.replace(/^ /, "")}`
}

/** A number, and what tells which part of it is meant. */
const PART = /^(.*\d)(\.(?!0+$)\d+|\W?[A-Z]|[^\p{L}\p{N}]+)$/u

function clean(text: string): string {
  return dropInvisible(text.normalize("NFKC")).trim()
}

/**
 * The same for all numbers that may be one: a spreadsheet writes `2028.010` as `2028.01`, a list `#1001` as `Order #1001`.
 * Only a person can say whether they are.
 */
export function groupNumber(text: string): string {
  const bare = clean(text).replace(CALLED, "")
  const number = foldNumber(/\d/.test(bare) ? bare : text)
  return DECIMAL.test(number) ? number.replace(/(?<!0)0+$/, "") : number
}

/** Words that say that what follows is the number of an order. `PO` and `SO` say whose, and part the number. */
const CALLED =
  /^(?:order(?!\p{L})[\s\p{Pd}_.:]*(?:(?:no|nr|number|id)(?=[.:#\s])[.:\s]*)?|(?:no|nr|number)(?=[.:#\s])[.:\s]*)/iu

const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.0+)?$/
const DECIMAL = /^\d+\.\d+$/
/** Digits, letters, or signs that are no separators, such as the `#` of `PO-1#2`. */
const PARTS = /\d+|[\p{L}\p{M}]+|[^\d\p{L}\p{M}\p{Pd}\s\p{Cc}.,/_−]+/gu

function dropZeros(part: string): string {
  return part.replace(/^0+(?=\d)/, "")
}
