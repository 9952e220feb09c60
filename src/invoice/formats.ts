/** The text formats of the contract. `explain/formats.ts` describes errors in them. */
import { isIPv4, isIPv6 } from "node:net"
import { addDays, formatDate, parseDate } from "../base/wall-clock.ts"

/** Whether a text has the form that the schema's `format` names. */
export const FORMAT_CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": isDateTime,
  date: (text) => parseDate(text).ok,
  uuid: isUuid,
  "email-or-empty": isEmail,
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/
/** Nearly all date-times, by the days that every month has: they need no further look. */
const CERTAIN_DATE_TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
const MINUTES_A_DAY = 24 * 60

export function isDateTime(text: string): boolean {
  return CERTAIN_DATE_TIME.test(text) || findWrongPart(text) === undefined
}

/**
 * The invalid part of a date with time and offset: RFC 3339, section 5.6. That RFC allows lower-case `t` and `z`, and
 * so do the JSON Schema tests. Second 60 is valid only at the end of June or December in UTC, as all leap seconds so
 * far.
 */
export function findWrongPart(
  text: string,
): "form" | "day" | "hour" | "minute" | "second" | "offset" | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return "form"
  const [, date = "", hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = match
  if (!parseDate(date).ok) return "day"
  if (Number(hour) > 23) return "hour"
  if (Number(minute) > 59) return "minute"
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return "offset"
  const offset = (sign === "-" ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute))
  const minuteOfDay = Number(hour) * 60 + Number(minute) - offset
  const isRight = Number(second) < 60 || (Number(second) === 60 && isLeapMinute(date, minuteOfDay))
  return isRight ? undefined : "second"
}

/**
 * Whether this is the last minute of June or December in UTC.
 * @param minuteOfDay in UTC; below 0 or above 1439 for another day than `date`
 */
function isLeapMinute(date: string, minuteOfDay: number): boolean {
  const days = Math.floor(minuteOfDay / MINUTES_A_DAY)
  if (minuteOfDay - days * MINUTES_A_DAY !== MINUTES_A_DAY - 1) return false
  return /-(?:06-30|12-31)$/.test(moveDay(date, days))
}

/** A date some days later; other texts are returned as they are. */
export function moveDay(date: string, days: number): string {
  const day = parseDate(date)
  return day.ok ? formatDate(addDays(day.value, days)) : date
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A UUID of any version, hyphens included (RFC 9562, section 4); letters may be of either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
export const LOCAL_PART = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*")$`,
)
const LABEL = "[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?"
export const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, "i")
/** The longest that the parts of an address can be, in characters: RFC 5321, section 4.5.3.1. */
export const MAX_LOCAL_PART_LENGTH = 64
export const MAX_DOMAIN_LENGTH = 255

/** A mailbox of RFC 5321, section 4.1.2: `name@domain` in ASCII, at most 64 and 255 characters; or the empty text. */
export function isEmail(text: string): boolean {
  const [local, domain] = splitEmail(text)
  if (text === "") return true
  return (
    local !== undefined && local.length <= MAX_LOCAL_PART_LENGTH && LOCAL_PART.test(local) && isDomain(domain)
  )
}

/** The text before the last `@`, undefined if there is none, and after it. */
export function splitEmail(text: string): [local: string | undefined, domain: string] {
  const at = text.lastIndexOf("@")
  return [at < 0 ? undefined : text.slice(0, at), text.slice(at + 1)]
}

function isDomain(text: string): boolean {
  if (text.length > MAX_DOMAIN_LENGTH) return false
  const literal = /^\[(IPv6:)?([\da-f:.]+)\]$/i.exec(text)
  if (!literal) return DOMAIN.test(text)
  const [, six, address = ""] = literal
  return six ? isIPv6(address) : isIPv4(address)
}
