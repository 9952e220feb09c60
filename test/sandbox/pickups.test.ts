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

describe("POST /{connectorId}/pickups, standalone", () => {
  it("books", async () => {
    expect(await booked(await startBench(), STANDALONE)).toEqual({
      pickupBookingId: expect.any(String),
      orderNumber: expect.any(String),
      status: "BOOKED",
      connectorId: "connector-a",
    })
  })

  it.each(["collection", "items", "receiver"] as const)("is a 400 without %s", async (field) => {
    expect(await refusal(await startBench(), { ...STANDALONE, [field]: undefined })).toContain(field)
  })

  it.each(["pickupDate", "readyTime", "closeTime"] as const)("is a 400 without %s", async (field) => {
    expect(await refusal(await startBench(), { ...STANDALONE, [field]: undefined })).toEqual([field])
  })

  it.each([
    ["connector-a", "A"],
    ["connector-c", "C"],
  ])("is a 400 without a service on %s", async (connectorId) => {
    const request = { ...STANDALONE, serviceCode: undefined }
    expect(await refusal(await startBench(), request, connectorId)).toEqual(["serviceCode"])
  })

  it("needs no service on carrier B", async () => {
    const request = { ...STANDALONE, serviceCode: undefined }
    expect((await booked(await startBench(), request, "connector-b")).status).toBe("BOOKED")
  })

  it("is a 201 with status FAILED when the carrier refuses", async () => {
    const bench = await startBench()
    const collection = address({ address2: "sandbox:pickup-failed" })
    expect(await booked(bench, { ...STANDALONE, collection })).toMatchObject({
      status: "FAILED",
      orderNumber: null,
    })
  })

  it("is FAILED for a service that the carrier does not have", async () => {
    const bench = await startBench()
    const { status, pickupBookingId } = await booked(bench, { ...STANDALONE, serviceCode: "999" })
    expect(status).toBe("FAILED")
    expect((await detail(bench, pickupBookingId)).lastErrorCode).toBe("SERVICE_UNKNOWN")
  })
})

describe("POST /{connectorId}/pickups, for a shipment", () => {
  async function shipment(bench: Bench, customerReference = "PO 7") {
    return (await bench.book("connector-a", { customerReference })).shipmentId
  }

  async function pickupStatus({ freight }: Bench, id: string) {
    return as(ShipmentDetailResponse, (await freight("GET", `/shipments/${id}`)).body).shipment.pickupStatus
  }

  it("books, and the shipment reads BOOKED", async () => {
    const bench = await startBench()
    const shipmentId = await shipment(bench)
    expect((await booked(bench, { ...WHEN, shipmentId })).status).toBe("BOOKED")
    expect(await pickupStatus(bench, shipmentId)).toBe("BOOKED")
  })

  it("leaves the shipment's order number as it was", async () => {
    const bench = await startBench()
    const { shipmentId, orderNumber } = await bench.book("connector-a")
    await booked(bench, { ...WHEN, shipmentId })
    const { body } = await bench.freight("GET", `/shipments/${shipmentId}`)
    expect(as(ShipmentDetailResponse, body).shipment.orderNumber).toBe(orderNumber)
  })

  it("makes the shipment read FAILED when the carrier refuses", async () => {
    const bench = await startBench()
    const shipmentId = await shipment(bench, "sandbox:pickup-failed")
    expect((await booked(bench, { ...WHEN, shipmentId })).status).toBe("FAILED")
    expect(await pickupStatus(bench, shipmentId)).toBe("FAILED")
  })

  it("can be tried again after it failed", async () => {
    const bench = await startBench()
    const shipmentId = await shipment(bench)
    await booked(bench, { ...WHEN, shipmentId, serviceCode: "sandbox:pickup-failed" })
    await booked(bench, { ...WHEN, shipmentId })
    expect(await pickupStatus(bench, shipmentId)).toBe("BOOKED")
  })

  it("still reads BOOKED when a second pickup fails", async () => {
    const bench = await startBench()
    const shipmentId = await shipment(bench)
    await booked(bench, { ...WHEN, shipmentId })
    await booked(bench, { ...WHEN, shipmentId, serviceCode: "sandbox:pickup-failed" })
    expect(await pickupStatus(bench, shipmentId)).toBe("BOOKED")
  })

  it("takes no address beside the shipment", async () => {
    const bench = await startBench()
    const request = { ...WHEN, shipmentId: await shipment(bench), collection: address() }
    expect(await refusal(bench, request)).toEqual(["collection"])
  })

  it("is a 400 for an unknown shipment", async () => {
    expect(await refusal(await startBench(), { ...WHEN, shipmentId: "nothing" })).toEqual(["shipmentId"])
  })

  it("is a 400 for a shipment of another connector", async () => {
    const bench = await startBench()
    const request = { ...WHEN, shipmentId: await shipment(bench) }
    expect(await refusal(bench, request, "connector-b")).toEqual(["shipmentId"])
  })

  it("is a 400 for another tenant's shipment", async () => {
    const bench = await startBench()
    const request = { ...WHEN, shipmentId: await shipment(bench) }
    const key = bench.sandbox.keys.secondTenantFreight
    expect((await pickUp(bench, request, "second-a-sydney", key)).status).toBe(400)
  })

  describe("when the service fails to record it", () => {
    it("is a 500 with the carrier's reference", async () => {
      const bench = await startBench()
      const { status, body } = await pickUp(bench, {
        ...WHEN,
        shipmentId: await shipment(bench, "sandbox:pickup-500"),
      })
      expect(status).toBe(500)
      expect(as(PickupServerError, body).orderNumber).toMatch(/^PU-A-/)
    })

    it("can be a 500 that says nothing", async () => {
      const bench = await startBench()
      const shipmentId = await shipment(bench, "sandbox:pickup-500-empty")
      expect(await pickUp(bench, { ...WHEN, shipmentId })).toMatchObject({ status: 500, body: {} })
    })

    it("leaves the shipment reading NOT_BOOKED, although the carrier comes", async () => {
      const bench = await startBench()
      const shipmentId = await shipment(bench, "sandbox:pickup-500")
      await pickUp(bench, { ...WHEN, shipmentId })
      expect(await pickupStatus(bench, shipmentId)).toBe("NOT_BOOKED")
      expect((await bench.control("GET", "/books")).body).toMatchObject({
        pickups: [{ outcome: "UNRECORDED" }],
      })
    })

    it("leaves no pickup to read", async () => {
      const bench = await startBench()
      await pickUp(bench, { ...WHEN, shipmentId: await shipment(bench, "sandbox:pickup-500") })
      const { pickups } = (await bench.control("GET", "/books")).body as { pickups: { id: string }[] }
      expect((await bench.freight("GET", `/pickups/${pickups[0]?.id}`)).status).toBe(404)
    })
  })
})

