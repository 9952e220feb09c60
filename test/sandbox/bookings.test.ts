import { describe, expect, it } from "vitest"
import { BookingResponse, ErrorBody, ShipmentDetailResponse } from "../../src/contract/generated/replies.js"
import type { ConsignmentBookingRequest, Payer } from "../../src/contract/generated/types.ts"
import { address, as, type Bench, booking, SECOND, startBench } from "./harness.ts"

/** The errors of a booking that is refused. */
async function refusal(bench: Bench, connectorId: string, changes: object, key?: string) {
  const { status, body } = await bench.freight(
    "POST",
    `/${connectorId}/shipments`,
    { ...booking(), ...changes },
    key,
  )
  expect(status).toBe(400)
  return as(ErrorBody, body).errors ?? []
}

async function shipmentOf({ freight }: Bench, id: string, key?: string) {
  return as(ShipmentDetailResponse, (await freight("GET", `/shipments/${id}`, undefined, key)).body).shipment
}

const onB = { serviceCode: "GEN" }
const onC = { serviceCode: "STD" }

describe("POST /{connectorId}/shipments", () => {
  it("answers 201 with the shipment's ids", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("POST", "/connector-a/shipments", booking())
    expect(status).toBe(201)
    expect(as(BookingResponse, body)).toMatchObject({ connectorId: "connector-a", pickupStatus: "NOT_BOOKED" })
  })

  it("gives the consignment number at once on carriers A and B, and null on C", async () => {
    const bench = await startBench()
    const booked = [await bench.book("connector-a"), await bench.book("connector-b", onB), await bench.book("connector-c", onC)]
    expect(booked.map(({ consignmentNumber }) => consignmentNumber)).toEqual([
      expect.any(String),
      expect.any(String),
      null,
    ])
  })

  it("gives a barcode for each item on carrier B alone", async () => {
    const bench = await startBench()
    const booked = [await bench.book("connector-a"), await bench.book("connector-b", onB), await bench.book("connector-c", onC)]
    expect(booked.map(({ barcodes }) => barcodes?.length)).toEqual([undefined, 2, undefined])
  })

  it("assigns carrier C's number after a while", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-c", onC)
    bench.clock.advance(2.5 * SECOND)
    expect((await shipmentOf(bench, shipmentId)).consignmentNumber).toEqual(expect.any(String))
  })

  it("books again what is sent again: nothing makes a booking idempotent", async () => {
    const bench = await startBench()
    const [one, other] = [await bench.book("connector-a"), await bench.book("connector-a")]
    expect(one.shipmentId).not.toBe(other.shipmentId)
    expect(one.consignmentNumber).not.toBe(other.consignmentNumber)
  })

  it.each([
    ["unknown", "nobody", "freight"],
    ["inactive", "second-b-inactive", "secondTenantFreight"],
    ["of another tenant", "second-a-sydney", "freight"],
  ])("is a 404 for a connector that is %s", async (_, id, key) => {
    const { freight, sandbox } = await startBench()
    expect((await freight("POST", `/${id}/shipments`, booking(), sandbox.keys[key])).status).toBe(404)
  })
})

