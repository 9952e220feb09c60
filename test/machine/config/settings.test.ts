import path from "node:path"
import { describe, expect, it } from "vitest"
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
