import { describe, expect, it } from "vitest"
import type { ShipmentDetail } from "../../src/contract/generated/types.ts"
import { fillFromShipments } from "../../src/invoice/new/shipments.ts"
import type { Facts } from "../../src/ledger/entry.ts"

const ADDRESS = {
  companyName: "Port Street Fittings",
  address1: "8 Market Street",
  suburb: "Fremantle",
  state: "WA",
  postcode: "6160",
}

function shipment(id: string, more: Partial<ShipmentDetail> = {}): ShipmentDetail {
  return {
    id,
    carrier: "CARRIER_A_AU",
    connectorName: "Harbour account A",
    orderNumber: `ORD-${id}`,
    consignmentNumber: `CON-${id}`,
    status: "CONSIGNED",
    serviceCode: "76",
    source: "API",
    createdAt: "2026-11-20T01:00:00Z",
    payer: "Sender",
    sender: ADDRESS,
    collection: { ...ADDRESS, suburb: "Adelaide", state: "SA", postcode: "5000" },
    receiver: ADDRESS,
    items: { count: 1, totalWeightKg: 5, maxLengthCm: 10, maxWidthCm: 10, maxHeightCm: 10 },
    dangerousGoods: false,
    collectionDateTime: "2026-11-23T10:00:00",
    collectionCloseTime: "1700",
    customerReference: "PO-1001",
    ...more,
  }
}

const PRICED: Facts = { priceCents: 6390, gstCents: 639, priceIncGstCents: 7029, gstBasis: "excluded" }
const NOTHING_GIVEN = {
  po: undefined as string | undefined,
  ...{ shipping: false, shipTo: false, isMemo: false, isChargedOn: false },
}

function fill(shipments: [ShipmentDetail, Facts | undefined][], given: Partial<typeof NOTHING_GIVEN> = {}) {
  const billed = shipments.map(([each, facts]) => ({ shipment: each, facts }))
  return fillFromShipments(billed, { ...NOTHING_GIVEN, ...given })
}

describe("an invoice of a shipment", () => {
  it("has its carrier, number, date, receiver, price and order", () => {
    expect(fill([[shipment("1"), PRICED]])).toEqual({
      warnings: [],
      parts: {
        po: "PO-1001",
        otherOrders: ["PO-1001"],
        shipTo: {
          addressee: "Port Street Fittings",
          street1: "8 Market Street",
          city: "Fremantle",
          state: "WA",
          postalCode: "6160",
          country: "AU",
        },
        shipmentId: "1",
        shipmentDetails: {
          carrier: "CARRIER_A_AU",
          trackingNumber: "CON-1",
          // By the clock at the collection.
          shippingDate: "2026-11-23T10:00:00+10:30",
        },
        shipping: { amount: 63_900_000 },
      },
    })
  })

  it.each<[string, Facts, number]>([
    ["without its GST where that is included", { ...PRICED, priceCents: 7029, gstBasis: "included" }, 63.9],
    ["as it is where it is before GST", { priceCents: 6390, gstBasis: "excluded", currency: "AUD" }, 63.9],
  ])("bills the price %s", (_, facts, dollars) => {
    expect(fill([[shipment("1"), facts]]).parts.shipping).toEqual({ amount: Math.round(dollars * 1e6) })
  })

  it("takes a price that says nothing of GST as before GST, and says so", () => {
    const { parts, warnings } = fill([[shipment("1"), { priceCents: 7443, gstBasis: "unknown" }]])
    expect(parts.shipping).toEqual({ amount: 74_430_000 })
    expect(warnings).toEqual([
      "it is not known whether GST is in the price of CON-1: it is taken as before GST; --shipping-amount gives another",
    ])
  })

  it.each<[string, Facts | undefined]>([
    ["was booked elsewhere", undefined],
    ["was booked without a price", {}],
    ["is priced in another currency", { ...PRICED, currency: "NZD" }],
  ])("bills no shipping where it %s, and says so", (_, facts) => {
    const { parts, warnings } = fill([[shipment("1"), facts]])
    expect(parts).not.toHaveProperty("shipping")
    expect(warnings).toEqual([
      "no shipping is billed for CON-1: no price in AUD is known; --shipping-amount gives one",
    ])
  })

  it("bills no price that another pays the carrier", () => {
    const { parts, warnings } = fill([[shipment("1", { payer: "Receiver" }), PRICED]])
    expect(parts).not.toHaveProperty("shipping")
    expect(warnings).toEqual(["no shipping is billed for CON-1: the carrier does not bill the sender"])
  })

  it.each([{ shipping: true }, { isMemo: true }])("looks for no price with %o", (given) => {
    const { parts, warnings } = fill([[shipment("1"), undefined]], given)
    expect([parts.shipping, warnings]).toEqual([undefined, []])
  })

  it("has the number that the ledger knows where the carrier's came later, and says where there is none", () => {
    const unnumbered = shipment("1", { consignmentNumber: null })
    const later = fill([[unnumbered, { ...PRICED, consignmentNumber: "CON-9" }]])
    expect([later.parts.shipmentDetails?.trackingNumber, later.warnings]).toEqual(["CON-9", []])
    const none = fill([[unnumbered, PRICED]])
    expect(none.parts.shipmentDetails).not.toHaveProperty("trackingNumber")
    expect(none.warnings).toEqual(["the carrier has given no consignment number yet: 1"])
  })

  it("that is cancelled has a warning", () => {
    expect(fill([[shipment("1", { status: "CANCELLED" }), PRICED]]).warnings).toEqual([
      "this invoice bills what was cancelled: CON-1",
    ])
  })

  it("has no date where the service wrote it in a way of its own", () => {
    const { shipmentDetails } = fill([[shipment("1", { collectionDateTime: "soon" }), PRICED]]).parts
    expect(shipmentDetails).not.toHaveProperty("shippingDate")
  })
})

