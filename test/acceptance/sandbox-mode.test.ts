/** The sandbox as a mode: switched on once, and not with every command. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { createInterface } from "node:readline"
import { describe, expect, it, onTestFinished } from "vitest"
import { itemsOf } from "../../src/contract/packages.ts"
import { FAULTS } from "../../src/sandbox/faults.ts"
import { ownBooking } from "./bookings.ts"
import { desk, errorIn, getCommandLine } from "./freight.ts"
import { soundPdf } from "../output/paper/odd-pdfs.ts"

const LIST = ["shipments", "list", "--json"]

async function deskWith(config: unknown) {
  const made = await desk()
  await mkdir(path.join(made.folder, "config"), { mode: 0o700 })
  await writeFile(path.join(made.folder, "config", "config.json"), JSON.stringify(config), { mode: 0o600 })
  return made
}

describe("FREIGHT_SANDBOX", () => {
  it("takes the place of --sandbox, and says so", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(LIST, { env: { FREIGHT_SANDBOX: "1" } })
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "This is the sandbox (FREIGHT_SANDBOX): nothing is real.\n",
    })
    expect((await freight([...LIST, "--sandbox"])).stderr).toBe("")
    expect((await freight(LIST, { env: { FREIGHT_SANDBOX: "0" } })).code).toBe(4)
  })

  it("says no more than --quiet lets it, and keeps one ledger with --sandbox", async () => {
    const { folder, freight } = await desk()
    const env = { FREIGHT_SANDBOX: "yes" }
    const pdf = path.join(folder, "a.pdf")
    await writeFile(pdf, soundPdf("a"))
    const made = await freight(["print", "pdf", pdf, "--device", "device-bench", "--key", "K-1", "--quiet"], {
      env,
    })
    expect(made.stderr).toBe("")
    const { json } = await freight(["history", "--sandbox", "--json"])
    expect(json<{ items: unknown[] }>().items).toMatchObject([{ key: "K-1" }])
  })

  it("gives way to a profile that the command line names", async () => {
    const { freight } = await deskWith({ profiles: { acme: {} } })
    const { code } = await freight([...LIST, "--profile", "acme"], { env: { FREIGHT_SANDBOX: "1" } })
    expect(code).toBe(4)
  })

  it("is refused where it says neither yes nor no", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(LIST, { env: { FREIGHT_SANDBOX: "production" } })
    expect(code).toBe(2)
    expect(errorIn(stderr)).toMatchObject({ kind: "config", message: expect.stringContaining("production") })
  })
})

describe("profile use sandbox", () => {
  it("stays until another profile is used", async () => {
    const { freight } = await deskWith({ current: "acme", profiles: { acme: { timeout: "9" } } })
    expect((await freight(LIST)).code).toBe(4)
    expect((await freight(["profile", "use", "sandbox"])).stderr).toContain("nothing is real")
    expect((await freight(LIST)).stderr).toContain("This is the sandbox (profile sandbox)")
    const inUse = async () =>
      (await freight(["profile", "list", "--json"]))
        .items<{ name: string; inUse: boolean }>()
        .filter((row) => row.inUse)
        .map(({ name }) => name)
    expect(await inUse()).toEqual(["sandbox"])
    await freight(["profile", "use", "acme"])
    expect(await inUse()).toEqual(["acme"])
    expect((await freight(LIST)).code).toBe(4)
  })

  it("goes back to the default where nothing was ever saved", async () => {
    const { freight } = await desk()
    await freight(["profile", "use", "sandbox"])
    expect((await freight(LIST)).code).toBe(0)
    expect((await freight(["profile", "use", "default"])).code).toBe(0)
    expect((await freight(LIST)).code).toBe(4)
  })

  it("stays the sandbox when a setting is saved under it, and is a person's own account when they have one", async () => {
    const { freight } = await desk()
    await freight(["profile", "use", "sandbox"])
    await freight(["config", "set", "timeout", "9"])
    expect((await freight(LIST)).code).toBe(0)
    await freight(["config", "set", "freightBaseUrl", "https://freight.example/v0"])
    expect((await freight(LIST)).code).toBe(4)
  })
})

describe("the sandbox by mistake", () => {
  const ACCOUNT = { FREIGHT_BASE_URL: "http://localhost:1/v0", FREIGHT_API_KEY: `fk_${"a".repeat(64)}` }
  const IN_USE = { current: "sandbox", profiles: {} }

  it.each([
    ["FREIGHT_SANDBOX=1", {}, { FREIGHT_SANDBOX: "1", ...ACCOUNT }, [], "FREIGHT_SANDBOX"],
    ["half of an account", IN_USE, { FREIGHT_API_KEY: ACCOUNT.FREIGHT_API_KEY }, [], "profile sandbox"],
    ["--profile sandbox", {}, ACCOUNT, ["--profile", "sandbox"], "profile sandbox"],
    ["FREIGHT_PROFILE=sandbox", {}, { FREIGHT_PROFILE: "sandbox", ...ACCOUNT }, [], "profile sandbox"],
  ])("is refused where both are named: %s", async (_, config, env, flags, by) => {
    const { freight } = await deskWith({ profiles: {}, ...config })
    const { code, stderr } = await freight([...LIST, ...flags, "--quiet"], { env })
    expect(code).toBe(2)
    const { kind, message } = errorIn(stderr)
    expect({ kind, message }).toEqual({
      kind: "config",
      message: expect.stringContaining(`${by} chooses the sandbox, and FREIGHT_`),
    })
  })

  it("is not what variables of a whole account mean, whatever profile is in use", async () => {
    const { freight } = await deskWith(IN_USE)
    const { code, stderr } = await freight([...LIST, "--quiet"], { env: ACCOUNT })
    expect(code).toBe(6)
    expect(stderr).toContain("FREIGHT_BASE_URL is set in the environment, and beats")
    expect(errorIn(stderr).message).toContain("localhost:1")
  })

  it("is what --sandbox asks for, whatever the variables say", async () => {
    const { freight } = await desk()
    expect((await freight([...LIST, "--sandbox"], { env: ACCOUNT })).code).toBe(0)
  })

  it("is told by all JSON of what is made", async () => {
    const { folder, freight } = await desk()
    const named = (customerReference: string) => {
      const { packages = [], ...example } = ownBooking()
      const whole = { ...example, customerReference, packages, items: itemsOf(packages), serviceCode: "STD" }
      return JSON.stringify(whole)
    }
    const booked = await freight(["book", "--sandbox", "--file", "-", "--json"], { input: named("PO-1") })
    expect(booked.json()).toMatchObject({ sandbox: true })
    const shipment = booked.json<{ shipmentId: string }>()
    const raw = ["api", "--sandbox", "POST", "connector-c/shipments", "--file", "-"]
    expect((await freight(raw, { input: named("PO-2") })).json()).toMatchObject({ sandbox: true })
    const rows = (await freight(["batch", "template", "--format", "csv"])).stdout
    await writeFile(path.join(folder, "orders.csv"), rows)
    const flags = ["--service", "cheapest", "--results", "results.ndjson"]
    const batch = await freight(["batch", "book", "--sandbox", "orders.csv", "--json", ...flags])
    expect(batch.json()).toMatchObject({ sandbox: true })
    const results = await readFile(path.join(folder, "results.ndjson"), "utf8")
    expect(JSON.parse(results.split("\n")[0] ?? "")).toMatchObject({ sandbox: true })
    const stream = await freight(["batch", "book", "--sandbox", "-", "--format", "ndjson"], { input: rows })
    expect(JSON.parse(stream.stdout.split("\n")[0] ?? "")).toMatchObject({ sandbox: true })
    const printed = await freight([
      "print",
      "label",
      "--sandbox",
      shipment.shipmentId,
      "--device",
      "device-bench",
      "--json",
    ])
    expect(printed.items()).toMatchObject([{ sandbox: true }])
    const collected = await freight(["pickup", "book", "--sandbox", shipment.shipmentId, "--json"])
    expect(collected.items()).toMatchObject([{ sandbox: true }])
  })
})

describe("sandbox start", () => {
  async function start(...args: string[]) {
    const { env, freight } = await desk()
    const child = spawn(...getCommandLine(["sandbox", "start", ...args]), { env, stdio: "pipe" })
    onTestFinished(() => stop(child))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const log = createInterface({ input: child.stderr })[Symbol.asyncIterator]()
    return { freight, lines, log }
  }

  async function stop(child: ChildProcess): Promise<void> {
    child.kill("SIGTERM")
    await once(child, "exit")
  }

  it("prints what a shell exports, and logs each request and each fault", async () => {
    const { freight, lines, log } = await start("--env", "--fault", "502:x1@GET/shipments")
    const set: Record<string, string> = {}
    for (let n = 0; n < 4; n++) {
      const [, name = "", value = ""] = /^export (\w+)=(\S+)$/.exec((await lines.next()).value) ?? []
      set[name] = value
    }
    expect((await freight(LIST, { env: set })).code).toBe(0)
    expect((await log.next()).value).toContain("Ctrl-C")
    expect((await log.next()).value).toMatch(
      /^\d\d:\d\d GET \/\S*shipments 502 {2}fault 502:x1@GET\/shipments$/,
    )
    expect((await log.next()).value).toMatch(/^\d\d:\d\d GET \/\S*shipments 200$/)
  })

  it("has every fault in its help", async () => {
    const { freight } = await desk()
    const { stdout } = await freight(["sandbox", "start", "--help"])
    const listed = Array.from(stdout.matchAll(/^ {2}(\S+) +\S/gm), ([, word]) => word)
    expect(listed).toEqual(expect.arrayContaining(Object.keys(FAULTS)))
  })
})
