import { describe, expect, it } from "vitest"
import {
  ErrorBody,
  PickupBookingDetailResponse,
  ShipmentDetailResponse,
  ShipmentListResponse,
} from "../../src/contract/generated/replies.js"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { address, as, type Bench, DAY, SECOND, START, startBench } from "./harness.ts"

const BILLED: Partial<ConsignmentBookingRequest> = { payer: { type: "Sender", accountNumber: "55" } }

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
  it("holds the demonstration shipment alone before the first booking, and nothing for another tenant", async () => {
    const bench = await startBench()
    const page = { total: 1, limit: 50, offset: 0 }
    expect(await list(bench)).toMatchObject({
      ...page,
      shipments: [{ id: "demo-shipment", source: "PORTAL", consignmentNumber: "DEMO-A-MOVING" }],
    })
    await bookMany(bench, 1)
    const others = await list(bench, "", bench.sandbox.keys.secondTenantFreight)
    expect(others).toEqual({ ...page, total: 0, shipments: [] })
  })

  /** Five are booked, and the demonstration shipment is the oldest. */
  it.each([
    ["", 50, 0, [4, 3, 2, 1, 0, "demo"]],
    ["?limit=200", 200, 0, [4, 3, 2, 1, 0, "demo"]],
    ["?limit=2&offset=1", 2, 1, [3, 2]],
    ["?limit=3&offset=4", 3, 4, [0, "demo"]],
    ["?offset=7", 50, 7, []],
  ])("gives a page, newest first, and the total of all: '%s'", async (query, limit, offset, expected) => {
    const bench = await startBench()
    const ids = await bookMany(bench, 5)
    const { shipments, ...page } = await list(bench, query)
    expect(page).toEqual({ total: 6, limit, offset })
    const places = shipments.map(({ id }) => (id === "demo-shipment" ? "demo" : ids.indexOf(id)))
    expect(places).toEqual(expected)
  })

  it("shifts pages when a booking comes in between", async () => {
    const bench = await startBench()
    await bookMany(bench, 4)
    const first = await list(bench, "?limit=2")
    await bookMany(bench, 1)
    const second = await list(bench, "?limit=2&offset=2")
    expect(second.shipments[0]?.id).toBe(first.shipments[1]?.id)
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

  it("tells the connector, the service, where from and to, and no customerReference, as the detail does", async () => {
    const bench = await startBench()
    await bench.book("connector-a", { customerReference: "PO 7" })
    const [shipment] = (await list(bench)).shipments
    expect(shipment).not.toHaveProperty("customerReference")
    expect(shipment).toMatchObject({
      ...{ carrier: "CARRIER_A_AU", connectorName: "Carrier A account", serviceCode: "76" },
      ...{ serviceDescription: "Road Express", fromSuburb: "Alexandria", toSuburb: "Fremantle" },
      ...{ status: "CONSIGNED", source: "API", pickupStatus: "NOT_BOOKED" },
      createdAt: "2026-11-20T23:00:00.000Z",
    })
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

  it.each<[what: string, connectorId: string, changes: Partial<ConsignmentBookingRequest>, shown: object]>([
    [
      "null for what was not given",
      "connector-a",
      {},
      { payerAccountNumber: null, customerReference: null, specialInstructions: null },
    ],
    ...([/^UA/, /^UB/] as const).map(
      (range, at): [string, string, Partial<ConsignmentBookingRequest>, object] => [
        `carrier C's booking reference from the range of business unit ${at + 1}`,
        "connector-c",
        { serviceCode: "STD", businessUnit: at === 0 ? "UNIT_A" : "UNIT_B" },
        { carrierBookingRef: expect.stringMatching(range) },
      ],
    ),
    ["the billed account on carrier A", "connector-a", BILLED, { payerAccountNumber: "55" }],
    ["none on carrier B", "connector-b", { ...BILLED, serviceCode: "GEN" }, { payerAccountNumber: null }],
    ["none on carrier C", "connector-c", { ...BILLED, serviceCode: "STD" }, { payerAccountNumber: null }],
    [
      "the sub-account on carrier C",
      "connector-c",
      { serviceCode: "STD", payer: { type: "Sender", subAccount: "WA-2" } },
      { payerSubAccount: "WA-2" },
    ],
  ])("has %s", async (_what, connectorId, changes, shown) => {
    const bench = await startBench()
    expect(await detail(bench, (await bench.book(connectorId, changes)).shipmentId)).toMatchObject(shown)
  })

  it("is a 404 for a shipment that is unknown or another tenant's", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    const key = bench.sandbox.keys.secondTenantFreight
    for (const answer of [
      await bench.freight("GET", "/shipments/nothing"),
      await bench.freight("GET", `/shipments/${shipmentId}`, undefined, key),
    ]) {
      expect(answer.status).toBe(404)
      expect(as(ErrorBody, answer.body).message).toContain("Shipment")
    }
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

  it("can be shown, labelled, printed and collected, and was booked two days ago", async () => {
    const { freight } = await startBench()
    const read = async () =>
      as(ShipmentDetailResponse, (await freight("GET", "/shipments/demo-shipment")).body).shipment
    const shipment = await read()
    expect(shipment).toMatchObject({ carrier: "CARRIER_A_AU", pickupStatus: "NOT_BOOKED" })
    expect(START - Date.parse(shipment.createdAt ?? "")).toBeLessThan(3 * DAY)
    expect((await freight("GET", "/shipments/demo-shipment/label")).status).toBe(200)
    const job = { deviceId: "device-bench" }
    expect((await freight("POST", "/shipments/demo-shipment/print", job)).status).toBe(201)
    const when = { pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" }
    const pickup = { shipmentId: "demo-shipment", ...when }
    expect((await freight("POST", "/connector-a/pickups", pickup)).status).toBe(201)
    expect((await read()).pickupStatus).toBe("BOOKED")
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
