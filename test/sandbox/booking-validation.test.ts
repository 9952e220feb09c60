import { describe, expect, it } from "vitest"
import { ErrorBody } from "../../src/contract/generated/replies.js"
import type { Payer } from "../../src/contract/generated/types.ts"
import { address, as, type Bench, booking, startBench } from "./harness.ts"

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

const onB = { serviceCode: "GEN" }
const onC = { serviceCode: "STD" }

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
    const errors = await refusal(await startBench(), "connector-a", {
      packagingCode: "XX",
      collectionCloseTime: "5pm",
    })
    expect(errors.map(({ field }) => field)).toEqual(["packagingCode", "collectionCloseTime"])
  })

  it("makes nothing of a booking that it refuses", async () => {
    const bench = await startBench()
    await refusal(bench, "connector-a", { receiver: undefined })
    expect((await bench.control("GET", "/books")).body).toMatchObject({ shipments: [] })
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
    const wanted = {
      field: "payer.accountNumber",
      code: "PAYER_ACCOUNT_REQUIRED",
      message: expect.any(String),
    }
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
    expect(errors.map(({ code }) => code)).toEqual([
      "PAYER_ACCOUNT_REQUIRED",
      "CARRIER_A_THIRD_PARTY_UNSUPPORTED",
    ])
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
    expect((await bench.book("second-c-no-email", { ...onC, collection }, key(bench))).shipmentId).not.toBe(
      "",
    )
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
