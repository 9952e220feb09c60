import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { desk } from "./freight.ts"
import { saved } from "./logins.ts"
import { atTerminal, hasTerminal } from "./pty.ts"
import { fileSandbox } from "./own-sandbox.ts"

const sandbox = await fileSandbox()

describe.skipIf(!hasTerminal)("auth login at a terminal", () => {
  const TYPED = () => [
    { see: "Address of the freight API", type: `${sandbox.freightBaseUrl}\r` },
    { see: "Its key", type: `${sandbox.freightApiKey}\r` },
    { see: "Address of the direct print API", type: `${sandbox.directPrintBaseUrl}\r` },
    { see: "Its key", type: `${sandbox.directPrintApiKey}\r` },
  ]

  const DOWN = "\u001b[B"
  /** To the last choice of each list, which ends there. */
  const LAST = DOWN.repeat(9)
  const SKIP_DEVICE = { see: "Which device", type: `${LAST}\r` }
  const SKIP_COLLECTION = { see: "Where are your goods collected", type: `${LAST}\r` }

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

  it("takes a key that is pasted after a wrong one, which is not kept in the hidden line", async () => {
    const made = await desk()
    const [address, key, ...print] = TYPED()
    const { code, screen } = await atTerminal(["auth", "login"], made.env, [
      address ?? { see: "", type: "" },
      { see: "Its key", type: "half-a-key\r" },
      { see: "does not look like a key", type: key?.type ?? "" },
      ...print,
      SKIP_DEVICE,
      SKIP_COLLECTION,
    ])
    expect(code, screen).toBe(0)
    expect(screen).not.toContain("does not accept the key")
    expect(await saved(made)).toContain(sandbox.freightApiKey)
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
      { see: "Suburb", type: "Alexandriaa NSW\r" },
      { see: "has no postcode", type: " 6015\r" },
      { see: "6015 belongs to WA, not to NSW", type: "\u0015Alexandria NSW 2015\r" },
      { see: "Contact", type: "\r" },
      { see: "Phone", type: "5550 1234\r" },
      { see: "has no area code", type: "\u0015(02) 5550 1234\r" },
      { see: "Email", type: "dock@harbour\r" },
      { see: "does not look like an email", type: ".example\r" },
      { see: "Save it as", type: "\r" },
      { see: "sender's address too?", type: "\r" },
    ])
    expect(code, screen).toBe(0)
    expect(screen).toMatch(/prints on device-\w+/)
    expect(screen).toContain('goods are collected at "warehouse", which is the sender too')
    const addresses = (await made.freight(["address", "list", "--json"])).items()
    expect(addresses).toMatchObject([
      {
        name: "warehouse",
        companyName: "Harbour Lighting",
        address1: "14 Bourke Road",
        suburb: "Alexandria",
        state: "NSW",
        postcode: "2015",
        phoneAreaCode: "02",
        phoneNumber: "55501234",
        email: "dock@harbour.example",
      },
    ])
    for (const setting of ["collection", "sender"])
      expect((await made.freight(["config", "get", setting])).stdout).toBe("warehouse\n")
    const devices = (await made.freight(["devices", "list", "--json"])).items<{ usedFor: string[] }>()
    expect(devices.flatMap(({ usedFor }) => usedFor)).toContain("freight")
  })

  it.each([
    ["--plain", ["--plain"], {}],
    ["TERM=dumb", [], { TERM: "dumb" }],
  ])("asks in plain lines with %s, and shows no key", async (_, flags, more) => {
    const made = await desk()
    const [address, key] = TYPED()
    const { code, screen } = await atTerminal(
      ["auth", "login", "--api", "freight", ...flags],
      { ...made.env, ...more },
      [
        address ?? { see: "", type: "" },
        key ?? { see: "", type: "" },
        { see: "Which device", type: "not now\r" },
        { see: "Where are your goods collected", type: "not now\r" },
      ],
    )
    expect(code, screen).toBe(0)
    expect(screen).toContain("Type an answer and press Enter.")
    expect(screen).not.toContain(sandbox.freightApiKey.slice(-20))
    expect(await saved(made)).toContain(sandbox.freightApiKey)
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
    expect(screen).toContain('goods are collected at "depot"')
    expect(screen).not.toContain("Which device")
  })

  it("what is skipped is named with its command", async () => {
    const made = await desk()
    const steps = [...TYPED(), SKIP_DEVICE, SKIP_COLLECTION]
    const { screen } = await atTerminal(["auth", "login"], made.env, steps)
    const [, summary = ""] = screen.split("Done:")
    expect(summary.trim().split(/\s*\n\s*/)).toEqual([
      "signed in to the freight API and the direct print API",
      "Next:",
      "freight book",
      "freight devices use",
      "freight address add NAME",
      "freight config set collection NAME",
      "freight doctor",
    ])
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

  it("an address is tried at once: without its path it is found, and where nothing answers it is asked for again", async () => {
    const made = await desk()
    const [, key] = TYPED()
    if (!key) throw new Error("four steps")
    const { origin } = new URL(sandbox.freightBaseUrl)
    const { code, screen } = await atTerminal(["auth", "login", "--api", "freight"], made.env, [
      { see: "with its path: https://api.example.com/v1", type: `${origin}/nowhere\r` },
      { see: "nothing of freight answers at", type: `${origin}\r` },
      { see: `answers at ${sandbox.freightBaseUrl}`, type: key.type },
      SKIP_DEVICE,
      SKIP_COLLECTION,
    ])
    expect(code, screen).toBe(0)
    expect(await saved(made)).toContain(sandbox.freightBaseUrl)
  })

  it("an address that cannot be tried now is tried again on Enter, and what it does is said", async () => {
    const made = await desk()
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`)
      response.writeHead(503).end()
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const typed = `http://127.0.0.1:${port}/v1`
    const { code, screen } = await atTerminal(["auth", "login", "--api", "freight"], made.env, [
      { see: "Address of the freight API", type: `${typed}\r` },
      { see: "cannot be tried now", type: "\r" },
      { see: "cannot be tried now", type: "\u0003" },
    ])
    expect(code, screen).toBe(130)
    expect(screen).toContain(`Trying ${typed}, without a key.`)
    expect(screen).toContain("--offline")
    // Nothing of the person's is sent there, and no other path is guessed at.
    expect([...new Set(asked)]).toEqual(["/v1/connectors Bearer none"])
    expect(asked).toHaveLength(8)
    expect(await saved(made)).toBe("")
  })

  it("a key is not asked for again where the service is what fails: 6 as ever, and nothing is saved", async () => {
    const made = await desk()
    const server = createServer((request, response) => {
      response.writeHead(request.headers.authorization === "Bearer none" ? 401 : 503).end()
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const [, key] = TYPED()
    if (!key) throw new Error("four steps")
    const { code, screen } = await atTerminal(["auth", "login", "--api", "freight"], made.env, [
      { see: "Address of the freight API", type: `http://127.0.0.1:${port}/v1\r` },
      key,
    ])
    expect(code, screen).toBe(6)
    expect(screen).toContain("Nothing was saved")
    expect(await saved(made)).toBe("")
  })

  it("a key that is the other API's is reported and asked for again before that one is asked for, and nothing is saved", async () => {
    const made = await desk()
    const [address, key, , printKey] = TYPED()
    if (!address || !key || !printKey) throw new Error("four steps")
    const steps = [
      address,
      { ...key, type: printKey.type },
      { see: "is it that of the direct print API?", type: "\u0003" },
    ]
    const { code, screen } = await atTerminal(["auth", "login"], made.env, steps)
    expect(code, screen).toBe(130)
    expect(screen).not.toContain("Address of the direct print API")
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

  it("--api-key-stdin does not read a key from the keyboard", async () => {
    const made = await desk()
    const { code, screen } = await atTerminal(["auth", "login", "--api-key-stdin"], made.env, [])
    expect(code).toBe(2)
    expect(screen).toMatch(/pipe the\s+key\s+in/)
  })
})
