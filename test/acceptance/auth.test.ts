import { stat } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"
import { login, saved } from "./logins.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

interface Status {
  profile: string | null
  apis: {
    api: string
    key: string | null
    from: string | null
    works: boolean | null
    scopes?: Record<string, unknown>
  }[]
}

describe("auth login --with-key", () => {
  it("tries the key, saves it, and every command then works", async () => {
    const made = await desk()
    const { code, stdout, stderr } = await login(sandbox, made, sandbox.freightApiKey)
    expect(code).toBe(0)
    expect(stderr).toContain("Saved in profile 'default'")
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
    const { code } = await made.freight(["auth", "login", "--with-key"], {
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
  ])("does not save %s", async (_, key, exit, words) => {
    const made = await desk()
    const { code, stderr } = await login(sandbox, made, key)
    expect(code).toBe(exit)
    expect(stderr).toContain(words)
    expect(await saved(made)).toBe("")
  })

  it("does not save a key whose account has no freight access", async () => {
    const made = await desk()
    const { code, stderr } = await login(sandbox, made, sandbox.keys.noFreightAccess ?? "")
    expect(code).toBe(4)
    expect(stderr).toContain("Freight access is not active")
    expect(await saved(made)).toBe("")
  })

  it("does not save where nobody answers, and --no-check saves all the same", async () => {
    const made = await desk()
    const dead = ["auth", "login", "--with-key", "--base-url", "http://127.0.0.1:1/v0"]
    const { code, stderr } = await made.freight(dead, { input: sandbox.freightApiKey })
    expect(code).toBe(6)
    expect(stderr).toContain("--no-check")
    expect(await saved(made)).toBe("")
    expect((await made.freight([...dead, "--no-check"], { input: sandbox.freightApiKey })).code).toBe(0)
    expect(await saved(made)).toContain("http://127.0.0.1:1/v0")
  })

  it("says when it is the other API's key", async () => {
    const made = await desk({ ...sandbox, freightApiKey: "", directPrintApiKey: "" })
    const { code, stderr } = await login(sandbox, made, sandbox.directPrintApiKey)
    expect(code).toBe(4)
    expect(stderr).toContain("that is the key of the direct print API")
    expect(await saved(made)).toBe("")
  })

  it("tells that the environment goes before what is saved", async () => {
    const made = await desk()
    const args = ["auth", "login", "--with-key", "--base-url", sandbox.freightBaseUrl]
    const env = { FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "" }
    const { stderr } = await made.freight(args, { input: sandbox.freightApiKey, env })
    expect(stderr).toContain("FREIGHT_API_KEY is set in the environment")
  })

  it("needs no sign-in for the sandbox", async () => {
    const { freight } = await desk()
    expect((await freight(["auth", "login", "--sandbox"])).code).toBe(2)
  })

  it("asks nobody without a terminal", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["auth", "login"])
    expect(code).toBe(2)
    expect(stderr).toContain("--with-key")
  })
})

describe("auth status", () => {
  it("shows both APIs, masked, with source and scopes", async () => {
    const { freight } = await desk(sandbox)
    const { code, json } = await freight(["auth", "status", "--json"])
    expect(code).toBe(0)
    expect(json<Status>().apis).toMatchObject([
      { api: "freight", key: `…${sandbox.freightApiKey.slice(-4)}`, from: "FREIGHT_API_KEY", works: true },
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
      apis: [{ from: "profile acme" }, { works: null }],
    })
  })

  it("exits 4 when a key does not work", async () => {
    const { freight } = await desk({ ...sandbox, freightApiKey: sandbox.keys.revokedFreight ?? "" })
    const { code, json } = await freight(["auth", "status", "--json"])
    expect(code).toBe(4)
    expect(json<Status>().apis[0]?.works).toBe(false)
  })

  it("exits 4 when nothing is signed in to, and says how", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["auth", "status"])
    expect(code).toBe(4)
    expect(stderr).toContain("freight auth login")
  })

  it("exits 6 when nobody answers", async () => {
    const { freight } = await desk({ ...sandbox, freightBaseUrl: "http://127.0.0.1:1/v0" })
    expect((await freight(["auth", "status"])).code).toBe(6)
  })

  it("judges the other API where a key cannot be used at all", async () => {
    const { freight } = await desk({ ...sandbox, freightApiKey: "abc" })
    const { code, json, stdout } = await freight(["auth", "status", "--json"])
    expect(code).toBe(4)
    expect(json<Status>().apis.map(({ works }) => works)).toEqual([false, true])
    expect(stdout).not.toContain("abc")
  })
})

describe("auth logout", () => {
  it("removes the keys of the profile and leaves the others", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey)
    await login(sandbox, made, sandbox.keys.secondTenantFreight ?? "", "--profile", "second")
    expect((await made.freight(["auth", "logout"])).code).toBe(0)
    const text = await saved(made)
    expect(text).not.toContain(sandbox.freightApiKey)
    expect(text).toContain(sandbox.keys.secondTenantFreight)
    expect((await made.freight(["connectors"])).code).toBe(4)
  })

  it("keeps the address, so that signing in again needs the key alone", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey)
    await made.freight(["auth", "logout"])
    const again = await made.freight(["auth", "login", "--with-key"], { input: sandbox.freightApiKey })
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
