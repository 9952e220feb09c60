/**
 * Places and postcodes. The states of postcodes are public knowledge, not the contract's, but goods to a place that
 * does not exist are charged and not delivered.
 */
import { parseEmail, parsePhone, type Phone } from "./contacts.ts"
import { parsed, type Parsed, quoted, refused } from "../base/parsed.ts"
import { parseAddressee } from "./addressee.ts"
import { type Path, findingAt, type RuleFinding } from "./findings.ts"
import { endsAsStreet, isPostBox } from "./post-boxes.ts"
import { STATE_CODES, stateCode, type StateCode } from "./zones.ts"
import type { Address } from "./generated/types.ts"

/** Postcode ranges by state, post-office boxes included. */
const BLOCKS: readonly (readonly [StateCode, string, string])[] = [
  ["ACT", "0200", "0299"],
  ["NT", "0800", "0999"],
  ["NSW", "1000", "2599"],
  ["ACT", "2600", "2618"],
  ["NSW", "2619", "2899"],
  ["ACT", "2900", "2920"],
  ["NSW", "2921", "2999"],
  ["VIC", "3000", "3999"],
  ["QLD", "4000", "4999"],
  ["SA", "5000", "5999"],
  ["WA", "6000", "6999"],
  ["TAS", "7000", "7999"],
  ["VIC", "8000", "8999"],
  ["QLD", "9000", "9999"],
]

/** Postcodes that also serve places across a border. */
const ACROSS: readonly (readonly [StateCode, readonly string[]])[] = [
  ["ACT", ["2540", "2620"]],
  ["NSW", ["2611", "2618", "3500", "3585", "3586", "3644", "3691", "3707"]],
  ["NSW", ["4375", "4377", "4380", "4383", "4385", "4493"]],
  ["NT", ["4825"]],
  ["QLD", ["2406"]],
  ["SA", ["0872"]],
  ["VIC", ["2648"]],
  ["WA", ["0872"]],
]

/** The states that use a postcode, its own first; may be empty. */
export function statesOfPostcode(postcode: string): StateCode[] {
  if (!/^\d{4}$/.test(postcode)) return []
  return [
    ...BLOCKS.filter(([, first, last]) => first <= postcode && postcode <= last).map(([state]) => state),
    ...ACROSS.filter(([, shared]) => shared.includes(postcode)).map(([state]) => state),
  ]
}

/**
 * A postcode as four digits. Restores a lost zero (`800` → `0800`) if the state, or any state, uses the result.
 * Undefined if it cannot be repaired.
 */
export function repairPostcode(postcode: string | number, state?: string): string | undefined {
  const text = String(postcode).trim()
  if (/^\d{4}$/.test(text)) return text
  if (!/^\d{3}$/.test(text)) return undefined
  const code = state === undefined ? undefined : stateCode(state)
  const states = statesOfPostcode(`0${text}`)
  return (code ? states.includes(code) : states.length > 0) ? `0${text}` : undefined
}

/** Errors if state and postcode of the address at `path` do not match. */
export function checkPostcode(address: { state: string; postcode: string }, path: Path): RuleFinding[] {
  const wrong = (field: string, message: string, hint: string) => [
    findingAt([...path, field], "postcode", message, { hint }),
  ]
  const code = stateCode(address.state)
  if (!code) {
    const known = STATE_CODES.join(", ")
    return wrong(
      "state",
      `${quoted(address.state)} is not an Australian state or territory`,
      `use one of ${known}`,
    )
  }
  const { postcode } = address
  if (!/^\d{4}$/.test(postcode)) {
    const repaired = repairPostcode(postcode, code)
    const hint = repaired ? `did you mean "${repaired}"?` : "write it as text of four digits"
    return wrong("postcode", `${quoted(postcode)} is not a postcode of four digits`, hint)
  }
  const doubt = postcodeDoubt(code, postcode)
  return doubt === undefined ? [] : wrong("postcode", doubt, "check the state and postcode of this address")
}

export function postcodeDoubt(state: StateCode, postcode: string): string | undefined {
  const states = statesOfPostcode(postcode)
  if (states.includes(state)) return undefined
  return states.length > 0
    ? `${postcode} belongs to ${states.join(" and ")}, not to ${state}`
    : `${postcode} is not in use`
}

export interface Place {
  suburb: string
  state: StateCode
  postcode: string
}

/**
 * Parses a suburb, then state and postcode in either order, with commas, any case, full state names or a lost zero. The
 * state may be missing if only one uses the postcode; no other part is filled in.
 */
export function parsePlace(text: string): Parsed<Place> {
  const words = text.split(/[\s,]+/).filter((word) => word !== "")
  const last = takeDigits(words)
  const named = takeState(words)
  const digits = last ?? takeDigits(words)
  const slip = findStateSlip(words)
  if (slip !== undefined) return refused(`${quoted(text)}: ${slip}`)
  const suburb = words.some((word) => /\p{L}/u.test(word)) ? words.join(" ") : ""
  const users = digits && !named ? statesOfPostcode(digits) : []
  const state = named ?? (users.length === 1 ? users[0] : undefined)
  if (suburb && state && digits) {
    const postcode = repairPostcode(digits, state)
    return postcode
      ? parsed({ suburb, state, postcode })
      : refused(`${quoted(text)} does not end in a postcode: ${quoted(digits)} must have four digits`)
  }
  const missing = [!suburb && "suburb", !state && "state", !digits && "postcode"].filter(Boolean)
  const [likely] = suburb ? users : []
  const example = likely && digits ? `${suburb} ${likely} ${digits}` : "Alexandria NSW 2015"
  return refused(`${quoted(text)} has no ${missing.join(" and no ")}: write a place as ${quoted(example)}`)
}

