import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { orderDesk } from "./batches.ts"
import { bookingDesk } from "./bookings.ts"
import { desk } from "./freight.ts"
import { chunksIn } from "./loaded.ts"
import { order } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"

interface Row {
  setting: string
  value: string | null
  source: string
  from: string | null
}

const sandbox = await fileSandbox()

const HEX = "0123456789abcdef".repeat(4)
const KEY = `prefix_${HEX}`
const BASE = "https://freight.example/v0"

/** A desk whose settings file holds this. */
async function deskWith(text: string) {
  const made = await desk()
  const file = path.join(made.folder, "config", "config.json")
  await mkdir(path.dirname(file), { mode: 0o700 })
  await writeFile(file, text, { mode: 0o600 })
  return { ...made, file }
}

async function rows(freight: Awaited<ReturnType<typeof desk>>["freight"], ...more: string[]) {
  const { items } = await freight(["config", "list", "--json", ...more])
  return new Map(items<Row>().map((row) => [row.setting, row]))
}

describe("config list", () => {
  it("shows every value with its source, keys masked", async () => {
    const { freight } = await deskWith(
      JSON.stringify({ current: "acme", profiles: { acme: { freightApiKey: KEY, timeout: "45" } } }),
    )
    const found = await rows(freight)
    expect(found.get("profile")).toMatchObject({ value: "acme", source: "profile" })
    expect(found.get("freightApiKey")).toMatchObject({ value: "…cdef", source: "profile", from: "acme" })
    expect(found.get("timeout")).toMatchObject({ value: "45", source: "profile" })
    expect(found.get("sender")).toMatchObject({ value: null, source: "none" })
    expect(found.get("workstation")).toMatchObject({ value: "test-desk", from: "FREIGHT_WORKSTATION" })
  })

  it("is a list of what is set with its source, then of what is not, and a table on request", async () => {
    const { freight } = await desk()
    const { code, stdout } = await freight(["config", "list"], { columns: 80 })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^timeout +30 \(default\)$/m)
    expect(stdout).toMatch(/^configDir +\S+\s+\(FREIGHT_CONFIG_DIR\)$/m)
    expect(stdout).toMatch(/^\nNot set: freightBaseUrl, .*\bavoid,/ms)
    const { stdout: table } = await freight(["config", "list", "--fields", "key,value,source"])
    expect(table).toMatch(/^timeout +30 +default$/m)
  })
})

describe("config get", () => {
  it("suggests the setting that was meant", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["config", "get", "timeuot"])
    expect([code, stderr]).toEqual([2, expect.stringContaining('"timeout"')])
  })
})

