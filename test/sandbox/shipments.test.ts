import { describe, expect, it } from "vitest"
import {
  ErrorBody,
  PickupBookingDetailResponse,
  ShipmentDetailResponse,
  ShipmentListResponse,
} from "../../src/contract/generated/replies.js"
import { address, as, type Bench, DAY, SECOND, START, startBench } from "./harness.ts"

async function list({ freight }: Bench, query = "", key?: string) {
  const { status, body } = await freight("GET", `/shipments${query}`, undefined, key)
  expect(status).toBe(200)
  return as(ShipmentListResponse, body)
}

async function bookMany(bench: Bench, count: number) {
  const ids: string[] = []
  for (let index = 0; index < count; index++) ids.push((await bench.book("connector-a")).shipmentId)
  return ids
}

describe("GET /shipments", () => {
  it("holds the demonstration shipment alone before the first booking", async () => {
    const { shipments, ...page } = await list(await startBench())
    expect(page).toEqual({ total: 1, limit: 50, offset: 0 })
    expect(shipments).toMatchObject([
      { id: "demo-shipment", source: "PORTAL", consignmentNumber: "DEMO-A-MOVING" },
    ])
  })

  it("is empty for a tenant that booked nothing", async () => {
    const bench = await startBench()
    const page = await list(bench, "", bench.sandbox.keys.secondTenantFreight)
    expect(page).toEqual({ total: 0, limit: 50, offset: 0, shipments: [] })
  })

  it("gives the newest first, and the demonstration last", async () => {
    const bench = await startBench()
    const ids = await bookMany(bench, 3)
    const listed = (await list(bench)).shipments.map(({ id }) => id)
    expect(listed).toEqual([...ids.toReversed(), "demo-shipment"])
  })

  it("gives a page, and the total of all", async () => {
    const bench = await startBench()
    const ids = await bookMany(bench, 5)
    const page = await list(bench, "?limit=2&offset=1")
    expect(page).toMatchObject({ total: 6, limit: 2, offset: 1 })
    expect(page.shipments.map(({ id }) => id)).toEqual([ids[3], ids[2]])
  })

  it("gives a short last page", async () => {
    const bench = await startBench()
    const ids = await bookMany(bench, 3)
    const page = await list(bench, "?limit=3&offset=2")
    expect(page.shipments.map(({ id }) => id)).toEqual([ids[0], "demo-shipment"])
  })

  it("gives nothing past the end", async () => {
    const bench = await startBench()
    await bookMany(bench, 1)
    expect(await list(bench, "?offset=7")).toEqual({ total: 2, limit: 50, offset: 7, shipments: [] })
  })

  it("shifts pages when a booking comes in between", async () => {
    const bench = await startBench()
    await bookMany(bench, 4)
    const first = await list(bench, "?limit=2")
    await bookMany(bench, 1)
    const second = await list(bench, "?limit=2&offset=2")
    expect(second.shipments[0]?.id).toBe(first.shipments[1]?.id)
  })

  it("takes a limit of 200", async () => {
    expect((await list(await startBench(), "?limit=200")).limit).toBe(200)
  })

  it.each([
    "limit=0",
    "limit=201",
    "limit=-1",
    "limit=1.5",
    "limit=",
    "limit=ten",
    "offset=-1",
    "offset=x",
  ])("refuses %s", async (query) => {
    const { freight } = await startBench()
    const { status, body } = await freight("GET", `/shipments?${query}`)
    expect(status).toBe(400)
    expect(as(ErrorBody, body).errors?.[0]?.field).toBe(query.slice(0, query.indexOf("=")))
  })

  it("shows a tenant its own alone", async () => {
    const bench = await startBench()
    await bookMany(bench, 1)
    expect((await list(bench, "", bench.sandbox.keys.secondTenantFreight)).total).toBe(0)
  })

  it("shows the tenant's other keys what one of them booked", async () => {
    const bench = await startBench()
    const ids = await bookMany(bench, 1)
    const page = await list(bench, "?limit=1", bench.sandbox.keys.freight2)
    expect(page.shipments.map(({ id }) => id)).toEqual(ids)
  })

  it("shows a limited key only what was booked with it", async () => {
    const bench = await startBench()
    const key = bench.sandbox.keys.freightLimited
    const others = await bookMany(bench, 1)
    const { shipmentId } = await bench.book("connector-a", {}, key)
    await bookMany(bench, 1)
    expect(await list(bench, "", key)).toMatchObject({ total: 1, shipments: [{ id: shipmentId }] })
    const status = async (id = "", part = "") =>
      (await bench.freight("GET", `/shipments/${id}${part}`, undefined, key)).status
    expect([await status(shipmentId), await status(others[0]), await status(others[0], "/label")]).toEqual([
      200, 404, 404,
    ])
    expect((await list(bench)).total).toBe(4)
  })

  it("keeps two tenants with ordinary connectors apart", async () => {
    const bench = await startBench()
    const key = bench.sandbox.keys.thirdTenantFreight
    const [mine] = await bookMany(bench, 1)
    const { shipmentId } = await bench.book("third-a", {}, key)
    expect(await list(bench, "", key)).toMatchObject({ total: 1, shipments: [{ id: shipmentId }] })
    expect((await bench.freight("GET", `/shipments/${mine}`, undefined, key)).status).toBe(404)
  })

  it("tells the connector, the service, and where from and to", async () => {
    const bench = await startBench()
    await bookMany(bench, 1)
    expect((await list(bench)).shipments[0]).toMatchObject({
      carrier: "CARRIER_A_AU",
      connectorName: "Carrier A account",
      serviceCode: "76",
      serviceDescription: "Road Express",
      fromSuburb: "Alexandria",
      toSuburb: "Fremantle",
      status: "CONSIGNED",
      source: "API",
      pickupStatus: "NOT_BOOKED",
      createdAt: "2026-11-20T23:00:00.000Z",
    })
  })

  it("has no customerReference, which the detail has", async () => {
    const bench = await startBench()
    await bench.book("connector-a", { customerReference: "PO 7" })
    expect((await list(bench)).shipments[0]).not.toHaveProperty("customerReference")
  })

  it("shows when an asynchronous consignment number appears", async () => {
    const bench = await startBench()
    await bench.book("connector-c", { serviceCode: "STD" })
    const before = (await list(bench)).shipments[0]?.consignmentNumber
    bench.clock.advance(2.5 * SECOND)
    const after = (await list(bench)).shipments[0]?.consignmentNumber
    expect([before, after]).toEqual([null, expect.any(String)])
  })

  it("shows a cancelled shipment as such", async () => {
    const bench = await startBench()
    await bench.book("connector-a", { customerReference: "sandbox:cancelled" })
    expect((await list(bench)).shipments[0]?.status).toBe("CANCELLED")
  })
})

