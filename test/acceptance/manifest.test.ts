import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import type { ShipmentDetail } from "../../src/contract/generated/types.ts"
import { textsOn } from "../orders/manifest/samples.ts"
import { booked } from "./bookings.ts"
import { desk } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"
import { fileSandbox, ownSandbox, requestsTo } from "./own-sandbox.ts"
import { atTerminal, hasTerminal } from "./pty.ts"

/** Two business days ahead, so that every booking below is for a day to come. */
const DAY = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
const ANOTHER = new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10)
const ready = { collectionDateTime: `${DAY}T10:00:00` }

const sandbox = await fileSandbox()
beforeAll(async () => {
  await booked(sandbox, "connector-b", { ...ready, customerReference: "B-1" })
  await booked(sandbox, "connector-a", { ...ready, customerReference: "A-1" })
  await booked(sandbox, "connector-a", { ...ready, customerReference: "=A-2" })
  await booked(sandbox, "connector-a", {
    collectionDateTime: `${ANOTHER}T10:00:00`,
    customerReference: "A-3",
  })
  await booked(sandbox, "connector-a", { ...ready, customerReference: "sandbox:cancelled" })
})

async function references(args: readonly string[], of = sandbox) {
  const { freight } = await desk(of)
  const { code, json } = await freight(["manifest", ...args, "--json"])
  expect(code).toBe(0)
  return json<{ items: ShipmentDetail[] }>().items.map(({ customerReference }) => customerReference)
}

describe("manifest", () => {
  it("lists what is collected on the day by carrier, without cancelled ones", async () => {
    expect(await references(["--date", DAY])).toEqual(["A-1", "=A-2", "B-1"])
  })

  it("leaves out what its carrier has cancelled on the phone, by its day and by its name", async () => {
    const own = await ownSandbox()
    const { freight, folder } = await desk(own)
    const rows = ["SO-1", "SO-2"].map((reference) => order(reference, ready))
    await saveOrders(folder, rows)
    expect((await freight(["batch", "book", "orders.csv"])).code).toBe(0)
    expect((await freight(["cancel", "SO-1", "--confirmed", "Kim"])).code).toBe(0)
    const named = ["SO-1", "SO-2"]
    for (const which of [["--date", DAY], named]) {
      const { json } = await freight(["manifest", ...which, "--json"])
      expect(
        json<{ items: ShipmentDetail[] }>().items.map(({ customerReference }) => customerReference),
      ).toEqual(["SO-2"])
      const page = await freight(["manifest", ...which, "--force", "-o", "manifest.pdf", "--json"])
      expect(page.json()).toMatchObject({ consignments: 1 })
    }
    expect((await freight(["cancel", "SO-1", "--undo", "--why", "Kim rang back"])).code).toBe(0)
    expect((await freight(["manifest", "--date", DAY, "--json"])).items<unknown>()).toHaveLength(2)
  })

  it("leaves out what is brought to its carrier, but where it is named", async () => {
    const own = await ownSandbox()
    const { freight, folder } = await desk(own)
    await saveOrders(folder, [order("SO-1", { ...ready, dropOff: "yes" }), order("SO-2", ready)])
    expect((await freight(["batch", "book", "orders.csv"])).code).toBe(0)
    const day = await freight(["manifest", "--date", DAY, "--json"])
    expect(day.items<ShipmentDetail>().map(({ customerReference }) => customerReference)).toEqual(["SO-2"])
    expect((await freight(["manifest", "SO-1", "--json"])).items<unknown>()).toHaveLength(1)
    // Somebody had a driver come for it after all.
    expect((await freight(["pickup", "book", "SO-1"])).code).toBe(0)
    expect((await freight(["manifest", "--date", DAY, "--json"])).items<unknown>()).toHaveLength(2)
  })

  it("lists another day", async () => {
    expect(await references(["--date", ANOTHER])).toEqual(["A-3"])
    const written = new Date(ANOTHER).toLocaleDateString("en-AU", { dateStyle: "long", timeZone: "UTC" })
    expect(await references(["--date", written])).toEqual(["A-3"])
  })

  it("lists today where no day is given", async () => {
    const own = await ownSandbox()
    const today = new Date().toLocaleDateString("sv", { timeZone: "Australia/Sydney" })
    await booked(own, "connector-a", { collectionDateTime: `${today}T10:00:00`, customerReference: "T-1" })
    expect(await references([], own)).toEqual(["T-1"])
    expect(await references(["--date", "today"], own)).toEqual(["T-1"])
    expect(await references(["--date", "tomorrow"], own)).toEqual([])
  })

  it("is a table with its sums below", async () => {
    const { freight } = await desk(sandbox)
    const { stdout, stderr } = await freight(["manifest", "--date", DAY])
    expect(stdout).toMatch(
      /^A-1 +SBA\d+ +Port Street Fittings +2 +11 +Fremantle +WA +6160 +CARRIER_A_AU +- +76/m,
    )
    expect(stderr).toContain("3 consignments, 6 pieces, 33 kg")
  })

  it("is CSV that a spreadsheet runs nothing from", async () => {
    const { freight } = await desk(sandbox)
    const { stdout } = await freight(["manifest", "--date", DAY, "--format", "csv"])
    const [head, , second] = stdout.split("\n")
    expect(head).toMatch(/^carrier,consignmentNumber,customerReference,receiver\.companyName,/)
    expect(second).toContain(",'=A-2,")
  })

  it.each([
    ["a carrier", ["--carrier", "CARRIER_B_AU"], ["B-1"]],
    ["a connector by its id", ["--connector", "connector-a"], ["A-1", "=A-2"]],
    ["a connector by its name", ["--connector", "Carrier B account"], ["B-1"]],
  ])("takes %s alone", async (_, flags, expected) => {
    expect(await references(["--date", DAY, ...flags])).toEqual(expected)
  })

  it.each([
    [["--date", "11/12/2026"], "--date"],
    [["--date", "2026-02-30"], "there is no such day"],
    [["--booked-within", "two"], "--booked-within takes"],
    [["--carrier", "A"], "CARRIER_A_AU"],
  ])("refuses %j", async (flags, words) => {
    const { freight } = await desk(sandbox)
    const { code, stderr } = await freight(["manifest", ...flags])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })

  it("warns of consignments that have no number yet", async () => {
    const own = await ownSandbox()
    await booked(own, "connector-c", ready)
    await own.control("clock", { advanceMs: -3_600_000 })
    const { freight } = await desk(own)
    const { code, stderr } = await freight(["manifest", "--date", DAY])
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 consignment of these has no number")])
  })

  it("looks as far back as --booked-within says, and asks for no details beyond", async () => {
    const own = await ownSandbox()
    await own.control("clock", { advanceMs: -40 * 86_400_000 })
    await booked(own, "connector-b", { ...ready, customerReference: "long before" })
    await own.control("clock", { advanceMs: 40 * 86_400_000 })
    const asked = ["--date", DAY, "--carrier", "CARRIER_B_AU"]
    expect(await references(asked, own)).toEqual([])
    expect(await requestsTo(own, "GET /shipments/{id}")).toBe(0)
    expect(await references([...asked, "--booked-within", "60"], own)).toEqual(["long before"])
  })

  it("has every one of more than a page of shipments", async () => {
    const own = await ownSandbox()
    const all = Array.from({ length: 230 }, (_, at) => `R-${at}`)
    for (const customerReference of all) await booked(own, "connector-a", { ...ready, customerReference })
    expect((await references(["--date", DAY], own)).sort()).toEqual([...all].sort())
  })
})

