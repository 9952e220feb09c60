import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import {
  DeviceListResponse,
  DirectPrintJobCreated,
  ErrorBody,
  PrintDeviceListResponse,
  PrintJobCreated,
  PrintNotFoundError,
} from "../../src/contract/generated/replies.js"
import { as, SECOND, START, startBench } from "./harness.ts"

const PDF = Buffer.from("%PDF-1.4\nhello\n%%EOF\n")
const job = (changes: object = {}) => ({
  deviceId: "device-dispatch",
  pdfBase64: PDF.toString("base64"),
  ...changes,
})

describe("GET /print-devices", () => {
  it("lists active devices, and none that is revoked", async () => {
    const { freight } = await startBench()
    const { body } = await freight("GET", "/print-devices")
    expect(as(PrintDeviceListResponse, body).devices.map(({ id }) => id)).toEqual([
      "device-dispatch",
      "device-bench",
    ])
  })

  it("gives the same as the direct print API", async () => {
    const { freight, print } = await startBench()
    const [one, other] = [await freight("GET", "/print-devices"), await print("GET", "/devices")]
    expect(other.body).toEqual(one.body)
  })

  it("shows when a device was last used", async () => {
    const bench = await startBench()
    bench.clock.advance(5 * SECOND)
    await bench.print("POST", "/print-jobs", job())
    const { devices } = as(PrintDeviceListResponse, (await bench.freight("GET", "/print-devices")).body)
    expect(devices.map(({ lastUsedAt }) => lastUsedAt)).toEqual([
      new Date(START + 5 * SECOND).toISOString(),
      null,
    ])
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
    ["unknown", "nothing"],
    ["revoked", "device-retired"],
    ["another tenant's", "device-second"],
  ])("is DEVICE_NOT_FOUND for a device that is %s", async (_, deviceId) => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    const { status, body } = await bench.freight("POST", `/shipments/${shipmentId}/print`, { deviceId })
    expect([status, as(PrintNotFoundError, body).code]).toEqual([404, "DEVICE_NOT_FOUND"])
  })

  it("is SHIPMENT_NOT_FOUND for an unknown shipment", async () => {
    const { freight } = await startBench()
    const { status, body } = await freight("POST", "/shipments/nothing/print", { deviceId: "device-bench" })
    expect([status, as(PrintNotFoundError, body).code]).toEqual([404, "SHIPMENT_NOT_FOUND"])
  })

  it("is LABEL_NOT_AVAILABLE while carrier C makes the label", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-c", { serviceCode: "STD" })
    const { status, body } = await bench.freight("POST", `/shipments/${shipmentId}/print`, {
      deviceId: "device-bench",
    })
    expect([status, as(PrintNotFoundError, body).code]).toEqual([404, "LABEL_NOT_AVAILABLE"])
  })

  it("is a 400 without a device", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    const { status, body } = await bench.freight("POST", `/shipments/${shipmentId}/print`, {})
    expect(status).toBe(400)
    expect(as(ErrorBody, body).errors?.map(({ field }) => field)).toEqual(["deviceId"])
  })

  it("is a 403 where direct print is not enabled", async () => {
    const bench = await startBench()
    const key = bench.sandbox.keys.noDirectPrint
    const { shipmentId } = await bench.book("no-direct-print-a", {}, key)
    const { status, body } = await bench.freight(
      "POST",
      `/shipments/${shipmentId}/print`,
      { deviceId: "x" },
      key,
    )
    expect(status).toBe(403)
    expect(as(ErrorBody, body).message).toContain("Direct print")
  })

  it("is DEVICE_NOT_FOUND once the device is revoked, and works again when it is restored", async () => {
    const bench = await startBench()
    const { shipmentId } = await bench.book("connector-a")
    const print = async () =>
      (await bench.freight("POST", `/shipments/${shipmentId}/print`, { deviceId: "device-bench" })).status
    await bench.control("POST", "/devices", { id: "device-bench", revoked: true })
    expect(await print()).toBe(404)
    await bench.control("POST", "/devices", { id: "device-bench", revoked: false })
    expect(await print()).toBe(201)
  })
})