describe("a reference", () => {
  it.each(["PO-1001", "PO1001", "P.O. 77", "po#12", "PO 45/3", " PO-ACME-17 "])("%j is an order", (text) => {
    const { parts } = fill([[shipment("1", { customerReference: text }), PRICED]])
    expect([parts.po, parts.otherOrders]).toEqual([text.trim(), [text.trim()]])
  })

  it.each(["SO-17", "PORT-1", "4500", "PO", "", null])("%j is none", (text) => {
    const { parts } = fill([[shipment("1", { customerReference: text }), PRICED]])
    expect([parts.po, parts.otherOrders]).toEqual([undefined, undefined])
  })

  it("is one where it is the order that was given", () => {
    const { parts } = fill([[shipment("1", { customerReference: "4500" }), PRICED]], { po: "4500" })
    expect(parts.otherOrders).toEqual(["4500"])
  })
})

describe("an invoice of several shipments", () => {
  const B = { carrier: "CARRIER_B_AU" } as const

  it("has no id and no code of a carrier where its freight is charged on to a customer", () => {
    const given = { shipping: true, isChargedOn: true }
    const { parts } = fill([[shipment("1"), PRICED]], given)
    expect([parts.shipmentId, parts.shipmentDetails?.carrier]).toEqual([undefined, "Carrier A"])
    const several = fill(
      [
        [shipment("1"), PRICED],
        [shipment("2", B), PRICED],
      ],
      given,
    )
    expect(several.parts.shipmentDetails?.carrier).toBe("Carriers A and B")
  })

  it("lists numbers, ids and carriers, and adds up prices", () => {
    const { parts, warnings } = fill([
      [shipment("1"), PRICED],
      [shipment("2", B), { ...PRICED, priceCents: 1005 }],
      [shipment("3"), PRICED],
    ])
    expect(parts).toMatchObject({
      po: "PO-1001",
      otherOrders: ["PO-1001"],
      shipTo: { city: "Fremantle" },
      shipmentId: "1, 2, 3",
      shipmentDetails: {
        carrier: "CARRIER_A_AU, CARRIER_B_AU",
        trackingNumber: "CON-1, CON-2, CON-3",
        shippingDate: "2026-11-23T10:00:00+10:30",
      },
      shipping: { amount: 137_850_000 },
    })
    expect(warnings).toEqual([])
  })

  const ELSEWHERE = shipment("2", {
    receiver: { ...ADDRESS, suburb: "Perth" },
    collectionDateTime: "2026-11-24T10:00:00",
    customerReference: "PO-1002",
  })

  it("leaves out what differs, says where it matters, and leaves the main order open", () => {
    const { parts, warnings } = fill([
      [shipment("1"), PRICED],
      [ELSEWHERE, PRICED],
    ])
    expect(parts).not.toHaveProperty("shipTo")
    expect(parts.shipmentDetails).not.toHaveProperty("shippingDate")
    expect([parts.po, parts.otherOrders]).toEqual([undefined, ["PO-1001", "PO-1002"]])
    expect(warnings).toEqual([
      "the shipments go to 2 addresses: the invoice names none of them; --ship-to names one",
    ])
  })

  it("says nothing of addresses where one is given", () => {
    const both: [ShipmentDetail, Facts][] = [
      [shipment("1"), PRICED],
      [ELSEWHERE, PRICED],
    ]
    expect(fill(both, { shipTo: true }).warnings).toEqual([])
  })

  it("warns of many in one line", () => {
    const many = Array.from({ length: 8 }, (_, index) => shipment(String(index)))
    const { warnings } = fill(many.map((each) => [each, { ...PRICED, gstBasis: "unknown" }]))
    expect(warnings).toEqual([
      "it is not known whether GST is in the price of CON-0, CON-1, CON-2, CON-3, CON-4 and 3 more: it is taken as before GST; --shipping-amount gives another",
    ])
  })

  it("bills what the sender pays where another pays the rest", () => {
    const { parts, warnings } = fill([
      [shipment("1"), PRICED],
      [shipment("2", { payer: "ThirdParty" }), PRICED],
    ])
    expect(parts.shipping).toEqual({ amount: 63_900_000 })
    expect(warnings).toEqual(["no shipping is billed for CON-2: the carrier does not bill the sender"])
  })

  it("bills no shipping unless each price is known", () => {
    const { parts, warnings } = fill([
      [shipment("1"), PRICED],
      [shipment("2"), undefined],
    ])
    expect(parts).not.toHaveProperty("shipping")
    expect(warnings).toEqual([
      "no shipping is billed for CON-2: no price in AUD is known; --shipping-amount gives one",
    ])
  })
})
