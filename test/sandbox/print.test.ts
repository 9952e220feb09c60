import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import {
  DirectPrintJobCreated,
  ErrorBody,
  PrintDeviceListResponse,
  PrintJobCreated,
} from "../../src/contract/generated/replies.js"
import { as, type Bench, SECOND, START, startBench } from "./harness.ts"

const PDF = Buffer.from("%PDF-1.4\nhello\n%%EOF\n")
const job = (changes: object = {}) => ({
  deviceId: "device-dispatch",
  pdfBase64: PDF.toString("base64"),
  ...changes,
})

describe("devices", () => {
  it("are the active ones of the tenant, in both APIs, with when they were last used", async () => {
    const { freight, print, sandbox, clock } = await startBench()
    clock.advance(5 * SECOND)
    await print("POST", "/print-jobs", job())
    const { body } = await freight("GET", "/print-devices")
    expect(as(PrintDeviceListResponse, body).devices.map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([
      ["device-dispatch", new Date(START + 5 * SECOND).toISOString()],
      ["device-bench", null],
    ])
    expect((await print("GET", "/devices")).body).toEqual(body)
    const second = await print("GET", "/devices", undefined, sandbox.keys.secondTenantDirectPrint)
    expect(second).toMatchObject({ status: 200, body: { devices: [{ id: "device-second" }] } })
  })
})

describe("GET /shipments/{id}/label", () => {
  const label = ({ freight }: Bench, id: string, key?: string) =>
    freight("GET", `/shipments/${id}/label`, undefined, key)

  it.each([
    ["connector-a", "76"],
    ["connector-b", "GEN"],
  ])("is a PDF as soon as %s has booked", async (connectorId, serviceCode) => {
    const bench = await startBench()
    const { status, headers, body } = await label(
      bench,
      (await bench.book(connectorId, { serviceCode })).shipmentId,
    )
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"])
    expect((body as Buffer).subarray(0, 5).toString()).toBe("%PDF-")
  })

  it("comes on carrier C after a while", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-c", { serviceCode: "STD" })
    bench.clock.advance(2.9 * SECOND)
    expect(await label(bench, shipmentId)).toMatchObject({
      status: 404,
      body: { code: "LABEL_NOT_AVAILABLE" },
    })
    bench.clock.advance(0.1 * SECOND)
    expect((await label(bench, shipmentId)).status).toBe(200)
  })

  it("is a 404 without that code for a shipment that is unknown or another tenant's", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    const key = bench.sandbox.keys.secondTenantFreight
    for (const answer of [await label(bench, "nothing"), await label(bench, shipmentId, key)]) {
      expect(answer.status).toBe(404)
      expect(as(ErrorBody, answer.body)).not.toHaveProperty("code")
    }
  })
})

