/** A ledger in PostgreSQL whose server stops, is full or refuses to write, whom it lets in, and over which connection. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { networkInterfaces, tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { getBinary, desk, errorIn } from "./freight.ts"
import { bookedBy } from "./kills.ts"
import { orders, saveOrders } from "./orders.ts"
import { type OwnPostgres, PASSWORD, POSTGRES_BIN, startPostgres } from "./own-postgres.ts"
import { hasTerminal, sitDown } from "./pty.ts"
import { type RunningSandbox, startSandboxProcess } from "./sandbox.ts"

const ROWS = 120
/** An address of this machine that is not loopback. */
const OUTER = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === "IPv4" && !each.internal)?.address
const CAN_MOUNT =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0

describe.runIf(POSTGRES_BIN)("a ledger on a PostgreSQL server", () => {
  let server: OwnPostgres
  let sandbox: RunningSandbox
  let databases = 0

  beforeAll(async () => {
    server = await startPostgres(OUTER === undefined ? [] : [OUTER])
    sandbox = await startSandboxProcess(["--latency", "20"])
  })
  afterAll(async () => {
    await sandbox?.stop()
    server?.remove()
  })

  async function newDatabase(more = ""): Promise<string> {
    const name = `ledger_${++databases}`
    await server.administer(`create database ${name} ${more}`)
    return name
  }

  /** A desk with that ledger and some orders. */
  async function orderDesk(ledger: string, prefix: string, rows: number, more: Record<string, string> = {}) {
    const made = await desk(sandbox)
    const env = { ...made.env, FREIGHT_LEDGER: ledger, PGPASSWORD: PASSWORD, ...more }
    const list = orders(rows, prefix)
    await saveOrders(made.folder, list)
    const freight = (...args: string[]) => made.freight(args, { env, clock: false })
    const booked = async () => {
      const books = bookedBy(await sandbox.control("books"))
      return list.map(({ reference = "" }) => books.get(reference)?.length ?? 0)
    }
    return {
      ...made,
      env,
      list,
      freight,
      batch: () => freight("batch", "book", "orders.csv", "--no-rate", "--json"),
      booked,
    }
  }

  /** Runs a batch, and does something each time that so many more rows are booked. */
  async function batchWhile(
    { folder, env, booked }: Awaited<ReturnType<typeof orderDesk>>,
    marks: readonly number[],
    act: () => Promise<void> | void,
  ) {
    const args = [getBinary(), "batch", "book", "orders.csv", "--no-rate", "--json"]
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })
    const ended = once(child, "exit")
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    let acted = 0
    for (const mark of marks) {
      const isThere = async () => (await booked()).filter((count) => count > 0).length >= mark
      while (child.exitCode === null && !(await isThere()))
        await new Promise((resolve) => setTimeout(resolve, 20))
      if (child.exitCode !== null) break
      await act()
      acted++
    }
    const [code] = await ended
    const [stdout, stderr] = await output
    return { code: code as number | null, stdout, stderr, acted }
  }

  it("that crashes and comes back in the middle of a batch: each row is booked once, and recorded", async () => {
    const made = await orderDesk(server.address(await newDatabase()), "crash", ROWS)
    const first = await batchWhile(made, [20, 60], () => {
      server.crash()
      server.start()
    })
    // A server that takes long to come back ends the batch; what it could not say in time is settled by the next run.
    expect(first.acted).toBeGreaterThan(0)
    const last = first.code === 0 ? first : await made.batch()
    expect({ code: last.code, stderr: last.code === 0 ? "" : last.stderr }).toEqual({ code: 0, stderr: "" })
    expect(await made.booked()).toEqual(Array(ROWS).fill(1))
    const done = (await made.freight("history", "--state", "done", "--json")).items<object>()
    expect(done).toHaveLength(ROWS)
  })

  it("whose connections are cut in the middle of a batch: each row is booked once, and recorded", async () => {
    const name = await newDatabase()
    const made = await orderDesk(server.address(name), "cut", ROWS)
    const marks = [10, 30, 50, 70, 90]
    const first = await batchWhile(made, marks, () =>
      server.administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`),
    )
    expect(first.acted).toBeGreaterThan(0)
    expect({ code: first.code, stderr: first.code === 0 ? "" : first.stderr }).toEqual({
      code: 0,
      stderr: "",
    })
    expect(await made.booked()).toEqual(Array(ROWS).fill(1))
    const done = (await made.freight("history", "--state", "done", "--json")).items<object>()
    expect(done).toHaveLength(ROWS)
  })

  it("that is stopped: exit 6, and nothing is sent until it is back", async () => {
    const made = await orderDesk(server.address(await newDatabase()), "stopped", 1)
    server.crash()
    const ran = await made.batch()
    server.start()
    expect(ran.code).toBe(6)
    expect(errorIn(ran.stderr).message).toContain("cannot be used: nothing answers at that address")
    expect(await made.booked()).toEqual([0])
    expect((await made.batch()).code).toBe(0)
    expect(await made.booked()).toEqual([1])
  })

  it("that refuses to write: exit 6, and nothing is sent until it writes again", async () => {
    const name = await newDatabase()
    const made = await orderDesk(server.address(name), "read-only", 1)
    expect((await made.freight("ledger", "status")).code).toBe(0)
    await server.administer(`alter database ${name} set default_transaction_read_only = on`)
    const ran = await made.batch()
    expect(ran.code).toBe(6)
    expect(errorIn(ran.stderr).message).toContain("cannot be used: the database is read-only")
    expect(await made.booked()).toEqual([0])
    await server.administer(`alter database ${name} reset default_transaction_read_only`)
    expect((await made.batch()).code).toBe(0)
    expect(await made.booked()).toEqual([1])
  })

  it.skipIf(!CAN_MOUNT)("that is full: nothing is sent until there is room", async () => {
    const disk = mkdtempSync(path.join(tmpdir(), "freight-disk-"))
    spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m,mode=777", "none", disk])
    onTestFinished(async () => {
      await server.administer("drop database if exists full_ledger with (force)")
      await server.administer("drop tablespace if exists small")
      spawnSync("umount", [disk])
      rmSync(disk, { recursive: true, force: true })
    })
    const place = path.join(disk, "place")
    spawnSync("install", ["-d", "-o", "postgres", "-m", "700", place])
    await server.administer(`create tablespace small location '${place}'`)
    await server.administer("create database full_ledger tablespace small")
    const made = await orderDesk(server.address("full_ledger"), "full", 1)
    expect((await made.freight("ledger", "status")).code).toBe(0)
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(path.join(disk, "fill"), Buffer.alloc(bavail * bsize))
    const ran = await made.batch()
    expect(ran.code).toBe(6)
    expect(errorIn(ran.stderr).message).toContain("the database's disk or memory is full")
    expect(await made.booked()).toEqual([0])
    rmSync(path.join(disk, "fill"))
    expect((await made.batch()).code).toBe(0)
    expect(await made.booked()).toEqual([1])
  })

  describe("asks for a password", () => {
    const history = async (more: Record<string, string>, prepare?: (folder: string) => void) => {
      const made = await desk(sandbox)
      prepare?.(made.folder)
      const env = { ...made.env, FREIGHT_LEDGER: server.address("postgres"), ...more }
      return made.binary(["history", "--json"], { env })
    }

    it("and says where to put it when there is none", async () => {
      const ran = await history({})
      expect(ran.code).toBe(2)
      expect(errorIn(ran.stderr).message).toContain("needs a password, and none is set")
    })

    it("and takes it from PGPASSWORD", async () => {
      expect((await history({ PGPASSWORD: PASSWORD })).code).toBe(0)
      const wrong = await history({ PGPASSWORD: "something else" })
      expect(wrong.code).toBe(2)
      expect(errorIn(wrong.stderr).message).toContain("the user or the password is wrong")
      expect(wrong.stderr).not.toContain("something else")
    })

    it("and takes it from ~/.pgpass", async () => {
      const ran = await history({}, (folder) => {
        const file = path.join(folder, ".pgpass")
        writeFileSync(file, `127.0.0.1:${server.port}:*:freight:${PASSWORD}\n`)
        chmodSync(file, 0o600)
      })
      expect(ran.code).toBe(0)
    })

    it.runIf(hasTerminal)("and takes it from a hidden prompt", async () => {
      const { env } = await desk(sandbox)
      const seat = await sitDown(["history"], { ...env, FREIGHT_LEDGER: server.address("postgres") })
      await seat.see("Password of postgres://freight@127.0.0.1")
      seat.type(PASSWORD)
      seat.press("enter")
      expect(await seat.exit).toBe(0)
      expect(await seat.scrollback()).toContain("Nothing was sent.")
      expect(seat.raw()).not.toContain(PASSWORD)
    })
  })

  describe("over TLS", () => {
    const status = async (address: string, more: Record<string, string> = {}) => {
      const made = await desk(sandbox)
      const env = { ...made.env, FREIGHT_LEDGER: address, PGPASSWORD: PASSWORD, ...more }
      return made.binary(["ledger", "status", "--json"], { env })
    }
    const trusted = () => ({ NODE_EXTRA_CA_CERTS: server.certificate })

    it("refuses a certificate that nobody vouches for, unless told to take any", async () => {
      const address = server.address("postgres")
      const ran = await status(`${address}?sslmode=verify-full`)
      expect(ran.code).toBe(2)
      expect(errorIn(ran.stderr).message).toContain("no connection with TLS that can be trusted")
      expect((await status(`${address}?sslmode=require`)).code).toBe(0)
      expect((await status(`${address}?sslmode=disable`)).code).toBe(0)
    })

    it("takes one that is trusted, for its own address only", async () => {
      expect((await status(`${server.address("postgres")}?sslmode=verify-full`, trusted())).code).toBe(0)
      const other = await status(`${server.address("postgres", "localhost")}?sslmode=verify-full`, trusted())
      expect(other.code).toBe(2)
      expect(errorIn(other.stderr).message).toContain("no connection with TLS that can be trusted")
    })

    it.skipIf(OUTER === undefined)("verifies it on another machine without being told to", async () => {
      const address = server.address("postgres", OUTER)
      const ran = await status(address)
      expect(ran.code).toBe(2)
      expect(errorIn(ran.stderr).message).toContain("no connection with TLS that can be trusted")
      expect((await status(address, trusted())).code).toBe(0)
      expect((await status(`${address}?sslmode=require`)).code).toBe(0)
    })
  })

  it("never has the password in its log of statements or in the settings", async () => {
    const made = await orderDesk(server.address(await newDatabase()), "secret", 1)
    await made.freight("config", "set", "ledger", made.env.FREIGHT_LEDGER ?? "")
    await made.batch()
    expect(readFileSync(path.join(server.folder, "server", "log"), "utf8")).not.toContain(PASSWORD)
    expect((await made.freight("config", "list", "--json")).stdout).not.toContain(PASSWORD)
  })
})
