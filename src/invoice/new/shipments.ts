/** Fields of an invoice about the shipments that it bills, as the API and the ledger know them. */
import type { BookingAddress, InvoiceAddress, ShipmentDetail } from "../../contract/generated/types.ts"
import { listSome } from "../../base/counted.ts"
import { formatWithOffset, parseWallClock } from "../../base/wall-clock.ts"
import { nameCarriers } from "../../carriers/index.ts"
import { zoneOfCollection } from "../../contract/index.ts"
import type { Facts } from "../../ledger/index.ts"
import { CENT, times } from "../accounting/amounts.ts"
import type { NewInvoice } from "./draft.ts"
import { readsAsOrder } from "./texts.ts"

export interface BilledShipment {
  shipment: ShipmentDetail
  /** The ledger's facts; undefined for a booking made elsewhere. */
  facts: Facts | undefined
}

type ShipmentParts = Pick<
  Partial<NewInvoice>,
  "po" | "otherOrders" | "shipTo" | "shipmentId" | "shipmentDetails" | "shipping"
>

interface Filled {
  parts: ShipmentParts
  warnings: string[]
}

/**
 * For several shipments, numbers and IDs are listed, prices are added up, and other differing values are left out. When
 * freight is charged on to a customer, shipment IDs and carriers' codes are left out.
 * @param given the order, and whether shipping and a delivery address are given, which take precedence; a memo bills no
 * shipping unless it is given
 */
export function fillFromShipments(
  shipments: readonly BilledShipment[],
  given: {
    po: string | undefined
    shipping: boolean
    shipTo: boolean
    isMemo: boolean
    isChargedOn: boolean
  },
): Filled {
  const warnings: string[] = []
  const warnOf = (concerned: readonly BilledShipment[], message: (names: string) => string) => {
    if (concerned.length > 0) warnings.push(message(listNames(concerned)))
  }
  const cancelled = shipments.filter(({ shipment }) => shipment.status === "CANCELLED")
  warnOf(cancelled, (names) => `this invoice bills what was cancelled: ${names}`)
  const unnumbered = shipments.filter((each) => getNumber(each) === undefined)
  warnOf(unnumbered, (names) => `the carrier has given no consignment number yet: ${names}`)
  const numbers = shipments.flatMap((each) => getNumber(each) ?? [])
  const [shipTo, ...others] = distinct(
    shipments.map(({ shipment }) => shipment.receiver && toInvoiceAddress(shipment.receiver)),
  )
  if (others.length > 0 && !given.shipTo)
    warnings.push(
      `the shipments go to ${others.length + 1} addresses: the invoice names none of them; --ship-to names one`,
    )
  const carriers = distinct(shipments.flatMap(({ shipment }) => shipment.carrier ?? []))
  const [date, ...otherDates] = distinct(shipments.map(({ shipment }) => getShippingDate(shipment)))
  const orders = distinct(shipments.flatMap(({ shipment }) => findOrder(shipment, given.po) ?? []))
  const shipping = given.shipping || given.isMemo ? undefined : addPrices(shipments, warnOf)
  return {
    warnings,
    parts: {
      ...(orders.length > 0 && { otherOrders: orders }),
      ...(orders.length === 1 && { po: orders[0] }),
      ...(shipTo && others.length === 0 && { shipTo }),
      ...(!given.isChargedOn && { shipmentId: shipments.map(({ shipment }) => shipment.id).join(", ") }),
      shipmentDetails: {
        carrier: given.isChargedOn ? nameCarriers(carriers).replace(/^c/, "C") : carriers.join(", "),
        ...(numbers.length > 0 && { trackingNumber: numbers.join(", ") }),
        ...(date !== undefined && otherDates.length === 0 && { shippingDate: date }),
      },
      ...(shipping !== undefined && { shipping: { amount: times(CENT, shipping) } }),
    },
  }
}

export function getNumber({ shipment, facts }: BilledShipment): string | undefined {
  return shipment.consignmentNumber ?? facts?.consignmentNumber
}

/** Names as people know them, at most five. */
function listNames(shipments: readonly BilledShipment[]): string {
  const names = shipments.map((each) => getNumber(each) ?? each.shipment.id)
  return listSome(names, 5)
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

function toInvoiceAddress(receiver: BookingAddress): InvoiceAddress {
  const { companyName, address1, address2, suburb, state, postcode } = receiver
  return {
    addressee: companyName,
    street1: address1,
    ...(address2 && { street2: address2 }),
    ...{ city: suburb, state, postalCode: postcode, country: "AU" },
  }
}

/** The collection's wall clock, with its offset from UTC; undefined for a time that the service wrote otherwise. */
function getShippingDate({ collection, collectionDateTime }: ShipmentDetail): string | undefined {
  const read = parseWallClock(collectionDateTime ?? "")
  return read.ok ? formatWithOffset(read.value, zoneOfCollection({ collection })) : undefined
}

/** A reference that is the order of the invoice, or reads as one. */
function findOrder({ customerReference }: ShipmentDetail, po: string | undefined): string | undefined {
  const reference = customerReference?.trim() ?? ""
  return reference === po?.trim() || readsAsOrder(reference) ? reference : undefined
}

/** The booked price of the shipments before GST, in cents; undefined if it is not known for each. */
function addPrices(
  shipments: readonly BilledShipment[],
  warnOf: (concerned: readonly BilledShipment[], message: (names: string) => string) => void,
): number | undefined {
  const ours = shipments.filter(({ shipment }) => shipment.payer === "Sender")
  const others = shipments.filter((each) => !ours.includes(each))
  warnOf(others, (names) => `no shipping is billed for ${names}: the carrier does not bill the sender`)
  const unpriced = ours.filter(({ facts }) => getPriceBeforeGst(facts) === undefined)
  if (unpriced.length > 0 || ours.length === 0) {
    const reason = "no price in AUD is known; --shipping-amount gives one"
    warnOf(unpriced, (names) => `no shipping is billed for ${names}: ${reason}`)
    return undefined
  }
  const unclear = ours.filter(({ facts }) => facts?.gstBasis === "unknown")
  const taken = "it is taken as before GST; --shipping-amount gives another"
  warnOf(unclear, (names) => `it is not known whether GST is in the price of ${names}: ${taken}`)
  return ours.reduce((total, { facts }) => total + (getPriceBeforeGst(facts) ?? 0), 0)
}

/** In cents. */
export function getPriceBeforeGst(facts: Facts = {}): number | undefined {
  const { priceCents, priceIncGstCents, gstCents = 0, gstBasis, currency = "AUD" } = facts
  if (priceCents === undefined || currency !== "AUD") return undefined
  return gstBasis === "included" ? (priceIncGstCents ?? priceCents) - gstCents : priceCents
}
