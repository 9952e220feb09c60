import { describe, expect, it } from "vitest"
import type { BookingResponse, TrackingResponse } from "../../src/contract/generated/types.ts"
import { formatInstant } from "../../src/base/wall-clock.ts"
import { ownBooking } from "./bookings.ts"
import { desk } from "./freight.ts"
import { fileSandbox, ownSandbox, requestsTo } from "./own-sandbox.ts"

type Named = TrackingResponse & { consignmentNumber: string }

const sandbox = await fileSandbox()

describe("track", () => {
  it("prints a list for one consignment, too: its number, the API's own answer, and what the ledger knows", async () => {
    const { freight } = await desk(sandbox)
    const { code, json, items } = await freight(["track", "DEMO-A-DELIVERED", "--json"])
    expect(code).toBe(0)
    expect(json()).toMatchObject({ total: 1, nextOffset: null, warnings: [] })
    expect(items()).toEqual([
      {
        ...{ consignmentNumber: "DEMO-A-DELIVERED", supported: true, freight: null },
        tracking: expect.objectContaining({ currentStatus: "Delivered", events: expect.any(Array) }),
      },
    ])
  })

  it("shows an event's time by the clock of its place, of what was booked from here; else by this machine's", async () => {
    const { freight } = await desk(sandbox)
    const env = { TZ: "Australia/Darwin" }
    const example = ownBooking()
    const booked = await freight(["book", "--file", "-", "--wait", "--json"], {
      input: JSON.stringify({ ...example, serviceCode: "76" }),
    })
    const { consignmentNumber } = booked.json<BookingResponse>()
    for (const [consignment, zone, place] of [
      [consignmentNumber ?? "", "Australia/Sydney", " Alexandria"],
      ["DEMO-A-DELIVERED", "Australia/Darwin", ""],
    ] as const) {
      const [tracked] = (await freight(["track", consignment, "--json"])).items<Named>()
      const [event] = tracked?.tracking?.events ?? []
      const { stdout } = await freight(["track", consignment], { env })
      expect(stdout).toContain(`${formatInstant(event?.timestamp ?? "", zone)}${place}  ${event?.status} `)
    }
  })

  it("prints a list with their numbers for several, in the order in which they were given", async () => {
    const { freight } = await desk(sandbox)
    const names = ["DEMO-C-MOVING", "DEMO-A-DELIVERED", "DEMO-B-MOVING"]
    const { code, items } = await freight(["track", ...names, "--json"])
    expect(code).toBe(0)
    expect(items<Named>().map(({ consignmentNumber }) => consignmentNumber)).toEqual(names)
  })

  it("takes consignments from standard input: one a line, comments and blank lines skipped, each once", async () => {
    const { freight } = await desk(sandbox)
    const input = "consignmentNumber\n# today\r\n\n DEMO-B-MOVING \nDEMO-A-MOVING\nDEMO-B-MOVING\n"
    const { code, items } = await freight(["track", "-", "--json"], { input })
    expect(code).toBe(0)
    expect(items<Named>().map(({ consignmentNumber }) => consignmentNumber)).toEqual([
      "DEMO-B-MOVING",
      "DEMO-A-MOVING",
    ])
  })

  it("prints what was found, names what was not, and exits 5", async () => {
    const { freight } = await desk(sandbox)
    const { code, items, stderr } = await freight(["track", "NOPE-1", "DEMO-A-MOVING", "NOPE-2", "--json"])
    expect(code).toBe(5)
    expect(items<Named>().map(({ consignmentNumber }) => consignmentNumber)).toEqual(["DEMO-A-MOVING"])
    const { error } = JSON.parse(stderr)
    expect(error.errors.map(({ message }: { message: string }) => message.split(":")[0])).toEqual([
      "NOPE-1",
      "NOPE-2",
    ])
  })

  it("exits 5 for one that is not found, and prints nothing", async () => {
    const { freight } = await desk(sandbox)
    const { code, stdout, stderr } = await freight(["track", "NOPE"])
    expect([code, stdout]).toEqual([5, ""])
    expect(stderr).toContain("not found")
    expect(stderr).toContain('there is no consignment or shipment "NOPE"')
    expect(stderr).toContain("next: freight shipments list")
    const ofJson = await freight(["track", "NOPE", "--json"])
    expect([ofJson.code, ofJson.stdout]).toEqual([5, ""])
  })

  it("exits 6 when one of several could not be asked, and prints the others", async () => {
    const own = await ownSandbox()
    const { freight } = await desk(own)
    await own.control("faults", { fault: "garbage:x1@GET/track" })
    const { code, json } = await freight(["track", "DEMO-A-MOVING", "DEMO-B-MOVING", "--json"])
    expect(code).toBe(6)
    expect(json<{ items: Named[] }>().items).toHaveLength(1)
  })

  it.each([
    ["a number that a spreadsheet shortened", "DEMO-A-MOVING\n1.2E+12\n", "1.2E+12"],
    ["a number that became a decimal", "4200123.0\nDEMO-A-MOVING\n", "4200123.0"],
    ["nothing", "\n# none\n", "no consignment number"],
    ["a heading alone", "consignmentNumber\n", "no consignment number"],
    ["another encoding", Buffer.from("\ufeffDEMO-A-MOVING\n", "utf16le").swap16(), "UTF-16"],
    ["a line of control characters", "DEMO\u0007\nDEMO-A-MOVING\n", "is not a consignment number"],
  ])("refuses %s on standard input before anything is sent", async (_, input, words) => {
    const { freight } = await desk(sandbox)
    const before = await requestsTo(sandbox, "GET /track")
    const { code, stdout, stderr } = await freight(["track", "-"], { input })
    expect([code, stdout, await requestsTo(sandbox, "GET /track")]).toEqual([2, "", before])
    expect(stderr).toContain(words)
    expect(stderr).not.toContain("\u0007")
  })

  it.each([
    [["track", "A", "--interval", "5"], "--wait or --watch"],
    [["track", "A", "--wait", "10"], "--interval"],
    [["track", "A", "--wait", "--interval", "0.5"], "from 1"],
    [["track", "A", "--watch", "--fields", "stauts"], 'no field "stauts"'],
    [["track", "A", "--carrier", "CARRIER_D_AU"], "CARRIER_A_AU"],
    [["track", ""], "is empty"],
    [["track"], "consignment"],
  ])("refuses %j", async (args, words) => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })

  it("shows proof of delivery in the table", async () => {
    const { freight } = await desk(sandbox)
    const { stdout } = await freight(["track", "DEMO-A-DELIVERED"])
    expect(stdout).toMatch(/^Signed by +HARBOUR SUPPLIES$/m)
    expect(stdout).toMatch(/^Signature +https:/m)
  })

  it("lists events with proof of delivery as CSV", async () => {
    const { freight } = await desk(sandbox)
    const { stdout } = await freight(["track", "DEMO-A-DELIVERED", "--format", "csv"])
    const [head, first] = stdout.split("\n")
    expect(head).toMatch(/^consignment,timestamp,status,location,description,.*pod\.signedBy/)
    expect(first).toContain("HARBOUR SUPPLIES")
  })

  it("lets no control characters of a carrier through", async () => {
    const own = await ownSandbox()
    const { freight } = await desk(own)
    await own.control("faults", { fault: "escape@GET/track" })
    const { code, stdout } = await freight(["track", "DEMO-A-DELIVERED"])
    expect(code).toBe(0)
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
  })
})
