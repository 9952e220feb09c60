/** The forms of text that the contract names. Each check says what is wrong and how to write it, or nothing. */
import { isIPv4, isIPv6 } from "node:net"
import { quoted } from "../../contract/parsed.ts"
import type { Explanation } from "../finding.ts"
import { adviseText } from "./advice.ts"
import { explainDate, explainDateTime } from "./dates.ts"

/** By the schema's `format`. */
export const FORMATS: Readonly<Record<string, (text: string) => Explanation | undefined>> = {
  "date-time": explainDateTime,
  date: explainDate,
  uuid: explainUuid,
  "email-or-empty": explainEmail,
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const UUID_DIGITS = /^(?:urn:uuid:)?\{?([\da-f-]{32,40})\}?$/i

/** A UUID of any version, hyphens included (RFC 9562, section 4); letters may be of either case. */
export function explainUuid(text: string): Explanation | undefined {
  if (UUID.test(text)) return undefined
  const digits = UUID_DIGITS.exec(text.trim())?.[1]?.replaceAll("-", "") ?? ""
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(digits)
  return {
    message: `${quoted(text)} is not a UUID`,
    ...(parts
      ? adviseText(parts.slice(1).join("-"))
      : {
          hint: "a UUID has 32 digits or letters a to f, in groups such as 7d0c9bd0-5c3f-4a80-8a3c-0f6f0a4f5d11",
        }),
  }
}

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
const LOCAL = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*")$`,
)
const LABEL = "[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?"
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "i")

/** A mailbox of RFC 5321, section 4.1.2: `name@domain` in ASCII, at most 64 and 255 characters; or the empty text. */
export function explainEmail(text: string): Explanation | undefined {
  const at = text.lastIndexOf("@")
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (text === "" || (at !== -1 && isLocal(local) && isDomain(domain))) return undefined
  const [, name = "", inner] =
    /^(?:mailto:\s*|([^<>]*)<)?([^\s<>]+)>?$/i.exec(text.slice(0, LONGEST).trim()) ?? []
  const bare = inner !== text && inner && inner.includes("@") && !explainEmail(inner) ? inner : undefined
  return {
    message: `${quoted(text)} ${bare ? "is more than an email address" : describeEmail(text, local, domain)}`,
    // A person's name beside the address would be lost.
    ...(bare
      ? adviseText(bare, { safety: name.trim() === "" ? "safe" : "suggestion" })
      : { hint: 'write one address such as "accounts@example.com", or "" when there is none' }),
  }
}

/** The longest that the parts of an address can be, in characters: RFC 5321, section 4.5.3.1. */
const LONGEST_LOCAL = 64
const LONGEST_DOMAIN = 255

function isLocal(text: string): boolean {
  return text.length <= LONGEST_LOCAL && LOCAL.test(text)
}

function isDomain(text: string): boolean {
  if (text.length > LONGEST_DOMAIN) return false
  const literal = /^\[(IPv6:)?([\da-f:.]+)\]$/i.exec(text)
  if (!literal) return DOMAIN.test(text)
  const [, six, address = ""] = literal
  return six ? isIPv6(address) : isIPv4(address)
}

function describeEmail(text: string, local: string, domain: string): string {
  if (text.includes("@") && (local.length > LONGEST_LOCAL || domain.length > LONGEST_DOMAIN))
    return "is longer than an email address can be"
  return `is not an email address: ${explainAddress(text, local, domain)}`
}

function explainAddress(text: string, local: string, domain: string): string {
  if (!text.includes("@")) return "it has no @"
  if (local.includes("@")) return "it has more than one @"
  if (/\s/.test(text)) return "it has a blank in it"
  if (local === "" || domain === "") return `there is nothing ${local ? "after" : "before"} the @`
  if (/^\.|\.\.|\.$/.test(local) || /^\.|\.\.|\.$/.test(domain))
    return "a dot is at the start or end of a part, or beside another dot"
  return LOCAL.test(local) ? explainDomain(domain) : explainLocal(local)
}

function explainLocal(local: string): string {
  if (local.includes('"')) return "double quotes before the @ must enclose all that is before it"
  const [strange = ""] = /[^\w!#$%&'*+/=?^`{|}~.-]/u.exec(local) ?? []
  return `${quoted(strange)} is not allowed before the @`
}

function explainDomain(domain: string): string {
  if (/^\[.*\]$/.test(domain)) return `${quoted(domain)} is not an IP address in brackets`
  const [strange] = /[^a-z\d.-]/iu.exec(domain) ?? []
  if (strange !== undefined) return `${quoted(strange)} is not allowed after the @`
  const label = domain.split(".").find((each) => !DOMAIN.test(each)) ?? domain
  return label.length > LONGEST_LABEL
    ? `${quoted(label)} has more than ${LONGEST_LABEL} characters between two dots`
    : `${quoted(label)} starts or ends with a hyphen`
}

const LONGEST_LABEL = 63

/** No address is longer than this, in code units. */
const LONGEST = 400
