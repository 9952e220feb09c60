import { describe, expect, it } from "vitest"
import {
  ErrorBody,
  PickupBookingDetailResponse,
  PickupBookingResponse,
  PickupServerError,
  ShipmentDetailResponse,
} from "../../src/contract/generated/replies.js"
import type { PickupBookingRequest } from "../../src/contract/generated/types.ts"
import { address, as, type Bench, booking, startBench } from "./harness.ts"

const WHEN = { pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" }
const STANDALONE: PickupBookingRequest = {
  ...WHEN,
  serviceCode: "76",
  collection: address(),
  items: booking().items,
  receiver: address({ suburb: "Fremantle", state: "WA", postcode: "6160" }),
}
const REFUSED = { ...STANDALONE, collection: address({ address2: "sandbox:pickup-failed" }) }

async function pickUp({ freight }: Bench, request: object, connectorId = "connector-a", key?: string) {
  return freight("POST", `/${connectorId}/pickups`, request, key)
}

async function booked(bench: Bench, request: object, connectorId?: string) {
  const { status, body } = await pickUp(bench, request, connectorId)
  expect(status).toBe(201)
  return as(PickupBookingResponse, body)
}

async function detail({ freight }: Bench, id: string | undefined) {
  return as(PickupBookingDetailResponse, (await freight("GET", `/pickups/${id}`)).body).pickup
}

async function refusal(bench: Bench, request: object, connectorId?: string) {
  const { status, body } = await pickUp(bench, request, connectorId)
  expect(status).toBe(400)
  return as(ErrorBody, body).errors?.map(({ field }) => field)
}

async function pickups({ control }: Bench) {
  return ((await control("GET", "/books")).body as { pickups: { id: string; outcome: string }[] }).pickups
}

describe("a standalone pickup", () => {
  it("is booked, and can be read", async () => {
    const bench = await startBench()
    const made = await booked(bench, STANDALONE)
    expect(made).toEqual({
      pickupBookingId: expect.any(String),
      orderNumber: expect.any(String),
      status: "BOOKED",
      connectorId: "connector-a",
    })
    const { pickupBookingId: id, orderNumber } = made
    expect(await detail(bench, id)).toEqual({
      ...{ id, tenantId: "tenant-main", connectorId: "connector-a", carrier: "CARRIER_A_AU" },
      ...{ status: "BOOKED", orderNumber, shipmentId: null, ...WHEN, serviceCode: "76" },
      ...{ collection: STANDALONE.collection, items: STANDALONE.items },
      ...{ lastErrorCode: null, lastErrorMessage: null, source: "API", createdByUserId: null },
      createdAt: "2026-11-20T23:00:00.000Z",
    })
    const key = bench.sandbox.keys.secondTenantFreight
    for (const answer of [
      await bench.freight("GET", `/pickups/${id}`, undefined, key),
      await bench.freight("GET", "/pickups/nothing"),
    ])
      expect([answer.status, as(ErrorBody, answer.body).message]).toEqual([
        404,
        expect.stringContaining("Pickup"),
      ])
  })

  it.each([
    ...(["pickupDate", "readyTime", "closeTime", "serviceCode"] as const).map(
      (field) => ["connector-a", field] as const,
    ),
    ...(["collection", "items", "receiver"] as const).map((field) => ["connector-b", field] as const),
    ["connector-c", "serviceCode"],
  ] as const)("is a 400 on %s without %s", async (connectorId, field) => {
    const request = { ...STANDALONE, [field]: undefined }
    expect(await refusal(await startBench(), request, connectorId)).toEqual([field])
  })

  it("needs no service on carrier B, and then has null for it", async () => {
    const bench = await startBench()
    const made = await booked(bench, { ...STANDALONE, serviceCode: undefined }, "connector-b")
    expect(made.status).toBe("BOOKED")
    expect((await detail(bench, made.pickupBookingId)).serviceCode).toBeNull()
  })

  it.each([
    ["the carrier refuses it", REFUSED, "PICKUP_REFUSED"],
    ["the carrier does not have its service", { ...STANDALONE, serviceCode: "999" }, "SERVICE_UNKNOWN"],
  ])("is a 201 with status FAILED when %s, and tells why", async (_when, request, lastErrorCode) => {
    const bench = await startBench()
    const made = await booked(bench, request)
    const failed = { status: "FAILED", orderNumber: null }
    expect(made).toMatchObject(failed)
    expect(await detail(bench, made.pickupBookingId)).toMatchObject({
      ...failed,
      lastErrorCode,
      lastErrorMessage: expect.any(String),
    })
  })
})

describe("a pickup for a shipment", () => {
  async function startWithShipment(customerReference = "PO 7") {
    const bench = await startBench()
    const { shipmentId, orderNumber } = await bench.book("connector-a", { customerReference })
    const shipment = async () =>
      as(ShipmentDetailResponse, (await bench.freight("GET", `/shipments/${shipmentId}`)).body).shipment
    return { bench, request: { ...WHEN, shipmentId }, orderNumber, shipment }
  }

  it("is booked with its address, items and service, and leaves its order number as it was", async () => {
    const { bench, request, orderNumber, shipment } = await startWithShipment()
    const made = await booked(bench, request)
    expect(made.status).toBe("BOOKED")
    expect(await shipment()).toMatchObject({ pickupStatus: "BOOKED", orderNumber })
    expect(await detail(bench, made.pickupBookingId)).toMatchObject({
      shipmentId: request.shipmentId,
      serviceCode: "76",
      collection: booking().collection,
      items: booking().items,
    })
  })

  const FAILING = { serviceCode: "sandbox:pickup-failed" }
  it.each([
    ["FAILED when the carrier refuses", [FAILING], "FAILED"],
    ["BOOKED when it was tried again", [FAILING, {}], "BOOKED"],
    ["BOOKED when a second one fails", [{}, FAILING], "BOOKED"],
  ])("makes it read %s", async (_what, tries, pickupStatus) => {
    const { bench, request, shipment } = await startWithShipment()
    for (const each of tries)
      expect((await booked(bench, { ...request, ...each })).status).toBe(
        each === FAILING ? "FAILED" : "BOOKED",
      )
    expect(await shipment()).toMatchObject({ pickupStatus })
  })

  it.each([
    ["an address beside it", { collection: address() }, "connector-a", "collection"],
    ["an unknown shipment", { shipmentId: "nothing" }, "connector-a", "shipmentId"],
    ["a shipment of another connector", {}, "connector-b", "shipmentId"],
  ])("is a 400 for %s", async (_what, changes, connectorId, field) => {
    const { bench, request } = await startWithShipment()
    expect(await refusal(bench, { ...request, ...changes }, connectorId)).toEqual([field])
  })

  it("is a 400 for another tenant's shipment", async () => {
    const { bench, request } = await startWithShipment()
    const key = bench.sandbox.keys.secondTenantFreight
    expect((await pickUp(bench, request, "second-a-sydney", key)).status).toBe(400)
  })

  it("that the service fails to record is a 500 with the carrier's reference, and the carrier comes", async () => {
    const { bench, request, shipment } = await startWithShipment("sandbox:pickup-500")
    const { status, body } = await pickUp(bench, request)
    expect(status).toBe(500)
    expect(as(PickupServerError, body).orderNumber).toMatch(/^PU-A-/)
    expect(await shipment()).toMatchObject({ pickupStatus: "NOT_BOOKED" })
    const [made] = await pickups(bench)
    expect(made).toMatchObject({ outcome: "UNRECORDED" })
    expect((await bench.freight("GET", `/pickups/${made?.id}`)).status).toBe(404)
  })

  it("can be a 500 that says nothing", async () => {
    const { bench, request } = await startWithShipment("sandbox:pickup-500-empty")
    expect(await pickUp(bench, request)).toMatchObject({ status: 500, body: {} })
  })

  it("can be booked along with it, and read", async () => {
    const { bench, request } = await startWithShipment("sandbox:auto-pickup-booked")
    expect(await detail(bench, (await pickups(bench))[0]?.id)).toMatchObject({
      shipmentId: request.shipmentId,
      status: "BOOKED",
      pickupDate: "2026-11-23",
      closeTime: "1700",
    })
  })
})