describe("booking validation", () => {
  it.each<[string, object, string]>([
    ["a missing receiver", { receiver: undefined }, "receiver"],
    ["a missing suburb", { sender: { ...address(), suburb: undefined } }, "sender.suburb"],
    ["an unknown field", { colour: "red" }, "colour"],
    ["an unknown packaging code", { packagingCode: "XX" }, "packagingCode"],
    ["no packages", { packages: undefined }, "packages"],
    ["a date-time with a zone", { collectionDateTime: "2026-11-23T10:00:00Z" }, "collectionDateTime"],
    ["a close time with a colon", { collectionCloseTime: "17:00" }, "collectionCloseTime"],
    ["dangerous goods without details", { dangerousGoods: true }, "dangerousGoodsDetails"],
    ["null for an optional field", { customerReference: null }, "customerReference"],
    ["more than five days in store", { keepInStore: { numberOfDays: 6 } }, "keepInStore.numberOfDays"],
    ["too high a warranty", { extendedWarranty: { value: 10_000.01, class: "A" } }, "extendedWarranty.value"],
    ["a long barcode", { customerBarcodes: ["x".repeat(51)] }, "customerBarcodes[0]"],
    ["cents that are no integer", { quotedPriceExGstMinor: 1.5 }, "quotedPriceExGstMinor"],
    ["an unknown business unit", { businessUnit: "UNIT_Z" }, "businessUnit"],
  ])("refuses %s, naming the field", async (_, changes, field) => {
    const errors = await refusal(await startBench(), "connector-a", changes)
    expect(errors.map((error) => error.field)).toEqual([field])
  })

  it("names every wrong field at once", async () => {
    const errors = await refusal(await startBench(), "connector-a", { packagingCode: "XX", collectionCloseTime: "5pm" })
    expect(errors.map(({ field }) => field)).toEqual(["packagingCode", "collectionCloseTime"])
  })

  it("makes nothing of a booking that it refuses", async () => {
    const bench = await startBench()
    await refusal(bench, "connector-a", { receiver: undefined })
    expect((await bench.freight("GET", "/shipments")).body).toMatchObject({ total: 0 })
  })
})

describe("carrier A's collection window", () => {
  const at = (ready: string, close: string) => ({
    collectionDateTime: `2026-11-23T${ready}:00`,
    collectionCloseTime: close,
  })

  it.each([
    ["07:00", "1300"],
    ["17:00", "1900"],
    ["11:00", "1300"],
  ])("takes %s to %s", async (ready, close) => {
    const bench = await startBench()
    expect((await bench.book("connector-a", at(ready, close))).shipmentId).not.toBe("")
  })

  it.each([
    ["06:59", "1300", "collectionDateTime"],
    ["17:01", "1905", "collectionDateTime"],
    ["10:00", "1259", "collectionCloseTime"],
    ["16:00", "1901", "collectionCloseTime"],
    ["15:01", "1700", "collectionCloseTime"],
  ])("refuses %s to %s", async (ready, close, field) => {
    const errors = await refusal(await startBench(), "connector-a", at(ready, close))
    expect(errors.map((error) => error.field)).toContain(field)
  })

  it("does not bind the other carriers", async () => {
    const bench = await startBench()
    expect((await bench.book("connector-b", { ...onB, ...at("20:00", "2030") })).shipmentId).not.toBe("")
  })
})

describe("payer rules", () => {
  it.each(["Receiver", "ThirdParty"] as const)("want the account of a %s, on every carrier", async (type) => {
    const bench = await startBench()
    const lists = [
      await refusal(bench, "connector-a", { payer: { type } }),
      await refusal(bench, "connector-b", { ...onB, payer: { type } }),
      await refusal(bench, "connector-c", { ...onC, payer: { type } }),
    ]
    const wanted = { field: "payer.accountNumber", code: "PAYER_ACCOUNT_REQUIRED", message: expect.any(String) }
    expect(lists.map((errors) => errors[0])).toEqual([wanted, wanted, wanted])
  })

  it("name a missing account once", async () => {
    const errors = await refusal(await startBench(), "connector-b", { ...onB, payer: { type: "Receiver" } })
    expect(errors).toHaveLength(1)
  })

  it("let no third party pay on carrier A", async () => {
    const payer: Payer = { type: "ThirdParty", accountNumber: "123" }
    const errors = await refusal(await startBench(), "connector-a", { payer })
    expect(errors.map(({ code }) => code)).toEqual(["CARRIER_A_THIRD_PARTY_UNSUPPORTED"])
  })

  it("tell of both when a third party has no account on carrier A", async () => {
    const errors = await refusal(await startBench(), "connector-a", { payer: { type: "ThirdParty" } })
    expect(errors.map(({ code }) => code)).toEqual(["PAYER_ACCOUNT_REQUIRED", "CARRIER_A_THIRD_PARTY_UNSUPPORTED"])
  })

  it("let a third party pay on carrier B", async () => {
    const bench = await startBench()
    const payer: Payer = { type: "ThirdParty", accountNumber: "123" }
    expect((await bench.book("connector-b", { ...onB, payer })).shipmentId).not.toBe("")
  })

  it("say no more than the schema of a payer that is none", async () => {
    const errors = await refusal(await startBench(), "connector-a", { payer: "me" })
    expect(errors.map(({ field }) => field)).toEqual(["payer"])
  })
})

