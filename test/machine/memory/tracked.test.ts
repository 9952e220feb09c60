import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { TrackingEvent } from "../../../src/contract/generated/types.ts"
import { markOf, marksOf, openTracked } from "../../../src/machine/memory/tracked.ts"

const BOOKED: TrackingEvent = { timestamp: "2026-11-20T00:00:00Z", status: "Booked" }
const COLLECTED: TrackingEvent = { timestamp: "2026-11-21T00:00:00Z", status: "Collected" }

const folder = () => mkdtemp(path.join(tmpdir(), "freight-tracked-"))

describe("tracked events", () => {
  it("are unknown at first, remembered by the next command, and belong to their consignment", async () => {
    const dir = await folder()
    expect(await openTracked(dir).shown("A1")).toEqual(new Set())
    await openTracked(dir).keep("A1", [markOf(BOOKED)])
    await openTracked(dir).keep("A1", [COLLECTED, BOOKED].map(markOf))
    expect(await openTracked(dir).shown("A1")).toEqual(new Set([BOOKED, COLLECTED].map(markOf)))
    expect(await openTracked(dir).shown("A2")).toEqual(new Set())
    const [name = "", ...others] = await readdir(dir)
    expect(others).toEqual([])
    // A person can read it.
    expect(JSON.parse(await readFile(path.join(dir, name), "utf8"))).toMatchObject({ consignment: "A1" })
  })

  it("stay in their folder whatever the consignment is called", async () => {
    const dir = await folder()
    const hostile = "../../evil\u0000/CON"
    await openTracked(dir).keep(hostile, [markOf(BOOKED)])
    expect(await openTracked(dir).shown(hostile)).toEqual(new Set([markOf(BOOKED)]))
    expect(await readdir(dir)).toHaveLength(1)
  })

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{"shown": 7}',
    '{"shown": [1, null]}',
  ])("are forgotten when their file holds %j", async (text) => {
    const dir = await folder()
    const tracked = openTracked(dir)
    await tracked.keep("A1", [markOf(BOOKED)])
    const [name = ""] = await readdir(dir)
    await writeFile(path.join(dir, name), text)
    expect(await tracked.shown("A1")).toEqual(new Set())
  })

  it("keep to a bound for each consignment, the newest first", async () => {
    const tracked = openTracked(await folder())
    const events = Array.from({ length: 900 }, (_, at) => ({ ...BOOKED, description: `event ${at}` }))
    await tracked.keep("A1", events.map(markOf))
    const shown = await tracked.shown("A1")
    expect(shown.size).toBe(500)
    expect(events[0] && shown.has(markOf(events[0]))).toBe(true)
  })

  it("are lost, and nothing else, when the folder cannot be written", async () => {
    const file = path.join(await folder(), "file")
    await writeFile(file, "")
    const tracked = openTracked(path.join(file, "below"))
    await tracked.keep("A1", [markOf(BOOKED)])
    expect(await tracked.shown("A1")).toEqual(new Set())
  })

  it("forget the oldest consignments when there are too many", async () => {
    const dir = await folder()
    for (let at = 0; at < 5500; at++) await writeFile(path.join(dir, `old-${at}.json`), "{}")
    await openTracked(dir).keep("A1", [markOf(BOOKED)])
    expect(await readdir(dir)).toHaveLength(5000)
    expect(await openTracked(dir).shown("A1")).toEqual(new Set([markOf(BOOKED)]))
  })
})

describe("marksOf", () => {
  it.each([
    [{ eta: "2026-11-24" }],
    [{ currentStatus: "Delivered" }],
    [{ deliveredAt: "2026-11-24T00:00:00Z" }],
  ])("tells where a consignment stands from before: %j", (change) => {
    const before = { currentStatus: "Moving", eta: "2026-11-23", events: [BOOKED] }
    const after = { ...before, ...change }
    expect(marksOf(after)[0]).toBe(marksOf(before)[0])
    expect(marksOf(after)[1]).not.toBe(marksOf(before)[1])
  })

  it("does not tell words about the proof of delivery apart", () => {
    const tracking = { currentStatus: "Moving", events: [] }
    expect(marksOf({ ...tracking, eta: null, pod: { signedBy: "JO" } })).toEqual(marksOf(tracking))
  })
})

describe("markOf", () => {
  it("takes an absent location and a null one for the same", () => {
    expect(markOf({ ...BOOKED, location: null })).toBe(markOf(BOOKED))
  })

  it.each([
    [{ timestamp: "2026-11-20T00:00:01Z" }],
    [{ status: "booked" }],
    [{ location: "Sydney" }],
    [{ description: "at the depot" }],
  ])("tells an event with %j from one without", (change) => {
    expect(markOf({ ...BOOKED, ...change })).not.toBe(markOf(BOOKED))
  })
})
