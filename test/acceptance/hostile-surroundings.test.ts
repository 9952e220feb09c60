/** Servers, disks and environments that do not keep to anything. */
import { cp, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { json, secureServer, server } from "../api/servers.ts"
import { fullInvoice } from "../invoice/samples.ts"
import { examined } from "./doctors.ts"
import { desk, errorIn, EXECUTABLE, ROOT } from "./freight.ts"
import { csvOf, order } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { bash, withFreightOnPath } from "./shell.ts"
import { ownBooking } from "./bookings.ts"

const IS_POSIX = process.platform !== "win32"

const sandbox = await fileSandbox()

/** A desk with a booking file, whose shell knows `freight`. */
async function shellDesk() {
  const made = await desk(sandbox)
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(ownBooking()))
  await writeFile(path.join(made.folder, "orders.csv"), csvOf([order("PO-1")]))
  const env = await withFreightOnPath(made)
  return { ...made, bash: (line: string) => bash(line, made.folder, env) }
}

describe("shipments list --all", () => {
  const shipment = (id: string) => ({
    id,
    carrier: "CARRIER_A_AU",
    connectorName: "A",
    orderNumber: `ORD-${id}`,
    status: "CONSIGNED",
    serviceCode: "76",
    source: "API",
    createdAt: "2026-11-20T00:00:00Z",
  })
  const page = (...ids: string[]) =>
    json({ total: 1_000_000, limit: 200, offset: 0, shipments: ids.map(shipment) })

  it.each([
    "ndjson",
    "csv",
    "table",
    "json",
  ])("as %s stops when a page brings nothing new", async (format) => {
    const { url, requests } = await server(page("one", "two"), page("two", "three"), page("two", "three"))
    const { freight } = await desk({ ...sandbox, freightBaseUrl: url })
    const { code, stdout, stderr } = await freight(["shipments", "list", "--all", "--format", format])
    expect({ code, asked: requests.length }).toEqual({ code: 1, asked: 3 })
    expect(stderr).toContain("the page from offset 4 has nothing new")
    const streams = format === "ndjson" || format === "csv"
    expect(stdout.match(/(?<!-)(one|two|three)/g)).toEqual(streams ? ["one", "two", "three"] : null)
  })

  it("as csv has one header over all pages, and the chosen fields", async () => {
    const last = json({ total: 3, limit: 200, offset: 2, shipments: [shipment("three")] })
    const first = json({ total: 3, limit: 200, offset: 0, shipments: [shipment("one"), shipment("two")] })
    const { url } = await server(first, last)
    const { freight } = await desk({ ...sandbox, freightBaseUrl: url })
    const { code, stdout } = await freight([
      ..."shipments list --all --format csv --fields".split(" "),
      "id,carrier",
    ])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: ["id,carrier", ...["one", "two", "three"].map((id) => `${id},CARRIER_A_AU`), ""].join("\n"),
    })
  })
})

describe.skipIf(process.platform !== "linux")("what was made, and cannot be printed", () => {
  it.each([
    ["book --file booking.json --json", "the booking was made: shipment"],
    ["book --file booking.json --wait --json", "the booking was made: shipment"],
    ["batch book orders.csv --json", "the booking was made: shipment"],
    ["print label demo-shipment --device device-bench --json", "the print was made: shipment demo-shipment"],
  ])("%s > /dev/full ends with 8, and names it", async (line, words) => {
    const { code, stderr } = await (await shellDesk()).bash(`freight ${line} > /dev/full`)
    expect(code).toBe(8)
    const error = errorIn(stderr)
    expect(error).toMatchObject({ kind: "stepFailed", retry: "never" })
    expect(error.message).toContain(words)
    expect(error.message).toContain("cannot write the output: the disk is full")
  })

  it("a reply that is given again ends with 2: nothing was sent", async () => {
    const { bash } = await shellDesk()
    await bash("freight book --file booking.json --key K")
    const { code } = await bash("freight book --file booking.json --key K --json > /dev/full")
    expect(code).toBe(2)
  })
})

describe.skipIf(process.platform !== "linux")(
  "a correction that is registered, and cannot be printed",
  () => {
    it("is known, so that nobody sends it twice", async () => {
      const { bash, folder } = await shellDesk()
      await writeFile(path.join(folder, "a.json"), JSON.stringify(fullInvoice()))
      const line = "freight invoice correct a.json --cancel --register"
      expect((await bash(`${line} > /dev/full`)).stderr).toContain("the disk is full")
      const { code, stderr } = await bash(line)
      expect([code, stderr]).toEqual([2, expect.stringContaining("was cancelled before")])
    })
  },
)

