import { stat } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"
import { login, saved } from "./logins.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

interface Status {
  profile: string | null
  items: {
    api: string
    apiKey: string | null
    from: string | null
    works: boolean | null
    scopes: Record<string, unknown> | null
  }[]
}

describe("auth login --api-key-stdin", () => {
  it("tries the key, saves it, and every command then works", async () => {
    const made = await desk()
    const { code, stdout, stderr } = await login(sandbox, made, sandbox.freightApiKey)
    expect([code, stderr]).toEqual([0, expect.stringContaining('Saved in profile "default"')])
    expect(stdout).toContain(`…${sandbox.freightApiKey.slice(-4)}`)
    expect((await made.freight(["connectors"])).code).toBe(0)
  })

  it("saves in a file of mode 0600, in a folder of mode 0700", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey)
    const config = path.join(made.folder, "config")
    expect((await stat(config)).mode & 0o777).toBe(0o700)
    expect((await stat(path.join(config, "config.json"))).mode & 0o777).toBe(0o600)
  })

  it("takes the address from the environment, and saves it beside the key", async () => {
    const made = await desk()
    const env = { FREIGHT_BASE_URL: sandbox.freightBaseUrl }
    const { code } = await made.freight(["auth", "login", "--api-key-stdin"], {
      input: sandbox.freightApiKey,
      env,
    })
    expect(code).toBe(0)
    expect((await made.freight(["connectors"])).code).toBe(0)
  })

  it("never touches another profile", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey)
    await login(sandbox, made, sandbox.keys.secondTenantFreight ?? "", "--profile", "second")
    const first = await made.freight(["connectors", "--json"])
    const second = await made.freight(["connectors", "--json", "--profile", "second"])
    expect(first.stdout).toContain("connector-a")
    expect(second.stdout).toContain("second-a-sydney")
  })

  it.each([
    ["a key that the API does not know", "f".repeat(64), 4, "does not accept the key"],
    ["a key that is cut short", "abc123", 2, "64 hexadecimal"],
    ["two words", `a ${"f".repeat(64)}`, 2, "64 hexadecimal"],
    ["nothing", "", 2, "standard input is empty"],
    ["a key without freight access", sandbox.keys.noFreightAccess ?? "", 4, "Freight access is not active"],
    ["the other API's key", sandbox.directPrintApiKey, 4, "that is the key of the direct print API"],
  ])("does not save %s", async (_, key, exit, words) => {
    const made = await desk({ ...sandbox, freightApiKey: "", directPrintApiKey: "" })
    const { code, stderr } = await login(sandbox, made, key)
    expect([code, stderr]).toEqual([exit, expect.stringContaining(words)])
    expect(await saved(made)).toBe("")
  })

  it.each([
    ["--sandbox", "the sandbox"],
    ["--api=freight", "--api-key-stdin"],
  ])("asks nobody with %s and without a terminal", async (flag, words) => {
    const { code, stderr } = await (await desk()).freight(["auth", "login", flag])
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  })

  it("does not save where nobody answers, and --offline saves anyway", async () => {
    const made = await desk()
    const dead = ["auth", "login", "--api-key-stdin", "--base-url", "http://127.0.0.1:1/v0"]
    const { code, stderr } = await made.freight(dead, { input: sandbox.freightApiKey })
    expect([code, stderr]).toEqual([6, expect.stringContaining("--offline")])
    expect(await saved(made)).toBe("")
    expect((await made.freight([...dead, "--offline"], { input: sandbox.freightApiKey })).code).toBe(0)
    expect(await saved(made)).toContain("http://127.0.0.1:1/v0")
  })

  it("tells that the environment goes before what is saved", async () => {
    const made = await desk()
    const args = ["auth", "login", "--api-key-stdin", "--base-url", sandbox.freightBaseUrl]
    const env = { FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "" }
    const { stderr } = await made.freight(args, { input: sandbox.freightApiKey, env })
    expect(stderr).toContain("FREIGHT_API_KEY is set in the environment")
  })
})