describe("GET /devices", () => {
  it("lists the tenant's active devices", async () => {
    const { print, sandbox } = await startBench()
    const { status, body } = await print("GET", "/devices", undefined, sandbox.keys.secondTenantDirectPrint)
    expect(status).toBe(200)
    expect(as(DeviceListResponse, body).devices.map(({ id }) => id)).toEqual(["device-second"])
  })
})

describe("POST /print-jobs", () => {
  it("delivers the PDF to the device's spool, byte for byte", async () => {
    const { print, dir } = await startBench()
    const { status, body } = await print("POST", "/print-jobs", job())
    expect(status).toBe(201)
    const { jobId, status: jobStatus } = as(DirectPrintJobCreated, body)
    expect(jobStatus).toBe("DELIVERED")
    expect(readFileSync(path.join(dir, "spool", "device-dispatch", `${jobId}.pdf`))).toEqual(PDF)
  })

  it("leaves nothing but whole files in the spool", async () => {
    const { print, dir } = await startBench()
    await print("POST", "/print-jobs", job())
    expect(readdirSync(path.join(dir, "spool", "device-dispatch"))).toEqual([expect.stringMatching(/\.pdf$/)])
  })

  it("prints again what is sent again", async () => {
    const { print } = await startBench()
    const [one, other] = [
      await print("POST", "/print-jobs", job()),
      await print("POST", "/print-jobs", job()),
    ]
    expect(one.body).not.toEqual(other.body)
  })

  it.each<[string, object, string]>([
    ["no device", { deviceId: undefined }, "deviceId"],
    ["no PDF", { pdfBase64: undefined }, "pdfBase64"],
    ["text that is not base64", { pdfBase64: "%PDF-1.4" }, "pdfBase64"],
    ["base64 with a line break", { pdfBase64: `${PDF.toString("base64")}\n` }, "pdfBase64"],
    ["base64 that breaks off", { pdfBase64: PDF.toString("base64").slice(0, -1) }, "pdfBase64"],
    ["what is not a PDF", { pdfBase64: Buffer.from("hello").toString("base64") }, "pdfBase64"],
    ["an unknown field", { copies: 2 }, "copies"],
  ])("is a 400 for %s", async (_, changes, field) => {
    const { print } = await startBench()
    const { status, body } = await print("POST", "/print-jobs", job(changes))
    expect(status).toBe(400)
    expect(as(ErrorBody, body).errors?.map((error) => error.field)).toEqual([field])
  })

  const LONGEST = 9_000_000
  const ofLength = (length: number) => PDF.toString("base64").padEnd(length, "A")

  it("takes 9,000,000 characters", async () => {
    const { print } = await startBench()
    expect((await print("POST", "/print-jobs", job({ pdfBase64: ofLength(LONGEST) }))).status).toBe(201)
  })

  it("is a 400 for more than 9,000,000 characters", async () => {
    const { print } = await startBench()
    const { status, body } = await print("POST", "/print-jobs", job({ pdfBase64: ofLength(LONGEST + 4) }))
    expect(status).toBe(400)
    expect(as(ErrorBody, body).errors?.map(({ field }) => field)).toEqual(["pdfBase64"])
  })

  it.each([
    ["unknown", "nothing"],
    ["revoked", "device-retired"],
    ["another tenant's", "device-second"],
  ])("is DEVICE_NOT_FOUND for a device that is %s", async (_, deviceId) => {
    const { print } = await startBench()
    const { status, body } = await print("POST", "/print-jobs", job({ deviceId }))
    expect(status).toBe(404)
    expect(body).toEqual({ message: expect.any(String), code: "DEVICE_NOT_FOUND" })
  })
})
