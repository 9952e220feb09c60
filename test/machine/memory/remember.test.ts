import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { openSeen, rememberMade, type Seen } from "../../../src/machine/memory/seen.ts"
import type { Entry } from "../../../src/ledger/entry.ts"
import { entry as sample } from "../../ledger/samples.ts"

async function memory(): Promise<{ seen: Seen; folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "freight-seen-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return { seen: openSeen(folder), folder }
}

function entry(kind: Entry["kind"], response: unknown): Entry {
  const facts = { reference: "PO-1", about: "2 packages to Fittings" }
  return sample({ kind, state: "done", sentAt: "2026-11-21T09:00:00.000Z", facts, response })
}

const SHIPMENT = { id: "s1", at: "2026-11-21T09:00:00.000Z", about: "PO-1, 2 packages to Fittings" }

describe("what was made", () => {
  it("is remembered, a booking with its consignment", async () => {
    const { seen } = await memory()
    await rememberMade(seen, [entry("shipment", { shipmentId: "s1", consignmentNumber: "CON1" })])
    expect(await seen.list("shipments")).toEqual([{ ...SHIPMENT, consignment: "CON1" }])
  })

  it("is remembered without a consignment that the carrier has not given yet", async () => {
    const { seen } = await memory()
    await rememberMade(seen, [entry("shipment", { shipmentId: "s1", consignmentNumber: null })])
    expect(await seen.list("shipments")).toEqual([SHIPMENT])
  })

  it("is remembered when it is a pickup", async () => {
    const { seen } = await memory()
    await rememberMade(seen, [entry("pickup", { pickupBookingId: "p1" })])
    expect(await seen.list("pickups")).toEqual([{ ...SHIPMENT, id: "p1" }])
  })

  it.each([
    ["label-print", { jobId: "j" }] as const,
    ["shipment", undefined] as const,
    ["pickup", null] as const,
  ])("is nothing to remember of a %s that answered %s", async (kind, response) => {
    const { seen } = await memory()
    await rememberMade(seen, [entry(kind, response)])
    expect([await seen.list("shipments"), await seen.list("pickups")]).toEqual([[], []])
  })

  it("never fails, also where nothing can be kept", async () => {
    const { folder } = await memory()
    await writeFile(path.join(folder, "file"), "")
    const seen = openSeen(path.join(folder, "file", "seen"))
    await expect(rememberMade(seen, [entry("pickup", { pickupBookingId: "p1" })])).resolves.toBeUndefined()
  })
})

describe("what was seen", () => {
  it("takes a consignment that comes later, and keeps it with what was said of it first", async () => {
    const { seen } = await memory()
    await seen.keepSeen("shipments", [SHIPMENT])
    await seen.keepSeen("shipments", [{ ...SHIPMENT, about: "ORD-7", consignment: "CON1" }])
    await seen.keepSeen("shipments", [SHIPMENT])
    expect(await seen.list("shipments")).toEqual([{ ...SHIPMENT, consignment: "CON1" }])
  })

  it("keeps the newest hundred, in whatever order they come", async () => {
    const { seen } = await memory()
    const page = (from: number) =>
      Array.from({ length: 80 }, (_, n) => ({
        id: `s${from + n}`,
        at: new Date((from + n) * 1000).toISOString(),
        about: "",
      }))
    await seen.keepSeen("shipments", page(80))
    await seen.keepSeen("shipments", page(0))
    const kept = (await seen.list("shipments")).map(({ id }) => id)
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([100, "s159", "s60"])
  })
})