describe("carrier C's collection email", () => {
  const key = (bench: Bench) => bench.sandbox.keys.secondTenantFreight

  it("falls back to the connector's", async () => {
    const bench = await startBench()
    expect((await bench.book("connector-c", onC)).shipmentId).not.toBe("")
  })

  it("is required where the connector has none", async () => {
    const bench = await startBench()
    const errors = await refusal(bench, "second-c-no-email", onC, key(bench))
    expect(errors.map(({ field }) => field)).toEqual(["collection.email"])
  })

  it("is enough where the connector has none", async () => {
    const bench = await startBench()
    const collection = address({ email: "dock@acme.example" })
    expect((await bench.book("second-c-no-email", { ...onC, collection }, key(bench))).shipmentId).not.toBe("")
  })

  it("can be made to have no fallback", async () => {
    const errors = await refusal(await startBench(), "connector-c", {
      ...onC,
      specialInstructions: "sandbox:no-fallback-email",
    })
    expect(errors.map(({ field }) => field)).toEqual(["collection.email"])
  })
})

describe("what a carrier refuses", () => {
  const details = {
    unNumber: "0336",
    hazClass: "1.4G",
    packageType: "Box",
    quantity: 1,
    aggregateQuantity: 1,
    shippingName: "Fireworks",
    contactName: "Jo",
    contactPhone: "0299990000",
  }

  it.each<[string, object, string]>([
    ["an unknown service", { serviceCode: "999" }, "SERVICE_UNKNOWN"],
    [
      "dangerous goods by air",
      { serviceCode: "75", dangerousGoods: true, dangerousGoodsDetails: details },
      "DANGEROUS_GOODS_REFUSED",
    ],
    ["an unknown state", { receiver: address({ state: "Bavaria" }) }, "LOCATION_UNKNOWN"],
    ["too many items", { items: { ...booking().items, count: 1000 } }, "TOO_MANY_ITEMS"],
    ["too much weight", { items: { ...booking().items, totalWeightKg: 20_001 } }, "TOO_HEAVY"],
    ["by trigger", { customerReference: "sandbox:carrier-rejects" }, "CARRIER_REJECTED"],
  ])("is a 400 with code and message: %s", async (_, changes, code) => {
    const errors = await refusal(await startBench(), "connector-a", changes)
    expect(errors).toEqual([{ code, message: expect.any(String) }])
  })

  it("is a service that is switched off", async () => {
    const errors = await refusal(await startBench(), "connector-c", { serviceCode: "SDY" })
    expect(errors.map(({ code }) => code)).toEqual(["SERVICE_UNKNOWN"])
  })

  it("is a lane that carrier B does not serve", async () => {
    const receiver = address({ suburb: "Darwin", state: "NT", postcode: "0800" })
    const errors = await refusal(await startBench(), "connector-b", { ...onB, receiver })
    expect(errors.map(({ code }) => code)).toEqual(["LANE_NOT_SERVED"])
  })

  it("takes dangerous goods by road", async () => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { dangerousGoods: true, dangerousGoodsDetails: details })
    expect(booked.shipmentId).not.toBe("")
  })
})