describe("POST /shipments/{id}/print", () => {
  it("prints the label", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    const { status, body } = await bench.freight("POST", `/shipments/${shipmentId}/print`, {
      deviceId: "device-bench",
    })
    expect(status).toBe(201)
    const { jobId } = as(PrintJobCreated, body)
    const printed = readFileSync(path.join(bench.dir, "spool", "device-bench", `${jobId}.pdf`))
    expect(printed.subarray(0, 5).toString()).toBe("%PDF-")
  })

  it.each([
    ["an unknown device", "connector-a", { deviceId: "nothing" }, 404, "DEVICE_NOT_FOUND"],
    ["a revoked one", "connector-a", { deviceId: "device-retired" }, 404, "DEVICE_NOT_FOUND"],
    ["another tenant's", "connector-a", { deviceId: "device-second" }, 404, "DEVICE_NOT_FOUND"],
    ["an unknown shipment", undefined, { deviceId: "device-bench" }, 404, "SHIPMENT_NOT_FOUND"],
    ["no label yet", "connector-c", { deviceId: "device-bench" }, 404, "LABEL_NOT_AVAILABLE"],
    ["no device", "connector-a", {}, 400, "deviceId"],
    ["no direct print", "no-direct-print-a", { deviceId: "x" }, 403, "Direct print"],
  ])("with %s, on %s, is refused: %j is %d, %s", async (_what, connectorId, request, status, told) => {
    const bench = await startBench()
    const key = connectorId === "no-direct-print-a" ? bench.sandbox.keys.noDirectPrint : undefined
    const changes = connectorId === "connector-c" ? { serviceCode: "STD" } : {}
    const id = connectorId ? (await bench.book(connectorId, changes, key)).shipmentId : "nothing"
    const answer = await bench.freight("POST", `/shipments/${id}/print`, request, key)
    const { code, message, errors } = Object(answer.body)
    expect([answer.status, code ?? errors?.[0]?.field ?? message]).toEqual([
      status,
      expect.stringContaining(told),
    ])
  })

  it("is DEVICE_NOT_FOUND once the device is revoked, and works again when it is restored", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    for (const [revoked, status] of [
      [true, 404],
      [false, 201],
    ]) {
      await bench.control("POST", "/devices", { id: "device-bench", revoked })
      const asked = { deviceId: "device-bench" }
      expect((await bench.freight("POST", `/shipments/${shipmentId}/print`, asked)).status).toBe(status)
    }
  })
})

describe("POST /print-jobs", () => {
  it("delivers the PDF to the device's spool, byte for byte and nothing else, as often as it is sent", async () => {
    const { print, dir } = await startBench()
    const { status, body } = await print("POST", "/print-jobs", job())
    expect(status).toBe(201)
    const { jobId, status: jobStatus } = as(DirectPrintJobCreated, body)
    expect(jobStatus).toBe("DELIVERED")
    const spool = path.join(dir, "spool", "device-dispatch")
    expect(readdirSync(spool)).toEqual([`${jobId}.pdf`])
    expect(readFileSync(path.join(spool, `${jobId}.pdf`))).toEqual(PDF)
    expect((await print("POST", "/print-jobs", job())).body).not.toEqual(body)
  })

  const LONGEST = 9_000_000
  const ofLength = (length: number) => ({ pdfBase64: PDF.toString("base64").padEnd(length, "A") })

  it("takes 9,000,000 characters", async () => {
    const { print } = await startBench()
    expect((await print("POST", "/print-jobs", job(ofLength(LONGEST)))).status).toBe(201)
  })

  it.each<[string, object, string]>([
    ["no device", { deviceId: undefined }, "deviceId"],
    ["no PDF", { pdfBase64: undefined }, "pdfBase64"],
    ["text that is not base64", { pdfBase64: "%PDF-1.4" }, "pdfBase64"],
    ["base64 with a line break", { pdfBase64: `${PDF.toString("base64")}\n` }, "pdfBase64"],
    ["base64 that breaks off", { pdfBase64: PDF.toString("base64").slice(0, -1) }, "pdfBase64"],
    ["what is not a PDF", { pdfBase64: Buffer.from("hello").toString("base64") }, "pdfBase64"],
    ["more than 9,000,000 characters", ofLength(LONGEST + 4), "pdfBase64"],
    ["an unknown field", { copies: 2 }, "copies"],
  ])("is a 400 for %s", async (_, changes, field) => {
    const { print } = await startBench()
    const { status, body } = await print("POST", "/print-jobs", job(changes))
    expect(status).toBe(400)
    expect(as(ErrorBody, body).errors?.map((error) => error.field)).toEqual([field])
  })

  it.each(["nothing", "device-retired", "device-second"])("is DEVICE_NOT_FOUND for %s", async (deviceId) => {
    const { print } = await startBench()
    expect(await print("POST", "/print-jobs", job({ deviceId }))).toMatchObject({
      status: 404,
      body: { message: expect.any(String), code: "DEVICE_NOT_FOUND" },
    })
  })
})
