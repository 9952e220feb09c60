/** Payment details and contact of an invoice, as people type them. */
import type { BankDetails, PartyContact, PaymentTerms } from "../../contract/generated/types.ts"
import { type Parsed, parsed, quoted, refused, valueOrThrow } from "../../base/parsed.ts"
import { addDays, formatDate, parseDate } from "../../base/wall-clock.ts"
import { explainEmail } from "../explain/formats.ts"

export const CONTACT_FORM = "Mia Tran, 02 9555 0134, accounts@example.com"

export interface PaymentTexts {
  bsb?: string
  accountNumber?: string
  /** The supplier's name when left out. */
  accountName?: string
  terms?: string
}

/** Reads six digits, with or without a hyphen. */
export function parseBsb(text: string): Parsed<string> {
  const digits = text.replace(/[\s-]/g, "")
  return /^\d{6}$/.test(digits)
    ? parsed(`${digits.slice(0, 3)}-${digits.slice(3)}`)
    : refused(`${quoted(text)} is not a BSB: it has six digits, such as 062-000`)
}

export function parseAccountNumber(text: string): Parsed<string> {
  const digits = text.replace(/[\s-]/g, "")
  return /^\d{4,10}$/.test(digits)
    ? parsed(digits)
    : refused(`${quoted(text)} is not an account number: it has 4 to 10 digits`)
}

/** The bank account for the payment; undefined if there is none. */
export function toBankDetails(texts: PaymentTexts, supplierName: string): BankDetails | undefined {
  const { bsb, accountNumber, accountName = supplierName } = texts
  return bsb === undefined || accountNumber === undefined ? undefined : { accountName, accountNumber, bsb }
}

const DAYS = "(?:net\\s+)?(\\d{1,3})(?:\\s*days?)?(?:\\s+net)?"
const NET = new RegExp(`^${DAYS}$`, "i")
const DISCOUNTED = new RegExp(
  `^(\\d{1,3}(?:\\.\\d{1,2})?)\\s*(?:%|/)\\s*(?:within\\s+|in\\s+)?(\\d{1,3})(?:\\s*days?)?[\\s,;]+${DAYS}$`,
  "i",
)
const AT_ONCE = /^(?:c\.?o\.?d\.?|cash on delivery|(?:due |payable )?(?:up)?on receipt|immediate(?:ly)?)$/i
const MAX_NET_DAYS = 365

/** Reads `30 days`, `net 30`, `2/10 net 30`, `on receipt`; other words are the description. */
export function parseTerms(text: string): Parsed<PaymentTerms> {
  const words = text.trim()
  if (words === "") return refused("it is empty")
  const [, days] = NET.exec(words) ?? []
  if (days !== undefined)
    return Number(days) > MAX_NET_DAYS
      ? refused(`${quoted(words)} is more than ${MAX_NET_DAYS} days`)
      : parsed({ netDays: Number(days) })
  const [, percent, discountDays, netDays] = DISCOUNTED.exec(words) ?? []
  if (percent === undefined) return parsed({ description: words, ...(AT_ONCE.test(words) && { netDays: 0 }) })
  const discount = { discountPercent: Number(percent), discountDays: Number(discountDays) }
  if (discount.discountPercent === 0 || discount.discountPercent > 100)
    return refused(`${quoted(words)}: there is no discount of ${percent} percent`)
  if (discount.discountDays > Number(netDays))
    return refused(`${quoted(words)}: the discount ends after payment is due`)
  return parsed({ netDays: Number(netDays), discountTerms: [discount] })
}

/** The due day of an invoice of `date` by its terms; undefined if they do not state days. */
export function findDueDate({ netDays }: PaymentTerms, date: string): string | undefined {
  const day = parseDate(date.slice(0, 10))
  return day.ok && netDays !== undefined
    ? `${formatDate(addDays(day.value, netDays))}${date.slice(10)}`
    : undefined
}

/** Reads a name, a phone number and an email address in any order, with commas between. */
export function parseContact(text: string): Parsed<PartyContact> {
  const contact: PartyContact = {}
  for (const part of text.split(/[,;]/).map((each) => each.trim())) {
    if (part === "") continue
    const kind = part.includes("@") ? "email" : /^[+(]?\d[\d\s()-]{4,}$/.test(part) ? "phone" : "name"
    if (contact[kind] !== undefined)
      return refused(`${quoted(text)} has two ${NOUNS[kind]}: write it as "${CONTACT_FORM}"`)
    const wrong = kind === "email" ? explainEmail(part) : undefined
    if (wrong) return refused(wrong.message)
    contact[kind] = part
  }
  const { name, phone, email } = contact
  if (name === undefined && phone === undefined && email === undefined)
    return refused(`${quoted(text)} has no name, phone or email: write it as "${CONTACT_FORM}"`)
  return parsed({
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone }),
    ...(email !== undefined && { email }),
  })
}

const NOUNS = { name: "names", phone: "phone numbers", email: "email addresses" } as const

/** A check that keeps the text as it was typed. */
export function keepText(parse: (text: string) => Parsed<unknown>): (text: string) => Parsed<string> {
  return (text) => {
    const read = parse(text)
    return read.ok ? parsed(text.trim()) : read
  }
}

/** The value that was checked before. */
export function readChecked<T>(parse: (text: string) => Parsed<T>, text: string | undefined): T | undefined {
  return text === undefined ? undefined : valueOrThrow(parse(text), text)
}
