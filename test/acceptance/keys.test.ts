import { describe, expect, it } from "vitest"
import { desk } from "./freight.ts"
import { login, printLogin, saved } from "./logins.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

describe("keys", () => {
  it.each([
    ["auth", "login", "--with-key"],
    ["config", "set", "freightApiKey"],
    ["auth", "login", "--api", "freight"],
  ])("a key after %s %s %s is refused, and not repeated", async (...words) => {
    const made = await desk()
    for (const args of [
      [...words, sandbox.freightApiKey],
      [...words.slice(0, -1), `${words.at(-1)}=${sandbox.freightApiKey}`],
    ]) {
      const { code, stdout, stderr } = await made.freight(args)
      expect(code).toBe(2)
      expect(stdout + stderr).not.toContain(sandbox.freightApiKey.slice(-20))
    }
    expect(await saved(made)).toBe("")
  })

  it("never show, whatever is asked and however it fails", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey)
    await printLogin(sandbox, made, sandbox.directPrintApiKey)
    const shown: string[] = []
    const runs = [
      ["config", "list"],
      ["config", "list", "--json"],
      ["config", "get", "freightApiKey", "--json"],
      ["profile", "list", "--format", "csv"],
      ["auth", "status", "--verbose"],
      ["doctor", "--verbose", "--json"],
      ["connectors", "--verbose"],
      ["connectors", "--timeout", sandbox.freightApiKey.slice(0, 8)],
      ["connectors", "--profile", "nobody"],
    ]
    for (const args of runs) {
      const { stdout, stderr } = await made.freight(args)
      shown.push(stdout, stderr)
    }
    for (const key of [sandbox.freightApiKey, sandbox.directPrintApiKey])
      expect(shown.join("\n")).not.toContain(key.slice(-20))
    expect(shown.join("\n")).toContain(`…${sandbox.freightApiKey.slice(-4)}`)
  })

  it("never go to another origin", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey)
    await sandbox.control("faults", { fault: "redirect" })
    try {
      for (const args of [["connectors"], ["auth", "status"], ["doctor"]]) await made.freight(args)
    } finally {
      await sandbox.control("faults", undefined, "DELETE")
    }
    const { elsewhere } = (await sandbox.control("books")) as { elsewhere: unknown[] }
    expect(elsewhere).toEqual([])
  })

  it("of a profile are beaten by the environment, and --profile says so", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey, "--profile", "acme")
    const env = { FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "" }
    const { stdout, stderr } = await made.freight(["connectors", "--profile", "acme"], { env })
    expect(stdout).toContain("second-a-sydney")
    expect(stderr).toContain("FREIGHT_API_KEY is set in the environment, and beats what profile 'acme' holds")
  })
})
