import { existsSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { ConnectorListResponse } from "../../src/contract/generated/replies.js"
import { FreightError } from "../../src/base/errors.ts"
import { resetSandbox, startSandbox } from "../../src/sandbox/server.ts"
import { as, type Bench, HOUR, startBench, temporaryDir, testClock } from "./harness.ts"

async function books({ control }: Bench) {
  return (await control("GET", "/books")).body
}

const job = { deviceId: "device-dispatch", pdfBase64: Buffer.from("%PDF-1.4").toString("base64") }

it("the sandbox never ends an idle connection, on which a client may be sending just then", async () => {
  const { sandbox } = await startBench()
  const reply = await fetch(`${sandbox.controlUrl}/books`)
  // A server that ends them tells after how long.
  expect([reply.status, reply.headers.get("keep-alive")]).toEqual([200, null])
})

describe("the books", () => {
  it("hold each shipment with its request and numbers, each print job, and a count of requests", async () => {
    const bench = await startBench()
    const booked = await bench.book("connector-a", { customerReference: "PO 7" })
    const { shipmentId: id, orderNumber, consignmentNumber } = booked
    await bench.book("connector-c", { serviceCode: "STD" })
    await bench.print("POST", "/print-jobs", job)
    await bench.freight("GET", "/shipments/x")
    await bench.freight("GET", "/nothing")
    expect(await books(bench)).toMatchObject({
      counts: { shipments: 2 },
      shipments: [
        { id, orderNumber, consignmentNumber, request: { customerReference: "PO 7" } },
        // Carrier C's, before anyone is told.
        { consignmentNumber: expect.any(String) },
      ],
      printJobs: [{ deviceId: "device-dispatch", api: "direct-print", bytes: 8 }],
      requests: { "POST /{connectorId}/shipments": 2, "GET /shipments/{id}": 1, unknown: 1 },
    })
    const { body } = await bench.control("GET", "/books?only=counts")
    expect(body).toMatchObject({ counts: { shipments: 2, pickups: 0, printJobs: 1 } })
    expect(body).not.toHaveProperty("shipments")
  })
})

describe("the clock", () => {
  it.each<[what: string, moves: object[], now: string]>([
    ["advanced", [{ advanceMs: HOUR }, { advanceMs: HOUR }], "2026-11-21T01:00:00.000Z"],
    ["set", [{ set: "2027-01-01T00:00:00Z" }], "2027-01-01T00:00:00.000Z"],
    ["turned back", [{ advanceMs: -HOUR }], "2026-11-20T22:00:00.000Z"],
  ])("can be %s: bookings are dated by it, also by the next server on the folder", async (_what, moves, now) => {
    const bench = await startBench()
    for (const move of moves) await bench.control("POST", "/clock", move)
    await bench.book("connector-a")
    expect(await books(bench)).toMatchObject({ shipments: [{ createdAt: now }] })
    const next = await startBench({ dir: bench.dir })
    expect((await next.control("GET", "/clock")).body).toEqual({ now })
  })

  it("that is turned back after a booking dates the next one earlier", async () => {
    const bench = await startBench()
    await bench.book("connector-a")
    await bench.control("POST", "/clock", { advanceMs: -HOUR })
    await bench.book("connector-a")
    expect(await books(bench)).toMatchObject({ shipments: [{}, { createdAt: "2026-11-20T22:00:00.000Z" }] })
  })
})

describe("the control path", () => {
  it("sets, lists and removes faults", async () => {
    const { control, freight } = await startBench()
    await control("POST", "/faults", { fault: "503" })
    expect((await control("GET", "/faults")).body).toEqual({ faults: ["503"] })
    expect((await freight("GET", "/connectors")).status).toBe(503)
    await control("DELETE", "/faults")
    expect((await freight("GET", "/connectors")).status).toBe(200)
  })

  it("revokes and restores keys", async () => {
    const { control, freight } = await startBench()
    for (const [revoked, status] of [
      [true, 401],
      [false, 200],
    ]) {
      await control("POST", "/keys", { name: "freight", revoked })
      expect((await freight("GET", "/connectors")).status).toBe(status)
    }
  })

  it("switches connectors off and on", async () => {
    const { control, freight } = await startBench()
    const ids = async () =>
      as(ConnectorListResponse, (await freight("GET", "/connectors")).body).connectors.map(({ id }) => id)
    await control("POST", "/connectors", { id: "connector-b", active: false })
    expect(await ids()).toEqual(["connector-a", "connector-c"])
    expect((await freight("POST", "/connector-b/rates", {})).status).toBe(404)
    await control("POST", "/connectors", { id: "connector-b", active: true })
    expect(await ids()).toEqual(["connector-a", "connector-b", "connector-c"])
  })

  it("tells the triggers, the faults and the demonstration consignments, and is a 404 for all else", async () => {
    const { control } = await startBench()
    expect((await control("GET", "/")).body).toMatchObject({
      triggers: { "sandbox:pickup-500": expect.any(String) },
      faults: { "drop-after-commit": expect.any(String) },
      demoConsignments: expect.arrayContaining(["DEMO-A-MOVING"]),
    })
    expect((await control("GET", "/nothing")).status).toBe(404)
  })

  it.each<[path: string, bodies: unknown[]]>([
    ["/clock", [{}, { set: "yesterday" }, { advanceMs: "1" }, "{"]],
    ["/faults", [{ fault: "explode" }, { fault: 7 }, {}]],
    ["/keys", [{ name: "spare", revoked: true }, { name: "freight" }]],
    ["/connectors", [{ id: "connector-x", active: false }, { id: "connector-a" }, { active: false }]],
    ["/listing", [{}, { delayMs: "1" }, { delayMs: -1 }]],
  ])("%s is a 400 for each of %j", async (path, bodies) => {
    const { control } = await startBench()
    for (const body of bodies) expect([body, (await control("POST", path, body)).status]).toEqual([body, 400])
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

  it("can be undone", async () => {
    const bench = await startBench()
    await bench.control("POST", "/listing", { delayMs: 1000 })
    await bench.book("connector-a")
    await bench.control("POST", "/listing", { delayMs: 0 })
    expect((await bench.freight("GET", "/shipments")).body).toMatchObject({ total: 2 })
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

  it("reaches a server that is running, which books again", async () => {
    const bench = await startBench()
    await bench.book("connector-a")
    await resetSandbox(bench.dir)
    expect(await books(bench)).toMatchObject({ shipments: [] })
    await bench.book("connector-a")
    expect(await books(bench)).toMatchObject({ counts: { shipments: 1 } })
  })

  it("is nothing for a folder that is not there", async () => {
    await expect(resetSandbox(path.join(temporaryDir(), "nothing"))).resolves.toBeUndefined()
  })
})

it.each(["port", "dir"] as const)("a server that cannot start says so: its %s", async (what) => {
  const { port } = (await startBench()).sandbox
  const dir = what === "dir" ? "/dev/null/sandbox" : temporaryDir()
  const options = { dir, clock: testClock(), ...(what === "port" && { port }) }
  const error = await startSandbox(options).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(FreightError)
  expect(error).toMatchObject(
    what === "port"
      ? { kind: "usage", message: expect.stringContaining(String(port)) }
      : { kind: "input", message: expect.stringContaining(dir) },
  )
})

it("serves both APIs as OpenAPI, with the addresses at which it serves them", async () => {
  const { sandbox } = await startBench()
  const reach = { freight: sandbox.freightBaseUrl, "direct-print": sandbox.directPrintBaseUrl }
  for (const [api, address] of Object.entries(reach)) {
    const reply = await fetch(`${sandbox.controlUrl}/openapi/${api}.yaml`)
    expect([reply.status, reply.headers.get("content-type")]).toEqual([
      200,
      "application/yaml; charset=utf-8",
    ])
    expect(parse(await reply.text()).servers[0].variables.baseUrl.default).toBe(address)
  }
  expect((await fetch(`${sandbox.controlUrl}/openapi/other.yaml`)).status).toBe(404)
})

it("closing the server breaks off requests that hang", async () => {
  const sandbox = await startSandbox({ dir: temporaryDir(), clock: testClock(), faults: ["hang"] })
  const hanging = fetch(`${sandbox.freightBaseUrl}/connectors`).catch((error: unknown) => error)
  const requests = async () => {
    const books = await fetch(`${sandbox.controlUrl}/books`)
    return ((await books.json()) as { requests: object }).requests
  }
  await expect.poll(requests).toEqual({ "GET /connectors": 1 })
  await sandbox.close()
  expect(await hanging).toBeInstanceOf(Error)
})
