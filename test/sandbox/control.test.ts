import { existsSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { ConnectorListResponse } from "../../src/contract/generated/replies.js"
import { FreightError } from "../../src/errors.ts"
import { resetSandbox, startSandbox } from "../../src/sandbox/server.ts"
import { as, type Bench, HOUR, startBench, temporaryDir, testClock } from "./harness.ts"

async function books({ control }: Bench) {
  return (await control("GET", "/books")).body
}

const job = { deviceId: "device-dispatch", pdfBase64: Buffer.from("%PDF-1.4").toString("base64") }

describe("the books", () => {
  it("hold every shipment with its request and its numbers", async () => {
    const bench = await startBench()
    const { shipmentId, orderNumber, consignmentNumber } = await bench.book("connector-a", {
      customerReference: "PO 7",
    })
    expect(await books(bench)).toMatchObject({
      counts: { shipments: 1 },
      shipments: [{ id: shipmentId, orderNumber, consignmentNumber, request: { customerReference: "PO 7" } }],
    })
  })

  it("know carrier C's number before anyone is told", async () => {
    const bench = await startBench()
    await bench.book("connector-c", { serviceCode: "STD" })
    expect(await books(bench)).toMatchObject({ shipments: [{ consignmentNumber: expect.any(String) }] })
  })

  it("hold every print job", async () => {
    const bench = await startBench()
    await bench.print("POST", "/print-jobs", job)
    expect(await books(bench)).toMatchObject({
      printJobs: [{ deviceId: "device-dispatch", api: "direct-print", bytes: 8 }],
    })
  })

  it("count the requests to each endpoint", async () => {
    const bench = await startBench()
    await bench.book("connector-a")
    await bench.book("connector-b", { serviceCode: "GEN" })
    await bench.freight("GET", "/shipments/x")
    await bench.freight("GET", "/nothing")
    expect(await books(bench)).toMatchObject({
      requests: { "POST /{connectorId}/shipments": 2, "GET /shipments/{id}": 1, unknown: 1 },
    })
  })

  it("can be had as counts alone", async () => {
    const { control } = await startBench()
    const { body } = await control("GET", "/books?only=counts")
    expect(body).toMatchObject({ counts: { shipments: 0, pickups: 0, printJobs: 0 } })
    expect(body).not.toHaveProperty("shipments")
  })
})

describe("the clock", () => {
  it("can be advanced", async () => {
    const { control } = await startBench()
    await control("POST", "/clock", { advanceMs: HOUR })
    await control("POST", "/clock", { advanceMs: HOUR })
    expect((await control("GET", "/clock")).body).toEqual({ now: "2026-11-21T01:00:00.000Z" })
  })

  it("can be set", async () => {
    const { control } = await startBench()
    expect((await control("POST", "/clock", { set: "2027-01-01T00:00:00Z" })).body).toEqual({
      now: "2027-01-01T00:00:00.000Z",
    })
  })

  it("is what bookings are dated by", async () => {
    const bench = await startBench()
    await bench.control("POST", "/clock", { set: "2027-01-01T00:00:00Z" })
    await bench.book("connector-a")
    expect(await books(bench)).toMatchObject({ shipments: [{ createdAt: "2027-01-01T00:00:00.000Z" }] })
  })

  it("can be turned back", async () => {
    const bench = await startBench()
    await bench.book("connector-a")
    await bench.control("POST", "/clock", { advanceMs: -HOUR })
    await bench.book("connector-a")
    expect(await books(bench)).toMatchObject({ shipments: [{}, { createdAt: "2026-11-20T22:00:00.000Z" }] })
  })

  it.each([{}, { set: "yesterday" }, { advanceMs: "1" }])("is not moved by %j", async (body) => {
    const { control } = await startBench()
    expect((await control("POST", "/clock", body)).status).toBe(400)
  })

  it("stays moved for the next server on the folder", async () => {
    const dir = temporaryDir()
    const first = await startBench({ dir })
    await first.control("POST", "/clock", { advanceMs: HOUR })
    const next = await startBench({ dir })
    expect((await next.control("GET", "/clock")).body).toEqual({ now: "2026-11-21T00:00:00.000Z" })
  })
})

describe("faults on the control path", () => {
  it("can be set, listed and removed", async () => {
    const { control, freight } = await startBench()
    await control("POST", "/faults", { fault: "503" })
    expect((await control("GET", "/faults")).body).toEqual({ faults: ["503"] })
    expect((await freight("GET", "/connectors")).status).toBe(503)
    await control("DELETE", "/faults")
    expect((await freight("GET", "/connectors")).status).toBe(200)
  })

  it.each([{ fault: "explode" }, { fault: 7 }, {}])("are a 400 when they are none: %j", async (body) => {
    const { control } = await startBench()
    expect((await control("POST", "/faults", body)).status).toBe(400)
  })
})

describe("keys on the control path", () => {
  it("can be revoked and restored", async () => {
    const { control, freight } = await startBench()
    const status = async () => (await freight("GET", "/connectors")).status
    await control("POST", "/keys", { name: "freight", revoked: true })
    expect(await status()).toBe(401)
    await control("POST", "/keys", { name: "freight", revoked: false })
    expect(await status()).toBe(200)
  })

  it("are a 400 when there is none of that name", async () => {
    const { control } = await startBench()
    expect((await control("POST", "/keys", { name: "spare", revoked: true })).status).toBe(400)
  })

  it("are a 400 when it is not said what becomes of them", async () => {
    const { control } = await startBench()
    expect((await control("POST", "/keys", { name: "freight" })).status).toBe(400)
  })
})

describe("connectors on the control path", () => {
  it("can be switched off and on", async () => {
    const { control, freight } = await startBench()
    const ids = async () =>
      as(ConnectorListResponse, (await freight("GET", "/connectors")).body).connectors.map(({ id }) => id)
    await control("POST", "/connectors", { id: "connector-b", active: false })
    expect(await ids()).toEqual(["connector-a", "connector-c"])
    expect((await freight("POST", "/connector-b/rates", {})).status).toBe(404)
    await control("POST", "/connectors", { id: "connector-b", active: true })
    expect(await ids()).toEqual(["connector-a", "connector-b", "connector-c"])
  })

  it.each([
    { id: "connector-x", active: false },
    { id: "connector-a" },
    { active: false },
  ])("are a 400 for %j", async (body) => {
    const { control } = await startBench()
    expect((await control("POST", "/connectors", body)).status).toBe(400)
  })
})

describe("a delay of the listing", () => {
  it("hides new shipments for so long, in both reads", async () => {
    const bench = await startBench()
    await bench.control("POST", "/listing", { delayMs: 1000 })
    const { shipmentId } = await bench.book("connector-a")
    const reads = async () => [
      (await bench.freight("GET", "/shipments")).body,
      (await bench.freight("GET", `/shipments/${shipmentId}`)).status,
    ]
    bench.clock.advance(999)
    expect(await reads()).toMatchObject([{ total: 1, shipments: [{ id: "demo-shipment" }] }, 404])
    bench.clock.advance(1)
    expect(await reads()).toMatchObject([{ total: 2, shipments: [{ id: shipmentId }, {}] }, 200])
  })

  it("can be taken back", async () => {
    const bench = await startBench()
    await bench.control("POST", "/listing", { delayMs: 1000 })
    await bench.book("connector-a")
    await bench.control("POST", "/listing", { delayMs: 0 })
    expect((await bench.freight("GET", "/shipments")).body).toMatchObject({ total: 2 })
  })

  it.each([{}, { delayMs: "1" }, { delayMs: -1 }])("is a 400 for %j", async (body) => {
    const { control } = await startBench()
    expect((await control("POST", "/listing", body)).status).toBe(400)
  })
})

describe("the control path", () => {
  it("tells the triggers, the faults and the demonstration consignments", async () => {
    const { control } = await startBench()
    expect((await control("GET", "/")).body).toMatchObject({
      triggers: { "sandbox:pickup-500": expect.any(String) },
      faults: { "drop-after-commit": expect.any(String) },
      demoConsignments: expect.arrayContaining(["DEMO-A-MOVING"]),
    })
  })

  it("is a 404 for what it does not have", async () => {
    const { control } = await startBench()
    expect((await control("GET", "/nothing")).status).toBe(404)
  })

  it("is a 400 for what is not JSON", async () => {
    const { control } = await startBench()
    expect((await control("POST", "/clock", "{")).status).toBe(400)
  })
})

describe("a reset", () => {
  it("forgets bookings, time and print jobs", async () => {
    const bench = await startBench()
    await bench.book("connector-a")
    await bench.print("POST", "/print-jobs", job)
    await bench.control("POST", "/clock", { advanceMs: HOUR })
    await bench.control("POST", "/reset")
    expect(await books(bench)).toMatchObject({
      now: "2026-11-20T23:00:00.000Z",
      counts: { shipments: 0, pickups: 0, printJobs: 0 },
    })
    expect(existsSync(path.join(bench.dir, "spool"))).toBe(false)
  })

  it("reaches a server that is running", async () => {
    const bench = await startBench()
    await bench.book("connector-a")
    await resetSandbox(bench.dir)
    expect(await books(bench)).toMatchObject({ shipments: [] })
  })

  it("lets the server book again", async () => {
    const bench = await startBench()
    await bench.book("connector-a")
    await resetSandbox(bench.dir)
    await bench.book("connector-a")
    expect(await books(bench)).toMatchObject({ counts: { shipments: 1 } })
  })

  it("is nothing for a folder that is not there", async () => {
    await expect(resetSandbox(path.join(temporaryDir(), "nothing"))).resolves.toBeUndefined()
  })
})

describe("a server that cannot start", () => {
  it("says that the port is taken", async () => {
    const { sandbox } = await startBench()
    const error = await startSandbox({ dir: temporaryDir(), clock: testClock(), port: sandbox.port }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(FreightError)
    expect(error).toMatchObject({ kind: "usage", message: expect.stringContaining(String(sandbox.port)) })
  })

  it("says that the folder cannot be written", async () => {
    const error = await startSandbox({ dir: "/dev/null/sandbox", clock: testClock() }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(FreightError)
    expect(error).toMatchObject({ kind: "input", message: expect.stringContaining("/dev/null/sandbox") })
  })
})

describe("a server that closes", () => {
  it("breaks what hangs", async () => {
    const sandbox = await startSandbox({ dir: temporaryDir(), clock: testClock(), faults: ["hang"] })
    const hanging = fetch(`${sandbox.freightBaseUrl}/connectors`).catch((error: unknown) => error)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await sandbox.close()
    expect(await hanging).toBeInstanceOf(Error)
  })
})