describe("config set", () => {
  it("saves in the profile in use", async () => {
    const { freight } = await desk()
    expect((await freight(["config", "set", "timeout", "60"])).code).toBe(0)
    expect((await freight(["config", "get", "timeout"])).stdout).toBe("60\n")
  })

  it.each([
    ["gst", "A=excluded,C=included", "carrier_c_au=excluded", "A=excluded,carrier_c_au=excluded"],
    ["disputeDays", "CARRIER_A_AU=30,Harbour Freight=14", "a=21", "Harbour Freight=14,a=21"],
    ["carrierAccounts", "A=10044", "Harbour Freight=77-3", "A=10044,Harbour Freight=77-3"],
    ["carrierNames", "A=StarTrack, B=TNT", "B=Toll", "A=StarTrack,B=Toll"],
  ])("of %s keeps what other carriers have, whatever each is called there", async (key, ...values) => {
    const [before = "", given = "", after] = values
    const { freight } = await desk()
    await freight(["config", "set", key, before])
    const { code, stderr } = await freight(["config", "set", key, given])
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${key} is saved in profile`)])
    expect(stderr).toContain(String(after))
    expect((await rows(freight)).get(key)?.value).toBe(after)
    await freight(["config", "unset", key])
    await freight(["config", "set", key, given])
    expect((await rows(freight)).get(key)?.value).toBe(given)
  })

  it("of carriers replaces what cannot be read", async () => {
    const { freight } = await deskWith(JSON.stringify({ profiles: { default: { gst: "yes" } } }))
    expect((await freight(["config", "set", "gst", "A=included"])).code).toBe(0)
    expect((await rows(freight)).get("gst")?.value).toBe("A=included")
  })

  it("makes a profile that is named, and leaves the one in use", async () => {
    const { freight } = await desk()
    await freight(["config", "set", "timeout", "60"])
    await freight(["config", "set", "timeout", "5", "--profile", "quick"])
    expect((await freight(["config", "get", "timeout"])).stdout).toBe("60\n")
    expect((await freight(["config", "get", "timeout", "--profile", "quick"])).stdout).toBe("5\n")
  })

  it.each([
    ["timeout", "soon", "takes seconds"],
    ["timeout", "0", "takes seconds"],
    ["businessUnit", "UNIT_C", "UNIT_A or UNIT_B"],
    ["freightBaseUrl", "freight.example", "not a full address"],
    ["freightBaseUrl", "http://freight.example", "https://"],
    ["directPrintBaseUrl", "https://me:secret@print.example", "user name or password"],
    ["sender", "warehouse", "no saved address"],
    ["profile", "x", "no setting"],
    ["timeout", "", "missing"],
  ])("%s '%s' is refused", async (key, value, words) => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["config", "set", key, value])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })

  it("refuses a key on the command line, and names the way", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["config", "set", "freightApiKey", KEY, "--json"])
    expect(code).toBe(2)
    expect(JSON.parse(stderr).error).toMatchObject({ kind: "usage", next: "freight auth login" })
    expect(stderr).not.toContain(HEX)
  })

  it("warns when the saved key is sent elsewhere from now on", async () => {
    const { freight } = await deskWith(
      JSON.stringify({ profiles: { default: { freightBaseUrl: BASE, freightApiKey: KEY } } }),
    )
    const { code, stderr } = await freight(["config", "set", "freightBaseUrl", "https://new.example"])
    expect([code, stderr]).toEqual([0, expect.stringContaining("now sent to new.example")])
  })
})

describe("config unset", () => {
  it("takes settings out of the profile", async () => {
    const { freight } = await desk()
    await freight(["config", "set", "timeout", "60"])
    expect((await freight(["config", "unset", "timeout", "sender"])).code).toBe(0)
    expect((await freight(["config", "get", "timeout"])).stdout).toBe("30\n")
  })
})

describe("config path", () => {
  it("says where the file is, whether it exists or not", async () => {
    const { freight, folder } = await desk()
    const { stdout } = await freight(["config", "path"])
    expect(stdout).toBe(`${path.join(folder, "config", "config.json")}\n`)
  })
})

describe("profiles", () => {
  const two = JSON.stringify({
    current: "acme",
    profiles: { acme: { freightApiKey: KEY, freightBaseUrl: BASE }, quick: { timeout: "5" } },
  })

  it("are listed with the one in use, keys masked", async () => {
    const { freight } = await deskWith(two)
    const { items } = await freight(["profile", "list", "--json"])
    expect(items()).toMatchObject([
      { name: "acme", inUse: true, freightApiKey: "…cdef", freightBaseUrl: BASE },
      { name: "quick", inUse: false, freightApiKey: null },
    ])
  })

  it("use warns that FREIGHT_PROFILE goes before it", async () => {
    const { freight } = await deskWith(two)
    const { stderr } = await freight(["profile", "use", "quick"], { env: { FREIGHT_PROFILE: "acme" } })
    expect(stderr).toContain('so "acme" is used instead')
  })

  it("remove forgets one and keeps the other", async () => {
    const { freight, file } = await deskWith(two)
    expect((await freight(["profile", "remove", "acme"])).code).toBe(0)
    const text = await readFile(file, "utf8")
    expect(text).not.toContain(HEX)
    expect(JSON.parse(text)).toMatchObject({ profiles: { quick: { timeout: "5" } } })
    expect(JSON.parse(text)).not.toHaveProperty("current")
  })

  it("remove takes several, and none unless all exist", async () => {
    const { freight } = await deskWith(two)
    const names = async () =>
      (await freight(["profile", "list", "--format", "csv", "--fields", "name"])).stdout
    expect((await freight(["profile", "remove", "acme", "slow"])).code).toBe(2)
    expect(await names()).toBe("name\nacme\nquick\n")
    expect((await freight(["profile", "remove", "acme", "quick"])).stderr).toContain("Removed: acme, quick.")
    expect(await names()).toBe("name\n")
  })

  it.each([
    [["profile", "use", "acmee"]],
    [["profile", "remove", "acmee"]],
    [["connectors", "--profile", "acmee"]],
    [["config", "list", "--profile", "acmee"]],
  ])("freight %j: a profile that does not exist is reported, with those that do", async (args) => {
    const { freight } = await deskWith(two)
    const { code, stderr } = await freight(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no profile "acmee"')])
    expect(stderr).toContain("acme, quick")
  })
})

describe("a damaged settings file", () => {
  const damaged = `{"profiles":{"acme":{"freightApiKey":"${KEY}"`

  it.each([
    [["connectors"]],
    [["config", "list"]],
    [["config", "set", "timeout", "3"]],
    [["profile", "use", "acme"]],
    [["address", "list"]],
    [["auth", "logout"]],
  ])("freight %j names it, shows nothing of it, and leaves it as it is", async (args) => {
    const { freight, file } = await deskWith(damaged)
    const { code, stdout, stderr } = await freight([...args, "--json"])
    expect(code).toBe(2)
    expect(stdout).toBe("")
    const { error } = JSON.parse(stderr)
    expect(error).toMatchObject({ kind: "config" })
    expect(error.message).toContain(file)
    expect(stderr).not.toContain(HEX.slice(0, 8))
    expect(await readFile(file, "utf8")).toBe(damaged)
  })

  it("does not matter to --help", async () => {
    const { freight } = await deskWith(damaged)
    expect((await freight(["config", "set", "--help"])).code).toBe(0)
  })
})

describe.skipIf(process.getuid?.() === 0 || process.platform === "win32")("without permission", () => {
  it("a settings folder that cannot be written is reported", async () => {
    const { freight, file } = await deskWith("{}")
    await chmod(path.dirname(file), 0o500)
    const { code, stderr } = await freight(["config", "set", "timeout", "3"])
    await chmod(path.dirname(file), 0o700)
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be written")])
  })
})

describe("what loads the settings library", () => {
  it("a command that saves does; reading a profile does not", async () => {
    const { freight, folder } = await deskWith(JSON.stringify({ profiles: { default: { timeout: "9" } } }))
    const coverage = path.join(folder, "coverage")
    const { stdout } = await freight(["config", "get", "timeout"], { env: { NODE_V8_COVERAGE: coverage } })
    expect(stdout).toBe("9\n")
    const { sources } = chunksIn(coverage)
    expect(sources).toContain("src/machine/config/file.ts")
    expect(sources.filter((source) => /node_modules\/(conf|ajv|@inquirer)\//.test(source))).toEqual([])
  })

  it("a command that saves loads conf, and not what conf checks by a schema with", async () => {
    const { freight, folder } = await desk()
    const coverage = path.join(folder, "coverage")
    await freight(["config", "set", "timeout", "9"], { env: { NODE_V8_COVERAGE: coverage } })
    const { sources } = chunksIn(coverage)
    expect(sources).toContain("src/machine/config/file.ts")
    expect(sources).toContain("node_modules/conf/dist/source/index.js")
    expect(sources.filter((source) => /node_modules\/(ajv|undici|@inquirer)/.test(source))).toEqual([])
  })
})

it("several processes that save at once, and find a dead one's lock, lose nothing", async () => {
  const { binary, folder } = await deskWith("{}")
  await writeFile(path.join(folder, "config", "config.json.lock"), "dead")
  const names = Array.from({ length: 8 }, (_, number) => `desk-${number}`)
  const saved = await Promise.all(
    names.map((name) => binary(["config", "set", "timeout", "9", "--profile", name])),
  )
  expect(saved.map(({ code }) => code)).toEqual(names.map(() => 0))
  const { profiles } = JSON.parse(await readFile(path.join(folder, "config", "config.json"), "utf8"))
  expect(Object.keys(profiles).sort()).toEqual(names)
  expect(await readdir(path.join(folder, "config"))).toEqual(["config.json"])
})

describe("the business unit of the profile", () => {
  const IGNORED = /businessUnit is for carrier C only: carrier B ignores it/

  it("is not warned of where the carrier does not read it; one that the command names is", async () => {
    const { freight, book } = await bookingDesk(sandbox)
    const words = ["--service", "GEN", "--connector", "connector-b", "--dry-run"]
    await freight(["config", "set", "businessUnit", "UNIT_A"])
    const filled = await book(...words)
    expect([filled.code, filled.stderr]).toEqual([0, expect.not.stringMatching(IGNORED)])
    expect(filled.json()).toMatchObject({ businessUnit: "UNIT_A" })
    expect((await book(...words, "--set", "businessUnit=UNIT_B")).stderr).toMatch(IGNORED)
  })

  it("is not warned of in a batch, but where a flag gives it", async () => {
    const { freight, book } = await orderDesk(
      [order("UNIT-1", { connector: "connector-b", service: "GEN" })],
      sandbox,
    )
    await freight(["config", "set", "businessUnit", "UNIT_A"])
    const filled = await book("--dry-run", "--verbose")
    expect([filled.code, filled.stderr]).toEqual([0, expect.not.stringMatching(/is for carrier C only/)])
    const said = await book("--dry-run", "--verbose", "--set", "businessUnit=UNIT_B")
    expect(said.stderr).toMatch(/the business unit is for carrier C only/)
  })
})

describe("a command that changes settings", () => {
  it("prints for programs what was set before and is set now, with addresses and keys masked", async () => {
    const { freight, file } = await deskWith(
      JSON.stringify({ current: "default", profiles: { default: { timeout: "30" }, wholesale: {} } }),
    )
    const run = async (...words: string[]) => (await freight([...words, "--json"])).json<unknown>()
    const profile = "default"
    expect(await run("config", "set", "timeout", "60")).toMatchObject({
      ...{ profile, setting: "timeout", before: "30", value: "60" },
    })
    expect(await run("config", "set", "ledger", "postgres://me@db.example/freight")).toMatchObject({
      ...{ profile, setting: "ledger", before: null, value: "postgres://…@db.example/freight" },
    })
    expect(await run("config", "unset", "ledger", "sender")).toMatchObject({
      items: [
        { profile, setting: "ledger", before: "postgres://…@db.example/freight", value: null },
        { profile, setting: "sender", before: null, value: null },
      ],
    })
    expect(await run("profile", "use", "wholesale")).toMatchObject({
      profile: "wholesale",
      before: "default",
    })
    expect(await run("profile", "remove", "wholesale")).toMatchObject({
      items: [{ name: "wholesale", inUse: true }],
    })
    expect(JSON.parse(await readFile(file, "utf8")).profiles).toEqual({ default: { timeout: "60" } })
  })

  it("prints the columns that are asked for, and nothing beside its sentence at a terminal", async () => {
    const { freight } = await deskWith("{}")
    const set = (...more: string[]) => freight(["config", "set", "timeout", "60", ...more])
    expect((await set()).stdout).toBe("")
    expect((await set("--format", "csv", "--fields", "key,value")).stdout).toBe("key,value\ntimeout,60\n")
    const unknown = await set("--fields", "file")
    expect([unknown.code, unknown.stdout]).toEqual([2, ""])
  })

  it("prints the folder of the sandbox that is empty now", async () => {
    const { freight, state } = await desk()
    const { code, json } = await freight(["sandbox", "reset", "--json"])
    expect([code, json()]).toMatchObject([0, { folder: `${state}/sandbox` }])
  })
})
