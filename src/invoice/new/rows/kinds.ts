/** The kinds of an invoice's fields in rows: the shared ones, and those that only invoices have. */
import {
  dateWarnings,
  DEFAULT_ZONE,
  type Kind,
  type KindContext,
  KINDS,
  readNumber,
  readSignedNumber,
  readText,
  removeFraction,
  textWarnings,
} from "../../../contract/index.ts"
import { describeRepair, type Parsed, parsed, quoted, refused } from "../../../base/parsed.ts"
import { type Basis, readBasis, readSignOfGoods } from "../../../input/index.ts"
import { type Amount, GST_PERCENT, negate, toAmount, ZERO } from "../../accounting/amounts.ts"
import { findMeantChoice } from "../../explain/choices.ts"
import { explainDateTime } from "../../explain/dates.ts"
import { NEW_PURPOSES } from "../draft.ts"
import { parseAccountNumber, parseBsb, parseContact, parseTerms } from "../payment.ts"
import { formatDate, wallClockNow } from "../../../base/wall-clock.ts"
import { type InvoiceLeaf, readInvoiceValue } from "../../set-fields.ts"
import { parseAbn, parseAddress, parseUnit } from "../texts.ts"

type InvoiceKind = Kind<string, KindContext> | Kind<Amount, KindContext>

const INVOICE_KINDS = {
  /** A number or code that names something. */
  code: {
    parse: asWritten,
    repair: repairCode,
    doubts: (text) => [...textWarnings(text), ...dateWarnings(text)],
  },
  name: { parse: asWritten },
  day: { parse: parseDateTime, repair: repairDay },
  purpose: { parse: parsePurpose },
  abn: {
    parse: (text) => withRule(parseAbn(text), "abn", (abn) => abn.replace(/\s/g, "")),
    repair: repairCode,
  },
  bsb: { parse: (text) => withRule(parseBsb(text), "bsb"), repair: repairBsb },
  account: { parse: (text) => withRule(parseAccountNumber(text), "account"), repair: repairCode },
  terms: { parse: (text) => keepText(text, parseTerms(text)) },
  contact: { parse: (text) => keepText(text, parseContact(text)) },
  address: { parse: (text) => keepText(text, parseAddress(text)) },
  state: KINDS.state,
  postcode: KINDS.postcode,
  country: {
    parse: (text) => {
      const country = KINDS.country.parse(text)
      return country.ok ? country : refused(country.message ?? "", "an invoice takes no other", "country")
    },
  },
  currency: {
    parse: (text) =>
      // Dollars may be New Zealand's.
      text.toUpperCase() === "AUD" || (!/^dollars?$/i.test(text) && findMeantChoice(text, ["AUD"]))
        ? parsed("AUD")
        : refused(`${quoted(text)} is not AUD`, "an invoice takes no other currency", "currency"),
  },
  unit: { parse: (text) => withRule(parseUnit(text), "unit") },
  whole: {
    parse: (text) => {
      const number = readNumber(text, { whole: true })
      return number.ok ? { ...number, value: String(number.value) } : number
    },
  },
  list: { parse: asWritten, repair: readText },
  text: { parse: asWritten, repair: readText, doubts: textWarnings },
  /** Read by the field's schema in the contract. */
  leaf: { parse: asWritten },
  quantity: {
    parse: (text) =>
      /\$|aud/i.test(text)
        ? refused(`${quoted(text)} is an amount of money, not a quantity`)
        : parseAmount(text, 2),
  },
  price: { parse: (text) => parseAmount(text, 4) },
  amount: { parse: (text) => parseAmount(text, 2) },
  tax: { parse: (text) => parseAmount(text, 2) },
  percent: { parse: parsePercent },
  /** Whether the amounts of the row include GST. */
  basis: {
    parse: (text) => {
      const basis = readRowBasis(text)
      return basis === undefined
        ? refused(
            `${quoted(text)} does not say whether GST is in the amounts`,
            "write ex GST or inc GST",
            "basis",
          )
        : parsed(basis)
    },
  },
  sign: {
    parse: (text) => {
      const sign = readSignOfGoods(text)
      return sign === undefined
        ? refused(`${quoted(text)} does not say whether it is a credit`, "write CR or DR", "sign")
        : parsed(sign)
    },
  },
  status: {
    parse: (text) =>
      /^(?:void|voided|deleted|cancell?ed|archived|rejected|declined)\W*$/i.test(text)
        ? refused(
            `it says ${quoted(text)}: what was cancelled is not billed again`,
            "take the row out",
            "status",
          )
        : parsed(text),
  },
  rate: { parse: parseRate },
  /** Amounts that freight cannot calculate. */
  none: {
    parse: (text) =>
      /^[$-]?\s*(?:(?:0+(?:\.0*)?|\.0*)\s*)?%?$/.test(text)
        ? parsed("")
        : refused(
            `${quoted(text)}: freight cannot add this amount to a line`,
            "write a line of its own for it, and empty the cell",
            "unknown-amount",
          ),
  },
} as const satisfies Record<string, InvoiceKind>

