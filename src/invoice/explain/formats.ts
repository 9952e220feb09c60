/** Errors of a text that does not have the form that the contract names, and how to write it. */
import { adviseText, type Explanation } from "../../contract/index.ts"
import { quoted } from "../../base/parsed.ts"
import {
  DOMAIN,
  isEmail,
  isUuid,
  LOCAL_PART,
  MAX_DOMAIN_LENGTH,
  MAX_LOCAL_PART_LENGTH,
  splitEmail,
} from "../formats.ts"
import { explainDate, explainDateTime } from "./dates.ts"

/** By the schema's `format`; each gives nothing for a text that is right. */
export const FORMATS: Readonly<Record<string, (text: string) => Explanation | undefined>> = {
  "date-time": explainDateTime,
  date: explainDate,
  uuid: explainUuid,
  "email-or-empty": explainEmail,
}

const UUID_DIGITS = /^(?:urn:uuid:)?\{?([\da-f-]{32,40})\}?$/i

export function explainUuid(text: string): Explanation | undefined {
  if (isUuid(text)) return undefined
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

export function explainEmail(text: string): Explanation | undefined {
  if (isEmail(text)) return undefined
  const [, name = "", inner] =
    /^(?:mailto:\s*|([^<>]*)<)?([^\s<>]+)>?$/i.exec(text.slice(0, MAX_LENGTH).trim()) ?? []
  const bare = inner !== text && inner && inner.includes("@") && isEmail(inner) ? inner : undefined
  return {
    message: `${quoted(text)} ${bare ? "is more than an email address" : describeEmail(text)}`,
    // A person's name beside the address would be lost.
    ...(bare
      ? adviseText(bare, { safety: name.trim() === "" ? "safe" : "suggestion" })
      : { hint: 'write one address such as "accounts@example.com", or "" when there is none' }),
  }
}

function describeEmail(text: string): string {
  const [local, domain] = splitEmail(text)
  if (local === undefined) return "is not an email address: it has no @"
  return local.length > MAX_LOCAL_PART_LENGTH || domain.length > MAX_DOMAIN_LENGTH
    ? "is longer than an email address can be"
    : `is not an email address: ${explainAddress(text, local, domain)}`
}

function explainAddress(text: string, local: string, domain: string): string {
  if (local.includes("@")) return "it has more than one @"
  if (/\s/.test(text)) return "it has a blank in it"
  if (local === "" || domain === "") return `there is nothing ${local ? "after" : "before"} the @`
  if (/^\.|\.\.|\.$/.test(local) || /^\.|\.\.|\.$/.test(domain))
    return "a dot is at the start or end of a part, or beside another dot"
  return LOCAL_PART.test(local) ? explainDomain(domain) : explainLocal(local)
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
  return label.length > MAX_LABEL_LENGTH
    ? `${quoted(label)} has more than ${MAX_LABEL_LENGTH} characters between two dots`
    : `${quoted(label)} starts or ends with a hyphen`
}

const MAX_LABEL_LENGTH = 63

/** No address is longer than this, in code units. */
const MAX_LENGTH = 400
