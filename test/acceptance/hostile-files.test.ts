/** Files that have no end, no room, or another's hand in them. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { constants, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { lstat, mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { MAX_CELL_LENGTH, MAX_COLUMNS } from "../../src/base/limits.ts"
import { askedAt, fileSandbox, ownSandbox } from "./own-sandbox.ts"
import { getBinary, desk, errorIn } from "./freight.ts"
import { csvOf, order } from "./orders.ts"
import { startSandboxProcess } from "./sandbox.ts"
import { bash, withFreightOnPath } from "./shell.ts"
import { ownBooking } from "./bookings.ts"

const IS_POSIX = process.platform !== "win32"
const IS_ROOT = process.getuid?.() === 0

const sandbox = await fileSandbox(startSandboxProcess)

describe("a CSV", () => {
  const batch = async (extra: Record<string, string>) => {
    const made = await desk(sandbox)
    await writeFile(path.join(made.folder, "orders.csv"), csvOf([order("PO-1", extra)]))
    return made.freight(["batch", "book", "orders.csv", "--json"])
  }
  const columns = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`Warehouse remark ${at}`, "x"]))

  it("with many columns that are not used names them in one line", async () => {
    const { code, stderr } = await batch(columns(800))
    expect(code).toBe(0)
    expect(stderr).toMatch(/^orders\.csv: 800 columns are not used: .+ and 797 more\. .+\n$/)
  })

  it("has a limit of columns, which is said", async () => {
    const { code, stderr } = await batch(columns(MAX_COLUMNS))
    expect(code).toBe(2)
    expect(stderr).toMatch(/orders\.csv has 1,0\d\d columns, and freight reads at most 1,000/)
  })

  it("has a limit of characters in a cell, which is said with its place", async () => {
    const { code, stderr } = await batch({ specialInstructions: "x".repeat(MAX_CELL_LENGTH + 1) })
    const { errors } = errorIn(stderr)
    expect(code).toBe(2)
    expect(errors).toMatchObject([
      { line: 2, field: "specialInstructions", message: expect.stringContaining("at most 32,767 of a cell") },
    ])
  })

  it("the limits are said in help", async () => {
    const { stdout } = await (await desk()).freight(["help", "files", "--sandbox"])
    for (const limit of ["100,000,000 bytes", "1,000 columns", "32,767 a cell", "200,000 shipments"])
      expect(stdout).toContain(limit)
  })
})

describe.skipIf(!IS_POSIX)("an input without end", () => {
  const zeros = ["/dev/zero"]
  it.each([
    ["a booking", ["book", "--file", ...zeros]],
    ["rows", ["batch", "book", ...zeros]],
    ["an invoice to show", ["invoice", "show", ...zeros]],
    ["a PDF", ["print", "pdf", ...zeros]],
  ])("as %s is refused at its limit", async (_what, args) => {
    const { code, stderr } = await (await desk(sandbox)).freight(args)
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("/dev/zero has more than 100,000,000 bytes"),
    })
  })

  it.each([
    ["a booking", "freight book --file - < /dev/zero"],
    ["rows", "freight batch book - < /dev/zero"],
    ["ids", "freight label - < /dev/zero"],
    ["a key", "freight auth login --api-key-stdin < /dev/zero"],
  ])("on standard input as %s is refused at its limit", async (_what, line) => {
    const made = await desk(sandbox)
    const { code, stderr } = await bash(line, made.folder, await withFreightOnPath(made))
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("standard input has more than 100,000,000 bytes"),
    })
  })

  it.skipIf(process.platform !== "linux").each([
    ["a booking", ["book", "--file", "pipe"]],
    ["rows", ["batch", "book", "pipe"]],
    ["an invoice to show", ["invoice", "show", "pipe"]],
    ["invoices", ["invoice", "validate", "pipe"]],
    ["standard input", ["book", "--file", "-"]],
  ])("that says nothing, as %s, ends with SIGTERM", async (_what, args) => {
    const { folder, env } = await desk(sandbox)
    spawnSync("mkfifo", [path.join(folder, "pipe")])
    const child = spawn(process.execPath, [getBinary(), ...args], { cwd: folder, env, stdio: "pipe" })
    const ended = once(child, "exit")
    while (!(args.includes("pipe") ? hasOpen(child.pid, "pipe") : readsStdin(child.pid))) await pause()
    child.kill("SIGTERM")
    expect(await ended).toEqual([130, null])
  })
})

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10))
}

function hasOpen(pid: number | undefined, name: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((fd) => readlink(`/proc/${pid}/fd/${fd}`).endsWith(`/${name}`))
}

function readlink(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ""
  }
}

/** Whether a process has opened its standard input, which makes that a stream that does not block. */
function readsStdin(pid: number | undefined): boolean {
  const [, flags = "0"] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/0`, "utf8")) ?? []
  return (Number.parseInt(flags, 8) & constants.O_NONBLOCK) !== 0
}

describe("a file that already exists", () => {
  const LINES = [
    [
      "--bill-to",
      "1 Harbour Street; Sydney NSW 2000",
      "--line",
      "2 x Lamp @ 19.99 EA",
      "--abn",
      "51824753556",
    ],
    ["--number", "INV-1", "--po", "PO-7", "--supplier-id", "S-1", "--supplier-name", "Harbour Lighting"],
  ].flat()
  it.each([
    ["label", ["label", "demo-shipment", "-o", "notes.pdf"]],
    ["label --merge", ["label", "demo-shipment", "--merge", "notes.pdf"]],
    ["invoice new", ["invoice", "new", ...LINES, "-o", "notes.txt"]],
    ["book --label", ["book", "--file", "booking.json", "--label", "notes.pdf", "--key", "ORDER-1"]],
  ])("%s writes over its own, and over another only with --force", async (_what, args) => {
    const { folder, freight } = await desk(sandbox)
    const name = args.find((word) => word.startsWith("notes.")) ?? ""
    const file = path.join(folder, name)
    await writeFile(path.join(folder, "booking.json"), JSON.stringify(ownBooking()))
    await writeFile(file, "notes")
    const refused = await freight(args)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`${name} already exists`) })
    expect(await readFile(file, "utf8")).toBe("notes")
    expect((await freight(["history", "--json"])).items()).toEqual([])
    expect((await freight([...args, "--force"])).code).toBe(0)
    const written = await readFile(file)
    expect((await freight(args)).code).toBe(0)
    await writeFile(file, Buffer.concat([written, Buffer.from(" ")]))
    expect((await freight(args)).code).toBe(2)
  })
})

describe.skipIf(!IS_POSIX)("a link with the name of an output file", () => {
  it("is replaced, and what it leads to stays as it is", async () => {
    const { folder, freight } = await desk(sandbox)
    await writeFile(path.join(folder, "precious.txt"), "precious")
    await symlink("precious.txt", path.join(folder, "label.pdf"))
    const { code } = await freight(["label", "demo-shipment", "-o", "label.pdf", "--force"])
    expect(code).toBe(0)
    expect(await readFile(path.join(folder, "precious.txt"), "utf8")).toBe("precious")
    expect((await lstat(path.join(folder, "label.pdf"))).isSymbolicLink()).toBe(false)
  })
})

describe("what a killed process was writing", () => {
  it("leaves nothing in the folder where one works", async () => {
    const own = await ownSandbox()
    const made = await desk(own)
    const rows = Array.from({ length: 20 }, (_, at) => order(`PO-${at}`))
    await writeFile(path.join(made.folder, "orders.csv"), csvOf(rows))
    await own.control("faults", { fault: "hang@POST/shipments" })
    const child = spawn(process.execPath, [getBinary(), "batch", "book", "-", "--results", "results.csv"], {
      cwd: made.folder,
      env: made.env,
      stdio: ["pipe", "ignore", "ignore"],
    })
    child.stdin.end(csvOf(rows))
    await askedAt(own, "POST /{connectorId}/shipments", 1)
    child.kill("SIGKILL")
    await once(child, "exit")
    expect(await readdir(made.folder)).toEqual(["orders.csv", "state"])
    const kept = await readdir(made.state, { recursive: true })
    expect(kept.filter((name) => /stdin|\.tmp/.test(name))).toEqual([])
  })

  it("is cleared away by a later run, and not while it may be written", async () => {
    const { folder, state, freight } = await desk(sandbox)
    const old = [
      path.join(state, "quotes", "a.json.x1.tmp"),
      path.join(folder, "config", "config.json.tmp-12ab"),
    ]
    const young = path.join(state, "quotes", "b.json.x2.tmp")
    for (const file of [...old, young]) {
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, "1 Harbour Street")
    }
    for (const file of old) await utimes(file, new Date(), new Date(Date.now() - 2 * 3_600_000))
    await freight(["connectors"])
    expect(await readdir(path.join(state, "quotes"))).toEqual(["b.json.x2.tmp"])
    expect(await readdir(path.join(folder, "config"))).toEqual([])
  })
})

describe.skipIf(!IS_POSIX || !IS_ROOT)("a user without a home", () => {
  const asNobody = (args: readonly string[], env: Record<string, string>) =>
    spawnSync("setpriv", ["--reuid=12345", "--clear-groups", process.execPath, getBinary(), ...args], {
      cwd: "/",
      env: { PATH: process.env.PATH ?? "", ...env },
      encoding: "utf8",
    })

  it("has to name its folders: exit code 2", () => {
    const { status, stderr } = asNobody(["history"], {})
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("your home folder is not known"),
    })
    expect(stderr).toContain("FREIGHT_STATE_DIR")
  })
})

describe.skipIf(process.platform !== "linux")("a command under nohup", () => {
  it.each([
    ["bash tells", "bash", 'nohup "$0" "$@" & echo $!; wait $!'],
    ["it is told by a keyboard that cannot be read", "sh", '"$0" "$@" 0> /dev/null & echo $!; wait $!'],
  ])("goes on after the terminal is closed, where %s", async (_how, shell, script) => {
    const own = await ownSandbox()
    const made = await desk(own)
    await own.control("faults", { fault: "slow@GET/shipments" })
    const args = ["-c", script, process.execPath, getBinary(), "shipments", "list", "--limit", "1", "--json"]
    const child = spawn(shell, args, { env: made.env, cwd: made.folder, stdio: ["ignore", "pipe", "ignore"] })
    const ended = once(child, "close")
    const [pid] = await once(child.stdout, "data")
    await askedAt(own, "GET /shipments", 1)
    process.kill(Number(pid), "SIGHUP")
    expect(await ended).toEqual([0, null])
  })
})
