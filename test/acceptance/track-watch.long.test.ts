import { describe, expect, it } from "vitest"
import type { TrackingResponse } from "../../src/contract/generated/types.ts"
import { booked } from "./bookings.ts"
import { desk } from "./freight.ts"
import { askedAt, fileSandbox, ownSandbox } from "./own-sandbox.ts"
import { running } from "./running.ts"
import { startSandboxProcess } from "./sandbox.ts"

const DAY = 86_400_000

type Named = TrackingResponse & { consignmentNumber: string }

const sandbox = await fileSandbox(startSandboxProcess)

describe("track --wait", () => {
  it("asks again until the carrier knows the consignment", async () => {
    const own = await ownSandbox()
    const { env } = await desk(own)
    const { consignmentNumber } = await booked(own, "connector-b")
    const { line, ended } = running(
      ["track", consignmentNumber ?? "", "--wait", "30", "--interval", "1", "--format", "ndjson"],
      env,
    )
    await askedAt(own, "GET /track", 1)
    await own.control("clock", { advanceMs: 5000 })
    const found = JSON.parse((await line()) ?? "") as Named
    expect(found.tracking?.currentStatus).toBe("Booked")
    expect((await ended).code).toBe(0)
  })

  it("exits 6 when the time runs out, and prints the API's answer anyway", async () => {
    const { freight } = await desk(sandbox)
    // Another carrier than its own never knows it.
    const never = ["track", "DEMO-B-MOVING", "--carrier", "CARRIER_A_AU"]
    const { code, items, stderr } = await freight([...never, "--wait", "1", "--interval", "1", "--json"])
    expect([code, items()]).toEqual([6, [expect.objectContaining({ supported: true, tracking: null })]])
    expect(JSON.parse(stderr).error).toMatchObject({ kind: "notReady", retry: "after" })
  })

  it("exits 0 where it is not given and there is nothing yet", async () => {
    const { freight } = await desk(sandbox)
    const { code, stdout } = await freight(["track", "DEMO-B-MOVING", "--carrier", "CARRIER_A_AU"])
    expect(code).toBe(0)
    expect(stdout).toContain("nothing yet")
  })
})

describe("track --watch", () => {
  it("prints each event once as it comes, until all are delivered", async () => {
    const own = await ownSandbox()
    const { env } = await desk(own)
    const { consignmentNumber = "" } = await booked(own, "connector-a")
    const { line, ended } = running(
      ["track", consignmentNumber ?? "", "--watch", "--interval", "1", "--format", "ndjson"],
      env,
    )
    const first = JSON.parse((await line()) ?? "")
    expect(first).toMatchObject({ consignmentNumber, status: "Booked" })
    await own.control("clock", { advanceMs: 30 * DAY })
    const rest: { status: string; pod?: object }[] = []
    for (let text = await line(); text !== undefined; text = await line()) rest.push(JSON.parse(text))
    expect(rest.map(({ status }) => status)).toEqual([
      "Collected",
      "In transit",
      "In transit",
      "Out for delivery",
      "Delivered",
    ])
    expect(rest.at(-1)?.pod).toMatchObject({ itemsReceived: "2" })
    expect((await ended).code).toBe(0)
  })

  it("prints a line for each event, oldest first, and where it ended", async () => {
    const { freight } = await desk(sandbox)
    const { code, stdout } = await freight(["track", "DEMO-A-DELIVERED", "--watch"])
    const lines = stdout.trimEnd().split("\n")
    expect(code).toBe(0)
    expect(lines[0]).toMatch(
      /^\w{3} \d+ \w{3} \d{4}, \d\d:\d\d {2}DEMO-A-DELIVERED {2}Booked {2}Alexandria {2}Consignment created$/,
    )
    expect(lines.at(-1)).toMatch(/^DEMO-A-DELIVERED: Delivered, .*signed by: HARBOUR SUPPLIES/)
    expect(lines).toHaveLength(7)
  })

  it("names one that is not found, watches the others, and exits 5", async () => {
    const { freight } = await desk(sandbox)
    const { code, stdout, stderr } = await freight(["track", "NOPE", "DEMO-B-DELIVERED", "--watch"])
    expect(code).toBe(5)
    expect(stdout).toContain("DEMO-B-DELIVERED: Delivered")
    expect(stderr).toContain("warning: NOPE")
  })

  it("ends after --wait with exit 6", async () => {
    const { freight } = await desk(sandbox)
    const args = ["track", "DEMO-A-MOVING", "--watch", "--wait", "1", "--interval", "1"]
    const { code, stderr } = await freight(args)
    expect([code, stderr]).toEqual([6, expect.stringContaining("DEMO-A-MOVING is not delivered after 1 s")])
  })

  it("ends with 130 on Ctrl-C", async () => {
    const { env } = await desk(sandbox)
    const { line, interrupt, ended } = running(["track", "DEMO-A-MOVING", "--watch"], env)
    await line()
    interrupt()
    expect((await ended).code).toBe(130)
  })

  it("goes on over a service that is out of reach for a while", async () => {
    const own = await ownSandbox()
    const { env } = await desk(own)
    const { consignmentNumber } = await booked(own, "connector-a")
    const args = ["track", consignmentNumber ?? "", "--watch", "--interval", "1", "--format", "ndjson"]
    const { line, ended } = running(args, env)
    await line()
    await own.control("faults", { fault: "garbage:x1@GET/track" })
    await askedAt(own, "GET /track", 3)
    await own.control("clock", { advanceMs: 30 * DAY })
    const { code, stderr } = await ended
    expect([code, stderr]).toEqual([0, expect.stringContaining("asking again later")])
  })
})

describe("track --new", () => {
  it("begins a watch with what is new", async () => {
    const { freight } = await desk(sandbox)
    const args = ["track", "DEMO-A-DELIVERED", "--watch", "--new", "--format", "ndjson"]
    expect((await freight(args)).stdout.trimEnd().split("\n")).toHaveLength(6)
    expect((await freight(args)).stdout).toBe("")
  })
})