describe("GET /pickups/{id}", () => {
  it("gives a standalone pickup", async () => {
    const bench = await startBench()
    const { pickupBookingId, orderNumber } = await booked(bench, STANDALONE)
    expect(await detail(bench, pickupBookingId)).toEqual({
      id: pickupBookingId,
      tenantId: "tenant-main",
      connectorId: "connector-a",
      carrier: "CARRIER_A_AU",
      status: "BOOKED",
      orderNumber,
      shipmentId: null,
      ...WHEN,
      serviceCode: "76",
      collection: STANDALONE.collection,
      items: STANDALONE.items,
      lastErrorCode: null,
      lastErrorMessage: null,
      source: "API",
      createdByUserId: null,
      createdAt: "2026-11-20T23:00:00.000Z",
    })
  })

  it("gives a shipment's pickup with the shipment's address, items and service", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    const { pickupBookingId } = await booked(bench, { ...WHEN, shipmentId })
    expect(await detail(bench, pickupBookingId)).toMatchObject({
      shipmentId,
      serviceCode: "76",
      collection: booking().collection,
      items: booking().items,
    })
  })

  it("gives a pickup that was booked with its shipment", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a", {
      customerReference: "sandbox:auto-pickup-booked",
    })
    const { pickups } = (await bench.control("GET", "/books")).body as { pickups: { id: string }[] }
    expect(await detail(bench, pickups[0]?.id)).toMatchObject({
      shipmentId,
      status: "BOOKED",
      pickupDate: "2026-11-23",
      closeTime: "1700",
    })
  })

  it("tells why a pickup failed", async () => {
    const bench = await startBench()
    const collection = address({ address2: "sandbox:pickup-failed" })
    const { pickupBookingId } = await booked(bench, { ...STANDALONE, collection })
    expect(await detail(bench, pickupBookingId)).toMatchObject({
      status: "FAILED",
      orderNumber: null,
      lastErrorCode: "PICKUP_REFUSED",
      lastErrorMessage: expect.any(String),
    })
  })

  it("has null for the service of a carrier B pickup without one", async () => {
    const bench = await startBench()
    const request = { ...STANDALONE, serviceCode: undefined }
    const { pickupBookingId } = await booked(bench, request, "connector-b")
    expect((await detail(bench, pickupBookingId)).serviceCode).toBeNull()
  })

  it("is a 404 for an unknown id", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("GET", "/pickups/nothing")
    expect(status).toBe(404)
    expect(as(ErrorBody, body).message).toContain("Pickup")
  })

  it("is a 404 for another tenant's pickup", async () => {
    const bench = await startBench()
    const { pickupBookingId } = await booked(bench, STANDALONE)
    const key = bench.sandbox.keys.secondTenantFreight
    expect((await bench.freight("GET", `/pickups/${pickupBookingId}`, undefined, key)).status).toBe(404)
  })
})