/** An address in one line, with the given parts. */
export interface AddressLine extends Place, Partial<Phone> {
  companyName?: string
  contactName?: string
  address1: string
  address2?: string
  email?: string
}

/** A line with a number, or `Care PO`. */
const isStreetLine = (line: string) => /\d/.test(line) || isBox(line)
const isBox = (line: string) => /\bbox\b/i.test(line) || isPostBox(line)
const PART_OF_BUILDING =
  /^(?:apartment|apt|bay|block|building|dock|door|factory|flat|floor|gate|level|lot|room|shed|shop|stand|suite|tower|unit|villa|warehouse)\b/i
const HOUSE_NUMBER = /^\d+[a-z]?(?:[-/]\d+[a-z]?)*\s/i
/** `Customer 1` or `3M Australia` before a street with its number. */
function isNumberedName(line: string, later: readonly string[]): boolean {
  if (PART_OF_BUILDING.test(line) || isBox(line)) return false
  const streets = later.filter((each) => HOUSE_NUMBER.test(each))
  return HOUSE_NUMBER.test(line) ? !endsAsStreet(line) && streets.some(endsAsStreet) : streets.length > 0
}

/**
 * Parses `8 Market Street, Fremantle WA 6160`, with commas, semicolons or line ends between its parts; company and
 * contact come before the street, phone number and email address after the place.
 */
export function parseAddress(text: string): Parsed<AddressLine> {
  const read = parseAddressParts(text)
  if (!read.ok) return read
  const { names, ...address } = read.value
  return parsed({ ...parseAddressee(names), ...address })
}

/** The same with the names before the street as written. */
export function parseAddressParts(
  text: string,
): Parsed<Omit<AddressLine, "companyName" | "contactName"> & { names: string[] }> {
  const parts = text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !/^australia$/i.test(part))
  const contact = takeContact(parts)
  for (const length of [1, 2, 3]) {
    const place = parsePlace(parts.slice(-length).join(" "))
    const lines = parts.slice(0, -length)
    const isStreet = (line: string, at: number) =>
      isStreetLine(line) && !isNumberedName(line, lines.slice(at + 1))
    const at = lines.findIndex(isStreet)
    if (!place.ok || at < 0) continue
    const [first = "", ...more] = lines.slice(at)
    const [address1, address2] =
      more.length > 0 && PART_OF_BUILDING.test(first) ? [more.join(", "), first] : [first, more.join(", ")]
    return parsed({
      names: lines.slice(0, at),
      address1,
      ...(address2 !== "" && { address2 }),
      ...place.value,
      ...contact,
    })
  }
  const last = parts.at(-1) ?? ""
  const place = parsePlace(last)
  // A street comes before it, so the error is in the place.
  if (!place.ok && /^\p{L}/u.test(last) && parts.slice(0, -1).some(isStreetLine)) return place
  return refused(`${quoted(text)} is not an address: write it as "8 Market Street, Fremantle WA 6160"`)
}

function takeContact(parts: string[]): Partial<Phone> & { email?: string } {
  const last = parts.at(-1) ?? ""
  const [email, phone] = [parseEmail(last), parsePhone(last)]
  if (!email.ok && !phone.ok) return {}
  parts.pop()
  return { ...takeContact(parts), ...(email.ok ? { email: email.value } : phone.ok && phone.value) }
}

/** @returns also refused where the state cannot have the postcode */
export function parsePlaceOrAddress(text: string): Parsed<Place> {
  const address = parseAddress(text)
  const place = address.ok ? address : parsePlace(text)
  return place.ok ? checkPlace(place.value) : place
}

/** The place alone, unless its state cannot have its postcode. */
export function checkPlace({ suburb, state, postcode }: Place): Parsed<Place> {
  const doubt = postcodeDoubt(state, postcode)
  return doubt === undefined ? parsed({ suburb, state, postcode }) : refused(doubt)
}

export function formatPlace({ suburb, state, postcode }: Omit<Address, "residential">): string {
  return `${suburb} ${state} ${postcode}`
}

function takeDigits(words: string[]): string | undefined {
  return /^\d+$/.test(words.at(-1) ?? "") ? words.pop() : undefined
}

/** A misspelt state within a suburb, where no place in Australia has one: `Vic toria`, or `VIC` before other words. */
function findStateSlip(words: readonly string[]): string | undefined {
  for (const at of words.keys())
    for (const length of [3, 2]) {
      const parts = words.slice(at, at + length)
      const code = parts.length > 1 ? stateCode(parts.join("")) : undefined
      if (code) return `${quoted(parts.join(" "))} is not a state: did you mean ${code}?`
    }
  const code = STATE_CODES.find((each) => words.some((word) => word.toUpperCase() === each))
  return code && `write the state, ${code}, after the suburb`
}

function takeState(words: string[]): StateCode | undefined {
  for (const length of [3, 2, 1]) {
    const state = stateCode(words.slice(-length).join(" "))
    if (!state) continue
    words.splice(-length)
    return state
  }
  return undefined
}
