/** Which shipment an entry may have made, by the details that both have. */
import type {
  ConsignmentBookingRequest,
  ShipmentDetail,
  ShipmentSummary,
} from "../contract/generated/types.ts"
import { plainText } from "../base/plain-text.ts"
import type { Entry } from "./entry.ts"

/** Whether an entry whose outcome is unknown may have made a shipment; when it was made does not matter. */
export function isPossibleOutcome(shipment: ShipmentDetail, { facts, request }: Entry): boolean {
  const { carrier, serviceCode, source } = shipment
  const asked = request as ConsignmentBookingRequest
  const isSameCarrier = facts.carrier === undefined || facts.carrier === carrier
  return source === "API" && isSameCarrier && serviceCode === asked.serviceCode && isOutcome(shipment, asked)
}

/** Whether a shipment that matches one entry would match the other as well, also where their API keys differ. */
export function isRival(other: Entry, { id, kind, facts, request }: Entry): boolean {
  if (other.id === id || other.kind !== kind || kind !== "shipment") return false
  if (facts.carrier && other.facts.carrier && facts.carrier !== other.facts.carrier) return false
  const [a, b] = [other.request, request] as [ConsignmentBookingRequest, ConsignmentBookingRequest]
  return a.serviceCode === b.serviceCode && isOutcome(a, b)
}

type Details = "receiver" | "sender" | "items" | "collectionDateTime"

/** Compares the details that a shipment keeps of its request, as people write them. */
export function isOutcome(
  shipment: Pick<ShipmentDetail | ConsignmentBookingRequest, Details | "customerReference">,
  request: ConsignmentBookingRequest,
): boolean {
  const { receiver, sender, items } = request
  return (
    same(shipment.customerReference ?? "", request.customerReference ?? "") &&
    same(shipment.receiver.companyName, receiver.companyName) &&
    same(shipment.receiver.address1, receiver.address1) &&
    same(shipment.receiver.postcode, receiver.postcode) &&
    same(shipment.sender.companyName, sender.companyName) &&
    shipment.items.count === items.count &&
    Math.abs(shipment.items.totalWeightKg - items.totalWeightKg) < 0.001 &&
    shipment.collectionDateTime.slice(0, 16) === request.collectionDateTime.slice(0, 16)
  )
}

/** As people write it: case and blanks do not count. */
export function same(a: string, b: string): boolean {
  return plainText(a) === plainText(b)
}

/** When it was made, as the API says it: milliseconds since the epoch if it names its zone, otherwise in any zone. */
export function parseCreatedAt({ createdAt }: Pick<ShipmentSummary, "createdAt">): {
  at: number
  hasZone: boolean
} {
  const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(createdAt)
  return { at: Date.parse(hasZone ? createdAt : `${createdAt}Z`), hasZone }
}
