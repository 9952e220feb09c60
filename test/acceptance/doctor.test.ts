import { readFile, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { examined } from "./doctors.ts"
import { desk } from "./freight.ts"
import { fileSandbox } from "./own-sandbox.ts"
import type { SandboxReach } from "./sandbox.ts"

const sandbox = await fileSandbox()

const withKeys = (changes: Partial<SandboxReach>) => desk({ ...sandbox, ...changes })

describe("doctor", () => {
  it("finds nothing wrong where all is well", async () => {
    const made = await desk(sandbox)
    for (const api of ["freight", "direct-print"])
      expect((await made.freight(["devices", "use", "device-bench", "--api", api])).code).toBe(0)
    const { code, report } = await examined(made)
    expect(report.items.filter(({ state }) => state !== "ok")).toEqual([])
    expect(report.ok).toBe(true)
    expect(code).toBe(0)
  })

  it("looks at everything", async () => {
    const { found } = await examined(await desk(sandbox))
    expect([...found.keys()]).toEqual([
      "node",
      "settings-file",
      "state-folder",
      "profile",
      "freight-address",
      "freight-key",
      "freight-access",
      "direct-print-address",
      "direct-print-key",
      "print-scopes",
      "freight-device",
      "direct-print-device",
      "clock",
      "certificates",
      "proxy",
      "addresses",
      "ledger",
    ])
  })

  it("works on the sandbox", async () => {
    const { code } = await examined(await desk(), {}, "--sandbox")
    expect(code).toBe(0)
  })

  it("prints a line for each, and the fix below what is wrong", async () => {
    const { freight } = await desk()
    const { code, stdout } = await freight(["doctor"])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ok {4}node +Node /m)
    expect(stdout).toMatch(/\n\n1 of 10 checks failed\n$/)
    expect(stdout).toMatch(/^FAIL {2}freight-key +not signed in.*\n.*\n +next: freight auth login$/m)
  })

  it("tells a saved party and a saved package that cannot be used", async () => {
    const made = await desk(sandbox)
    const supplier = ["--supplier-id", "S-1", "--supplier-name", "Harbour", "--abn", "51824753556"]
    await made.freight(["party", "add", "harbour", ...supplier])
    await made.freight(["package", "add", "small", "30x20x10@2"])
    const sound = (await examined(made)).found
    expect(sound.get("parties")).toMatchObject({ state: "ok", message: "1 saved, all valid" })
    expect(sound.get("packages")).toMatchObject({ state: "ok" })
    const file = (await made.freight(["config", "path"])).stdout.trim()
    const text = await readFile(file, "utf8")
    await writeFile(file, text.replace("51824753556", "51824753557").replace("30x20x10@2", "30x20"))
    const { found, code } = await examined(made)
    expect(code).toBe(1)
    expect(found.get("parties")).toMatchObject({
      state: "fail",
      message: expect.stringContaining('the saved party "harbour": --abn: '),
      next: "freight party add harbour --replace",
    })
    expect(found.get("packages")).toMatchObject({ state: "fail", next: "freight package list" })
    await writeFile(file, text.replace("30x20x10@2", "300x200x100@2"))
    expect((await examined(made)).found.get("packages")).toMatchObject({
      state: "warn",
      message:
        'the saved package "small": 2 kg in 300 × 200 × 100 cm: 0.33 kg/m³, and goods have 2 to 12,000',
      next: "freight package list",
    })
    await writeFile(file, text.replace(/"supplierName": "Harbour",\s*/, ""))
    expect((await examined(made)).found.get("parties")).toMatchObject({
      state: "fail",
      message: 'the saved party "harbour": it is neither a whole supplier nor a whole customer',
    })
  })

  it("says that nobody is signed in, and how to", async () => {
    const { code, found } = await examined(await desk())
    expect(code).toBe(1)
    expect(found.get("freight-key")).toMatchObject({
      state: "fail",
      next: "freight auth login",
    })
    expect(found.get("direct-print-key")?.state).toBe("ok")
  })

  it("tells swapped keys from wrong ones", async () => {
    const { directPrintApiKey, freightApiKey } = sandbox
    const swapped = await examined(
      await withKeys({ freightApiKey: directPrintApiKey, directPrintApiKey: freightApiKey }),
    )
    for (const check of ["freight-key", "direct-print-key"])
      expect(swapped.found.get(check)).toMatchObject({
        state: "fail",
        message: expect.stringContaining("the two keys are swapped"),
        next: expect.stringMatching(/^unset \S+ \S+; freight auth login --api /),
      })
    const wrong = await examined(await withKeys({ freightApiKey: sandbox.keys.revokedFreight ?? "" }))
    expect(wrong.found.get("freight-key")).toMatchObject({
      state: "fail",
      message: "the freight API does not accept the key",
      remedy: expect.stringContaining("FREIGHT_API_KEY"),
      next: "unset FREIGHT_API_KEY FREIGHT_BASE_URL; freight auth login --api freight",
    })
  })

  it.each([
    ["a key cut short", { FREIGHT_API_KEY: "abc" }, "freight-key"],
    ["an address that is none", { FREIGHT_BASE_URL: "freight.example" }, "freight-address"],
    ["an address without https", { FREIGHT_BASE_URL: "http://freight.example" }, "freight-address"],
    ["an address where nobody answers", { FREIGHT_BASE_URL: "http://127.0.0.1:1" }, "freight-address"],
    ["a profile that does not exist", { FREIGHT_PROFILE: "nobody" }, "profile"],
  ])("fails for %s", async (_, env, check) => {
    const { code, found } = await examined(await desk(sandbox), env)
    expect(code).toBe(1)
    expect(found.get(check)?.state).toBe("fail")
    expect(found.get(check)?.remedy).toBeTruthy()
    expect(found.get(check)?.next).toMatch(/freight \S+/)
  })

  it("keeps a key of the environment where only nobody answers", async () => {
    const { found } = await examined(await desk(sandbox), { FREIGHT_BASE_URL: "http://127.0.0.1:1" })
    expect(found.get("freight-address")?.next).toBe("freight doctor")
  })

  it("has commands in lines that do not wrap, each as far in as it fits", async () => {
    const made = await withKeys({ freightApiKey: sandbox.keys.revokedFreight ?? "" })
    for (const [columns, margin] of [
      [200, 27],
      [80, 27],
      [60, 6],
    ] as const) {
      const { stdout } = await made.freight(["doctor"], { columns })
      const [first, second] = [margin, margin + 6].map((width) => " ".repeat(width))
      expect(stdout).toContain(
        `\n${first}next: unset FREIGHT_API_KEY FREIGHT_BASE_URL\n${second}freight auth login --api freight\n`,
      )
    }
  })

  it("names the proxy without its password", async () => {
    const env = { FREIGHT_BASE_URL: "https://freight.example", HTTPS_PROXY: "http://me:hunter2@127.0.0.1:1" }
    const { found, text } = await examined(await desk(sandbox), env)
    expect(found.get("proxy")?.message).toMatch(/^through 127\.0\.0\.1:1;/)
    expect(text).not.toContain("hunter2")
  })

  it("never shows a key", async () => {
    const { text } = await examined(await desk(sandbox))
    for (const key of [sandbox.freightApiKey, sandbox.directPrintApiKey])
      expect(text).not.toContain(key.slice(-20))
  })
})

describe("doctor and the clock", () => {
  let offMs = 0
  let server: Server
  beforeAll(async () => {
    server = createServer((request, response) => {
      const body = request.url?.endsWith("/devices") ? { devices: [] } : { connectors: [] }
      response.setHeader("date", new Date(Date.now() + offMs).toUTCString())
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it.each([
    ["agrees", 0, "ok", 0],
    ["is two hours off", -7_200_000, "fail", 1],
  ] as const)("a clock that %s", async (_, off, state, exit) => {
    offMs = off
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const made = await withKeys({ freightBaseUrl: baseUrl, directPrintBaseUrl: baseUrl })
    const { code, found } = await examined(made)
    expect(found.get("clock")?.state).toBe(state)
    expect(code).toBe(exit)
  })
})
