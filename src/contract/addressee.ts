/** Finds the name before the street in a one-line address: a company, a contact, or both. */
import type { BookingAddress } from "./generated/types.ts"

type Addressee = Partial<Pick<BookingAddress, "companyName" | "contactName">>

const ATTENTION = /^(?:attn?\b[\s.:-]*|(?:attention|contact) ?: *)/i
const TITLED = /^(?:mr|mrs|ms|miss|dr|prof)\b\.? /i
/** `Sam Lee`, `Dana O'Brien-Smith` */
const TWO_NAMES = /^\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){1,2}$/u

/** Words for a kind of company or its trade. */
const COMPANY =
  /&|\band\b|['’]s\b|\d|\b(?:pty|ltd|limited|inc|co|corp|company|group|holdings?|enterprises?|industries|services?|supply|supplies|suppliers?|trad(?:ing|ers?)|imports?|exports?|distribut(?:ion|ors?)|wholesalers?|retail|australia|aust|international|homes?|build(?:ers?|ing)|constructions?|electrical|plumbing|hardware|timbers?|tools?|fittings?|fasteners|lighting|lamps?|lights|furniture|interiors?|kitchens?|flooring|tiles?|paints?|glass|foods?|caf[eé]|coffee|bakery|restaurant|catering|hotel|motel|pub|pharmacy|chemist|medical|dental|clinic|hospital|health|school|college|university|church|council|department|dept|offices?|stores?|shops?|warehouse|depot|logistics|transport|freight|couriers?|motors?|auto|automotive|tyres?|mechanical|engineering|steel|metals?|farms?|nursery|gardens?|landscapes?|vineyards?|wines?|winery|brew(?:ing|ery)|books?|cycles|bikes?|bicycles|sports?|clubs?|association|society|trust|foundation|partners|associates|consulting|solutions|systems|technolog(?:y|ies)|electronics|digital|media|designs?|print(?:ing|ers)?|signs?|packaging|laborator(?:y|ies)|labs?|studios?|works|museum|library|mining|marine|equipment|machinery|rentals?|hire)\b/i
/** Words for a part of a building, or for a person who takes delivery. */
const PLACE =
  /\b(?:dock|bay|door|gate|rear|front|side|entrance|entry|lane|level|floor|unit|ground|upper|lower|goods|inwards?|receiving|receivals|dispatch|despatch|loading|reception|accounts?|payable|purchasing|sales|administration|admin|manager|team|staff|centre|center|mall|plaza|arcade|square|estate|park|precinct|campus|building|house|tower|wing|corner|cnr)\b/i

const isCompany = (text: string): boolean => COMPANY.test(text)
/** Whether a text could be a person's name, and has no words of a company or a place. */
const isPerson = (text: string): boolean =>
  TITLED.test(text) || (TWO_NAMES.test(text) && !isCompany(text) && !PLACE.test(text))

/** Both readings, the likely one first; if it is clear which of two names is the company, only that one. */
function listReadings(names: readonly string[]): Required<Addressee>[] {
  const [first, second, ...more] = names
  if (first === undefined || second === undefined || more.length > 0) return []
  const readings = [
    { companyName: first, contactName: second },
    { companyName: second, contactName: first },
  ].filter(({ contactName }) => isPerson(contactName))
  const plain = readings.filter(({ companyName }) => isCompany(companyName))
  return plain.length > 0 ? plain : readings
}

/** Splits the names before the street into company and contact: without a clear contact, all are the company. */
export function parseAddressee(names: readonly string[]): Addressee {
  const marked = names.find((name) => name.replace(ATTENTION, "") !== "" && ATTENTION.test(name))
  if (marked !== undefined) {
    const companyName = names.filter((name) => name !== marked).join(", ")
    return { ...(companyName !== "" && { companyName }), contactName: marked.replace(ATTENTION, "") }
  }
  const [reading] = listReadings(names)
  if (reading && isCompany(reading.companyName)) return reading
  return names.length > 0 ? { companyName: names.join(", ") } : {}
}

/** Other readings of a company name: `Bright Sparks, Sam Lee` is a company and its contact, or two people. */
export function listContactReadings(companyName: string): Required<Addressee>[] {
  return listReadings(companyName.split(", "))
}
