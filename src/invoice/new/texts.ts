/** Parses texts that a person types for an invoice: lines, addresses, dates, an ABN. */
import { countCharacters } from "../../base/counted.ts"
import type { InvoiceAddress, LineItem } from "../../contract/generated/types.ts"
import { type Parsed, parsed, quoted, refused, valueOrThrow } from "../../base/parsed.ts"
import { parseAddressParts, parsePlace, type Place } from "../../contract/index.ts"
import { suggest } from "../../base/suggest.ts"
import { parseDate } from "../../base/wall-clock.ts"
import { parseDay as parseDayOfPeople } from "../../base/when.ts"
import { type Amount, GST_PERCENT, toAmount, ZERO } from "../accounting/amounts.ts"
import { explainAbn } from "../accounting/identifiers.ts"
import { COMMON_UNITS, findMeantChoice } from "../explain/choices.ts"
import { getSchemaAt } from "../schema.ts"

export interface NewLine {
  quantity: Amount
  description: string
  unitPrice: Amount
  /** In percent. */
  taxRate: Amount
  /** Its sums, if the unit price is rounded and does not give them to the cent. */
  sums?: { subtotal: Amount; tax: Amount }
  unitOfMeasure?: string
  /** Other fields of the line, as the contract has them. */
  more?: Partial<LineItem>
}

/** Whether a reference reads as a purchase order: `PO-1001`, `P.O. 77`, `po#12`; not `PORT-1`. */
export function readsAsOrder(reference: string): boolean {
  return /^P\.?O\.?(?![a-z]).*\d/i.test(reference.trim())
}

export interface ShippingCharge {
  /** Before tax. */
  amount: Amount
  /** In percent; if omitted, shipping is taxed like the lines. */
  taxRate?: Amount
}

export const LINE_FORM = "2 x Widget @ 19.99 tax 10 EA"
export const ADDRESS_FORM = "1 Harbour Street, Sydney NSW 2000"

const UNITS = getSchemaAt("/data/lineItems/0/unitOfMeasure").enum ?? []
const LINE = /^(\S+)\s*[x×]\s+(.*\S)\s*@\s*\$?\s*(\S+)(.*)$/i
const TAX = /\btax\s+(\S+?)\s*%?(?=\s|$)/i
const RATES: readonly Amount[] = [ZERO, GST_PERCENT]
const AMOUNT = /^(\d{1,12}|\d{1,3}(,\d{3}){1,3})(\.\d+)?$/

/** Reads `QUANTITY x DESCRIPTION @ PRICE`, then `tax PERCENT` (10) and a unit code in any order. */
export function parseLine(text: string): Parsed<NewLine> {
  const [, count = "", description = "", price = "", rest = ""] = LINE.exec(text.trim()) ?? []
  if (description === "") return refused(`${quoted(text)} is not a line: write it as ${quoted(LINE_FORM)}`)
  const quantity = parseAmount(count, "quantity", 2)
  if (!quantity.ok) return quantity
  const unitPrice = parseAmount(price, "unit price", 4)
  if (!unitPrice.ok) return unitPrice
  const taxRate = parseTaxRate(TAX.exec(rest)?.[1] ?? "10")
  if (!taxRate.ok) return taxRate
  const [code, ...surplus] = rest.replace(TAX, " ").trim().split(/\s+/)
  if (surplus.length > 0)
    return refused(
      `after the price of ${quoted(description)} come tax and a unit, not ${quoted(surplus.join(" "))}`,
    )
  const unit = parseUnit(code ?? "")
  if (!unit.ok) return unit
  return parsed({
    quantity: quantity.value,
    description,
    unitPrice: unitPrice.value,
    taxRate: taxRate.value,
    ...(unit.value !== "" && { unitOfMeasure: unit.value }),
  })
}

/** Reads `12.50`, `12.50 tax 0`: shipping before tax, and optionally the tax in percent. */
export function parseShipping(text: string): Parsed<ShippingCharge> {
  const [, price = "", rest = ""] = /^\$?\s*(\S+)(.*)$/.exec(text.trim()) ?? []
  const amount = parseAmount(price, "shipping", 2)
  if (!amount.ok || rest.trim() === "") return amount.ok ? parsed({ amount: amount.value }) : amount
  const rate = TAX.exec(rest)?.[1]
  if (rate === undefined || rest.replace(TAX, "").trim() !== "")
    return refused(
      `after the amount of shipping comes tax, not ${quoted(rest.trim())}: write it as 12.50 tax 0`,
    )
  const taxRate = parseTaxRate(rate)
  return taxRate.ok ? parsed({ amount: amount.value, taxRate: taxRate.value }) : taxRate
}