describe("GET /shipments/{id}", () => {
  async function detail({ freight }: Bench, id: string) {
    return as(ShipmentDetailResponse, (await freight("GET", `/shipments/${id}`)).body).shipment
  }

  it("gives back what was booked", async () => {
    const bench = await startBench()
    const receiver = address({ suburb: "Fremantle", state: "WA", postcode: "6160" })
    const { shipmentId } = await bench.book("connector-a", {
      receiver,
      customerReference: "PO 7",
      specialInstructions: "Dock 4",
      payer: { type: "Receiver", accountNumber: "55" },
    })
    expect(await detail(bench, shipmentId)).toMatchObject({
      id: shipmentId,
      payer: "Receiver",
      payerAccountNumber: "55",
      receiver,
      customerReference: "PO 7",
      specialInstructions: "Dock 4",
      collectionDateTime: "2026-11-23T10:00:00",
      collectionCloseTime: "1700",
      carrierBookingRef: null,
    })
  })

  it("has null for what was not given", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    expect(await detail(bench, shipmentId)).toMatchObject({
      payerAccountNumber: null,
      customerReference: null,
      specialInstructions: null,
    })
  })

  it.each([
    ["UNIT_A", /^UA/],
    ["UNIT_B", /^UB/],
  ] as const)("has carrier C's booking reference from the range of %s", async (businessUnit, range) => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-c", { serviceCode: "STD", businessUnit })
    expect((await detail(bench, shipmentId)).carrierBookingRef).toMatch(range)
  })

  it.each([
    ["connector-a", "76", "55"],
    ["connector-b", "GEN", null],
    ["connector-c", "STD", null],
  ])("on %s, for service %s, has as billed account of a sender who gave 55: %s", async (connectorId, serviceCode, account) => {
    const bench = await startBench()
    const payer = { type: "Sender" as const, accountNumber: "55" }
    const { shipmentId } = await bench.book(connectorId, { serviceCode, payer })
    expect((await detail(bench, shipmentId)).payerAccountNumber).toBe(account)
  })

  it("has the sub-account on carrier C", async () => {
    const bench = await startBench()
    const payer = { type: "Sender" as const, subAccount: "WA-2" }
    const { shipmentId } = await bench.book("connector-c", { serviceCode: "STD", payer })
    expect((await detail(bench, shipmentId)).payerSubAccount).toBe("WA-2")
  })

  it("is a 404 for an unknown id", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("GET", "/shipments/nothing")
    expect(status).toBe(404)
    expect(as(ErrorBody, body).message).toContain("Shipment")
  })

  it("is a 404 for another tenant's shipment", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    const key = bench.sandbox.keys.secondTenantFreight
    expect((await bench.freight("GET", `/shipments/${shipmentId}`, undefined, key)).status).toBe(404)
  })
})

