import { describe, expect, it } from "vitest"
import { createDirectPrintApi } from "../../src/api/direct-print.ts"
import type { FreightApi } from "../../src/api/freight.ts"
import { json, server } from "./servers.ts"
import { address, booked, booking, client, connectors, failure, pickup, rateRequest } from "./setup.ts"

const shipment = {
  id: "shp_1",
  carrier: "CARRIER_A_AU",
  connectorName: "Account A",
  orderNumber: "ORD-1",
  status: "CONSIGNED",
  serviceCode: "ROAD",
  source: "API",
  createdAt: "2026-11-20T01:02:03Z",
}
const detail = {
  ...shipment,
  payer: "Sender",
  sender: address,
  collection: address,
  receiver: address,
  items: booking.items,
  dangerousGoods: false,
  collectionDateTime: booking.collectionDateTime,
  collectionCloseTime: booking.collectionCloseTime,
}
const device = { id: "dev_1", label: "Desk", createdAt: "2026-11-20T01:02:03Z" }
const created = { recorded: true, response: { status: "BOOKED" } }

const endpoints: [string, string, unknown, unknown, (api: FreightApi) => Promise<unknown>, unknown?][] = [
  ["GET", "/connectors", undefined, connectors, (api) => api.listConnectors()],
  ["POST", "/rates", rateRequest, { quoteId: "q", results: [] }, (api) => api.rates(rateRequest)],
  [
    "POST",
    "/con_1/rates",
    rateRequest,
    { quoteId: "q", rates: [] },
    (api) => api.connectorRates("con_1", rateRequest),
  ],
  ["POST", "/con_1/shipments", booking, booked, (api) => api.createShipment("con_1", booking)],
  [
    "GET",
    "/shipments?limit=200&offset=0",
    undefined,
    { total: 1, limit: 200, offset: 0, shipments: [shipment] },
    (api) => api.listShipments({ limit: 200, offset: 0 }),
  ],
  [
    "GET",
    "/shipments",
    undefined,
    { total: 0, limit: 50, offset: 0, shipments: [] },
    (api) => api.listShipments(),
  ],
  ["GET", "/shipments/shp_1", undefined, { shipment: detail }, (api) => api.getShipment("shp_1")],
  [
    "GET",
    "/track?consignment=C+1%26carrier%3DX",
    undefined,
    { supported: true, tracking: null },
    (api) => api.track({ consignment: "C 1&carrier=X" }),
  ],
  [
    "GET",
    "/track?consignment=C1&carrier=CARRIER_B_AU",
    undefined,
    { supported: true },
    (api) => api.track({ consignment: "C1", carrier: "CARRIER_B_AU" }),
  ],
  [
    "POST",
    "/con_1/pickups",
    pickup,
    { status: "BOOKED" },
    (api) => api.createPickup("con_1", pickup),
    created,
  ],
  ["GET", "/pickups/pic_1", undefined, { pickup: { id: "pic_1" } }, (api) => api.getPickup("pic_1")],
  ["GET", "/print-devices", undefined, { devices: [device] }, (api) => api.listPrintDevices()],
  [
    "POST",
    "/shipments/shp_1/print",
    { deviceId: "dev_1" },
    { jobId: "job_1" },
    (api) => api.printLabel("shp_1", { deviceId: "dev_1" }),
  ],
]

