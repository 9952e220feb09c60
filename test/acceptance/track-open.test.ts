/** All that was booked and is not delivered: what is asked for, what is new, and what a command is run for. */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { BookingResponse, TrackingResponse } from "../../src/contract/generated/types.ts"
import { bookingDesk } from "./bookings.ts"
import { errorIn } from "./freight.ts"
import { ownSandbox, requestsTo } from "./own-sandbox.ts"

type Change = TrackingResponse & {
  consignmentNumber: string
  shipmentId: string | null
  reference: string | null
}

const DAY = 86_400_000
/** Delivered by then, wherever it goes. */
const LATER = 12 * DAY

async function openDesk() {
  const sandbox = await ownSandbox()
  const made = await bookingDesk(sandbox)
  const book = async (reference: string, ...more: string[]) =>
    (
      await made.book("--connector", "connector-a", "--service", "76", "--reference", reference, ...more)
    ).json<BookingResponse>()
  const open = async (...more: string[]) => {
    const { code, json } = await made.freight(["track", "--open", "--now", "--json", ...more])
    expect(code).toBe(0)
    return json<{ items: Change[] }>().items
  }
  return { ...made, sandbox, book, open }
}

describe("track --open", () => {
  it("tracks all that is not delivered, and asks no more for what is", async () => {
    const { book, open, sandbox, freight } = await openDesk()
    const first = await book("PO-1")
    const second = await book("PO-2", "--again")
    expect((await open()).map(({ consignmentNumber }) => consignmentNumber)).toEqual([
      first.consignmentNumber,
      second.consignmentNumber,
    ])
    await sandbox.control("clock", { advanceMs: LATER })
    expect((await open()).every(({ tracking }) => tracking?.deliveredAt)).toBe(true)
    const before = await requestsTo(sandbox, "GET /track")
    expect(await open()).toEqual([])
    expect((await freight(["track", "--open"])).stderr).toBe("Nothing is on its way.\n")
    expect(await requestsTo(sandbox, "GET /track")).toBe(before)
  })

  it("has a line for each parcel at a terminal, with its reference", async () => {
    const { book, freight, sandbox } = await openDesk()
    const numbers = []
    for (const reference of ["PO-1", "PO-2"]) {
      const { consignmentNumber } = await book(reference, "--again")
      numbers.push(consignmentNumber)
    }
    await sandbox.control("clock", { advanceMs: 2 * DAY })
    const { stdout } = await freight(["track", "--open", "--now"], { columns: 120 })
    const [head, ...lines] = stdout.trimEnd().split("\n")
    expect(head).toMatch(/^REFERENCE +CONSIGNMENT +NOW$/)
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ["PO-1", numbers[0]],
      ["PO-2", numbers[1]],
    ])
    const piped = await freight(["track", "--open", "--now"])
    expect(piped.stdout).toContain("DESCRIPTION")
  })

  it("does not ask for what any workstation saw delivered, when it was named", async () => {
    const { book, open, sandbox, freight } = await openDesk()
    const { consignmentNumber } = await book("PO-1")
    await sandbox.control("clock", { advanceMs: LATER })
    await freight(["track", consignmentNumber ?? ""])
    expect(await open()).toEqual([])
  })

  it("asks for a number that the carrier had not given, and keeps it", async () => {
    const { book, open, sandbox, freight } = await openDesk()
    const { shipmentId } = await book("PO-1 sandbox:slow")
    expect(await open()).toEqual([
      { consignmentNumber: shipmentId, supported: true, tracking: null, freight: null },
    ])
    await sandbox.control("clock", { advanceMs: DAY })
    const [found] = await open()
    expect(found?.consignmentNumber).toMatch(/^SBA/)
    expect(found?.tracking).not.toBeNull()
    const [row] = (await freight(["history", "--json"])).items<{ consignmentNumber: string }>()
    expect(row?.consignmentNumber).toBe(found?.consignmentNumber)
  })

  it("asks no more often than every minute, unless --now says so", async () => {
    const { book, freight, sandbox } = await openDesk()
    await book("PO-1")
    const at = Date.now()
    const look = async (now: number, ...more: string[]) => {
      const before = Number(await requestsTo(sandbox, "GET /track"))
      const { json, stderr } = await freight(["track", "--open", "--json", ...more], { now })
      const asked = Number(await requestsTo(sandbox, "GET /track")) - before
      return { asked, shown: json<{ items: Change[] }>().items, isSaid: stderr.includes("--now asks again") }
    }
    const first = await look(at)
    expect(first).toMatchObject({ asked: 1, shown: [{ supported: true }], isSaid: false })
    expect(await look(at + 59_000)).toEqual({ ...first, asked: 0, isSaid: true })
    expect(await look(at + 59_000, "--carrier", "CARRIER_A_AU")).toMatchObject({ asked: 1, isSaid: false })
    expect(await look(at + 59_000, "--now")).toEqual(first)
    expect(await look(at + 100_000)).toMatchObject({ asked: 0, isSaid: true })
    expect(await look(at + 120_000)).toEqual(first)
  })

  it("keeps to the days of --since and to --carrier", async () => {
    const { book, open } = await openDesk()
    await book("PO-1")
    expect(await open("--since", "tomorrow")).toEqual([])
    expect(await open("--carrier", "CARRIER_B_AU")).toEqual([])
    expect(await open("--since", "1d", "--carrier", "CARRIER_A_AU")).toHaveLength(1)
  })

  it("tells with --new what changed since the last look, also what another desk saw delivered", async () => {
    const { book, open, sandbox, freight } = await openDesk()
    const { consignmentNumber = "" } = await book("PO-1")
    for (const more of [["--no-remember"], ["--no-remember"], []])
      expect((await open("--new", ...more))[0]?.tracking?.events).toHaveLength(1)
    expect(await open("--new")).toEqual([])
    expect((await freight(["track", "--open", "--new", "--now"])).stderr).toBe("Nothing new.\n")
    await sandbox.control("clock", { advanceMs: LATER })
    const elsewhere = { FREIGHT_STATE_DIR: path.join((await bookingDesk(sandbox)).folder, "other") }
    expect((await freight(["track", String(consignmentNumber)], { env: elsewhere })).code).toBe(0)
    const [change] = await open("--new")
    expect(change?.tracking?.events).toHaveLength(5)
    expect(await open("--new")).toEqual([])
  })

  it("shows a consignment with --no-remember, and it stays new", async () => {
    const { freight } = await openDesk()
    const events = async (...flags: string[]) =>
      (await freight(["track", "DEMO-A-DELIVERED", "--json", ...flags])).items<{
        tracking: { events: [] }
      }>()[0]?.tracking.events.length
    const all = await events("--no-remember")
    expect(all).toBeGreaterThan(0)
    expect([await events("--new"), await events("--new")]).toEqual([all, 0])
  })

  it.each([
    [["SBA00000001"], "name no consignments with it"],
    [["--since", "some day"], "--since: "],
    [["--exec", " "], "--exec is empty"],
  ])("refuses %j", async (words, says) => {
    const { freight } = await bookingDesk(await ownSandbox())
    const { code, stderr } = await freight(["track", "--open", ...words])
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  })

  it("says what failed, and shows the rest", async () => {
    const { book, freight, sandbox } = await openDesk()
    await book("PO-1")
    await book("PO-2", "--again")
    await sandbox.control("faults", { fault: "garbage:x1@GET/track" })
    const { code, json, stderr } = await freight(["track", "--open", "--json", "--new"])
    expect(code).toBe(6)
    expect(json<{ items: Change[] }>().items).toHaveLength(1)
    expect(errorIn(stderr).message).toContain("1 of 2 consignments failed")
    const again = await freight(["track", "--open", "--json", "--new"])
    expect(again.items<Change>()).toHaveLength(1)
  })
})

