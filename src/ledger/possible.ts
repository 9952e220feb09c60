/** Compares an entry with a shipment that it may have made, by the details that both have. */
import type {
  ConsignmentBookingRequest,
  ShipmentDetail,
  ShipmentSummary,
} from "../contract/generated/types.ts"
import type { FreightApi } from "../api/index.ts"
import { FreightError } from "../base/errors.ts"
import { plainText } from "../base/plain-text.ts"
import type { UnreadRow } from "../contract/index.ts"
import { hashTexts } from "./content.ts"
import type { Entry } from "./entry.ts"

/** A row of the list without an id, as far as it could be read, under a name that is not an id. */
export function toUnreadShipment({ row }: UnreadRow): ShipmentSummary {
  return { ...Object(row), id: `${UNREAD}${hashTexts([JSON.stringify(row)]).slice(0, 12)}` }
}

const UNREAD = "unread row "

/** The shipment; the list's row if there is no more, or its details cannot be read. */
export async function readDetail(
  api: Pick<FreightApi, "getShipment">,
  listed: ShipmentSummary,
): Promise<ShipmentDetail> {
  if (listed.id.startsWith(UNREAD)) return listed
  try {
    return (await api.getShipment(listed.id)).shipment
  } catch (error) {
    if (error instanceof FreightError && error.kind === "unreadable") return listed
    throw error
  }
}

/** Clocks differ: a shipment may carry a time this much before the intent's. */
const CLOCK_SLACK_MS = 2 * 3_600_000
/** The contract does not say that `createdAt` has a zone. Without one it may be any place's time. */
const ANY_ZONE_MS = 14 * 3_600_000
/** How long after the intent a slow server may still create it (ms). */
const LATEST_MS = 24 * 3_600_000

/** When the service can have got a request, by its own clock: milliseconds since the epoch. */
export interface Window {
  from: number
  to: number
}

/** Whether a request that the service got in this time can have made a shipment. */
export function isMadeWithin(shipment: ShipmentSummary, { from, to }: Window): boolean {
  const [earliest, latest] = madeBetween(shipment)
  return latest >= from && earliest <= to + LATEST_MS
}

/** The earliest and latest moment at which a shipment can have been made, by the clock of this machine. */
export function madeBetween(shipment: ShipmentSummary): [earliest: number, latest: number] {
  const { at, hasZone } = parseCreatedAt(shipment)
  if (Number.isNaN(at)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const slack = CLOCK_SLACK_MS + (hasZone ? 0 : ANY_ZONE_MS)
  return [at - slack, at + slack]
}

/** Whether a shipment's details match an entry with an unknown outcome; `isMadeWithin` compares the times. */
export function isPossibleOutcome(shipment: ShipmentDetail, { facts, request }: Entry): boolean {
  const asked = request as ConsignmentBookingRequest
  return mayBeMadeBy(shipment, asked, facts.carrier) && isOutcome(shipment, asked)
}

/** By the fields of the list; missing fields, and an unknown source, exclude nothing. */
export function mayBeMadeBy(
  { carrier, serviceCode, source }: ShipmentSummary,
  request: ConsignmentBookingRequest,
  sentWith: string | undefined,
): boolean {
  return (
    source !== "PORTAL" &&
    isSameOrUnknown(carrier, sentWith) &&
    isSameOrUnknown(serviceCode, request.serviceCode)
  )
}

function isSameOrUnknown(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

/** Whether a shipment that matches one entry would match the other as well, even if their API keys differ. */
export function isRival(other: Entry, { id, kind, facts, request }: Entry): boolean {
  if (other.id === id || other.kind !== kind || kind !== "shipment") return false
  if (facts.carrier && other.facts.carrier && facts.carrier !== other.facts.carrier) return false
  const [a, b] = [other.request, request] as [ConsignmentBookingRequest, ConsignmentBookingRequest]
  return a.serviceCode === b.serviceCode && isOutcome(a, b)
}

type Details = "receiver" | "sender" | "items" | "collectionDateTime"

/** Compares the details that a shipment keeps of its request, ignoring spelling; unknown details exclude nothing. */
export function isOutcome(
  shipment: Pick<ShipmentDetail | ConsignmentBookingRequest, Details | "customerReference">,
  request: ConsignmentBookingRequest,
): boolean {
  const { receiver, sender, items } = request
  const isSame = (one: string | undefined, other: string) => one === undefined || same(one, other)
  return (
    isSame(shipment.customerReference ?? "", request.customerReference ?? "") &&
    isSame(shipment.receiver?.companyName, receiver.companyName) &&
    isSame(shipment.receiver?.address1, receiver.address1) &&
    isSame(shipment.receiver?.postcode, receiver.postcode) &&
    isSame(shipment.sender?.companyName, sender.companyName) &&
    (shipment.items?.count ?? items.count) === items.count &&
    Math.abs((shipment.items?.totalWeightKg ?? items.totalWeightKg) - items.totalWeightKg) < 0.001 &&
    isSame(shipment.collectionDateTime?.slice(0, 16), request.collectionDateTime.slice(0, 16))
  )
}

/** Whether all details are known that tell a shipment from others. */
export function isCompared({
  receiver,
  sender,
  items,
  collectionDateTime,
}: Pick<ShipmentDetail, Details>): boolean {
  return [receiver, sender, items, collectionDateTime].every((part) => part !== undefined)
}

/** Ignores case and blanks. */
export function same(a: string, b: string): boolean {
  return plainText(a) === plainText(b)
}

/** When it was made, by the API: milliseconds since the epoch if it has a zone, otherwise in any zone. */
export function parseCreatedAt({ createdAt = "" }: Pick<ShipmentSummary, "createdAt">): {
  at: number
  hasZone: boolean
} {
  const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(createdAt)
  return { at: Date.parse(hasZone ? createdAt : `${createdAt}Z`), hasZone }
}
