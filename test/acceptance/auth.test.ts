import { readdir, readFile, stat } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { desk } from "./freight.ts"
import { atTerminal, hasTerminal } from "./pty.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess()
})
afterAll(() => sandbox.stop())

type Desk = Awaited<ReturnType<typeof desk>>
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

/** Everything that stands in the settings folder. */
async function saved({ folder }: Desk): Promise<string> {
  const config = path.join(folder, "config")
  const names = await readdir(config).catch(() => [])
  return (await Promise.all(names.map((name) => readFile(path.join(config, name), "utf8")))).join("\n")
}

function login(made: Desk, key: string, ...more: string[]) {
  const args = ["auth", "login", "--with-key", "--base-url", sandbox.freightBaseUrl, ...more]
  return made.freight(args, { input: `${key}\n` })
}

function printLogin(made: Desk, key: string, ...more: string[]) {
  const args = ["auth", "login", "--with-key", "--api", "direct-print", ...more]
  return made.freight([...args, "--base-url", sandbox.directPrintBaseUrl], { input: key })
}

describe("auth login --with-key", () => {
  it("tries the key, saves it, and every command then works", async () => {
    const made = await desk()
    const { code, stdout, stderr } = await login(made, sandbox.freightApiKey)
    expect(code).toBe(0)
    expect(stderr).toContain("Saved in profile 'default'")
    expect(stdout).toContain(`…${sandbox.freightApiKey.slice(-4)}`)
    expect((await made.freight(["connectors"])).code).toBe(0)
  })

  it("saves in a file of mode 0600, in a folder of mode 0700", async () => {
    const made = await desk()
    await login(made, sandbox.freightApiKey)
    const config = path.join(made.folder, "config")
    expect((await stat(config)).mode & 0o777).toBe(0o700)
    expect((await stat(path.join(config, "config.json"))).mode & 0o777).toBe(0o600)
  })

  it("says as JSON what was saved, the key masked", async () => {
    const made = await desk()
    const { json } = await login(made, sandbox.freightApiKey, "--json")
    expect(json()).toEqual([
      {
        profile: "default",
        api: "freight",
        baseUrl: sandbox.freightBaseUrl,
        key: `…${sandbox.freightApiKey.slice(-4)}`,
        checked: true,
      },
    ])
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
    await login(made, sandbox.freightApiKey)
    await login(made, sandbox.keys.secondTenantFreight ?? "", "--profile", "second")
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
    const { code, stderr } = await login(made, key)
    expect(code).toBe(exit)
    expect(stderr).toContain(words)
    expect(await saved(made)).toBe("")
  })

  it("does not save a key whose account has no freight access", async () => {
    const made = await desk()
    const { code, stderr } = await login(made, sandbox.keys.noFreightAccess ?? "")
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
    const { code, stderr } = await login(made, sandbox.directPrintApiKey)
    expect(code).toBe(4)
    expect(stderr).toContain("that is the key of the direct print API")
    expect(await saved(made)).toBe("")
  })

  it("saves a print key without devices:read, and says what it lacks", async () => {
    const made = await desk()
    const { code, stderr } = await printLogin(made, sandbox.keys.withoutDevicesRead ?? "")
    expect(code).toBe(0)
    expect(stderr).toContain("devices:read")
  })

  it("refuses an address that would show the key to the network", async () => {
    const made = await desk()
    const args = ["auth", "login", "--with-key", "--base-url", "http://freight.example/v0"]
    const { code, stderr } = await made.freight(args, { input: sandbox.freightApiKey })
    expect(code).toBe(2)
    expect(stderr).toContain("https://")
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

describe.skipIf(!hasTerminal)("auth login at a terminal", () => {
  const TYPED = () => [
    { see: "Address of the freight API", type: `${sandbox.freightBaseUrl}\r` },
    { see: "Its key", type: `${sandbox.freightApiKey}\r` },
    { see: "Address of the direct print API", type: `${sandbox.directPrintBaseUrl}\r` },
    { see: "Its key", type: `${sandbox.directPrintApiKey}\r` },
  ]

  const DOWN = "\u001b[B"
  const UP = "\u001b[A"
  /** The last choice of each list. */
  const SKIP_DEVICE = { see: "Which device", type: `${UP}\r` }
  const SKIP_COLLECTION = { see: "Where are your goods collected", type: `${UP}\r` }

  it("asks for both APIs, shows no key, and saves", async () => {
    const made = await desk()
    const steps = [...TYPED(), SKIP_DEVICE, SKIP_COLLECTION]
    const { code, screen } = await atTerminal(["auth", "login"], made.env, steps)
    expect(code).toBe(0)
    for (const key of [sandbox.freightApiKey, sandbox.directPrintApiKey]) {
      expect(screen).not.toContain(key.slice(-20))
      expect(await saved(made)).toContain(key)
    }
  })

  it("an API that is left empty is skipped", async () => {
    const made = await desk()
    const [address, key] = TYPED()
    const { code } = await atTerminal(["auth", "login"], made.env, [
      address ?? { see: "", type: "" },
      key ?? { see: "", type: "" },
      { see: "Address of the direct print API", type: "\r" },
      SKIP_DEVICE,
      SKIP_COLLECTION,
    ])
    expect(code).toBe(0)
    expect(await saved(made)).not.toContain("directPrint")
  })

  it("asks again for what is not shaped like a key", async () => {
    const made = await desk()
    const { code, screen } = await atTerminal(["auth", "login", "--api", "freight"], made.env, [
      { see: "Address of the freight API", type: `${sandbox.freightBaseUrl}\r` },
      { see: "Its key", type: "oops\r" },
      { see: "64 hexadecimal", type: `${"\b".repeat(4)}${sandbox.freightApiKey}\r` },
      SKIP_DEVICE,
      SKIP_COLLECTION,
    ])
    expect(code).toBe(0)
    expect(screen).toContain("Saved in profile")
  })

  it("sets up the desk: a device from the fresh list, and an address that is entered", async () => {
    const made = await desk()
    const { code, screen } = await atTerminal(["auth", "login"], made.env, [
      ...TYPED(),
      { see: "Which device", type: `${DOWN}\r` },
      { see: "Where are your goods collected", type: "\r" },
      { see: "Company", type: "Harbour Lighting\r" },
      { see: "Street", type: "14 Bourke Road\r" },
      { see: "Unit", type: "\r" },
      { see: "Suburb", type: "Alexandria NSW\r" },
      { see: "has no postcode", type: " 2015\r" },
      { see: "Contact", type: "\r" },
      { see: "area code", type: "\r" },
      { see: "number", type: "\r" },
      { see: "Email", type: "\r" },
      { see: "Save it as", type: "\r" },
      { see: "sender's address too?", type: "\r" },
    ])
    expect(code, screen).toBe(0)
    expect(screen).toMatch(/prints on device-\w+/)
    expect(screen).toContain("goods are collected at 'warehouse', which is the sender too")
    const addresses = (await made.freight(["address", "list", "--json"])).json<unknown>()
    expect(addresses).toEqual([
      {
        name: "warehouse",
        companyName: "Harbour Lighting",
        address1: "14 Bourke Road",
        suburb: "Alexandria",
        state: "NSW",
        postcode: "2015",
      },
    ])
    for (const setting of ["collection", "sender"])
      expect((await made.freight(["config", "get", setting])).stdout).toBe("warehouse\n")
    const { devices } = (await made.freight(["devices", "list", "--json"])).json<{
      devices: { usedFor: string[] }[]
    }>()
    expect(devices.flatMap(({ usedFor }) => usedFor)).toContain("freight")
  })

  it("a desk that is set up is not asked again", async () => {
    const made = await desk()
    const address = ["companyName=A", "address1=1 B Street", "suburb=Perth", "state=WA", "postcode=6000"]
    await made.freight(["address", "add", "depot", ...address.flatMap((field) => ["--set", field])])
    const first = [
      ...TYPED(),
      { see: "Which device", type: "\r" },
      { see: "depot, A, Perth WA 6000", type: "\r" },
      { see: "sender's address too?", type: "n\r" },
    ]
    expect((await atTerminal(["auth", "login"], made.env, first)).code).toBe(0)
    // The addresses are known by now: Enter takes them.
    const again = TYPED().map((step) => (step.see.startsWith("Address") ? { ...step, type: "\r" } : step))
    const { code, screen } = await atTerminal(["auth", "login"], made.env, again)
    expect(code).toBe(0)
    expect(screen).toMatch(/prints on device-\w+/)
    expect(screen).toContain("goods are collected at 'depot'")
    expect(screen).not.toContain("Which device")
  })

  it("what is skipped is named with its command", async () => {
    const made = await desk()
    const steps = [...TYPED(), SKIP_DEVICE, SKIP_COLLECTION]
    const { screen } = await atTerminal(["auth", "login"], made.env, steps)
    const [, summary = ""] = screen.split("Done:")
    expect(summary).toContain("signed in to the freight API and the direct print API")
    expect(summary).toContain("freight devices use")
    expect(summary).toContain("freight config set collection NAME")
    expect(summary).toContain("freight doctor")
  })

  it("Ctrl-C after the keys leaves them saved", async () => {
    const made = await desk()
    const steps = [...TYPED(), { see: "Which device", type: "\u0003" }]
    const { code } = await atTerminal(["auth", "login"], made.env, steps)
    expect(code).toBe(130)
    expect(await saved(made)).toContain(sandbox.freightApiKey)
  })

  it("a key that may not list devices does not stop it", async () => {
    const made = await desk()
    const print = sandbox.keys.withoutDevicesRead ?? ""
    const [, , address] = TYPED()
    const { code, screen } = await atTerminal(["auth", "login", "--api", "direct-print"], made.env, [
      address ?? { see: "", type: "" },
      { see: "Its key", type: `${print}\r` },
    ])
    expect(code, screen).toBe(0)
    expect(screen).toContain("no print device was chosen")
    expect(screen).toContain("signed in to the direct print API")
  })

  it("swapped keys are told, and not saved", async () => {
    const made = await desk()
    const [address, key, printAddress, printKey] = TYPED()
    if (!address || !key || !printAddress || !printKey) throw new Error("four steps")
    const steps = [address, { ...key, type: printKey.type }, printAddress, { ...printKey, type: key.type }]
    const { code, screen } = await atTerminal(["auth", "login"], made.env, steps)
    expect(code).toBe(4)
    expect(screen).toContain("Were the two keys swapped?")
    expect(await saved(made)).toBe("")
  })

  it.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("%s ends it with 130 and saves nothing", async (_, type) => {
    const made = await desk()
    const { code } = await atTerminal(["auth", "login"], made.env, [{ see: "Address of the freight", type }])
    expect(code).toBe(130)
    expect(await saved(made)).toBe("")
  })

  it("--no-input asks nothing", async () => {
    const made = await desk()
    const { code } = await atTerminal(["auth", "login", "--no-input"], made.env, [])
    expect(code).toBe(2)
  })

  it("--with-key does not read a key from the keyboard", async () => {
    const made = await desk()
    const { code, screen } = await atTerminal(["auth", "login", "--with-key"], made.env, [])
    expect(code).toBe(2)
    expect(screen).toContain("pipe the key in")
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
    await login(made, sandbox.freightApiKey, "--profile", "acme")
    const { json } = await made.freight(["auth", "status", "--json"])
    expect(json<Status>()).toMatchObject({
      profile: "acme",
      apis: [{ from: "profile acme" }, { works: null }],
    })
  })

  it("says when devices:read is lacking", async () => {
    const { freight } = await desk({ ...sandbox, directPrintApiKey: sandbox.keys.withoutDevicesRead ?? "" })
    const { code, json } = await freight(["auth", "status", "--json"])
    expect(code).toBe(0)
    expect(json<Status>().apis[1]?.scopes).toEqual({ "devices:read": false, "print-jobs:write": "unknown" })
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

  it("works on the sandbox", async () => {
    const { freight } = await desk()
    expect((await freight(["auth", "status", "--sandbox"])).code).toBe(0)
  })
})

describe("auth logout", () => {
  it("removes the keys of the profile and leaves the others", async () => {
    const made = await desk()
    await login(made, sandbox.freightApiKey)
    await login(made, sandbox.keys.secondTenantFreight ?? "", "--profile", "second")
    expect((await made.freight(["auth", "logout"])).code).toBe(0)
    const text = await saved(made)
    expect(text).not.toContain(sandbox.freightApiKey)
    expect(text).toContain(sandbox.keys.secondTenantFreight)
    expect((await made.freight(["connectors"])).code).toBe(4)
  })

  it("keeps the address, so that signing in again needs the key alone", async () => {
    const made = await desk()
    await login(made, sandbox.freightApiKey)
    await made.freight(["auth", "logout"])
    const again = await made.freight(["auth", "login", "--with-key"], { input: sandbox.freightApiKey })
    expect(again.code).toBe(0)
  })

  it("--all removes every key", async () => {
    const made = await desk()
    await login(made, sandbox.freightApiKey)
    await login(made, sandbox.keys.secondTenantFreight ?? "", "--profile", "second")
    await made.freight(["auth", "logout", "--all"])
    expect(await saved(made)).not.toMatch(/[0-9a-f]{64}/)
  })

  it("names a profile that does not exist", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["auth", "logout", "--profile", "nobody"])
    expect(code).toBe(2)
    expect(stderr).toContain("nobody")
  })

  it("says that the environment still signs in", async () => {
    const { freight } = await desk(sandbox)
    expect((await freight(["auth", "logout"])).stderr).toContain("FREIGHT_API_KEY")
  })
})

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
    await login(made, sandbox.freightApiKey)
    await printLogin(made, sandbox.directPrintApiKey)
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
    await login(made, sandbox.freightApiKey)
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
    await login(made, sandbox.freightApiKey, "--profile", "acme")
    const env = { FREIGHT_API_KEY: sandbox.keys.secondTenantFreight ?? "" }
    const { stdout, stderr } = await made.freight(["connectors", "--profile", "acme"], { env })
    expect(stdout).toContain("second-a-sydney")
    expect(stderr).toContain("FREIGHT_API_KEY is set in the environment, and beats what profile 'acme' holds")
  })
})
