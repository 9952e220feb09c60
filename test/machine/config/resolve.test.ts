import { describe, expect, it } from "vitest"
import type { Config } from "../../../src/machine/config/file.ts"
import { openSettings } from "../../../src/machine/config/resolve.ts"
import type { Globals } from "../../../src/machine/config/settings.ts"
import type { Env } from "../../../src/base/ports.ts"
import { damaged, FREIGHT_KEY, failureOf, HEX, holding, PRINT_KEY } from "./setup.ts"

const CONFIG: Config = {
  current: "acme",
  profiles: {
    acme: { freightBaseUrl: "https://acme.example/v0", freightApiKey: FREIGHT_KEY, timeout: 45 },
    wholesale: { freightBaseUrl: "https://wholesale.example", freightApiKey: `w_${HEX}` },
  },
  addresses: {},
  packages: {},
}

type Settings = ReturnType<typeof openSettings>

function settings(env: Env = {}, globals: Globals = {}, config: Partial<Config> = CONFIG) {
  return openSettings(globals, env, holding(config))
}

describe("where a value comes from", () => {
  const ENV = { FREIGHT_BASE_URL: "https://env.example" }
  it.each<
    [what: string, env: Env, globals: Globals, name: Parameters<Settings["resolve"]>[0], found: object]
  >([
    [
      "a flag beats the profile",
      {},
      { timeout: "5" },
      "timeout",
      { value: "5", source: "flag", from: "--timeout" },
    ],
    [
      "the environment beats the profile",
      ENV,
      {},
      "freightBaseUrl",
      { value: ENV.FREIGHT_BASE_URL, source: "environment", from: "FREIGHT_BASE_URL" },
    ],
    [
      "an empty variable beats nothing",
      { FREIGHT_BASE_URL: "" },
      {},
      "freightBaseUrl",
      { source: "profile" },
    ],
    ["a number in the file is text", {}, {}, "timeout", { value: "45", source: "profile", from: "acme" }],
    ["there may be none", {}, {}, "sender", { value: undefined, source: "none" }],
    [
      "the sandbox brings its own address and key",
      { FREIGHT_API_KEY: FREIGHT_KEY },
      { sandbox: true },
      "freightApiKey",
      { value: undefined, source: "sandbox" },
    ],
    ["the sandbox leaves the others as they are", {}, { sandbox: true }, "timeout", { value: "45" }],
  ])("%s", (_what, env, globals, name, found) => {
    expect(settings(env, globals).resolve(name)).toMatchObject(found)
  })

  it("the default is last", () => {
    expect(settings({}, {}, {}).resolve("timeout")).toEqual({ value: "30", source: "default" })
  })
})

describe("the profile", () => {
  it("--profile beats FREIGHT_PROFILE", () => {
    const { profile } = settings({ FREIGHT_PROFILE: "acme" }, { profile: "wholesale" })
    expect(profile()).toEqual({ name: "wholesale", source: "flag", from: "--profile" })
  })

  it("FREIGHT_PROFILE beats the current one", () => {
    expect(settings({ FREIGHT_PROFILE: "wholesale" }).value("freightBaseUrl")).toBe(
      "https://wholesale.example",
    )
  })

  it("the current one is used when none is named", () => {
    expect(settings().value("freightBaseUrl")).toBe("https://acme.example/v0")
  })

  it("there need be none", () => {
    expect(settings({}, {}, {}).profile()).toEqual({ name: "default", source: "default" })
  })

  it("one that is named must exist, and the error lists those that do", async () => {
    const error = await failureOf(() => settings({}, { profile: "acmee" }).value("timeout"))
    expect(error).toMatchObject({ kind: "config", message: 'there is no profile "acmee"' })
    expect(error.hint).toContain('Did you mean "acme"?')
    expect(error.hint).toContain("acme, wholesale")
  })

  it("one that is named must exist even where the environment has all that is needed", async () => {
    const env = { FREIGHT_API_KEY: FREIGHT_KEY, FREIGHT_BASE_URL: "https://env.example" }
    const error = await failureOf(() => settings(env, { profile: "nobody" }).endpoint("freight"))
    expect(error.message).toContain('"nobody"')
  })

  it("may have the name of a method of every object", async () => {
    const error = await failureOf(() => settings({}, { profile: "constructor" }).value("timeout"))
    expect(error.message).toBe('there is no profile "constructor"')
  })

  it("that is being made does not keep the time limit from being known", () => {
    expect(settings({}, { profile: "new" }).timeoutMs()).toBe(30_000)
  })
})

describe("an endpoint", () => {
  it("is address and key", () => {
    expect(settings().endpoint("freight")).toEqual({ baseUrl: "https://acme.example/v0", key: FREIGHT_KEY })
  })

  it("without a key is not signed in, and the next command is reported", async () => {
    expect(await failureOf(() => settings().endpoint("direct-print"))).toMatchObject({
      kind: "unauthenticated",
      next: "freight auth login",
    })
  })

  it("without an address says which variable to set", async () => {
    const error = await failureOf(() =>
      settings({ DIRECT_PRINT_API_KEY: PRINT_KEY }).endpoint("direct-print"),
    )
    expect(error.kind).toBe("config")
    expect(error.hint).toContain("DIRECT_PRINT_BASE_URL")
  })

  it("with a key cut short names the variable and not the key", async () => {
    const cut = FREIGHT_KEY.slice(0, -1)
    const error = await failureOf(() => settings({ FREIGHT_API_KEY: cut }).endpoint("freight"))
    expect(error).toMatchObject({ kind: "config", message: "FREIGHT_API_KEY is not shaped like a key" })
    expect(JSON.stringify([error, error.hint])).not.toContain(HEX.slice(0, 20))
  })

  it("with a bad key in the profile names the profile", async () => {
    const config = { profiles: { default: { freightApiKey: "abc" } } }
    const error = await failureOf(() => settings({}, {}, config).endpoint("freight"))
    expect(error.message).toContain('profile "default"')
  })
})

describe("a profile that the environment beats", () => {
  const env = { FREIGHT_API_KEY: `e_${HEX}`, FREIGHT_BASE_URL: "https://acme.example/v0" }

  it("is reported when it was named by flag: the variables with another value", () => {
    expect(settings(env, { profile: "acme" }).overridden("freight")).toEqual(["FREIGHT_API_KEY"])
  })

  it("is not told when no profile was named", () => {
    expect(settings(env).overridden("freight")).toEqual([])
  })
})

describe("a damaged settings file", () => {
  it("is an error when a value may be in it", async () => {
    const error = await failureOf(() => openSettings({}, {}, damaged).value("sender"))
    expect(error.kind).toBe("config")
  })

  it("is not read for what a flag says", () => {
    expect(openSettings({ timeout: "3" }, {}, damaged).timeoutMs()).toBe(3000)
  })

  it("is not read for the sandbox's address and key", () => {
    expect(openSettings({ sandbox: true }, {}, damaged).resolve("freightApiKey").source).toBe("sandbox")
  })
})
