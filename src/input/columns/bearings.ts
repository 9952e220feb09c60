/**
 * How a column can change the meaning of others, and the signs by which an unknown column seems to. Such a column is
 * asked about, and never set aside.
 */
import { removeCounted } from "../../contract/index.ts"
import { findUnit, isOwnUnit } from "../../base/units.ts"
import { toWords } from "./headings.ts"
import type { BearingName } from "./notation.ts"

interface BearingWords {
  /** Its meaning, for messages: `it may be …`. */
  readonly what: string
  /** The rule without the column, if no other column has it. */
  readonly without: string
  /** Kinds of fields that it bears on; `row`: on each row as a whole. */
  readonly on: readonly string[] | "row"
  /** Words of a heading, as `toWords` writes them. */
  readonly heading: RegExp
  /** The cells of a column with such a heading; any if omitted. */
  readonly cells?: (text: string) => boolean
  /** Cells that say it under any heading. */
  readonly says?: (text: string) => boolean
  /** One such cell is enough; otherwise all have to say it. */
  readonly isSaidByOne?: true
  readonly isHarmless?: (text: string) => boolean
}

const NUMBER = /^[+-]?[\d.,]+%?$/
const CURRENCY = /^(?:AUD|NZD|USD|EUR|GBP|CAD|SGD|HKD|JPY|CNY|INR|FJD|(?:A|AU|NZ|US|C|S|HK)?\$|€|£|¥)$/i

/** Whether a text names AUD, and no other dollar. */
export const isOwnCurrency = (text: string) => /^(?:AUD|AU?\$|\$)$/i.test(text)

/** Whether an amount is in another currency than AUD: `USD 35.15`, `NZ$76.59`. */
export function isForeignAmount(text: string): boolean {
  const sign = text.replace(/[\d\s.,()+-]/g, "")
  return CURRENCY.test(sign) && !isOwnCurrency(sign)
}

/** A bearing is one entry here. */
export const BEARINGS: Readonly<Record<BearingName, BearingWords>> = {
  unit: {
    what: "the unit of weights or sizes",
    without: "weights are in kg and sizes in cm",
    on: ["kg", "cm", "size", "packages"],
    heading:
      /\b(?:units?|uom|u\/m|measured in|imperial|metric)\b(?! (?:price|cost|no|number|code|name|id)\b)/,
    cells: (text) => !NUMBER.test(text),
    // A lone letter may be the size of a shirt.
    says: (text) => findUnit(text) !== undefined && !/^[mt"]$/i.test(text),
    isHarmless(text) {
      const unit = findUnit(text)
      // `EA` and `CTN` count goods.
      return unit ? isOwnUnit(unit) : /^metric$/i.test(text) || removeCounted(`1 ${text}`) === "1"
    },
  },
  currency: {
    what: "the currency of amounts",
    without: "amounts are in AUD",
    on: ["money"],
    heading: /\b(?:currency|currencies|ccy|curr)\b/,
    says: (text) => CURRENCY.test(text) && text !== "$",
    isHarmless: isOwnCurrency,
  },
  sign: {
    what: "the sign or type of amounts",
    without: "amounts count by their own signs",
    on: ["money"],
    heading: /\b(?:dr ?\/? ?cr|debits?|credits?|sign|reversal|transaction type|document type)\b/,
    says: (text) => /^(?:dr|cr|debit|credit|[+-])$/i.test(text),
  },
  basis: {
    what: "whether amounts include GST",
    without: "only other columns and words of the file say whether they do",
    on: ["money"],
    heading: /\b(?:gst|tax|vat)\b/,
    says: (text) => /^(?:(?:ex|inc)\w*\.? ?(?:gst|tax)|gst ?free|no gst)$/i.test(text),
  },
  count: {
    what: "the number of packages",
    without: "other columns or --package say how many there are, or it is one",
    on: "row",
    heading:
      /\b(?:qty|quantity|quantities|count|pcs?|p\/c|pieces|units|no of|number of|ctns?|cartons|boxes|pallets?|plts?|skids?|satchels|bags|parcels|packages|pkgs?|crates|drums|rolls)\b(?!.* per\b)(?! (?:no|number|id|type|code|size)\b)|^# ?\w/,
    cells: (text) => /^\d{1,6}(?:\.0+)?$/.test(text),
    isHarmless: (text) => /^1(?:\.0+)?$/.test(text),
  },
  state: {
    what: "whether an order is to be sent",
    without: "all orders are taken as ones to send",
    on: "row",
    heading:
      /\b(?:status|statuses|stage|cancell?ed|cancellation|void|voided|refund|refunded|returned|hold|fulfil?led|shipped|despatched|dispatched|delivered|collected|booked|sent|order type|transaction type|shipment type)\b(?! (?:by|to|from|via|with)\b)/,
    says: (text) =>
      /^(?:(?:order )?(?:cancell?ed|voided|refunded|shipped|despatched|dispatched|delivered|returned)|on hold|do not (?:ship|send|dispatch|despatch))\W*$/i.test(
        text,
      ),
    isSaidByOne: true,
    isHarmless: (text) => /^(?:no|n|false|\W*0(?:\.0+)?|none)$/i.test(text),
  },
}

/** The first bearing that an unknown column seems to have. @param cells of its first rows, without the empty ones */
export function findBearing(
  header: string,
  cells: readonly string[],
  among: readonly BearingName[],
): BearingName | undefined {
  const words = toWords(header)
  return among.find((name) => {
    const { heading, cells: fits = () => true, says, isSaidByOne, isHarmless = () => false } = BEARINGS[name]
    if (cells.length > 0 && cells.every(isHarmless)) return false
    if (heading.test(words) && cells.every(fits)) return true
    return says && cells.length > 0 && (isSaidByOne ? cells.some(says) : cells.every(says))
  })
}

/** The bearing of an unknown column by its heading, if its known cells change nothing. */
export function findHarmless(
  header: string,
  cells: readonly string[],
  among: readonly BearingName[],
): { what: string; isHarmless(text: string): boolean } | undefined {
  const words = toWords(header)
  for (const name of among) {
    const { what, heading, cells: fits = () => true, isHarmless = () => false } = BEARINGS[name]
    if (heading.test(words) && cells.length > 0 && cells.every(isHarmless))
      return { what, isHarmless: (text) => isHarmless(text) || !fits(text) }
  }
  return undefined
}
