import { describe, expect, it } from "vitest"
import {
  addressesCheck,
  clockCheck,
  deviceCheck,
  ledgerCheck,
  nodeCheck,
  privacyCheck,
  profileCheck,
  proxyCheck,
  settingsFileCheck,
  stateFolderCheck,
} from "../../../src/reports/doctor/checks.ts"
import { FreightError } from "../../../src/base/errors.ts"

const oops = new FreightError("config", "something is wrong", { hint: "Fix it.", next: "freight fix" })

describe("Node", () => {
  it.each([
    ...["22.1.0", "24.11.1", "99.0.0"].map((version) => [version, "ok", ""]),
    ...["20.19.0", "20.20.2", "25.1.0"].map((version) => [version, "warn", "no security fixes since 2026-"]),
    ...["20.18.3", "18.20.8"].map((version) => [version, "fail", "20.19"]),
  ] as const)("%s: %s", (version, state, told) => {
    expect(nodeCheck(version, "linux", "2026-11-26")).toMatchObject({
      state,
      message: expect.stringContaining(told),
    })
  })

  it.each([
    ["darwin", "brew install node"],
    ["win32", "winget install OpenJS.NodeJS.LTS"],
    ["linux", undefined],
  ])("is renewed on %s by %s", (platform, command) => {
    const { next, remedy } = nodeCheck("18.20.8", platform, "2026-11-26")
    expect(next).toBe(command)
    expect(remedy).toContain("ask the person who looks after this machine")
    expect(remedy?.includes("https://nodejs.org")).toBe(command === undefined)
  })
})