export function parseDeposit(text: string): Parsed<Amount> {
  return parseAmount(text.trim().replace(/^\$\s*/, ""), "deposit", 2)
}

/** Reads the percentage of a tax: that of GST, or none. */
function parseTaxRate(text: string): Parsed<Amount> {
  const rate = parseAmount(text, "tax", 2)
  if (!rate.ok || RATES.includes(rate.value)) return rate
  return refused(`tax is 10 (GST) or 0 (GST-free), not ${quoted(text)}`)
}

function parseAmount(text: string, what: string, most: number): Parsed<Amount> {
  if (!AMOUNT.test(text)) return refused(`the ${what} ${quoted(text)} is not an amount: write it as 19.99`)
  const [, decimals = ""] = text.split(".")
  if (decimals.length > most) return refused(`the ${what} ${quoted(text)} has more than ${most} decimals`)
  const plain = text.replaceAll(",", "")
  return parsed(toAmount(Number(plain), plain) ?? ZERO)
}

/** Reads a unit code, or a common word for one; empty for none. */
export function parseUnit(text: string): Parsed<string> {
  const code = findMeantChoice(text, UNITS)?.choice ?? text.toUpperCase()
  if (code === "" || UNITS.includes(code)) return parsed(code)
  const near = suggest(code, UNITS)
  return refused(
    `${quoted(text)} is not a unit: ${near ? `did you mean ${near}?` : `common ones are ${COMMON_UNITS}`}`,
  )
}

/**
 * Reads `STREET; CITY STATE POSTCODE`, with the addressee before them, and a second line of the street after it; or an
 * address in one line with commas, as a booking takes it.
 */
export function parseAddress(text: string): Parsed<InvoiceAddress> {
  const line = text.includes(";") ? undefined : parseAddressParts(text)
  if (line?.ok) {
    const { names, address1, address2, ...place } = line.value
    return parsed(toAddress(names.join(", ") || undefined, address1, address2, place))
  }
  const parts = text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const last = parts.pop() ?? ""
  const [addressee, street1, street2] = parts.length === 1 ? [undefined, parts[0]] : parts
  if (street1 === undefined || parts.length > 3)
    return refused(
      `${quoted(text)} is not an address: write it as ${quoted(ADDRESS_FORM)}, with a comma or semicolon between its lines`,
    )
  const place = parsePlace(last)
  if (!place.ok) return place
  return parsed(toAddress(addressee, street1, street2, place.value))
}

function toAddress(
  addressee: string | undefined,
  street1: string,
  street2: string | undefined,
  { suburb, state, postcode }: Place,
): InvoiceAddress {
  return {
    ...(addressee !== undefined && { addressee }),
    street1,
    ...(street2 !== undefined && { street2 }),
    city: suburb,
    state,
    postalCode: postcode,
    country: "AU",
  }
}

/**
 * Reads a day as its date-time: 00:00 UTC is on that day in all of Australia.
 * @param today `2026-11-20`, the base for `yesterday` and days without a year
 */
export function parseDay(text: string, today: string, towards: "any" | "past" = "past"): Parsed<string> {
  const now = () => ({ ...valueOrThrow(parseDate(today), "today"), hour: 0, minute: 0, second: 0 })
  const day = parseDayOfPeople(text, now, towards)
  return day.ok ? parsed(`${day.value}T00:00:00Z`) : day
}

/** Reads the day on which payment is due, for an invoice of `date`. */
export function parseDue(text: string, date: string): Parsed<string> {
  const day = parseDay(text, date.slice(0, 10), "any")
  return day.ok && day.value < date
    ? refused(`${quoted(text)} is before the date of the invoice, ${date.slice(0, 10)}`)
    : day
}

/** Reads the ABN of a supplier, whose check digits must fit. */
export function parseAbn(text: string): Parsed<string> {
  const value = text.trim()
  const wrong = explainAbn(value)
  return wrong ? refused(wrong.message) : parsed(value)
}

export function parseComments(text: string): Parsed<string> {
  const { maxLength: most = 0 } = getSchemaAt("/data/comments")
  const length = countCharacters(text)
  return length > most ? refused(`${length} characters are more than the ${most} allowed`) : parsed(text)
}

/** Reads text that must not be empty. */
export function parseSome(text: string): Parsed<string> {
  return text.trim() === "" ? refused("it is empty") : parsed(text.trim())
}
