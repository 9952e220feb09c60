import { expect, it } from "vitest"
import { ErrorBody } from "../../src/contract/generated/replies.js"
import type { ConsignmentBookingRequest, Payer } from "../../src/contract/generated/types.ts"
import { address, as, booking, startBench } from "./harness.ts"

const ON_B = { serviceCode: "GEN" }
const ON_C = { serviceCode: "STD" }
const HAZARD = {
  ...{ unNumber: "0336", hazClass: "1.4G", packageType: "Box", quantity: 1, aggregateQuantity: 1 },
  ...{ shippingName: "Fireworks", contactName: "Jo", contactPhone: "0299990000" },
}
const DANGEROUS = { dangerousGoods: true, dangerousGoodsDetails: HAZARD }
const NO_ACCOUNT = "payer.accountNumber PAYER_ACCOUNT_REQUIRED"
const window = (ready: string, close: string) => ({
  collectionDateTime: `2026-11-23T${ready}:00`,
  collectionCloseTime: close,
})

/** Connectors whose key is not the main tenant's. */
const keyOf = (connectorId: string) => (connectorId.startsWith("second") ? "secondTenantFreight" : "freight")

it.each<[what: string, connectorId: string, changes: object, errors: string[]]>([
  ["a missing receiver", "connector-a", { receiver: undefined }, ["receiver"]],
  ["a missing suburb", "connector-a", { sender: { ...address(), suburb: undefined } }, ["sender.suburb"]],
  ["an unknown field", "connector-a", { colour: "red" }, ["colour"]],
  ["an unknown packaging code", "connector-a", { packagingCode: "XX" }, ["packagingCode"]],
  ["no packages", "connector-a", { packages: undefined }, ["packages"]],
  ["a zone", "connector-a", { collectionDateTime: "2026-11-23T10:00:00Z" }, ["collectionDateTime"]],
  ["a colon", "connector-a", { collectionCloseTime: "17:00" }, ["collectionCloseTime"]],
  ["danger without details", "connector-a", { dangerousGoods: true }, ["dangerousGoodsDetails"]],
  ["null for an optional field", "connector-a", { customerReference: null }, ["customerReference"]],
  ["six days in store", "connector-a", { keepInStore: { numberOfDays: 6 } }, ["keepInStore.numberOfDays"]],
  [
    "too high a warranty",
    "connector-a",
    { extendedWarranty: { value: 10_000.01, class: "A" } },
    ["extendedWarranty.value"],
  ],
  ["a long barcode", "connector-a", { customerBarcodes: ["x".repeat(51)] }, ["customerBarcodes[0]"]],
  ["cents that are no integer", "connector-a", { quotedPriceExGstMinor: 1.5 }, ["quotedPriceExGstMinor"]],
  ["an unknown business unit", "connector-a", { businessUnit: "UNIT_Z" }, ["businessUnit"]],
  ["a payer that is none: no more than the schema says", "connector-a", { payer: "me" }, ["payer"]],
  [
    "two wrong fields, both at once",
    "connector-a",
    { packagingCode: "XX", collectionCloseTime: "5pm" },
    ["packagingCode", "collectionCloseTime"],
  ],
  ["carrier A, too early", "connector-a", window("06:59", "1300"), ["collectionDateTime"]],
  [
    "carrier A, too late",
    "connector-a",
    window("17:01", "1905"),
    ["collectionDateTime", "collectionCloseTime"],
  ],
  ["carrier A, closing early", "connector-a", window("10:00", "1259"), ["collectionCloseTime"]],
  ["carrier A, closing late", "connector-a", window("16:00", "1901"), ["collectionCloseTime"]],
  ["carrier A, two hours less a minute", "connector-a", window("15:01", "1700"), ["collectionCloseTime"]],
  ...(["Receiver", "ThirdParty"] as const).flatMap((type): [string, string, object, string[]][] => [
    [
      `carrier A, a ${type} without an account`,
      "connector-a",
      { payer: { type } },
      [NO_ACCOUNT, ...(type === "ThirdParty" ? ["payer.type CARRIER_A_THIRD_PARTY_UNSUPPORTED"] : [])],
    ],
    [`carrier B, a ${type} without an account`, "connector-b", { ...ON_B, payer: { type } }, [NO_ACCOUNT]],
    [`carrier C, a ${type} without an account`, "connector-c", { ...ON_C, payer: { type } }, [NO_ACCOUNT]],
  ]),
  [
    "carrier A, a third party",
    "connector-a",
    { payer: { type: "ThirdParty", accountNumber: "123" } },
    ["payer.type CARRIER_A_THIRD_PARTY_UNSUPPORTED"],
  ],
  ["carrier C, no email anywhere", "second-c-no-email", ON_C, ["collection.email"]],
  [
    "carrier C, no fallback by trigger",
    "connector-c",
    { ...ON_C, specialInstructions: "sandbox:no-fallback-email" },
    ["collection.email"],
  ],
  ["an unknown service", "connector-a", { serviceCode: "999" }, [" SERVICE_UNKNOWN"]],
  ["a service that is switched off", "connector-c", { serviceCode: "SDY" }, [" SERVICE_UNKNOWN"]],
  [
    "dangerous goods by air",
    "connector-a",
    { serviceCode: "75", ...DANGEROUS },
    [" DANGEROUS_GOODS_REFUSED"],
  ],
  ["an unknown state", "connector-a", { receiver: address({ state: "Bavaria" }) }, [" LOCATION_UNKNOWN"]],
  [
    "a lane that carrier B does not serve",
    "connector-b",
    { ...ON_B, receiver: address({ suburb: "Darwin", state: "NT", postcode: "0800" }) },
    [" LANE_NOT_SERVED"],
  ],
  ["too many items", "connector-a", { items: { ...booking().items, count: 1000 } }, [" TOO_MANY_ITEMS"]],
  [
    "too much weight",
    "connector-a",
    { items: { ...booking().items, totalWeightKg: 20_001 } },
    [" TOO_HEAVY"],
  ],
  ["a trigger", "connector-a", { customerReference: "sandbox:carrier-rejects" }, [" CARRIER_REJECTED"]],
])("a booking is refused for %s, and nothing is made", async (_what, connectorId, changes, errors) => {
  const { freight, sandbox, control } = await startBench()
  const asked = { ...booking(), ...changes }
  const key = sandbox.keys[keyOf(connectorId)]
  const { status, body } = await freight("POST", `/${connectorId}/shipments`, asked, key)
  expect(status).toBe(400)
  const told = as(ErrorBody, body).errors ?? []
  expect(told.map(({ field = "", code }) => (code ? `${field} ${code}` : field))).toEqual(errors)
  expect(told.every(({ message }) => message)).toBe(true)
  expect((await control("GET", "/books")).body).toMatchObject({ shipments: [] })
})

const THIRD_PARTY: Payer = { type: "ThirdParty", accountNumber: "123" }

it.each<[what: string, connectorId: string, changes: Partial<ConsignmentBookingRequest>]>([
  ["carrier A from seven", "connector-a", window("07:00", "1300")],
  ["carrier A until seven", "connector-a", window("17:00", "1900")],
  ["carrier A for two hours", "connector-a", window("11:00", "1300")],
  ["carrier B at any hour", "connector-b", { ...ON_B, ...window("20:00", "2030") }],
  ["a third party that pays carrier B", "connector-b", { ...ON_B, payer: THIRD_PARTY }],
  ["carrier C by the connector's email", "connector-c", ON_C],
  [
    "carrier C by an email of its own",
    "second-c-no-email",
    { ...ON_C, collection: address({ email: "dock@acme.example" }) },
  ],
  ["dangerous goods by road", "connector-a", DANGEROUS],
])("a booking is taken with %s", async (_what, connectorId, changes) => {
  const bench = await startBench()
  const { shipmentId } = await bench.book(connectorId, changes, bench.sandbox.keys[keyOf(connectorId)])
  expect(shipmentId).not.toBe("")
})