describe("manifest -o", () => {
  it("writes a PDF with a page for each driver", async () => {
    const { freight, folder } = await desk(sandbox)
    const { code, json } = await freight(["manifest", "--date", DAY, "-o", "out/manifest.pdf", "--json"])
    expect(code).toBe(0)
    expect(json()).toEqual({
      file: "out/manifest.pdf",
      pages: 2,
      consignments: 3,
      pieces: 6,
      weightKg: 33,
      warnings: [],
    })
    const pages = textsOn(await readFile(path.join(folder, "out/manifest.pdf")))
    expect(pages.map(([carrier]) => carrier)).toEqual(["CARRIER A", "CARRIER B"])
    expect(pages[0]).toEqual(expect.arrayContaining(["A-1", "=A-2", "Total: 2 consignments"]))
  })

  it.runIf(hasTerminal)("does not write it to a terminal", async () => {
    const { env } = await desk(sandbox)
    const { code, screen } = await atTerminal(["manifest", "-o", "-"], env, [])
    expect([code, screen]).toEqual([2, expect.stringContaining("cannot be shown on a terminal")])
  })

  it("says on every page that the sandbox is not real", async () => {
    const { freight } = await desk()
    const example = (await freight(["book", "--example"])).stdout
    const { freight: inSandbox } = await desk()
    await inSandbox(["book", "--sandbox", "--file", "-"], { input: example })
    const { collectionDateTime } = JSON.parse(example)
    const { code, bytes, stderr } = await inSandbox([
      "manifest",
      "--sandbox",
      "--date",
      collectionDateTime.slice(0, 10),
      "-o",
      "-",
    ])
    expect([code, stderr]).toEqual([0, expect.any(String)])
    expect(textsOn(bytes)[0]).toContain("SANDBOX – not for carriage")
  })

  it("exits 5 and writes nothing when nothing is collected", async () => {
    const { freight, folder } = await desk(sandbox)
    const { code, stdout } = await freight(["manifest", "--date", "2031-01-01", "-o", "manifest.pdf"])
    const written = (await readdir(folder)).filter((name) => name !== "state")
    expect([code, stdout, written]).toEqual([5, "", []])
  })
})
