import { describe, expect, it } from "vitest"
import { ErrorBody, LabelNotAvailableError } from "../../src/contract/generated/replies.js"
import { as, SECOND, startBench } from "./harness.ts"

describe("GET /shipments/{id}/label", () => {
  it.each([
    ["connector-a", "76"],
    ["connector-b", "GEN"],
  ])("is a PDF as soon as %s has booked", async (connectorId, serviceCode) => {
    const bench = await startBench()
    const { shipmentId } = await bench.book(connectorId, { serviceCode })
    const { status, headers, body } = await bench.freight("GET", `/shipments/${shipmentId}/label`)
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect((body as Buffer).subarray(0, 5).toString()).toBe("%PDF-")
  })

  it("is not available on carrier C for a while", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-c", { serviceCode: "STD" })
    bench.clock.advance(2.9 * SECOND)
    const { status, body } = await bench.freight("GET", `/shipments/${shipmentId}/label`)
    expect(status).toBe(404)
    expect(as(LabelNotAvailableError, body).code).toBe("LABEL_NOT_AVAILABLE")
  })

  it("comes on carrier C after that", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-c", { serviceCode: "STD" })
    bench.clock.advance(3 * SECOND)
    expect((await bench.freight("GET", `/shipments/${shipmentId}/label`)).status).toBe(200)
  })

  it("is a 404 without that code for an unknown shipment", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("GET", "/shipments/nothing/label")
    expect(status).toBe(404)
    expect(as(ErrorBody, body)).not.toHaveProperty("code")
  })

  it("is a 404 for another tenant's shipment", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    const key = bench.sandbox.keys.secondTenantFreight
    expect((await bench.freight("GET", `/shipments/${shipmentId}/label`, undefined, key)).status).toBe(404)
  })
})