describe("auth status", () => {
  it("shows both APIs, masked, with source and scopes", async () => {
    const { freight } = await desk(sandbox)
    const { code, json } = await freight(["auth", "status", "--json"])
    expect(code).toBe(0)
    expect(json<Status>().items).toMatchObject([
      { api: "freight", apiKey: `…${sandbox.freightApiKey.slice(-4)}`, from: "FREIGHT_API_KEY", works: true },
      {
        api: "direct-print",
        works: true,
        scopes: { "devices:read": true, "print-jobs:write": "unknown" },
      },
    ])
  })

  it("names the profile that a key comes from", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey, "--profile", "acme")
    const { json } = await made.freight(["auth", "status", "--json"])
    expect(json<Status>()).toMatchObject({
      profile: "acme",
      items: [{ from: "profile acme" }, { works: null }],
    })
  })

  it.each([
    ["a key that does not work", { freightApiKey: sandbox.keys.revokedFreight ?? "" }, 4, [false, true]],
    ["no key that can be one", { freightApiKey: "abc" }, 4, [false, true]],
    ["no key at all", { freightApiKey: "", directPrintApiKey: "" }, 4, [null, null]],
    ["nobody who answers", { freightBaseUrl: "http://127.0.0.1:1/v0" }, 6, [null, true]],
  ])("judges each API by itself with %s", async (_, changes, exit, works) => {
    const { freight } = await desk({ ...sandbox, ...changes })
    const { code, json, stdout, stderr } = await freight(["auth", "status", "--json"])
    expect([code, json<Status>().items.map((each) => each.works)]).toEqual([exit, works])
    expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      error: { kind: exit === 4 ? "unauthenticated" : "unavailable" },
    })
    expect(stdout + stderr).not.toContain("abc")
  })

  it("says how to sign in where nobody is", async () => {
    const { code, stderr } = await (await desk()).freight(["auth", "status"])
    expect([code, stderr]).toEqual([4, expect.stringContaining("freight auth login")])
  })
})

describe("auth logout", () => {
  it("removes the keys of the profile and leaves the others", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey)
    await login(sandbox, made, sandbox.keys.secondTenantFreight ?? "", "--profile", "second")
    const { code, items } = await made.freight(["auth", "logout", "--json"])
    const before = `…${sandbox.freightApiKey.slice(-4)}`
    expect([code, items()]).toEqual([
      0,
      [{ profile: "default", setting: "freightApiKey", before, value: null }],
    ])
    const text = await saved(made)
    expect(text).not.toContain(sandbox.freightApiKey)
    expect(text).toContain(sandbox.keys.secondTenantFreight)
    expect((await made.freight(["connectors"])).code).toBe(4)
  })

  it("shows no key that stood in a command, as setting and listing do not", async () => {
    const { freight } = await desk()
    const key = `fk_${"0123456789abcdef".repeat(4)}`
    const ran = [
      await freight(["config", "set", "freightApiKeyCommand", `echo ${key}`, "--json"]),
      await freight(["config", "list", "--json"]),
      await freight(["auth", "logout", "--json"]),
    ]
    for (const { code, stdout, stderr } of ran) {
      expect([code, stderr]).toEqual([0, expect.not.stringContaining(key)])
      expect(stdout).toContain('"echo …cdef"')
    }
    expect(ran.map(({ stdout }) => stdout).join("")).not.toContain(key)
  })

  it("keeps the address, so that signing in again needs the key alone", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey)
    await made.freight(["auth", "logout"])
    const again = await made.freight(["auth", "login", "--api-key-stdin"], { input: sandbox.freightApiKey })
    expect(again.code).toBe(0)
  })

  it("--all removes every key", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey)
    await login(sandbox, made, sandbox.keys.secondTenantFreight ?? "", "--profile", "second")
    await made.freight(["auth", "logout", "--all"])
    expect(await saved(made)).not.toMatch(/[0-9a-f]{64}/)
  })

  it("says that the environment still signs in", async () => {
    const { freight } = await desk(sandbox)
    expect((await freight(["auth", "logout"])).stderr).toContain("FREIGHT_API_KEY")
  })
})
