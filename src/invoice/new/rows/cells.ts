/** The cells of a row as values by field, each read by its field's kind. */
import { type Parsed, quoted } from "../../../contract/parsed.ts"
import {
  accept,
  cleanText,
  dateWarnings,
  describeRepair,
  type FindingText,
  type Read,
  readCountry,
  readNumber,
  readPostcode,
  readSignedNumber,
  readState,
  readText,
  reject,
  textWarnings,
  withoutFraction,
} from "../../../sheets/damage.ts"
import { readDay } from "../../../sheets/dates.ts"
import type { CellFinding } from "../../../sheets/findings.ts"
import { type Amount, GST_PERCENT, toAmount, ZERO } from "../../accounting/amounts.ts"
import { findMeantChoice } from "../../explain/choices.ts"
import { explainDateTime } from "../../explain/dates.ts"
import { NEW_PURPOSES } from "../draft.ts"
import { parseAccountNumber, parseBsb, parseContact, parseTerms } from "../payment.ts"
import { parseAbn, parseAddress, parseUnit } from "../texts.ts"
import { type Kind, readPurpose, type RowField } from "./columns.ts"

/** In which order a column's dates in figures have day and month, as one of them shows. */
export type DateOrder = { first: "day" | "month"; shownBy: string } | undefined

export interface WrittenCell {
  column: string
  field: RowField
  text: string
  dates: DateOrder
}

export interface RowValues {
  /** As a spreadsheet numbers it. */
  row: number
  line: number
  /** By field; days are date-times, addresses are as written. Empty cells are left out. */
  texts: ReadonlyMap<string, string>
  amounts: ReadonlyMap<string, Amount>
  /** Fields whose cell cannot be read. */
  failed: ReadonlySet<string>
}

/** @param nowMs to judge whether a spreadsheet's number for a day is plausible */
export function readCells(
  cells: readonly WrittenCell[],
  nowMs: number,
): Pick<RowValues, "texts" | "amounts" | "failed"> & { findings: CellFinding[] } {
  const texts = new Map<string, string>()
  const amounts = new Map<string, Amount>()
  const failed = new Set<string>()
  const findings: CellFinding[] = []
  const stateOf = (name: string) =>
    cells.find(({ field }) => field.name === name.replace(/postalCode$/, "state"))?.text
  for (const { column, field, text, dates } of cells) {
    const clean = cleanText(text)
    const add = (severity: CellFinding["severity"], found: readonly FindingText[]) =>
      findings.push(...found.map((each) => ({ ...each, column, severity })))
    if ("value" in clean && clean.value === "") continue
    // A column of taxes may hold amounts, rates or an accounting program's codes.
    const isRate = "value" in clean && field.kind === "tax" && isRateText(clean.value)
    const [name, kind] = isRate ? ["taxRate", "rate" as const] : [field.name, field.kind]
    const context = { nowMs, dates, state: stateOf(name) }
    const read = "error" in clean ? clean : READERS[kind](clean.value, context)
    if ("error" in read) {
      failed.add(name)
      add("error", [read.error])
      continue
    }
    add("repaired", [...("value" in clean ? clean.repairs : []), ...read.repairs])
    if (kind === "text" && typeof read.value === "string")
      add("warning", [...textWarnings(read.value), ...dateWarnings(read.value)])
    if (typeof read.value === "string") texts.set(name, read.value)
    else if (!amounts.has(name) || !isRate) amounts.set(name, read.value)
  }
  return { texts, amounts, failed, findings }
}

interface CellContext {
  nowMs: number
  dates: DateOrder
  /** As the same address has it. */
  state: string | undefined
}

type Reader = (text: string, context: CellContext) => Read<string> | Read<Amount>

const READERS: Readonly<Record<Kind, Reader>> = {
  text: readName,
  name: (text) => accept(text),
  day: readDate,
  purpose: (text) => {
    const purpose = readPurpose(text)
    return purpose === undefined
      ? reject(
          "enum",
          `${quoted(text)} is not one of ${NEW_PURPOSES.join(", ")}`,
          "write Credit note, for one",
        )
      : accept(purpose)
  },
  abn: (text) => {
    const digits = readName(text)
    if ("error" in digits) return digits
    const abn = parseAbn(digits.value)
    return abn.ok ? accept(abn.value.replace(/\s/g, ""), ...digits.repairs) : reject("abn", abn.reason)
  },
  bsb: (text) => {
    const digits = readName(text)
    if ("error" in digits) return digits
    // Spreadsheets take it for a number.
    const whole = /^\d{5}$/.test(digits.value) ? `0${digits.value}` : digits.value
    const bsb = parseBsb(whole)
    if (!bsb.ok) return reject("bsb", bsb.reason)
    const lost = whole === digits.value ? undefined : describeRepair("lost-zero", text, bsb.value, LOST_ZERO)
    return accept(bsb.value, ...digits.repairs, lost)
  },
  account: (text) => {
    const digits = readName(text)
    if ("error" in digits) return digits
    const number = parseAccountNumber(digits.value)
    return number.ok ? accept(number.value, ...digits.repairs) : reject("account", number.reason)
  },
  terms: (text) => fromParsed(text, parseTerms(text)),
  contact: (text) => fromParsed(text, parseContact(text)),
  address: (text) => fromParsed(text, parseAddress(text)),
  state: readState,
  postcode: (text, { state }) => readPostcode(text, state),
  country: (text) => {
    const country = readCountry(text)
    return "error" in country
      ? reject("country", country.error.message, "an invoice takes no other")
      : country
  },
  currency: (text) =>
    text.toUpperCase() === "AUD" || findMeantChoice(text, ["AUD"])
      ? accept("AUD")
      : reject("currency", `${quoted(text)} is not AUD`, "an invoice takes no other currency"),
  unit: (text) => {
    const unit = parseUnit(text)
    return unit.ok ? accept(unit.value) : reject("unit", unit.reason)
  },
  whole: (text) => {
    const number = readNumber(text, { whole: true })
    return "error" in number ? number : accept(String(number.value), ...number.repairs)
  },
  list: readText,
  quantity: (text) =>
    /\$|aud/i.test(text)
      ? reject("type", `${quoted(text)} is an amount of money, not a quantity`)
      : readAmount(text, 2),
  price: (text) => readAmount(text, 4),
  amount: (text) => readAmount(text, 2),
  tax: (text) => readAmount(text, 2),
  rate: readRate,
  none: (text) =>
    /^[$-]?\s*0*(?:\.0*)?\s*%?$/.test(text)
      ? accept("")
      : reject(
          "unknown-amount",
          `${quoted(text)}: freight works out no discounts or shipping of lines`,
          "change the unit price, or write a line of its own for it, and empty the cell",
        ),
}

