/**
 * Numbers of orders and invoices as people, spreadsheets and programs write them: `0003`, `3`, `3.00`; `SO-1005`, `so 1005`,
 * `SO1005`; `#1001`, `1001`.
 */
import { dropInvisible } from "./invisible.ts"

/**
 * One spelling for all spellings of a number: without width, invisible characters, case, a `#` in front, leading zeros,
 * and `.00` and commas of an amount. Separators, and a letter beside a digit, split it into parts; they are never
 * dropped, so that `1-11`, `11-1` and `111` stay three numbers. A number that looks like a decimal keeps its digits:
 * `2028.1`, `2028.01` and `2028.10` may be three part shipments.
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

/** Folds a number or a name, ignoring only width, invisible characters, case, kinds of dashes and blanks around it. */
export function foldIdentifier(text: string): string {
  return clean(text).replace(DASHES, "-").toUpperCase()
}

const DASHES = /[\p{Pd}−]/gu

/**
 * Folds the number of an invoice, which people write like those of orders. Suffixes that name a part stay: digits after
 * a dot (`2028.1`, `2028.01`), a letter after the number (`1001-A`, `1001A`), a sign at the end, and signs alone.
 */
export function foldInvoiceNumber(text: string): string {
  const plain = foldIdentifier(text)
  const [, number = plain, part = ""] = PART.exec(plain) ?? []
  return `${foldNumber(number) || number}${part.replace(/^ /, "")}`
}

/** A number, and the suffix that names a part. */
const PART = /^(.*\d)(\.(?!0+$)\d+|\W?[A-Z]|[^\p{L}\p{N}]+)$/u

function clean(text: string): string {
  return dropInvisible(text.normalize("NFKC")).trim()
}

/**
 * The same for all numbers that may be one: a spreadsheet writes `2028.010` as `2028.01`, a list `#1001` as `Order
 * #1001`. Only a person can confirm it.
 */
export function groupNumber(text: string): string {
  const bare = clean(text).replace(CALLED, "")
  const number = foldNumber(/\d/.test(bare) ? bare : text)
  return DECIMAL.test(number) ? number.replace(/(?<!0)0+$/, "") : number
}

/** Words before the number of an order. `PO` and `SO` say whose number it is, and are part of it. */
const CALLED =
  /^(?:order(?!\p{L})[\s\p{Pd}_.:]*(?:(?:no|nr|number|id)(?=[.:#\s])[.:\s]*)?|(?:no|nr|number)(?=[.:#\s])[.:\s]*)/iu

const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.0+)?$/
const DECIMAL = /^\d+\.\d+$/
/** Digits, letters, or signs that are not separators, such as the `#` of `PO-1#2`. */
const PARTS = /\d+|[\p{L}\p{M}]+|[^\d\p{L}\p{M}\p{Pd}\s\p{Cc}.,/_−]+/gu

function dropZeros(part: string): string {
  return part.replace(/^0+(?=\d)/, "")
}
