/** Files that the last release left (scripts/files-fixture.mjs; draft.json at a terminal): each is used as it is, or set aside with a sentence. */
import { cp, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { sealPlan } from "../../src/orders/batch/plan/plan.ts"
import { openDevices } from "../../src/machine/memory/devices.ts"
import { openDrafts } from "../../src/machine/memory/drafts.ts"
import { openQuotes } from "../../src/machine/memory/quotes.ts"
import { openSeen } from "../../src/machine/memory/seen.ts"
import { readDraft, VERSION } from "../../src/orders/wizard/draft.ts"
import { desk, type RunOptions } from "../acceptance/freight.ts"
import { LEAVE, scripted } from "../orders/wizard/scripted.ts"

const FOLDER = path.join(import.meta.dirname, "last-release")
const STATE = path.join(FOLDER, "state")
/** Within the 48 hours that its rates are valid. */
const NOW = Date.parse("2026-11-17T00:00:00Z")
/** That of the sandbox. */
const PROFILE = "sandbox"
const TIMES = ["--ready", "2026-11-18T10:00", "--close", "17:00"]

const readJson = async (name: string) => JSON.parse(await readFile(path.join(FOLDER, name), "utf8"))

/** A desk that has been updated since. */
async function updatedDesk() {
  const made = await desk()
  await cp(path.join(FOLDER, "config"), path.join(made.folder, "config"), { recursive: true })
  await cp(STATE, path.join(made.state, "sandbox"), { recursive: true })
  for (const name of ["orders.csv", "orders.plan.json", "orders.results.csv"])
    await cp(path.join(FOLDER, name), path.join(made.folder, name))
  const env = { FREIGHT_WORKSTATION: "office", USER: "ann" }
  return {
    ...made,
    run: (words: readonly string[], input = "", options: RunOptions = {}) =>
      made.freight([...words, "--sandbox"], { now: NOW, env, input, ...options }),
    /** Changes a JSON file. */
    async change(name: string, change: (value: Record<string, unknown>) => unknown) {
      const file = path.join(made.folder, name)
      await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, "utf8")))))
    },
  }
}

describe("what the last release left is used as it is", () => {
  it("settings, addresses and packages", async () => {
    const { run } = await updatedDesk()
    const { stdout } = await run(["config", "list", "--format", "csv"])
    expect(stdout).toMatch(/^avoid,GEN,/m)
    expect(stdout).toMatch(/^maxPrice,90\.00,/m)
    expect((await run(["address", "list", "--json"])).items()).toMatchObject([
      { name: "warehouse", suburb: "Alexandria", email: "d@harbour.example" },
    ])
    expect((await run(["package", "list", "--json"])).items()).toMatchObject([{ name: "box" }])
  })

  it("a saved map, and the results of a batch, which the next run replaces", async () => {
    const { run, folder } = await updatedDesk()
    const { code, json, stderr } = await run([
      "batch",
      "book",
      "orders.csv",
      "--use-map",
      "shop",
      ...TIMES,
      "--json",
    ])
    expect([code, json()], stderr).toMatchObject([0, { booked: 2, resultsFile: "orders.results.csv" }])
    const [before = "", after = ""] = await Promise.all(
      [FOLDER, folder].map((each) => readFile(path.join(each, "orders.results.csv"), "utf8")),
    )
    const [heading] = before.split("\n")
    // New columns come last.
    expect(after.split("\n")[0]?.slice(0, heading?.length)).toBe(heading)
  })

  /** Results in NDJSON, whose names were others in 0.2. */
  const writeResults = async (folder: string, shipments: readonly string[]) => {
    const text = shipments.map((shipment, at) => {
      const known = { state: "booked", shipment, consignment: null, price: 46.09, label: `labels/${at}.pdf` }
      const booked = { error: "", why: null, carrier: "CARRIER_C_AU", service: "STD", warnings: [] }
      const row = { row: at + 2, reference: `F-${at + 1}`, ...known, ...booked }
      return `${JSON.stringify({ ...row, input: { No: `F-${at + 1}` }, sandbox: true })}\n`
    })
    await writeFile(path.join(folder, "kept.ndjson"), text.join(""))
  }
  const BATCH = ["batch", "book", "orders.csv", "--use-map", "shop", ...TIMES, "--results", "kept.ndjson"]

  it("results in NDJSON, which the next run replaces, with their labels", async () => {
    const { run, folder } = await updatedDesk()
    const first = await run([...BATCH, "--json"])
    expect(first.code, first.stderr).toBe(0)
    const ids = first.items<{ shipmentId: string }>().map(({ shipmentId }) => shipmentId)
    await writeResults(folder, ids)
    const { code, stderr } = await run(BATCH)
    expect(code, stderr).toBe(0)
    const lines = (await readFile(path.join(folder, "kept.ndjson"), "utf8")).trim().split("\n")
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      ids.map((shipmentId, at) => ({ shipmentId, labelFile: `labels/${at}.pdf` })),
    )
  })

  it("results in NDJSON whose shipments the ledger does not have are not overwritten", async () => {
    const { run, folder } = await updatedDesk()
    await writeResults(folder, ["demo-shipment"])
    const before = await readFile(path.join(folder, "kept.ndjson"), "utf8")
    const { code, stderr } = await run(BATCH)
    expect([code, stderr]).toEqual([2, expect.stringContaining("(demo-shipment)")])
    expect(await readFile(path.join(folder, "kept.ndjson"), "utf8")).toBe(before)
  })

  it("an approved plan", async () => {
    const { run } = await updatedDesk()
    const { code, json, stderr } = await run(["batch", "book", "--plan", "orders.plan.json", "--json"])
    expect([code, json()], stderr).toMatchObject([0, { booked: 2, totals: [{ amount: expect.any(Number) }] }])
  })

  it("quotes, what was seen, and the devices", async () => {
    const [quote] = await openQuotes(path.join(STATE, "quotes")).latest(9)
    expect(quote).toMatchObject({ quotedAt: Date.parse("2026-11-16T23:09:09Z"), shown: expect.any(Array) })
    const seen = openSeen(path.join(STATE, "seen"))
    expect(await seen.connectors()).toEqual(await readJson("state/seen/connectors.json"))
    expect(await seen.list("shipments")).toEqual(await readJson("state/seen/shipments.json"))
    expect(await seen.devices("freight")).toEqual(await readJson("state/seen/devices-freight.json"))
    for (const api of ["freight", "direct-print"]) {
      const devices = openDevices(path.join(STATE, "devices"), {
        profile: PROFILE,
        api,
        workstation: "office",
      })
      expect([api, await devices.chosen()]).toMatchObject([api, { id: "device-bench" }])
    }
  })

  it("an unfinished booking", async () => {
    const { value } = await readJson("draft.json")
    const { wanted: wish, ...rest } = value as Record<string, unknown>
    expect(readDraft(value)).toEqual({ ...rest, version: VERSION, isKeyGenerated: true, wish })
  })
})