describe.skipIf(!IS_POSIX)("a limit of file sizes", () => {
  it.each([
    [
      "freight label demo-shipment -o label.pdf",
      "cannot write label.pdf: it would be larger than a file may be",
    ],
    [
      "freight book --example | cat > /dev/null; freight history --json > out.json",
      "cannot write the output: it would be",
    ],
  ])("%s says so", async (line, words) => {
    const { code, stderr } = await (await shellDesk()).bash(`ulimit -f 0; ${line}`)
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
  })
})

describe("secrets in an address", () => {
  const KEY = `live_${"0123456789abcdef".repeat(4)}`
  const ADDRESS = `https://user:hunter2@api.example.com/${KEY}/v1?token=tok-en`

  it.each([
    [["config", "list"]],
    [["config", "list", "--json"]],
    [["config", "get", "freightBaseUrl"]],
    [["auth", "status", "--json"]],
    [["profile", "list"]],
    [["doctor"]],
    [["help", "files"]],
    [["connectors", "--verbose"]],
  ])("are masked by %j", async (args) => {
    const { folder, freight } = await desk()
    const profiles = { default: { freightBaseUrl: ADDRESS } }
    await writeFile(path.join(folder, "config.json"), JSON.stringify({ current: "default", profiles }))
    const FREIGHT_LEDGER = "postgres://freight:hunter2@db.example.com/freight"
    const env = {
      FREIGHT_BASE_URL: ADDRESS,
      FREIGHT_API_KEY: KEY,
      FREIGHT_LEDGER,
      FREIGHT_CONFIG_DIR: folder,
    }
    const { stdout, stderr } = await freight(args, { env })
    for (const secret of ["hunter2", "tok-en", KEY]) expect(stdout + stderr).not.toContain(secret)
  })
})

describe("NODE_TLS_REJECT_UNAUTHORIZED=0", () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" }

  it("is warned of by each run that talks to an API", async () => {
    const { port } = await secureServer(json({ connectors: [] }))
    const { freight } = await desk({ ...sandbox, freightBaseUrl: `https://127.0.0.1:${port}` })
    const { code, stderr } = await freight(["connectors", "--quiet"], { env })
    expect(code).toBe(0)
    expect(
      stderr.match(/warning: NODE_TLS_REJECT_UNAUTHORIZED is 0: no certificate is checked/g),
    ).toHaveLength(1)
  })

  it("is a finding of doctor", async () => {
    const { code, found } = await examined(await desk(sandbox), env)
    expect(code).toBe(1)
    expect(found.get("certificates")).toMatchObject({ state: "fail" })
  })
})

describe("the sandbox's control path", () => {
  const ask = async (headers: Record<string, string>, method = "GET") => {
    const { port } = new URL(sandbox.freightBaseUrl)
    const { request } = await import("node:http")
    return new Promise<number | undefined>((resolve, reject) => {
      const asking = request(
        { host: "127.0.0.1", port, path: "/__sandbox/faults", method, headers },
        (reply) => {
          reply.resume()
          resolve(reply.statusCode)
        },
      )
      asking.on("error", reject).end()
    })
  }

  it.each([
    [{ host: "evil.example" }],
    [{ host: "127.0.0.1.evil.example:80" }],
    [{ host: "localhost", origin: "https://evil.example" }],
    [{ host: "localhost", origin: "null" }],
    [{ host: "localhost:4000", origin: "http://localhost:3000" }],
  ])("takes nothing with %j", async (headers) => {
    expect(await ask(headers, "DELETE")).toBe(403)
  })

  it.each([
    [{ host: "localhost:4000" }],
    [{ host: "[::1]:4000" }],
    [{ host: "localhost:4000", origin: "http://localhost:4000" }],
  ])("takes %j", async (headers) => {
    expect(await ask(headers)).toBe(200)
  })
})

describe.skipIf(!IS_POSIX || EXECUTABLE !== undefined)("an installation without its database drivers", () => {
  it.each([
    ["SQLite", "", "install Node 22.13 or newer"],
    ["PostgreSQL", "FREIGHT_LEDGER=postgres://freight@127.0.0.1/freight", "install freight again"],
  ])("says so of %s in one sentence", async (name, setting, remedy) => {
    const made = await shellDesk()
    for (const part of ["bin", "dist", "package.json"])
      await cp(path.join(ROOT, part), path.join(made.folder, "lone", part), { recursive: true })
    const withoutBuiltin = systemSqlite() && "NODE_OPTIONS=--no-experimental-sqlite"
    const { code, stdout, stderr } = await made.bash(
      `${setting} ${withoutBuiltin ?? ""} "${process.execPath}" lone/bin/freight.js book --file booking.json --json`,
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    const { kind, message } = errorIn(stderr)
    expect(kind).toBe("config")
    expect(message).toContain(`the ${name} driver does not load (Cannot find module`)
    expect(message).toContain(remedy)
  })
})