describe("a 502 on a booking", () => {
  async function total({ freight }: Bench) {
    return (await freight("GET", "/shipments")).body
  }

  it("can mean that nothing was booked", async () => {
    const bench = await startBench()
    const { status } = await bench.freight(
      "POST",
      "/connector-a/shipments",
      booking({ specialInstructions: "sandbox:carrier-a-down" }),
    )
    expect([status, await total(bench)]).toEqual([502, expect.objectContaining({ total: 0 })])
  })

  it("can mean that the shipment was booked all the same", async () => {
    const bench = await startBench()
    const { status } = await bench.freight(
      "POST",
      "/connector-a/shipments",
      booking({ customerReference: "sandbox:booked-502" }),
    )
    expect([status, await total(bench)]).toEqual([502, expect.objectContaining({ total: 1 })])
  })
})

describe("pickups that connectors book by themselves", () => {
  const CASES = [
    ["BOOKED", "BOOKED", "second-a-auto-pickup", "76", "auto-pickup-booked"],
    ["FAILED", "FAILED", "second-b-pickup-fails", "GEN", "auto-pickup-failed"],
    ["RECONCILE_NEEDED", "NOT_BOOKED", "second-b-pickup-lost", "GEN", "auto-pickup-unrecorded"],
  ] as const

  it.each(CASES)("come back as %s and read %s", async (status, read, connectorId, serviceCode) => {
    const bench = await startBench()
    const key = bench.sandbox.keys.secondTenantFreight
    const booked = await bench.book(connectorId, { serviceCode }, key)
    expect(booked.pickupStatus).toBe(status)
    expect((await shipmentOf(bench, booked.shipmentId, key)).pickupStatus).toBe(read)
  })

  it.each(CASES)("come back as %s and read %s on the main tenant, by trigger", async (status, read, _, __, trigger) => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: `REF sandbox:${trigger}` })
    expect(booked.pickupStatus).toBe(status)
    expect((await shipmentOf(bench, booked.shipmentId)).pickupStatus).toBe(read)
  })

  it.each(CASES.slice(1))("carry a warning when they are %s", async (_, __, ___, ____, trigger) => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: `sandbox:${trigger}` })
    expect(booked.labelWarning).toEqual(expect.any(String))
  })

  it("tell the carrier's reference of a pickup that was not recorded", async () => {
    const bench = await startBench()
    const { labelWarning } = await bench.book("connector-a", { customerReference: "sandbox:auto-pickup-unrecorded" })
    const books = (await bench.control("GET", "/books")).body as { pickups: { orderNumber: string }[] }
    expect(labelWarning).toContain(books.pickups[0]?.orderNumber)
  })

  it("later show that reference as the shipment's order number", async () => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: "sandbox:auto-pickup-unrecorded" })
    bench.clock.advance(60 * SECOND)
    const { orderNumber } = await shipmentOf(bench, booked.shipmentId)
    expect(orderNumber).not.toBe(booked.orderNumber)
    expect(booked.labelWarning).toContain(orderNumber)
  })

  it("do not carry a warning when they are booked", async () => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: "sandbox:auto-pickup-booked" })
    expect(booked).not.toHaveProperty("labelWarning")
  })
})

describe("a carrier's warning with the label", () => {
  it("comes with a good booking", async () => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: "sandbox:label-warning" })
    expect(booked).toMatchObject({ pickupStatus: "NOT_BOOKED", labelWarning: expect.any(String) })
  })
})

describe("fields of other carriers", () => {
  it("are ignored where the contract says so", async () => {
    const bench = await startBench()
    const changes: Partial<ConsignmentBookingRequest> = {
      businessUnit: "UNIT_B",
      bexAlerts: [{ alertType: "DELIVERED", contactName: "Jo", emailAddress: "jo@acme.example" }],
      payer: { type: "Sender", subAccount: "9", thirdPartyAddress: address() },
    }
    const { shipmentId } = await bench.book("connector-a", changes)
    expect((await shipmentOf(bench, shipmentId)).payerSubAccount).toBeNull()
  })
})