const LOST_ZERO = "it has lost its leading 0"

function fromParsed<T>(text: string, result: Parsed<T>): Read<string> {
  return result.ok ? accept(text) : reject("type", result.reason)
}

/** A number or code that names something. */
function readName(text: string): Read<string> {
  const exact = readText(text)
  if ("error" in exact) return exact
  const { value, repair } = withoutFraction(text)
  return accept(value, repair)
}

const IN_FIGURES = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/

/** The order that the dates of a column show: a day over 12 stands first in one of them, and second in none. */
export function findDateOrder(texts: readonly string[]): DateOrder {
  const shownBy = (place: 1 | 3) => texts.find((text) => Number(IN_FIGURES.exec(text.trim())?.[place]) > 12)
  const [day, month] = [shownBy(1)?.trim(), shownBy(3)?.trim()]
  if (day !== undefined && month === undefined) return { first: "day", shownBy: day }
  if (month !== undefined && day === undefined) return { first: "month", shownBy: month }
  return undefined
}

/** A day as the date-time that stands for it, as `parseDay` of flags; a date-time with its zone as it is. */
function readDate(text: string, { nowMs, dates }: CellContext): Read<string> {
  if (!explainDateTime(text)) return accept(text)
  const [, one, , two, year] = IN_FIGURES.exec(text) ?? []
  const [day = "", month = ""] = dates?.first === "month" ? [two, one] : [one, two]
  const turned = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  const isTurned = dates !== undefined && year !== undefined
  const read = readDay(isTurned ? turned : text, nowMs)
  if ("error" in read)
    return read.error.rule === "zone"
      ? reject("zone", `${quoted(text)} is not a day`, "write 2026-11-23")
      : read
  const why = `the ${dates?.first} stands first in this column, as in ${quoted(dates?.shownBy ?? "")}`
  return accept(
    `${read.value}T00:00:00Z`,
    ...(isTurned ? [describeRepair("turned-date", text, read.value, why)] : read.repairs),
  )
}

/** @param places decimals that the contract takes; what computers add far behind them is rounded off */
function readAmount(text: string, places: 2 | 4): Read<Amount> {
  const read = readSignedNumber(text, { money: true })
  if ("error" in read) return read
  const { value } = read
  if (Math.abs(value) >= 1e12)
    return reject("large", `${quoted(text)} has more than 12 digits before the point`)
  const rounded = Number(value.toFixed(places))
  const noise = Math.abs(value - rounded)
  if (noise > 1e-9 * Math.max(1, Math.abs(value)))
    return reject("decimals", `${quoted(text)} has more than ${places} decimals`, "round it")
  const repair = noise > 0 ? describeRepair("noise", text, String(rounded)) : undefined
  return accept(toAmount(rounded, String(rounded)) ?? ZERO, ...(repair ? [repair] : read.repairs))
}

const TAXED = /^(?:gst|gst on (?:income|sales|capital)|taxable|yes|y|true)$/i
const FREE =
  /^(?:gst[- ]?free(?: (?:income|sales|supplies))?|free|fre|exempt|n-?t|none|nil|no|n|false|no (?:tax|gst)|bas excluded|exp|export|zero[- ]rated|itx?|input taxed)$/i
const PERCENT = /^(?:gst\s*)?(\d+(?:\.\d+)?)\s*(%?)(?:\s*gst)?$/i

function isRateText(text: string): boolean {
  return TAXED.test(text) || FREE.test(text) || (/%|gst/i.test(text) && PERCENT.test(text))
}

/** Percent of GST: a number, a part of one that a spreadsheet shows as percent, or an accounting program's code. */
function readRate(text: string): Read<Amount> {
  if (TAXED.test(text)) return accept(GST_PERCENT)
  if (FREE.test(text)) return accept(ZERO)
  const [, digits = "", sign] = PERCENT.exec(text) ?? []
  if (digits !== "" && Number(digits) === 0) return accept(ZERO)
  if (Number(digits) === 10) return accept(GST_PERCENT)
  if (Number(digits) === 0.1 && sign === "") return accept(GST_PERCENT, describeRepair("rate", text, "10%"))
  return reject("rate", `${quoted(text)} is not a rate of GST`, "it is 10, or 0 for what is free of it")
}
