import path from "node:path"
import { describe, expect, it } from "vitest"
import { OWN_VARIABLES } from "../../../src/machine/config/known.ts"
import { refuseMisspeltVariables } from "../../../src/machine/config/misspelt.ts"
import {
  configDir,
  stateDir,
  timeoutMs,
  variable,
  workstation,
} from "../../../src/machine/config/settings.ts"

describe("the environment", () => {
  it("counts an empty variable as not set", () => {
    expect(variable({ FREIGHT_PROFILE: " " }, "FREIGHT_PROFILE")).toBeUndefined()
  })

  it.each([
    ["its own variable", { FREIGHT_CONFIG_DIR: "/desk/c" }, "linux", "/desk/c"],
    ["XDG_CONFIG_HOME", { XDG_CONFIG_HOME: "/x" }, "linux", path.join("/x", "freight")],
    ["APPDATA on Windows", { APPDATA: "/roaming" }, "win32", path.join("/roaming", "freight", "config")],
  ])("finds the settings folder by %s", (_, env, platform, folder) => {
    expect(configDir(env, platform)).toBe(folder)
  })

  it.each([
    ["its own variable", { FREIGHT_STATE_DIR: "/desk/s" }, "linux", "/desk/s"],
    ["XDG_STATE_HOME", { XDG_STATE_HOME: "/x" }, "linux", path.join("/x", "freight")],
    ["LOCALAPPDATA on Windows", { LOCALAPPDATA: "/local" }, "win32", path.join("/local", "freight", "state")],
  ])("finds the state folder by %s", (_, env, platform, folder) => {
    expect(stateDir(env, platform)).toBe(folder)
  })

  it.each([
    ["XDG_STATE_HOME", stateDir],
    ["XDG_CONFIG_HOME", configDir],
  ] as const)("names a %s that is not a full path", (name, find) => {
    expect(() => find({ [name]: "state" }, "linux")).toThrow(`${name} must be a full path, not state`)
  })

  it.each([
    ["FREIGHT_SANDBX", "FREIGHT_SANDBOX"],
    ["FRIEGHT_SANDBOX", "FREIGHT_SANDBOX"],
    ["freight_sandbox", "FREIGHT_SANDBOX"],
    ["FREIGHT_PROFIL", "FREIGHT_PROFILE"],
    ["FREIGHT_LEGDER", "FREIGHT_LEDGER"],
    ["FREIGHT_BASEURL", "FREIGHT_BASE_URL"],
    ["FREIGHT_CONFRIM", "FREIGHT_CONFIRM"],
    ["FREIGHT_STATEDIR", "FREIGHT_STATE_DIR"],
  ])("refuses %s, which is nearly %s", (name, meant) => {
    expect(() => refuseMisspeltVariables({ [name]: "1" }, "linux")).toThrow(
      `the environment has ${name}, which freight does not know: is ${meant} meant?`,
    )
  })

  it("takes its own variables, those of firms and those that are empty", () => {
    const known = OWN_VARIABLES.flatMap(({ names }) => names)
    const env = Object.fromEntries(known.map((name) => [name, "1"]))
    const more = { FREIGHT_COST_CENTRE: "7", FREIGHT_SANDBX: "", PATH: "/bin", DIRECT_PRINT_BASE_URL: "x" }
    expect(() => refuseMisspeltVariables({ ...env, ...more }, "linux")).not.toThrow()
    expect(() => refuseMisspeltVariables({ Freight_Sandbox: "1" }, "win32")).not.toThrow()
  })

  it("names the desk by FREIGHT_WORKSTATION", () => {
    expect(workstation({ FREIGHT_WORKSTATION: "bench-2" })).toBe("bench-2")
  })
})

describe("a time limit", () => {
  it("is in seconds", () => {
    expect(timeoutMs("1.5")).toBe(1500)
  })

  it.each(["0", "-1", "3601", "soon", "", "NaN"])("'%s' is refused", (text) => {
    expect(() => timeoutMs(text, "timeout")).toThrow(/^timeout takes seconds/)
  })
})