describe("the demonstration shipment", () => {
  it("is in no book, and is not counted", async () => {
    const bench = await startBench()
    await bookMany(bench, 1)
    const { body } = await bench.control("GET", "/books")
    expect(body).toMatchObject({ counts: { shipments: 1, pickups: 0 } })
    expect(JSON.stringify(body)).not.toContain("demo-")
  })

  it("can be shown, and was booked two days ago", async () => {
    const { freight } = await startBench()
    const { body } = await freight("GET", "/shipments/demo-shipment")
    const { shipment } = as(ShipmentDetailResponse, body)
    expect(shipment).toMatchObject({ carrier: "CARRIER_A_AU", pickupStatus: "NOT_BOOKED" })
    expect(START - Date.parse(shipment.createdAt)).toBeLessThan(3 * DAY)
  })

  it("has a label", async () => {
    const { freight } = await startBench()
    expect((await freight("GET", "/shipments/demo-shipment/label")).status).toBe(200)
  })

  it("can be printed", async () => {
    const { freight } = await startBench()
    const job = { deviceId: "device-bench" }
    expect((await freight("POST", "/shipments/demo-shipment/print", job)).status).toBe(201)
  })

  it("remembers a pickup that was booked for it", async () => {
    const { freight } = await startBench()
    const pickup = {
      shipmentId: "demo-shipment",
      pickupDate: "2026-11-23",
      readyTime: "10:00",
      closeTime: "17:00",
    }
    expect((await freight("POST", "/connector-a/pickups", pickup)).status).toBe(201)
    const { body } = await freight("GET", "/shipments/demo-shipment")
    expect(as(ShipmentDetailResponse, body).shipment.pickupStatus).toBe("BOOKED")
  })

  it("has a pickup beside it, booked on its own", async () => {
    const { freight } = await startBench()
    const { body } = await freight("GET", "/pickups/demo-pickup")
    const { pickup } = as(PickupBookingDetailResponse, body)
    expect(pickup).toMatchObject({ status: "BOOKED", shipmentId: null, orderNumber: "PU-A-000000" })
    expect(pickup.items?.count).toBe(3)
  })

  it("is the main tenant's alone", async () => {
    const { freight, sandbox } = await startBench()
    const key = sandbox.keys.secondTenantFreight
    expect((await freight("GET", "/shipments/demo-shipment", undefined, key)).status).toBe(404)
  })
})
