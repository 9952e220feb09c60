import { describe, expect, it } from "vitest"
import { BookingResponse, ShipmentDetailResponse } from "../../src/contract/generated/replies.js"
import { address, as, type Bench, booking, SECOND, startBench } from "./harness.ts"

async function findShipment({ freight }: Bench, id: string, key?: string) {
  return as(ShipmentDetailResponse, (await freight("GET", `/shipments/${id}`, undefined, key)).body).shipment
}

const onC = { serviceCode: "STD" }

describe("POST /{connectorId}/shipments", () => {
  it("gives the consignment number at once on carriers A and B, and on C a while later; barcodes on B", async () => {
    const bench = await startBench()
    const { status, body } = await bench.freight("POST", "/connector-a/shipments", booking())
    expect([status, as(BookingResponse, body)]).toMatchObject([
      201,
      { connectorId: "connector-a", pickupStatus: "NOT_BOOKED" },
    ])
    const booked = [
      as(BookingResponse, body),
      await bench.book("connector-b", { serviceCode: "GEN" }),
      await bench.book("connector-c", onC),
    ]
    expect(booked.map(({ consignmentNumber, barcodes }) => [consignmentNumber, barcodes?.length])).toEqual([
      [expect.any(String), undefined],
      [expect.any(String), 2],
      [null, undefined],
    ])
    bench.clock.advance(2.5 * SECOND)
    const { consignmentNumber } = await findShipment(bench, booked[2]?.shipmentId ?? "")
    expect(consignmentNumber).toEqual(expect.any(String))
  })

  it.each([
    ["sandbox:pickup-faild", "; did you mean sandbox:pickup-failed?"],
    ["Sandbox:nothing-of-the-kind", ": it has sandbox:carrier-a-down, "],
  ])("refuses the word %s, which would rehearse nothing, and books nothing", async (word, then) => {
    const bench = await startBench()
    const { status, body } = await bench.freight("POST", "/connector-a/shipments", {
      ...booking(),
      customerReference: `PO-1 ${word}`,
    })
    expect([status, Object(body).message]).toEqual([
      400,
      expect.stringContaining(`The sandbox has no word "${word.toLowerCase()}"${then}`),
    ])
    // The example that each sandbox begins with.
    const { body: list } = await bench.freight("GET", "/shipments")
    expect(Object(list).total).toBe(1)
  })

  it("books again what is sent again: nothing makes a booking idempotent", async () => {
    const bench = await startBench()
    const [one, other] = [await bench.book("connector-a"), await bench.book("connector-a")]
    expect(one.shipmentId).not.toBe(other.shipmentId)
    expect(one.consignmentNumber).not.toBe(other.consignmentNumber)
  })

  it.each([
    ["shipments", booking()],
    ["rates", { dangerousGoods: false }],
  ])("is, as /%s, a 404 for a connector that is unknown, inactive or another tenant's", async (what, body) => {
    const { freight, sandbox } = await startBench()
    for (const [id, key] of [
      ["nobody", "freight"],
      ["second-b-inactive", "secondTenantFreight"],
      ["second-a-sydney", "freight"],
    ] as const)
      expect(await freight("POST", `/${id}/${what}`, body, sandbox.keys[key])).toMatchObject({
        status: 404,
        body: { message: expect.stringContaining("Connector") },
      })
  })

  it.each([
    ["nothing was booked", "carrier-a-down", 0],
    ["the shipment was booked all the same", "booked-502", 1],
  ])("can be a 502 where %s", async (_what, trigger, shipments) => {
    const { freight, control } = await startBench()
    const asked = booking({ specialInstructions: `sandbox:${trigger}` })
    const { status } = await freight("POST", "/connector-a/shipments", asked)
    const { body } = await control("GET", "/books?only=counts")
    expect([status, body]).toMatchObject([502, { counts: { shipments } }])
  })

  it("comes with a carrier's warning with the label", async () => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: "sandbox:label-warning" })
    expect(booked).toMatchObject({ pickupStatus: "NOT_BOOKED", labelWarning: expect.any(String) })
  })

  it("ignores fields of other carriers where the contract says so", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a", {
      businessUnit: "UNIT_B",
      bexAlerts: [{ alertType: "DELIVERED", contactName: "Jo", emailAddress: "jo@acme.example" }],
      payer: { type: "Sender", subAccount: "9", thirdPartyAddress: address() },
    })
    expect((await findShipment(bench, shipmentId)).payerSubAccount).toBeNull()
  })
})

describe("pickups that connectors book by themselves", () => {
  it.each([
    ["BOOKED", "BOOKED", "second-a-auto-pickup", "76", "auto-pickup-booked"],
    ["FAILED", "FAILED", "second-b-pickup-fails", "GEN", "auto-pickup-failed"],
    ["RECONCILE_NEEDED", "NOT_BOOKED", "second-b-pickup-lost", "GEN", "auto-pickup-unrecorded"],
  ])("come back as %s and read %s, on %s and by trigger; a warning says what went wrong", async (status, read, connectorId, serviceCode, trigger) => {
    const bench = await startBench()
    const key = bench.sandbox.keys.secondTenantFreight
    const own = await bench.book(connectorId, { serviceCode }, key)
    const booked = await bench.book("connector-a", { customerReference: `REF sandbox:${trigger}` })
    expect([own.pickupStatus, booked.pickupStatus]).toEqual([status, status])
    expect((await findShipment(bench, own.shipmentId, key)).pickupStatus).toBe(read)
    expect((await findShipment(bench, booked.shipmentId)).pickupStatus).toBe(read)
    expect(typeof booked.labelWarning).toBe(status === "BOOKED" ? "undefined" : "string")
  })

  it("tell the carrier's reference of one that was not recorded, later the shipment's order number", async () => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: "sandbox:auto-pickup-unrecorded" })
    const { pickups } = (await bench.control("GET", "/books")).body as { pickups: { orderNumber: string }[] }
    expect(booked.labelWarning).toContain(pickups[0]?.orderNumber)
    expect((await findShipment(bench, booked.shipmentId)).orderNumber).toBe(booked.orderNumber)
    bench.clock.advance(60 * SECOND)
    expect((await findShipment(bench, booked.shipmentId)).orderNumber).toBe(pickups[0]?.orderNumber)
  })
})
