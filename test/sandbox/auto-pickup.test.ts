import { describe, expect, it } from "vitest"
import { ShipmentDetailResponse } from "../../src/contract/generated/replies.js"
import { as, type Bench, SECOND, startBench } from "./harness.ts"

async function findShipment({ freight }: Bench, id: string, key?: string) {
  return as(ShipmentDetailResponse, (await freight("GET", `/shipments/${id}`, undefined, key)).body).shipment
}

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
    expect((await findShipment(bench, booked.shipmentId, key)).pickupStatus).toBe(read)
  })

  it.each(
    CASES,
  )("come back as %s and read %s on the main tenant, by trigger", async (status, read, _, __, trigger) => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: `REF sandbox:${trigger}` })
    expect(booked.pickupStatus).toBe(status)
    expect((await findShipment(bench, booked.shipmentId)).pickupStatus).toBe(read)
  })

  it.each(CASES.slice(1))("carry a warning when they are %s", async (_, __, ___, ____, trigger) => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: `sandbox:${trigger}` })
    expect(booked.labelWarning).toEqual(expect.any(String))
  })

  it("tell the carrier's reference of a pickup that was not recorded", async () => {
    const bench = await startBench()
    const { labelWarning } = await bench.book("connector-a", {
      customerReference: "sandbox:auto-pickup-unrecorded",
    })
    const books = (await bench.control("GET", "/books")).body as { pickups: { orderNumber: string }[] }
    expect(labelWarning).toContain(books.pickups[0]?.orderNumber)
  })

  it("later show that reference as the shipment's order number", async () => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: "sandbox:auto-pickup-unrecorded" })
    expect((await findShipment(bench, booked.shipmentId)).orderNumber).toBe(booked.orderNumber)
    bench.clock.advance(60 * SECOND)
    const { orderNumber } = await findShipment(bench, booked.shipmentId)
    expect(orderNumber).not.toBe(booked.orderNumber)
    expect(booked.labelWarning).toContain(orderNumber)
  })

  it("do not carry a warning when they are booked", async () => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: "sandbox:auto-pickup-booked" })
    expect(booked).not.toHaveProperty("labelWarning")
  })
})
