import { describe, expect, it } from "vitest"
import {
  type ApiFacts,
  apiChecks,
  clockCheck,
  deviceCheck,
  ledgerCheck,
  nodeCheck,
  privacyCheck,
  profileCheck,
  proxyCheck,
  settingsFileCheck,
  stateFolderCheck,
} from "../../src/config/checks.ts"
import { FreightError } from "../../src/errors.ts"
import { FREIGHT_KEY } from "./setup.ts"

const oops = new FreightError("config", "something is wrong", { hint: "Mend it.", next: "freight mend" })

describe("Node", () => {
  it.each(["20.19.0", "20.20.2", "22.1.0", "24.11.1"])("%s will do", (version) => {
    expect(nodeCheck(version).state).toBe("ok")
  })

  it.each(["20.18.3", "18.20.8"])("%s is too old", (version) => {
    expect(nodeCheck(version)).toMatchObject({ state: "fail", remedy: expect.stringContaining("20.19") })
  })
})

describe("the settings file", () => {
  it("need not be there", () => {
    expect(settingsFileCheck("/c/config.json", false, undefined).state).toBe("ok")
  })

  it("that is damaged fails with the mend", () => {
    expect(settingsFileCheck("/c/config.json", true, oops)).toMatchObject({
      state: "fail",
      message: "something is wrong",
      remedy: "Mend it. Run: freight mend",
    })
  })

  it.each([
    [0o600, 0o700, "ok"],
    [0o400, 0o755, "ok"],
    [0o640, 0o700, "fail"],
    [0o604, 0o700, "fail"],
    [0o600, 0o770, "warn"],
    [0o600, 0o777, "warn"],
  ] as const)("with mode %o in a folder of mode %o: %s", (file, folder, state) => {
    expect(privacyCheck("/c/config.json", "/c", { file, folder }, "linux")?.state).toBe(state)
  })

  it("that others may read comes with the command to mend it", () => {
    const check = privacyCheck("/c/config.json", "/c", { file: 0o644, folder: 0o700 }, "linux")
    expect(check?.remedy).toContain("chmod 600 '/c/config.json'")
  })

  it("is not judged by its mode on Windows", () => {
    expect(privacyCheck("c:\\config.json", "c:\\", { file: 0o666, folder: 0o777 }, "win32")).toBeUndefined()
  })

  it("is not judged where there is none", () => {
    expect(privacyCheck("/c/f", "/c", { file: undefined, folder: undefined }, "linux")).toBeUndefined()
  })
})

describe("the profile", () => {
  it("exists", () => {
    expect(profileCheck("acme", undefined)).toMatchObject({ state: "ok", message: "profile 'acme'" })
  })

  it("does not exist", () => {
    expect(profileCheck("acme", oops)).toMatchObject({ state: "fail", remedy: "Mend it. Run: freight mend" })
  })
})

const GOOD: ApiFacts = {
  api: "freight",
  key: { value: FREIGHT_KEY, source: "profile", from: "default" },
  baseUrl: { value: "https://freight.example", source: "profile", from: "default" },
  tried: { outcome: "works" },
}
const PRINT: ApiFacts = { ...GOOD, api: "direct-print" }
const NOTHING = { value: undefined, source: "none" } as const

function states(facts: ApiFacts): Record<string, string> {
  return Object.fromEntries(apiChecks(facts).map(({ check, state }) => [check, state]))
}