describe("the freight API", () => {
  it.each(endpoints)("%s %s", async (method, url, body, reply, call, result = reply) => {
    const at = await server(json(reply, method === "POST" ? 201 : 200))
    expect(await call(client(at.url).api)).toEqual(result)
    expect(at.requests).toHaveLength(1)
    expect(at.requests[0]).toMatchObject({
      method,
      url,
      body: body === undefined ? "" : JSON.stringify(body),
    })
  })

  it("keeps the path of its base address", async () => {
    const { url, requests } = await server(json(connectors))
    await client(`${url}/freight/v1/`).api.listConnectors()
    expect(requests[0]?.url).toBe("/freight/v1/connectors")
  })

  it("takes an id as one segment, whatever is in it", async () => {
    const { url, requests } = await server(json({ message: "no" }, 404))
    await failure(client(url).api.getShipment("../connectors?x=1#y é"))
    expect(requests[0]?.url).toBe("/shipments/..%2Fconnectors%3Fx%3D1%23y%20%C3%A9")
  })

  it.each(["", ".", "..", "\ud800"])("refuses the id '%s' without sending it", async (id) => {
    const { url, requests } = await server(json({}))
    const { api } = client(url)
    const errors = await Promise.all(
      [
        api.getShipment(id),
        api.getLabel(id),
        api.getPickup(id),
        api.connectorRates(id, rateRequest),
        api.createShipment(id, booking),
        api.createPickup(id, pickup),
        api.printLabel(id, { deviceId: "dev_1" }),
      ].map(failure),
    )
    expect(new Set(errors.map(({ kind }) => kind))).toEqual(new Set(["usage"]))
    expect(requests).toHaveLength(0)
  })

  it.each([
    { limit: 0 },
    { limit: 201 },
    { limit: 1.5 },
    { limit: Number.NaN },
    { offset: -1 },
    { offset: 0.5 },
  ])("never asks for the page %j", async (page) => {
    const { url, requests } = await server(json({}))
    const error = await failure(client(url).api.listShipments(page))
    expect(error).toMatchObject({ kind: "usage", exitCode: 2 })
    expect(requests).toHaveLength(0)
  })

  it("never asks for an empty consignment number", async () => {
    const { url, requests } = await server(json({}))
    expect(await failure(client(url).api.track({ consignment: " " }))).toMatchObject({ kind: "usage" })
    expect(requests).toHaveLength(0)
  })

  it("takes any path that stays inside it", async () => {
    const { url, requests } = await server(json({ free: "form" }))
    const reply = await client(`${url}/v1`).api.request("GET", "/shipments?limit=5")
    expect(JSON.parse(Buffer.from(reply.body).toString())).toEqual({ free: "form" })
    expect(requests[0]?.url).toBe("/v1/shipments?limit=5")
  })

  it.each([
    "shipments",
    "/../v1x/admin",
    "/../admin",
    "/%2e%2e/admin",
    "/..\\admin",
    "/x#y",
    "",
    "@evil.example/",
  ])("refuses the path '%s'", async (path) => {
    const { url, requests } = await server(json({}))
    const error = await failure(client(`${url}/v1`).api.request("GET", path))
    expect(error).toMatchObject({ kind: "usage", exitCode: 2 })
    expect(requests).toHaveLength(0)
  })
})

describe("the direct print API", () => {
  it("GET /devices", async () => {
    const { url, requests } = await server(json({ devices: [device] }))
    const api = createDirectPrintApi(client(url, { api: "direct-print" }).transport)
    expect(await api.listDevices()).toEqual({ devices: [device] })
    expect(requests).toMatchObject([{ method: "GET", url: "/devices" }])
  })

  it("POST /print-jobs", async () => {
    const { url, requests } = await server(json({ jobId: "job_1", status: "DELIVERED" }, 201))
    const api = createDirectPrintApi(client(url, { api: "direct-print" }).transport)
    const job = { deviceId: "dev_1", pdfBase64: "JVBERi0=" }
    expect(await api.createPrintJob(job)).toEqual({ jobId: "job_1", status: "DELIVERED" })
    expect(requests).toMatchObject([{ method: "POST", url: "/print-jobs", body: JSON.stringify(job) }])
  })

  it("has an unknown outcome when a print job's reply is lost", async () => {
    const { url, requests } = await server(json({}, 502))
    const api = createDirectPrintApi(client(url, { api: "direct-print" }).transport)
    const error = await failure(api.createPrintJob({ deviceId: "dev_1", pdfBase64: "JVBERi0=" }))
    expect(error).toMatchObject({ kind: "outcomeUnknown", exitCode: 7 })
    expect(requests).toHaveLength(1)
  })

  it("takes any other request", async () => {
    const { url, requests } = await server(json({}, 200))
    await createDirectPrintApi(client(url, { api: "direct-print" }).transport).request("GET", "/devices")
    expect(requests).toMatchObject([{ method: "GET", url: "/devices" }])
  })
})