describe("track --exec", () => {
  it("runs the command once for each change, with the change on its standard input", async () => {
    const { book, binary, sandbox, folder } = await openDesk()
    const { shipmentId, consignmentNumber } = await book("PO-1")
    const look = () =>
      binary(["track", "--open", "--now", "--new", "--json", "--exec", "cat >> changes.ndjson; echo said"])
    const changes = async () =>
      (await readFile(path.join(folder, "changes.ndjson"), "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Change)
    const first = await look()
    expect(first.code).toBe(0)
    expect(first.items<Change>()).toHaveLength(1)
    expect(first.stderr).toBe("said\n")
    expect((await look()).stderr).not.toContain("said")
    await sandbox.control("clock", { advanceMs: LATER })
    await look()
    await look()
    const [booked, delivered, ...more] = await changes()
    expect(more).toEqual([])
    expect(booked).toMatchObject({
      consignmentNumber,
      shipmentId,
      reference: "PO-1",
      supported: true,
    })
    expect(booked?.tracking?.events).toHaveLength(1)
    expect(delivered?.tracking?.events).toHaveLength(5)
    expect(delivered?.tracking?.deliveredAt).toBeTruthy()
  })

  it("tells a failure with exit 8, and runs it again for that change, also once it is delivered", async () => {
    const { book, binary, sandbox, folder } = await openDesk()
    await book("PO-1")
    await sandbox.control("clock", { advanceMs: LATER })
    const failing = await binary(["track", "--open", "--json", "--exec", "exit 3"])
    expect(failing.code).toBe(8)
    expect(errorIn(failing.stderr).message).toBe("the command of --exec failed (exit code 3): exit 3")
    expect((await binary(["track", "--open", "--exec", "cat > change.json"])).code).toBe(0)
    expect(JSON.parse(await readFile(path.join(folder, "change.json"), "utf8"))).toMatchObject({
      reference: "PO-1",
    })
    await writeFile(path.join(folder, "change.json"), "none")
    expect((await binary(["track", "--open", "--exec", "cat > change.json"])).code).toBe(0)
    expect(await readFile(path.join(folder, "change.json"), "utf8")).toBe("none")
  })

  it("is not told of by what --new has shown, works for what is named, and does not need its input", async () => {
    const { book, binary, open } = await openDesk()
    const { consignmentNumber } = await book("PO-1")
    await open("--new")
    const { code, stderr } = await binary([
      "track",
      consignmentNumber ?? "",
      "DEMO-A-MOVING",
      "--exec",
      "echo ran",
    ])
    expect(code).toBe(0)
    expect(stderr.match(/ran/g)).toHaveLength(2)
  })

  it("gives the command no key that the person's environment has not", async () => {
    const { book, binary, env, freight } = await openDesk()
    await book("PO-1")
    await freight(["auth", "login", "--api-key-stdin"], { input: env.FREIGHT_API_KEY ?? "" })
    const { FREIGHT_API_KEY: key = "" } = env
    const ran = await binary(["track", "--open", "--exec", "env"], { env: { FREIGHT_API_KEY: "" } })
    expect(ran.stderr).toContain("FREIGHT_STATE_DIR=")
    expect(ran.stderr).not.toContain(key)
  })

  it("works with --watch", async () => {
    const { book, binary, sandbox } = await openDesk()
    await book("PO-1")
    await sandbox.control("clock", { advanceMs: LATER })
    const { code, stdout, stderr } = await binary(["track", "--open", "--watch", "--exec", "echo ran"])
    expect(code).toBe(0)
    expect(stdout.trim().split("\n")).toHaveLength(7)
    expect(stderr).toContain("ran")
  })
})