export type InvoiceKindName = keyof typeof INVOICE_KINDS

export function getInvoiceKind(
  name: InvoiceKindName,
  leaf?: InvoiceLeaf,
): Kind<string | Amount, KindContext> {
  return name === "leaf" && leaf ? toLeafKind(leaf) : INVOICE_KINDS[name]
}

/** The text of a value that its field takes; a day is one of its calendar. */
function toLeafKind({ path, node }: InvoiceLeaf): Kind<string, KindContext> {
  return {
    parse(text, { nowMs = 0 }) {
      const read = readInvoiceValue(path, node, text, formatDate(wallClockNow(nowMs, DEFAULT_ZONE)))
      return read.ok ? { ...read, value: typeof read.value === "string" ? read.value : text } : read
    },
  }
}

function asWritten(text: string): Parsed<string> {
  return parsed(text)
}

function withRule(read: Parsed<string>, rule: string, map = (value: string) => value): Parsed<string> {
  return read.ok ? { ...read, value: map(read.value) } : refused(read.reason, undefined, rule)
}

/** The text itself, if it is valid. */
function keepText(text: string, read: Parsed<unknown>): Parsed<string> {
  return read.ok ? parsed(text) : read
}

function repairCode(text: string): Parsed<string> {
  const exact = readText(text)
  return exact.ok ? removeFraction(text) : exact
}

/** Spreadsheets take it for a number. */
function repairBsb(text: string): Parsed<string> {
  const code = repairCode(text)
  if (!code.ok || !/^\d{5}$/.test(code.value)) return code
  const bsb = parseBsb(`0${code.value}`)
  if (!bsb.ok) return refused(bsb.reason, undefined, "bsb")
  return parsed(
    bsb.value,
    ...(code.repairs ?? []),
    describeRepair("lost-zero", text, bsb.value, "it has lost its leading 0"),
  )
}

/** Whether a cell says that the amounts of its row include GST; MYOB marks such rows with X. */
export function readRowBasis(text: string): Basis | undefined {
  if (/^(?:x|true)$/i.test(text.trim())) return "incGst"
  return /^false$/i.test(text.trim()) ? "exGst" : readBasis(text)
}

/** The type of a document as people and accounting programs write it; undefined for another word. */
export function findPurpose(text: string): (typeof NEW_PURPOSES)[number] | undefined {
  if (/^(?:cr|cn|crn|c\/n)$/i.test(text.trim())) return "creditMemo"
  const same = NEW_PURPOSES.find((each) => each.toLowerCase() === text.toLowerCase())
  return same ?? NEW_PURPOSES.find((each) => each === findMeantChoice(text, NEW_PURPOSES)?.choice)
}

