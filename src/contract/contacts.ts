/** Email addresses and phone numbers. The contract gives them no format, so bad ones are warnings. */
import { carrierName, getCarrierFacts } from "../carriers/index.ts"
import { email as EMAIL } from "./generated/formats.ts"
import type { Carrier, ConsignmentBookingRequest } from "./generated/types.ts"
import { parsed, type Parsed, quoted, refused } from "../base/parsed.ts"
import { missingFieldAt, type Path, findingAt, type RuleFinding } from "./findings.ts"

/** The connector may have a fallback address, which a client cannot see: hence a warning. */
export function collectionEmailWarnings(
  collection: ConsignmentBookingRequest["collection"],
  carrier: Carrier | undefined,
): RuleFinding[] {
  if (!carrier || !getCarrierFacts(carrier)?.needsCollectionEmail || collection.email !== undefined) return []
  return [
    missingFieldAt(
      ["collection", "email"],
      "collectionEmail",
      `is missing: ${carrierName(carrier)} refuses the booking unless your account with it has an address to fall back on`,
    ),
  ]
}

export function alertWarnings({
  alertAddresses = [],
  bexAlerts = [],
}: Pick<ConsignmentBookingRequest, "alertAddresses" | "bexAlerts">): RuleFinding[] {
  return [
    ...alertAddresses.flatMap(({ email }, index) => emailWarnings(["alertAddresses", index, "email"], email)),
    ...bexAlerts.flatMap(({ emailAddress }, index) =>
      emailWarnings(["bexAlerts", index, "emailAddress"], emailAddress),
    ),
  ]
}

export function parseEmail(text: string): Parsed<string> {
  return EMAIL.test(text) ? parsed(text) : refused(`${quoted(text)} does not look like an email address`)
}

export function emailWarnings(path: Path, email: string | undefined): RuleFinding[] {
  const read = email === undefined ? undefined : parseEmail(email)
  return read?.ok === false ? [findingAt(path, "email", read.reason)] : []
}

/** A landline is split after its area code. */
export interface Phone {
  phoneAreaCode?: string
  phoneNumber: string
}

const LANDLINE = /^(0[2378])(\d{8})$/
/** Mobiles, 1300, 1800, 180 and 13 numbers, and those of other countries. */
const WHOLE = /^(?:0[45]\d{8}|1[38]00\d{6}|180\d{4}|13\d{4}|\+(?!61)[1-9]\d{6,14})$/

/** Reads `02 5550 1234`, `(02) 5550-1234`, `+61 2 5550 1234`, `0412 345 678`, `1300 555 123` or `+64 9 555 1234`. */
export function parsePhone(text: string): Parsed<Phone> {
  const compact = text.replace(/[\s().\-/]/g, "")
  const digits = compact.replace(/^(?:\+|00)610?(?=[2-9])/, "0").replace(/^(?=[23478]\d{8}$)/, "0")
  const [, phoneAreaCode, phoneNumber] = LANDLINE.exec(digits) ?? []
  if (phoneAreaCode !== undefined && phoneNumber !== undefined) return parsed({ phoneAreaCode, phoneNumber })
  if (WHOLE.test(digits)) return parsed({ phoneNumber: digits })
  return refused(
    /^[2-9]\d{7}$/.test(digits)
      ? `${quoted(text)} has no area code: write it as 02 5550 1234`
      : `${quoted(text)} is not a phone number: write it as 02 5550 1234 or 0412 345 678`,
  )
}

/** As people write it, `02 5550 1234`, readable by parsePhone; may be empty. */
export function formatPhone({ phoneAreaCode, phoneNumber }: Partial<Phone>): string {
  const grouped = phoneAreaCode ? phoneNumber?.replace(/^(\d{4})(\d{4})$/, "$1 $2") : phoneNumber
  return [phoneAreaCode, grouped].filter(Boolean).join(" ")
}

/** A warning if the number of the address at `path` cannot be called. */
export function phoneWarnings(address: Partial<Phone>, path: Path): RuleFinding[] {
  const text = formatPhone(address)
  const read = text === "" ? undefined : parsePhone(text)
  if (!read || read.ok) return []
  const field = address.phoneNumber === undefined ? "phoneAreaCode" : "phoneNumber"
  return [findingAt([...path, field], "phone", read.reason)]
}
