/**
 * The executable (npm run executable) where there is no Node and no package. FREIGHT_TEST_EXECUTABLE names it; CI has it,
 * and runs other acceptance tests by it as well.
 */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { minimalInvoice, textOf } from "../invoice/samples.ts"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { driver } from "../ledger/setup.ts"
import { bookingDesk } from "./bookings.ts"
import { EXECUTABLE, ROOT } from "./freight.ts"
import { startSandboxProcess } from "./sandbox.ts"

const SHELLS = { bash: "freight.bash", zsh: "_freight", fish: "freight.fish", powershell: "freight.ps1" }
const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]

/** A place without Node: an empty folder that is home, working folder and all of PATH. */
function emptyPlace() {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-no-node-"))
  const env = { HOME: folder, PATH: folder, TMPDIR: folder, TZ: "UTC", LANG: "C.UTF-8" }
  const run = (args: readonly string[], { as = [] as string[], input = "", more = {} } = {}) => {
    const [file = "", ...words] = [...as, EXECUTABLE ?? "", ...args]
    const { status, stdout, stderr, error } = spawnSync(file, words, {
      cwd: folder,
      env: { ...env, ...more },
      input,
      encoding: "utf8",
      maxBuffer: 1e9,
    })
    if (error) throw error
    return { code: status, stdout, stderr }
  }
  return { folder, run }
}

async function sandbox() {
  const started = await startSandboxProcess()
  onTestFinished(() => started.stop())
  return started
}

describe.skipIf(EXECUTABLE === undefined)("the executable, where there is no Node", () => {
  it("answers without writing a file, as another user in a folder that nobody can write", () => {
    const { folder, run } = emptyPlace()
    writeFileSync(path.join(folder, "invoice.json"), textOf(minimalInvoice()))
    chmodSync(folder, 0o555)
    const as = process.getuid?.() === 0 ? ["/usr/bin/setpriv", "--reuid=12345", "--clear-groups"] : []
    const says = (...args: string[]) => {
      const { code, stdout, stderr } = run(args, { as })
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" })
      return stdout
    }
    const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"))
    expect(says("--version")).toBe(`${version}\n`)
    expect(says("--help")).toContain("Usage: freight COMMAND [flags]")
    expect(says("book", "--help")).toContain("Usage: freight book [flags]")
    expect(says("__complete", ":rat")).toContain("rate-shop")
    for (const [shell, file] of Object.entries(SHELLS))
      expect(says("completion", shell)).toBe(readFileSync(path.join(ROOT, "completions", file), "utf8"))
    expect(says("invoice", "validate", "invoice.json", "--json")).toContain('"valid": 1')
    expect(readdirSync(folder)).toEqual(["invoice.json"])
  })

  it("goes the whole way, from rates to the ledger", () => {
    const { folder, run } = emptyPlace()
    const did = (...args: string[]) => {
      const { code, stdout, stderr } = run(["--sandbox", ...args])
      expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" })
      return stdout
    }
    expect(did("rate-shop", ...LANE)).toContain("TOTAL AUD")
    writeFileSync(path.join(folder, "booking.json"), did("book", "--example"))
    const words = ["book", "--file", "booking.json", "--connector", "connector-b", "--service", "GEN"]
    const booking = did(...words, "--key", "K-1", "--wait", "--label", "label.pdf", "--json")
    const { shipmentId, consignmentNumber } = JSON.parse(booking)
    expect(readFileSync(path.join(folder, "label.pdf"), "latin1")).toMatch(/^%PDF-/)
    did("label", shipmentId, "-o", "again.pdf")
    expect(JSON.parse(did("track", consignmentNumber, "--json")).items).toMatchObject([{ supported: true }])
    expect(JSON.parse(did(...words, "--key", "K-1", "--json"))).toMatchObject({ shipmentId })
    expect(JSON.parse(did("history", "--json")).items).toHaveLength(1)
    expect(run(["--sandbox", "shipments", "show", "no-such-shipment"]).code).toBe(5)
    expect(run(["--sandbox", "book", "--no-such-flag"]).code).toBe(2)
  })

  it("checks many invoices in threads as the package does", () => {
    const { folder, run } = emptyPlace()
    const good = JSON.stringify(minimalInvoice())
    const lines = Array.from({ length: 20_000 }, (_, at) =>
      at % 100 === 0 ? good.replace("INV", "inv") : good,
    )
    writeFileSync(path.join(folder, "in.ndjson"), lines.join("\n"))
    for (let at = 0; at < 600; at++) writeFileSync(path.join(folder, `${at}.json`), lines[at] ?? "")
    for (const args of [["in.ndjson"], ["."]]) {
      const words = ["invoice", "validate", ...args, "--format", "ndjson"]
      const { code, stdout, stderr } = run(words)
      const built = spawnSync(process.execPath, [path.join(ROOT, "bin/freight.js"), ...words], {
        cwd: folder,
        encoding: "utf8",
        maxBuffer: 1e9,
      })
      expect([code, stderr]).toEqual([1, ""])
      expect(stdout === built.stdout).toBe(true)
    }
  })

  it("says how it is updated where the ledger is newer: not by npm", async () => {
    const { state, book, freight } = await bookingDesk(await sandbox())
    expect((await book()).code).toBe(0)
    const other = driver(path.join(state, "ledger.db"))
    await other.exec("update ledger_schema set version = 99")
    other.close()
    const { code, stderr } = await freight(["book", "--file", "booking.json"])
    expect(code).toBe(2)
    expect(stderr).toContain("was made by a newer ")
    expect(stderr).toContain("Replace this executable with the newest one.")
    expect(stderr).not.toContain("npm")
  })

  it.runIf(SERVER)("keeps a ledger in PostgreSQL", async () => {
    const { freight, book, env } = await bookingDesk(await sandbox())
    env.FREIGHT_LEDGER = await newDatabase()
    expect(await book()).toMatchObject({ code: 0 })
    expect((await freight(["ledger", "status", "--json"])).json()).toMatchObject({
      database: "postgres",
      entries: 1,
    })
  })

  it("comes with the manual and the licences of all that is in it", () => {
    const folder = path.dirname(EXECUTABLE ?? "")
    expect(readdirSync(path.join(folder, "man/man1"))).toEqual(readdirSync(path.join(ROOT, "man")))
    expect(readFileSync(path.join(folder, "LICENSE"), "utf8")).toContain("MIT")
    expect(readFileSync(path.join(folder, "LICENSE-node"), "utf8")).toContain("Node.js is licensed for use")
    const notices = readFileSync(path.join(folder, "THIRD-PARTY-NOTICES.md"), "utf8")
    for (const name of ["undici", "pg", "pg-types", "pgpass"])
      expect(notices).toMatch(new RegExp(`^## .*\\b${name}\\b`, "m"))
    expect(existsSync(`${folder}.tar.gz`)).toBe(true)
    expect(statSync(EXECUTABLE ?? "").mode & 0o111).toBe(0o111)
  })
})

describe("npm run executable", () => {
  const major = Number.parseInt(process.versions.node, 10)

  it.skipIf(major >= 26)("is refused by a Node that is too old, with what to do", () => {
    const script = path.join(ROOT, "scripts/executable.mjs")
    const { status, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" })
    expect(status).toBe(1)
    expect(stderr).toBe(
      `executable: Node ${process.versions.node} is too old to be made into an executable: run this with Node 26 or newer, ` +
        "as in PATH=/folder/of/node/bin:$PATH npm run executable\n",
    )
  })
})
