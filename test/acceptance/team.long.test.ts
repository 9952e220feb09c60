/**
 * Five workstations on one ledger, each with settings, a state folder and a name of its own, book the same file at once,
 * and are killed and run again. The sandbox's own books judge. FREIGHT_TEST_ROWS=2000 runs the long form.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { newDatabase, SERVER } from "../ledger/postgres.ts"
import { getBinary, desk } from "./freight.ts"
import { bookedBy, KILLS_AT_AWAIT } from "./kills.ts"
import { numbersFrom } from "./numbers.ts"
import { order, orders, saveOrders } from "./orders.ts"
import { startSandboxProcess } from "./sandbox.ts"

const DESKS = 5
const ROWS = Number(process.env.FREIGHT_TEST_ROWS ?? 200)
const KILLS = 2
/** The last await at which a run is killed. A run has about 1,500 before its rows, and 50 for each row. */
const MAX_AWAITS = 30 * ROWS
const SEED = Number(process.env.FREIGHT_TEST_SEED ?? 20_261_124)

describe.runIf(SERVER)(`five workstations with one ledger in PostgreSQL (FREIGHT_TEST_SEED=${SEED})`, () => {
  it("book each row once, and each has the results of all", async ({ annotate }) => {
    const sandbox = await startSandboxProcess()
    const ledger = await newDatabase()
    const next = numbersFrom(SEED)
    const list = orders(ROWS, "team")
    let killed = 0

    /** Books the file until every row is booked; killed now and then on the way. */
    const work = async (n: number) => {
      const { folder, env } = await desk(sandbox)
      const file = await saveOrders(folder, list)
      const run = async (killAt?: number) => {
        const killer = killAt === undefined ? [] : ["--require", KILLS_AT_AWAIT]
        const words = ["batch", "book", file, "--no-rate", "--json"]
        const child = spawn(process.execPath, [...killer, getBinary(), ...words], {
          cwd: folder,
          env: {
            ...env,
            ...{ FREIGHT_LEDGER: ledger, FREIGHT_WORKSTATION: `bench-${n}` },
            FREIGHT_TEST_KILL_AT: String(killAt),
          },
          stdio: ["ignore", "ignore", "pipe"],
        })
        let stderr = ""
        child.stderr.on("data", (chunk: Buffer) => {
          stderr += chunk
        })
        const [code, signal] = await once(child, "exit")
        if (signal === "SIGKILL") killed++
        return { code: code as number | null, stderr }
      }
      for (let kill = 0; kill < KILLS; kill++) await run(Math.ceil(next() * MAX_AWAITS))
      let last = await run()
      // A booking that was killed before it was sent does not exist. Release it, as a person would after checking.
      for (let tries = 0; tries < 12 && last.code !== 0; tries++) {
        const books = bookedBy(await sandbox.control("books"))
        const open = list.filter(
          ({ reference = "" }) => last.stderr.includes(`(${reference})`) && !books.has(reference),
        )
        for (const { reference = "" } of open)
          await once(
            spawn(process.execPath, [getBinary(), "reconcile", "--release", reference], {
              env: { ...env, FREIGHT_LEDGER: ledger },
              stdio: "ignore",
            }),
            "exit",
          )
        last = await run()
      }
      const results = await readFile(path.join(folder, "orders.results.csv"), "utf8")
      return { ...last, results }
    }
    try {
      const desks = await Promise.all(Array.from({ length: DESKS }, (_, n) => work(n + 1)))
      const books = bookedBy(await sandbox.control("books"))
      await annotate(`${killed} kills, ${ROWS} rows`)
      expect(list.filter(({ reference = "" }) => books.get(reference)?.length !== 1)).toEqual([])
      expect(desks.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual(Array(DESKS).fill(0))
      for (const { results } of desks) {
        const lines = results.trim().split(/\r?\n/)
        expect(lines).toHaveLength(ROWS + 1)
        for (const [id] of books.values()) expect(results).toContain(id)
      }
    } finally {
      await sandbox.stop()
    }
  }, 900_000)

  it("are told of what another of them booked by hand, and who did", async () => {
    const sandbox = await startSandboxProcess()
    const ledger = await newDatabase()
    try {
      const bench = async (name: string) => {
        const made = await desk(sandbox)
        await saveOrders(made.folder, [order("PO-7")])
        const env = { FREIGHT_LEDGER: ledger, FREIGHT_WORKSTATION: name }
        return (args: string[]) => made.freight(args, { env })
      }
      const [one, two] = [await bench("bench-1"), await bench("accounts")]
      expect((await one(["batch", "book", "orders.csv"])).code).toBe(0)
      const second = await two(["batch", "book", "orders.csv", "--json"])
      expect(second.json()).toMatchObject({ booked: 1, recorded: 1 })
      const rows = (await two(["history", "--json"])).items<{ workstation: string }>()
      expect(rows.map(({ workstation }) => workstation)).toEqual(["bench-1"])
    } finally {
      await sandbox.stop()
    }
  })
})