describe("the settings file", () => {
  it("need not be there", () => {
    expect(settingsFileCheck("/c/config.json", false, undefined, "linux").state).toBe("ok")
  })

  it.each([
    ["linux", "mv '/c/config.json' '/c/config.json.damaged'"],
    ["win32", 'move "/c/config.json" "/c/config.json.damaged"'],
  ])("that cannot be read fails, with the command that moves it away on %s", (platform, next) => {
    expect(settingsFileCheck("/c/config.json", true, oops, platform)).toMatchObject({
      state: "fail",
      message: "something is wrong",
      remedy: "Fix it.",
      next,
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

  it("that others may read comes with the command to fix it", () => {
    const check = privacyCheck("/c/config.json", "/c", { file: 0o644, folder: 0o700 }, "linux")
    expect(check?.next).toBe("chmod 600 '/c/config.json'")
  })

  it.each([
    ["C:\\Users\\Jörg\\AppData\\Roaming\\freight\\config", "C:\\Users\\Jörg", "ok"],
    ["c:\\users\\jörg\\freight", "C:\\Users\\Jörg", "ok"],
    ["C:\\Users\\Jörg2", "C:\\Users\\Jörg", "warn"],
    ["C:\\shared", "C:\\Users\\Jörg", "warn"],
    ["D:\\Users\\Jörg\\freight", "C:\\Users\\Jörg", "warn"],
    ["\\\\server\\share", "C:\\Users\\Jörg", "warn"],
    ["\\\\server\\profiles\\jörg\\freight", "\\\\server\\profiles\\jörg", "ok"],
    ["C:\\shared", undefined, "warn"],
  ])("on Windows is private in the user's folder, whatever its mode: %s", (folder, home, state) => {
    const modes = { file: 0o666, folder: 0o777 }
    expect(
      privacyCheck(`${folder}\\config.json`, folder, modes, "win32", ["C:\\Users\\Other", home])?.state,
    ).toBe(state)
  })

  it("is not judged where there is none", () => {
    expect(privacyCheck("/c/f", "/c", { file: undefined, folder: undefined }, "linux")).toBeUndefined()
  })
})

it("a profile exists or does not", () => {
  expect(profileCheck("acme", undefined)).toMatchObject({ state: "ok", message: 'profile "acme"' })
  const gone = { state: "fail", remedy: "Fix it.", next: "freight fix" }
  expect(profileCheck("acme", oops)).toMatchObject(gone)
})

describe("the clock", () => {
  const here = Date.parse("2026-11-23T00:00:00Z")

  it.each([
    [0, "ok"],
    [60_000, "ok"],
    [60_001, "warn"],
    [-61_000, "warn"],
    [1_200_000, "warn"],
    [3_599_000, "fail"],
    [3_600_000, "fail"],
    [-7_200_000, "fail"],
  ] as const)("%i ms off: %s", (off, state) => {
    expect(clockCheck({ here, server: here + off }, "linux").state).toBe(state)
  })

  it("says by how much and which way", () => {
    expect(clockCheck({ here, server: here - 600_000 }, "linux").message).toContain("10 min ahead of")
    expect(clockCheck({ here, server: here + 9_000_000 }, "linux").message).toContain("2.5 h behind")
    expect(clockCheck({ here, server: here + 3_599_000 }, "linux").message).toContain("1 h behind")
  })

  it.each([
    ["linux", /timedatectl/],
    ["darwin", /sntp/],
    ["win32", /w32tm/],
    ["freebsd", /date/],
  ])("comes with the command that sets it on %s", (platform, command) => {
    expect(clockCheck({ here, server: here + 3_600_000 }, platform).next).toMatch(command)
  })
})

describe("what is around it", () => {
  const BEHIND = { proxies: ["proxy.example:3128"], barred: [], silent: [], exempt: undefined }

  it.each([
    ["a proxy is named", BEHIND, { state: "ok", message: "through proxy.example:3128" }],
    ["one that is no address fails", oops, { state: "fail", next: "export HTTPS_PROXY=http://HOST:PORT" }],
    [
      "a host that answers neither way leaves it in doubt",
      { ...BEHIND, silent: ["freight.example"] },
      { state: "warn" },
    ],
  ])("%s", (_what, found, check) => {
    expect(proxyCheck(found, "linux")).toMatchObject(check)
  })

  it.each([
    ["linux", undefined, "export NO_PROXY=freight.example"],
    ["linux", "a.example", "export NO_PROXY=a.example,freight.example"],
    ["win32", undefined, '$env:NO_PROXY = "freight.example"'],
  ])("a proxy in the way fails, with the command that goes past it: %s, NO_PROXY=%s", (platform, exempt, next) => {
    const check = proxyCheck({ ...BEHIND, barred: ["freight.example"], exempt }, platform)
    expect(check).toMatchObject({ state: "fail", next })
    expect(check.message).toContain("proxy.example:3128 is in the way: freight.example answers without it")
  })

  it("a state folder that cannot be written fails", () => {
    expect(stateFolderCheck("/s", "EROFS", "linux")).toMatchObject({
      state: "fail",
      next: "export FREIGHT_STATE_DIR=FOLDER",
    })
  })

  it.each([
    [0, undefined, "ok", undefined],
    [1, undefined, "warn", "freight reconcile"],
    [3, undefined, "warn", "freight reconcile"],
    [0, oops, "fail", "freight fix"],
  ] as const)("%i open entries of the ledger, error %s: %s, %s", (open, error, state, next) => {
    const check = ledgerCheck(open, "ledger.db", error)
    expect([check.state, check.next]).toEqual([state, next])
  })

  const choose = (api: string) => `freight devices use --api ${api}`
  it.each([
    ["one that is there", "freight", "bench", ["desk", "bench"], "ok", undefined],
    ["one that is gone", "direct-print", "bench", ["desk"], "fail", choose("direct-print")],
    ["several, of which none is chosen", "freight", undefined, ["bench", "desk"], "warn", choose("freight")],
    ["a single one, which needs no choice", "freight", undefined, ["bench"], "ok", undefined],
    ["none", "freight", undefined, [], "ok", undefined],
    ["those that cannot be listed", "freight", "bench", oops, "warn", "freight fix"],
  ] as const)("devices: %s", (_what, api, chosen, listed, state, next) => {
    const check = deviceCheck(api, chosen, listed instanceof FreightError ? listed : [...listed])
    expect([check.state, check.next]).toEqual([state, next])
  })
})

describe("saved addresses", () => {
  const named = [{ setting: "sender", name: "home" }]

  it("pass the check where they are good, or where there are none", () => {
    expect(addressesCheck(new Map(), []).state).toBe("ok")
    expect(addressesCheck(new Map([["home", undefined]]), named).state).toBe("ok")
  })

  it("one that a profile names and nobody saved fails", () => {
    expect(addressesCheck(new Map(), named)).toMatchObject({
      state: "fail",
      next: "freight config unset sender",
    })
  })

  it("one that cannot be used fails before one that is doubtful, which is a warning", () => {
    const doubtful = ["home", { doubt: "0800 is in NT" }] as const
    const broken = ["big shed", { error: "suburb is missing" }] as const
    expect(addressesCheck(new Map([doubtful]), named)).toMatchObject({
      state: "warn",
      next: "freight address add home --replace",
    })
    expect(
      addressesCheck(new Map<string, { doubt: string } | { error: string }>([doubtful, broken]), named),
    ).toMatchObject({
      state: "fail",
      message: 'the saved address "big shed": suburb is missing',
      next: 'freight address add "big shed" --replace',
    })
  })
})
