import { describe, expect, it } from "vitest"
import { BookingResponse, ShipmentDetailResponse } from "../../src/contract/generated/replies.js"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { address, as, type Bench, booking, SECOND, startBench } from "./harness.ts"

async function findShipment({ freight }: Bench, id: string, key?: string) {
  return as(ShipmentDetailResponse, (await freight("GET", `/shipments/${id}`, undefined, key)).body).shipment
}

const onB = { serviceCode: "GEN" }
const onC = { serviceCode: "STD" }

describe("POST /{connectorId}/shipments", () => {
  it("answers 201 with the shipment's ids", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("POST", "/connector-a/shipments", booking())
    expect(status).toBe(201)
    expect(as(BookingResponse, body)).toMatchObject({
      connectorId: "connector-a",
      pickupStatus: "NOT_BOOKED",
    })
  })

  it("gives the consignment number at once on carriers A and B, and null on C", async () => {
    const bench = await startBench()
    const booked = [
      await bench.book("connector-a"),
      await bench.book("connector-b", onB),
      await bench.book("connector-c", onC),
    ]
    expect(booked.map(({ consignmentNumber }) => consignmentNumber)).toEqual([
      expect.any(String),
      expect.any(String),
      null,
    ])
  })

  it("gives a barcode for each item on carrier B alone", async () => {
    const bench = await startBench()
    const booked = [
      await bench.book("connector-a"),
      await bench.book("connector-b", onB),
      await bench.book("connector-c", onC),
    ]
    expect(booked.map(({ barcodes }) => barcodes?.length)).toEqual([undefined, 2, undefined])
  })

  it("assigns carrier C's number after a while", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-c", onC)
    bench.clock.advance(2.5 * SECOND)
    expect((await findShipment(bench, shipmentId)).consignmentNumber).toEqual(expect.any(String))
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

describe("a 502 on a booking", () => {
  async function booked({ control }: Bench) {
    return (await control("GET", "/books?only=counts")).body
  }

  it("can mean that nothing was booked", async () => {
    const bench = await startBench()
    const { status } = await bench.freight(
      "POST",
      "/connector-a/shipments",
      booking({ specialInstructions: "sandbox:carrier-a-down" }),
    )
    expect([status, await booked(bench)]).toMatchObject([502, { counts: { shipments: 0 } }])
  })

  it("can mean that the shipment was booked all the same", async () => {
    const bench = await startBench()
    const { status } = await bench.freight(
      "POST",
      "/connector-a/shipments",
      booking({ customerReference: "sandbox:booked-502" }),
    )
    expect([status, await booked(bench)]).toMatchObject([502, { counts: { shipments: 1 } }])
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
    expect((await findShipment(bench, shipmentId)).payerSubAccount).toBeNull()
  })
})
