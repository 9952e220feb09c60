/** Keys never show; they come from a profile, the environment, or a command: a password manager, a secret store. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { altered } from "./altered.ts"
import { desk, errorIn } from "./freight.ts"
import { login, printLogin, saved } from "./logins.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

describe("keys", () => {
  it.each([
    ["auth", "login", "--api-key-stdin"],
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

  it("never show in pieces that a server gives back: in capitals, cut, or as base64", async () => {
    const key = sandbox.freightApiKey
    const hex = key.slice(-64)
    const encode = (text: string) => Buffer.from(text).toString("base64")
    const echoes = [
      hex,
      key.toUpperCase(),
      key.slice(0, -30),
      hex.slice(9),
      hex.slice(30, 42),
      encode(`me:${key}`),
    ]
    const reach = await altered(sandbox, (reply) => {
      if (!reply.path.includes("/connectors")) return
      reply.status = 400
      reply.body = Buffer.from(
        JSON.stringify({ code: echoes[1], message: `you sent ${echoes.join(" and ")}` }),
      )
    })
    const made = await desk(reach)
    for (const flags of [[], ["--json"], ["--verbose"]]) {
      const { code, stdout, stderr } = await made.freight(["connectors", ...flags])
      expect([code, stderr]).toEqual([1, expect.stringMatching(/you sent (\S*… and )+/)])
      const shown = (stdout + stderr).toLowerCase()
      for (let at = 0; at <= hex.length - 12; at++) expect(shown).not.toContain(hex.slice(at, at + 12))
      for (const before of ["", "1", "12"])
        expect(stdout + stderr).not.toContain(encode(before + hex).slice(8, 32))
    }
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

  it("in the environment override those of a profile, and --profile says so", async () => {
    const made = await desk()
    await login(sandbox, made, sandbox.freightApiKey, "--profile", "acme")
    const env = { FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "" }
    const { stdout, stderr } = await made.freight(["connectors", "--profile", "acme"], { env })
    expect(stdout).toContain("second-a-sydney")
    expect(stderr).toContain('FREIGHT_API_KEY is set in the environment, and beats what profile "acme" holds')
  })
})

async function keyDesk() {
  const made = await desk()
  const file = path.join(made.folder, "key")
  await writeFile(file, `${sandbox.freightApiKey}\n`)
  const printKey = `"${process.execPath}" -p "fs.readFileSync('${file}','utf8')"`
  return { ...made, env: { FREIGHT_BASE_URL: sandbox.freightBaseUrl }, printKey }
}

describe("a command that prints the key", () => {
  it("signs in from the environment, also in the built binary", async () => {
    const { freight, binary, env, printKey } = await keyDesk()
    const given = { env: { ...env, FREIGHT_API_KEY_COMMAND: printKey } }
    for (const run of [freight, binary]) {
      const { code, stdout, stderr } = await run(["connectors", "--json"], given)
      expect([code, stderr]).toEqual([0, ""])
      expect(stdout).toContain("connector-a")
    }
  })

  it("signs in from the profile, until auth logout", async () => {
    const { freight, env, printKey } = await keyDesk()
    expect((await freight(["config", "set", "freightApiKeyCommand", printKey])).code).toBe(0)
    expect((await freight(["connectors"], { env })).code).toBe(0)
    const { stdout } = await freight(["config", "list"], { env })
    expect(stdout).toContain("freightApiKeyCommand")
    expect(stdout).not.toContain(sandbox.freightApiKey)
    expect((await freight(["auth", "logout"])).code).toBe(0)
    expect((await freight(["connectors"], { env })).code).toBe(4)
  })

  it("that fails is reported with what it said, by the command and by doctor, and nothing is sent", async () => {
    const { freight, env } = await keyDesk()
    const given = {
      env: {
        ...env,
        FREIGHT_API_KEY_COMMAND: `"${process.execPath}" -e "console.error('vault is locked');process.exit(3)"`,
      },
    }
    const { code, stderr } = await freight(["connectors", "--json"], given)
    expect(code).toBe(2)
    expect(errorIn(stderr)).toMatchObject({
      kind: "config",
      message: "FREIGHT_API_KEY_COMMAND failed with exit code 3",
    })
    expect((await freight(["connectors"], given)).stderr).toContain("It said: vault is locked")
    const doctor = await freight(["doctor"], given)
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(/FAIL {2}freight-key +FREIGHT_API_KEY_COMMAND failed with exit code 3/)
  })

  it.each(["stdout", "stderr"])("that prints to %s without end is stopped", async (stream) => {
    const { binary, env } = await keyDesk()
    const endless = `"${process.execPath}" -e "setInterval(() => process.${stream}.write('y'.repeat(999)), 1)"`
    const { code, stderr } = await binary(["connectors", "--json"], {
      env: { ...env, FREIGHT_API_KEY_COMMAND: endless },
    })
    expect(code).toBe(2)
    expect(errorIn(stderr)).toMatchObject({
      kind: "config",
      message: "FREIGHT_API_KEY_COMMAND was stopped: it printed more than 10,000 bytes",
    })
  })

  it("is not run for the sandbox", async () => {
    const { freight } = await keyDesk()
    const { code } = await freight(["connectors", "--sandbox"], {
      env: { FREIGHT_API_KEY_COMMAND: "exit 1" },
    })
    expect(code).toBe(0)
  })
})
