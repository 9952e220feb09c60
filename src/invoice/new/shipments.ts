/** What an invoice says of the shipments that it bills, as the API and the ledger know them. */
import type { InvoiceAddress, ShipmentDetail } from "../../contract/generated/types.ts"
import { formatCents } from "../../contract/money.ts"
import { formatWithOffset, parseWallClock } from "../../contract/wall-clock.ts"
import { zoneOfCollection } from "../../contract/zones.ts"
import type { Facts } from "../../ledger/entry.ts"
import { CENT, times } from "../accounting/amounts.ts"
import type { NewInvoice } from "./draft.ts"

export interface BilledShipment {
  shipment: ShipmentDetail
  /** What the ledger recorded; undefined for what was booked elsewhere. */
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
 * Numbers and ids of several shipments are listed, their prices are added up, and what else differs is left out.
 * @param given the order, and whether shipping and an address to ship to are given, which count instead; a memo bills no
 * shipping unless it is given
 */
export function fillFromShipments(
  shipments: readonly BilledShipment[],
  given: { po: string | undefined; shipping: boolean; shipTo: boolean; isMemo: boolean },
): Filled {
  const warnings: string[] = []
  for (const { shipment } of shipments)
    if (shipment.status === "CANCELLED") warnings.push(`shipment ${nameOf(shipment)} is cancelled`)
  const numbers = shipments.flatMap(({ shipment, facts }) => {
    const number = shipment.consignmentNumber ?? facts?.consignmentNumber
    if (number === undefined)
      warnings.push(`shipment ${nameOf(shipment)} has no consignment number from its carrier yet`)
    return number ?? []
  })
  const [shipTo, ...others] = distinct(shipments.map(({ shipment }) => toInvoiceAddress(shipment.receiver)))
  if (others.length > 0 && !given.shipTo)
    warnings.push(
      `the shipments go to ${others.length + 1} addresses: the invoice names none of them; --ship-to names one`,
    )
  const [date, ...otherDates] = distinct(shipments.map(({ shipment }) => getShippingDate(shipment)))
  const orders = distinct(shipments.flatMap(({ shipment }) => findOrder(shipment, given.po) ?? []))
  const shipping = given.shipping || given.isMemo ? undefined : addPrices(shipments, warnings)
  return {
    warnings,
    parts: {
      ...(orders.length > 0 && { otherOrders: orders }),
      ...(orders.length === 1 && { po: orders[0] }),
      ...(shipTo && others.length === 0 && { shipTo }),
      shipmentId: shipments.map(({ shipment }) => shipment.id).join(", "),
      shipmentDetails: {
        carrier: distinct(shipments.map(({ shipment }) => shipment.carrier)).join(", "),
        ...(numbers.length > 0 && { trackingNumber: numbers.join(", ") }),
        ...(date !== undefined && otherDates.length === 0 && { shippingDate: date }),
      },
      ...(shipping !== undefined && { shipping: { amount: times(CENT, shipping) } }),
    },
  }
}

/** As people know it. */
function nameOf({ id, consignmentNumber }: ShipmentDetail): string {
  return consignmentNumber ?? id
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

function toInvoiceAddress(receiver: ShipmentDetail["receiver"]): InvoiceAddress {
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
  const read = parseWallClock(collectionDateTime)
  return read.ok ? formatWithOffset(read.value, zoneOfCollection({ collection })) : undefined
}

/** A reference that is the order of the invoice, or reads as one: `PO-1001`, `P.O. 77`, `po#12`; not `PORT-1`. */
function findOrder({ customerReference }: ShipmentDetail, po: string | undefined): string | undefined {
  const reference = customerReference?.trim() ?? ""
  return reference === po?.trim() || /^P\.?O\.?(?![a-z]).*\d/i.test(reference) ? reference : undefined
}

/** What the shipments were booked for before GST, in cents; undefined where it is not known of each. */
function addPrices(shipments: readonly BilledShipment[], warnings: string[]): number | undefined {
  let total = 0
  const unknown: string[] = []
  for (const { shipment, facts } of shipments) {
    if (shipment.payer !== "Sender") {
      warnings.push(`the carrier bills ${nameOf(shipment)} to its payer, so its price is not on the invoice`)
      continue
    }
    const price = facts && getPriceBeforeGst(facts)
    if (price === undefined) unknown.push(nameOf(shipment))
    else total += price
    if (price !== undefined && facts?.gstBasis === "unknown")
      warnings.push(
        `the price of ${nameOf(shipment)}, ${formatCents(price)}, does not say whether GST is in it: it is taken as before GST; --shipping-amount gives another`,
      )
  }
  if (unknown.length > 0) {
    const whose = unknown.slice(0, 3).join(", ") + (unknown.length > 3 ? ", …" : "")
    warnings.push(`no shipping is billed: no price in AUD is known of ${whose}; --shipping-amount gives one`)
    return undefined
  }
  return shipments.some(({ shipment }) => shipment.payer === "Sender") ? total : undefined
}

function getPriceBeforeGst({
  priceCents,
  priceIncGstCents,
  gstCents = 0,
  gstBasis,
  currency,
}: Facts): number | undefined {
  if (priceCents === undefined || (currency ?? "AUD") !== "AUD") return undefined
  return gstBasis === "included" ? (priceIncGstCents ?? priceCents) - gstCents : priceCents
}