function parsePurpose(text: string): Parsed<string> {
  const purpose = findPurpose(text)
  return purpose === undefined
    ? refused(
        `${quoted(text)} is not one of ${NEW_PURPOSES.join(", ")}`,
        "write Credit note, for one",
        "enum",
      )
    : parsed(purpose)
}

function repairDay(text: string, { nowMs }: KindContext): Parsed<string> {
  return explainDateTime(text) ? KINDS.day.repair(text, { nowMs }) : parsed(text)
}

/** A day as a date-time, like `parseDay` for flags; a date-time with a zone is kept. */
function parseDateTime(text: string): Parsed<string> {
  if (!explainDateTime(text)) return parsed(text)
  const day = KINDS.day.parse(text, {})
  if (day.ok) return { ...day, value: `${day.value}T00:00:00Z` }
  return day.rule === "zone" ? refused(`${quoted(text)} is not a day`, "write 2026-11-23", "zone") : day
}

/** @param places decimals that the contract allows; digits far beyond them, from floating-point arithmetic, are rounded off */
function parseAmount(text: string, places: 2 | 4): Parsed<Amount> {
  const read = readSignedNumber(text, { money: true })
  if (!read.ok) return read
  const { value } = read
  if (Math.abs(value) >= 1e12)
    return refused(`${quoted(text)} has more than 12 digits before the point`, undefined, "large")
  const rounded = Number(value.toFixed(places))
  const noise = Math.abs(value - rounded)
  if (noise > 1e-9 * Math.max(1, Math.abs(value)))
    return refused(`${quoted(text)} has more than ${places} decimals`, "round it", "decimals")
  const repair = noise > 0 ? describeRepair("noise", text, String(rounded)) : undefined
  return parsed(toAmount(rounded, String(rounded)) ?? ZERO, ...(repair ? [repair] : (read.repairs ?? [])))
}

function parsePercent(text: string): Parsed<Amount> {
  const read = parseAmount(text.replace(/%$/, "").trim(), 2)
  if (!read.ok) return read
  const percent = read.value < ZERO ? negate(read.value) : read.value
  if (percent > HUNDRED) return refused(`${quoted(text)} is more than 100%`, undefined, "percent")
  // A spreadsheet has 0.1 for 10%.
  if (percent !== ZERO && percent < ONE_PERCENT)
    return refused(`${quoted(text)} is less than 1%`, "write 10% or 10", "percent")
  return { ...read, value: percent }
}

const ONE_PERCENT = toAmount(1) ?? ZERO
const HUNDRED = toAmount(100) ?? ZERO

const TAXED = /^(?:gst|gst on (?:income|sales|capital)|taxable|yes|y|true)$/i
const FREE =
  /^(?:gst[- ]?free(?: (?:income|sales|supplies))?|free|fre|exempt|n-?t|none|nil|no|n|false|no (?:tax|gst)|bas excluded|exp|export|zero[- ]rated|itx?|input taxed)$/i
const PERCENT = /^(?:gst\s*)?(\d+(?:\.\d+)?)\s*(%?)(?:\s*gst)?$/i

/** Whether a cell of taxes holds a rate and no amount. */
export function isRateText(written: string): boolean {
  const text = written.trim()
  return TAXED.test(text) || FREE.test(text) || (/%|gst/i.test(text) && PERCENT.test(text))
}

/** Percent of GST: a number, a part of one that a spreadsheet shows as percent, or an accounting program's code. */
export function parseRate(text: string): Parsed<Amount> {
  if (TAXED.test(text)) return parsed(GST_PERCENT)
  if (FREE.test(text)) return parsed(ZERO)
  const [, digits = "", sign] = PERCENT.exec(text) ?? []
  if (digits !== "" && Number(digits) === 0) return parsed(ZERO)
  if (Number(digits) === 10) return parsed(GST_PERCENT)
  if (Number(digits) === 0.1 && sign === "") return parsed(GST_PERCENT, describeRepair("rate", text, "10%"))
  return refused(`${quoted(text)} is not a rate of GST`, "it is 10, or 0 for what is free of it", "rate")
}