describe("an API", () => {
  it("that answers: address, key and access are fine", () => {
    expect(states(GOOD)).toEqual({ "freight-address": "ok", "freight-key": "ok", "freight-access": "ok" })
  })

  it("the print API's scopes are told as far as can be known", () => {
    const [, , scopes] = apiChecks(PRINT)
    expect(scopes).toMatchObject({ check: "print-scopes", state: "ok" })
    expect(scopes?.message).toContain("print-jobs:write shows only when something is printed")
  })

  it("freight without a key fails", () => {
    const unusable = new FreightError("unauthenticated", "not signed in", { next: "freight auth login" })
    const { tried: _, ...untried } = GOOD
    expect(apiChecks({ ...untried, key: NOTHING, baseUrl: NOTHING, unusable })).toEqual([
      { check: "freight-key", state: "fail", message: "not signed in", remedy: "Run: freight auth login" },
    ])
  })

  it("direct print need not be set up", () => {
    expect(states({ api: "direct-print", key: NOTHING, baseUrl: NOTHING, unusable: oops })).toEqual({
      "direct-print-key": "ok",
    })
  })

  it("direct print that is set up by half fails", () => {
    expect(states({ api: "direct-print", key: NOTHING, baseUrl: PRINT.baseUrl, unusable: oops })).toEqual({
      "direct-print-key": "fail",
    })
  })

  it("whose key is well and whose address is not: the address fails", () => {
    const { tried: _, ...untried } = GOOD
    expect(states({ ...untried, unusable: oops })).toEqual({ "freight-address": "fail" })
  })

  it("that cannot be reached: the address fails, and nothing is said of the key", () => {
    expect(states({ ...GOOD, tried: { outcome: "failed", error: oops } })).toEqual({
      "freight-address": "fail",
    })
  })

  it("that is asked too often is a warning", () => {
    const error = new FreightError("rateLimited", "too many requests")
    expect(states({ ...GOOD, tried: { outcome: "failed", error } })).toEqual({ "freight-address": "warn" })
  })

  it("that refuses the key", () => {
    expect(states({ ...GOOD, tried: { outcome: "refused", error: oops } })).toEqual({
      "freight-address": "ok",
      "freight-key": "fail",
    })
  })

  it("whose key is the other's: they are swapped", () => {
    const key = apiChecks({ ...GOOD, swapped: true, tried: { outcome: "refused", error: oops } }).at(-1)
    expect(key).toMatchObject({ check: "freight-key", state: "fail" })
    expect(key?.message).toContain("the key of the direct print API: the two keys are swapped")
  })

  it("freight that is not active for the account fails", () => {
    expect(states({ ...GOOD, tried: { outcome: "forbidden", error: oops } })).toEqual({
      "freight-address": "ok",
      "freight-key": "ok",
      "freight-access": "fail",
    })
  })

  it("a print key without devices:read is a warning", () => {
    expect(states({ ...PRINT, tried: { outcome: "forbidden", error: oops } })).toMatchObject({
      "direct-print-key": "ok",
      "print-scopes": "warn",
    })
  })

  it("a key from one place for an address from another is a warning", () => {
    const baseUrl = { value: "https://x.example", source: "environment", from: "FREIGHT_BASE_URL" } as const
    const [mixed] = apiChecks({ ...GOOD, baseUrl })
    expect(mixed).toMatchObject({ check: "freight-sources", state: "warn" })
    expect(mixed?.message).toContain("profile default")
    expect(mixed?.message).toContain("FREIGHT_BASE_URL")
  })

  it("never has the key in a finding", () => {
    const all = ["works", "forbidden", "refused", "failed"] as const
    const text = JSON.stringify(all.flatMap((outcome) => apiChecks({ ...GOOD, tried: { outcome } })))
    expect(text).not.toContain(FREIGHT_KEY.slice(-20))
  })
})

describe("the clock", () => {
  const here = Date.parse("2026-11-23T00:00:00Z")

  it.each([
    [0, "ok"],
    [60_000, "ok"],
    [60_001, "warn"],
    [-61_000, "warn"],
    [3_600_000, "warn"],
    [3_600_001, "fail"],
    [-7_200_000, "fail"],
  ] as const)("%i ms off: %s", (off, state) => {
    expect(clockCheck({ here, server: here + off }).state).toBe(state)
  })

  it("says by how much and which way", () => {
    expect(clockCheck({ here, server: here - 600_000 }).message).toContain("10 min ahead of")
    expect(clockCheck({ here, server: here + 9_000_000 }).message).toContain("2.5 h behind")
  })
})

describe("what is around it", () => {
  it("a proxy is named", () => {
    expect(proxyCheck(["proxy.example:3128"], undefined)).toMatchObject({
      state: "ok",
      message: "through proxy.example:3128",
    })
  })

  it("a proxy that is no address fails", () => {
    expect(proxyCheck([], oops).state).toBe("fail")
  })

  it("a state folder that cannot be written fails", () => {
    expect(stateFolderCheck("/s", "EROFS")).toMatchObject({
      state: "fail",
      remedy: expect.stringContaining("FREIGHT_STATE_DIR"),
    })
  })

  it.each([
    [0, "ok"],
    [1, "warn"],
    [3, "warn"],
  ] as const)("%i open entries of the ledger: %s", (open, state) => {
    expect(ledgerCheck(open, undefined).state).toBe(state)
  })

  it("an open entry comes with the command that settles it", () => {
    expect(ledgerCheck(1, undefined).remedy).toBe("freight reconcile")
  })

  it("a ledger that cannot be read fails", () => {
    expect(ledgerCheck(0, oops).state).toBe("fail")
  })

  it("a device that is there is fine", () => {
    expect(deviceCheck("freight", "bench", ["desk", "bench"]).state).toBe("ok")
  })

  it("a device that is gone fails, with the command to choose another", () => {
    expect(deviceCheck("direct-print", "bench", ["desk"])).toMatchObject({
      state: "fail",
      remedy: "freight devices use --api direct-print",
    })
  })

  it("devices that cannot be listed are a warning", () => {
    expect(deviceCheck("freight", "bench", oops).state).toBe("warn")
  })
})