/** A whole plan, with its hash, whose rows have another form. */
function withOtherRows(plan: object): object {
  const parts = plan as Parameters<typeof sealPlan>[0]
  const rows = parts.rows.map((row) => ({ ...row, residential: "no" }))
  return sealPlan({ ...parts, rows: rows as unknown as typeof parts.rows })
}

describe("what another version left is set aside, with what to do", () => {
  it.each([
    [
      "of a newer version",
      (plan: object) => ({ ...plan, freightPlan: 2 }),
      "was made by a newer version of freight",
    ],
    ["whose rows this one does not know", withOtherRows, "was made by another version of freight"],
    ["of none", (plan: object) => ({ ...plan, freightPlan: "1" }), "is not a plan"],
    ["that was changed", (plan: object) => ({ ...plan, complete: false }), "was changed after it was made"],
  ])("a plan %s", async (_, change, words) => {
    const { run, change: changeFile } = await updatedDesk()
    await changeFile("orders.plan.json", change)
    const { code, stderr } = await run(["batch", "book", "--plan", "orders.plan.json"])
    expect(code).toBe(2)
    expect(stderr).toContain(words)
    expect(stderr).toContain("freight batch plan")
  })

  it("an unfinished booking: it is named, and freight book begins again", async () => {
    const { run, state } = await updatedDesk()
    const owner = { profile: PROFILE, workstation: "office", user: "ann" }
    const drafts = openDrafts(path.join(state, "sandbox/drafts"), owner, () => NOW)
    const { value } = await readJson("draft.json")
    await drafts.keep({ id: "newer", savedAt: NOW, value: { ...value, version: VERSION + 1 } })
    const conversation = scripted([["Who sends it?", LEAVE]])
    const { stderr } = await run(["book"], "", { columns: 80, host: { converse: async () => conversation } })
    expect(stderr.replace(/\s+/g, " ")).toContain(
      "was kept by another version of freight, and cannot be continued: start again with freight book",
    )
    expect(conversation.left).toEqual([])
    expect(await drafts.list()).toContainEqual(expect.objectContaining({ id: "newer" }))
  })

  it("a map with a flag that this version does not know", async () => {
    const { run, change } = await updatedDesk()
    await change("config/config.json", (config) => ({
      ...config,
      maps: { shop: { map: [], fragile: "yes" } },
    }))
    const { code, stderr } = await run(["batch", "book", "orders.csv", "--use-map", "shop", ...TIMES])
    expect(code).toBe(2)
    expect(stderr).toContain('was saved by a newer version of freight: this one does not know its "fragile"')
    expect(stderr).toContain("freight batch maps --remove shop")
  })

  it("an unfinished booking is not read in part", async () => {
    const { value } = await readJson("draft.json")
    expect(readDraft({ ...value, version: VERSION + 1 })).toBeUndefined()
    expect(readDraft({ ...value, version: undefined })).toBeUndefined()
  })
})
